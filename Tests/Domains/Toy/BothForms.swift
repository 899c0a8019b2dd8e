import Backends
import Contracts
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping
import ToyChecks
import ToyContract
import ToyDomain
import ToyJourneys
import WireLine

/// The workshop's checks as a list behind a router (`Listed`), beside those that the workshop has.
private struct BothForms: CheckRuntime {
  typealias Contract = Toy

  private var listed = CheckRouter(ListedChecks.all)
  private var own = CellCheckRuntime<WorkshopChecks>()
  private let tell: @Sendable ([LimitID], [Judge], [Judge]) -> Void

  init(_ tell: @escaping @Sendable ([LimitID], [Judge], [Judge]) -> Void) { self.tell = tell }

  var limits: [LimitID] { own.limits }
  var judges: [Judge] { own.judges }
  var violations: Int { own.violations }
  var library: Library<Toy> { listed.library }

  mutating func see(_ record: Record<Toy>) {
    listed.see(record)
    own.see(record)
  }

  mutating func end(at instant: Instant) {
    listed.end(at: instant)
    own.end(at: instant)
    #expect(listed.limits == own.limits)
    tell(own.limits, listed.judges, own.judges)
  }
}

/// A workshop whose records come to other checks than its own.
struct WatchedWorkshop<Checks: CheckRuntime<Toy>>: Backend {
  private let backend = ToyBackend()
  let make: @Sendable () -> Checks

  var declaration: WorldDeclaration { backend.declaration }
  var judged: [JudgedRule<Toy>] { backend.judged }
  var business: [BusinessLatency<Toy>] { backend.business }
  var provingScenario: String { backend.provingScenario }
  func checkRuntime(where isSeen: (JudgedRule<Toy>) -> Bool) -> Checks { make() }
  func twin(_ setup: TwinSetup) -> ToyBackend.Model { backend.twin(setup) }
  func populate(_ region: RegionPlan) -> PopulationPlan<Toy> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  func inspection(after last: Toy.Reply?) -> Toy.Request? { nil }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Toy>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: Toy.Signal, in plan: RegionPlan) -> Distribution {
    backend.transit(of: signal, in: plan)
  }

  /// Half a day of two workshops with people who break rules and a poor network, in so many regions.
  static func live(
    without rule: Toy.Rule?, seed: UInt64, regions: Int, deciding: Bool = false,
    _ make: @escaping @Sendable () -> Checks
  ) {
    var parameters: [String: Setting.Value] = [
      "visitEvery": .span(.minutes(20)), "mischiefEvery": .span(.minutes(10)),
      "requestLost": .share(0.02), "answerLost": .share(0.05),
    ]
    if deciding { parameters["mostTools"] = .count(2) }
    if deciding { parameters["keptFor"] = .span(.minutes(30)) }
    var world = World(
      domain: Toy.domain, regions: regions, population: Settings(WorkshopSettings.population),
      parameters: Settings(WorkshopSettings.parameters, overridden: parameters), adversaries: 0.2)
    world.rulesOff = rule.map { [$0.id] } ?? []
    let scenario = Scenario(
      name: "toy", title: "Toy", starts: Instant("2026-03-21T07:00:00Z")!, zone: .utc,
      lasts: .hours(12), seed: seed, replications: 1, worlds: [world], barrierInterval: .hours(1))
    _ = VirtualRun(scenario, domains: [AnyDomain(WatchedWorkshop(make: make))], tokens: codec)
      .run(workers: 1)
  }
}

/// The workshop's checks as one generator of all people has them, beside those of three generators that each see some of them.
private struct WholeAndDivided: CheckRuntime {
  typealias Contract = Toy

  private var whole = CellCheckRuntime<WorkshopChecks>()
  private var generators = (0..<3).map { _ in CellCheckRuntime<WorkshopChecks>() }
  private let tell: @Sendable (_ limits: [LimitID], _ whole: [Judge], _ divided: [[Judge]]) -> Void

  init(_ tell: @escaping @Sendable ([LimitID], [Judge], [[Judge]]) -> Void) { self.tell = tell }

  var limits: [LimitID] { whole.limits }
  var judges: [Judge] { whole.judges }
  var violations: Int { whole.violations }
  var library: Library<Toy> { whole.library }

  /// The first generator does what the operator does.
  mutating func see(_ record: Record<Toy>) {
    whole.see(record)
    generators[record.person.map { Int($0.index) % generators.count } ?? 0].see(record)
  }

  mutating func end(at instant: Instant) {
    whole.end(at: instant)
    for index in generators.indices { generators[index].end(at: instant) }
    tell(limits, whole.judges, generators.map(\.judges))
  }
}

@Suite struct `The workshop's rules that are judged by person` {
  private static let byPerson = Set(WorkshopChecks.judged.filter(\.judgesByPerson).map(\.rule))

  @Test(arguments: [nil] + byPerson.sorted(), [1, 7, 42] as [UInt64])
  func `come to the same where generators live some of the people each`(
    rule: Toy.Rule?, seed: UInt64
  ) {
    #expect(!Self.byPerson.isEmpty)
    WatchedWorkshop.live(without: rule, seed: seed, regions: 1) {
      WholeAndDivided { limits, whole, divided in
        for (place, id) in limits.enumerated() where Self.byPerson.contains(Toy.Rule(id)!) {
          let (own, parts) = (whole[place], divided.map { $0[place] })
          func sum(_ count: KeyPath<Judge, Int>) -> Int {
            parts.reduce(0) { $0 + $1[keyPath: count] }
          }
          let what: Comment = "\(id) with seed \(seed) and without \(rule?.rawValue ?? "none")"
          #expect(own.exercised > 0 && sum(\.exercised) == own.exercised, what)
          #expect(sum(\.violations) == own.violations, what)
          #expect(sum(\.undecided) == own.undecided, what)
        }
      }
    }
  }

  @Test func `are those that the same checks as a list keep by person`() {
    #expect(Set(ListedChecks.all.filter(\.judgesByPerson).map(\.rule)) == Self.byPerson)
  }
}

@Suite struct `The workshop's checks and the same as a list` {
  private static func compare(without rule: Toy.Rule?, seed: UInt64) {
    WatchedWorkshop.live(without: rule, seed: seed, regions: 2) {
      BothForms { limits, listed, own in
        for (id, (listed, own)) in zip(limits, zip(listed, own)) {
          let what: Comment = "\(id) with seed \(seed) and without \(rule?.rawValue ?? "none")"
          #expect(listed.exercised == own.exercised, what)
          #expect(listed.violations == own.violations, what)
          #expect(listed.undecided == own.undecided, what)
          #expect(listed.evidence == own.evidence, what)
        }
      }
    }
  }

  @Test(arguments: [1, 7, 42] as [UInt64])
  func `decide the same on the same records, with the same evidence`(seed: UInt64) {
    Self.compare(without: nil, seed: seed)
  }

  @Test(arguments: Toy.Rule.allCases)
  func `accuse the same where a rule is off`(rule: Toy.Rule) {
    Self.compare(without: rule, seed: 7)
  }
}
