import Contracts

// MARK: Requests

extension AsiaTravelPlan {
  public static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?) {
    let target = WireTarget(parsing: wire.target)
    let request = wire.service == provider ? asked(wire, target) : called(wire, target)
    let unrouted = Request.unrouted(
      method: wire.method, target: wire.target, service: wire.service)
    return (request ?? unrouted, credential(wire))
  }

  /// A call of the API.
  private static func called(_ wire: WireRequest, _ target: WireTarget) -> Request? {
    guard wire.method == "GET", target.path.starts(with: ["api", "v1", "bookings"]) else {
      return nil
    }
    let rest = Array(target.path.dropFirst(3))
    guard let id = rest.first, !id.isEmpty else { return nil }
    switch Array(rest.dropFirst()) {
    case []: return .booking(id: id)
    case ["activities"]: return .activities(booking: id)
    case ["invoices"]: return .invoices(booking: id)
    default: return nil
    }
  }

  /// A request to the identity provider; its paths begin with the realm (§7).
  private static func asked(_ wire: WireRequest, _ target: WireTarget) -> Request? {
    guard target.path.count > 2, target.path[0] == "realms" else { return nil }
    let realm = target.path[1]
    let query = target.query
    switch (wire.method, target.path.dropFirst(2).joined(separator: "/")) {
    case ("GET", "protocol/openid-connect/auth"): return authorization(query, realm)
    case ("POST", "login-actions/authenticate"):
      let form = WireForm(parsing: wire.body)
      return .logIn(
        LogIn(
          action: wire.target, username: form["username"] ?? "", password: form["password"] ?? ""))
    case ("POST", "protocol/openid-connect/token"):
      return token(WireForm(parsing: wire.body), realm)
    case ("GET", "protocol/openid-connect/certs"): return .keySet(realm: realm)
    case ("GET", "protocol/openid-connect/logout"):
      return .endSession(
        EndSession(
          realm: realm, clientID: query["client_id"],
          postLogoutRedirectURI: query["post_logout_redirect_uri"],
          idTokenHint: query["id_token_hint"].map { .text($0) }, state: query["state"],
          legacyRedirectURI: query["redirect_uri"]))
    case ("POST", "protocol/openid-connect/logout/logout-confirm"):
      return .confirmEndSession(action: wire.target)
    default: return nil
    }
  }

  private static func authorization(_ query: WireForm, _ realm: String) -> Request {
    .authorize(
      AuthorizationRequest(
        realm: realm, clientID: query["client_id"], redirectURI: query["redirect_uri"],
        responseType: query["response_type"], scope: query["scope"], state: query["state"],
        nonce: query["nonce"], challenge: query["code_challenge"].map { .text($0) },
        challengeMethod: query["code_challenge_method"], prompt: query["prompt"],
        maxAge: query["max_age"], loginHint: query["login_hint"]))
  }

  private static func token(_ form: WireForm, _ realm: String) -> Request {
    .token(
      TokenRequest(
        realm: realm, grantType: form["grant_type"], clientID: form["client_id"],
        clientSecret: form["client_secret"], redirectURI: form["redirect_uri"],
        code: form["code"], verifier: form["code_verifier"], refreshToken: form["refresh_token"]))
  }

  private static func credential(_ wire: WireRequest) -> Credential? {
    if let header = wire.header("Authorization") {
      let scheme = "Bearer "
      return header.hasPrefix(scheme)
        ? .bearer(.text(String(header.dropFirst(scheme.count)))) : .otherScheme(header)
    }
    return wire.header("Cookie").map { header in
      .cookies(
        header.split(separator: ";").compactMap { pair in
          let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
          return parts.count == 2 ? Cookie(String(parts[0]), String(parts[1])) : nil
        })
    }
  }
}

// MARK: Answers

extension AsiaTravelPlan {
  public static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?
  {
    switch request {
    case .authorize, .logIn, .endSession, .confirmEndSession: navigated(response, request)
    case .token: granted(response)
    case .keySet:
      response.status == 200
        ? response.body.flatMap(keySet).map { .success(.keys($0)) } : page(response)
    case .booking: answered(response) { BookingDetail($0).map { .booking($0) } }
    case .activities:
      answered(response) { $0["activities"]?.list(Activity.init).map { .activities($0) } }
    case .invoices: answered(response) { $0["items"]?.list(Invoice.init).map { .invoices($0) } }
    case .unrouted: answered(response) { _ in nil } ?? page(response)
    case .keySetArrived, .control: response.status == 200 ? .success(.done) : nil
    }
  }

  /// What the user agent sees: a redirect or a page.
  private static func navigated(
    _ response: WireResponse, _ request: Request
  ) -> Result<Reply, Refusal>? {
    switch (response.status, request) {
    case (302, _): return redirect(response)
    case (200, .authorize):
      return Page.login(reading: response.text).map { .success(.loginPage($0)) }
    case (200, .logIn): return Page.login(reading: response.text).map { .failure(.stayed($0)) }
    case (200, .endSession):
      return Page.endSession(reading: response.text).map { .success(.endSessionPage(action: $0)) }
    default: return page(response)
    }
  }

  private static func redirect(_ response: WireResponse) -> Result<Reply, Refusal>? {
    guard let location = response.header("Location") else { return nil }
    let parts = location.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let target = String(parts[0])
    let query = WireForm(parsing: parts.count > 1 ? String(parts[1]) : "")
    if let error = query["error"] {
      return .failure(
        .sentBack(
          AuthorizationError(
            to: target, error, description: query["error_description"], state: query["state"])))
    }
    return .success(
      .redirected(
        Redirect(
          to: target, state: query["state"], sessionState: query["session_state"],
          code: query["code"],
          cookies: response.headers.filter { $0.name.lowercased() == "set-cookie" }
            .compactMap { cookieChange($0.value) })))
  }

  private static func cookieChange(_ header: String) -> CookieChange? {
    let attributes = header.split(separator: ";").map { $0.drop { $0 == " " } }
    guard let pair = attributes.first?.split(separator: "=", maxSplits: 1), let name = pair.first
    else { return nil }
    let isGone = attributes.contains { $0.lowercased() == "max-age=0" }
    return CookieChange(String(name), pair.count > 1 && !isGone ? String(pair[1]) : nil)
  }

  /// An error page; a 5xx is none, its outcome is unknown.
  private static func page(_ response: WireResponse) -> Result<Reply, Refusal>? {
    guard (400..<500).contains(response.status) else { return nil }
    return Page.error(reading: response.text)
      .map { .failure(.page(status: response.status, message: $0)) }
  }

  private static func granted(_ response: WireResponse) -> Result<Reply, Refusal>? {
    guard let body = response.body else { return nil }
    guard response.status == 200 else {
      guard (400..<500).contains(response.status), let error = body["error"]?.string else {
        return nil
      }
      return .failure(
        .token(
          status: response.status, error: error, description: body["error_description"]?.string))
    }
    guard let access = body["access_token"]?.string, let expires = body["expires_in"]?.int,
      let refresh = body["refresh_token"]?.string,
      let refreshExpires = body["refresh_expires_in"]?.int, body["token_type"] == "Bearer",
      let session = body["session_state"]?.string, let scope = body["scope"]?.string
    else { return nil }
    return .success(
      .tokens(
        TokenSet(
          accessToken: .text(access), expiresInSeconds: expires, refreshToken: refresh,
          refreshExpiresInSeconds: refreshExpires,
          idToken: body["id_token"]?.string.map { .text($0) }, sessionState: session, scope: scope)
      ))
  }

  static func keySet(_ document: JSON) -> KeySet? {
    document["keys"]?.list { key in
      guard let kid = key["kid"]?.string, let n = key["n"]?.string, let e = key["e"]?.string,
        key["kty"] == "RSA", key["use"] == "sig", key["alg"] == "RS256"
      else { return nil }
      return KeySet.Key(kid: kid, n: n, e: e)
    }.map(KeySet.init)
  }

  /// An answer of the API: a document or `{"error": text}`.
  private static func answered(
    _ response: WireResponse, _ read: (JSON) -> Reply?
  ) -> Result<Reply, Refusal>? {
    guard let body = response.body else { return nil }
    if response.status == 200 { return read(body).map { .success($0) } }
    return APIRefusal.allCases
      .first { $0.status == response.status && body["error"] == .string($0.text) }
      .map { .failure(.api($0)) }
  }
}
