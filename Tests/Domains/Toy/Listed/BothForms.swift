import Contracts
import Observations
import Testing
import Timekeeping
import ToyChecks
import ToyContract

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

  @Test func `are judged by person where the same rules of the list are`() {
    let own = WorkshopChecks.judged.filter(\.judgesByPerson).map(\.rule)
    #expect(Set(ListedChecks.all.filter(\.judgesByPerson).map(\.rule)) == Set(own))
  }
}
