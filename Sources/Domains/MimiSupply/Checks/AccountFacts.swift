import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Who is behind each session of a city, and how long it is good, from sign-ins, role selections, refreshments, admins'
/// writes, and the operator's commands.
final class AccountFacts: Facts {
  static let concerns = Set<Concern>.asking(
    .signIn, .selectRole, .refresh, .signOut, .deleteAccount, .modify
  ).union([.controls])

  private struct Account: Sendable {
    var role = Register<Role>()
    var isLocked = Register<Bool>()
  }

  private var sessions: [String: SeenCall.Bearer] = [:]
  private var sessionsOfUser: [UserName: [Session]] = [:]
  private var accounts: [UserName: Account] = [:]
  private var lifetime = MimiSupply.Deployment().sessionLifetime
  /// How long a session is good.
  final class Session {
    let begun: Instant
    /// When its lifetime is over, at the earliest and at the latest.
    fileprivate(set) var expires: ClosedRange<Instant>
    /// When somebody may have ended it, and when it certainly was.
    fileprivate(set) var mayEnd = Instant.distantFuture
    fileprivate(set) var ended = Instant.distantFuture

    init(begun: Instant, expires: ClosedRange<Instant>) {
      (self.begun, self.expires) = (begun, expires)
    }

    /// Whether it certainly was good throughout (`true`), or over (`false`); `nil` when neither is certain.
    func isGood(during interval: ClosedRange<Instant>) -> Bool? {
      if interval.lowerBound >= min(expires.upperBound, ended) { return false }
      return begun <= interval.lowerBound
        && interval.upperBound < min(expires.lowerBound, mayEnd) ? true : nil
    }
  }

  /// Whether anybody's risk was ever set (MS-117).
  private(set) var knowsLocks = false

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  // MARK: Asking

  /// Found once a call.
  private func bearer(of call: SeenCall) -> SeenCall.Bearer? {
    if let known = call.bearer { return known }
    call.bearer = call.credential?.userToken.flatMap { sessions[$0] }
    return call.bearer
  }

  /// The user that the request's token was given to, whether or not it is still good; `nil` without a token, or with one
  /// that nobody has seen before.
  func user(of call: SeenCall) -> UserName? { bearer(of: call)?.user }

  /// The request's session; `nil` without a token, or with one that nobody has seen before.
  func session(of call: SeenCall) -> Session? { bearer(of: call)?.session }

  /// The device that the request names, or else its session's.
  func device(of call: SeenCall) -> DeviceName? {
    call.credential?.deviceID ?? bearer(of: call)?.device
  }

  /// The one role that a user certainly had throughout.
  func role(of user: UserName, during interval: ClosedRange<Instant>) -> Role? {
    accounts[user]?.role.value(during: interval)
  }

  /// The one role of the request's user while it was under way.
  func role(of call: SeenCall) -> Role? {
    user(of: call).flatMap { role(of: $0, during: call.during) }
  }

  /// Whether a user's account was locked throughout, or throughout not; `nil` where nobody knows or said.
  func isLocked(_ user: UserName, during interval: ClosedRange<Instant>) -> Bool? {
    accounts[user]?.isLocked.value(during: interval)
  }

  /// Whether the account of the request's user may have been locked meanwhile.
  func mayBeLocked(_ call: SeenCall) -> Bool {
    guard let user = user(of: call), let lock = accounts[user]?.isLocked, !lock.isEmpty else {
      return false
    }
    return lock.value(during: call.during) != false
  }

  // MARK: Taking in

  func asked(_ call: SeenCall, at moment: Moment) {
    switch call.request {
    case .signIn(let asked): signIn(asked, call)
    case .selectRole(let text):
      guard let user = user(of: call), let role = Role(rawValue: text) else { return }
      var isSelected = false
      if case .roleSelected? = call.content { isSelected = true }
      if isSelected || call.isUnknown { set(role, of: user, by: call) }
    case .refresh:
      guard case .refreshed(let given, _)? = call.content,
        let token = call.credential?.userToken
      else {
        if call.isUnknown { session(of: call)?.expires = .distantPast ... .distantFuture }
        return
      }
      sessions[given] = sessions[token]
      if case .refreshed(_, let end)? = call.content {
        sessions[given]?.session.expires = end...end
      }
    case .signOut, .deleteAccount: leave(call)
    case .modify(_, let modification): modify(modification, call)
    default: break
    }
  }

  private func signIn(_ asked: SignIn, _ call: SeenCall) {
    guard case .signedIn(let answer)? = call.content else { return }
    begin(
      answer.userToken, of: answer.userRecordName, on: asked.deviceID, from: call.answered,
      until: answer.expiresAt...answer.expiresAt)
    var account = accounts[answer.userRecordName] ?? Account()
    if account.role.isEmpty,
      let role = answer.userProfile[UserProfile.role].flatMap({ Role(rawValue: $0) })
    {
      account.role.set(role, during: call.during)
    }
    accounts[answer.userRecordName] = account
  }

  private func begin(
    _ token: String, of user: UserName, on device: DeviceName?, from instant: Instant,
    until end: ClosedRange<Instant>
  ) {
    let session = Session(begun: instant, expires: end)
    sessions[token] = .init(user: user, device: device, session: session)
    sessionsOfUser[user, default: []].append(session)
  }

  /// Who signs out ends his session, who deletes his account all that he has.
  private func leave(_ call: SeenCall) {
    guard call.isUnknown || call.outcome.isReplied, let bearer = bearer(of: call) else { return }
    var ended = [bearer.session]
    if case .deleteAccount = call.request { ended = sessionsOfUser[bearer.user] ?? ended }
    for session in ended {
      session.mayEnd = min(session.mayEnd, call.sent)
      if !call.isUnknown { session.ended = min(session.ended, call.answered) }
    }
  }

  /// An admin's write of a profile's role.
  private func modify(_ modification: Modification, _ call: SeenCall) {
    guard modification.items.contains(where: { $0.record.fields[.role] != nil }) else { return }
    let results = call.outcome.isReplied ? call.writes.map(\.result) : []
    for (index, item) in modification.items.enumerated() {
      guard let text = item.record[UserProfile.role], let role = Role(rawValue: text),
        let name = item.record.name.map(UserName.init), accounts[name] != nil
      else { continue }
      var isSaved = false
      if results.indices.contains(index), case .saved? = results[index] { isSaved = true }
      if isSaved || call.isUnknown { set(role, of: name, by: call) }
    }
  }

  func commanded(_ command: Control, at moment: Moment) {
    let instant = moment.time
    switch command {
    case .configure(let adjustment):
      var deployment = MimiSupply.Deployment()
      deployment.sessionLifetime = lifetime
      adjustment.apply(to: &deployment)
      lifetime = deployment.sessionLifetime
    case .load(let fixture):
      for user in fixture.users {
        if let role = Role(rawValue: user.role) { set(role, of: user.name, at: instant) }
      }
      for session in fixture.sessions {
        let end = session.expiresAt.map { $0...$0 } ?? aboutLifetime(after: instant)
        begin(
          session.token, of: session.user, on: session.deviceID, from: instant, until: end)
      }
    case .loadSampleWorld:
      for (name, role) in Self.sample {
        set(role, of: "user-\(name)", at: instant)
        begin(
          "session-\(name)", of: "user-\(name)", on: "device-\(name)", from: instant,
          until: aboutLifetime(after: instant))
      }
    case .setRiskScore(let user, let score):  // MS-117
      knowsLocks = true
      accounts[user, default: Account()].isLocked.follow(score > 0.8, at: instant)
    default: break
    }
  }

  private func aboutLifetime(after instant: Instant) -> ClosedRange<Instant> {
    (instant + lifetime - .seconds(1))...(instant + lifetime + .seconds(1))
  }

  /// A request changes a role, or may.
  private func set(_ role: Role, of user: UserName, by call: SeenCall) {
    accounts[user, default: Account()].role.set(
      role, during: call.during, isCertain: !call.isUnknown)
  }

  private func set(_ role: Role, of user: UserName, at instant: Instant) {
    accounts[user, default: Account()].role.set(role, during: instant...instant)
  }

  /// The people of section 12.
  private static let sample: [(name: String, role: Role)] =
    (1...10).map { ("partner-\($0)", .partner) } + (1...3).map { ("driver-\($0)", .driver) }
    + (1...2).map { ("customer-\($0)", .customer) } + [("admin", .admin)]
}
