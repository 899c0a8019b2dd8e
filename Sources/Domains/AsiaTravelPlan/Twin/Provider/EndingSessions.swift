import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// End session (7.5; OpenID Connect RP-Initiated Logout 1.0).
extension IdentityProvider {
  mutating func endSession(
    _ asked: EndSession, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Answer {
    if settings.rejectsLegacyLogoutParameter, asked.legacyRedirectURI != nil {
      return .page(400, "Invalid parameter: redirect_uri")
    }
    var hint: Claims?
    if let token = asked.idTokenHint {
      guard let claims = claims(of: token), claims.kind == .id else {
        return .page(400, "Invalid parameter: id_token_hint")
      }
      guard claims.azp == asked.clientID ?? claims.azp else {
        return .page(400, "Invalid parameter: client_id")
      }
      hint = claims
    }
    let target = asked.postLogoutRedirectURI ?? asked.legacyRedirectURI
    if let target {
      guard let client = (asked.clientID ?? hint?.azp).flatMap({ clients[$0] }) else {
        return .page(400, "Client not found.")
      }
      if rules.binds(.atp17), !client.postLogoutRedirectURIs.contains(where: target.isExactly) {
        return .page(400, "Invalid redirect uri")
      }
    }
    if let hint { return end(hint.sid, to: target, asked.state) }
    tidy(at: now)
    let code = identifiers.text()
    steps[code] = Step(
      kind: .logout(session: session(of: credential, at: now)?.id, to: target, state: asked.state),
      expires: now + settings.loginTimeout)
    return .success(.endSessionPage(action: logoutAction(code)))
  }

  mutating func confirmEndSession(_ action: String, at now: Instant) -> Answer {
    guard let (code, step) = step(of: action, at: now),
      case .logout(let session, let target, let state) = step.kind
    else { return .page(400, "The page has expired") }
    steps[code] = nil
    return end(session, to: target, state)
  }

  private mutating func end(_ session: String?, to target: String?, _ state: String?) -> Answer {
    if let session { sessions[session]?.end() }
    guard let target else { return .success(.signedOut) }
    return .success(
      .redirected(
        Redirect(to: target, state: state, cookies: [CookieChange(Cookie.session, nil)])))
  }

  /// What a token of this provider's says, however old it is; `nil` for any other text.
  private func claims(of token: SignedToken) -> Claims? {
    switch token {
    case .issued(let claims, let key): return keys.published.contains(key) ? claims : nil
    case .text(let text):
      guard let key = tokens.key(of: text), keys.published.contains(key) else { return nil }
      return tokens.verifiedPayload(of: text, key: key).flatMap { JSON(parsing: $0) }
        .flatMap { Claims($0) }
    }
  }

  private func logoutAction(_ code: String) -> String { addresses.logOut + code }
}
