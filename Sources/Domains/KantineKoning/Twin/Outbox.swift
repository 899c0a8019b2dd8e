import KantineKoningContract

/// The mails that were sent, the oldest dropped first.
struct Outbox: Sendable {
  /// The most mails that are kept.
  let capacity: Int
  private var ring: [Mail] = []
  private var oldest = 0

  init(capacity: Int) {
    precondition(capacity > 0, "an outbox keeps at least one mail")
    self.capacity = capacity
  }

  mutating func append(_ mail: Mail) {
    if ring.count < capacity {
      ring.append(mail)
    } else {
      ring[oldest] = mail
      oldest = (oldest + 1) % capacity
    }
  }

  /// In order of sending.
  var mails: [Mail] { Array(ring[oldest...] + ring[..<oldest]) }
}
