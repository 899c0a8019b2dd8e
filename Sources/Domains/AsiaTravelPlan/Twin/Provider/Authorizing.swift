import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// Authorize and the login step (7.2; RFC 6749 §4.1, RFC 7636 §4.4, OpenID Connect Core 1.0 §3.1.2).
extension IdentityProvider {
  mutating func authorize(
    _ asked: AuthorizationRequest, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Answer {
    guard let client = asked.clientID.flatMap({ clients[$0] }) else {
      return .page(400, "Client not found.")
    }
    guard let callback = asked.redirectURI, isRegistered(callback, for: client) else {
      return .page(400, "Invalid parameter: redirect_uri")
    }
    if let problem = problem(of: asked, for: client) {
      return sentBack(asked, to: callback, problem.error, problem.description)
    }
    if let session = session(of: credential, at: now), !mustLogIn(asked, session.value, at: now) {
      return redirect(asked, in: session.id, at: now)
    }
    guard asked.prompts != ["none"] else {
      return sentBack(asked, to: callback, "login_required", "The user is not logged in")
    }
    tidy(at: now)
    let code = identifiers.text()
    steps[code] = Step(kind: .login(asked), expires: now + settings.loginTimeout)
    return .success(.loginPage(LoginPage(action: loginAction(code))))
  }

  private func isRegistered(_ address: String, for client: ClientRegistration) -> Bool {
    !rules.binds(.atp15) || client.redirectURIs.contains { $0.isExactly(address) }
  }

  private func problem(
    of asked: AuthorizationRequest, for client: ClientRegistration
  ) -> (error: String, description: String)? {
    guard let type = asked.responseType else {
      return ("invalid_request", "Missing parameter: response_type")
    }
    guard type == "code" else {
      return ("unsupported_response_type", "Only the response type code is supported")
    }
    if rules.binds(.atp12) {
      let isAsked = asked.challenge != nil || asked.challengeMethod != nil
      if client.requiresPKCE || isAsked, let problem = problemOfPKCE(asked) {
        return ("invalid_request", problem)
      }
    }
    if asked.prompts.contains("none"), asked.prompts.count > 1 {
      return ("invalid_request", "Invalid parameter: prompt")
    }
    if asked.maxAge != nil, asked.maxAgeSeconds == nil {
      return ("invalid_request", "Invalid parameter: max_age")
    }
    return nil
  }

  private func problemOfPKCE(_ asked: AuthorizationRequest) -> String? {
    guard let challenge = asked.challenge else { return "Missing parameter: code_challenge" }
    guard let method = asked.challengeMethod else {
      return "Missing parameter: code_challenge_method"
    }
    guard method == "S256" else { return "Invalid parameter: code_challenge_method" }
    // SHA-256 is 43 characters of base64url.
    if case .text(let text) = challenge, text.utf8.count != 43 || !text.utf8.allSatisfy(isOfBase64)
    {
      return "Invalid parameter: code_challenge"
    }
    return nil
  }

  private func isOfBase64(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private func mustLogIn(
    _ asked: AuthorizationRequest, _ session: Session, at now: Instant
  ) -> Bool {
    if asked.prompts.contains("login") || users[session.username]?.isEnabled != true { return true }
    guard let most = asked.maxAgeSeconds else { return false }
    return now - session.authenticated > .seconds(most)
  }

  private func sentBack(
    _ asked: AuthorizationRequest, to callback: String, _ error: String, _ description: String
  ) -> Answer {
    .failure(
      .sentBack(
        AsiaTravelPlan.AuthorizationError(
          to: callback, error, description: description, state: asked.state)))
  }

  // MARK: The login step

  mutating func logIn(
    _ form: LogIn, _ credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> Answer {
    guard let (code, step) = step(of: form.action, at: now), case .login(let asked) = step.kind
    else { return .page(400, "The page has expired") }
    let callback = asked.redirectURI ?? ""
    if form.isCancelled {
      steps[code] = nil
      return sentBack(asked, to: callback, "access_denied", "The user refused")
    }
    let page = LoginPage(action: loginAction(code))
    guard let user = users[User.name(form.username)], let password = user.password,
      password.isExactly(form.password)
    else { return stayed(page, "Invalid username or password.") }
    guard user.isEnabled else {
      return stayed(page, "Account is disabled, contact your administrator.")
    }
    let present = session(of: credential, at: now)
    if let present, present.value.username != user.username {
      return .page(400, "You are already authenticated as a different user in this session")
    }
    steps[code] = nil
    if let present {
      sessions[present.id]?.authenticated = now
      return redirect(asked, in: present.id, at: now)
    }
    let (id, cookie) = (identifiers.text(), identifiers.text())
    sessions[id] = Session(of: user.username, at: now)
    sessionsByCookie[cookie] = id
    return redirect(asked, in: id, at: now, [CookieChange(Cookie.session, cookie)])
  }

  private func stayed(_ page: LoginPage, _ message: String) -> Answer {
    .failure(.stayed(LoginPage(action: page.action, message: message)))
  }

  /// The step that the action of a form belongs to, with its code.
  func step(of action: String, at now: Instant) -> (code: String, step: Step)? {
    let own = addresses.code(ofAction: action).map(String.init)
    guard let code = own ?? WireTarget(parsing: action).query["session_code"],
      let step = steps[code], now < step.expires
    else { return nil }
    return (code, step)
  }

  private func loginAction(_ code: String) -> String { addresses.logIn + code }

  // MARK: Sessions and codes

  /// The session that a user agent's cookie belongs to, while it lasts.
  func session(
    of credential: AsiaTravelPlan.Credential?, at now: Instant
  ) -> (id: String, value: Session)? {
    guard case .cookies(let cookies) = credential else { return nil }
    for cookie in cookies where cookie.name == Cookie.session {
      if let id = sessionsByCookie[cookie.value], let session = sessions[id],
        session.isAlive(at: now, settings)
      {
        return (id, session)
      }
    }
    return nil
  }

  private mutating func redirect(
    _ asked: AuthorizationRequest, in id: String, at now: Instant, _ cookies: [CookieChange] = []
  ) -> Answer {
    let (client, callback) = (asked.clientID ?? "", asked.redirectURI ?? "")
    sessions[id]?.used = now
    let part = Part(
      client: client, number: sessions[id]?.take(in: client) ?? 0, scope: asked.grantedScope,
      nonce: asked.nonce)
    let code = identifiers.text()
    codes[code] = Code(
      session: id, part: part, redirectURI: callback, challenge: asked.challenge,
      expires: now + settings.codeLifetime)
    return .success(
      .redirected(
        Redirect(to: callback, state: asked.state, sessionState: id, code: code, cookies: cookies)))
  }
}

extension AuthorizationRequest {
  fileprivate var prompts: [Substring] { (prompt ?? "").split(separator: " ") }

  /// `nil` for none, and for one that is no number of seconds.
  fileprivate var maxAgeSeconds: Int64? {
    guard let maxAge, !maxAge.isEmpty, maxAge.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int64(maxAge) ?? .max
  }

  /// Of the scopes that were asked for those that there are, each once; without any, the realm's own.
  fileprivate var grantedScope: String {
    let asked = (scope ?? "").split(separator: " ")
    let granted = ["openid", "profile", "email"].filter { asked.contains(Substring($0)) }
    return granted.isEmpty ? "profile email" : granted.joined(separator: " ")
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isLetterOrDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
