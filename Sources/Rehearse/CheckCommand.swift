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
        var work = try ScenarioRun(file: file)
        try work.checkEvents()
        try work.checkLoad()
        try work.checkTables()
        work.servers = try TargetServers([.twin], work.scenario)
        try work.checkCells()
        let persons = Census(of: work)
        let time =
          work.scenario.realSeconds.map { "\(Figures.duration($0)) of real time" }
          ?? "\(work.scenario.lasts) of virtual time"
        Console.out(
          "\(file): valid: \(persons.isCounted ? "" : "about ")\(Figures.count(persons.count)) people, \(time), \(Figures.count(work.scenario.replications, "replication"))"
        )
      } catch is ExitCode {
        isFine = false
      } catch let error as ValidationError {
        Console.error("\(file): \(error.message)")
        isFine = false
      }
    }
    if !isFine { throw ExitStatus.invalidInput.thrown }
  }
}
