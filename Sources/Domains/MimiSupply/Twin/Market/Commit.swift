import MimiSupplyContract
import Timekeeping

/// The further changes of one commit: each record at most once, and reads see what was written.
struct Commit<S: Shelf> {
  private struct Place: Hashable {
    let name: RecordName
    let isPublic: Bool
  }

  let shelf: S
  let now: Instant
  private(set) var changes: [Change] = []
  private var places: [Place: Int] = [:]
  /// Orders that look for a driver anew because of what happened.
  var searching: Set<RecordName> = []
  /// Offers made so far.
  var offerCount = 0

  init(on shelf: S, at now: Instant) {
    self.shelf = shelf
    self.now = now
  }

  func record(_ name: RecordName, publicly: Bool = false) -> CloudRecord? {
    if let place = places[Place(name: name, isPublic: publicly)] { return changes[place].after }
    return shelf.record(name, publicly: publicly)
  }

  mutating func put(
    _ after: CloudRecord?, for name: RecordName, publicly: Bool = false, reason: String?
  ) -> Change {
    let key = Place(name: name, isPublic: publicly)
    if let place = places[key] {
      let change = Change(from: changes[place].after, to: after)
      changes[place].after = after
      changes[place].reason = changes[place].reason ?? reason
      return change
    }
    let before = shelf.record(name, publicly: publicly)
    let change = Change(from: before, to: after, reason: reason)
    places[key] = changes.count
    changes.append(change)
    return change
  }
}
