import MimiSupplyContract
import Observations
import Timekeeping

/// The states in which records were seen, and between which instants each certainly lasted: a tag changes with every
/// change (MS-82), so that what was seen twice with one tag was so all the time between.
struct Sightings: Sendable {
  struct State: Sendable {
    var record: CloudRecord
    /// It had been reached by then.
    var from: Instant
    /// It still lasted then; before `from` when it was seen once.
    var to: Instant
  }

  /// By record, the newest last; the oldest are forgotten.
  private var states: [RecordName: [State]] = [:]
  private static let most = 8

  /// What was seen last of a record.
  func last(_ name: RecordName) -> State? { states[name]?.last }

  /// The record as it certainly was throughout an interval.
  func state(of name: RecordName, throughout interval: ClosedRange<Instant>) -> CloudRecord? {
    states[name]?.first { $0.from <= interval.lowerBound && interval.upperBound <= $0.to }?.record
  }

  /// The record as it was under a change tag.
  func state(of name: RecordName, tag: String) -> CloudRecord? {
    states[name]?.last { $0.record.changeTag == tag }?.record
  }

  /// - Returns: Whether this is the second sight of a state.
  @discardableResult
  mutating func see(_ record: CloudRecord, in call: SeenCall) -> Bool {
    var known = states.removeValue(forKey: record.name) ?? []
    defer { states[record.name] = known }
    if let index = known.lastIndex(where: { $0.record.changeTag == record.changeTag }) {
      known[index].from = min(known[index].from, call.answered)
      known[index].to = max(known[index].to, call.sent)
      return true
    }
    known.append(State(record: record, from: call.answered, to: call.sent))
    if known.count > Self.most { known.removeFirst() }
    return false
  }
}

extension CloudRecord {
  /// Whether an answer shows all of an order or a driver, and not what `desiredKeys` or a supply query left of it.
  var isWhole: Bool {
    switch type {
    case .order:
      self[Order.customer] != nil && self[Order.partner] != nil && self[Order.status] != nil
    case .driver:
      self[Driver.user] != nil && fields[.isOnline]?.int != nil
        && fields[.isAvailable]?.int != nil
    default: true
    }
  }
}
