import Contracts
import Timekeeping

/// What a served twin sent of its own accord. Nobody is there to receive it: a tester reads it here.
struct SentSignals: Sendable {
  /// Enough for a tester who looks now and then, and bounded however long a server runs.
  private static let most = 10_000

  private var signals: [(number: Int, at: Instant, signal: JSON)] = []
  private var count = 0

  mutating func add(_ new: [JSON], at instant: Instant) {
    for signal in new {
      count += 1
      signals.append((count, instant, signal))
    }
    if signals.count > Self.most { signals.removeFirst(signals.count - Self.most) }
  }

  /// `{number, at, signal}`, the oldest first.
  func list(after number: Int) -> JSON {
    .array(
      signals.filter { $0.number > number }.map {
        ["number": .number($0.number), "at": .string($0.at.description), "signal": $0.signal]
      })
  }
}
