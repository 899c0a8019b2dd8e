import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Finds the milestones of orders in whatever shows them: what a request saved or read carries the commit's time as
/// `updatedAt` (§6.1), so that they do not depend on who looked when.
///
/// A driver whom the system assigns is seen with the next look at the order; when something else was changed in between,
/// the assignment counts from that change, which is late by a second or so. Accepted offers and claims are exact.
struct OrderMilestones: MilestoneWatch {
  typealias Contract = MimiSupply
  typealias Milestone = BusinessLatency<MimiSupply>.Milestone

  enum Measure: Sendable {
    /// Every search for a driver.
    case dispatch
    /// An order's first search.
    case first
    /// Searches after an order lost its driver.
    case redispatch
    /// A search's begin → its first offer, or the driver where none is made.
    case match
    case orderToDriver, acceptance, delivery
  }

  static let concerns: Set<Concern> = [
    .controls, .asks(.query), .asks(.lookup), .asks(.modify), .asks(.changes),
  ]

  /// What is known of one order.
  private struct Sight: Sendable {
    var updatedAt = Instant.distantPast
    var status = OrderStatus.created
    var driver: RecordName?
    /// The search that runs or ran last; 0 before the first.
    var search = 0
    /// A driver was seen before the state in which the search began.
    var assignedUnbegun: Instant?
    /// An offer was seen before it.
    var offeredUnbegun: Instant?
  }

  private let measure: Measure
  private let news: OrderNews
  private var deployment = MimiSupply.Deployment()
  /// By the order's number.
  private var sights: [Sight] = []

  init(_ measure: Measure, by news: OrderNews) {
    self.measure = measure
    self.news = news
  }

  mutating func see(_ record: MSRecord) -> [Milestone] {
    switch record.event {
    case .control(.control(.configure(let adjustment)), _):
      adjustment.apply(to: &deployment)
      return []
    case .request:
      var milestones: [Milestone] = []
      for item in news.items {
        switch item {
        case .order(let sight): if !sight.isRepeated { see(sight, &milestones) }
        case .offer(let offer, let order, let driver):
          see(offer, order, driver, &milestones)
        }
      }
      return milestones
    case .control, .signal, .note, .inspection: return []
    }
  }

  private func sight(of order: Int) -> Sight {
    sights.indices.contains(order) ? sights[order] : Sight()
  }

  private mutating func keep(_ sight: Sight, of order: Int) {
    while sights.count <= order { sights.append(Sight()) }
    sights[order] = sight
  }

  private mutating func see(_ order: OrderNews.OrderSight, _ milestones: inout [Milestone]) {
    let (at, record) = (order.updatedAt, order.shown.record)
    var sight = sight(of: order.number)
    defer { keep(sight, of: order.number) }
    guard at >= sight.updatedAt, !sight.status.isTerminal else {
      // An old state is news only to who times searches and has not seen one begin.
      let timesSearches = measure != .acceptance && measure != .delivery
      if timesSearches, sight.search == 0, isSearched(order.status), order.shown.driver == nil {
        begin(record.name, &sight, at: at, &milestones)
      }
      return
    }
    let isNew = sight.updatedAt == .distantPast
    let former = sight
    sight.updatedAt = at
    sight.status = order.status
    sight.driver = order.shown.driver
    switch measure {
    case .delivery: follow(delivery: order, isNew, &milestones)
    case .acceptance: follow(acceptance: order, isNew, former.status, &milestones)
    default:
      if measure == .orderToDriver, isNew {
        milestones.append(.begins(record.name.text, record.created.timestamp.toMilliseconds))
      }
      follow(record, from: former, &sight, at: at, &milestones)
    }
  }

  // MARK: Searches (§6.1)

  private func isSearched(_ status: OrderStatus) -> Bool {
    let trigger = OrderStatus.of(deployment.dispatchTrigger.rawValue)!
    return status.isActive && status.place >= trigger.place
  }

  private mutating func follow(
    _ record: CloudRecord, from former: Sight, _ sight: inout Sight, at instant: Instant,
    _ milestones: inout [Milestone]
  ) {
    if sight.status == .cancelled, sight.driver == nil {
      // Who cancels while it is prepared does not want it any more; ready for pickup it is given up.
      if former.status != .readyForPickup { abandon(record.name, sight, &milestones) }
      return
    }
    guard isSearched(sight.status) else { return }
    if let driver = sight.driver {
      if driver != former.driver { assign(record.name, &sight, at: instant, &milestones) }
    } else if sight.search == 0 || former.driver != nil {
      begin(record.name, &sight, at: instant, &milestones)
    }
  }

  /// An accepted offer is the assignment; any other says when a driver was found.
  private mutating func see(
    _ record: CloudRecord, _ number: Int, _ driver: RecordName, _ milestones: inout [Milestone]
  ) {
    guard let order = record[DriverOffer.order] else { return }
    var sight = sight(of: number)
    defer { keep(sight, of: number) }
    if measure == .match, let at = record[DriverOffer.offeredAt] {
      if sight.search == 0 { sight.offeredUnbegun = at }
      milestones.append(.ends(key(order, sight), at))
    }
    let at = record.modified.timestamp.toMilliseconds
    guard record[DriverOffer.state] == "accepted", sight.driver == nil, at >= sight.updatedAt,
      !sight.status.isTerminal
    else { return }
    sight.updatedAt = at
    sight.driver = driver
    assign(order, &sight, at: at, &milestones)
  }

  private func key(_ order: RecordName, _ sight: Sight) -> String { "\(order)/\(sight.search)" }

  private func begin(
    _ order: RecordName, _ sight: inout Sight, at instant: Instant, _ milestones: inout [Milestone]
  ) {
    sight.search += 1
    switch measure {
    case .orderToDriver: return
    case .first where sight.search > 1: return
    case .redispatch where sight.search == 1: return
    default: break
    }
    let key = key(order, sight)
    milestones.append(.begins(key, instant))
    if let offered = sight.offeredUnbegun, measure == .match, offered >= instant {
      milestones.append(.ends(key, offered))
    }
    if let assigned = sight.assignedUnbegun {
      milestones.append(.ends(key, max(instant, assigned)))
      sight.assignedUnbegun = nil
    }
  }

  private func assign(
    _ order: RecordName, _ sight: inout Sight, at instant: Instant, _ milestones: inout [Milestone]
  ) {
    if measure == .orderToDriver {
      milestones.append(.ends(order.text, instant))
    } else if sight.search == 0 {
      sight.assignedUnbegun = instant
    } else {
      milestones.append(.ends(key(order, sight), instant))
    }
  }

  private func abandon(_ order: RecordName, _ sight: Sight, _ milestones: inout [Milestone]) {
    milestones.append(.abandoned(measure == .orderToDriver ? order.text : key(order, sight)))
  }

  // MARK: Acceptance and delivery

  private func follow(
    delivery order: OrderNews.OrderSight, _ isNew: Bool, _ milestones: inout [Milestone]
  ) {
    let record = order.shown.record
    if isNew {
      milestones.append(.begins(record.name.text, record.created.timestamp.toMilliseconds))
    }
    switch order.status {
    case .delivered: milestones.append(.ends(record.name.text, order.updatedAt))
    case .cancelled, .failed: milestones.append(.abandoned(record.name.text))
    default: break
    }
  }

  /// From the partner's first sight of the order to `accepted`.
  private func follow(
    acceptance order: OrderNews.OrderSight, _ isNew: Bool, _ former: OrderStatus,
    _ milestones: inout [Milestone]
  ) {
    let name = order.shown.name.text
    if order.status == .paymentConfirmed, isNew || former != .paymentConfirmed {
      milestones.append(.begins(name, order.updatedAt))
    } else if order.status == .accepted {
      milestones.append(.ends(name, order.updatedAt))
    } else if order.status.isTerminal {
      milestones.append(.abandoned(name))
    }
  }
}
