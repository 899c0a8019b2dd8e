import Reports
import Runs
import Testing
import Verdicts

@Suite struct `The terminal on comparisons and histories` {
  private func text(_ run: RunFigures, _ baseline: RunFigures, margin: Double = 0.05) -> String {
    TerminalComparison.text(
      RunComparison(of: run, with: baseline, margin: margin), names: ("new", "old"), width: 80,
      colour: false)
  }

  @Test func `a regression is on one screen, the verdict first`() {
    let operations = (1...20).map { "operation\($0)" }
    let shown = text(
      MadeUp.run(digest: "new", factors: ["operation7": 1.2], operations: operations, own: 0.002),
      MadeUp.run(digest: "old", operations: operations, own: 0.002))
    let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 25)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[0].hasPrefix("✗ REGRESSION  Saturday"))
    #expect(lines[1] == "4 of 80 figures grew by more than 5%.")
    #expect(shown.contains("operation7") && shown.contains("+20."))
    #expect(shown.contains("more: --all shows them"))
  }

  @Test func `identical runs need three lines`() {
    let shown = text(MadeUp.run(), MadeUp.run())
    #expect(shown.hasPrefix("= IDENTICAL"))
    #expect(shown.contains("nothing changed"))
  }

  @Test func `what differs beside times is said`() {
    var old = MadeUp.run(digest: "old")
    old.scenario.digest = "other"
    let shown = text(MadeUp.run(digest: "new", limits: [.init(id: "L-1", verdict: .fail)]), old)
    #expect(shown.contains("L-1 held → failed"))
    #expect(shown.contains("scenario's text differs"))
  }

  @Test func `hostile names do no harm`() {
    let evil = "\u{1B}[2J<script>"
    var run = MadeUp.run(digest: "new", operations: [evil])
    run.scenario.title = evil
    run.commit = evil
    let shown = text(run, MadeUp.run(digest: "old", operations: [evil]))
    #expect(!shown.contains("\u{1B}"))
    let json = String(
      decoding: ComparisonDocument.bytes(for: RunComparison(of: run, with: run)), as: UTF8.self)
    #expect(!json.contains("\u{1B}"))
  }

  @Test func `a history shows each figure's course and what changed`() {
    let name = RunMeasurement.Name(
      series: .init(world: "w", operation: "sync", basis: .modelled), measure: .p99)
    let entries = (1...20).map { id in
      (
        run: StoredRun(
          id: Int64(id),
          record: RunRecord(
            scenario: .init(name: "s", title: "S", digest: "d"),
            recordedAt: "2026-03-\(id + 10)T05:00:00Z", seed: 1, digest: "\(id)", verdict: .pass,
            exitCode: 0, interrupted: false, replications: 20, requests: 1, persons: 1,
            wallSeconds: 1, version: "1", commit: "commit\(id)", folder: "f")),
        measurements: [RunMeasurement(name: name, seconds: id > 12 ? 0.3 : 0.2)]
      )
    }
    let shown = TerminalHistory.text(
      RunHistory(entries), scenario: "s", width: 80, colour: false)
    #expect(shown.contains("s: 20 runs, 2026-03-11 to 2026-03-30"))
    #expect(shown.contains("▁▁▁▁▁▁▁▁▁▁▁▁████████"))
    #expect(shown.contains("+50.0% since run 13 (2026-03-23, commit13): 200 ms → 300 ms"))
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
