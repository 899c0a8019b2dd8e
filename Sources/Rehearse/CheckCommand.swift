import ArgumentParser
import Contracts
import Reports
import ScenarioFiles
import Scenarios
import Verdicts

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check scenario files without running them.",
    discussion:
      """
      Reports every problem at once, each with file, line and column. Exits with 65 when there is one.

      A scenario may name environment variables in its values: ${NAME}, or ${NAME:-default} for when it is unset or empty; \
      $${NAME} stays as it is. They are filled in before anything is read, '-' is standard input.

      Example:
        rehearse check scenarios/*.yaml
      """
  )

  @Argument(
    help: "The scenario files; - is standard input.",
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  func validate() throws {
    if files.isEmpty { throw ValidationError("name at least one scenario file") }
  }

  func run() throws {
    var isFine = true
    for file in files {
      do {
        let work = try ScenarioRun(file: file)
        try work.checkEvents()
        let persons = Census(of: work)
        Console.out(
          "\(file): valid: \(persons.isCounted ? "" : "about ")\(Figures.count(persons.count)) people, \(work.scenario.lasts) of virtual time, \(work.scenario.replications) replication\(work.scenario.replications == 1 ? "" : "s")"
        )
      } catch is ExitCode {
        isFine = false
      }
    }
    if !isFine { throw ExitStatus.invalidInput.thrown }
  }
}
