import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What is known of the provider's clients and of sign-ins under way.
struct ProviderFacts {
  var clients = Dictionary(
    uniqueKeysWithValues: [ClientRegistration.app, .backend].map { ($0.clientID, $0) })
  var clientsChanged = Instant.distantPast
  /// By the actions of login pages, and by codes, what was asked for.
  var pages: [String: AuthorizationRequest] = [:]
  var codes: [String: AuthorizationRequest] = [:]
  /// By when sessions had ended.
  var ended: [String: Instant] = [:]
  /// By usernames as they are compared: the sessions in which tokens were given, and what an operator said of the user last.
  private var users: [String: UserFacts] = [:]

  struct UserFacts {
    /// Those that have not been ended, with when they were seen first.
    var sessions: [(id: String, at: Instant)] = []
    /// `nil` where nobody has said so.
    var isEnabled: Bool?
    var realmRoles: [String]?
    var since = Instant.distantPast
  }

  mutating func learn(_ change: UserChange, at now: Instant) {
    let name = StaffRecord.normalised(change.username)
    var user = users[name] ?? UserFacts()
    user.since = now
    user.isEnabled = change.isEnabled ?? user.isEnabled ?? true
    user.realmRoles = change.realmRoles ?? user.realmRoles
    users[name] = user
  }

  mutating func end(sessionsOf username: String, at now: Instant) {
    let name = StaffRecord.normalised(username)
    // One that is younger may have begun after the command.
    for session in users[name]?.sessions ?? []
    where session.at + .minutes(1) < now && ended[session.id] == nil { ended[session.id] = now }
    users[name]?.sessions.removeAll { $0.at + .minutes(1) < now }
  }

  mutating func learn(_ claims: Claims, at now: Instant) {
    let name = StaffRecord.normalised(claims.preferredUsername ?? "")
    if users[name]?.sessions.last?.id != claims.sid {
      users[name, default: UserFacts()].sessions.append((claims.sid, now))
    }
  }

  /// What has been known of the user of a token since before an instant, and has not changed.
  func user(of claims: Claims, before instant: Instant) -> UserFacts? {
    users[StaffRecord.normalised(claims.preferredUsername ?? "")]
      .flatMap { $0.since < instant ? $0 : nil }
  }
}

/// The identity provider: ATP-12, ATP-15, ATP-17, ATP-27.
extension AgencyChecks {
  static let providerRules: [JudgedRule<AsiaTravelPlan>] = [
    JudgedRule(
      .atp12,
      [.asks(AsiaTravelPlan.authorize), .asks(AsiaTravelPlan.logIn), .asks(AsiaTravelPlan.token)]),
    JudgedRule(.atp15, [.asks(AsiaTravelPlan.authorize)]),
    JudgedRule(.atp17, [.asks(AsiaTravelPlan.endSession)]),
  ]

  func isEnded(_ session: String?) -> Bool { session.map { provider.ended[$0] != nil } ?? false }

  @inline(never)
  mutating func askedProvider(_ call: AgencyCall, by person: Int) {
    switch call.request {
    case .authorize(let asked):
      judge(asked, call)
      if case .replied(.loginPage(let page)) = call.outcome { provider.pages[page.action] = asked }
      learnCode(call, asked)
    case .logIn(let form):
      guard let asked = provider.pages[form.action] else { return }
      if call.outcome.isReplied { provider.pages[form.action] = nil }
      learnCode(call, asked)
    case .token(let asked): judge(asked, call, by: person)
    case .endSession(let asked): judge(asked, call)
    case .keySet:
      if case .replied(.keys(let set)) = call.outcome {
        for key in set.keys { keys.learn(key.kid, askedAt: call.sent) }
      }
    default: break
    }
  }

  private mutating func learnCode(_ call: AgencyCall, _ asked: AuthorizationRequest) {
    if case .replied(.redirected(let it)) = call.outcome, let code = it.code {
      provider.codes[code] = asked
    }
  }

  private func client(_ id: String?, _ call: AgencyCall) -> ClientRegistration? {
    guard call.sent > provider.clientsChanged + .seconds(1) else { return nil }
    return id.flatMap { provider.clients[$0] }
  }

  private func judge(_ asked: AuthorizationRequest, _ call: AgencyCall) {
    guard let client = client(asked.clientID, call), let callback = asked.redirectURI,
      call.outcome.isAnswered
    else { return }
    var isPage = false
    if case .refused(.page(let status, _)) = call.outcome { isPage = status == 400 }
    let isRegistered = client.redirectURIs.contains(callback)
    expect(
      .atp15, isPage != isRegistered,
      "\(callback) is \(isRegistered ? "" : "not ")registered, and authorize went on \(isPage ? "not" : "nevertheless")"
    )
    guard isRegistered, client.requiresPKCE, asked.responseType == "code" else { return }
    let isSound = asked.challenge.map { $0.isWhole } ?? false && asked.challengeMethod == "S256"
    if !isSound {
      expect(
        .atp12, !call.outcome.isReplied, "authorize went on without an S256 challenge")
    }
  }

  private mutating func judge(_ asked: TokenRequest, _ call: AgencyCall, by person: Int) {
    if case .replied(.tokens(let set)) = call.outcome {
      learn(set, askedAt: call.sent)
      if let ended = provider.ended[set.sessionState], ended <= call.sent {
        violated(.atp27, "a session was continued that had ended")
      }
      people[person].session = set.sessionState
      if let claims = set.accessToken.claims {
        provider.learn(claims, at: call.answered)
        keep(given: claims, call)
      }
    } else if case .refused = call.outcome, asked.grantType == "refresh_token",
      isEnded(people[person].session)
    {
      held(.atp27)
    }
    guard asked.grantType == "authorization_code", let code = asked.code,
      let begun = provider.codes[code], case .of(let verifier)? = begun.challenge
    else { return }
    if call.outcome.isReplied {
      provider.codes[code] = nil
      expect(
        .atp12, asked.verifier == verifier && begun.challengeMethod == "S256",
        "a code was exchanged with a verifier that is not its own")
    } else if call.outcome.refusal != nil, asked.verifier != verifier {
      held(.atp12)
    }
  }

  /// A token is given to users who are enabled, and names the roles that they have (7.3).
  func judgeUser(of claims: Claims, askedAt sent: Instant) {
    guard let user = provider.user(of: claims, before: sent) else { return }
    expect(.atp27, user.isEnabled != false, "a session was continued of a user who is disabled")
    guard let roles = user.realmRoles else { return }
    let names = Set(claims.realmRoles)
    expect(
      .atp06, names == Set(roles),
      "a token names the roles \(names.sorted()), and its user has \(roles.sorted())")
  }

  private mutating func judge(_ asked: EndSession, _ call: AgencyCall) {
    let hint = asked.idTokenHint?.claims
    if case .replied(.redirected) = call.outcome, let session = hint?.sid,
      provider.ended[session] == nil
    {
      provider.ended[session] = call.answered
    }
    guard call.outcome.isAnswered, asked.legacyRedirectURI == nil,
      let target = asked.postLogoutRedirectURI,
      let client = client(asked.clientID ?? hint?.azp, call)
    else { return }
    if !client.postLogoutRedirectURIs.contains(target) {
      expect(
        .atp17, !call.outcome.isReplied, "a logout to \(target), which is not registered, went on")
    } else if hint?.kind == .id, hint?.azp == client.clientID {
      expect(
        .atp17, call.outcome.isReplied, "a logout to \(target), which is registered, was refused")
    }
  }
}

extension Challenge {
  /// 43 characters of base64url, as SHA-256 has.
  fileprivate var isWhole: Bool {
    switch self {
    case .of: true
    case .text(let text):
      text.utf8.count == 43
        && text.utf8.allSatisfy {
          ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") && $0 >= 0x41)
            || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-")
            || $0 == UInt8(ascii: "_")
        }
    }
  }
}
