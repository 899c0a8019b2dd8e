import Contracts

extension Kilwinning {
  /// What a simulated device writes down about its offline queue (§4.9). The person of the record is the device;
  /// which fratello uses it stands in the note, because the queue belongs to him (KW-128).
  public enum Note: Hashable, Sendable {
    /// A toggle was accepted while offline; an older entry of the same tornata went (KW-123).
    case queued(
      opID: String, fratelloID: Int, tornataID: Int, presente: Bool, replacing: String?)
    /// What became of an entry (KW-126); `nil` when it was applied.
    case settled(opID: String, fratelloID: Int, conflict: RefusalKind?)
    /// A run of the synchronisation ended with so many entries kept (KW-125, KW-126).
    case paused(fratelloID: Int, kept: Int)
    /// An explicit logout threw away the queue (KW-129).
    case discarded(fratelloID: Int, count: Int)
  }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .queued(let id, let fratello, let tornata, let presente, let replaced):
      [
        "queued": .string(id), "fratello": .number(fratello), "tornata": .number(tornata),
        "presente": .bool(presente), "replacing": .optional(replaced),
      ]
    case .settled(let id, let fratello, let conflict):
      [
        "settled": .string(id), "fratello": .number(fratello),
        "as": .string(conflict?.rawValue ?? "applied"),
      ]
    case .paused(let fratello, let kept): ["paused": .number(fratello), "kept": .number(kept)]
    case .discarded(let fratello, let count):
      ["discarded": .number(count), "fratello": .number(fratello)]
    }
  }
}
