import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What inspections have shown of a city up to the last one (§11): its records beside what the market notes of them. What the last
/// one brought is named apart, and what is added up is kept.
public final class Inspected {
  struct Driver: Sendable {
    var isOnline: Int64?
    var isAvailable: Int64?
    var deliveries: Int64?
    var rating: Double?
    /// How many the market says he has; `nil` when it says nothing of him.
    var activeOrders: Int?
  }

  struct Partner: Sendable {
    var place: Geography.Point?
    var rating: Double?
    var reviewCount: Int64?
  }

  /// When somebody looked, by the server's clock.
  private(set) var now: Instant?
  private(set) var zone = CivilZone.berlin
  private(set) var drivers: [RecordName: Driver] = [:]
  private(set) var partners: [RecordName: Partner] = [:]
  private(set) var orders: [RecordName: InspectedOrder] = [:]
  private(set) var totals = Totals()
  private(set) var openOffers: [RecordName: RecordName] = [:]

  /// New or otherwise since the look before, in order of their names; of those that are still there.
  private(set) var changedOrders: [RecordName] = []
  private(set) var changedDrivers: [RecordName] = []
  private(set) var changedPartners: [RecordName] = []

  private var open: Set<RecordName> = []
  private var completions: [RecordName: Completion] = [:]
  private var touched: Set<RecordName> = []
  /// The offers that were made not long before the last look or since.
  private var offers: [RecordName: Offer] = [:]
  private var lookedAt = Instant.distantPast

  /// What is added up over all orders and all ratings.
  struct Totals: Sendable {
    /// Cents that came in, and those that went out or are due to somebody (MS-38).
    fileprivate(set) var received: Int64 = 0
    fileprivate(set) var spoken: Int64 = 0
    /// By driver.
    fileprivate(set) var delivered: [RecordName: Int64] = [:]
    /// By driver and by partner.
    fileprivate(set) var stars: [RecordName: RatingTotal] = [:]
  }

  struct RatingTotal: Sendable {
    var sum: Int64 = 0
    var count: Int64 = 0
  }

  private struct Completion {
    let rating: Int64
    let rated: [RecordName]
  }

  /// Orders that are not over, in order of their names.
  var openOrders: [(name: RecordName, order: InspectedOrder)] {
    open.sorted().map { ($0, orders[$0]!) }
  }

  /// The offers that the last look showed and no earlier one did, with those that were open then, the oldest first.
  func offers(after instant: Instant) -> [Offer] {
    offers.values.filter { $0.offered > instant }
      .sorted { ($0.offered, $0.name) < ($1.offered, $1.name) }
  }

  // MARK: Taking in

  func take(_ shown: JSON, at instant: Instant) {
    if shown["since"]?.wholeNumber ?? 0 == 0 { forget() }
    touched = []
    now = shown["now"]?.moment
    takeMarket(shown["market"])
    let deleted = shown["deleted"]
    for type in [RecordType.partner, .driver, .order, .driverOffer, .deliveryCompletion] {
      for name in deleted?[type.text]?.array ?? [] { name.name().map { remove($0, type) } }
    }
    let records = shown["records"]
    forgetOffers()
    // An order is known before what was said of it.
    for type in [RecordType.partner, .driver, .order, .driverOffer, .deliveryCompletion] {
      for document in records?[type.text]?.array ?? [] {
        InspectedRow(document).map { take($0, type) }
      }
    }
    let names = touched.sorted()
    changedOrders = names.filter { orders[$0] != nil }
    changedDrivers = names.filter { drivers[$0] != nil }
    changedPartners = names.filter { partners[$0] != nil }
    lookedAt = instant
  }

  private func forget() {
    (drivers, partners, orders, completions) = ([:], [:], [:], [:])
    (totals, open, openOffers, offers) = (Totals(), [], [:], [:])
  }

  private func takeMarket(_ market: JSON?) {
    guard let market else { return }
    zone = market["timeZone"]?.string.flatMap { CivilZone($0) } ?? .berlin
    for (name, note) in market["drivers"]?.object?.members ?? [] {
      changeDriver(RecordName(name)) { $0.activeOrders = note["activeOrders"]?.array?.count }
    }
    for (name, note) in market["orders"]?.object?.members ?? [] {
      change(RecordName(name)) { $0.note = InspectedOrder.Note(note) }
    }
  }

  /// What was offered before then, no later look is about.
  private func forgetOffers() {
    let horizon = lookedAt - .minutes(2)
    offers = offers.filter { $0.value.offered > horizon }
  }

  private func take(_ row: InspectedRow, _ type: RecordType) {
    switch type {
    case .partner:
      partners[row.name] = Partner(row)
      touched.insert(row.name)
    case .driver: changeDriver(row.name) { $0.take(row) }
    case .order: change(row.name) { $0.row = InspectedOrder.Row(row) }
    case .driverOffer:
      guard let offer = Offer(row) else { return }
      openOffers[offer.name] = offer.state == "offered" ? offer.driver : nil
      if offer.offered > lookedAt - .minutes(2) { offers[offer.name] = offer }
    case .deliveryCompletion: takeCompletion(row)
    default: break
    }
  }

  private func remove(_ name: RecordName, _ type: RecordType) {
    switch type {
    case .partner: partners[name] = nil
    case .driver: drivers[name] = nil
    case .order: change(name) { $0.row = nil }
    case .driverOffer: (openOffers[name], offers[name]) = (nil, nil)
    case .deliveryCompletion: count(completions.removeValue(forKey: name), -1)
    default: break
    }
  }

  private func changeDriver(_ name: RecordName, _ body: (inout Driver) -> Void) {
    body(&drivers[name, default: Driver()])
    touched.insert(name)
  }

  private func change(_ name: RecordName, _ body: (inout InspectedOrder) -> Void) {
    var order = orders[name] ?? InspectedOrder()
    count(order, -1)
    body(&order)
    count(order, 1)
    orders[name] = order.isGone ? nil : order
    if order.isOpen { open.insert(name) } else { open.remove(name) }
    touched.insert(name)
  }

  private func takeCompletion(_ row: InspectedRow) {
    count(completions.removeValue(forKey: row.name), -1)
    guard let rating = row[DeliveryCompletion.customerRating],
      let order = row[DeliveryCompletion.order]
    else { return }
    let rated = [row[DeliveryCompletion.driver], orders[order]?.row?.partner].compactMap(\.self)
    let completion = Completion(rating: rating, rated: rated)
    completions[row.name] = completion
    count(completion, 1)
  }

  // MARK: Adding up

  private func count(_ order: InspectedOrder, _ sign: Int64) {
    if let balance = order.balance {
      totals.received &+= sign &* balance.received
      totals.spoken &+= sign &* balance.spoken
    }
    if let row = order.row, row.status == .delivered, let driver = row.driver {
      totals.delivered[driver, default: 0] += sign
      touched.insert(driver)
    }
  }

  private func count(_ completion: Completion?, _ sign: Int64) {
    guard let completion else { return }
    for name in completion.rated {
      totals.stars[name, default: RatingTotal()].sum &+= sign &* completion.rating
      totals.stars[name]!.count += sign
      touched.insert(name)
    }
  }
}

extension Inspected.Partner {
  fileprivate init(_ row: InspectedRow) {
    if let north = row[Partner.latitude], let east = row[Partner.longitude] {
      place = Geography.Point(north, east)
    }
    (rating, reviewCount) = (row[Partner.rating], row[Partner.reviewCount])
  }
}

extension Inspected.Driver {
  fileprivate mutating func take(_ row: InspectedRow) {
    isOnline = row.flag(.isOnline)
    isAvailable = row.flag(.isAvailable)
    deliveries = row[Driver.completedDeliveries]
    rating = row[Driver.rating]
  }
}
