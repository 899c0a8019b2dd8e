import ArgumentParser
import Observations
import Reports
import RunFolders
import Verdicts

struct PartsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parts",
    abstract: "Write what a scheduler is told to make a run in parts and to merge them.",
    discussion: """
      For Slurm a script that submits a job array and a dependent job that merges; for Kubernetes an Indexed Job and a Job \
      that merges; for GitHub Actions a matrix and a job that needs it. Rehearsal brings no scheduler of its own: what is \
      written is yours to read and to change. The one for Slurm is tried on a Slurm, the others against their schemas.

      Examples:
        rehearse parts scenarios/saturday.yaml --for slurm --parts 16 > saturday.sh; bash saturday.sh
        rehearse parts scenarios/saturday.yaml --for kubernetes --parts 16 | kubectl apply -f -
        rehearse parts scenarios/saturday.yaml --for github --parts 8 > .github/workflows/saturday.yml
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(name: .customLong("for"), help: "slurm, kubernetes or github.")
  var scheduler: PartScripts.Scheduler

  @Option(parsing: .unconditional, help: "How many parts; more than replications stand idle.")
  var parts: Int

  @Option(parsing: .unconditional, help: "Which round of a run that goes on until it is decided.")
  var round = 1

  func validate() throws {
    guard (1...PartScripts.most).contains(parts) else {
      throw ValidationError(
        "--parts must be a number from 1 to \(PartScripts.most), not \(parts)")
    }
    guard (1...64).contains(round) else {
      throw ValidationError("--round must be a number from 1 to 64, not \(round)")
    }
    guard scheduler != .github || parts <= PartScripts.mostOfMatrix else {
      throw ValidationError(
        "GitHub allows \(PartScripts.mostOfMatrix) jobs in a matrix; give at most so many --parts")
    }
  }

  func run() throws {
    let work = try ScenarioRun(file: scenario)
    guard work.source.variables.isEmpty || scheduler != .kubernetes else {
      Console.error(
        "\(scenario): it names environment variables, which no pod has; write their values into it")
      throw ExitStatus.invalidInput.thrown
    }
    let scripts = PartScripts(
      file: scenario, text: work.source.bytes, name: work.scenario.name, parts: parts, round: round)
    Console.out(bytes: Array(scripts.text(for: scheduler).utf8))
  }
}

extension PartScripts.Scheduler: ExpressibleByArgument {}

extension PartScripts {
  static let most = 1_000
  /// - Source: GitHub Actions, usage limits: a matrix makes 256 jobs at most for a run of a workflow.
  static let mostOfMatrix = 256
}
