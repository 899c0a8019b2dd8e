import Runs
import Testing
import Verdicts

@Suite struct `Following a scenario over its runs` {
  private typealias Entry = (run: StoredRun, measurements: [RunMeasurement])

  private static let name = RunMeasurement.Name(
    series: .init(world: "w", operation: "sync", basis: .modelled), measure: .p99)

  private static func entry(
    _ id: Int64, _ seconds: Double?, seed: UInt64 = 1, digest: String? = nil,
    interrupted: Bool = false, persons: Int = 1, scenario: String = "d"
  ) -> Entry {
    let record = RunRecord(
      scenario: .init(name: "s", title: "S", digest: scenario), recordedAt: "2026-03-21T05:00:00Z",
      seed: seed, digest: digest ?? "\(id)", verdict: .pass, exitCode: 0,
      interrupted: interrupted, replications: 20, requests: 1, persons: persons, wallSeconds: 1,
      version: "1", commit: "c\(id)", folder: "f")
    return (
      StoredRun(id: id, record: record),
      seconds.map { [RunMeasurement(name: name, seconds: $0)] } ?? []
    )
  }

  @Test func `a change is named with the run that shows it first, past runs without a figure`()
    throws
  {
    var entries = (1...10).map { Self.entry($0, 1 + 0.001 * Double($0 % 3)) }
    entries.append(Self.entry(11, nil))
    entries += (12...21).map { Self.entry($0, 1.2 + 0.001 * Double($0 % 3)) }
    let trend = try #require(RunHistory(entries).trends.first)
    let change = try #require(trend.changes.first)
    #expect(trend.changes.count == 1 && change.isGrowth)
    #expect(RunHistory(entries).runs[change.run].id == 12)
    #expect(trend.values[10] == nil && trend.latest == 1.2)
  }

  @Test func `only whole runs with the latest's seed are followed, unless all are asked for`() {
    let entries = [
      Self.entry(1, 1), Self.entry(2, 1, seed: 9), Self.entry(3, 1, interrupted: true),
      Self.entry(4, 1, digest: "1"), Self.entry(5, 1, digest: "1"),
    ]
    let same = RunHistory(entries)
    #expect(same.runs.map(\.id) == [1, 4, 5] && same.leftOut == 2)
    let any = RunHistory(entries, anySeed: true)
    #expect(any.runs.map(\.id) == [1, 2, 4] && any.leftOut == 2)
  }

  @Test func `loads are followed by what they ask for, scenarios by their name`() {
    func entries(persons: Int) -> [Entry] {
      ["open", "closed", "open"].enumerated().map {
        Self.entry(Int64($0.offset), 1, persons: persons, scenario: $0.element)
      }
    }
    #expect(RunHistory(entries(persons: 0)).runs.map(\.id) == [0, 2])
    #expect(RunHistory(entries(persons: 0), anySeed: true).runs.map(\.id) == [0, 2])
    #expect(RunHistory(entries(persons: 4)).runs.map(\.id) == [0, 1, 2])
  }

  @Test func `no runs have no trends`() {
    let history = RunHistory([])
    #expect(history.runs.isEmpty && history.trends.isEmpty)
  }
}
