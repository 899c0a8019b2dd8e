import Contracts
import MimiSupplyContract
import Timekeeping

// §3.8: the simulated Apple identity, sessions, roles.
extension MimiSupplyTwin {
  /// `sim.` + Apple user id + `.` + SHA-256 of the nonce + `.` + time of issue.
  private struct IdentityToken {
    let appleUserID: String
    let nonceHash: String
    let issuedAt: Instant

    init?(_ text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 4, parts[0] == "sim", !parts[1].isEmpty,
        parts[1].utf8.allSatisfy(\.isOfIdentifier), !parts[3].isEmpty,
        parts[3].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let issued = Int64(parts[3]), Bounds.moments.contains(issued)
      else { return nil }
      appleUserID = String(parts[1])
      nonceHash = String(parts[2])
      issuedAt = Instant(unixMilliseconds: issued)
    }
  }

  mutating func signIn(_ asked: SignIn, at now: Instant) -> Answer {
    let device = asked.deviceID ?? "device"
    audit.add(.loginAttempt, device: device, at: now)
    switch prove(asked, at: now) {
    case .failure(let failure):
      audit.add(
        .loginFailure, device: device, .reason(failure.mimiReason),
        at: now)  // MS-113
      return .failure(failure)
    case .success(let appleUserID):
      return begin(asked, as: appleUserID, on: device, at: now)
    }
  }

  /// The Apple user id that the token proves.
  private mutating func prove(_ asked: SignIn, at now: Instant) -> Result<String, Failure> {
    guard let token = IdentityToken(asked.identityToken), isNonce(asked.nonce) else {
      return .failure(
        .unauthenticated("the identity token or the nonce is malformed", "invalid_token"))
    }
    let hash = tokens.sha256(Array(asked.nonce.utf8)).map(\.twoDigits).joined()
    let binds = rules.binds(.ms104)
    guard token.nonceHash == hash || !binds, token.issuedAt <= now + .seconds(60) else {
      return .failure(
        .unauthenticated("the identity token was not issued for this nonce", "invalid_token"))
    }
    if let until = accounts.nonces[asked.nonce], now < until, binds {
      return .failure(.unauthenticated("the nonce was used before", "nonce_reused"))
    }
    guard now - token.issuedAt < settings.identityTokenLifetime || !binds else {
      return .failure(.unauthenticated("the identity token is too old", "token_expired"))
    }
    if let role = asked.role, !Self.isSelectable(role) {
      return .failure(.denied("this role cannot be selected", "role_not_selectable"))
    }
    if let profile = profile(ofAppleUser: token.appleUserID),
      accounts.locked.contains(UserName(profile.name))
    {
      return .failure(.unauthenticated("the account is locked", "account_locked"))
    }
    if let failure = profileFailure(of: asked, token.appleUserID, at: now) {
      return .failure(failure)
    }
    // A token from a clock that goes ahead lives longer: its nonce with it.
    accounts.nonces[asked.nonce] = max(now, token.issuedAt) + settings.identityTokenLifetime
    return .success(token.appleUserID)
  }

  /// The texts of a sign-in become a profile's: the schema, MS-04 and MS-06 hold for them, too (MS-27).
  private func profileFailure(
    of asked: SignIn, _ appleUserID: String, at now: Instant
  ) -> Failure? {
    let profile = profile(named: "user-", asked, appleUserID, now)
    if let failure = market.malformation(of: Change(from: nil, to: profile)) { return failure }
    if let excess = excess(of: profile) { return excess }
    let known = self.profile(ofAppleUser: appleUserID)
    return quotaFailure(
      of: Change(from: known, to: known.map { returning($0, asked, now) } ?? profile))  // MS-06
  }

  private func isNonce(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { $0.isOfIdentifier || $0 == UInt8(ascii: ".") }
  }

  private static func isSelectable(_ role: String) -> Bool {
    Role(rawValue: role).map { $0 != .admin } ?? false
  }

  private func profile(ofAppleUser id: String) -> CloudRecord? {
    shelf.names(of: .userProfile, by: .field(.appleUserID), .text(id)).first.flatMap(shelf.record)
  }

  private mutating func begin(
    _ asked: SignIn, as appleUserID: String, on device: DeviceName, at now: Instant
  ) -> Answer {
    let known = rules.binds(.ms103) ? profile(ofAppleUser: appleUserID) : nil  // MS-103
    let profile =
      known.map { returning($0, asked, now) }
      ?? profile(named: UserName(freshName("user-")), asked, appleUserID, now)
    if known == nil, asked.role != nil { accounts.haveRole.insert(UserName(profile.name)) }
    let stored = commit(
      [Change(from: known, to: profile)], by: .system, cause: .request, at: now)[0]!
    let user = UserName(stored.name)
    let token = freshSecret("session_")
    let expires = now + settings.sessionLifetime
    accounts.sessions[token] = Accounts.Session(
      user: user, device: device, expiresAt: expires)
    audit.add(.loginSuccess, user: user, device: device, at: now)
    return .success(
      .signedIn(
        SignInAnswer(
          userToken: token, expiresAt: expires, userRecordName: user,
          isNewUser: known == nil,
          requiresRoleSelection: !accounts.haveRole.contains(user),
          userProfile: outgoing(stored, nil, at: now))))
  }

  private func profile(
    named name: UserName, _ asked: SignIn, _ appleUserID: String, _ now: Instant
  ) -> CloudRecord {
    let moment = FieldValue.timestamp(now.toMilliseconds)
    var fields: Fields = [
      .appleUserID: .string(appleUserID), .role: .string(asked.role ?? Role.customer.rawValue),
      .isVerified: .int64(0), .createdAt: moment, .lastActiveAt: moment,
    ]
    fields[UserProfile.email] = asked.email
    fields[UserProfile.fullName] = asked.fullName
    let stamp = Stamp(now, by: name, on: nil)
    return CloudRecord(
      name: name.profile, type: .userProfile, changeTag: "", zone: Zone(owner: name),
      fields: fields,
      created: stamp, modified: stamp)
  }

  private func returning(
    _ profile: CloudRecord, _ asked: SignIn, _ now: Instant
  ) -> CloudRecord {
    var profile = profile
    if let last = profile[UserProfile.lastActiveAt] {
      profile[UserProfile.lastActiveAt] = max(last, now.toMilliseconds)
    }
    for (field, value) in [
      (UserProfile.email, asked.email), (UserProfile.fullName, asked.fullName),
    ] {
      if let value, profile[field]?.isEmpty ?? true { profile[field] = value }
    }
    return profile
  }

  // MARK: Roles and sessions

  mutating func selectRole(_ role: String, as identity: Identity, at now: Instant) -> Answer {
    guard let user = identity.user, let profile = shelf.record(user.profile) else {
      return .failure(.missing)
    }
    if accounts.haveRole.contains(user) {
      return refuse(.denied("a role is selected once", "role_already_selected"), identity, now)
    }
    guard Self.isSelectable(role) else {
      return refuse(.denied("this role cannot be selected", "role_not_selectable"), identity, now)
    }
    accounts.haveRole.insert(user)
    let stored = commit(
      [Change(from: profile, to: profile.with([.role: .string(role)]))], by: actor(of: identity),
      cause: .request, at: now)[0]!
    return .success(.roleSelected(outgoing(stored, nil, at: now)))
  }

  /// A refusal that leaves its entry in the audit log (MS-113).
  mutating func refuse(_ failure: Failure, _ identity: Identity, _ now: Instant) -> Answer {
    auditRefusal(failure, of: nil, by: identity, at: now)
    return .failure(failure)
  }

  mutating func refresh(as identity: Identity, at now: Instant) -> Answer {
    guard case .user(_, _, let token) = identity else { return .failure(.missing) }
    let expires = now + settings.sessionLifetime
    accounts.sessions[token]?.expiresAt = expires
    return .success(.refreshed(userToken: token, expiresAt: expires))
  }

  /// The token and its courier tokens go; other devices stay signed in.
  mutating func signOut(as identity: Identity) -> Answer {
    guard case .user(_, _, let token) = identity else { return .failure(.missing) }
    accounts.sessions[token] = nil
    effects.completions += pushQueues.remove(ofSession: token, csn: csn)
    return .success(.done)
  }

  mutating func currentUser(as identity: Identity) -> Answer {
    guard let user = identity.user else { return .failure(.missing) }
    let profile = shelf.record(user.profile)
    let names = profile?[UserProfile.fullName]?.split(separator: " ").map(String.init) ?? []
    return .success(
      .user(
        UserIdentity(
          userRecordName: user,
          firstName: names.isEmpty
            ? nil : names.dropLast(names.count > 1 ? 1 : 0).joined(separator: " "),
          lastName: names.count > 1 ? names.last : nil, emailAddress: profile?[UserProfile.email])))
  }
}

extension UInt8 {
  /// Letters, digits, `-` and `_`.
  fileprivate var isOfIdentifier: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  var twoDigits: String {
    let digits = String(self, radix: 16)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }
}
