/// Signs and reads the signed tokens of a domain. An adapter implements it, bound to one secret; domains and
/// engine import no cryptography.
///
/// In a virtual run tokens stay claims and are signed only when somebody looks at their bytes: an adversary who
/// tampers, the wire.
public protocol TokenCodec: Sendable {
  /// A JWT over a JSON payload, signed with HS256.
  func sign(payload: [UInt8]) -> String

  /// The payload of a JWT whose header names HS256 and whose signature is right; `nil` for anything else.
  func verifiedPayload(of token: String) -> [UInt8]?

  /// A JWT whose header names the key that signed it (`kid`), for backends with a set of keys.
  func sign(payload: [UInt8], key: String) -> String

  /// The key that a JWT's header names, without a look at the signature: a backend must know whether to fetch keys
  /// before it can verify.
  func key(of token: String) -> String?

  /// SHA-256 (FIPS 180-4): the S256 challenge of PKCE, the nonce of an identity token.
  func sha256(_ bytes: [UInt8]) -> [UInt8]
}
