import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// A customer before the run: where she lives, and when she first looks.
struct CustomerSeed: Sendable {
  /// `customer-7`.
  let name: String
  let home: Geography.Point
  /// The partner from which she orders most.
  let favourite: RecordName?
  /// Signs in at the first checkout.
  let isStranger: Bool
  let begins: Instant?
  let arrivals: RandomStream
}

/// A customer (§5.2): browses, fills a cart, orders, pays, follows the order, rates.
///
/// Each session has a stream of its own, so that what happens in one leaves the decisions of the next alone.
public final class Customer: Behaviour {
  public typealias Contract = MimiSupply

  public let begins: Instant?
  let city: City
  let seed: CustomerSeed
  let phone: Installation
  /// From which this session's decisions are drawn.
  var luck: RandomStream
  private var arrivals: RandomStream
  private var due: Instant
  private var sessions = 0
  private(set) var orders = 0
  /// What the app fetched in this session, by partner.
  private var products: [RecordName: [CloudRecord]] = [:]

  init(_ seed: CustomerSeed, in city: City) {
    self.seed = seed
    self.city = city
    begins = seed.begins
    due = seed.begins ?? .distantFuture
    arrivals = seed.arrivals
    luck = seed.arrivals
    phone = Installation(
      Account(seed.name, .customer), isSignedIn: !seed.isStranger, in: city)
  }

  var habits: Habits.Shopping { city.habits.shopping }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    sessions += 1
    luck = city.luck(seed.name, about: "\(sessions)")
    products = [:]
    phone.show(true, to: me)
    if phone.app.isSignedIn { _ = try await phone.enter(as: me) }
    try await shop(as: me)
    phone.show(false, to: me)
    products = [:]
    guard let next = city.curve.next(after: due, until: city.plan.ends, &arrivals) else {
      return nil
    }
    due = next
    return next
  }

  func think(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await me.think(luck.span(median: habits.thinking, sigma: 0.7))
  }

  private func shop(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let wants = luck.chance(1 / (1 + habits.sessionsWithoutOrder))
    guard let partners = try await browse(as: me), wants else { return }
    var further = 2
    while let cart = try await fill(from: partners, as: me) {
      let end = try await checkOut(cart, as: me)
      guard end == .cancelled || end == .failed, further > 0, luck.chance(habits.reorders) else {
        return
      }
      further -= 1
      try await think(me)
    }
  }

  /// A name that no order had.
  func nameOrder() -> RecordName {
    orders += 1
    return Customer.order(orders, of: seed.name)
  }

  /// The n-th order of somebody: `order-customer-7-2`.
  static func order(_ number: Int, of customer: String) -> RecordName {
    "order-\(customer)-\(number)"
  }
}

// MARK: Browsing

extension Customer {
  /// Looks at partners around, some of their products, and a few of those closely.
  private func browse(as me: Person<MimiSupply>) async throws(JourneyEnded) -> [CloudRecord]? {
    guard let partners = try await phone.app.find(fetchPartners(), as: me), !partners.isEmpty
    else { return nil }
    let fetched = try await phone.app.prefetch(after: partners, first: habits.prefetched, as: me)
    for (partner, shown) in fetched {
      products[partner] = shown
    }
    for _ in 0..<luck.pick(0..<habits.searches + 1) {
      try await think(me)
      let category = luck.pick(Stored.partnerCategories)
      _ = try await phone.app.find(fetchPartners(category: category), as: me)
    }
    var closely = 1 + luck.pick(0..<habits.productsOpened)
    for _ in 0..<1 + luck.pick(0..<habits.partnersOpened) {
      try await think(me)
      let partner = luck.pick(partners)
      guard let shown = try await page(of: partner.name, as: me), !shown.isEmpty else { continue }
      let product = luck.pick(shown)
      guard closely > 0, luck.chance(0.6) else { continue }
      closely -= 1
      try await think(me)
      _ = try await phone.app.look(product.name, in: "public", as: me)
    }
    return partners
  }

  /// `fetchProducts(for:)`, once in a session.
  private func page(
    of partner: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [CloudRecord]? {
    if let known = products[partner] { return known }
    let found = try await phone.app.find(.products(of: partner), as: me)
    products[partner] = found
    return found
  }

  /// `fetchPartners(in:)` around home (§3.4).
  private func fetchPartners(category: String? = nil) -> Query {
    var filters = [
      Filter(.isActive, .equals, .int64(1)),
      Filter(
        text: "location", .near,
        .position(latitude: seed.home.latitude, longitude: seed.home.longitude),
        distance: city.reach),
    ]
    if let category { filters.insert(Filter(.category, .equals, .string(category)), at: 1) }
    return Query(RecordQuery(.partner, filters, sortedBy: [Sort(.rating, ascending: false)]))
  }

  // MARK: Choosing

  /// Chooses a partner that is open and delivers here, and puts a basket together.
  private func fill(
    from partners: [CloudRecord], as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Cart? {
    let goesToFavourite = luck.chance(habits.favourite)
    let value = luck.lognormal(median: habits.basketMedian, sigma: habits.basketSigma)
    let count = min(20, 1 + luck.poisson(mean: habits.furtherLines))
    var choice = partners.filter { delivers($0) }
    for _ in 0..<4 where !choice.isEmpty {
      let usual = choice.firstIndex { $0.name == seed.favourite }
      let place = goesToFavourite ? usual ?? nearest(in: choice) : nearest(in: choice)
      let partner = choice.remove(at: place)
      let hours = partner[Partner.openingHours].flatMap(OpeningHours.init(parsing:))
      guard hours?.isOpen(at: me.now, in: .berlin) == true else { continue }
      try await think(me)
      guard let shown = try await page(of: partner.name, as: me),
        let cart = Cart(at: partner, from: shown, value: value, count: count, &luck),
        cart.isEnough
      else { continue }
      try await me.think(luck.span(median: habits.thinking * 3, sigma: 0.7))
      return cart
    }
    return nil
  }

  /// Of three partners the nearest.
  private func nearest(in choice: [CloudRecord]) -> Int {
    (0..<3).map { _ in luck.pick(0..<choice.count) }.min {
      distance(to: choice[$0]) < distance(to: choice[$1])
    }!
  }

  func distance(to partner: CloudRecord) -> Int {
    guard let point = partner.point(Partner.latitude, Partner.longitude) else { return .max }
    return Geography.metres(point, seed.home)
  }

  private func delivers(_ partner: CloudRecord) -> Bool {
    Double(distance(to: partner)) <= (partner[Partner.deliveryRadius] ?? 0) * 1_000
  }
}
