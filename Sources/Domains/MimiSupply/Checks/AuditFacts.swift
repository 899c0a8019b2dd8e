import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What the audit log has to say about users whom somebody watches in it (MS-111 to MS-113).
///
/// Whoever lists the entries of a user (or a device) since an instant opens a watch; the same list asked for again ends it.
/// Everything that the user did between the two must be in the second one.
final class AuditFacts: Facts {
  static let concerns = Set<Concern>.anything.union([.controls])
  /// The rules that they decide about.
  enum Topic: Hashable, Sendable {
    /// MS-111
    case logging
    /// MS-112
    case causes
    /// MS-113
    case refusals
  }

  private struct Watched: Hashable, Sendable {
    /// Whose entries: a user's or a device's.
    enum Subject: Hashable, Comparable, Sendable {
      case device(DeviceName)
      case user(UserName)

      var text: String {
        switch self {
        case .device(let name): name.text
        case .user(let name): name.text
        }
      }
    }

    let subject: Subject
    /// Of records of one type alone.
    let type: RecordType?
    let from: Instant

    /// What nobody asked for is seen by its marks.
    var isOfSystem: Bool { subject == .user(.system) }
  }

  /// What an entry says: its event, for writes and reads the record, and on which device it was.
  private struct Mark: Hashable, Comparable, Sendable {
    let event: String
    let record: RecordName
    let device: DeviceName?

    static let modification = "data_modification"
    static let access = "data_access"
    /// Whether it is about a record that it does not name.
    var namesNothing: Bool { record == "" && [Self.modification, Self.access].contains(event) }

    static func < (a: Mark, b: Mark) -> Bool {
      (a.event, a.record, a.device?.text ?? "") < (b.event, b.record, b.device?.text ?? "")
    }
  }

  /// What a request must leave in the log, or may.
  private struct Marked: Sendable {
    let mark: Mark
    let isCertain: Bool
  }

  private struct Action: Sendable {
    let mark: Mark
    let during: ClosedRange<Instant>
    let isCertain: Bool
  }

  /// The system's last change of a record, as answers show it.
  private struct OwnChange: Hashable {
    let record: RecordName
    let at: Instant
  }

  private struct Watch: Sendable {
    let since: Instant
    var actions: [Action] = []
    /// Of the system's, which have been seen.
    var seen: Set<OwnChange> = []
    /// The list that ends it.
    var last: (sent: Instant, answered: Instant, counts: [Mark: Int])?
  }

  var ripening = Ripening<Decision<Topic>>()
  private let accounts: AccountFacts
  private var watches: [Watched: Watch] = [:]
  /// Whose accounts are locked, and when the operator's score locked each (MS-117).
  private var locked: Set<UserName> = []
  private var lockings: [UserName: [Instant]] = [:]
  private static let persons: FieldNames = [.userId, .deviceId]
  /// No client waits longer for an answer.
  private static let longest = Span.seconds(75)
  private static let audited: Set<RecordType> = [
    .order, .userProfile, .driver, .deliveryCompletion, .partner, .product,
  ]

  init(_ subject: Subject<AccountFacts>) { accounts = subject.known }

  // MARK: Taking in

  func commanded(_ command: Control, at moment: Moment) {
    if !watches.isEmpty { ripen(at: moment.time) }
    guard case .setRiskScore(let user, let score) = command else { return }
    if score <= 0.8 {
      locked.remove(user)
    } else if locked.insert(user).inserted {
      lockings[user, default: []].append(moment.time)
    }
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    if !watches.isEmpty {
      ripen(at: moment.time)
      follow(call)
    }
    if case .query(_, let query) = call.request, query.query.recordType == .auditEvent {
      list(query, call)
    }
  }

  func askedAgain(_ unheard: SeenCall, at moment: Moment) {
    if !watches.isEmpty { follow(unheard) }
  }

  private func list(_ query: Query, _ call: SeenCall) {
    let types = query.query.filters.filter { $0.fieldName == FieldName.recordType.text }
    guard case .found(let records, let more)? = call.content, more == nil,
      query.continuationMarker == nil, query.desiredKeys == nil,
      query.query.filters.count == 2 + types.count,
      let who = query.query.filters.first(where: { Self.persons.contains(text: $0.fieldName) }),
      who.comparator == "EQUALS", case .identifier(let name)? = who.value,
      let since = query.query.filters.first(where: { $0.fieldName == FieldName.timestamp.text }),
      since.comparator == "GREATER_THAN_OR_EQUALS", case .timestamp(let from)? = since.value
    else { return }
    let isUser = who.fieldName == FieldName.userId.text
    let key = Watched(
      subject: isUser ? .user(UserName(name)) : .device(DeviceName(name)),
      type: types.first?.value?.text.map { RecordType($0) }, from: from)
    if case .user(let user) = key.subject, key.type == nil {
      judgeSuspicions(of: user, since: from, in: records, call)
    }
    guard let watch = watches[key] else {
      watches[key] = Watch(since: call.answered)
      return
    }
    guard watch.last == nil else { return }
    var counts: [Mark: Int] = [:]
    for record in records {
      let event = record[AuditEvent.event] ?? ""
      let names = [Mark.modification, Mark.access].contains(event)
      let name = names ? record[AuditEvent.recordName] ?? "" : ""
      let mark = Mark(event: event, record: name, device: record[AuditEvent.device])
      counts[mark, default: 0] += 1
    }
    watches[key]?.last = (call.sent, call.answered, counts)
  }

  /// A score that locks an account leaves an entry each time (MS-117), and nothing else does.
  private func judgeSuspicions(
    of user: UserName, since from: Instant, in records: [CloudRecord], _ call: SeenCall
  ) {
    let times = lockings[user] ?? []
    let span = (call.sent - .days(29))...(call.sent - .seconds(1))
    // What is at the edge of the list, or may have been forgotten (MS-114), decides nothing.
    let isSure = times.allSatisfy { time in
      span.contains(time) && (time > from + .seconds(1) || time < from - .seconds(1))
    }
    guard isSure else { return }
    let due = times.count { $0 > from }
    let count = records.count { $0[AuditEvent.event] == "suspicious_activity" }
    guard due > 0 || (count > 0 && accounts.knowsLocks) else { return }
    let problem = "\(due) scores that lock the account of \(user) left \(count) entries"
    ripening.tell(Decision(about: .logging, problem: count == due ? nil : problem))
  }

  /// Notes what a watched user does.
  private func follow(_ call: SeenCall) {
    var device: DeviceName?
    if case .signIn(let asked) = call.request { device = asked.deviceID }
    let user = device == nil ? accounts.user(of: call) : nil
    let subject = device.map(Watched.Subject.device) ?? user.map(Watched.Subject.user)
    for key in watches.keys {
      if key.isOfSystem {
        followSystem(key, call)
      } else if key.subject == subject {
        watches[key]?.actions += marks(of: call, by: user).map {
          Action(mark: $0.mark, during: call.during, isCertain: $0.isCertain)
        }
      }
    }
  }

  private func followSystem(_ key: Watched, _ call: SeenCall) {
    for record in call.shown where record.modified.userRecordName == .system {
      let at = record.modified.timestamp
      guard Self.audited.contains(record.type), key.type ?? record.type == record.type,
        watches[key]!.seen.insert(OwnChange(record: record.name, at: at)).inserted
      else { continue }
      watches[key]!.actions.append(
        Action(
          mark: Mark(event: Mark.modification, record: record.name, device: nil),
          during: at...(at + .milliseconds(1)), isCertain: true))
    }
  }

  private func marks(
    of call: SeenCall, by user: UserName?
  ) -> [Marked] {
    let device = accounts.device(of: call)
    func mark(_ event: String, of record: RecordName = "", _ isCertain: Bool) -> Marked {
      Marked(mark: Mark(event: event, record: record, device: device), isCertain: isCertain)
    }
    if case .unsent = call.outcome { return [] }
    if case .signIn(let asked) = call.request { return attempts(call, on: asked.deviceID) }
    if call.failure?.code == .accessDenied { return [mark("permission_denied", true)] }
    switch call.request {
    case .modify(_, let modification):
      guard !call.isUnknown else {
        return modification.items.flatMap { item in
          [
            mark(Mark.modification, of: item.record.name ?? "", false),
            mark("permission_denied", false),
          ]
        }
      }
      return call.writes.compactMap { _, result -> Marked? in
        switch result {
        case .saved(let record)?:
          Self.audited.contains(record.type)
            ? mark(Mark.modification, of: record.name, true) : nil
        case .deleted(let name)?: mark(Mark.modification, of: name, false)
        case .failed(let failed)?:
          failed.failure.code == .accessDenied ? mark("permission_denied", true) : nil
        case nil: nil
        }
      }
    case .modifyZones:
      guard case .zones(let zones)? = call.content else {
        return [mark("permission_denied", false)]
      }
      return zones.compactMap { zone -> Marked? in
        if case .failed(_, let failure) = zone, failure.code == .accessDenied {
          mark("permission_denied", true)
        } else {
          nil
        }
      }
    case .lookup, .query, .changes:
      guard call.isUnknown else {
        return readings(call, by: user).map { mark(Mark.access, of: $0, true) }
      }
      return unseenReadings(call).map { mark(Mark.access, of: $0, false) }
    case .exportAccount: return [mark("data_export", call.outcome.isReplied)]
    case .deleteAccount where call.outcome.isReplied || call.isUnknown:
      return [mark("account_deletion", call.outcome.isReplied)]
    default: return []
    }
  }

  private func attempts(_ call: SeenCall, on device: DeviceName?) -> [Marked] {
    let result = call.outcome.isReplied ? "login_success" : "login_failure"
    // Without a valid application, or beyond the limit, nothing was attempted.
    let isDecided =
      call.outcome.isReplied
      || (call.failure?.code == .authenticationFailed && call.failure?.mimiReason != nil)
    return ["login_attempt", result].map {
      Marked(mark: Mark(event: $0, record: "", device: device), isCertain: isDecided)
    }
  }

  /// What an admin reads of others.
  private func readings(_ call: SeenCall, by user: UserName?) -> [RecordName] {
    guard accounts.role(of: call) == .admin else { return [] }
    return call.shown.filter { record in
      record.type != .partner && record.type != .product && record.type != .auditEvent
        && record.created.userRecordName != user && record.created.userRecordName != .system
    }.map(\.name)
  }

  /// What an admin may have read whom nobody answered: any record at all, where he named none.
  private func unseenReadings(_ call: SeenCall) -> [RecordName] {
    guard accounts.role(of: call) ?? .admin == .admin else { return [] }
    if case .lookup(_, let asked) = call.request { return asked.items.map(\.recordName) }
    return [""]
  }

  // MARK: Deciding

  /// Judges the watches that ended so long ago that every request of their time has been seen.
  private func ripen(at now: Instant) {
    let order = watches.sorted { ($0.key.from, $0.key.subject) < ($1.key.from, $1.key.subject) }
    for (key, watch) in order {
      guard let last = watch.last else {
        if watch.since + .hours(1) < now { watches[key] = nil }
        continue
      }
      guard last.answered + Self.longest < now else { continue }
      watches[key] = nil
      judge(watch, key, last)
    }
  }

  private func judge(
    _ watch: Watch, _ key: Watched, _ last: (sent: Instant, answered: Instant, counts: [Mark: Int])
  ) {
    var bounds: [Mark: (least: Int, most: Int)] = [:]
    for action in watch.actions where action.during.lowerBound <= last.answered {
      let isWithin =
        action.during.lowerBound >= watch.since && action.during.upperBound < last.sent
      bounds[action.mark, default: (0, 0)].most += 1
      if action.isCertain, isWithin { bounds[action.mark]?.least += 1 }
    }
    // What may have been done to records that nobody named.
    let nameless = Set(bounds.keys.lazy.filter(\.namesNothing).map(\.event))
    if case .user = key.subject, !key.isOfSystem, !nameless.contains(Mark.modification) {
      judgeCauses(key, bounds, last.counts)
    }
    for (mark, bound) in bounds.sorted(by: { $0.key < $1.key }) where bound.least > 0 {
      let count = last.counts[mark] ?? 0
      let isRefusal = mark.event == "permission_denied" || mark.event == "login_failure"
      // The system may have done more than anybody saw.
      let isRight =
        count >= bound.least
        && (isRefusal || key.isOfSystem || count <= bound.most || nameless.contains(mark.event))
      let what =
        "\(bound.least) to \(bound.most) \(mark.event) \(mark.record) of \(key.subject.text) left \(count) entries"
      ripening.tell(
        Decision(about: isRefusal ? .refusals : .logging, problem: isRight ? nil : what))
    }
  }

  /// Nothing is said of anybody that he did not do: of what was undone, no entry is left.
  private func judgeCauses(
    _ key: Watched, _ bounds: [Mark: (least: Int, most: Int)], _ counts: [Mark: Int]
  ) {
    let causeless = counts.keys.filter {
      $0.event == Mark.modification && bounds[$0] == nil
    }.min()
    ripening.tell(
      Decision(
        about: .causes,
        problem: causeless.map {
          "an entry says that \(key.subject.text) changed \($0.record), which he did not"
        }))
  }
}
