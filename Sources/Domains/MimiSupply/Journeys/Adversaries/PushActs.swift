import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the rules of subscriptions and pushes: MS-90 to MS-100.
enum PushActs {
  static let all: [Act] = [delivery, cancelled, queued, stuffed]

  private static let own = "order-updates"
  private static let positions = "driver-location-updates"
  private static let partners = "partner-order-updates"
  private static let offers = "driver-offers"
  private static let always = Subscription.Event.allCases

  /// A whole delivery, of which everybody hears what is his (MS-90 to MS-93), on every device but the one that made the
  /// change (MS-95); strangers, who subscribed to the same, hear nothing (MS-94).
  static let delivery = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await listen(adversary, me)
    try await subscribe(adversary, me)
    try await driver.begin(metres: 150)
    if let order = try await adversary.accepted(me) {
      try await driver.take(order)
      try await adversary.prepare(order, me)
      try await positions(driver, order)
      try await driver.deliver(order)
      try await adversary.look(order, as: .customer, me)
      // Nobody but the driver sees this one (MS-94, MS-107).
      try await driver.stand(metres: 400)
    }
    try await driver.end()
    try await unsubscribe(adversary, me)
  }

  /// Every position of the assigned driver is the customer's to hear of (MS-91).
  private static func positions(
    _ driver: Shift, _ order: RecordName
  ) async throws(JourneyEnded) {
    let (adversary, me) = (driver.adversary, driver.me)
    try await adversary.look(order, as: .customer, me)
    for metres in [60.0, 30, 5] { try await driver.stand(metres: metres) }
    try await adversary.look(order, as: .customer, me)
  }

  /// The customer cancels on one device, and the other hears of it (MS-95).
  static let cancelled = Act { adversary, me throws(JourneyEnded) in
    try await listen(adversary, me)
    try await subscribe(adversary, me)
    if let order = try await adversary.place(adversary.order(at: me.now), me) {
      try await adversary.move(order.name, to: .cancelled, as: .customer, me)
    }
    try await unsubscribe(adversary, me)
  }

  private static func listen(
    _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    for role in [Corner.Role.customer, .owner, .driver, .stranger, .relief] {
      try await adversary.listen(on: adversary.corner.device(role), as: role, me)
    }
    for role in [Corner.Role.customer, .driver] {
      try await adversary.listen(on: adversary.tablet(of: role), as: role, me)
    }
  }

  private static func subscribe(
    _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let corner = adversary.corner
    let customers = RecordQuery.of(.order, .customerId, corner.user(.customer))
    let drivers = RecordQuery.of(.driverLocation, .driverId, corner.driver)
    let offered = RecordQuery.of(.driverOffer, .driverId, corner.driver)
    try await adversary.subscribe(own, to: customers, on: always, as: .customer, me)
    try await adversary.subscribe(positions, to: drivers, on: [.create], as: .customer, me)
    try await adversary.subscribe(
      partners,
      to: RecordQuery(.order, [Filter(.partnerId, .isIn, .strings([corner.partner.text]))]),
      on: [.create], as: .owner, me)
    try await adversary.subscribe(
      own, to: .of(.order, .driverId, corner.driver), on: always, as: .driver, me)
    try await adversary.subscribe(offers, to: offered, on: [.create], as: .driver, me)
    // What is another's.
    try await adversary.subscribe(own, to: customers, on: always, as: .stranger, me)
    try await adversary.subscribe(positions, to: drivers, on: [.create], as: .stranger, me)
    try await adversary.subscribe(offers, to: offered, on: [.create], as: .relief, me)
  }

  private static func unsubscribe(
    _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await adversary.unsubscribe([own, positions], as: .customer, me)
    try await adversary.unsubscribe([partners], as: .owner, me)
    try await adversary.unsubscribe([own, offers], as: .driver, me)
    try await adversary.unsubscribe([own, positions], as: .stranger, me)
    try await adversary.unsubscribe([offers], as: .relief, me)
  }

  /// Several changes at once, fetched together: in their order (MS-98), and each badge counts those that wait (MS-99).
  static let queued = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let kiosk = DeviceName("\(corner.device(.customer))-kiosk")
    guard let token = try await adversary.pushToken(on: kiosk, as: .customer, me) else { return }
    try await adversary.subscribe(
      own, to: .of(.order, .customerId, corner.user(.customer)), on: always, as: .customer, me)
    for _ in 0..<2 {
      guard let order = try await adversary.place(adversary.order(at: me.now), me) else { continue }
      let steps: [OrderStatus] = [.accepted, .preparing, .readyForPickup]
      try await adversary.write(
        steps.map { step in
          .init(
            .forceUpdate,
            RecordDraft(
              name: order.name, type: .order, fields: [.status: .string(step.rawValue)]))
        }, as: .owner, me)
      try await adversary.poll(token, me)
      try await adversary.clear(order.name, me)
    }
    try await adversary.unsubscribe([own], as: .customer, me)
  }

  /// Subscriptions that ask for everything: the shape stays (MS-96), nothing personal travels and nothing too long
  /// (MS-100).
  static let stuffed = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    try await listen(adversary, me)
    try await adversary.subscribe(
      own, to: .of(.order, .customerId, corner.user(.customer)), on: always,
      with: [
        "items", "deliveryAddress", "deliveryInstructions", "totalCents", "tipCents", "status",
        "paymentMethod",
      ], as: .customer, me)
    try await adversary.subscribe(
      "catalogue", to: .of(.product, .partnerId, corner.partner), on: [.update],
      with: ["name", "description", "priceCents"], in: "public", as: .stranger, me)
    var order = adversary.order(at: me.now)
    order.instructions = "Bitte bei +49 30 5550 anrufen"
    if let placed = try await adversary.place(order, me) {
      try await adversary.move(placed.name, to: .accepted, as: .owner, me)
      try await adversary.clear(placed.name, me)
    }
    for length in [3_000, 4_096, 0] {
      try await adversary.update(
        corner.dish, [.description: .string(String(repeating: "x", count: length))],
        in: "public", as: .owner, me)
    }
    try await adversary.unsubscribe([own], as: .customer, me)
    try await adversary.unsubscribe(["catalogue"], in: "public", as: .stranger, me)
  }
}
