import Contracts
import Observations
import Scenarios
import Synchronization
import Testing
import Timekeeping
import ToyChecks
import ToyContract

/// The records of a region, kept.
struct KeptRecords: CheckRuntime {
  final class List: Sendable {
    let records = Mutex<[Record<Toy>]>([])
  }

  let list: List
  let library = CellCheckRuntime<WorkshopChecks>().library
  var limits: [LimitID] { [] }
  var judges: [Judge] { [] }
  var violations: Int { 0 }

  mutating func see(_ record: Record<Toy>) { list.records.withLock { $0.append(record) } }
  mutating func end(at instant: Instant) {}
}

@Suite struct `The figures of the workshop's rules` {
  @Test func `stand in their statements, and are what settings begin with`() {
    let statements = Dictionary(uniqueKeysWithValues: Toy.limits.map { ($0.id, $0.statement) })
    #expect(statements["TY-04"]?.contains("at most three tools") == true)
    #expect(statements["TY-06"]?.contains("an hour, or what the workshop decides") == true)
    #expect(statements["TY-10"]?.contains("three attempts in all") == true)
    #expect(Toy.Deployment().mostTools == 3 && Toy.Deployment().keptFor == .hours(1))
    #expect(Toy.Deployment.settings.map(\.source) == ["TY-04", "TY-06"])
  }
}

@Suite struct `What the workshop's checks say that they go by` {
  /// A workshop that decided something, with people who break rules and one rule that it does not keep.
  private static let records: [Record<Toy>] = {
    let list = KeptRecords.List()
    WatchedWorkshop.live(without: .ty05, seed: 7, regions: 1, deciding: true) {
      KeptRecords(list: list)
    }
    return list.records.withLock { $0 }
  }()

  private static func judges(without hidden: Concern?) -> [LimitID: [Int]] {
    var checks = CellCheckRuntime<WorkshopChecks>()
    for record in records where record.concern != hidden { checks.see(record) }
    checks.end(at: records.last!.time + .hours(1))
    let counts = checks.judges.map { [$0.exercised, $0.violations, $0.undecided] }
    return Dictionary(uniqueKeysWithValues: zip(checks.limits, counts))
  }

  private static let classes: [Concern] =
    Toy.operations.indices.map { .operation($0) } + [.signals, .controls, .notes, .inspections]

  @Test(arguments: classes)
  func `is what they go by: what they do not name changes no verdict`(hidden: Concern) {
    let (whole, part) = (Self.judges(without: nil), Self.judges(without: hidden))
    for judged in WorkshopChecks.judged where !judged.dependencies.contains(hidden) {
      #expect(part[judged.rule.id] == whole[judged.rule.id], "\(judged.rule.id)")
    }
  }

  @Test(arguments: [.signals, .controls] as [Concern])
  func `names no class without need, where a server may not show it`(hidden: Concern) {
    let (whole, part) = (Self.judges(without: nil), Self.judges(without: hidden))
    for judged in WorkshopChecks.judged where judged.dependencies.contains(hidden) {
      #expect(part[judged.rule.id] != whole[judged.rule.id], "\(judged.rule.id)")
    }
  }

  @Test func `leaves unjudged what goes by records that are not shown`() {
    let checks = CellCheckRuntime<WorkshopChecks> { !$0.dependencies.contains(.signals) }
    #expect(
      Set(checks.limits) == Set(Toy.limits.map(\.id)).subtracting(["TY-06", "TY-07", "TY-08"]))
  }
}
