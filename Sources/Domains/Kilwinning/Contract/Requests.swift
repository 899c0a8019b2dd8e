/// O7: whose presenze, and of which anno.
public struct PresenzeQuery: Hashable, Sendable {
  public var fratelloID: Int
  /// As sent: `tutti` in any case, four digits, or nothing (§3.2).
  public var anno: String?

  public init(fratelloID: Int, anno: String? = nil) {
    self.fratelloID = fratelloID
    self.anno = anno
  }
}

/// O10: one attendance, from the screen or from the offline queue.
public struct Confirmation: Hashable, Sendable {
  public var tornataID: Int
  public var presente: Bool
  /// For whom; an administrator's alone may differ from the caller (KW-061).
  public var fratelloID: Int?
  /// The `op_id` of a queue entry: 1 to 64 characters (KW-072, KW-125).
  public var idempotencyKey: String?

  public init(
    tornataID: Int, presente: Bool, fratelloID: Int? = nil, idempotencyKey: String? = nil
  ) {
    self.tornataID = tornataID
    self.presente = presente
    self.fratelloID = fratelloID
    self.idempotencyKey = idempotencyKey
  }
}

extension Kilwinning {
  /// Why a request cannot be read.
  public enum Fault: Hashable, Sendable {
    /// More than 102 400 bytes (KW-152).
    case tooLarge
    /// No JSON, or a bare scalar (KW-152).
    case notJSON
    case missing(field: String)
    case invalid(field: String)
    /// A path identifier that is no decimal integer.
    case invalidPathID
    /// `anno` given twice (§3.3).
    case repeatedAnno
  }
}
