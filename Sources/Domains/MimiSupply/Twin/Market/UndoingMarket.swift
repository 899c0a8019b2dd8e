import MimiSupplyContract
import Timekeeping

// What a batch did to the market, undone (MS-09).
extension Market: Undoable {
  /// What is no table: all of it small.
  struct Savepoint {
    fileprivate let csn: Int
    fileprivate let now: Instant
    fileprivate let work: DispatchWork
    fileprivate let stirred: [RecordName]
    fileprivate let matched: [Match]
    fileprivate let matchedAt: Instant
    fileprivate let tickedAt: Instant
  }

  var savepoint: Savepoint {
    Savepoint(
      csn: csn, now: now, work: work, stirred: stirred, matched: matched, matchedAt: matchedAt,
      tickedAt: tickedAt)
  }

  mutating func restore(_ savepoint: Savepoint) {
    csn = savepoint.csn
    now = savepoint.now
    work = savepoint.work
    stirred = savepoint.stirred
    matched = savepoint.matched
    matchedAt = savepoint.matchedAt
    tickedAt = savepoint.tickedAt
  }

  mutating func mark(_ marking: Marking) {
    orders.mark(marking)
    drivers.mark(marking)
    driverOfUser.mark(marking)
    partners.mark(marking)
    offers.mark(marking)
    switchedOff.mark(marking)
    refusedPayments.mark(marking)
    assignable.mark(marking)
    timers.mark(marking)
    line.mark(marking)
    grid.mark(marking)
  }
}

extension Timers: Undoable {
  mutating func mark(_ marking: Marking) {
    for (key, due) in log.mark(marking) { set(key.kind, key.name, at: due) }
  }
}

extension WaitingLine: Undoable {
  mutating func mark(_ marking: Marking) {
    for (place, wasIn) in log.mark(marking) {
      if wasIn { insert(place) } else { remove(place) }
    }
  }
}

extension DriverGrid: Undoable {
  mutating func mark(_ marking: Marking) {
    for (name, point) in log.mark(marking) { place(name, at: point) }
  }
}
