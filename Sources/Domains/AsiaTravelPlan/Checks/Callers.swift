import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// Who a token says that its caller is, and where it says so; made once for each token that a person shows.
final class CallerFacts {
  let token: SignedToken
  /// `nil` for what nobody can read.
  let claims: Claims?
  /// By which key it says that it is signed; `nil` where that is not in sight.
  let key: String?
  /// The text of one that comes as such, by its hash.
  let text: UInt64?
  /// Not signed as tokens of the provider are.
  let isForged: Bool
  let roles: [Role]
  /// Not all its roles stand where every reader looks for them (ATP-26).
  let hasRolesElsewhere: Bool
  /// It names what is nearly a role (ATP-06).
  let hasSimilarRoles: Bool
  let username: String
  let actor: String

  init(_ token: SignedToken) {
    self.token = token
    claims = token.claims
    switch token {
    case .issued(_, let key): (self.key, text, isForged) = (key, nil, false)
    case .text(let text):
      (key, self.text, isForged) = (nil, stableHash(text), !Self.isSigned(text))
    }
    let realm = claims?.realmRoles ?? []
    let segments = (claims?.groups ?? []).compactMap {
      $0.split(separator: "/").last.map(String.init)
    }
    let elsewhere =
      (claims?.clientRoles[ClientRegistration.backend.clientID] ?? [])
      + (claims?.topLevelRoles ?? []) + (claims?.groups ?? []) + segments
    let all = realm + elsewhere
    roles = Role.allCases.filter { all.contains($0.rawValue) }
    hasRolesElsewhere = roles.contains { !realm.contains($0.rawValue) }
    hasSimilarRoles = all.contains { name in
      Role(rawValue: name) == nil
        && Role.allCases.contains { name.lowercased().hasPrefix($0.rawValue) }
    }
    username = StaffRecord.normalised(claims?.preferredUsername ?? "")
    actor = claims?.preferredUsername ?? claims?.email ?? claims?.sub ?? ""
  }

  private static func isSigned(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].isEmpty, !parts[0].isEmpty,
      let header = SignedToken.payload(of: ".\(parts[0])").flatMap({ JSON(parsing: $0) })
    else { return false }
    return header["alg"]?.string == "RS256"
  }
}

/// What is known of the provider's keys and issuers.
struct ProviderKeys {
  /// Former keys that went at once.
  struct Dropping {
    let at: Instant
    var keys: Set<String>
    /// Since when the API certainly has looked for keys since then.
    var adopted: Instant?
  }

  /// Keys by which it has signed what it gave out, or which it published.
  private(set) var real: Set<String> = []
  /// Those of them of which only an answer tells that was under way at the last dropping: they are gone, or came then.
  private(set) var doubtful: Set<String> = []
  /// Tokens that it gave out as texts, by their hashes: of others that are texts nobody knows who signed them.
  var given: Set<UInt64> = []
  var issuers: Set<String> = []
  /// When it last changed its keys, and whether the former ones went at once.
  private(set) var rotated: (at: Instant, areOldDropped: Bool)?
  /// By which it signs since then.
  private(set) var newest: String?
  /// The last time that the former keys went: they do not come back where later ones are kept.
  private(set) var dropping: Dropping?

  mutating func rotate(keepingOld: Bool, at now: Instant) {
    // Until now it had one key only.
    if rotated?.areOldDropped == true, let newest { dropping?.keys = real.subtracting([newest]) }
    if !keepingOld { (dropping, doubtful) = (Dropping(at: now, keys: real), []) }
    (rotated, newest) = ((now, !keepingOld), nil)
  }

  mutating func learn(_ key: String, askedAt sent: Instant) {
    let isNew = real.insert(key).inserted
    guard let dropping else { return }
    if sent > dropping.at {
      doubtful.remove(key)
    } else if isNew {
      doubtful.insert(key)
    }
  }

  /// A token of the key was asked for. Of one that was asked for before the keys changed nobody knows by which it is.
  mutating func learn(signing key: String, askedAt sent: Instant) {
    learn(key, askedAt: sent)
    if rotated.map({ sent > $0.at }) ?? true { newest = key }
  }

  /// The API has let in a token of the newest key.
  mutating func adopt(at answered: Instant) {
    if dropping?.adopted == nil { dropping?.adopted = answered }
  }
}

/// Whether the API lets a token in.
enum Acceptance: Equatable {
  case yes
  case no(AsiaTravelPlan.Rule)
  case unknown
}

/// Whom a username is mapped to (section 6).
enum Mapping: Equatable {
  case to(Int)
  case none
  case unknown
}

/// Tokens, roles and staff identity: ATP-06 to ATP-08, ATP-24 to ATP-27, ATP-52 to ATP-57.
extension AgencyChecks {
  /// A person nearly always shows the token of the last call.
  mutating func caller(of call: AgencyCall, by person: Int) -> CallerFacts? {
    guard case .bearer(let token)? = call.credential else { return nil }
    if let last = people[person].shown, last.token == token { return last }
    let facts = CallerFacts(token)
    people[person].shown = facts
    return facts
  }

  mutating func learn(_ set: TokenSet, askedAt sent: Instant) {
    if let claims = set.accessToken.claims { keys.issuers.insert(claims.iss) }
    switch set.accessToken {
    case .issued(_, let key): keys.learn(signing: key, askedAt: sent)
    case .text(let text): keys.given.insert(stableHash(text))
    }
  }

  /// The first answer to a token of the newest key shows that the API has fetched the keys since they changed.
  mutating func learnKeys(_ asked: Asked) {
    guard let rotated = keys.rotated, let dropping = keys.dropping, dropping.adopted == nil,
      asked.isReplied, asked.call.request.needsToken, asked.call.sent > rotated.at,
      let key = asked.caller?.key, key == keys.newest
    else { return }
    keys.adopt(at: asked.call.answered)
  }

  func acceptance(of asked: Asked) -> Acceptance {
    guard let caller = asked.caller else {
      if case .otherScheme? = asked.call.credential { return .no(.atp25) }
      return .no(.atp08)
    }
    guard let claims = caller.claims, !caller.isForged else { return .no(.atp24) }
    let (sent, answered) = (asked.during.lowerBound, asked.during.upperBound)
    if sent >= Instant(unixSeconds: claims.exp) + .seconds(1) { return .no(.atp24) }
    if !keys.issuers.isEmpty, !keys.issuers.contains(claims.iss) { return .no(.atp24) }
    if claims.kind == .id { return .unknown }
    if let begins = claims.nbf.map({ Instant(unixSeconds: $0) }) {
      if answered < begins { return .no(.atp24) }
      if sent < begins + .seconds(1) { return .unknown }
    }
    if caller.text.map({ !keys.given.contains($0) }) ?? true {
      let key = acceptance(ofKey: caller.key, during: asked.during)
      if key != .yes { return key }
    }
    guard answered < Instant(unixSeconds: claims.exp) - .seconds(1) else { return .unknown }
    return caller.roles.isEmpty ? .no(caller.hasSimilarRoles ? .atp06 : .atp08) : .yes
  }

  /// The API keeps keys for ten minutes, and looks for unknown ones twice a minute at most (7.4).
  private func acceptance(ofKey key: String?, during interval: ClosedRange<Instant>) -> Acceptance {
    guard let key else { return .unknown }
    guard keys.real.contains(key) else { return keys.real.isEmpty ? .unknown : .no(.atp24) }
    let since = interval.lowerBound - .seconds(10)
    guard decided.value(during: since...interval.upperBound, { $0.areKeysReachable }) == true else {
      return .unknown
    }
    guard let rotated = keys.rotated else { return .yes }
    if interval.upperBound < rotated.at { return key == keys.newest ? .yes : .unknown }
    if key == keys.newest {
      return interval.lowerBound > rotated.at + .seconds(40) ? .yes : .unknown
    }
    guard let dropping = keys.dropping else { return .yes }
    if rotated.areOldDropped || dropping.keys.contains(key) {
      let gone = min(dropping.at + .seconds(660), dropping.adopted ?? .distantFuture)
      return interval.lowerBound > gone ? .no(.atp24) : .unknown
    }
    return keys.doubtful.contains(key) ? .unknown : .yes
  }

  // MARK: The staff record of a caller (section 6)

  func mapping(of caller: CallerFacts, during interval: ClosedRange<Instant>) -> Mapping {
    guard caller.roles.contains(.staff) else { return .none }
    guard decided.value(during: interval, { $0.mapsFallbacks }) == false,
      let blocks = decided.value(during: interval, { $0.blocksInactiveStaff })
    else { return .unknown }
    guard let name = usernames.known(caller.username), !caller.username.isEmpty else {
      return isLoaded || caller.username.isEmpty ? .none : .unknown
    }
    guard let record = usernames[name].record.value(during: interval), record != somebody else {
      return .unknown
    }
    guard record != nobody, blocks else { return record == nobody ? .none : .to(record) }
    switch staff[record].isActive.value(during: interval) {
    case true?: return .to(record)
    case false?: return .none
    case nil: return .unknown
    }
  }

  /// The rules that say that a caller has, or has not, a staff record: by the common one, and by those of the special case that it is.
  func rulesOfMapping(_ caller: CallerFacts, isMapped: Bool) -> [AsiaTravelPlan.Rule] {
    let isSpeltSo = caller.claims?.preferredUsername == caller.username
    let hasChanged = hasChangedMapping(caller)
    if isMapped, isSpeltSo, !hasChanged { return Self.mapped }
    var rules: [AsiaTravelPlan.Rule] = isMapped ? [.atp52] : [.atp53]
    if hasChanged { rules.append(.atp56) }
    if isMapped { return isSpeltSo ? rules : rules + [.atp54] }
    let others = [caller.claims?.sub, caller.claims?.email]
    if others.contains(where: { $0.flatMap { usernames.known(StaffRecord.normalised($0)) } != nil })
    {
      rules.append(.atp52)
    }
    let isLonger = usernames.names.contains {
      !$0.isEmpty && $0 != caller.username && caller.username.hasPrefix($0)
    }
    return isLonger ? rules + [.atp54] : rules
  }

  private static let mapped: [AsiaTravelPlan.Rule] = [.atp52]

  // MARK: Rights (4.11)

  /// What the matrix says of a call of somebody who is let in, and the entry that says so.
  struct Permission {
    /// `nil` where that depends on what is not certain.
    var isAllowed: Bool?
    var standing: AsiaTravelPlan.Standing
    var rule: AsiaTravelPlan.Rule
  }

  func permission(_ asked: Asked, _ right: Right, _ caller: CallerFacts) -> Permission {
    let row = AsiaTravelPlan.rights[right.rawValue]
    var found: Permission?
    for role in caller.roles {
      let one = permission(row, role, asked, caller)
      guard let best = found else {
        found = one
        continue
      }
      if one.isAllowed == true && best.isAllowed != true
        || one.isAllowed == nil && best.isAllowed == false
      {
        found = one
      }
    }
    return found ?? Permission(isAllowed: false, standing: .outsider, rule: .atp08)
  }

  private func permission(
    _ row: AsiaTravelPlan.RightsRow, _ role: Role, _ asked: Asked, _ caller: CallerFacts
  ) -> Permission {
    guard let standing = standing(role, asked, caller) else {
      let (own, other) = (row.entry(.own), row.entry(.other))
      let isSame =
        own.isAllowed == other.isAllowed && own.isAllowed == row.entry(.unmapped).isAllowed
      return Permission(
        isAllowed: isSame ? own.isAllowed : nil, standing: .other, rule: other.rule ?? .atp52)
    }
    let entry = row.entry(standing)
    let rule = entry.rule ?? (standing == .own || standing == .other ? .atp52 : .atp50)
    return Permission(isAllowed: entry.isAllowed, standing: standing, rule: rule)
  }

  private func standing(
    _ role: Role, _ asked: Asked, _ caller: CallerFacts
  ) -> AsiaTravelPlan.Standing? {
    switch role {
    case .admin: return .admin
    case .manager: return .manager
    case .accountant: return .accountant
    case .staff:
      switch mapping(of: caller, during: asked.during) {
      case .unknown: return nil
      case .none: return .unmapped
      case .to(let record):
        guard asked.booking != nobody else { return .own }
        return bookings[asked.booking].staff.holds(during: asked.during) { $0 == record }
          .map { $0 ? .own : .other }
      }
    }
  }
}
