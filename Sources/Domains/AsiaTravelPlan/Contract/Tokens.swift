import Contracts
import Foundation

/// A token that the provider signed (7.4): as its claims and the key's name, or as the bytes that somebody sent.
public enum SignedToken: Hashable, Sendable {
  indirect case issued(Claims, key: String)
  case text(String)

  public func text(_ tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims, let key): tokens.sign(payload: claims.document.bytes, key: key)
    case .text(let text): text
    }
  }

  /// What it says, whoever signed it; `nil` where that cannot be read.
  public var claims: Claims? {
    switch self {
    case .issued(let claims, _): claims
    case .text(let text):
      Self.payload(of: text).flatMap { JSON(parsing: $0) }.flatMap { Claims($0) }
    }
  }

  /// The payload of a token, its signature aside.
  public static func payload(of text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    var plain = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    while plain.count % 4 != 0 { plain.append("=") }
    return Data(base64Encoded: String(plain)).map { Array($0) }
  }

  static let coding = Coding<String>.text.converted(
    to: { SignedToken.text($0) },
    from: { token, spelling in
      if case .wire(let tokens) = spelling { token.text(tokens) } else { Spelling.ellipsis }
    }
  ).undigested
}

/// The claims of access and identity tokens (7.4).
public struct Claims: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case bearer = "Bearer"
    case id = "ID"
  }

  public var kind: Kind
  public var iss: String
  public var sub: String
  public var aud: String?
  public var azp: String
  /// Whole seconds since 1970.
  public var exp: Int64
  public var iat: Int64
  /// From when on it holds, which this provider does not say.
  public var nbf: Int64?
  public var jti: String
  public var sid: String
  /// When the user logged in.
  public var authTime: Int64?
  public var nonce: String?
  public var scope: String?
  public var preferredUsername: String?
  public var email: String?
  public var emailVerified: Bool
  public var realmRoles: [String]
  /// By client, in the order of their names.
  public var clientRoles: [String: [String]]
  /// The claims `groups` and `roles`, which are left out where they are empty (ATP-26).
  public var groups: [String]
  public var topLevelRoles: [String]

  public init(
    _ kind: Kind, iss: String, sub: String, aud: String? = nil, azp: String, exp: Int64, iat: Int64,
    jti: String, sid: String, authTime: Int64? = nil, nonce: String? = nil, scope: String? = nil,
    preferredUsername: String?, email: String? = nil, emailVerified: Bool = true,
    realmRoles: [String] = [], clientRoles: [String: [String]] = [:], groups: [String] = [],
    topLevelRoles: [String] = []
  ) {
    (
      self.kind, self.iss, self.sub, self.aud, self.azp, self.exp, self.iat, self.jti, self.sid,
      self.authTime, self.nonce, self.scope, self.preferredUsername, self.email,
      self.emailVerified, self.realmRoles, self.clientRoles, self.groups, self.topLevelRoles
    ) = (
      kind, iss, sub, aud, azp, exp, iat, jti, sid, authTime, nonce, scope, preferredUsername,
      email, emailVerified, realmRoles, clientRoles, groups, topLevelRoles
    )
  }

  public var document: JSON {
    var object: JSONObject = [
      "exp": .int(exp), "iat": .int(iat), "jti": .string(jti), "iss": .string(iss),
      "sub": .string(sub), "typ": .string(kind.rawValue), "azp": .string(azp), "sid": .string(sid),
    ]
    object["nbf"] = nbf.map(JSON.int)
    object["aud"] = aud.map(JSON.string)
    object["auth_time"] = authTime.map(JSON.int)
    object["nonce"] = nonce.map(JSON.string)
    object["scope"] = scope.map(JSON.string)
    object["preferred_username"] = preferredUsername.map(JSON.string)
    object["email"] = email.map(JSON.string)
    object["email_verified"] = .bool(emailVerified)
    object["realm_access"] = ["roles": .strings(realmRoles)]
    let byClient = clientRoles.sorted { $0.key < $1.key }
    object["resource_access"] = .object(
      JSONObject(byClient.map { (name: $0.key, value: ["roles": .strings($0.value)]) }))
    if !groups.isEmpty { object["groups"] = .strings(groups) }
    if !topLevelRoles.isEmpty { object["roles"] = .strings(topLevelRoles) }
    return .object(object)
  }

  /// The claims of a payload; `nil` when a required one is missing.
  public init?(_ payload: JSON) {
    guard let kind = payload["typ"]?.string.flatMap(Kind.init), let iss = payload["iss"]?.string,
      let sub = payload["sub"]?.string, let azp = payload["azp"]?.string,
      let exp = payload["exp"]?.int, let iat = payload["iat"]?.int,
      let jti = payload["jti"]?.string, let sid = payload["sid"]?.string
    else { return nil }
    let clients = payload["resource_access"]?.object?.members ?? []
    self.init(
      kind, iss: iss, sub: sub, aud: payload["aud"]?.string, azp: azp, exp: Int64(exp),
      iat: Int64(iat), jti: jti, sid: sid, authTime: payload["auth_time"]?.int.map(Int64.init),
      nonce: payload["nonce"]?.string,
      scope: payload["scope"]?.string, preferredUsername: payload["preferred_username"]?.string,
      email: payload["email"]?.string, emailVerified: payload["email_verified"]?.bool ?? false,
      realmRoles: payload["realm_access"]?["roles"]?.strings ?? [],
      clientRoles: Dictionary(
        clients.map { ($0.name, $0.value["roles"]?.strings ?? []) }, uniquingKeysWith: { $1 }),
      groups: payload["groups"]?.strings ?? [], topLevelRoles: payload["roles"]?.strings ?? [])
    nbf = payload["nbf"]?.int.map(Int64.init)
  }
}

/// The URL alphabet without padding (RFC 4648 §5).
public enum Base64URL {
  public static func encode(_ bytes: [UInt8]) -> String {
    let plain = Data(bytes).base64EncodedData().lazy.filter { $0 != UInt8(ascii: "=") }
    return String(
      decoding: plain.map { letter in
        switch letter {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: letter
        }
      }, as: UTF8.self)
  }
}
