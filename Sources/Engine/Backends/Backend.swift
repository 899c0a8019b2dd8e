import Contracts
import Journeys
import Observations
import Timekeeping

/// One backend's room as the engine sees it: contract, twin, people and checks behind one value.
///
/// A domain names no timeline and no transport; whoever runs it names no domain.
package protocol Backend: Sendable {
  associatedtype Agreement: WireContract
  associatedtype Copy: Twin<Agreement>

  var declaration: WorldDeclaration { get }
  var checks: [Check<Agreement>] { get }
  var business: [BusinessLatency<Agreement>] { get }

  /// Where a served twin listens unless told otherwise; further services of the contract take the ports after it.
  /// 0 takes any free one.
  var port: Int { get }

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

  /// The switch of a rule, as a control command.
  func setRule(_ limit: LimitID, binds: Bool) -> Agreement.Request

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
}

extension Backend {
  package var port: Int { 0 }

  package func environment(
    on signal: Agreement.Signal, at address: Agreement.Address
  ) -> [Agreement.Request] { [] }
}

/// With what a twin is created: an identifier stream and its rules; it has nothing else of its own.
package struct TwinSetup: Sendable {
  package let identifiers: RandomStream
  package let rules: Rules
  package let tokens: any TokenCodec

  package init(identifiers: RandomStream, rules: Rules, tokens: any TokenCodec) {
    self.identifiers = identifiers
    self.rules = rules
    self.tokens = tokens
  }
}

/// What a domain may know when it populates one region of a world.
package struct RegionPlan: Sendable {
  /// The seed of the replication.
  package let seed: UInt64
  /// From 1, as path names count: `kantine-koning/2`.
  package let region: Int
  package let regions: Int
  package let population: Settings
  package let parameters: Settings
  package let quirks: Set<String>
  /// The share of persons who break rules on purpose, in 0...1.
  package let adversaries: Double
  package let rules: Rules
  package let starts: Instant
  package let ends: Instant
  /// The path of the region: `kantine-koning/2`.
  package let path: String
  package let tokens: any TokenCodec

  package init(
    seed: UInt64, region: Int, regions: Int, population: Settings, parameters: Settings,
    quirks: Set<String>, adversaries: Double, rules: Rules, starts: Instant, ends: Instant,
    path: String, tokens: any TokenCodec
  ) {
    self.seed = seed
    self.region = region
    self.regions = regions
    self.population = population
    self.parameters = parameters
    self.quirks = quirks
    self.adversaries = adversaries
    self.rules = rules
    self.starts = starts
    self.ends = ends
    self.path = path
    self.tokens = tokens
  }

  /// The stream that shapes one thing of this region by its name: a club, a phone.
  package func stream(_ name: String, _ purpose: UInt32 = 0) -> RandomStream {
    RandomStream(seed: seed, owner: stableHash(path + "/" + name), purpose: 0x8000_0000 | purpose)
  }

  /// This region's share of a whole that is divided as evenly as whole numbers allow.
  package func share(of whole: Int) -> Range<Int> {
    (whole * (region - 1) / regions)..<(whole * region / regions)
  }
}

/// Who lives in a region.
package struct Settlement<Agreement: Contract>: Sendable {
  package var cells: Int
  package var residents: [Resident<Agreement>]
  /// What the operator does: fixtures at the start, then whatever the domain's calendar says.
  package var controls: [Placed<Agreement>]

  package init(
    cells: Int, residents: [Resident<Agreement>], controls: [Placed<Agreement>]
  ) {
    self.cells = cells
    self.residents = residents
    self.controls = controls
  }
}

/// One person before it lives. The life is made in its region and never leaves it.
package struct Resident<Agreement: Contract>: Sendable {
  /// The last part of the path name: `phone-0417`.
  package let name: String
  package let cell: Int
  package let life: @Sendable () -> any Life<Agreement>

  package init(
    name: String, cell: Int, life: @escaping @Sendable () -> any Life<Agreement>
  ) {
    self.name = name
    self.cell = cell
    self.life = life
  }
}

/// A control command with its cell and its instant.
package struct Placed<Agreement: Contract>: Sendable {
  package let cell: Int
  package let at: Instant
  package let request: Agreement.Request

  package init(cell: Int, at: Instant, _ request: Agreement.Request) {
    self.cell = cell
    self.at = at
    self.request = request
  }
}
