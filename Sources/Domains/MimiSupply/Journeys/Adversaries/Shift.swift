import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// One of the corner's drivers at work: what acts about dispatch are made of.
struct Shift {
  let adversary: Adversary
  let me: Person<MimiSupply>
  let role: Corner.Role

  init(_ role: Corner.Role, _ adversary: Adversary, _ me: Person<MimiSupply>) {
    self.role = role
    self.adversary = adversary
    self.me = me
  }

  /// The record of the driver.
  var driver: RecordName { role == .relief ? adversary.corner.relief : adversary.corner.driver }

  @discardableResult
  func set(_ fields: FieldChanges) async throws(JourneyEnded) -> ItemResult? {
    try await adversary.update(driver, fields, as: role, me)
  }

  /// Goes online and says where; nobody is a candidate without a position.
  func begin(metres: Double) async throws(JourneyEnded) {
    try await set([.isOnline: .int64(1), .isAvailable: .int64(0)])
    try await stand(metres: metres)
    try await set([.isAvailable: .int64(1)])
  }

  func end() async throws(JourneyEnded) { try await set([.isOnline: .int64(0)]) }

  /// Says where the driver is: so many metres north of the partner, now or so long ago.
  @discardableResult
  func stand(metres: Double, ago: Span = .zero) async throws(JourneyEnded) -> ItemResult? {
    try await adversary.pause(me)
    let point = adversary.corner.north(metres: metres)
    let draft = RecordDraft(
      name: adversary.fresh("position"), type: .driverLocation,
      fields: [
        .driverId: .name(driver), .latitude: .double(point.latitude),
        .longitude: .double(point.longitude), .accuracy: .double(8),
        .timestamp: .timestamp((me.now - ago).toMilliseconds),
      ])
    return try await adversary.write([.init(.create, draft)], as: role, me).first
  }

  /// The latest offer of an order that this driver can see.
  func offer(of order: RecordName) async throws(JourneyEnded) -> CloudRecord? {
    let query = Query(
      RecordQuery(
        .driverOffer,
        [
          Filter(.driverId, .equals, .name(driver)), Filter(.orderId, .equals, .name(order)),
        ], sortedBy: [Sort(.offeredAt, ascending: false)]))
    let outcome = try await adversary.ask(
      .query(Location(database: "private"), query), as: role, me)
    guard case .found(let offers, _)? = outcome.reply?.content else { return nil }
    return offers.first
  }

  @discardableResult
  func answer(_ offer: RecordName, _ state: String) async throws(JourneyEnded) -> ItemResult? {
    try await adversary.update(offer, [.state: .string(state)], as: role, me)
  }

  /// Takes an order that was offered; nothing when it was not.
  func take(_ order: RecordName) async throws(JourneyEnded) {
    guard let offer = try await offer(of: order) else { return }
    try await answer(offer.name, "accepted")
  }

  /// Gives an order back (§3.4 releaseOrder); nothing when this driver does not carry it.
  @discardableResult
  func release(_ order: RecordName) async throws(JourneyEnded) -> ItemResult? {
    guard try await adversary.look(order, as: role, me)?[Order.driver] == driver else { return nil }
    return try await adversary.update(order, [.driverId: nil], as: role, me)
  }

  /// All orders of this driver in one answer (§3.4 fetchUserOrders).
  func orders() async throws(JourneyEnded) {
    let query = Query(RecordQuery(.order, [Filter(.driverId, .equals, .name(driver))]))
    try await adversary.ask(.query(Location(database: "private"), query), as: role, me)
  }

  /// The driver and an order of his in one answer, as an admin sees both whatever happens.
  func look(with order: RecordName) async throws(JourneyEnded) {
    try await adversary.ask(
      .lookup(Location(database: "private"), Lookup([.init(driver), .init(order)])), as: .admin, me)
  }

  /// Brings an order from the partner's door to the customer's.
  func deliver(_ order: RecordName) async throws(JourneyEnded) {
    try await carry(order)
    try await adversary.pause(me)
    let draft = RecordDraft(
      name: adversary.fresh("completion"), type: .deliveryCompletion,
      fields: [
        .orderId: .name(order), .driverId: .name(driver),
        .completedAt: .timestamp(me.now.toMilliseconds),
      ])
    try await adversary.write([.init(.create, draft)], as: role, me)
    try await adversary.move(order, to: .delivered, as: role, me)
  }

  /// Fetches an order that the partner has made ready, and drives off.
  func carry(_ order: RecordName) async throws(JourneyEnded) {
    try await adversary.move(order, to: .pickedUp, as: role, me)
    try await adversary.move(order, to: .enRoute, as: role, me)
  }
}

extension Adversary {
  /// An order of the corner's customer that its partner has accepted, so that a driver is looked for.
  func accepted(_ me: Person<MimiSupply>) async throws(JourneyEnded) -> RecordName? {
    guard let order = try await place(order(at: me.now), me) else { return nil }
    try await move(order.name, to: .accepted, as: .owner, me)
    return order.name
  }

  /// The partner prepares an accepted order until it is ready.
  func prepare(_ order: RecordName, _ me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await move(order, to: .preparing, as: .owner, me)
    try await move(order, to: .readyForPickup, as: .owner, me)
  }
}
