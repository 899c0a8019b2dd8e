import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Changes of which somebody has to hear that deliveries do not bring (MS-90 to MS-95), and people who leave (MS-116).
enum TellingActs {
  static let all: [Act] = [details, failures, timeouts, releases, chosen, feedback, couriers]

  private static let always = Subscription.Event.allCases

  /// Customer, owner and driver hear of the customer's orders, each on two devices.
  private static func listen(
    _ id: String, _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let corner = adversary.corner
    for role in [Corner.Role.customer, .owner, .driver] {
      try await adversary.listen(on: corner.device(role), as: role, me)
      try await adversary.listen(on: adversary.tablet(of: role), as: role, me)
    }
    try await adversary.subscribe(
      id, to: .of(.order, .customerId, corner.user(.customer)), on: always, as: .customer, me)
    try await adversary.subscribe(
      id, to: .of(.order, .driverId, corner.driver), on: always, as: .driver, me)
    try await adversary.subscribe(
      id + "-offers", to: .of(.driverOffer, .driverId, corner.driver), on: [.create], as: .driver,
      me)
    try await adversary.subscribe(
      id, to: .of(.order, .partnerId, corner.partner), on: [.create], as: .owner, me)
  }

  private static func forget(
    _ id: String, _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await adversary.unsubscribe([id], as: .customer, me)
    try await adversary.unsubscribe([id], as: .owner, me)
    try await adversary.unsubscribe([id, id + "-offers"], as: .driver, me)
  }

  /// Tips, instructions and estimates: the state of the order stays, and everybody but who changed it hears of it.
  static let details = Act { adversary, me throws(JourneyEnded) in
    let id = adversary.fresh("told").text
    try await listen(id, adversary, me)
    let order = adversary.order(at: me.now)
    _ = try await adversary.place(order, me)
    try await adversary.update(
      order.name, [.tipCents: .int64(100), .totalCents: .int64(order.totalCents + 100)],
      as: .customer, me)
    try await adversary.update(
      order.name, [.deliveryInstructions: .string("ring")], as: .customer, me)
    try await adversary.move(order.name, to: .accepted, as: .owner, me)
    try await adversary.update(
      order.name,
      [.estimatedDeliveryTime: .timestamp(me.now.toMilliseconds + .minutes(55))], as: .owner, me)
    try await adversary.move(order.name, to: .preparing, as: .owner, me)
    try await adversary.move(order.name, to: .cancelled, as: .owner, me)
    try await forget(id, adversary, me)
  }

  /// An order fails before pickup, by an admin, and on the way, by its driver (MS-90).
  static let failures = Act { adversary, me throws(JourneyEnded) in
    let id = adversary.fresh("told").text
    try await listen(id, adversary, me)
    let early = adversary.order(at: me.now)
    _ = try await adversary.place(early, me)
    try await adversary.move(early.name, to: .accepted, as: .owner, me)
    try await adversary.move(early.name, to: .failed, as: .admin, me)
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    if let order = try await adversary.accepted(me) {
      try await driver.take(order)
      try await adversary.prepare(order, me)
      try await driver.carry(order)
      try await adversary.move(order, to: .failed, as: .driver, me)
    }
    try await driver.end()
    try await forget(id, adversary, me)
  }

  /// What the system ends is told like anything else: nobody accepts, nobody pays (MS-90).
  static let timeouts = Act { adversary, me throws(JourneyEnded) in
    let id = adversary.fresh("told").text
    try await listen(id, adversary, me)
    let (silent, unpaid) = (adversary.order(at: me.now), adversary.order(at: me.now))
    _ = try await adversary.place(silent, me)
    var draft = unpaid
    (draft.status, draft.paymentStatus) = (.created, "pending")
    _ = try await adversary.place(draft, me)
    try await me.think(.seconds(125))
    _ = try await adversary.look(silent.name, as: .customer, me)
    try await me.think(.minutes(13))
    _ = try await adversary.look(unpaid.name, as: .customer, me)
    try await forget(id, adversary, me)
  }

  /// A driver comes, gives the order back, comes again and goes offline: each time its customer hears of it (MS-71, MS-90).
  static let releases = Act { adversary, me throws(JourneyEnded) in
    let id = adversary.fresh("told").text
    try await listen(id, adversary, me)
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    if let order = try await adversary.accepted(me) {
      try await driver.take(order)
      try await driver.release(order)
      _ = try await adversary.look(order, as: .customer, me)
      try await me.think(.seconds(18))
      try await driver.take(order)
      _ = try await adversary.look(order, as: .customer, me)
      try await driver.end()
      _ = try await adversary.look(order, as: .customer, me)
      try await adversary.clear(order, me)
    }
    try await driver.end()
    try await forget(id, adversary, me)
  }

  /// A subscription fires on what it asks for, and one of them once (MS-93).
  static let chosen = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let (ends, once) = (adversary.fresh("ends").text, adversary.fresh("once").text)
    try await adversary.listen(on: corner.device(.stranger), as: .stranger, me)
    let dishes = RecordQuery.of(.product, .partnerId, corner.partner)
    try await adversary.subscribe(ends, to: dishes, on: [.delete], in: "public", as: .stranger, me)
    try await adversary.ask(
      .modifySubscriptions(
        Location(database: "public"),
        [.init(.create, .subscription(Subscription(once, dishes, firesOnce: true)))]),
      as: .stranger, me)
    for number in 1...3 {
      try await adversary.update(
        corner.dish, [.description: .string("Dish \(number)")], in: "public", as: .owner, me)
    }
    try await me.think(.seconds(20))
    try await adversary.unsubscribe([ends, once], in: "public", as: .stranger, me)
  }

  /// MS-116: a customer whose order was delivered, and rated in words, leaves with another under way; its partner hears of
  /// that.
  static let feedback = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    try await adversary.listen(on: corner.device(.owner), as: .owner, me)
    try await adversary.listen(on: adversary.tablet(of: .owner), as: .owner, me)
    let device = DeviceName(adversary.fresh("device"))
    guard let answer = try await adversary.enter(adversary.fresh("apple").text, on: device, me)
    else { return }
    let leaver = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: answer.userToken, deviceID: device)
    func own() -> NewOrder {
      var order = adversary.order(at: me.now)
      order.customer = answer.userRecordName
      order.instructions = "ring twice"
      return order
    }
    func write(_ item: Modification.Item) async throws(JourneyEnded) {
      try await adversary.ask(
        .modify(Location(database: "private"), Modification([item])), with: leaver, me)
    }
    let (over, open) = (own(), own())
    try await adversary.goOnline(me)
    try await write(.init(.create, over.draft(at: me.now)))
    let proof = try await adversary.advance(over.name, to: .delivered, me)
    try await adversary.goOffline(me)
    if let proof {
      try await write(
        .init(
          .forceUpdate,
          RecordDraft(
            name: proof,
            fields: [.customerRating: .int64(4), .customerFeedback: .string("Eva war da.")])))
    }
    try await write(.init(.create, open.draft(at: me.now)))
    try await adversary.move(open.name, to: .accepted, as: .owner, me)
    try await adversary.ask(.deleteAccount, with: leaver, me)
    for name in [over.name, open.name, proof ?? over.name] {
      for role in [Corner.Role.owner, .admin] {
        _ = try await adversary.look(name, as: role, me)
      }
    }
    try await adversary.move(open.name, to: .cancelled, as: .owner, me)
    _ = try await adversary.look(open.name, as: .admin, me)
  }

  /// MS-116: a driver registers, is verified, says where he is, and leaves: nothing of him stays.
  static let couriers = Act { adversary, me throws(JourneyEnded) in
    let (corner, device) = (adversary.corner, DeviceName(adversary.fresh("device")))
    guard
      let answer = try await adversary.enter(
        adversary.fresh("apple").text, on: device, role: "driver", me)
    else { return }
    let leaver = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: answer.userToken, deviceID: device)
    let (driver, position) = (adversary.fresh("driver"), adversary.fresh("position"))
    func write(_ items: [Modification.Item]) async throws(JourneyEnded) {
      try await adversary.ask(
        .modify(Location(database: "private"), Modification(items)), with: leaver, me)
    }
    let record = corner.newDriver(driver, at: me.now)
      .named(driver, with: [.userId: .name(answer.userRecordName)])
    try await write([.init(.create, record)])
    try await adversary.update(
      driver, [.verificationStatus: .string("verified")], as: .admin, me)
    try await write([
      .init(.forceUpdate, RecordDraft(name: driver, fields: [.isOnline: .int64(1)])),
      .init(.create, corner.newPosition(position, [.driverId: .name(driver)], at: me.now)),
    ])
    for name in [driver, position] { _ = try await adversary.look(name, as: .admin, me) }
    try await adversary.ask(.deleteAccount, with: leaver, me)
    for name in [driver, position, answer.userRecordName.profile] {
      _ = try await adversary.look(name, as: .admin, me)
    }
    try await adversary.ask(
      .query(
        Location(database: "private"), Query(.of(.driverLocation, .driverId, driver))), as: .admin,
      me)
    try await adversary.ask(.currentUser(Location(database: "public")), with: leaver, me)
  }
}
