import Contracts

// MARK: Requests

extension AsiaTravelPlan {
  public static func write(
    _ request: Request, credential: Credential?, tokens: any TokenCodec
  ) -> WireRequest {
    var wire =
      switch request {
      case .authorize(let asked):
        navigating([asked.realm, "protocol", "openid-connect", "auth"], query(asked, tokens))
      case .logIn(let form):
        posting(form.action, ["username": form.username, "password": form.password])
      case .token(let asked):
        posting(
          WireTarget(["realms", asked.realm, "protocol", "openid-connect", "token"]).text,
          form(asked))
      case .keySet(let realm): navigating([realm, "protocol", "openid-connect", "certs"])
      case .endSession(let asked):
        navigating([asked.realm, "protocol", "openid-connect", "logout"], query(asked, tokens))
      case .confirmEndSession(let action): posting(action, ["confirmLogout": "Logout"])
      case .booking(let id): calling([id])
      case .activities(let id): calling([id, "activities"])
      case .invoices(let id): calling([id, "invoices"])
      case .unrouted(let method, let target, let service):
        WireRequest(method, target, service: service)
      case .keySetArrived(let realm, let keys):
        commanding(
          "keySetArrived", ["realm": .string(realm), "keys": keys?.document["keys"] ?? .null])
      case .control(.rotateKeys(let keepOld)):
        commanding("rotateKeys", ["keepOld": .bool(keepOld)])
      }
    switch credential {
    case .bearer(let token):
      wire.headers.append(WireHeader("Authorization", "Bearer " + token.text(tokens)))
    case .otherScheme(let header): wire.headers.append(WireHeader("Authorization", header))
    case .cookies(let cookies):
      let pairs = cookies.map { "\($0.name)=\($0.value)" }
      wire.headers.append(WireHeader("Cookie", pairs.joined(separator: "; ")))
    case nil: break
    }
    return wire
  }

  private static func navigating(_ path: [String], _ query: WireForm = WireForm()) -> WireRequest {
    WireRequest("GET", WireTarget(["realms"] + path, query).text, service: provider)
  }

  private static func posting(_ target: String, _ form: WireForm) -> WireRequest {
    WireRequest(
      "POST", WireTarget.withoutOrigin(target),
      headers: [WireHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(form.text.utf8), service: provider)
  }

  private static func calling(_ path: [String]) -> WireRequest {
    WireRequest("GET", WireTarget(["api", "v1", "bookings"] + path).text)
  }

  private static func commanding(_ name: String, _ parameters: JSON) -> WireRequest {
    WireRequest(
      "POST", "/_rehearsal/\(domain)/\(name)",
      headers: [WireHeader("Content-Type", "application/json")], body: parameters.bytes)
  }

  private static func query(_ asked: AuthorizationRequest, _ tokens: any TokenCodec) -> WireForm {
    [
      "client_id": asked.clientID, "redirect_uri": asked.redirectURI,
      "response_type": asked.responseType, "scope": asked.scope, "state": asked.state,
      "nonce": asked.nonce, "code_challenge": asked.challenge?.text(tokens),
      "code_challenge_method": asked.challengeMethod, "prompt": asked.prompt,
      "max_age": asked.maxAge, "login_hint": asked.loginHint,
    ]
  }

  private static func query(_ asked: EndSession, _ tokens: any TokenCodec) -> WireForm {
    [
      "client_id": asked.clientID, "post_logout_redirect_uri": asked.postLogoutRedirectURI,
      "id_token_hint": asked.idTokenHint?.text(tokens), "state": asked.state,
      "redirect_uri": asked.legacyRedirectURI,
    ]
  }

  private static func form(_ asked: TokenRequest) -> WireForm {
    [
      "grant_type": asked.grantType, "client_id": asked.clientID,
      "client_secret": asked.clientSecret, "redirect_uri": asked.redirectURI, "code": asked.code,
      "code_verifier": asked.verifier, "refresh_token": asked.refreshToken,
    ]
  }
}

// MARK: Answers

extension AsiaTravelPlan {
  public static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    var response =
      switch result {
      case .success(let reply): written(reply, to: request, tokens)
      case .failure(let refusal): written(refusal, to: request)
      }
    if case .booking = request { response.headers += crossOrigin }
    if case .activities = request { response.headers += crossOrigin }
    if case .invoices = request { response.headers += crossOrigin }
    if case .unrouted(_, _, 0) = request { response.headers += crossOrigin }
    return response
  }

  /// ATP-95, Appendix A, for a request without `Origin`: simulated clients are no browsers.
  private static let crossOrigin = [
    WireHeader("Access-Control-Allow-Origin", "*"),
    WireHeader("Access-Control-Allow-Credentials", "true"),
    WireHeader(
      "Access-Control-Allow-Headers",
      "Content-Type, Idempotency-Key, Authorization, X-Requested-With"),
    WireHeader("Access-Control-Allow-Methods", "GET,POST,PATCH,OPTIONS"),
  ]

  private static func written(
    _ reply: Reply, to request: Request, _ tokens: any TokenCodec
  ) -> WireResponse {
    switch reply {
    case .loginPage(let page): WireResponse(200, content: WireResponse.page(Page.login(page)))
    case .redirected(let redirect):
      found(
        redirect.target,
        [
          "state": redirect.state, "session_state": redirect.sessionState, "code": redirect.code,
        ], redirect.cookies.map { setting($0, realm: realm(of: request)) })
    case .tokens(let set): WireResponse(200, body: document(set, tokens))
    case .keys(let set): WireResponse(200, body: set.document)
    case .endSessionPage(let action):
      WireResponse(200, content: WireResponse.page(Page.endSession(action: action)))
    case .booking(let detail): WireResponse(200, body: detail.document)
    case .activities(let activities):
      WireResponse(
        200,
        body: [
          "activities": .array(activities.map(\.document)),
          "items": .array(activities.map(\.document)), "total": .number(activities.count),
        ])
    case .invoices(let invoices):
      WireResponse(
        200,
        body: ["items": .array(invoices.map(\.document)), "total": .number(invoices.count)])
    case .done: WireResponse(200, body: [:])
    }
  }

  private static func written(_ refusal: Refusal, to request: Request) -> WireResponse {
    switch refusal {
    case .api(let refusal):
      WireResponse(refusal.status, body: ["error": .string(refusal.text)])
    case .page(let status, let message):
      WireResponse(status, content: WireResponse.page(Page.error(message)))
    case .stayed(let page): WireResponse(200, content: WireResponse.page(Page.login(page)))
    case .sentBack(let error):
      found(
        error.target,
        ["error": error.error, "error_description": error.description, "state": error.state], [])
    case .token(let status, let error, let description):
      WireResponse(
        status,
        body: description.map { ["error": .string(error), "error_description": .string($0)] }
          ?? ["error": .string(error)])
    }
  }

  private static func found(
    _ target: String, _ query: WireForm, _ cookies: [WireHeader]
  ) -> WireResponse {
    let location = query.items.isEmpty ? target : target + "?" + query.text
    return WireResponse(302, headers: [WireHeader("Location", location)] + cookies, content: .empty)
  }

  private static func setting(_ change: CookieChange, realm: String) -> WireHeader {
    let age = change.value == nil ? "; Max-Age=0" : ""
    return WireHeader(
      "Set-Cookie", "\(change.name)=\(change.value ?? ""); Path=/realms/\(realm)/; HttpOnly\(age)")
  }

  private static func realm(of request: Request) -> String {
    func second(_ action: String) -> String {
      let path = WireTarget(parsing: action).path
      return path.count > 1 ? path[1] : ""
    }
    return switch request {
    case .authorize(let asked): asked.realm
    case .endSession(let asked): asked.realm
    case .token(let asked): asked.realm
    case .keySet(let realm), .keySetArrived(let realm, _): realm
    case .logIn(let form): second(form.action)
    case .confirmEndSession(let action): second(action)
    case .booking, .activities, .invoices, .unrouted, .control: ""
    }
  }

  private static func document(_ set: TokenSet, _ tokens: any TokenCodec) -> JSON {
    var object: JSONObject = [
      "access_token": .string(set.accessToken.text(tokens)),
      "expires_in": .number(set.expiresInSeconds), "refresh_token": .string(set.refreshToken),
      "refresh_expires_in": .number(set.refreshExpiresInSeconds), "token_type": "Bearer",
    ]
    object["id_token"] = set.idToken.map { .string($0.text(tokens)) }
    object["not-before-policy"] = 0
    object["session_state"] = .string(set.sessionState)
    object["scope"] = .string(set.scope)
    return .object(object)
  }
}

extension KeySet {
  var document: JSON {
    [
      "keys": .array(
        keys.map {
          [
            "kid": .string($0.kid), "kty": "RSA", "use": "sig", "alg": "RS256",
            "n": .string($0.n), "e": .string($0.e),
          ]
        })
    ]
  }
}
