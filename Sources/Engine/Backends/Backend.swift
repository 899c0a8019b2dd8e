import Contracts
import Journeys
import Observations
import Timekeeping

/// One backend's room as the engine sees it: contract, twin, people and checks behind one value.
///
/// A domain names no timeline and no transport; whoever runs it names no domain.
public protocol Backend: Sendable {
  associatedtype Agreement: WireContract
  associatedtype Copy: Twin<Agreement>

  var declaration: WorldDeclaration { get }
  var checks: [Check<Agreement>] { get }
  var business: [BusinessLatency<Agreement>] { get }

  /// Where a served twin listens unless told otherwise; further services of the contract take the ports after it.
  /// 0 takes any free one.
  var port: Int { get }

  /// Whether each cell is a server of its own, so that a population of several cannot live before one.
  var isCellAServer: Bool { get }

  /// An empty twin, as `replay` and `serve` start with.
  func twin(_ setup: TwinSetup) -> Copy

  /// Who lives in one region, and with what its cells are loaded.
  func settle(_ region: RegionPlan) -> Settlement<Agreement>

  /// About how many persons a population has, before it is made.
  func persons(in population: Settings) -> Int

  /// The text of a small scenario in which every check of this room is exercised, for `rehearse prove`.
  var provingScenario: String { get }

  /// The request by which the harness looks at a cell; `nil` when there is nothing to see.
  var inspection: Agreement.Request? { get }

  /// The cells of a region that a control command of a scenario concerns, with the command as those cells name
  /// things; empty when it concerns another region.
  func place(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [Placed<Agreement>]

  /// How long a signal travels; drawn by the engine.
  func transit(of signal: Agreement.Signal, in plan: RegionPlan) -> Distribution

  /// What the world outside answers to a signal (push feedback, key sets); it reaches the twin as a request of the
  /// environment, when the signal has arrived.
  func environment(
    on signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request]

  /// What a device's system answers once the engine has brought a signal to a person who listens. Clients of a replayed
  /// or served twin fetch their signals themselves, so that nothing is answered for them.
  func receipt(
    of signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request]
}

extension Backend {
  public var port: Int { 0 }
  public var isCellAServer: Bool { false }

  public func environment(
    on signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request] { [] }

  public func receipt(
    of signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request] { [] }
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

  public init(
    seed: UInt64, region: Int, regions: Int, population: Settings, parameters: Settings,
    quirks: Set<String>, adversaries: Double, rulesOff: Set<LimitID>, starts: Instant,
    ends: Instant,
    path: String, tokens: any TokenCodec
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
public struct Settlement<Agreement: Contract>: Sendable {
  public var cells: Int
  public var residents: [Resident<Agreement>]
  /// What the operator does: fixtures at the start, then whatever the domain's calendar says.
  public var controls: [Placed<Agreement>]

  public init(
    cells: Int, residents: [Resident<Agreement>], controls: [Placed<Agreement>]
  ) {
    self.cells = cells
    self.residents = residents
    self.controls = controls
  }
}

/// One person before it lives. The life is made in its region and never leaves it.
public struct Resident<Agreement: Contract>: Sendable {
  /// The last part of the path name: `phone-0417`.
  public let name: String
  public let cell: Int
  /// Whether its own calendar decides when it comes, also where a scenario's phases decide for others: a courier's shift, a shop's
  /// hours, an attacker.
  public let keepsHours: Bool
  public let life: @Sendable () -> any Life<Agreement>

  public init(
    name: String, cell: Int, keepsHours: Bool = false,
    life: @escaping @Sendable () -> any Life<Agreement>
  ) {
    self.name = name
    self.cell = cell
    self.keepsHours = keepsHours
    self.life = life
  }
}

/// A control command with its cell and its instant.
public struct Placed<Agreement: Contract>: Sendable {
  public let cell: Int
  public let at: Instant
  public let request: Agreement.Request

  public init(cell: Int, at: Instant, _ request: Agreement.Request) {
    self.cell = cell
    self.at = at
    self.request = request
  }
}
