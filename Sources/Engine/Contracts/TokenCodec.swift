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

  /// A JWT signed with RS256 by the key of a name, which its header holds (`kid`): for backends with a set of keys. Every name has
  /// a key, always the same.
  func sign(payload: [UInt8], key: String) -> String

  /// The key that a JWT's header names, without a look at the signature: a backend must know whether to fetch keys
  /// before it can verify.
  func key(of token: String) -> String?

  /// The payload of a JWT whose header names RS256 and which the key of this name signed; `nil` for anything else.
  ///
  /// A name that somebody sent is looked for among those that were published before: each further name costs a key.
  func verifiedPayload(of token: String, key: String) -> [UInt8]?

  /// The modulus of a key by its name, base64url (RFC 7518 §6.3.1.1); its exponent is 65,537.
  func modulus(of key: String) -> String

  /// SHA-256 (FIPS 180-4): the S256 challenge of PKCE, the nonce of an identity token.
  func sha256(_ bytes: [UInt8]) -> [UInt8]
}
