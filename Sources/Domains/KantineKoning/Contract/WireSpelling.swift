import Contracts

/// How secrets are spelled: in full where they are used, shortened where somebody reads along (KK-43).
struct WireSpelling {
  /// `nil` shortens.
  private let tokens: (any TokenCodec)?

  static func wire(_ tokens: any TokenCodec) -> Self { Self(tokens: tokens) }
  static var redacted: Self { Self(tokens: nil) }

  /// Whether secrets are written in full.
  var isComplete: Bool { tokens != nil }

  /// The most characters of a token that a diagnosis may show (KK-43).
  static let shownCharacters = 20

  func deviceToken(_ token: DeviceToken) -> JSON {
    if let tokens { return .string(token.text(signedBy: tokens)) }
    switch token {
    case .issued: return "issued"
    case .text(let text): return .string(secret(text))
    }
  }

  func enrollmentToken(_ token: EnrollmentToken) -> JSON {
    if let tokens { return .string(token.text(signedBy: tokens)) }
    switch token {
    case .link(let claims): return .string("link for " + claims.teamCodes.joined(separator: " "))
    case .member(let claims): return .string("member of " + claims.teamCodes.joined(separator: " "))
    case .text(let text): return .string(secret(text))
    }
  }

  func notificationToken(_ token: NotificationToken) -> JSON {
    if let tokens { return .string(token.text(signedBy: tokens)) }
    switch token {
    case .issued: return "issued"
    case .text(let text): return .string(secret(text))
    }
  }

  func callToActionToken(_ token: CallToActionToken) -> JSON {
    if let tokens { return .string(token.text(signedBy: tokens)) }
    switch token {
    case .issued: return "issued"
    case .text(let text): return .string(secret(text))
    }
  }

  func secret(_ text: String) -> String {
    tokens != nil ? text : String(text.prefix(Self.shownCharacters))
  }

  /// No log line shows a full identifier (§8, point 24).
  func hardware(_ identifier: String) -> String {
    tokens != nil || identifier.count <= 8 ? identifier : identifier.prefix(8) + "…"
  }
}
