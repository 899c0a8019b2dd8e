import Contracts
import MimiSupplyContract
import Timekeeping

/// Why something changed (§11, commit log).
enum Cause: String, Hashable, Sendable { case request, timer, cascade, fixture }

// A commit: one accepted modification with all its side effects (§0.2).
extension MimiSupplyTwin {
  /// Stores changes that belong together, and whatever the market makes follow from them.
  ///
  /// - Returns: What each of the given changes left behind; `nil` for a deletion.
  @discardableResult
  mutating func commit(
    _ changes: [Change], by actor: Actor, cause: Cause, at now: Instant
  ) -> [CloudRecord?] {
    csn += 1
    market.csn = csn
    var watch = FanOut()
    let pools = subscriptions.isEmpty ? [:] : market.pools(beside: changes, at: now)
    for change in changes { apply(change, by: actor, cause, at: now, &watch) }
    fanOut(watch, but: actor, at: now)
    for (driver, seen) in pools.sorted(by: { $0.key < $1.key }) {
      showPool(to: driver, besides: seen.union(watch.records.map(\.name)), at: now)
    }
    return changes.map { shelf.record($0.name, publicly: $0.isPublic) }
  }

  private mutating func apply(
    _ change: Change, by actor: Actor, _ cause: Cause, at now: Instant, _ watch: inout FanOut
  ) {
    // A change of the market may rest on a state that an earlier one of the same commit replaced.
    let before = shelf.record(change.name, publicly: change.isPublic)
    // Whom permissions do not stop (MS-105 switched off) may delete an entry of the log, which is no record here.
    guard before != nil || change.after != nil else { return }
    var change = Change(
      from: before, to: change.after, named: change.named, reason: change.reason)
    // MS-82 switched off: a write that changes no value keeps the tag.
    let isTagged = rules.binds(.ms82) || Self.changesSomething(change)
    Self.stamp(&change, isTagged ? csn : nil, actor, now)
    observe(change, &watch, at: now)
    if let after = change.after {
      shelf.put(after)
    } else {
      shelf.remove(change.name, publicly: change.isPublic)
    }
    // A conflict would show the state that its writer had read, with the address (MS-116).
    if let after = change.after, market.isAnonymised(after) { shelf.forgetHistory(of: after.name) }
    work.rowsWritten += 1
    if refusesPayments, change.after?.status == .paymentProcessing {
      market.refusedPayments.insert(change.name)
    }
    audit(change, by: actor, at: now)
    commitLog?.add(change, csn: csn, by: actor, cause, at: now)
    counters.commits[cause, default: 0] += 1
    for further in market.committed(change, by: actor, on: shelf, at: now) {
      guard
        further.after != nil || shelf.record(further.name, publicly: further.isPublic) != nil
      else { continue }
      apply(further, by: .system, cause == .fixture ? .fixture : .cascade, at: now, &watch)
    }
  }

  /// Tag, stamps and zone, which no client writes (§2.1).
  private static func stamp(_ change: inout Change, _ csn: Int?, _ actor: Actor, _ now: Instant) {
    guard var after = change.after else { return }
    change.after = nil
    var device: DeviceName?
    if case .user(_, _, let own) = actor { device = own }
    let stamp = Stamp(now.toMilliseconds, by: actor.name ?? .anonymous, on: device)
    if let csn { after.changeTag = String(csn, radix: 36) }
    after.modified = stamp
    if let before = change.before {
      // An anonymised record has a new creator (MS-116); every other keeps its own.
      if after.created.userRecordName == before.created.userRecordName {
        after.created = before.created
        after.zone = before.zone
      }
    } else if after.created.userRecordName.isEmpty || actor != .system {
      after.created = stamp
    } else {
      after.created = Stamp(
        stamp.timestamp, by: after.created.userRecordName, on: after.created.deviceID)
    }
    change.after = after
  }

  private static func changesSomething(_ change: Change) -> Bool {
    guard var before = change.before?.fields, var after = change.after?.fields else { return true }
    before[.updatedAt] = nil
    after[.updatedAt] = nil
    return before != after
  }

  // MARK: What leaves

  /// A record as its reader gets it: the wanted fields, and files with an address of their own (MS-110).
  func outgoing(_ record: CloudRecord, _ keys: FieldNames?, at now: Instant) -> CloudRecord {
    addresses.outgoing(
      record, keys, opening: settings.deployment.assetUrlLifetime, at: now)
  }
}
