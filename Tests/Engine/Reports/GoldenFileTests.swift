import Foundation
import Reports
import Testing

@Suite struct `Files of the sample run` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// Set `REHEARSAL_GOLDEN=write` to accept what the code writes now; then read the difference.
  @Test(arguments: [
    "result.json", "junit.xml", "summary.md", "index.html", "latencies.csv", "metrics.txt",
  ])
  func `a run is rendered as the committed file shows it`(name: String) throws {
    let bytes = try #require(Rendering.files(for: SampleRun.failing).first { $0.path == name })
      .bytes
    try compare(bytes, with: name)
  }

  @Test func `the terminal shows what the committed file shows`() throws {
    let text = TerminalSummary.text(
      SampleRun.failing, colour: false, reportAt: "reports/saturday/latest/index.html")
    try compare(Array(text.utf8), with: "terminal.txt")
  }

  @Test func `annotations are what the committed file shows`() throws {
    let text = Annotations.lines(for: SampleRun.failing).joined(separator: "\n") + "\n"
    try compare(Array(text.utf8), with: "annotations.txt")
  }

  private func compare(_ bytes: [UInt8], with name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["REHEARSAL_GOLDEN"] == "write" {
      try Data(bytes).write(to: file)
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let actual = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, (old, new)) in zip(expected, actual).enumerated() where old != new {
      Issue.record("\(name):\(index + 1): expected \(old.prefix(300)), got \(new.prefix(300))")
      return
    }
    #expect(expected.count == actual.count, "\(name) has another number of lines")
  }
}
