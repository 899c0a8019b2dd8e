import Contracts
import KantineKoningContract
import Timekeeping

/// The records of pushes, the oldest dropped first.
struct Deliveries: Sendable {
  /// The most records that are kept.
  let capacity: Int
  private var ring: [PushDelivery] = []
  /// With which token each of them was sent; empty for one that was skipped.
  private var tokens: [String] = []
  private(set) var nextNumber = 0
  /// Numbers of those that were sent or answered.
  var changes = ChangeLog<Int>()

  init(capacity: Int) {
    precondition(capacity > 0, "at least one record is kept")
    self.capacity = capacity
  }

  mutating func append(_ delivery: PushDelivery, token: String?) {
    precondition(delivery.number == nextNumber, "records are numbered in their order")
    if ring.count < capacity {
      ring.append(delivery)
      tokens.append(token ?? "")
    } else {
      ring[nextNumber % capacity] = delivery
      tokens[nextNumber % capacity] = token ?? ""
    }
    changes.note(nextNumber)
    nextNumber += 1
  }

  /// Writes down what APNs answered; `nil` for an answer to nothing, and for the second to one push.
  mutating func answer(
    _ number: Int, _ result: PushDelivery.Result, at now: Instant
  ) -> (token: String, deviceID: EnrollmentID)? {
    guard number >= 0, number < nextNumber, number >= nextNumber - ring.count else { return nil }
    let place = number % capacity
    guard ring[place].result == nil else { return nil }
    ring[place].result = result
    changes.note(number)
    ring[place].latencyMilliseconds = Int((now - ring[place].sentAt).nanoseconds / 1_000_000)
    return (tokens[place], ring[place].deviceID)
  }

  /// The newest records in order of sending.
  func newest(_ count: Int) -> [PushDelivery] {
    let shown = min(max(0, count), ring.count)
    return (nextNumber - shown..<nextNumber).map { ring[$0 % capacity] }
  }

  /// A record that is still kept.
  subscript(number: Int) -> PushDelivery? {
    number >= nextNumber - ring.count && number < nextNumber ? ring[number % capacity] : nil
  }

  var all: [PushDelivery] { newest(ring.count) }
}

/// The mails to managers about diensten, the oldest dropped first.
struct Notices: Sendable {
  let capacity: Int
  private var ring: [Notice] = []
  private var count = 0

  init(capacity: Int) {
    precondition(capacity > 0, "at least one mail is kept")
    self.capacity = capacity
  }

  mutating func append(_ notice: Notice) {
    if ring.count < capacity { ring.append(notice) } else { ring[count % capacity] = notice }
    count += 1
  }

  /// In order of sending.
  var all: [Notice] { (count - ring.count..<count).map { ring[$0 % capacity] } }
}
