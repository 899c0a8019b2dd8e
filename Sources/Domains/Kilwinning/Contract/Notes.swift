extension Kilwinning {
  /// What a simulated device writes down about its offline queue (§4.9). The person of the record is the device;
  /// which fratello uses it stands in the note, because the queue belongs to him (KW-128).
  public enum Note: Hashable, Sendable {
    /// A toggle was accepted while offline; an older entry of the same tornata went (KW-123).
    case queued(QueueEntry, replacing: String?)
    /// What became of an entry (KW-126).
    case settled(opID: String, fratelloID: Int, Settlement)
    /// A run of the synchronisation ended with so many entries kept (KW-125, KW-126).
    case paused(fratelloID: Int, kept: Int)
    /// An explicit logout threw away the queue (KW-129).
    case discarded(fratelloID: Int, count: Int)
  }

  public struct QueueEntry: Hashable, Sendable {
    public var opID: String
    public var fratelloID: Int
    public var tornataID: Int
    public var presente: Bool

    public init(opID: String, fratelloID: Int, tornataID: Int, presente: Bool) {
      self.opID = opID
      self.fratelloID = fratelloID
      self.tornataID = tornataID
      self.presente = presente
    }
  }

  public enum Settlement: Hashable, Sendable {
    case applied
    case conflict(Refusal.Code)
  }
}
