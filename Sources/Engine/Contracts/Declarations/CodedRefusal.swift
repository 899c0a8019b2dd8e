/// A refusal by one of a backend's codes, with what HTTP says beside it.
///
/// Most refusals say nothing but their code, and a refusal goes through many hands: what it says beside the code lies behind one reference.
public struct CodedRefusal<Kind: RefusalKind>: RefusalCode {
  public var kind: Kind
  /// `nil` where nothing is said beside the code.
  private var beside: Boxed<Beside>?

  private struct Beside: Hashable, Sendable {
    var message = ""
    var field: String?
    var retryAfterSeconds: Int?
    var allowed: [String] = []
  }

  public init(
    _ kind: Kind, _ message: String = "", field: String? = nil, retryAfterSeconds: Int? = nil,
    allowed: [String] = []
  ) {
    self.kind = kind
    if message.isEmpty, field == nil, retryAfterSeconds == nil, allowed.isEmpty { return }
    said = Beside(
      message: message, field: field, retryAfterSeconds: retryAfterSeconds, allowed: allowed)
  }

  private var said: Beside {
    get { beside?.wrappedValue ?? Beside() }
    set { beside = newValue == Beside() ? nil : Boxed(wrappedValue: newValue) }
  }

  /// For humans; its wording is free and nobody branches on it.
  public var message: String {
    get { said.message }
    set { said.message = newValue }
  }

  /// The member that a malformed request is about.
  public var field: String? {
    get { said.field }
    set { said.field = newValue }
  }

  /// Header `Retry-After` (RFC 9110 §10.2.3), in seconds.
  public var retryAfterSeconds: Int? {
    get { said.retryAfterSeconds }
    set { said.retryAfterSeconds = newValue }
  }

  /// Header `Allow` (RFC 9110 §10.2.1).
  public var allowed: [String] {
    get { said.allowed }
    set { said.allowed = newValue }
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
