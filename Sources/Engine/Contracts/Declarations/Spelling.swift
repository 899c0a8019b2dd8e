/// How values are written: in full where a backend reads them, with secrets shortened where people read along.
public enum Spelling: Sendable {
  case wire(any TokenCodec)
  case redacted

  /// Stands for what is left out.
  public static let ellipsis = "…"
}

/// For documents whose tokens are text from the beginning.
struct NoSignatures: TokenCodec {
  func sign(payload: [UInt8]) -> String { preconditionFailure("nothing signs tokens here") }
  func sign(payload: [UInt8], key: String) -> String { sign(payload: payload) }
  func verifiedPayload(of token: String) -> [UInt8]? { nil }
  func key(of token: String) -> String? { nil }
  func verifiedPayload(of token: String, key: String) -> [UInt8]? { nil }
  func modulus(of key: String) -> String { preconditionFailure("nothing makes keys here") }
  func sha256(_ bytes: [UInt8]) -> [UInt8] { preconditionFailure("nothing hashes here") }
}
