import Contracts

/// 7.2; everything is optional, because the provider has an answer to each omission.
package struct AuthorizationRequest: Hashable, Sendable {
  package var realm: String
  package var clientID: String?
  package var redirectURI: String?
  package var responseType: String?
  package var scope: String?
  package var state: String?
  package var nonce: String?
  package var challenge: Challenge?
  package var challengeMethod: String?
  package var prompt: String?
  package var maxAge: String?
  package var loginHint: String?

  package init(
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
package enum Challenge: Hashable, Sendable {
  case of(verifier: String)
  case text(String)

  /// base64url without padding of SHA-256 of the ASCII verifier.
  package func text(_ tokens: any TokenCodec) -> String {
    switch self {
    case .text(let text): text
    case .of(let verifier): Base64URL.encode(tokens.sha256(Array(verifier.utf8)))
    }
  }

  package func fits(_ verifier: String, _ tokens: any TokenCodec) -> Bool {
    if case .of(let own) = self { return own == verifier }
    return text(tokens) == Challenge.of(verifier: verifier).text(tokens)
  }
}

/// The login step: the form of the login page, sent to the action that the page gave.
package struct LogIn: Hashable, Sendable {
  /// Path and query, without the origin.
  package var action: String
  package var username: String
  package var password: String

  package init(action: String, username: String, password: String) {
    self.action = WireTarget.withoutOrigin(action)
    self.username = username
    self.password = password
  }
}

package struct LoginPage: Hashable, Sendable {
  /// Where the form goes, as the page says it.
  package var action: String
  /// What the page tells the user: a wrong password.
  package var message: String?

  package init(action: String, message: String? = nil) {
    self.action = action
    self.message = message
  }
}

/// 302: where the user agent goes next, and what it keeps.
package struct Redirect: Hashable, Sendable {
  /// The address without its query.
  package var target: String
  package var state: String?
  package var sessionState: String?
  package var code: String?
  package var cookies: [CookieChange]

  package init(
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

package struct CookieChange: Hashable, Sendable {
  package var name: String
  /// `nil` removes it.
  package var value: String?

  package init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
  }
}

/// 7.3, code exchange and refresh in one form; everything is optional, because each omission has an answer.
package struct TokenRequest: Hashable, Sendable {
  package var realm: String
  package var grantType: String?
  package var clientID: String?
  package var clientSecret: String?
  package var redirectURI: String?
  package var code: String?
  package var verifier: String?
  package var refreshToken: String?

  package init(
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

package struct TokenSet: Hashable, Sendable {
  package var accessToken: SignedToken
  package var expiresInSeconds: Int
  package var refreshToken: String
  package var refreshExpiresInSeconds: Int
  /// With scope `openid`.
  package var idToken: SignedToken?
  package var sessionState: String
  package var scope: String

  package init(
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
package struct EndSession: Hashable, Sendable {
  package var realm: String
  package var clientID: String?
  package var postLogoutRedirectURI: String?
  package var idTokenHint: SignedToken?
  package var state: String?
  /// The legacy parameter `redirect_uri` (O-12).
  package var legacyRedirectURI: String?

  package init(
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
package struct KeySet: Hashable, Sendable {
  package struct Key: Hashable, Sendable {
    package var kid: String
    /// Modulus and exponent, base64url.
    package var n: String
    package var e: String

    package init(kid: String, n: String, e: String = "AQAB") {
      self.kid = kid
      self.n = n
      self.e = e
    }
  }

  package var keys: [Key]
  package init(_ keys: [Key]) { self.keys = keys }
}
