import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// The identity provider in front of the agency (§7): one realm with its clients, users, keys and sessions.
///
/// Its clock is the instant that comes with each call, plus the offset that the operator sets; its randomness is one stream. Tokens stay
/// claims with the name of the key that is to sign them.
public struct IdentityProvider: Twin {
  public typealias Contract = AsiaTravelPlan
  static let enforced: [RulesOfFile<AsiaTravelPlan.Rule>] = [
    RulesOfFile(.atp12, .atp15, in: "AsiaTravelPlanTwin/Provider/Authorizing.swift"),
    RulesOfFile(.atp17, in: "AsiaTravelPlanTwin/Provider/EndingSessions.swift"),
    RulesOfFile(.atp12, .atp27, in: "AsiaTravelPlanTwin/Provider/Granting.swift"),
  ]
  typealias Answer = Result<AsiaTravelPlan.Reply, AsiaTravelPlan.Refusal>

  let tokens: any TokenCodec
  var identifiers: RandomStream
  var rules: Rules<AsiaTravelPlan.Rule>
  var settings = AsiaTravelPlan.Deployment() { didSet { addresses = Addresses(settings) } }
  private(set) var addresses = Addresses(AsiaTravelPlan.Deployment())

  var clients = Dictionary(
    uniqueKeysWithValues: [ClientRegistration.app, .backend].map { ($0.clientID, $0) })
  /// By their names in lower case.
  var users: [String: User] = [:]
  var keys: KeyRing

  /// Steps that a user agent has been shown a page for, by the code in the form's action.
  var steps: [String: Step] = [:]
  var sessions: [String: Session] = [:]
  /// The sessions that browsers hold, by their cookies.
  var sessionsByCookie: [String: String] = [:]
  var codes: [String: Code] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  /// As which it has signed, where the operator does not say: as clients call its host.
  var issuers: [String] = []
  private static let mostIssuers = 16
  /// From how many steps and sessions on those that are over are looked for.
  var tidyFrom = 256

  public init(
    identifiers: RandomStream, rules: Rules<AsiaTravelPlan.Rule>, tokens: any TokenCodec
  ) {
    (self.identifiers, self.rules, self.tokens) = (identifiers, rules, tokens)
    keys = KeyRing(self.identifiers.text())
  }

  /// What the provider publishes, as the API fetches it (7.4); `nil` while nobody can reach it.
  public var publishedKeys: KeySet? {
    settings.areKeysReachable
      ? KeySet(keys.published.map { KeySet.Key(kid: $0, n: .of(key: $0)) }) : nil
  }

  // MARK: Requests

  public mutating func handle(
    _ request: AsiaTravelPlan.Request, from caller: Caller<AsiaTravelPlan>, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    if case .administration = caller { return Handled(.now(obey(request))) }
    guard case .client(let credential) = caller else { return Handled(.now(.nowhere)) }
    let clock = now + settings.clockOffset
    let answer = answer(request, credential, at: clock)
    var work = Work(rowsRead: 1)
    if case .success(.tokens(let set)) = answer { work.signatures = set.idToken == nil ? 1 : 2 }
    return Handled(.now(answer), work: work)
  }

  private mutating func answer(
    _ request: AsiaTravelPlan.Request, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Answer {
    if let realm = realm(of: request), realm != settings.realm {
      return .page(404, "Realm does not exist")
    }
    switch request {
    case .discovery(let asked):
      guard settings.isDiscoveryReachable else { return .page(503, "Unavailable") }
      return .success(.discovery(Discovery(issuer: issuer(asked.host))))
    case .keySet:
      guard let keys = publishedKeys else { return .page(503, "Unavailable") }
      return .success(.keys(keys))
    case .authorize(let asked): return authorize(asked, credential, at: now)
    case .logIn(let form): return logIn(form, credential, at: now)
    case .token(let asked): return token(asked, credential, at: now)
    case .endSession(let asked): return endSession(asked, credential, at: now)
    case .confirmEndSession(let action): return confirmEndSession(action, at: now)
    case .unread(.malformed): return .page(400, "Unreadable request")
    case .unread(.unrouted(let it)):
      return it.allowed.isEmpty ? .nowhere : .page(405, "Method not allowed")
    default: return .nowhere
    }
  }

  /// Whether tokens of that issuer are this realm's: as the operator says, or else as some client has called it.
  func isOwn(issuer: String) -> Bool {
    if let own = addresses.issuer { return issuer == own }
    return issuers.contains(issuer) && issuer.hasSuffix(addresses.realm)
  }

  /// `<base>/realms/<realm>`.
  func issuer(_ host: String?) -> String {
    addresses.issuer ?? (host.map { "http://" + $0 } ?? "http://127.0.0.1:8788") + addresses.realm
  }

  /// The issuer of a token that is signed now.
  mutating func signing(_ host: String?) -> String {
    let issuer = issuer(host)
    if issuers.count < Self.mostIssuers, !issuers.contains(issuer) { issuers.append(issuer) }
    return issuer
  }

  // MARK: The operator

  private mutating func obey(_ command: AsiaTravelPlan.Request) -> Answer {
    switch command {
    case .rotateKeys(let keepOld): keys.rotate(to: identifiers.text(), keepOld: keepOld)
    case .setUser(let change): set(change)
    case .setClient(let registration): clients[registration.clientID] = registration
    case .endSessions(let username):
      let name = User.name(username)
      for (id, session) in sessions where session.username == name { sessions[id]?.end() }
    case .setRule(let it): rules.set(it.rule, binds: it.binds)
    case .configure(let it): it.apply(to: &settings)
    default: return .nowhere
    }
    return .success(.done)
  }

  private mutating func set(_ change: UserChange) {
    let name = User.name(change.username)
    var user = users[name] ?? User(id: change.id ?? identifiers.text(), username: name)
    user.apply(change)
    users[name] = user
  }

  // MARK: What is over

  /// The most pages that may be open at once: beyond them those that end first are forgotten, for whoever asks needs no password.
  static let mostSteps = 10_000

  /// Forgets steps that are too late and sessions that have ended long ago, with all that was given out in them.
  mutating func tidy(at now: Instant) {
    guard steps.count + sessions.count >= tidyFrom || steps.count >= Self.mostSteps else { return }
    steps = steps.filter { now < $0.value.expires }
    if steps.count >= Self.mostSteps {
      let byEnd = steps.sorted { ($0.value.expires, $0.key) < ($1.value.expires, $1.key) }
      for step in byEnd.prefix(steps.count - Self.mostSteps / 2) { steps[step.key] = nil }
    }
    let kept = settings.sessionMax + settings.sessionMax
    sessions = sessions.filter { now < $0.value.started + kept }
    sessionsByCookie = sessionsByCookie.filter { sessions[$0.value] != nil }
    codes = codes.filter { sessions[$0.value.session] != nil }
    refreshTokens = refreshTokens.filter { sessions[$0.value.session] != nil }
    tidyFrom = max(256, 2 * (steps.count + sessions.count))
  }
}

extension IdentityProvider {
  /// The texts of the realm's own addresses, which tokens and pages name again and again.
  struct Addresses: Sendable {
    /// The path of the realm.
    let realm: String
    /// As which tokens are signed; `nil` where that is as clients call the provider.
    let issuer: String?
    /// To which the pages of login and logout send their forms, up to the code.
    let logIn: String
    let logOut: String

    init(_ settings: AsiaTravelPlan.Deployment) {
      realm = "/realms/" + WireForm.encode(settings.realm)
      issuer = settings.base.map { [realm] in $0 + realm }
      logIn = realm + "/login-actions/authenticate?session_code="
      logOut = realm + "/protocol/openid-connect/logout/logout-confirm?session_code="
    }

    /// The code of an action that a page of this realm gave; `nil` for any other text.
    func code(ofAction action: String) -> Substring? {
      for own in [logIn, logOut] where action.hasPrefix(own) {
        let code = action.utf8.dropFirst(own.utf8.count)
        let isPlain = code.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        return isPlain ? Substring(code) : nil
      }
      return nil
    }
  }

  /// The realm that a request of the provider's names; `nil` for other requests.
  private func realm(of request: AsiaTravelPlan.Request) -> String? {
    switch request {
    case .discovery(let asked): asked.realm
    case .authorize(let asked): asked.realm
    case .token(let asked): asked.realm
    case .keySet(let realm): realm
    case .endSession(let asked): asked.realm
    case .logIn(let form): realm(ofAction: form.action)
    case .confirmEndSession(let action): realm(ofAction: action)
    default: nil
    }
  }

  private func realm(ofAction action: String) -> String? {
    if addresses.code(ofAction: action) != nil { return settings.realm }
    let path = WireTarget(parsing: action).path
    return path.count > 1 ? path[1] : nil
  }
}

extension IdentityProvider.Answer {
  static func page(_ status: Int, _ message: String) -> Self {
    .failure(.page(status: status, message: message))
  }

  static var nowhere: Self { .page(404, "Not found") }

  static func token(_ status: Int, _ error: String, _ description: String? = nil) -> Self {
    .failure(.token(status: status, error: error, description: description))
  }

  static func invalidGrant(_ description: String) -> Self {
    .token(400, "invalid_grant", description)
  }
}

extension RandomStream {
  /// What nobody can guess: 122 bits, as the text of a random UUID.
  mutating func text() -> String {
    let name: Name<IdentityProvider> = uuid()
    return name.text
  }
}

extension String {
  /// The same bytes: to `==` two spellings of é are one.
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
