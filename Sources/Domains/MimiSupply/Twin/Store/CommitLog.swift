import Contracts
import MimiSupplyContract
import Timekeeping

/// The commit log (§11): every stored change with the commit that it belongs to, in their order. It is kept from the moment
/// somebody asks for it, because it holds each record in every state.
struct CommitLog: Sendable {
  struct Entry: Sendable {
    /// The commit sequence number, which the changes of one commit share (§0.2).
    let csn: Int
    let at: Instant
    /// User record name; `_system` for the twin itself.
    let actor: UserName
    let device: DeviceName?
    let cause: Cause
    /// Why the twin did what nobody asked for, such as `partner_timeout`.
    let reason: String?
    /// `nil` when the record is new.
    let before: CloudRecord?
    /// `nil` when it is deleted.
    let after: CloudRecord?

    var name: RecordName { after?.name ?? before!.name }
    var type: RecordType { after?.type ?? before!.type }
  }

  private(set) var entries: [Entry] = []

  /// Forgets what a batch added.
  mutating func cut(to length: Int) { entries.removeSubrange(length...) }

  mutating func add(_ change: Change, csn: Int, by actor: Actor, _ cause: Cause, at now: Instant) {
    var device: DeviceName?
    if case .user(_, _, let own) = actor { device = own }
    entries.append(
      Entry(
        csn: csn, at: now, actor: actor.name ?? .anonymous, device: device, cause: cause,
        reason: change.reason, before: change.before, after: change.after))
  }
}

extension MimiSupplyTwin {
  /// Begins or ends keeping the log, and shows what has been kept.
  mutating func commitLogDocument(kept: Bool?) -> JSON {
    let shown = commitLog?.entries ?? []
    switch kept {
    case true?: commitLog = commitLog ?? CommitLog()
    case false?: commitLog = nil
    case nil: break
    }
    return .array(shown.map(\.document))
  }
}

extension CommitLog.Entry {
  fileprivate var document: JSON {
    [
      "csn": .number(csn), "at": .int(at.unixMilliseconds), "actor": .name(actor),
      "device": .optional(device?.text), "cause": .string(cause.rawValue),
      "reason": .optional(reason),
      "recordType": .name(type), "recordName": .name(name),
      "before": before?.document ?? .null, "after": after?.document ?? .null,
    ]
  }
}
