import CCrypto
import Contracts
import Foundation

/// JSON Web Tokens in their compact form (RFC 7515, RFC 7519): signed with a secret (HS256, RFC 7518 §3.2), or with an RSA key that
/// has a name (RS256, §3.3).
public struct TokenSignatures: TokenCodec {
  private let secret: [UInt8]
  private let keys: NamedKeys

  /// - Parameter secret: At least 32 bytes, as RFC 7518 demands. The RSA keys follow from it as well.
  public init(secret: String) {
    precondition(secret.utf8.count >= 32, "RFC 7518: an HS256 key is at least 256 bits long")
    self.secret = Array(secret.utf8)
    keys = NamedKeys(seed: self.secret)
  }

  public func sha256(_ bytes: [UInt8]) -> [UInt8] { Tokens.sha256(bytes) }

  // MARK: - With a secret

  public func sign(payload: [UInt8]) -> String {
    Self.token(payload, ["alg": "HS256", "typ": "JWT"]) { authenticationCode(of: $0) }
  }

  public func verifiedPayload(of token: String) -> [UInt8]? {
    guard let parts = Parts(token), parts.header["alg"] == "HS256" else { return nil }
    let expected = authenticationCode(of: parts.signed)
    // In constant time, so that a served twin does not tell by its own how much of a forgery is right.
    guard parts.signature.count == expected.count,
      CRYPTO_memcmp(parts.signature, expected, expected.count) == 0
    else { return nil }
    return parts.payload
  }

  private func authenticationCode(of message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { code, count in
      let written = HMAC(
        EVP_sha256(), secret, Int32(secret.count), message, message.count, code.baseAddress, nil)
      precondition(written != nil, "HMAC-SHA256 of bytes in memory does not fail")
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  // MARK: - With a key that has a name

  public func sign(payload: [UInt8], key: String) -> String {
    Self.token(payload, ["alg": "RS256", "typ": "JWT", "kid": .string(key)]) {
      keys[key].signature(of: $0)
    }
  }

  public func key(of token: String) -> String? { Parts(token)?.header["kid"]?.string }

  public func verifiedPayload(of token: String, key: String) -> [UInt8]? {
    // An extension that would have to be understood is not (RFC 7515 §4.1.11).
    guard let parts = Parts(token), parts.header["alg"] == "RS256", parts.header["crit"] == nil,
      keys[key].signs(parts.signed, with: parts.signature)
    else { return nil }
    return parts.payload
  }

  public func modulus(of key: String) -> String { Base64URL.encode(keys[key].n) }

  // MARK: - Compact form

  private static func token(
    _ payload: [UInt8], _ header: JSON, signature: ([UInt8]) -> [UInt8]
  ) -> String {
    let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(payload)
    return signed + "." + Base64URL.encode(signature(Array(signed.utf8)))
  }

  /// A token taken apart (RFC 7515 §7.1); nothing of it is verified.
  private struct Parts {
    let header: JSON
    let payload: [UInt8]
    let signature: [UInt8]
    /// What the signature is of.
    let signed: [UInt8]

    init?(_ token: String) {
      let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count == 3, let header = Base64URL.decode(Substring(parts[0])),
        let document = JSON(parsing: header), let payload = Base64URL.decode(Substring(parts[1])),
        let signature = Base64URL.decode(Substring(parts[2]))
      else { return nil }
      (self.header, self.payload, self.signature) = (document, payload, signature)
      signed = Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }
  }
}

/// The URL alphabet without padding (RFC 4648 §5).
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// `nil` for text of another alphabet, and where there is padding.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard
      text.utf8.allSatisfy({
        $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
      })
    else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map(Array.init)
  }
}
