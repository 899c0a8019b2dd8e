import Contracts

/// The published keys (7.1): RSA, for signatures (RFC 7517, RFC 7518 §6.3.1).
public struct KeySet: Hashable, Sendable {
  public struct Key: Hashable, Sendable {
    public var kid: String
    public var n: Modulus
    /// The exponent, base64url.
    public var e: String

    public init(kid: String, n: Modulus, e: String = "AQAB") {
      (self.kid, self.n, self.e) = (kid, n, e)
    }

    static let shape = Shape(
      Key.init,
      Field("kid", \.kid, .text)
        .then("kty", .text) { _ in "RSA" }.then("use", .text) { _ in "sig" }
        .then("alg", .text) { _ in "RS256" }, Field("n", \.n, Modulus.coding),
      Field("e", \.e, .text))
  }

  /// As the name of the key, which is made when the number is looked at, or as the text that somebody sent: base64url.
  public enum Modulus: Hashable, Sendable {
    case of(key: String)
    case text(String)

    static let coding = Coding<String>.text.converted(
      to: { Modulus.text($0) },
      from: { modulus, spelling in
        switch (modulus, spelling) {
        case (.text(let text), _): text
        case (.of(let key), .wire(let tokens)): tokens.modulus(of: key)
        case (.of, .redacted): Spelling.ellipsis
        }
      }
    ).undigested
  }

  public var keys: [Key]
  public init(_ keys: [Key]) { self.keys = keys }

  static let coding = Coding.list(Key.shape.coding)
    .converted(to: { KeySet($0) }, from: { set, _ in set.keys })
  static let shape = Shape({ $0 }, Field("keys", \.self, coding))
}
