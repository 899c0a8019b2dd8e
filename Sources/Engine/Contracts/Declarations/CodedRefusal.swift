/// A refusal by one of a backend's codes, with what HTTP says beside it.
public struct CodedRefusal<Kind: RefusalKind>: RefusalCode {
  public var kind: Kind
  /// For humans; its wording is free and nobody branches on it.
  public var message: String
  /// The member that a malformed request is about.
  public var field: String?
  /// Header `Retry-After` (RFC 9110 §10.2.3), in seconds.
  public var retryAfterSeconds: Int?
  /// Header `Allow` (RFC 9110 §10.2.1).
  public var allowed: [String]

  public init(
    _ kind: Kind, _ message: String = "", field: String? = nil, retryAfterSeconds: Int? = nil,
    allowed: [String] = []
  ) {
    self.kind = kind
    self.message = message
    self.field = field
    self.retryAfterSeconds = retryAfterSeconds
    self.allowed = allowed
  }

  public var code: String { kind.rawValue }
}

extension Field {
  /// `Retry-After` of a refusal that has one.
  public static func retryAfter<Kind>() -> Field
  where Root == CodedRefusal<Kind>, Value == Int? {
    Field("Retry-After", \.retryAfterSeconds, .omittable(.decimal), in: .header)
  }

  /// `Allow` of a refusal that has one.
  public static func allow<Kind>() -> Field
  where Root == CodedRefusal<Kind>, Value == [String]? {
    Field("Allow", { $0.allowed.isEmpty ? nil : $0.allowed }, .omittable(.methods), in: .header)
  }
}
