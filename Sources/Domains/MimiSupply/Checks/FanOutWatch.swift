import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// From a change to the arrival of a notification about it (MS-97), one for each device that it reaches. Whether all
/// arrive is another rule's question: only arrivals are timed.
///
/// A change is dated by its commit, which saved and read records carry. Of an order's notifications those count whose
/// change is certain: for the customer the first of each status, since others with the same status are about tips and
/// instructions; for everybody the assignment of a driver.
struct FanOutWatch: MilestoneWatch {
  typealias Contract = MimiSupply
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

  /// What may be told: an order's state, a driver's assignment to it, or any other record.
  private enum Key: Hashable {
    case order(Int, OrderStatus)
    case assignment(Int)
    case record(RecordName)
  }

  /// How long a telling is remembered at least; the rest is forgotten in two generations.
  private static let memory = Span.minutes(10)

  private let kind: Kind
  private let news: OrderNews
  private var young: [Key: Telling] = [:]
  private var old: [Key: Telling] = [:]
  private var turnsAt = Instant.distantPast
  /// Who placed an order, by its number.
  private var customers: [Int: PersonID] = [:]
  private var count = 0

  init(_ kind: Kind, by news: OrderNews) {
    self.kind = kind
    self.news = news
  }

  mutating func see(_ record: MSRecord) -> [Milestone] {
    if record.time >= turnsAt {
      (old, young) = (young, [:])
      turnsAt = record.time + Self.memory
    }
    switch record.event {
    case .signal(let signal):
      guard case .notification(let push) = signal, let person = record.person,
        let key = key(of: push, to: person)
      else { return [] }
      return arrive(key, person, at: record.time)
    case .request(let call):
      if kind == .positions {
        guard call.mayShowPositions else { return [] }
        return call.shown.flatMap { change(in: $0) }
      }
      if kind == .orders, call.mayShowOrders { remember(call, by: record.person) }
      return news.items.flatMap { change(in: $0) }
    case .control, .note, .inspection: return []
    }
  }

  private mutating func remember(_ call: MSCall, by person: PersonID?) {
    for (item, result) in call.writes where item.kind == .create && result?.record != nil {
      if let name = item.record.name, item.record.type == .order {
        customers[news.number(of: name)] = person
      }
    }
  }

  private func key(of push: PushNotification, to person: PersonID) -> Key? {
    switch (kind, push.content) {
    case (.orders, .order(let name, let status, _, _, _)):
      if Self.isOfPartners(push) { return nil }
      let order = news.number(of: name)
      if status == OrderStatus.claim { return .assignment(order) }
      guard customers[order] == person, let status = OrderStatus.of(status) else {
        return nil
      }
      return .order(order, status)
    case (.partners, .order(let name, let status, _, _, _)):
      guard Self.isOfPartners(push), let status = OrderStatus.of(status) else { return nil }
      return .order(news.number(of: name), status)
    case (.positions, .position), (.offers, .offer): return .record(push.recordName)
    default: return nil
    }
  }

  private static func isOfPartners(_ push: PushNotification) -> Bool {
    push.subscription?.hasPrefix("partner-order-updates") == true
  }

  private mutating func change(in position: CloudRecord) -> [Milestone] {
    guard position.type == .driverLocation else { return [] }
    return change(.record(position.name), at: position.created.timestamp.toMilliseconds)
  }

  private mutating func change(in item: OrderNews.Item) -> [Milestone] {
    switch (kind, item) {
    case (.offers, .offer(let offer, _, _)):
      return change(.record(offer.name), at: offer.created.timestamp.toMilliseconds)
    case (.orders, .offer(let offer, let order, _)):
      guard offer[DriverOffer.state] == "accepted" else { return [] }
      return change(.assignment(order), at: offer.modified.timestamp.toMilliseconds)
    case (.orders, .order(let order)), (.partners, .order(let order)):
      return change(.order(order.number, order.status), at: order.updatedAt)
    default: return []
    }
  }

  private mutating func change(_ key: Key, at instant: Instant) -> [Milestone] {
    var telling = young[key] ?? old[key] ?? Telling()
    if case .assignment = key, let last = telling.changedAt, last < instant {
      // Another driver.
      telling.heardBy = []
    } else if instant >= telling.changedAt ?? .distantFuture {
      return []
    }
    telling.changedAt = instant
    defer { young[key] = telling }
    let arrivals = telling.arrivals
    telling.arrivals = []
    return arrivals.flatMap { pair(instant, $0) }
  }

  private mutating func arrive(
    _ key: Key, _ person: PersonID, at instant: Instant
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

extension Call<MimiSupply> {
  /// Positions are new when they are saved, and read in bulk afterwards.
  fileprivate var mayShowPositions: Bool {
    guard outcome.isReplied, case .modify(let place, let asked) = request else { return false }
    return place.database != "public" && asked.items.first?.record.type == .driverLocation
  }
}
