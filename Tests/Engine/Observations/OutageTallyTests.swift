import Observations
import Testing
import Timekeeping

@Suite struct `An outage of a server` {
  /// `a` answered, `r` refused, `e` ended; one a second.
  private func tally(_ calls: String) -> OutageTally {
    var tally = OutageTally()
    for (second, call) in calls.enumerated() {
      tally.note(
        call == "a" ? .answered : call == "r" ? .refused : .ended, at: .seconds(Int64(second)))
    }
    return tally
  }

  private func words(_ calls: String) -> String {
    let tally = tally(calls)
    guard let from = tally.from, let to = tally.to else { return "none" }
    return "\(tally.refused) refused, \(tally.ended) ended, \(from) to \(to)"
  }

  @Test(arguments: [
    ("", "none"), ("aaaa", "none"), ("aaraa", "1 refused, 0 ended, 2s to 2s"),
    // In flight when it went, refused until it came back.
    ("aaeeerrraa", "3 refused, 3 ended, 2s to 7s"),
    // It never came back.
    ("aarrr", "3 refused, 0 ended, 2s to 4s"),
    // Nothing was known of a server that had not answered yet.
    ("rrra", "none"), ("eeeeeeeeeeeea", "none"),
    // Single connections end; ten in a row are all of them.
    ("aeaeeaeeea", "none"), ("aeeeeeeeeea", "none"),
    ("aeeeeeeeeeea", "0 refused, 10 ended, 1s to 10s"),
    ("araearea", "2 refused, 1 ended, 1s to 6s"),
  ])
  func `is a stretch of failed connections after an answer`(calls: String, found: String) {
    #expect(words(calls) == found)
  }

  @Test func `of several that watched is all of theirs`() {
    var both = tally("aara")
    both.merge(tally("aeeeeeeeeeer"))
    #expect(both.refused == 2 && both.ended == 10)
    #expect(both.from == .seconds(1) && both.to == .seconds(11))
  }

  @Test func `keeps its counts where there are thousands`() {
    let many = tally(String(repeating: "ar", count: 5_000))
    #expect(many.refused == 5_000 && many.from == .seconds(1) && many.to == .seconds(9_999))
  }
}
