import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges §4.9 as far as it binds the backend: change tags and what rests on them.
enum SynchronisationChecks {
  static let all: [MSCheck] = [changeTags, staleTags, forcedWrites, lostUpdates]

  // MARK: MS-82

  static let changeTags = MSCheck.each(
    .ms82, RecordTrail.concerns, by: RecordTrail.self
  ) { call, trail, judge in
    for (item, result) in trail.own(call) {
      guard case .saved(let saved)? = result, let base = item.base else { continue }
      judge.expect(
        saved.changeTag != base, "\(trail.name) was written and kept its tag \(base)")
    }
    guard let (shown, _) = trail.shown(call) else { return }
    for sight in trail.sights where sight.answered < call.sent {
      if sight.tag == shown.changeTag {
        judge.expect(
          sight.modified == shown.modified.timestamp,
          "\(trail.name) was modified and has the tag \(sight.tag) still")
      } else if sight.modified == shown.modified.timestamp,
        // No commit of the same millisecond can have come later.
        sight.sent > sight.modified + .milliseconds(2)
      {
        judge.violated(
          "\(trail.name) was not modified, and its tag is \(shown.changeTag) after \(sight.tag)")
      }
    }
  }

  // MARK: MS-83

  static let staleTags = MSCheck.each(
    .ms83, .asking(.modify), by: RecordTrail.self
  ) { call, trail, judge in
    for (item, result) in trail.own(call) {
      guard let base = item.base, let result else { continue }
      if let failed = result.conflict {
        judge.expect(
          problem(of: failed, item, trail) == nil, problem(of: failed, item, trail) ?? "")
      } else if result.failure == nil, isSuperseded(base, trail, before: call.sent) {
        judge.violated("\(trail.name) was written with the stale tag \(base)")
      }
    }
  }

  private static func isSuperseded(
    _ tag: String, _ trail: RecordTrail, before sent: Instant
  ) -> Bool {
    trail.writes.contains { $0.isAccepted && $0.base == tag && $0.during.upperBound < sent }
  }

  /// What is wrong with the copies of a conflict; the server's is missing where the caller may not see the record (MS-106).
  private static func problem(
    of failed: ItemFailure, _ item: Modification.Item, _ trail: RecordTrail
  ) -> String? {
    if failed.failure.native != .serverRecordChanged {
      return "a stale tag is refused as \(failed.failure.native)"
    }
    guard let copies = failed.conflict else { return nil }
    if let server = copies.server, server.changeTag == item.base {
      return "\(trail.name) is refused for a tag that the server's copy has"
    }
    if copies.client.name != item.record.name || copies.client.changeTag != item.record.changeTag {
      return "the client's copy of \(trail.name) is not what it sent"
    }
    guard let ancestor = copies.ancestor else {
      // Who no longer sees the record may never have been shown what his tag names (MS-106).
      return copies.server == nil ? nil : "the ancestor of \(trail.name) is missing"
    }
    if ancestor.changeTag != item.base {
      return "the ancestor of \(trail.name) has the tag \(ancestor.changeTag)"
    }
    guard !ancestor.fields.isEmpty, let sent = SchemaReading(ancestor).fingerprint,
      let read = trail.sights.last(where: { $0.tag == item.base })?.fields
    else { return nil }
    return sent == read ? nil : "the ancestor of \(trail.name) is not what the client had read"
  }

  // MARK: MS-84

  /// Who never writes records of a type, whatever they hold (§2.14).
  private static let strangers: [RecordType: Set<Role>] = [
    .partner: [.customer, .driver], .product: [.customer, .driver],
    .driver: [.customer, .partner],
  ]

  static let forcedWrites = MSCheck.each(
    .ms84, .asking(.modify), by: AccountFacts.self
  ) { call, accounts, judge in
    for (item, result) in call.writes {
      guard item.kind == .forceUpdate || item.kind == .forceReplace else { continue }
      switch result {
      case .saved(let saved)?:
        guard let strangers = strangers[saved.type], let role = accounts.role(of: call) else {
          continue
        }
        judge.expect(
          !strangers.contains(role), "a \(role) wrote \(saved.name), a \(saved.type), by force")
      case .failed(let failed)?:
        if failed.failure.code == .accessDenied || failed.failure.native == .constraintViolation {
          judge.held()
        }
      default: break
      }
    }
  }

  // MARK: MS-85

  static let lostUpdates = MSCheck.each(
    .ms85, .asking(.modify), by: RecordTrail.self
  ) { call, trail, judge in
    for (item, result) in trail.own(call) {
      guard let base = item.base, let result else { continue }
      let rivals = trail.writes.filter { $0.base == base && $0.during.overlaps(call.during) }
      guard !rivals.isEmpty else { continue }
      if result.failure == nil {
        judge.expect(
          !rivals.contains(where: \.isAccepted),
          "two accepted writes of \(trail.name) rest on the tag \(base)")
      } else if result.failure?.code == .conflict {
        judge.held()
      }
    }
  }
}

extension ItemResult {
  /// A write that was refused for its tag.
  fileprivate var conflict: ItemFailure? {
    if case .failed(let failed) = self, failed.failure.code == .conflict { failed } else { nil }
  }
}
