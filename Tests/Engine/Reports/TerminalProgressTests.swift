import Reports
import Testing
import Timekeeping

@Suite struct `The line that tells how far a run is` {
  private let middle = TerminalProgress(
    share: 0.473, replication: 12, replications: 160, clock: "Sat 21 Mar 13:05",
    requestsPerSecond: 12_345, secondsLeft: 200)

  @Test func `it never takes more columns than there are, and always tells the share`() {
    for columns in 5...200 {
      let text = middle.text(columns: columns)
      #expect(text.count <= columns, "\(columns): \(text)")
      #expect(text.contains("47 %"), "\(columns): \(text)")
    }
    #expect(middle.text(columns: 3).isEmpty)
  }

  @Test(arguments: [
    (19, "47 %  4 min left"), (39, "████░░░░░░  47 %  12/160  4 min left"),
    (79, "████░░░░░░  47 %  replication 12/160  12,345 requests/s  4 min left"),
    (
      120,
      "█████████░░░░░░░░░░░  47 %  replication 12/160  virtual Sat 21 Mar 13:05  12,345 requests/s  about 4 min left"
    ),
  ])
  func `what says least gives way first`(columns: Int, text: String) {
    #expect(middle.text(columns: columns) == text)
  }

  @Test func `the virtual clock names its day only where there are several`() {
    let noon = Instant("2026-03-21T12:05:00Z")!
    #expect(TerminalProgress.clock(noon, in: .amsterdam, lasts: .hours(18)) == "13:05")
    #expect(TerminalProgress.clock(noon, in: .amsterdam, lasts: .days(7)) == "Sat 21 Mar 13:05")
  }

  @Test(arguments: [
    (0.2, "1 s"), (89, "89 s"), (91, "2 min"), (5_401, "2 h"), (.infinity, "a long time"),
  ])
  func `what is left is rounded up`(seconds: Double, text: String) {
    #expect(TerminalProgress.time(seconds) == text)
  }
}
