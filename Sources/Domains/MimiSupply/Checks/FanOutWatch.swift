import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// From a change to the arrival of a notification about it (MS-97), one for each device that it reaches. Whether all
/// arrive is another rule's question: only arrivals are timed.
///
/// A change is dated by its commit, which saved and read records carry. For orders the first notification of a status
/// counts; others with the same status are about tips and instructions.
struct FanOutWatch: MilestoneWatch {
  typealias Agreement = MimiSupply
  typealias Milestone = BusinessLatency<MimiSupply>.Milestone

  enum Kind: Sendable { case orders, partners, positions, offers }

  static let concerns: Set<Concern> = [
    .signals, .asks(.query), .asks(.lookup), .asks(.modify),
  ]

  /// One thing that may be told: a status of an order, a position, an offer.
  private struct Telling: Sendable {
    var changedAt: Instant?
    /// Arrivals that wait for the change to be known.
    var arrivals: [Instant] = []
    var heardBy: Set<PersonID> = []
  }

  /// How long a telling is remembered at least; the rest is forgotten in two generations.
  private static let memory = Span.minutes(10)

  private let kind: Kind
  private var young: [String: Telling] = [:]
  private var old: [String: Telling] = [:]
  private var turnsAt = Instant.distantPast
  private var count = 0

  init(_ kind: Kind) { self.kind = kind }

  mutating func see(_ record: MSRecord) -> [Milestone] {
    if record.time >= turnsAt {
      (old, young) = (young, [:])
      turnsAt = record.time + Self.memory
    }
    switch record.event {
    case .signal(.notification(let push)):
      guard let person = record.person, let key = key(of: push) else { return [] }
      return arrive(key, person, at: record.time)
    case .request(let exchange):
      guard kind == .positions ? exchange.mayShowPositions : exchange.mayShowOrders else {
        return []
      }
      return exchange.shown.flatMap { change(in: $0) }
    case .control, .note, .inspection: return []
    }
  }

  private func key(of push: PushNotification) -> String? {
    switch (kind, push.content) {
    case (.orders, .order(let order, let status, _, _, _)):
      Self.isOfPartners(push) ? nil : "\(order)/\(status)"
    case (.partners, .order(let order, let status, _, _, _)):
      Self.isOfPartners(push) ? "\(order)/\(status)" : nil
    case (.positions, .position), (.offers, .offer): push.recordName
    default: nil
    }
  }

  private static func isOfPartners(_ push: PushNotification) -> Bool {
    push.subscription?.hasPrefix("partner-order-updates") == true
  }

  private mutating func change(in record: CloudRecord) -> [Milestone] {
    switch (kind, record.type) {
    case (.positions, "DriverLocation"):
      return change(record.name, at: record.created.timestamp.toMilliseconds)
    case (.offers, "DriverOffer"):
      return change(record.name, at: record.created.timestamp.toMilliseconds)
    case (.orders, "DriverOffer") where record.text("state") == "accepted":
      guard let order = record.text("orderId") else { return [] }
      return change(
        "\(order)/\(OrderStatus.claim)", at: record.modified.timestamp.toMilliseconds)
    case (.orders, "Order"), (.partners, "Order"):
      guard let status = record.text("status"),
        case .timestamp(let at)? = record.fields["updatedAt"]
      else { return [] }
      return change("\(record.name)/\(status)", at: at)
    default: return []
    }
  }

  private mutating func change(_ key: String, at instant: Instant) -> [Milestone] {
    var telling = young[key] ?? old[key] ?? Telling()
    guard instant < telling.changedAt ?? .distantFuture else { return [] }
    telling.changedAt = instant
    defer { young[key] = telling }
    let arrivals = telling.arrivals
    telling.arrivals = []
    return arrivals.flatMap { pair(instant, $0) }
  }

  private mutating func arrive(
    _ key: String, _ person: PersonID, at instant: Instant
  ) -> [Milestone] {
    var telling = young[key] ?? old[key] ?? Telling()
    guard telling.heardBy.insert(person).inserted else { return [] }
    defer { young[key] = telling }
    if let changed = telling.changedAt { return pair(changed, instant) }
    telling.arrivals.append(instant)
    return []
  }

  private mutating func pair(_ changed: Instant, _ arrived: Instant) -> [Milestone] {
    // A look that came before this one may have shown a later change alone.
    guard arrived >= changed else { return [] }
    count += 1
    return [.begins("\(count)", changed), .ends("\(count)", arrived)]
  }
}

extension Exchange<MimiSupply> {
  /// Positions are new when they are saved, and read in bulk afterwards.
  fileprivate var mayShowPositions: Bool {
    guard outcome.isReplied, case .modify(let place, let asked) = request else { return false }
    return place.database != "public" && asked.items.first?.record.type == "DriverLocation"
  }
}
