import Contracts
import Crypto
import Foundation

/// JSON Web Tokens signed with HMAC-SHA256 (RFC 7515, RFC 7518 §3.2).
public struct HS256: TokenCodec {
  private let key: SymmetricKey

  /// - Parameter secret: At least 32 bytes, as RFC 7518 demands.
  public init(secret: String) {
    precondition(secret.utf8.count >= 32, "RFC 7518: an HS256 key is at least 256 bits long")
    key = SymmetricKey(data: Data(secret.utf8))
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

  public func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  private func sign(_ payload: [UInt8], header: JSON) -> String {
    let signed = Self.encode(header.bytes) + "." + Self.encode(payload)
    let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
    return signed + "." + Self.encode(Array(code))
  }

  public func verifiedPayload(of token: String) -> [UInt8]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.decode(parts[0]), let payload = Self.decode(parts[1]),
      let signature = Self.decode(parts[2]), JSON(parsing: header)?["alg"] == "HS256"
    else { return nil }
    let signed = Data("\(parts[0]).\(parts[1])".utf8)
    guard HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
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
