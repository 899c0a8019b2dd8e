import CCrypto
import Contracts
import Foundation

/// JSON Web Tokens signed with HMAC-SHA256 (RFC 7515, RFC 7518 §3.2).
public struct HS256: TokenCodec {
  private let secret: [UInt8]

  /// - Parameter secret: At least 32 bytes, as RFC 7518 demands.
  public init(secret: String) {
    precondition(secret.utf8.count >= 32, "RFC 7518: an HS256 key is at least 256 bits long")
    self.secret = Array(secret.utf8)
  }

  public func sign(payload: [UInt8]) -> String {
    sign(payload, header: ["alg": "HS256", "typ": "JWT"])
  }

  public func sign(payload: [UInt8], key: String) -> String {
    sign(payload, header: ["alg": "HS256", "typ": "JWT", "kid": .string(key)])
  }

  public func key(of token: String) -> String? {
    token.split(separator: ".", omittingEmptySubsequences: false).first.flatMap(Self.decode)
      .flatMap { JSON(parsing: $0) }?["kid"]?.string
  }

  public func sha256(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
      let written = SHA256(bytes, bytes.count, digest.baseAddress)
      precondition(written != nil, "SHA-256 of bytes in memory does not fail")
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  private func authenticationCode(of text: String) -> [UInt8] {
    let message = Array(text.utf8)
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { code, count in
      let written = HMAC(
        EVP_sha256(), secret, Int32(secret.count), message, message.count, code.baseAddress, nil)
      precondition(written != nil, "HMAC-SHA256 of bytes in memory does not fail")
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  private func sign(_ payload: [UInt8], header: JSON) -> String {
    let signed = Self.encode(header.bytes) + "." + Self.encode(payload)
    return signed + "." + Self.encode(authenticationCode(of: signed))
  }

  public func verifiedPayload(of token: String) -> [UInt8]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.decode(parts[0]), let payload = Self.decode(parts[1]),
      let signature = Self.decode(parts[2]), JSON(parsing: header)?["alg"] == "HS256"
    else { return nil }
    let expected = authenticationCode(of: "\(parts[0]).\(parts[1])")
    // In constant time, so that a served twin does not tell by its own how much of a forgery is right.
    guard signature.count == expected.count,
      CRYPTO_memcmp(signature, expected, expected.count) == 0
    else { return nil }
    return payload
  }

  /// The URL alphabet without padding (RFC 4648 §5).
  private static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  private static func decode(_ text: Substring) -> [UInt8]? {
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
