import Contracts
import Observations
import Timekeeping

/// Keeps what was seen in real time until everything that was under way beside it is known, and then gives it out in one order: by when
/// it was seen, then by person and by the person's own count.
///
/// The watermark is the oldest call without an outcome: whoever judges a record has been shown, or is about to be, every call that was
/// sent before it; and what ripens with time ripens only with records that the watermark has passed.
struct Watermark<Contract: ServiceContract> {
  struct Seen {
    let record: Record<Contract>
    /// The path of who saw it.
    let who: String
  }

  /// In order, the next one last.
  private var kept: [Seen] = []
  /// Calls in the order in which they were sent, those before `first` without gaps known.
  private var sent: ContiguousArray<(at: Instant, isOpen: Bool)> = []
  private var first = 0

  init() {}

  /// A call has been sent.
  ///
  /// - Returns: Its number.
  mutating func opened(at instant: Instant) -> Int {
    sent.append((instant, true))
    return first + sent.count - 1
  }

  /// The outcome of a call is known.
  mutating func closed(_ number: Int) {
    sent[number - first].isOpen = false
    let known = sent.prefix { !$0.isOpen }.count
    guard known > 256 || known == sent.count else { return }
    sent.removeFirst(known)
    first += known
  }

  /// When the oldest call was sent whose outcome nobody knows yet.
  private var oldestOpen: Instant? { sent.first { $0.isOpen }?.at }

  mutating func keep(_ seen: Seen) {
    var place = kept.count
    while place > 0, Self.isEarlier(kept[place - 1].record, seen.record) { place -= 1 }
    kept.insert(seen, at: place)
  }

  private static func isEarlier(_ a: Record<Contract>, _ b: Record<Contract>) -> Bool {
    (a.time, a.person?.index ?? .max, a.sequence) < (b.time, b.person?.index ?? .max, b.sequence)
  }

  /// The next of those that were seen before an instant and before every call that is still open; `nil` when none is.
  mutating func next(before instant: Instant) -> Seen? {
    guard let next = kept.last, next.record.time < min(instant, oldestOpen ?? .distantFuture)
    else { return nil }
    return kept.removeLast()
  }
}
