import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the rules of drivers and dispatch: MS-64 to MS-76.
enum DispatchActs {
  static let all: [Act] = [
    equals, claims, secondOrder, declined, ineligible, stale, nobody, released, silent, dawdling,
    offline, carrying, late, nearest, equals,
  ]

  /// Those after which a driver of the corner may be far away: tried last.
  static let edges: [Act] = [edge]

  /// A driver accepts while an admin gives the order to another: one gets it (MS-69). Who comes later is told so.
  static let claims = Act { adversary, me throws(JourneyEnded) in
    let (driver, relief) = (Shift(.driver, adversary, me), Shift(.relief, adversary, me))
    try await driver.begin(metres: 150)
    try await relief.begin(metres: 2_000)
    guard let order = try await adversary.accepted(me) else {
      try await driver.end()
      return try await relief.end()
    }
    let offer = try await driver.offer(of: order)
    let seen = try await adversary.look(order, as: .admin, me)
    let corner = adversary.corner
    func claim(_ name: RecordName, _ tag: String?, _ field: FieldName, _ value: FieldValue)
      -> MimiSupply
      .Request
    {
      let draft = RecordDraft(name: name, changeTag: tag ?? "0", fields: [field: value])
      return .modify(Location(database: "private"), Modification([.init(.update, draft)]))
    }
    _ = try await me.ask(all: [
      Ask(
        claim(offer?.name ?? order, offer?.changeTag, .state, .string("accepted")),
        with: corner.credential(.driver)),
      Ask(
        claim(order, seen?.changeTag, .driverId, .name(relief.driver)),
        with: corner.credential(.admin)),
    ])
    for late in [relief, driver] {
      try await adversary.update(order, [.driverId: .name(late.driver)], as: .admin, me)
    }
    try await driver.orders()
    try await relief.orders()
    try await adversary.clear(order, me)
    try await driver.end()
    try await relief.end()
  }

  /// A driver who holds an order can neither get a second (MS-65) nor be available (MS-72); freed, he is again.
  static let secondOrder = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    guard let first = try await adversary.accepted(me) else { return try await driver.end() }
    try await driver.take(first)
    try await driver.look(with: first)
    try await driver.set([.isAvailable: .int64(1)])
    let second = try await adversary.accepted(me)
    if let second {
      try await adversary.update(second, [.driverId: .name(driver.driver)], as: .admin, me)
    }
    try await driver.orders()
    try await driver.look(with: first)
    try await driver.stand(metres: 10)
    if let second { try await adversary.clear(second, me) }
    try await adversary.prepare(first, me)
    try await driver.deliver(first)
    try await driver.look(with: first)
    try await driver.end()
  }

  /// One declines, the next lets his offer expire; neither is asked again at once (MS-68), and an answer that comes too
  /// late is none (MS-67).
  static let declined = Act { adversary, me throws(JourneyEnded) in
    let (driver, relief) = (Shift(.driver, adversary, me), Shift(.relief, adversary, me))
    try await driver.begin(metres: 150)
    try await relief.begin(metres: 1_000)
    guard let order = try await adversary.accepted(me) else {
      try await driver.end()
      return try await relief.end()
    }
    let first = try await driver.offer(of: order)
    if let first { try await driver.answer(first.name, "declined") }
    let second = try await relief.offer(of: order)
    try await me.think(.seconds(31))
    for state in ["accepted", "declined"] {
      if let second { try await relief.answer(second.name, state) }
      if let first { try await driver.answer(first.name, state) }
    }
    try await adversary.clear(order, me)
    try await driver.end()
    try await relief.end()
  }

  /// Too far away, on a break, no longer verified: nobody of them is asked (MS-66).
  static let ineligible = Act { adversary, me throws(JourneyEnded) in
    let (driver, relief) = (Shift(.driver, adversary, me), Shift(.relief, adversary, me))
    try await relief.set([
      .isOnline: .int64(0), .isAvailable: .int64(0),
    ])
    try await adversary.update(
      relief.driver, [.verificationStatus: .string("suspended")], as: .admin, me)
    try await relief.set([.isOnline: .int64(1), .isAvailable: .int64(1)])
    try await adversary.update(
      relief.driver, [.verificationStatus: .string("verified")], as: .admin, me)
    try await driver.begin(metres: 10_001)
    // On a break.
    try await relief.set([.isOnline: .int64(1), .isAvailable: .int64(0)])
    try await relief.stand(metres: 100)
    try await look(adversary, me)
    let order = try await adversary.accepted(me)
    try await look(adversary, me)
    // Just within the radius, and asked at once.
    try await driver.stand(metres: 9_998)
    if let order {
      _ = try await driver.offer(of: order)
      try await adversary.clear(order, me)
    }
    try await driver.end()
    try await relief.end()
  }

  /// Both drivers as an admin sees them: what is seen twice lasted between.
  private static func look(
    _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    for driver in [adversary.corner.driver, adversary.corner.relief] {
      try await adversary.look(driver, as: .admin, me)
    }
  }

  /// A position that is too old makes nobody a candidate (MS-66).
  static let stale = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    try await me.think(.seconds(121))
    let order = try await adversary.accepted(me)
    if let order { _ = try await driver.offer(of: order) }
    try await driver.stand(metres: 140)
    if let order {
      _ = try await driver.offer(of: order)
      try await adversary.clear(order, me)
    }
    try await driver.end()
  }

  /// An order where no driver is: it waits, and is given up with a refund after half an hour (MS-70). Nobody waits for
  /// that; the next who comes by looks what has become of it.
  static let nobody = Act { adversary, me throws(JourneyEnded) in
    if let left = adversary.left { try await adversary.look(left, as: .customer, me) }
    var order = adversary.order(at: me.now)
    order.partner = adversary.corner.remotePartner
    order.lines[0].product = adversary.corner.remoteDish
    order.address = NewOrder.address(street: "Weg 1", at: adversary.corner.north(metres: 14_500))
    guard let placed = try await adversary.place(order, me) else { return }
    try await adversary.move(placed.name, to: .accepted, as: .owner, me)
    adversary.left = placed.name
  }

  /// A driver gives an order back; it is offered anew, and taken again (MS-71). Once carried it stays (MS-64).
  static let released = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    guard let order = try await adversary.accepted(me) else { return try await driver.end() }
    try await driver.take(order)
    try await driver.release(order)
    // Who was asked is asked again in the next round alone.
    try await me.think(.seconds(18))
    try await driver.take(order)
    try await driver.stand(metres: 5)
    try await adversary.prepare(order, me)
    try await adversary.move(order, to: .pickedUp, as: .driver, me)
    try await driver.release(order)
    // Nor does its driver leave (MS-116), or say how it is to be delivered (MS-105).
    let carried = try await adversary.look(order, as: .driver, me)
    if carried?.fields[.status] == .string(OrderStatus.pickedUp.rawValue) {
      try await adversary.ask(.deleteAccount, as: .driver, me)
    }
    try await adversary.changeEach(order, as: .driver, me)
    let relief = Shift(.relief, adversary, me)
    try await relief.begin(metres: 200)
    try await adversary.update(
      order, [.driverId: .name(adversary.corner.relief)], as: .admin, me)
    try await adversary.look(order, as: .customer, me)
    try await adversary.update(
      order, [.deliveryInstructions: .string("Too late")], as: .customer, me)
    try await adversary.move(order, to: .failed, as: .admin, me)
    try await driver.end()
    try await relief.end()
  }

  /// A driver who has an order and is not heard of for two minutes has lost it (MS-71).
  static let silent = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    guard let order = try await adversary.accepted(me) else { return try await driver.end() }
    try await driver.take(order)
    try await adversary.look(order, as: .customer, me)
    try await me.think(.seconds(123))
    try await adversary.look(order, as: .customer, me)
    try await adversary.clear(order, me)
    try await driver.end()
  }

  /// A driver says where he is, and does not fetch what is ready: after twenty minutes he has lost it (MS-71).
  static let dawdling = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    guard let order = try await adversary.accepted(me) else { return try await driver.end() }
    try await driver.take(order)
    try await adversary.prepare(order, me)
    try await adversary.look(order, as: .customer, me)
    for _ in 0..<13 {
      try await me.think(.seconds(95))
      try await driver.stand(metres: 140)
    }
    try await adversary.look(order, as: .customer, me)
    try await adversary.clear(order, me)
    try await driver.end()
  }

  /// Who goes offline loses what he has not fetched yet, and sends no more positions (MS-73).
  static let offline = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    guard let order = try await adversary.accepted(me) else { return try await driver.end() }
    try await driver.take(order)
    try await driver.end()
    try await driver.look(with: order)
    try await driver.stand(metres: 140)
    try await driver.set([.isAvailable: .int64(1)])
    try await adversary.look(driver.driver, as: .admin, me)
    try await driver.begin(metres: 150)
    // Withdraws an open offer.
    try await driver.end()
    try await adversary.clear(order, me)
  }

  /// Who carries an order cannot go offline (MS-73).
  static let carrying = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    guard let order = try await adversary.accepted(me) else { return try await driver.end() }
    try await driver.take(order)
    try await adversary.prepare(order, me)
    try await adversary.move(order, to: .pickedUp, as: .driver, me)
    try await driver.end()
    try await driver.look(with: order)
    try await adversary.move(order, to: .failed, as: .driver, me)
    try await driver.look(with: order)
    try await driver.end()
  }

  /// Positions out of order: the driver stands where the latest says (MS-75).
  static let late = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.set([.isOnline: .int64(1)])
    try await driver.stand(metres: 300)
    for ago: Int64 in [60, 20, 40, 24] {
      try await driver.stand(metres: Double(1_000 + ago), ago: .seconds(ago))
      try await adversary.look(driver.driver, as: .driver, me)
    }
    try await driver.stand(metres: 310)
    try await adversary.look(driver.driver, as: .driver, me)
    try await driver.end()
  }

  /// The nearer of two drivers is asked first, whichever of them it is (MS-76).
  static let nearest = Act { adversary, me throws(JourneyEnded) in
    let (driver, relief) = (Shift(.driver, adversary, me), Shift(.relief, adversary, me))
    for (near, far) in [(driver, relief), (relief, driver)] {
      try await near.begin(metres: 250)
      try await far.begin(metres: 650)
      try await look(adversary, me)
      let order = try await adversary.accepted(me)
      try await look(adversary, me)
      if let order { try await adversary.clear(order, me) }
      try await near.end()
      try await far.end()
    }
  }

  /// Of two drivers at one place the one with the fewer deliveries is asked first, and before any deliveries the one whose name comes
  /// first (MS-76).
  static let equals = Act { adversary, me throws(JourneyEnded) in
    let (driver, relief) = (Shift(.driver, adversary, me), Shift(.relief, adversary, me))
    try await driver.begin(metres: 310)
    try await relief.begin(metres: 320)
    try await look(adversary, me)
    let order = try await adversary.accepted(me)
    try await look(adversary, me)
    if let order { try await adversary.clear(order, me) }
    try await driver.end()
    try await relief.end()
  }

  /// At the very radius a driver is asked (MS-66); who is offline gets nothing from an admin either, nor does a partner drive
  /// (MS-24).
  static let edge = Act { adversary, me throws(JourneyEnded) in
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 10_000)
    try await look(adversary, me)
    let order = try await adversary.accepted(me)
    try await look(adversary, me)
    if let order {
      _ = try await driver.offer(of: order)
      let corner = adversary.corner
      for claimed in [corner.relief, corner.partner, corner.dish, corner.user(.driver).profile] {
        try await adversary.update(order, [.driverId: .name(claimed)], as: .admin, me)
      }
      // Who is offline holds nothing (MS-73).
      try await Shift(.relief, adversary, me).look(with: order)
      // A claim of what is offered to another.
      try await adversary.update(order, [.driverId: .name(corner.relief)], as: .relief, me)
      try await adversary.look(order, as: .admin, me)
      try await adversary.clear(order, me)
    }
    try await driver.end()
  }
}
