import Contracts
import Foundation

/// What a token says that the backend signs (§7.1), as the payload of a JWT.
public protocol TokenClaims: Hashable, Sendable {
  /// With the token's purpose: a payload of another one is none of these.
  static var shape: Shape<Self> { get }
}

extension TokenClaims {
  public var payload: JSON { Self.shape.document(of: self, .redacted) }

  /// Reads a verified payload; `nil` when it is none of these.
  public init?(payload: JSON) {
    guard let claims = Self.shape.value(in: payload) else { return nil }
    self = claims
  }

  fileprivate init?(_ payload: [UInt8]?) {
    guard let document = payload.flatMap({ JSON(parsing: $0) }) else { return nil }
    self.init(payload: document)
  }
}

/// A signed token: as the claims that the backend signed, or as the bytes that somebody sent.
public enum SignedToken<Claims: TokenClaims>: Hashable, Sendable {
  indirect case issued(Claims)
  case text(String)

  /// The bytes of the token: signed now when nobody has looked at them before.
  public func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .issued(let claims): tokens.sign(payload: claims.payload.bytes)
    case .text(let text): text
    }
  }

  /// What an authentic token says, time not judged; `nil` for what the backend did not sign for this purpose.
  public func claims(verifiedBy tokens: any TokenCodec) -> Claims? {
    switch self {
    case .issued(let claims): claims
    case .text(let text): Claims(tokens.verifiedPayload(of: text))
    }
  }
}

public typealias DeviceToken = SignedToken<DeviceClaims>
/// The right to take one dienst over (§2.6).
public typealias NotificationToken = SignedToken<NotificationClaims>
/// The right to enter names from a mail (O25).
public typealias CallToActionToken = SignedToken<CallToActionClaims>

extension EnrollmentToken {
  /// The bytes of the token: a link's is signed now, a member's is padded standard Base64 (§7.2).
  public func text(signedBy tokens: any TokenCodec) -> String {
    switch self {
    case .link(let claims): tokens.sign(payload: claims.payload.bytes)
    case .member(let claims): Data(claims.payload.bytes).base64EncodedString()
    case .text(let text): text
    }
  }

  /// What a token's bytes say: a link's after its signature was verified, a member's as it stands.
  ///
  /// - Returns: `nil` for anything forged or malformed; purpose, role and time are not judged here.
  public func claims(
    verifiedBy tokens: any TokenCodec
  ) -> (claims: EnrollmentClaims, isSigned: Bool)? {
    switch self {
    case .link(let claims): return (claims, true)
    case .member(let claims): return (claims, false)
    case .text(let text):
      if text.utf8.contains(UInt8(ascii: ".")) {
        return EnrollmentClaims(tokens.verifiedPayload(of: text)).map { ($0, true) }
      }
      return EnrollmentClaims(Self.base64(text)).map { ($0, false) }
    }
  }

  /// Decodes the standard or the URL alphabet, padded or not (§7.2).
  private static func base64(_ text: String) -> [UInt8]? {
    let standard = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    let bare = standard.prefix { $0 != "=" }
    guard standard.dropFirst(bare.count).allSatisfy({ $0 == "=" }) else { return nil }
    let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    return Data(base64Encoded: bare + padding).map(Array.init)
  }
}
