import ArgumentParser
import Contracts
import Foundation
import MachineShare
import Observations
import Reports
import Scenarios
import Simulation
import Timekeeping
import Verdicts

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show what one person did and saw in a run.",
    discussion: """
      Runs one replication again, with the same seed, and prints the records of one person in order: what broke in a \
      report can be looked at here. Each line has its number, the local time, the operation, what came of it and how long it \
      took; where a check saw a violation the line is marked (the first five violations of each limit are). 'rehearse persons \
      SCENARIO' lists the names; without --person everybody's records are printed.

      Examples:
        rehearse trace evening.yaml --person kantine-koning/1/club-1-phone-7
        rehearse trace evening.yaml --person kantine-koning/1/club-1-phone-7 --around 19:30
        rehearse trace scenarios/negative/names-too-long.yaml --violation KK-58
      """)

  @Argument(
    help: "The scenario file, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: "The person's name, as 'rehearse persons' lists it.")
  var person: String?

  @Option(
    help:
      "Only what lies around this line of the trace, or around this moment: 19:30, +2h or an instant."
  )
  var around: String?

  @Option(
    help:
      "Only what lies around the first violation of this limit, e.g. KK-58, by whom it was seen.")
  var violation: String?

  @Option(
    parsing: .unconditional,
    help: "With --around or --violation: how many lines to show before and after (default: 10).")
  var context: Int?

  @OptionGroup var chosen: ChosenReplication

  @Option(parsing: .unconditional, help: Seed.help, transform: Seed.parse)
  var seed: UInt64?

  @Option(help: "text, or json as --events writes it.")
  var format: OutputFormat = .text

  func validate() throws {
    if let context {
      guard (0...100_000).contains(context) else {
        throw ValidationError(
          "--context must be a number of lines from 0 to 100000, not \(context)")
      }
      guard around != nil || violation != nil else {
        throw ValidationError("--context is of --around or --violation; give one of them")
      }
    }
    if around != nil, violation != nil {
      throw ValidationError("--around and --violation exclude each other; keep one of them")
    }
  }

  func run() throws {
    var work = try ScenarioRun(file: scenario)
    if let seed { work.scenario.seed = seed }
    let replication = try chosen.index(in: work.scenario)
    let cut = try self.cut(in: work.scenario)
    if let person { try check(person, in: work, replication) }
    var seen = person
    if let violation, person == nil { seen = try witness(of: violation, in: work, replication) }
    let results = lived(
      work, replication, transcribing: seen.map(Transcribing.person) ?? .everybody)
    let lines = results.flatMap(\.lines)
    guard !lines.isEmpty else {
      Console.error("\(seen ?? "everybody") did nothing in replication \(replication + 1)")
      return
    }
    let violations = Self.violations(in: results).filter { found in
      (violation == nil || found.limit == violation?.uppercased())
        && (seen == nil || found.who == seen)
    }
    let trace = TerminalTrace(lines, in: work.scenario.zone, violations: violations)
    guard let range = trace.range(cut, context: context ?? 10) else { throw missed(lines.count) }
    switch format {
    case .json: for line in lines[range] { Console.out(line) }
    case .text:
      for line in trace.text(range, colour: Console.wantsColour(STDOUT_FILENO)) {
        Console.out(line)
      }
    }
  }

  private func lived(
    _ work: ScenarioRun, _ replication: Int, transcribing: Transcribing
  ) -> [ReplicationResult] {
    work.virtualRun(transcribing: transcribing)
      .run(
        replications: [replication],
        workers: MachineShare.current.processors)
  }

  private func cut(in scenario: Scenario) throws -> TerminalTrace.Cut {
    if violation != nil { return .violation }
    guard let around else { return .whole }
    if let line = Int(around) { return .line(line) }
    do throws(ScenarioErrors) {
      let (moment, warnings) = try scenario.moment(around, named: "--around")
      for warning in warnings { Console.error("warning: \(warning.what); \(warning.remedy)") }
      return .moment(moment)
    } catch {
      throw ValidationError(
        "--around cannot be '\(printable(around))'; \(error.problems.first?.remedy ?? "")")
    }
  }

  // MARK: - Who

  private func check(_ person: String, in work: ScenarioRun, _ replication: Int) throws {
    let persons = Persons(of: work, replication: replication)
    guard !persons.names.contains(person) else { return }
    let hint = persons.nearest(to: person) ?? persons.names.first
    let near = hint.map { "; did you mean '\($0)'?" } ?? ""
    Console.error(
      "nobody in replication \(replication + 1) is called '\(printable(person, limit: 200))'\(near)\n'rehearse persons \(Escaping.shell(scenario)) --like TEXT' searches the names"
    )
    throw ExitStatus.invalidInput.thrown
  }

  /// Who first saw a violation of a limit; `nil` when it was a region, whose records are everybody's.
  private func witness(
    of limit: String, in work: ScenarioRun, _ replication: Int
  ) throws -> String? {
    let known = work.backends.flatMap { $0.declaration.limits.map(\.id.text) }
    let wanted = limit.uppercased()
    guard known.contains(wanted) else {
      let near = nearest(wanted, among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw ValidationError(
        "no limit of this scenario's domains is called '\(printable(limit))'\(near)")
    }
    let found = Self.violations(in: lived(work, replication, transcribing: .nobody)).filter {
      $0.limit == wanted
    }
    guard let first = found.first else {
      Console.error(
        "\(wanted) was not violated in replication \(replication + 1) of seed \(work.scenario.seed); the report names the replication and the seed of each violation"
      )
      throw ExitStatus.invalidInput.thrown
    }
    // A region's path has two parts, a person's three.
    return first.who.split(separator: "/").count > 2 ? first.who : nil
  }

  private static func violations(in results: [ReplicationResult]) -> [TerminalTrace.Violation] {
    results.flatMap(\.worlds).flatMap(\.limits).flatMap { limit in
      limit.evidence.map {
        TerminalTrace.Violation(
          limit: limit.id.text, what: $0.what, who: $0.who, time: $0.time)
      }
    }
  }

  private func missed(_ lines: Int) -> any Error {
    if let violation {
      Console.error(
        "no line shows \(printable(violation)): a check saw it in several records together; leave --violation out to see all \(lines) lines"
      )
    } else {
      Console.error("--around: this trace has lines 1 to \(lines)")
    }
    return ExitStatus.invalidInput.thrown
  }
}
