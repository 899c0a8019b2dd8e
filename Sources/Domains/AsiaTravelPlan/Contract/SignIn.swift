import Contracts

/// 7.2; everything is optional, because the provider has an answer to each omission.
public struct AuthorizationRequest: Hashable, Sendable {
  public var realm: String
  public var clientID: String?
  public var redirectURI: String?
  public var responseType: String?
  public var scope: String?
  public var state: String?
  public var nonce: String?
  public var challenge: Challenge?
  public var challengeMethod: String?
  public var prompt: String?
  public var maxAge: String?
  public var loginHint: String?

  public init(
    realm: String = "master", clientID: String? = "asiatravelplan-ios",
    redirectURI: String? = "asiatravelplan://auth/callback", responseType: String? = "code",
    scope: String? = "openid profile email", state: String?, nonce: String? = nil,
    challenge: Challenge?, challengeMethod: String? = "S256", prompt: String? = nil,
    maxAge: String? = nil, loginHint: String? = nil
  ) {
    (
      self.realm, self.clientID, self.redirectURI, self.responseType, self.scope, self.state,
      self.nonce, self.challenge, self.challengeMethod, self.prompt, self.maxAge, self.loginHint
    ) = (
      realm, clientID, redirectURI, responseType, scope, state, nonce, challenge, challengeMethod,
      prompt, maxAge, loginHint
    )
  }

  static let shape = Shape(
    AuthorizationRequest.init, Field("realm", \.realm, .text, in: .path),
    Field("client_id", \.clientID, .omittable(.text), in: .query),
    Field("redirect_uri", \.redirectURI, .omittable(.text), in: .query),
    Field("response_type", \.responseType, .omittable(.text), in: .query),
    Field("scope", \.scope, .omittable(.text), in: .query),
    Field("state", \.state, .omittable(.text.secret()), in: .query),
    Field("nonce", \.nonce, .omittable(.text.secret()), in: .query),
    Field("code_challenge", \.challenge, .omittable(Challenge.coding), in: .query),
    Field("code_challenge_method", \.challengeMethod, .omittable(.text), in: .query),
    Field("prompt", \.prompt, .omittable(.text), in: .query),
    Field("max_age", \.maxAge, .omittable(.text), in: .query),
    Field("login_hint", \.loginHint, .omittable(.text.secret()), in: .query))
}

/// The S256 challenge of PKCE (RFC 7636 §4.2): as the verifier that it is made of, or as the text that somebody sent.
public enum Challenge: Hashable, Sendable {
  case of(verifier: String)
  case text(String)

  /// base64url without padding of SHA-256 of the ASCII verifier.
  public func text(_ tokens: any TokenCodec) -> String {
    switch self {
    case .text(let text): text
    case .of(let verifier): Base64URL.encode(tokens.sha256(Array(verifier.utf8)))
    }
  }

  static let coding = Coding<String>.text.converted(
    to: { Challenge.text($0) },
    from: { challenge, spelling in
      if case .wire(let tokens) = spelling { challenge.text(tokens) } else { Spelling.ellipsis }
    })

  public func fits(_ verifier: String, _ tokens: any TokenCodec) -> Bool {
    if case .of(let own) = self { return own == verifier }
    return text(tokens) == Challenge.of(verifier: verifier).text(tokens)
  }
}

/// The login step: the form of the login page, sent to the action that the page gave.
public struct LogIn: Hashable, Sendable {
  /// Path and query, without the origin.
  public var action: String
  public var username: String
  public var password: String
  /// The user refuses instead (7.2).
  public var isCancelled: Bool

  public init(action: String, username: String, password: String, isCancelled: Bool = false) {
    self.action = WireTarget.withoutOrigin(action)
    (self.username, self.password, self.isCancelled) = (username, password, isCancelled)
  }

  static let shape = Shape(
    LogIn.init, Field("action", \.action, .text.secret(), in: .target),
    Field("username", \.username, .text.otherwise("")),
    Field("password", \.password, .text.secret().otherwise("")),
    Field(
      "cancel", \.isCancelled,
      Coding<String>.text.converted(to: { !$0.isEmpty }, from: { it, _ in it ? "true" : "" })
        .leftOut(for: false)))
}

public struct LoginPage: Hashable, Sendable {
  /// Where the form goes, as the page says it.
  public var action: String
  /// What the page tells the user: a wrong password.
  public var message: String?

  public init(action: String, message: String? = nil) {
    (self.action, self.message) = (
      action, message
    )
  }
}

/// 302: where the user agent goes next, and what it keeps.
public struct Redirect: Hashable, Sendable {
  /// The address without its query.
  public var target: String
  public var state: String?
  public var sessionState: String?
  public var code: String?
  public var cookies: [CookieChange]

  public init(
    to target: String, state: String? = nil, sessionState: String? = nil, code: String? = nil,
    cookies: [CookieChange] = []
  ) {
    (self.target, self.state, self.sessionState, self.code, self.cookies) = (
      target, state, sessionState, code, cookies
    )
  }
}

public struct CookieChange: Hashable, Sendable {
  public var name: String
  /// `nil` removes it.
  public var value: String?

  public init(_ name: String, _ value: String?) {
    (self.name, self.value) = (
      name, value
    )
  }
}

/// 7.3, code exchange and refresh in one form; everything is optional, because each omission has an answer.
public struct TokenRequest: Hashable, Sendable {
  public var realm: String
  public var grantType: String?
  public var clientID: String?
  public var clientSecret: String?
  public var redirectURI: String?
  public var code: String?
  public var verifier: String?
  public var refreshToken: String?
  /// To which host it was sent, as a client of a served provider says.
  public var host: String?

  public init(
    realm: String = "master", grantType: String?, clientID: String? = "asiatravelplan-ios",
    clientSecret: String? = nil, redirectURI: String? = nil, code: String? = nil,
    verifier: String? = nil, refreshToken: String? = nil, host: String? = nil
  ) {
    (
      self.realm, self.grantType, self.clientID, self.clientSecret, self.redirectURI, self.code,
      self.verifier, self.refreshToken, self.host
    ) = (
      realm, grantType, clientID, clientSecret, redirectURI, code, verifier, refreshToken, host
    )
  }

  static let shape = Shape(
    TokenRequest.init, Field("realm", \.realm, .text, in: .path),
    Field("grant_type", \.grantType, .omittable(.text)),
    Field("client_id", \.clientID, .omittable(.text)),
    Field("client_secret", \.clientSecret, .omittable(.text.secret())),
    Field("redirect_uri", \.redirectURI, .omittable(.text)),
    Field("code", \.code, .omittable(.text.secret())),
    Field("code_verifier", \.verifier, .omittable(.text.secret())),
    Field("refresh_token", \.refreshToken, .omittable(.text.secret())),
    Field("Host", \.host, .omittable(.text), in: .header))
}

public struct TokenSet: Hashable, Sendable {
  public var accessToken: SignedToken
  public var expiresInSeconds: Int
  public var refreshToken: String
  public var refreshExpiresInSeconds: Int
  /// With scope `openid`.
  public var idToken: SignedToken?
  public var sessionState: String
  public var scope: String

  public init(
    accessToken: SignedToken, expiresInSeconds: Int, refreshToken: String,
    refreshExpiresInSeconds: Int, idToken: SignedToken?, sessionState: String, scope: String
  ) {
    (
      self.accessToken, self.expiresInSeconds, self.refreshToken, self.refreshExpiresInSeconds,
      self.idToken, self.sessionState, self.scope
    ) = (
      accessToken, expiresInSeconds, refreshToken, refreshExpiresInSeconds, idToken, sessionState,
      scope
    )
  }

  static let shape = Shape(
    { access, expires, refresh, refreshExpires, id, _, session, scope in
      TokenSet(
        accessToken: access, expiresInSeconds: expires, refreshToken: refresh,
        refreshExpiresInSeconds: refreshExpires, idToken: id, sessionState: session, scope: scope)
    },
    Field("access_token", \.accessToken, SignedToken.coding),
    Field("expires_in", \.expiresInSeconds, .int),
    Field("refresh_token", \.refreshToken, .text.secret()),
    Field("refresh_expires_in", \.refreshExpiresInSeconds, .int)
      .then("token_type", .text) { _ in "Bearer" },
    Field("id_token", \.idToken, .omittable(SignedToken.coding)),
    Field("not-before-policy", { _ in 0 }, .int.otherwise(0)),
    Field("session_state", \.sessionState, .text.undigested), Field("scope", \.scope, .text))
}

/// 7.5.
public struct EndSession: Hashable, Sendable {
  public var realm: String
  public var clientID: String?
  public var postLogoutRedirectURI: String?
  public var idTokenHint: SignedToken?
  public var state: String?
  /// The legacy parameter `redirect_uri` (O-12).
  public var legacyRedirectURI: String?

  public init(
    realm: String = "master", clientID: String? = "asiatravelplan-ios",
    postLogoutRedirectURI: String? = "asiatravelplan://auth/callback",
    idTokenHint: SignedToken?, state: String? = nil, legacyRedirectURI: String? = nil
  ) {
    (
      self.realm, self.clientID, self.postLogoutRedirectURI, self.idTokenHint, self.state,
      self.legacyRedirectURI
    ) = (
      realm, clientID, postLogoutRedirectURI, idTokenHint, state, legacyRedirectURI
    )
  }

  static let shape = Shape(
    EndSession.init, Field("realm", \.realm, .text, in: .path),
    Field("client_id", \.clientID, .omittable(.text), in: .query),
    Field("post_logout_redirect_uri", \.postLogoutRedirectURI, .omittable(.text), in: .query),
    Field("id_token_hint", \.idTokenHint, .omittable(SignedToken.coding), in: .query),
    Field("state", \.state, .omittable(.text.secret()), in: .query),
    Field("redirect_uri", \.legacyRedirectURI, .omittable(.text), in: .query))
}
