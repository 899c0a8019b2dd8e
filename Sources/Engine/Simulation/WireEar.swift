import Timekeeping

/// Which of a server's signals were heard, by their numbers, and when to ask for more.
struct WireEar {
  /// Short beside what mail and pushes take.
  static let pause = Span.milliseconds(50)

  private var last = 0
  private var isAsking = false
  private var next = Instant.distantPast
  /// Signals that the server forgot before they were asked for.
  private(set) var missed = 0
  /// Signals that nobody could read.
  var unread = 0

  /// From the signal after this one on.
  mutating func begin(after number: Int) { last = number }

  /// Whether it is time to ask, and for what comes after which number.
  mutating func turn(at now: Instant) -> Int? {
    guard !isAsking, now >= next else { return nil }
    isAsking = true
    next = now + Self.pause
    return last
  }

  /// What an answer brings; `nil` for an answer that did not come.
  mutating func heard(_ sent: [SentSignal]?) -> [SentSignal] {
    isAsking = false
    guard let sent, let newest = sent.last else { return [] }
    missed += newest.number - last - sent.count
    last = newest.number
    return sent
  }
}
