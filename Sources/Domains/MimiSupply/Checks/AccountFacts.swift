import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Who is behind each session of a city, from sign-ins, role selections, refreshments, admins' writes, and the operator's
/// commands. Whose a token is stays so; whether it is good still is not asked.
final class AccountFacts: Facts {
  static let concerns = Set<Concern>.asking(.signIn, .selectRole, .refresh, .modify).union([
    .controls
  ])

  private struct Account: Sendable {
    var role = Register<Role>()
    var isLocked = Register<Bool>()
  }

  private var sessions: [String: SeenCall.Bearer] = [:]
  private var accounts: [UserName: Account] = [:]
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
      else { return }
      sessions[given] = sessions[token]
    case .modify(_, let modification): modify(modification, call)
    default: break
    }
  }

  private func signIn(_ asked: SignIn, _ call: SeenCall) {
    guard case .signedIn(let answer)? = call.content else { return }
    sessions[answer.userToken] = .init(user: answer.userRecordName, device: asked.deviceID)
    var account = accounts[answer.userRecordName] ?? Account()
    if account.role.isEmpty,
      let role = answer.userProfile[UserProfile.role].flatMap({ Role(rawValue: $0) })
    {
      account.role.set(role, during: call.during)
    }
    accounts[answer.userRecordName] = account
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
    case .load(let fixture):
      for user in fixture.users {
        if let role = Role(rawValue: user.role) { set(role, of: user.name, at: instant) }
      }
      for session in fixture.sessions {
        sessions[session.token] = .init(user: session.user, device: session.deviceID)
      }
    case .loadSampleWorld:
      for (name, role) in Self.sample {
        set(role, of: "user-\(name)", at: instant)
        sessions["session-\(name)"] = .init(user: "user-\(name)", device: "device-\(name)")
      }
    case .setRiskScore(let user, let score):  // MS-117
      knowsLocks = true
      accounts[user, default: Account()].isLocked.follow(score > 0.8, at: instant)
    default: break
    }
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
