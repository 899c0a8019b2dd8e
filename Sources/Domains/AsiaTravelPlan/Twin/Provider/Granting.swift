import AsiaTravelPlanContract
import Contracts
import Foundation
import Timekeeping

/// The token endpoint (7.3; RFC 6749 §4.1.3, §5, §6, RFC 7636 §4.6) and what it gives out (7.4).
extension IdentityProvider {
  mutating func token(
    _ asked: TokenRequest, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Answer {
    guard let grant = asked.grantType else {
      return .token(400, "invalid_request", "Missing form parameter: grant_type")
    }
    guard grant == "authorization_code" || grant == "refresh_token" else {
      return .token(400, "unsupported_grant_type", "Unsupported grant_type")
    }
    let client: ClientRegistration
    switch self.client(behind: asked, credential) {
    case .success(let proven): client = proven
    case .failure(let refusal): return .failure(refusal)
    }
    if let from = settings.grantsRefusedFrom, now - settings.clockOffset >= from {
      return .invalidGrant("Token is not active")
    }
    return grant == "refresh_token"
      ? refresh(asked, client, at: now) : exchange(asked, client, at: now)
  }

  // MARK: Who asks

  /// The client, which proves itself in a header or in the form, if it has a secret (RFC 6749 §2.3.1).
  private func client(
    behind asked: TokenRequest, _ credential: AsiaTravelPlan.Credential?
  ) -> Result<ClientRegistration, AsiaTravelPlan.Refusal> {
    var (id, secret) = (asked.clientID, asked.clientSecret)
    if case .otherScheme(let header) = credential, let basic = Basic(header) {
      if secret != nil || (id ?? basic.name) != basic.name {
        return .failure(
          .token(
            status: 400, error: "invalid_request",
            description: "The client proves itself in more than one way"))
      }
      (id, secret) = (basic.name, basic.password)
    }
    guard let client = id.flatMap({ clients[$0] }) else {
      return .failure(
        .token(
          status: 401, error: "invalid_client",
          description: "Invalid client or Invalid client credentials"))
    }
    if let own = client.secret, secret?.isExactly(own) != true {
      return .failure(
        .token(
          status: 401, error: "unauthorized_client",
          description: "Invalid client or Invalid client credentials"))
    }
    return .success(client)
  }

  private struct Basic {
    let name: String
    let password: String

    init?(_ header: String) {
      let parts = header.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "basic",
        let bytes = Data(base64Encoded: String(parts[1]))
      else { return nil }
      let pair = String(decoding: bytes, as: UTF8.self)
        .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      name = WireForm.decode(pair[0], plusIsBlank: true)
      password = WireForm.decode(pair[1], plusIsBlank: true)
    }
  }

  // MARK: Code

  private mutating func exchange(
    _ asked: TokenRequest, _ client: ClientRegistration, at now: Instant
  ) -> Answer {
    guard let text = asked.code else {
      return .token(400, "invalid_request", "Missing parameter: code")
    }
    guard let code = codes[text] else { return .invalidGrant("Code not valid") }
    guard !code.isUsed else {
      // Somebody has it who should not (RFC 6749 §4.1.2).
      sessions[code.session]?.leave(code.part.client, code.part.number)
      return .invalidGrant("Code not valid")
    }
    codes[text]?.isUsed = true
    guard now < code.expires else { return .invalidGrant("Code is expired") }
    guard code.part.client == client.clientID else {
      return .invalidGrant("The code was given to another client")
    }
    guard let redirect = asked.redirectURI, redirect.isExactly(code.redirectURI) else {
      return .invalidGrant("Incorrect redirect_uri")
    }
    if rules.binds(.atp12), let problem = problem(of: asked.verifier, for: code.challenge) {
      return .invalidGrant(problem)
    }
    return granted(code.part, in: code.session, asked, at: now)
  }

  private func problem(of verifier: String?, for challenge: Challenge?) -> String? {
    guard let challenge else {
      return verifier == nil ? nil : "PKCE code verifier without a challenge"
    }
    guard let verifier else { return "PKCE code verifier not specified" }
    let isOne =
      (43...128).contains(verifier.utf8.count)
      && verifier.utf8.allSatisfy { $0.isLetterOrDigit || "-._~".utf8.contains($0) }
    return isOne && challenge.fits(verifier, tokens) ? nil : "PKCE verification failed"
  }

  // MARK: Refresh

  private mutating func refresh(
    _ asked: TokenRequest, _ client: ClientRegistration, at now: Instant
  ) -> Answer {
    guard let text = asked.refreshToken else {
      return .token(400, "invalid_request", "No refresh token")
    }
    guard let token = refreshTokens[text], token.part.client == client.clientID else {
      return .invalidGrant("Invalid refresh token")
    }
    guard now < token.expires else { return .invalidGrant("Token is not active") }
    if settings.rotatesRefreshTokens, token.isUsed {
      sessions[token.session]?.end()
      return .invalidGrant("Maximum allowed refresh token reuse exceeded")
    }
    let answer = granted(token.part, in: token.session, asked, at: now)
    if case .success = answer { refreshTokens[text]?.isUsed = true }
    return answer
  }

  // MARK: What is given out

  /// Tokens for a part in a session that lasts; with ATP-27 off one that has ended is good as well.
  private mutating func granted(
    _ part: Part, in id: String, _ asked: TokenRequest, at now: Instant
  ) -> Answer {
    guard let session = sessions[id] else { return .invalidGrant("Session not active") }
    if rules.binds(.atp27), session.isEnded || session.clients[part.client] != part.number {
      return .invalidGrant("Session not active")
    }
    guard now < session.expires(settings) else { return .invalidGrant("Token is not active") }
    guard let user = users[session.username], user.isEnabled else {
      return .invalidGrant("User disabled")
    }
    sessions[id]?.used = now
    let remaining = session.started + settings.sessionMax - now
    let refreshable = min(settings.sessionIdle, remaining)
    let refreshToken = identifiers.text()
    refreshTokens[refreshToken] = RefreshToken(session: id, part: part, expires: now + refreshable)
    let access = claims(.bearer, of: user, part, in: id, session, asked.host, at: now)
    let isOpenID = part.scope.split(separator: " ").contains("openid")
    let identity =
      isOpenID ? claims(.id, of: user, part, in: id, session, asked.host, at: now) : nil
    return .success(
      .tokens(
        TokenSet(
          accessToken: .issued(access, key: keys.signing),
          expiresInSeconds: settings.lifetime.wholeSeconds, refreshToken: refreshToken,
          refreshExpiresInSeconds: refreshable.wholeSeconds,
          idToken: identity.map { .issued($0, key: keys.signing) }, sessionState: id,
          scope: part.scope)))
  }

  private mutating func claims(
    _ kind: Claims.Kind, of user: User, _ part: Part, in id: String, _ session: Session,
    _ host: String?, at now: Instant
  ) -> Claims {
    let isID = kind == .id
    return Claims(
      kind, iss: signing(host), sub: user.id, aud: isID ? part.client : "account",
      azp: part.client, exp: (now + settings.lifetime).unixSeconds, iat: now.unixSeconds,
      jti: identifiers.text(), sid: id, authTime: session.authenticated.unixSeconds,
      nonce: isID ? part.nonce : nil, scope: isID ? nil : part.scope,
      preferredUsername: user.username, email: user.email, emailVerified: user.email != nil,
      realmRoles: user.realmRoles, clientRoles: user.clientRoles, groups: user.groups,
      topLevelRoles: user.topLevelRoles)
  }
}

extension Span {
  /// Rounded down.
  fileprivate var wholeSeconds: Int { Int(nanoseconds / 1_000_000_000) }
}
