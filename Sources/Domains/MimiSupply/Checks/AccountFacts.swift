import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Who is behind each session of a city, from sign-ins, role selections, refreshments, sign-outs, deletions, admins'
/// writes, and the operator's commands.
///
/// One for each city.
final class AccountFacts: Facts {
  static let concerns = Set<Concern>.asking(
    .signIn, .selectRole, .refresh, .signOut, .deleteAccount, .modify
  ).union([.controls])

  /// What a token stands for.
  struct Session: Sendable {
    let user: String
    let device: String?
    /// It is certainly good from then on.
    let begins: Instant
    /// Before then it certainly has not run out.
    var expires: Instant
    /// From then on it certainly has, unless it was refreshed.
    var hasExpired: Instant
    /// From when on it may have been ended by its user, and from when on it certainly is.
    var mayHaveEnded = Instant.distantFuture
    var hasEnded = Instant.distantFuture
  }

  /// Something about a user that changed within an interval.
  private struct Change<Value: Equatable & Sendable>: Sendable {
    let during: ClosedRange<Instant>
    let value: Value
  }

  private struct Account: Sendable {
    var roles: [Change<Role>] = []
    var locks: [Change<Bool>] = []
    var sessions: [String] = []
    /// From when on the account may be, and from when on it certainly is deleted.
    var mayBeGone = Instant.distantFuture
    var isGone = Instant.distantFuture
  }

  private var sessions: [String: Session] = [:]
  private var accounts: [String: Account] = [:]
  /// §10; a fixture's session without an end lasts as long.
  private var sessionLifetime = Span.hours(24)

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  // MARK: Asking

  private func session(of exchange: SeenExchange) -> Session? {
    exchange.credential?.userToken.flatMap { sessions[$0] }
  }

  /// Found once an exchange: whose a token is never changes.
  private func bearer(of exchange: SeenExchange) -> SeenExchange.Bearer? {
    if let known = exchange.bearer { return known }
    exchange.bearer = session(of: exchange).map { .init(user: $0.user, device: $0.device) }
    return exchange.bearer
  }

  /// The user that the request's token was given to, whether or not it is still good; `nil` without a token, or with one
  /// that nobody has seen before.
  func user(of exchange: SeenExchange) -> String? { bearer(of: exchange)?.user }

  /// The device that the request names, or else its session's.
  func device(of exchange: SeenExchange) -> String? {
    exchange.credential?.deviceID ?? bearer(of: exchange)?.device
  }

  /// The one role that a user certainly had throughout.
  func role(of user: String, during interval: ClosedRange<Instant>) -> Role? {
    guard let account = accounts[user] else { return nil }
    return Self.value(account.roles, interval)
  }

  /// The one role of the request's user while it was under way.
  func role(of exchange: SeenExchange) -> Role? {
    user(of: exchange).flatMap { role(of: $0, during: exchange.during) }
  }

  /// Whether the request's session was certainly good (`true`) or certainly not (`false`) while it was under way.
  func isSignedIn(_ exchange: SeenExchange) -> Bool? {
    guard exchange.credential?.userToken != nil else { return false }
    guard let session = session(of: exchange), let account = accounts[session.user] else {
      return nil
    }
    let interval = exchange.during
    if session.hasEnded < interval.lowerBound || session.hasExpired <= interval.lowerBound {
      return false
    }
    let isLocked = account.locks.isEmpty ? false : Self.value(account.locks, interval)
    if isLocked == true { return false }
    let isGood =
      session.begins <= interval.lowerBound && interval.upperBound < session.expires
      && interval.upperBound < session.mayHaveEnded
    return isGood && isLocked == false ? true : nil
  }

  /// Whether anybody's risk was ever set (MS-117).
  private(set) var knowsLocks = false

  /// Whether a user's account was locked throughout, or throughout not; `nil` where nobody knows or said.
  func isLocked(_ user: String, during interval: ClosedRange<Instant>) -> Bool? {
    guard let account = accounts[user], !account.locks.isEmpty else { return nil }
    return Self.value(account.locks, interval)
  }

  /// Whether a user certainly has an account throughout.
  func exists(_ user: String, during interval: ClosedRange<Instant>) -> Bool {
    accounts[user].map { interval.upperBound < $0.mayBeGone } ?? false
  }

  /// From when on a user's account is certainly deleted, and from when on it may be.
  func deletion(of user: String) -> (mayBeGone: Instant, isGone: Instant)? {
    guard let account = accounts[user], account.mayBeGone < .distantFuture else { return nil }
    return (account.mayBeGone, account.isGone)
  }

  /// The last value that was settled before an interval, unless another may have come since.
  private static func value<Value>(
    _ changes: [Change<Value>], _ interval: ClosedRange<Instant>
  ) -> Value? {
    var current: Value?
    var settled = Instant.distantPast
    for change in changes where change.during.lowerBound <= interval.upperBound {
      let isSettled = change.during.upperBound <= interval.lowerBound
      let isOrdered = settled <= change.during.lowerBound
      if current == nil, isSettled, settled == .distantPast || isOrdered {
        current = change.value
      } else if current != change.value {
        current = isSettled && isOrdered ? change.value : nil
      }
      settled = max(settled, change.during.upperBound)
    }
    return current
  }

  // MARK: Taking in

  func asked(_ exchange: SeenExchange, at moment: Moment) {
    switch exchange.request {
    case .signIn(let asked): signIn(asked, exchange)
    case .selectRole(let text): selectRole(text, exchange)
    case .refresh: refresh(exchange)
    case .signOut:
      guard let token = exchange.credential?.userToken else { return }
      end([token], by: exchange)
    case .deleteAccount: delete(exchange)
    case .modify(_, let modification): modify(modification, exchange)
    default: break
    }
  }

  private func signIn(_ asked: SignIn, _ exchange: SeenExchange) {
    guard case .signedIn(let answer)? = exchange.content else { return }
    begin(
      answer.userToken,
      Session(
        user: answer.userRecordName, device: asked.deviceID, begins: exchange.answered,
        expires: answer.expiresAt, hasExpired: answer.expiresAt))
    if accounts[answer.userRecordName]?.roles.isEmpty ?? true,
      let role = answer.userProfile.text("role").flatMap({ Role(rawValue: $0) })
    {
      set(role, of: answer.userRecordName, during: exchange.during)
    }
  }

  private func selectRole(_ text: String, _ exchange: SeenExchange) {
    guard let user = user(of: exchange), let role = Role(rawValue: text) else { return }
    if case .roleSelected? = exchange.content {
      set(role, of: user, during: exchange.during)
    } else if exchange.isUnknown {
      set(role, of: user, during: exchange.during)
    }
  }

  private func refresh(_ exchange: SeenExchange) {
    guard let token = exchange.credential?.userToken, let session = sessions[token] else { return }
    if case .refreshed(let given, let expires)? = exchange.content {
      if given == token {
        sessions[token]?.expires = max(session.expires, expires)
        sessions[token]?.hasExpired = max(session.hasExpired, expires)
      } else {
        begin(
          given,
          Session(
            user: session.user, device: session.device, begins: exchange.answered,
            expires: expires, hasExpired: expires))
        sessions[token]?.mayHaveEnded = min(session.mayHaveEnded, exchange.sent)
      }
    } else if exchange.isUnknown {
      sessions[token]?.hasExpired = .distantFuture
    }
  }

  private func delete(_ exchange: SeenExchange) {
    guard let user = user(of: exchange), let account = accounts[user] else { return }
    guard exchange.isUnknown || exchange.outcome.isReplied else { return }
    end(account.sessions, by: exchange)
    accounts[user]?.mayBeGone = min(account.mayBeGone, exchange.sent)
    if exchange.outcome.isReplied {
      accounts[user]?.isGone = min(account.isGone, exchange.answered)
    }
  }

  private func end(_ tokens: [String], by exchange: SeenExchange) {
    guard exchange.isUnknown || exchange.outcome.isReplied else { return }
    for token in tokens {
      guard let session = sessions[token] else { continue }
      sessions[token]?.mayHaveEnded = min(session.mayHaveEnded, exchange.sent)
      if exchange.outcome.isReplied {
        sessions[token]?.hasEnded = min(session.hasEnded, exchange.answered)
      }
    }
  }

  /// An admin's write of a profile's role.
  private func modify(_ modification: Modification, _ exchange: SeenExchange) {
    guard modification.items.contains(where: { $0.record.fields["role"] != nil }) else { return }
    let results = exchange.outcome.isReplied ? exchange.writes.map(\.result) : []
    for (index, item) in modification.items.enumerated() {
      guard case .string(let text)?? = item.record.fields["role"], let role = Role(rawValue: text),
        let name = item.record.name, accounts[name] != nil
      else { continue }
      if results.indices.contains(index), case .saved? = results[index] {
        set(role, of: name, during: exchange.during)
      } else if exchange.isUnknown {
        set(role, of: name, during: exchange.during)
      }
    }
  }

  func commanded(_ command: Control, at moment: Moment) {
    let instant = moment.time
    switch command {
    case .load(let fixture):
      for user in fixture.users {
        guard let role = Role(rawValue: user.role) else { continue }
        set(role, of: user.name, during: instant...instant)
      }
      for session in fixture.sessions {
        let expires = session.expiresAt ?? instant + sessionLifetime
        begin(
          session.token,
          Session(
            user: session.user, device: session.deviceID, begins: instant, expires: expires,
            hasExpired: expires))
      }
    case .loadSampleWorld:
      for (name, role) in Self.sample {
        set(role, of: "user-\(name)", during: instant...instant)
        begin(
          "session-\(name)",
          Session(
            user: "user-\(name)", device: "device-\(name)", begins: instant,
            expires: instant + sessionLifetime, hasExpired: instant + sessionLifetime))
      }
    case .configure(let values):
      if let span = values["sessionLifetime"]?.string.flatMap({ Span($0) }) {
        sessionLifetime = span
      }
    case .setRiskScore(let user, let score):  // MS-117
      knowsLocks = true
      accounts[user, default: Account()].locks.append(
        Change(during: (instant - .seconds(1))...(instant + .seconds(1)), value: score > 0.8))
    default: break
    }
  }

  private func begin(_ token: String, _ session: Session) {
    sessions[token] = session
    accounts[session.user, default: Account()].sessions.append(token)
  }

  private func set(_ role: Role, of user: String, during: ClosedRange<Instant>) {
    accounts[user, default: Account()].roles.append(Change(during: during, value: role))
  }

  /// The people of section 12.
  private static let sample: [(name: String, role: Role)] =
    (1...10).map { ("partner-\($0)", .partner) } + (1...3).map { ("driver-\($0)", .driver) }
    + (1...2).map { ("customer-\($0)", .customer) } + [("admin", .admin)]
}
