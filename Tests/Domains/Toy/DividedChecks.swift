import Contracts
import Observations
import Testing
import Timekeeping
import ToyChecks
import ToyContract

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
}
