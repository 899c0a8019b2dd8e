import Contracts
import Observations
import Reports
import Runs
import Scenarios
import Testing
import Timekeeping
import Verdicts

/// Runs of loads set beside each other.
@Suite struct `Comparing loads` {
  /// A run whose parts took so many milliseconds and a little more each.
  private func run(
    _ milliseconds: Double, pace: String = "500/s, evenly", route: String = "/orders",
    lost: Int = 0
  ) throws -> Run {
    let operation = Contracts.Operation(route, "GET \(route)", source: "test")
    let parts = (0..<20).map { part in
      var tally = OperationTally(operation)
      tally.replied = 100 - lost
      let took = milliseconds * (1 + 0.01 * Double(part % 5))
      tally.latencies.record(Span(seconds: took / 1_000), times: UInt64(100 - lost))
      tally.unanswered = UInt64(lost)
      var world = WorldTally(
        domain: "http", operations: [tally], business: [], limits: [],
        load: LoadTally(starts: Instant(unixSeconds: 0), lasts: .seconds(20)))
      world.requests = 100
      return world
    }
    return LoadAssembly(
      Scenario(
        name: "load", title: "GET http://127.0.0.1\(route)", starts: Instant(unixSeconds: 0),
        zone: .utc, lasts: .seconds(1), worlds: [], objectives: [], digest: Digest().hexadecimal),
      operations: [operation], parts: parts, generator: .sample(pace: pace),
      lasts: .seconds(20)
    ).run(on: .unknown)
  }

  /// Runs of an unchanged server whose moments differ, deterministically.
  private func side(_ factor: Double, offset: Int, lost: Int = 0) throws -> RunFigures {
    RunFigures(
      loads: try (0..<12).map {
        try run(factor * (10 + Double(($0 * 5 + offset) % 12) * 0.1), lost: lost)
      })
  }

  @Test func `takes each run for one value, and never its parts for replications`() throws {
    let comparison = RunComparison(
      of: try side(1, offset: 3), with: try side(1, offset: 0))
    #expect(comparison.method == .independent(12, 12))
    #expect(comparison.verdict == .equivalent, "\(comparison.metrics.map(\.change))")
    let text = TerminalComparison.text(
      comparison, names: ("new", "old"), width: 200, colour: false)
    #expect(text.contains("12 and 12 runs of the load by turns") && text.contains("Mann–Whitney"))
    #expect(!text.contains("replication") && !text.contains("same seeds"))
  }

  @Test func `finds what takes a fifth longer, and calls that fail`() throws {
    let slower = RunComparison(of: try side(1.2, offset: 3), with: try side(1, offset: 0))
    #expect(slower.verdict == .regression)
    let losing = RunComparison(of: try side(1, offset: 3, lost: 9), with: try side(1, offset: 0))
    #expect(
      losing.metrics.contains { $0.measure == .withoutAnswer && $0.change.verdict == .regression })
  }

  @Test func `is refused for single runs, and for loads that ask for something else`() throws {
    let one = try run(10).figures
    func obstacle(_ other: RunFigures) -> String { one.obstacle(besides: other) ?? "none" }
    #expect(obstacle(try run(11).figures).contains("single run of a load"))
    #expect(obstacle(try run(10, pace: "20 users").figures).contains("'20 users'"))
    #expect(obstacle(try run(10, route: "/other").figures).contains("/orders, and /other"))
    #expect(obstacle(MadeUp.run()).contains("a run of a scenario"))
    #expect(MadeUp.run().obstacle(besides: MadeUp.run()) == nil)
  }

  @Test func `reads from a file what the run itself says`() throws {
    let run = try run(10, lost: 2)
    let read = try ResultReading.figures(of: ResultDocument.bytes(for: run), file: "result.json")
    #expect(read == run.figures && read.pace == "500/s, evenly")
    let figures = try #require(read.series.first?.figures.first ?? nil)
    #expect(figures.count == 1_960 && figures.unanswered == 40)
    #expect(read.measurements.map(\.name.measure) == [.mean, .p50, .p95, .p99])
  }
}
