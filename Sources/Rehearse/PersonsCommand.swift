import ArgumentParser
import Contracts
import Reports
import Verdicts

struct PersonsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "persons",
    abstract: "List or search the people of a scenario by name.",
    discussion: """
      'rehearse trace SCENARIO --person NAME' shows what one of them did. Each replication has people of its own.

      Examples:
        rehearse persons evening.yaml
        rehearse persons evening.yaml --like club-2-phone
        rehearse persons evening.yaml --all | wc -l
        rehearse persons evening.yaml --population   what a server of your own has to hold
        rehearse persons evening.yaml --population --format csv   whom it has to know, as a feeder
      """)

  @Argument(
    help: "The scenario file, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: "Only names that contain this text, whatever its case.")
  var like: String?

  @OptionGroup var chosen: ChosenReplication

  @Option(parsing: .unconditional, help: Seed.help, transform: Seed.parse)
  var seed: UInt64?

  @Flag(help: "Every name, however many there are.")
  var all = false

  @Flag(
    help:
      "In place of names what the backend holds when the run begins, as lines for 'rehearse replay'; with --format csv the accounts."
  )
  var population = false

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, csv }

  @Option(help: "text or json; with --population text or csv.")
  var format: Format = .text

  /// What a screen holds beside its prompt.
  private static let most = 20

  func validate() throws {
    guard !population || (like == nil && !all && format != .json) else {
      throw ValidationError(
        "--population lists no names: leave out --like, --all and --format json")
    }
    guard population || format != .csv else {
      throw ValidationError(
        "--format csv goes with --population: it lists whom a server has to know")
    }
  }

  func run() throws {
    var work = try ScenarioRun(file: scenario)
    if let seed { work.scenario.seed = seed }
    let replication = try chosen.index(in: work.scenario)
    try work.checkMemory(workers: 1)
    if population {
      guard work.scenario.worlds.count == 1 else {
        throw ValidationError(
          "--population is of one world, and the scenario has \(work.scenario.worlds.count)")
      }
      if format == .csv {
        guard let table = Persons.roster(of: work, replication: replication) else {
          throw ValidationError(
            "\(work.scenario.worlds[0].domain) does not say whom a server has to know: leave out --format csv"
          )
        }
        return Console.out(table)
      }
      Console.out(Persons.population(of: work, replication: replication).joined(separator: "\n"))
      return
    }
    let persons = Persons(of: work, replication: replication)
    let found = like.map(persons.like) ?? persons.names
    guard !found.isEmpty else {
      let words = like.map { "no name contains '\(printable($0))'" } ?? "nobody lives here"
      Console.error("\(printable(scenario, limit: 1_000)): \(words)")
      throw ExitStatus.invalidInput.thrown
    }
    if format == .json {
      Console.out(JSON.strings(found).pretty())
      return
    }
    let shown = all || found.count <= Self.most ? found : Self.spread(found)
    Console.out(shown.joined(separator: "\n"))
    if shown.count < found.count {
      Console.error(
        "\(shown.count) of \(Figures.count(found.count)) names; --like TEXT narrows them down, --all shows every one"
      )
    }
  }

  /// A screenful from everywhere in the list, so that each kind of person has a chance to be seen.
  private static func spread(_ names: [String]) -> [String] {
    (0..<most).map { names[$0 * names.count / most] }
  }
}
