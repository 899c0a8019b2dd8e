import Contracts

extension Kilwinning {
  /// What a request carries beside its content; the session decides, the address is for request limits alone.
  public struct Credential: Hashable, Sendable {
    /// The network address, in process the device's name (KW-163).
    public var peer: String?
    /// It alone decides where both are sent (KW-010, KW-011).
    public var authorization: Authorization?
    /// The cookie `kilwinning_session`.
    public var cookie: String?

    public init(peer: String? = nil, authorization: Authorization? = nil, cookie: String? = nil) {
      (self.peer, self.authorization, self.cookie) = (peer, authorization, cookie)
    }
  }

  private static let cookieName = "kilwinning_session"

  public static let security: JSONObject = [
    "bearer": ["type": "http", "scheme": "bearer"],
    "cookie": ["type": "apiKey", "in": "cookie", "name": .string(cookieName)],
  ]

  static func cookie(of token: String) -> String {
    "\(cookieName)=\(token); HttpOnly; Path=/api; SameSite=Strict"
  }

  public static func credential(of wire: WireRequest) -> Credential? {
    let credential = Credential(
      peer: wire.peer, authorization: wire.header("Authorization").map { Authorization($0) },
      cookie: WireCookies(wire.header("Cookie"))[cookieName])
    return credential == Credential() ? nil : credential
  }

  public static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) {
    wire.peer = credential.peer
    if let authorization = credential.authorization {
      wire.headers.append(WireHeader("Authorization", authorization.header))
    }
    if let cookie = credential.cookie {
      wire.headers.append(WireHeader("Cookie", "\(cookieName)=\(cookie)"))
    }
  }
}
