import ArgumentParser
import Contracts
import DomainList
import MachineShare
import Reports
import ScenarioFiles
import Scenarios
import Verdicts

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show every effective value of a scenario with its source, and what a run will cost.",
    discussion: """
      Each value is shown with where it comes from: a line of the scenario, a profile, a default of the domain with its source, or a \
      default of the program. People are counted by creating them. Requests, time and memory come from a short probe: one \
      replication with at most a few thousand of the people, for at most a few seconds.

      Examples:
        rehearse explain scenarios/saturday.yaml
        rehearse explain scenarios/saturday.yaml --differing
        rehearse explain scenarios/saturday.yaml --no-probe --format json
      """)

  @Argument(
    help: "The scenario file, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(parsing: .unconditional, help: Seed.help, transform: Seed.parse)
  var seed: UInt64?

  @Option(parsing: .unconditional, help: "How many replications, in place of the scenario's.")
  var replications: Int?

  @Option(
    parsing: .unconditional,
    help: "How many threads the run will have (default: as 'run').")
  var workers: Int?

  private var threads: Int { workers ?? MachineShare.current.processors }

  @Flag(help: "Only what the scenario or a profile decides.")
  var differing = false

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Run a short probe to estimate requests, time and memory.")
  var probe = true

  @Option(help: "text or json.")
  var format: OutputFormat = .text

  func validate() throws {
    if let workers, !(1...1_024).contains(workers) {
      throw ValidationError("--workers must be a number of threads from 1 to 1024, not \(workers)")
    }
    if let replications, !(1...10_000).contains(replications) {
      throw ValidationError("--replications must be a number from 1 to 10000, not \(replications)")
    }
  }

  func run() throws {
    var work = try ScenarioRun(file: scenario)
    if let seed { work.scenario.seed = seed }
    work.decide(replications: replications, maximum: nil, stopEarly: nil)
    try work.checkEvents()
    var explanation = try Explanation(
      of: work.scenario, from: tree(), declarations: work.backends.map(\.declaration))
    explanation.replace(
      (seed == nil ? [] : ["seed"]) + (replications == nil ? [] : ["replications"]))
    if differing { explanation.keep { $0.source.isGiven } }
    let cost = CostEstimate(of: work, workers: threads, probing: probe)
    switch format {
    case .json: Console.out(Self.json(explanation, cost).pretty())
    case .text: Console.out(text(explanation, cost))
    }
  }

  private func tree() throws -> SourceNode {
    do throws(ScenarioErrors) {
      return try ScenarioFile.tree(of: scenario)
    } catch {
      Console.error(error.description)
      throw ExitStatus.invalidInput.thrown
    }
  }

  // MARK: - Text

  private func text(_ explanation: Explanation, _ cost: CostEstimate) -> String {
    let sections = explanation.sections.map { section in
      let rows = section.rows
      let names = min(28, rows.map(\.name.count).max() ?? 0)
      let values = min(34, rows.map(\.value.count).max() ?? 0)
      let lines = rows.map { row in
        "  " + Self.padded(row.name, names) + "  "
          + Self.padded(Escaping.visible(row.value, limit: 120), values) + "  " + row.source.inWords
      }
      return ([section.title] + lines).joined(separator: "\n")
    }
    return (sections + [cost.text]).joined(separator: "\n\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  // MARK: - JSON

  private static func json(_ explanation: Explanation, _ cost: CostEstimate) -> JSON {
    [
      "values": .array(
        explanation.sections.flatMap { section in
          section.rows.map { row in
            var object: JSONObject = [
              "section": .string(section.title), "name": .string(row.name),
              "value": .string(row.value), "source": .string(row.source.kind),
              "meaning": .string(row.meaning),
            ]
            switch row.source {
            case .scenario(let line): object["line"] = .number(line)
            case .profile(let name): object["profile"] = .string(name)
            case .domain(let document): object["document"] = .string(document)
            case .engine, .commandLine: break
            }
            return .object(object)
          }
        }),
      "estimate": cost.json,
    ]
  }
}

extension Explanation.Source {
  /// Whether somebody decided it for this scenario.
  fileprivate var isGiven: Bool {
    switch self {
    case .scenario, .commandLine: true
    case .profile(let name): name != "documented"
    case .domain, .engine: false
    }
  }

  fileprivate var kind: String {
    switch self {
    case .scenario: "scenario"
    case .profile: "profile"
    case .domain: "domain default"
    case .engine: "engine default"
    case .commandLine: "command line"
    }
  }

  fileprivate var inWords: String {
    switch self {
    case .scenario(let line): "scenario, line \(line)"
    case .profile(let name): "profile \(name)"
    case .domain(let document): "domain default (\(document))"
    case .engine, .commandLine: kind
    }
  }
}
