import Foundation
import Reports
import Runs
import Testing
import Verdicts

@Suite struct `The page of a history` {
  private static func entry(
    _ id: Int64, _ seconds: Double, name: String
  ) -> (run: StoredRun, measurements: [RunMeasurement]) {
    let record = RunRecord(
      scenario: .init(name: name, title: name, digest: name),
      recordedAt: "2026-03-\(10 + id)T05:00:00Z", seed: 1, digest: name, verdict: .pass,
      exitCode: 0, interrupted: false, replications: 20, requests: 1, persons: 1, wallSeconds: 1,
      version: name, commit: name, folder: "f")
    let measured = RunMeasurement.Name(
      series: .init(world: name, operation: name, basis: .modelled), measure: .p99)
    return (
      StoredRun(id: id, record: record), [RunMeasurement(name: measured, seconds: seconds)]
    )
  }

  private func page(_ runs: ClosedRange<Int64>, changedAt: Int64 = 99, name: String = "sync")
    -> String
  {
    let entries = runs.map { id in
      Self.entry(id, (id >= changedAt ? 1.3 : 1) + 0.001 * Double(id % 3), name: name)
    }
    let bytes = HistoryPage.bytes(for: RunHistory(entries), scenario: name)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a change is said with the run that shows it first`() {
    let page = page(1...20, changedAt: 11)
    #expect(page.contains("1 of 1 figure moved to another level."))
    #expect(page.contains("since run 11 (2026-03-21, sync): 1 s → 1.3 s"))
    #expect(page.contains("1 change of level"))
  }

  @Test func `no heading, caption or cell's name is empty`() {
    let page = page(1...20, changedAt: 11)
    #expect(page.firstMatch(of: /<(?:h[1-6]|caption|th|title|label|p)(?: [^>]*)?>\s*<\//) == nil)
  }

  @Test func `a course is the figure of each run, with a line where it moved`() throws {
    let seconds = [1, 1.1, 1, 1.05, 1, 1.1, 1.9, 2, 1.95, 2, 1.9, 2]
    let entries = seconds.enumerated().map {
      Self.entry(Int64($0.offset + 1), $0.element, name: "sync")
    }
    let history = RunHistory(entries)
    let picture = try Picture(
      "trend-0",
      in: String(decoding: HistoryPage.bytes(for: history, scenario: "sync"), as: UTF8.self))
    try `Pictures of the report`.compare(picture, with: "trend-0")
    let ticks = picture.elements("text", "tick")
    let low = try #require(ticks.first { $0.text == "900 ms" }).number("y")
    let high = try #require(ticks.first { $0.text == "2.1 s" }).number("y")
    // Labels stand a little below their lines.
    func value(_ y: Double) -> Double { 0.9 + 1.2 * (low - 3.5 - y) / (low - high) }
    let corners = try picture.corners("curve")
    let width = (292.0 - 58) / Double(seconds.count - 1)
    for (run, second) in seconds.enumerated() {
      let corner = try #require(corners.first { abs($0.x - (58 + width * Double(run))) < 0.1 })
      #expect(abs(value(corner.y) / second - 1) < 0.005, "run \(run + 1)")
    }
    let moved = try picture.elements("line", "bound").map { try $0.number("x1") }
    #expect(moved.count == 1 && abs(moved[0] - (58 + width * 5.5)) < 0.1)
  }

  @Test func `its axes have the days of its runs`() throws {
    let page = page(1...15)
    let days = page.matches(of: /<text class="tick"[^>]*>([0-9]+ Mar 2026)</).map(\.output.1)
    #expect(days == ["11 Mar 2026", "25 Mar 2026", "18 Mar 2026"])
    let two = self.page(1...2).matches(of: /<text class="tick"[^>]*>([0-9]+ Mar 2026)</)
    #expect(two.map(\.output.1) == ["11 Mar 2026", "12 Mar 2026"])
    let once = self.page(1...1).matches(of: /<text class="tick"[^>]*>([0-9]+ Mar 2026)</)
    #expect(once.map(\.output.1) == ["11 Mar 2026"])
  }

  @Test func `without a change, and with too few runs, it says so`() {
    #expect(page(1...20).contains("None of 1 figure moved to another level."))
    #expect(page(1...4).contains("4 runs are too few to tell a change from chance"))
    let none = HistoryPage.bytes(for: RunHistory([]), scenario: "sync")
    #expect(String(decoding: none, as: UTF8.self).contains("0 runs are too few"))
  }

  @Test(arguments: `Text from outside in reports`.names)
  func `it refers to nothing outside and keeps its structure whatever a name says`(name: String) {
    func tags(_ text: String) -> [Substring] { text.matches(of: /<\/?[a-zA-Z]+/).map(\.output) }
    let page = page(1...12, changedAt: 7, name: name)
    #expect(tags(page) == tags(self.page(1...12, changedAt: 7, name: "name")))
    for match in page.matches(of: /\b(?:href|src)="([^"]*)"/) {
      #expect(match.output.1 == "data:,")
    }
    let pictures = page.matches(
      of: /<svg [^>]*role="img"[^>]*><title [^>]*>[^<]*<\/title><desc [^>]*>[^<]+</)
    #expect(pictures.count == page.matches(of: /<svg/).count)
  }
}
