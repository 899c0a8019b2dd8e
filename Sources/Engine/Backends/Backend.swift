import Contracts
import Journeys
import Observations
import Timekeeping

/// One domain as the engine sees it: contract, twin, people and checks behind one value.
///
/// A domain names no timeline and no transport; whoever runs it names no domain.
public protocol Backend: Sendable {
  associatedtype Contract: WireContract
  associatedtype Model: Twin<Contract>
  /// Its checks as the recorder calls them: `CellCheckRuntime` of its own, or a list of checks behind a router.
  associatedtype Checks: CheckRuntime<Contract> = CheckRouter<Contract>

  var declaration: WorldDeclaration { get }
  /// Every rule that a check judges.
  var judged: [JudgedRule<Contract>] { get }
  /// The checks of one region, before any record.
  /// - Parameter isSeen: Whether the records are there that a rule's check goes by.
  func checkRuntime(where isSeen: (JudgedRule<Contract>) -> Bool) -> Checks
  /// Where its rules have their guards, and which journeys try them; empty where the build looks that up (`RuleLocations`).
  var enforced: [RulesOfFile<Contract.Rule>] { get }
  var tried: [RulesOfFile<Contract.Rule>] { get }
  /// The list, where the checks are one.
  var checks: [Check<Contract>] { get }
  var business: [BusinessLatency<Contract>] { get }
  /// What the backend is used for, as steps; `nil` where no one story tells it.
  var flow: Flow<Contract>? { get }
  /// Who may do what by the documents; `nil` where no table says so.
  var access: AccessMatrix? { get }

  /// Where a served twin listens unless told otherwise; further services of the contract take the ports after it.
  /// 0 takes any free one.
  var port: Int { get }

  /// Whether each cell is a server of its own, so that a population of several cannot live before one.
  var isCellAServer: Bool { get }

  /// An empty twin, as `replay` and `serve` start with.
  func twin(_ setup: TwinSetup) -> Model

  /// Who lives in one region, and with what its cells are loaded.
  func populate(_ region: RegionPlan) -> PopulationPlan<Contract>

  /// Who has to be known to a server that nobody can load, as a table that can be a feeder; empty where the domain has none.
  func roster(of region: RegionPlan) -> Roster

  /// About how many persons a population has, before it is made.
  func persons(in population: Settings) -> Int

  /// The text of a small scenario in which every check of this domain is exercised, for `rehearse prove`.
  var provingScenario: String { get }

  /// The request by which the harness looks at a cell: at everything, or at what has changed since a look.
  /// - Parameter last: What the last look brought; `nil` for the first.
  /// - Returns: `nil` when there is nothing to see.
  func inspection(after last: Contract.Reply?) -> Contract.Request?

  /// The cells of a region that a control command of a scenario concerns, with the command as those cells name
  /// things; empty when it concerns another region.
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Contract>]

  /// How long a signal travels; drawn by the engine.
  func transit(of signal: Contract.Signal, in plan: RegionPlan) -> Distribution

  /// What the world outside answers to a signal (push feedback, key sets); it reaches the twin as a request of the
  /// environment, when the signal has arrived.
  func environment(
    on signal: Contract.Signal, at address: Contract.Address
  ) -> [Contract.Request]

  /// What a device's system answers once the engine has brought a signal to a person who listens. Clients of a replayed
  /// or served twin fetch their signals themselves, so that nothing is answered for them.
  func receipt(
    of signal: Contract.Signal, at address: Contract.Address
  ) -> [Contract.Request]
}

extension Backend where Checks == CheckRouter<Contract> {
  public var judged: [JudgedRule<Contract>] { checks.map { JudgedRule($0) } }
  public func checkRuntime(where isSeen: (JudgedRule<Contract>) -> Bool) -> Checks {
    CheckRouter(checks.filter { isSeen(JudgedRule($0)) })
  }
}

extension Backend {
  public var checks: [Check<Contract>] { [] }
  public var enforced: [RulesOfFile<Contract.Rule>] { [] }
  public var tried: [RulesOfFile<Contract.Rule>] { [] }
  public var flow: Flow<Contract>? { nil }
  public var access: AccessMatrix? { nil }

  public var port: Int { 0 }
  public var isCellAServer: Bool { false }
  public func roster(of region: RegionPlan) -> Roster { Roster([], []) }

  public func environment(
    on signal: Contract.Signal, at address: Contract.Address
  ) -> [Contract.Request] { [] }

  public func receipt(
    of signal: Contract.Signal, at address: Contract.Address
  ) -> [Contract.Request] { [] }
}

/// Accounts and what belongs to them, a row each.
public struct Roster: Hashable, Sendable {
  public let columns: [String]
  public let rows: [[String]]

  public init(_ columns: [String], _ rows: [[String]]) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// Comma-separated values (RFC 4180).
  public var csv: String {
    ([columns] + rows).map { row in
      row.map { field in
        field.contains(where: { ",\"\n\r".contains($0) })
          ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
      }.joined(separator: ",")
    }.joined(separator: "\n")
  }
}

/// The source files in which a rule lives.
public struct FilesOfRule: Hashable, Sendable {
  /// Those whose guards keep it, of the twin or of the journeys.
  public let enforced: [String]
  /// The journeys that run into it.
  public let tried: [String]
  public let judged: [String]

  public init(enforced: [String], tried: [String], judged: [String]) {
    (self.enforced, self.tried, self.judged) = (enforced, tried, judged)
  }
}

extension Backend {
  /// As the backend says itself; `nil` where the build looks it up.
  public func files(of rule: LimitID) -> FilesOfRule? {
    if enforced.isEmpty { return nil }
    return FilesOfRule(
      enforced: enforced.filter { $0.rules.contains { $0.id == rule } }.map(\.file),
      tried: tried.filter { $0.rules.contains { $0.id == rule } }.map(\.file),
      judged: judged.filter { $0.rule.id == rule }.compactMap(\.file))
  }
}

/// With what a twin is created: an identifier stream and its rules; it has nothing else of its own.
public struct TwinSetup: Sendable {
  public let identifiers: RandomStream
  /// Rules that are switched off.
  public let rulesOff: Set<LimitID>
  public let tokens: any TokenCodec

  public init(identifiers: RandomStream, rulesOff: Set<LimitID>, tokens: any TokenCodec) {
    self.identifiers = identifiers
    self.rulesOff = rulesOff
    self.tokens = tokens
  }

  public func rules<R: Rule>() -> Rules<R> { Rules(off: rulesOff) }
}

/// What a domain may know when it populates one region of a world.
public struct RegionPlan: Sendable {
  /// The seed of the replication.
  public let seed: UInt64
  /// From 1, as path names count: `canteen/2`.
  public let region: Int
  public let regions: Int
  public let population: Settings
  public let parameters: Settings
  public let quirks: Set<String>
  /// The share of persons who break rules on purpose, in 0...1.
  public let adversaries: Double
  /// Rules that are switched off.
  public let rulesOff: Set<LimitID>
  public let starts: Instant
  public let ends: Instant
  /// The path of the region: `canteen/2`.
  public let path: String
  public let tokens: any TokenCodec
  /// How many times faster people think and pause than documented.
  public let haste: Int

  public init(
    seed: UInt64, region: Int, regions: Int, population: Settings, parameters: Settings,
    quirks: Set<String>, adversaries: Double, rulesOff: Set<LimitID>, starts: Instant,
    ends: Instant,
    path: String, tokens: any TokenCodec, haste: Int = 1
  ) {
    self.seed = seed
    self.region = region
    self.regions = regions
    self.population = population
    self.parameters = parameters
    self.quirks = quirks
    self.adversaries = adversaries
    self.rulesOff = rulesOff
    self.starts = starts
    self.ends = ends
    self.path = path
    self.tokens = tokens
    self.haste = haste
  }

  public func rules<R: Rule>() -> Rules<R> { Rules(off: rulesOff) }

  /// The stream that shapes one thing of this region by its name: a club, a phone.
  public func stream(_ name: String, _ purpose: UInt32 = 0) -> RandomStream {
    RandomStream(seed: seed, owner: stableHash(path + "/" + name), purpose: 0x8000_0000 | purpose)
  }

  /// This region's share of a whole that is divided as evenly as whole numbers allow.
  public func share(of whole: Int) -> Range<Int> {
    (whole * (region - 1) / regions)..<(whole * region / regions)
  }
}

/// Who lives in a region.
public struct PopulationPlan<Contract: ServiceContract>: Sendable {
  public var cells: Int
  public var persons: [PersonPlan<Contract>]
  /// What the operator does: fixtures at the start, then whatever the domain's calendar says.
  public var controls: [CellCommand<Contract>]

  public init(
    cells: Int, persons: [PersonPlan<Contract>], controls: [CellCommand<Contract>]
  ) {
    self.cells = cells
    self.persons = persons
    self.controls = controls
  }

  /// The same with everything in one cell.
  public var inOneCell: PopulationPlan {
    PopulationPlan(
      cells: 1,
      persons: persons.map {
        PersonPlan(name: $0.name, cell: 0, keepsHours: $0.keepsHours, behaviour: $0.behaviour)
      }, controls: controls.map { CellCommand(cell: 0, at: $0.at, $0.request) })
  }

  /// Itself; the program ends where it contradicts itself.
  public func sound(in region: RegionPlan) -> PopulationPlan {
    if let flaw { programFault("\(region.path): \(flaw)") }
    return self
  }

  private var flaw: String? {
    let all = 0..<cells
    if let person = persons.first(where: { !all.contains($0.cell) }) {
      return "'\(person.name)' lives in cell \(person.cell), and the region has \(cells), from 0"
    }
    if let control = controls.first(where: { !all.contains($0.cell) }) {
      return "a command goes to cell \(control.cell), and the region has \(cells), from 0"
    }
    return repeated(persons.map(\.name)).first.map { "two persons are called '\($0)'" }
  }
}

/// One person before it lives. Its behaviour is made in its region and never leaves it.
public struct PersonPlan<Contract: ServiceContract>: Sendable {
  /// The last part of the path name: `phone-0417`.
  public let name: String
  public let cell: Int
  /// Whether its own calendar decides when it comes, also where a scenario's phases decide for others: a courier's shift, a shop's
  /// hours, an attacker.
  public let keepsHours: Bool
  public let behaviour: @Sendable () -> any Behaviour<Contract>

  public init(
    name: String, cell: Int, keepsHours: Bool = false,
    behaviour: @escaping @Sendable () -> any Behaviour<Contract>
  ) {
    self.name = name
    self.cell = cell
    self.keepsHours = keepsHours
    self.behaviour = behaviour
  }
}

/// A control command with its cell and its instant.
public struct CellCommand<Contract: ServiceContract>: Sendable {
  public let cell: Int
  public let at: Instant
  public let request: Contract.Request

  public init(cell: Int, at: Instant, _ request: Contract.Request) {
    self.cell = cell
    self.at = at
    self.request = request
  }
}
