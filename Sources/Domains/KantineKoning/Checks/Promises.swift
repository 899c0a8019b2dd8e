import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Something that a phone is to do soon because something happened to it.
enum Promised: Hashable, Sendable {
  case removeTeam(deviceID: EnrollmentID, code: TeamName)
  case removeClub(deviceID: EnrollmentID, tenant: Slug)
  case removeEverything
  case emptyItself
  /// To hand over the push token with this hash.
  case handOver(UInt64)
  /// To ask for the diensten of an enrollment.
  case ask(deviceID: EnrollmentID)
  /// To begin the refresh after a push.
  case refresh(eventNumber: Int)

  /// Whether a request shows that it was done.
  func isKept(by call: KKCall) -> Bool {
    switch (self, call.request) {
    case (.removeTeam(let deviceID, let code), .removeTeams(let names)):
      // The real client sends the team's id (Q4).
      return call.claims?.deviceID == deviceID
        && (names == [code] || (names.count == 1 && names[0].text.count == 36))
    case (.removeClub(let deviceID, let tenant), .removeTenant(let slug)):
      return slug == tenant && call.claims?.deviceID == deviceID
    case (.removeEverything, .removeAll): return true
    case (.handOver(let hash), _):
      return call.pushToken.map { stableHash($0.token) == hash } ?? false
    case (.ask(let deviceID), .diensten): return call.claims?.deviceID == deviceID
    default: return false
    }
  }

  /// Whether the phone says that it did it.
  func isKept(by note: KantineKoning.Note) -> Bool {
    switch (self, note) {
    case (.emptyItself, .resetLocally): true
    case (.refresh(let number), .refreshingAfterPush(let begun, _)): number == begun
    default: false
    }
  }
}

/// Judges whether a phone keeps what it promises: within half an hour, because a request may wait for its time-out
/// and a user may think; what the end of the run cut short is left open.
struct Promises: History {
  static let scope = Scope<KantineKoning>.person
  private let noted: @Sendable (KantineKoning.Note) -> [Promised]
  private let signalled: @Sendable (KantineKoning.Signal) -> [Promised]
  private var pending: [(what: Promised, at: Instant)] = []
  private static let patience = Span.minutes(30)

  /// What a note, or a signal, promises.
  init(
    noted: @escaping @Sendable (KantineKoning.Note) -> [Promised],
    signalled: @escaping @Sendable (KantineKoning.Signal) -> [Promised] = { _ in [] }
  ) {
    self.noted = noted
    self.signalled = signalled
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    ripen(at: moment.time, &judge) { $0.isKept(by: call) }
  }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    // What a phone shows is nothing that it does.
    if case .listShown = note { return }
    ripen(at: moment.time, &judge) { $0.isKept(by: note) }
    for what in noted(note) { pending.append((what, moment.time)) }
  }

  mutating func signalled(
    _ signal: KantineKoning.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    ripen(at: moment.time, &judge) { _ in false }
    for what in signalled(signal) { pending.append((what, moment.time)) }
  }

  private mutating func ripen(
    at now: Instant, _ judge: inout Judge, _ isKept: (Promised) -> Bool
  ) {
    if pending.isEmpty { return }
    if let place = pending.firstIndex(where: { isKept($0.what) }) {
      pending.remove(at: place)
      judge.held()
    }
    breakOverdue(at: now, &judge)
  }

  private mutating func breakOverdue(at now: Instant, _ judge: inout Judge) {
    for promise in pending where promise.at + Self.patience < now {
      judge.violated("a phone did not do what it had to: \(promise.what)")
    }
    pending.removeAll { $0.at + Self.patience < now }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    breakOverdue(at: instant, &judge)
  }
}
