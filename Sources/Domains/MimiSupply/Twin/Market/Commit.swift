import MimiSupplyContract
import Timekeeping

/// The further changes of one commit: each record at most once, and reads see what was written.
struct Commit<S: Shelf> {
  let shelf: S
  let now: Instant
  private(set) var changes: [Change] = []
  private var places: [String: Int] = [:]
  /// Orders that look for a driver anew because of what happened.
  var searching: Set<String> = []
  /// Offers made so far.
  var offerCount = 0

  init(on shelf: S, at now: Instant) {
    self.shelf = shelf
    self.now = now
  }

  func record(_ name: String) -> CloudRecord? {
    if let place = places[name] { return changes[place].after }
    return shelf.record(name)
  }

  mutating func put(_ after: CloudRecord?, for name: String, reason: String?) -> Change {
    if let place = places[name] {
      let change = Change(from: changes[place].after, to: after)
      changes[place].after = after
      changes[place].reason = changes[place].reason ?? reason
      return change
    }
    let change = Change(from: shelf.record(name), to: after, reason: reason)
    places[name] = changes.count
    changes.append(change)
    return change
  }
}
