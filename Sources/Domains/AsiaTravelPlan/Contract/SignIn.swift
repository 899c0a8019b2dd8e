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
    self.realm = realm
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.responseType = responseType
    self.scope = scope
    self.state = state
    self.nonce = nonce
    self.challenge = challenge
    self.challengeMethod = challengeMethod
    self.prompt = prompt
    self.maxAge = maxAge
    self.loginHint = loginHint
  }
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

  public init(action: String, username: String, password: String) {
    self.action = WireTarget.withoutOrigin(action)
    self.username = username
    self.password = password
  }
}

public struct LoginPage: Hashable, Sendable {
  /// Where the form goes, as the page says it.
  public var action: String
  /// What the page tells the user: a wrong password.
  public var message: String?

  public init(action: String, message: String? = nil) {
    self.action = action
    self.message = message
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
    self.target = target
    self.state = state
    self.sessionState = sessionState
    self.code = code
    self.cookies = cookies
  }
}

public struct CookieChange: Hashable, Sendable {
  public var name: String
  /// `nil` removes it.
  public var value: String?

  public init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
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

  public init(
    realm: String = "master", grantType: String?, clientID: String? = "asiatravelplan-ios",
    clientSecret: String? = nil, redirectURI: String? = nil, code: String? = nil,
    verifier: String? = nil, refreshToken: String? = nil
  ) {
    self.realm = realm
    self.grantType = grantType
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.redirectURI = redirectURI
    self.code = code
    self.verifier = verifier
    self.refreshToken = refreshToken
  }
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
    self.accessToken = accessToken
    self.expiresInSeconds = expiresInSeconds
    self.refreshToken = refreshToken
    self.refreshExpiresInSeconds = refreshExpiresInSeconds
    self.idToken = idToken
    self.sessionState = sessionState
    self.scope = scope
  }
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
    self.realm = realm
    self.clientID = clientID
    self.postLogoutRedirectURI = postLogoutRedirectURI
    self.idTokenHint = idTokenHint
    self.state = state
    self.legacyRedirectURI = legacyRedirectURI
  }
}

/// The published keys (7.1): RSA, for signatures.
public struct KeySet: Hashable, Sendable {
  public struct Key: Hashable, Sendable {
    public var kid: String
    /// Modulus and exponent, base64url.
    public var n: String
    public var e: String

    public init(kid: String, n: String, e: String = "AQAB") {
      self.kid = kid
      self.n = n
      self.e = e
    }
  }

  public var keys: [Key]
  public init(_ keys: [Key]) { self.keys = keys }
}
