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

  /// In order; those before `given` are gone.
  private var kept: ContiguousArray<Seen?> = []
  private var given = 0
  /// Calls in the order in which they were sent, those before `first` without gaps known.
  private var sent: ContiguousArray<(at: Instant, isOpen: Bool)> = []
  private var first = 0
  /// How many at the beginning of `sent` are known.
  private var known = 0
  /// How many calls have no outcome yet.
  private(set) var inFlight = 0

  init() {}

  /// A call has been sent.
  ///
  /// - Returns: Its number.
  mutating func opened(at instant: Instant) -> Int {
    sent.append((instant, true))
    inFlight += 1
    return first + sent.count - 1
  }

  /// The outcome of a call is known.
  ///
  /// - Complexity: O(1) on average, however long the oldest call stays open.
  mutating func closed(_ number: Int) {
    sent[number - first].isOpen = false
    inFlight -= 1
    while known < sent.count, !sent[known].isOpen { known += 1 }
    // Those that are known are let go in bulk, so that the rest is seldom moved.
    guard known == sent.count || known > 256 && known > sent.count / 2 else { return }
    sent.removeFirst(known)
    first += known
    known = 0
  }

  /// When the oldest call was sent whose outcome nobody knows yet.
  private var oldestOpen: Instant? { known < sent.count ? sent[known].at : nil }

  /// - Complexity: O(1) where it comes last, as nearly everything does; O(log n) comparisons and moving what comes behind it else.
  mutating func keep(_ seen: Seen) {
    var (low, high) = (given, kept.count)
    if let last = kept.last, let last, !Self.isEarlier(seen.record, last.record) { low = high }
    while low < high {
      let middle = (low + high) / 2
      guard let other = kept[middle] else { preconditionFailure("what was given out is before it") }
      if Self.isEarlier(seen.record, other.record) { high = middle } else { low = middle + 1 }
    }
    kept.insert(seen, at: low)
  }

  private static func isEarlier(_ a: Record<Contract>, _ b: Record<Contract>) -> Bool {
    (a.time, a.person?.index ?? .max, a.sequence) < (b.time, b.person?.index ?? .max, b.sequence)
  }

  /// The next of those that were seen before an instant and before every call that is still open; `nil` when none is.
  mutating func next(before instant: Instant) -> Seen? {
    guard given < kept.count, let next = kept[given],
      next.record.time < min(instant, oldestOpen ?? .distantFuture)
    else { return nil }
    kept[given] = nil
    given += 1
    if given == kept.count || given > 256 && given > kept.count / 2 {
      kept.removeFirst(given)
      given = 0
    }
    return next
  }
}
