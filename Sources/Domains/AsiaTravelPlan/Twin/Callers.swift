import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// Who a token says its caller is (2.8).
struct Principal: Sendable {
  let sub: String
  let username: String?
  let email: String?
  /// Those of the agency, each once, in the order in which the token names them.
  let roles: [Role]

  /// As whom it is written into timelines (2.3).
  var actor: String { username ?? email ?? sub }
}

/// What the API knows of the provider's keys (7.4).
struct KeyCache: Sendable {
  private static let lifetime = Span.seconds(600)
  private static let cooldown = Span.seconds(30)
  private static let patience = Span.seconds(5)

  private var names: [String] = []
  private var fetched: Instant?
  /// Until when the fetch under way is waited for.
  private(set) var givenUp: Instant?

  func knows(_ key: String) -> Bool { names.contains(key) }

  /// Whether a token of a key cannot be judged before the keys have been fetched.
  func mustBeFetched(for key: String, at now: Instant) -> Bool {
    guard let fetched, now < fetched + Self.lifetime else { return true }
    return !knows(key) && now >= fetched + Self.cooldown
  }

  mutating func fetch(at now: Instant) { givenUp = now + Self.patience }

  /// - Parameter set: `nil` when no answer came: what has been known for too long counts no more.
  mutating func arrived(_ set: KeySet?, at now: Instant) {
    givenUp = nil
    if let set {
      (names, fetched) = (set.keys.map(\.kid), now)
    } else if let fetched, now >= fetched + Self.lifetime {
      names = []
    }
  }
}

extension SignedToken {
  /// The name of the key that signed it, as its header says.
  func key(_ tokens: any TokenCodec) -> String? {
    switch self {
    case .issued(_, let key): key
    case .text(let text): tokens.key(of: text)
    }
  }
}

/// Tokens, roles and rights (4.2, 4.3, 4.5, 4.6).
extension AgencyTwin {
  static let ofCallers = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp06, .atp07, .atp08, .atp11, .atp24, .atp25, .atp26, .atp36, .atp37, .atp38, .atp39, .atp40,
    .atp41, .atp42, .atp43, .atp44, .atp45, .atp46, .atp47, .atp48, .atp49, .atp50, .atp53,
    .atp56, .atp57)

  /// - Returns: `nil` for a caller whom the backend does not know and lets in, with ATP-08 off.
  mutating func caller(
    behind credential: AsiaTravelPlan.Credential?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> Principal? {
    guard let token = token(of: credential),
      let facts = facts(of: token, at: now, isKnown: { keys.knows($0) })
    else {
      try require(.atp08, false, or: .unauthorized)
      return nil
    }
    let principal = Principal(
      sub: facts.sub, username: facts.username, email: facts.email, roles: roles(facts.roles))
    try require(.atp08, !principal.roles.isEmpty, or: .unauthorized)
    if !rules.binds(.atp56) { remember(principal) }
    return principal
  }

  public static let callerFacts = ["username", "email", "subject", "roles"]

  /// What a token says that the provider signed and that is good now (2.8), with every role that it names.
  public func facts(
    of credential: AsiaTravelPlan.Credential, at now: Instant
  ) -> [String: String]? {
    let now = now + provider.settings.clockOffset
    guard let token = token(of: credential),
      let facts = facts(of: token, at: now, isKnown: { provider.keys.published.contains($0) })
    else { return nil }
    let said = [
      facts.username ?? "", facts.email ?? "", facts.sub, facts.roles.joined(separator: ","),
    ]
    return Dictionary(uniqueKeysWithValues: zip(Self.callerFacts, said))
  }

  func token(of credential: AsiaTravelPlan.Credential?) -> SignedToken? {
    switch credential {
    case .bearer(let token): return token
    case .otherScheme(let header) where !rules.binds(.atp25):
      return header.split(separator: " ", maxSplits: 1).last.map { .text(String($0)) }
    case .otherScheme, .cookies, nil: return nil
    }
  }

  // MARK: Tokens (ATP-24)

  private struct Facts {
    var issuer: String?
    var expires: Int64?
    var notBefore: Int64?
    var sub: String
    var username: String?
    var email: String?
    /// Of all the places where the API looks for them.
    var roles: [String]
  }

  /// What an accepted token says; `nil` for any other.
  private func facts(
    of token: SignedToken, at now: Instant, isKnown: (_ key: String) -> Bool
  ) -> Facts? {
    let binds = rules.binds(.atp24)
    let facts: Facts
    switch token {
    case .issued(let claims, let key):
      guard isKnown(key) || !binds else { return nil }
      facts = self.facts(claims)
    case .text(let text):
      let payload =
        binds
        ? tokens.key(of: text).flatMap {
          isKnown($0) ? tokens.verifiedPayload(of: text, key: $0) : nil
        } : SignedToken.payload(of: text)
      guard let document = payload.flatMap({ JSON(parsing: $0) }), let said = self.facts(document)
      else { return nil }
      facts = said
    }
    guard binds else { return facts }
    guard let issuer = facts.issuer, provider.isOwn(issuer: issuer) else { return nil }
    guard let expires = facts.expires, now.unixSeconds < expires else { return nil }
    guard facts.notBefore.map({ $0 <= now.unixSeconds }) ?? true else { return nil }
    return facts
  }

  private func facts(_ claims: Claims) -> Facts {
    Facts(
      issuer: claims.iss, expires: claims.exp, notBefore: claims.nbf, sub: claims.sub,
      username: claims.preferredUsername, email: claims.email,
      roles: roles(
        realm: claims.realmRoles, backend: claims.clientRoles[Self.backend] ?? [],
        others: claims.topLevelRoles, groups: claims.groups))
  }

  private func facts(_ payload: JSON) -> Facts? {
    guard let sub = payload["sub"]?.string else { return nil }
    func texts(_ list: JSON?) -> [String] { list?.array?.compactMap(\.string) ?? [] }
    // Whole seconds may be written with a fraction; more than an instant can hold is its end.
    func seconds(_ name: String) -> Int64? {
      payload[name]?.double.map { Int64(min(max($0, -9e15), 9e15).rounded(.up)) }
    }
    return Facts(
      issuer: payload["iss"]?.string, expires: seconds("exp"), notBefore: seconds("nbf"), sub: sub,
      username: payload["preferred_username"]?.string, email: payload["email"]?.string,
      roles: roles(
        realm: texts(payload["realm_access"]?["roles"]),
        backend: texts(payload["resource_access"]?[Self.backend]?["roles"]),
        others: texts(payload["roles"]), groups: texts(payload["groups"])))
  }

  // MARK: Roles (ATP-06, ATP-07, ATP-26)

  private static let backend = ClientRegistration.backend.clientID

  private func roles(
    realm: [String], backend: [String], others: [String], groups: [String]
  ) -> [String] {
    guard rules.binds(.atp26) else { return realm }
    if backend.isEmpty, others.isEmpty, groups.isEmpty { return realm }
    let segments = groups.compactMap { group in group.split(separator: "/").last.map(String.init) }
    return realm + backend + others + groups + segments
  }

  private func roles(_ names: [String]) -> [Role] {
    var roles: [Role] = []
    for name in names {
      guard let role = role(name), !roles.contains(role) else { continue }
      roles.append(role)
    }
    return rules.binds(.atp07) ? roles : Array(roles.prefix(1))
  }

  private func role(_ name: String) -> Role? {
    if rules.binds(.atp06) { return Role(rawValue: name) }
    return Role.allCases.first { name.lowercased().hasPrefix($0.rawValue) }
  }

  // MARK: Rights (4.11)

  /// Whether the matrix, as the rules in force read it, allows something, for a booking where it is about one.
  func allows(
    _ right: AsiaTravelPlan.Right, _ caller: Principal?, booking number: Int? = nil
  ) -> Bool {
    let row = AsiaTravelPlan.rights[right.rawValue]
    guard let caller else { return row.allows(.anonymous, rules, differences) }
    guard !caller.roles.isEmpty else { return row.allows(.outsider, rules, differences) }
    return caller.roles.contains { role in
      guard let standing = standing(of: caller, as: role, booking: number) else { return false }
      return row.allows(standing, rules, differences)
    }
  }

  /// - Returns: `nil` with ATP-57 off, for who has no staff record.
  private func standing(
    of caller: Principal, as role: Role, booking number: Int?
  ) -> AsiaTravelPlan.Standing? {
    if role != .staff, !rules.binds(.atp57), record(of: caller) == nil { return nil }
    switch role {
    case .admin: return .admin
    case .manager: return .manager
    case .accountant: return .accountant
    case .staff:
      guard let record = record(of: caller) else { return .unmapped }
      guard let number else { return .own }
      return bookings[number].booking.staff == staff.records[record].id ? .own : .other
    }
  }

  /// Which bookings a caller sees: all, or those of one staff record; `nil` for none.
  func sight(of caller: Principal?) -> Sight? {
    let row = AsiaTravelPlan.rights[AsiaTravelPlan.Right.detail.rawValue]
    func sees(_ standing: AsiaTravelPlan.Standing) -> Bool {
      row.allows(standing, rules, differences)
    }
    guard let caller else { return sees(.anonymous) ? .all : nil }
    guard !caller.roles.isEmpty else { return sees(.outsider) ? .all : nil }
    var sight: Sight?
    for role in caller.roles {
      switch standing(of: caller, as: role, booking: nil) {
      case .own?:
        if sees(.other) { return .all }
        if sees(.own), let record = record(of: caller) { sight = .of(staff.records[record].id) }
      case let standing?: if sees(standing) { return .all }
      case nil: break
      }
    }
    return sight
  }

  enum Sight: Equatable {
    case all
    case of(String)
  }
}
