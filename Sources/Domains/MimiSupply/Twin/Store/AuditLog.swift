import Contracts
import MimiSupplyContract
import Timekeeping

/// The audit log (§2.11, MS-111 to MS-113): append-only, without gaps; retention alone takes from its beginning.
///
/// It is the twin's own and no part of the database that MS-06 bounds: reads, deletions and shrinking updates, which
/// work in a full one, leave entries, too.
struct AuditLog: Sendable {
  /// There is one for every write: its parts stand so that they leave no gaps.
  struct Entry: Sendable {
    let sequence: Int
    let at: Instant
    fileprivate let csn: Int
    var appVersion: String?
    fileprivate let particulars: Particulars?
    let event: Event
    var user: UserName?
    var device: DeviceName?
    var recordName: RecordName?
    var recordType: RecordType?

    /// JSON text, written when somebody looks.
    var details: String? { particulars.map { JSON.object($0.document).description } }
    /// The tag of its commit.
    var tag: String { String(csn, radix: 36) + "-" + String(sequence, radix: 36) }
  }

  /// What happened, by its name.
  enum Event: String, Sendable {
    case access = "data_access"
    case deletion = "account_deletion"
    case denial = "permission_denied"
    case export = "data_export"
    case loginAttempt = "login_attempt"
    case loginFailure = "login_failure"
    case loginSuccess = "login_success"
    case modification = "data_modification"
    case suspicion = "suspicious_activity"
  }

  enum Operation: String, Sendable { case create, update, delete }

  /// What an entry says beyond who and what.
  enum Particulars: Sendable {
    case write(Operation)
    indirect case reasoned(Operation, because: String)
    indirect case reason(String?)
    case score(Double)

    fileprivate var document: JSONObject {
      switch self {
      case .write(let operation): ["operation": .string(operation.rawValue)]
      case .reasoned(let operation, let reason):
        ["operation": .string(operation.rawValue), "reason": .string(reason)]
      case .reason(let reason): ["reason": .optional(reason)]
      case .score(let score): ["score": .double(score)]
      }
    }
  }

  private(set) var entries: [Entry] = []
  private(set) var count = 0
  /// Of the app that makes the call in hand; what the twin does itself has none.
  var appVersion: String?

  /// Leaves a number out.
  mutating func skip() { count += 1 }

  mutating func add(
    _ event: Event, user: UserName? = nil, device: DeviceName? = nil,
    recordType: RecordType? = nil,
    recordName: RecordName? = nil, _ particulars: Particulars? = nil, csn: Int = 0, at now: Instant
  ) {
    count += 1
    entries.append(
      Entry(
        sequence: count, at: now, csn: csn, appVersion: user == .system ? nil : appVersion,
        particulars: particulars, event: event, user: user, device: device,
        recordName: recordName, recordType: recordType))
  }

  /// Forgets what a batch added.
  mutating func cut(to length: Int, count: Int) {
    entries.removeSubrange(length...)
    self.count = count
  }

  /// MS-114.
  mutating func removeAll(before instant: Instant) {
    let kept = entries.firstIndex { $0.at >= instant } ?? entries.count
    entries.removeFirst(kept)
  }

  /// The entries as records of type AuditEvent.
  var records: [CloudRecord] { entries.map(Self.record) }

  /// The entries since an instant, as records: time never runs backwards in the log.
  func records(since instant: Instant) -> [CloudRecord] {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].at.toMilliseconds < instant {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return entries[low...].map(Self.record)
  }

  /// So many of them from one end of the log.
  func records(_ count: Int, fromTheEnd: Bool) -> [CloudRecord] {
    (fromTheEnd ? entries.suffix(count) : entries.prefix(count)).map(Self.record)
  }

  func record(_ name: RecordName) -> CloudRecord? {
    guard let sequence = AuditEvent.sequence(of: name),
      let first = entries.first?.sequence, sequence >= first,
      entries.indices.contains(sequence - first)
    else { return nil }
    return Self.record(entries[sequence - first])
  }

  private static func record(_ entry: Entry) -> CloudRecord {
    // In the order of their names, so that none has to make room for the next.
    var fields = Fields(reserving: 9)
    fields[AuditEvent.appVersion] = entry.appVersion
    fields[AuditEvent.details] = entry.details
    fields[AuditEvent.device] = entry.device
    fields[AuditEvent.event] = entry.event.rawValue
    fields[AuditEvent.recordName] = entry.recordName
    fields[AuditEvent.recordType] = entry.recordType?.text
    fields[AuditEvent.sequence] = Int64(entry.sequence)
    fields[AuditEvent.timestamp] = entry.at.toMilliseconds
    fields[AuditEvent.user] = entry.user
    let stamp = Stamp(entry.at.toMilliseconds, by: .system, on: nil)
    return CloudRecord(
      name: "audit_\(entry.sequence)", type: .auditEvent, changeTag: entry.tag, zone: Zone(),
      fields: fields, created: stamp, modified: stamp)
  }
}

extension MimiSupplyTwin {
  private static let audited: Set<RecordType> = [
    .order, .userProfile, .driver, .deliveryCompletion, .partner, .product,
  ]

  /// MS-111: each successful write, in the commit of its cause (MS-112).
  mutating func audit(_ change: Change, by actor: Actor, at now: Instant) {
    let isAudited =
      Self.audited.contains(change.type)
      || (change.type == .driverLocation && settings.auditDriverLocation)
    guard isAudited, rules.binds(.ms111) else { return }
    var device: DeviceName?
    if case .user(_, _, let own) = actor { device = own }
    let operation: AuditLog.Operation =
      change.before == nil ? .create : change.after == nil ? .delete : .update
    audit.add(
      .modification, user: actor.name, device: device, recordType: change.type,
      recordName: change.name,
      change.reason.map { .reasoned(operation, because: $0) } ?? .write(operation), csn: csn,
      at: now)
  }

  /// MS-113: each `ACCESS_DENIED`.
  mutating func auditRefusal(
    _ failure: Failure, of name: RecordName?, by identity: Identity, at now: Instant
  ) {
    guard failure.code == .accessDenied, rules.binds(.ms113) else { return }
    if !rules.binds(.ms112) { audit.skip() }  // MS-112
    audit.add(
      .denial, user: identity.user, device: identity.device, recordName: name,
      .reason(failure.mimiReason ?? failure.reason), csn: csn, at: now)
  }

  /// MS-111: each read of another person's private record by an admin.
  mutating func noteReading(
    _ records: [CloudRecord], by identity: Identity, _ actor: Actor, at now: Instant
  ) {
    guard actor.isAdmin, rules.binds(.ms111) else { return }
    for record in records {
      let owner = record.created.userRecordName
      guard RecordSchema.of(record.type)?.isPublic == false, owner != .system,
        owner != identity.user
      else { continue }
      audit.add(
        .access, user: identity.user, device: identity.device, recordType: record.type,
        recordName: record.name, csn: csn, at: now)
    }
  }
}
