import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// A driver who is new in the corner, so that all that he ever delivered is seen.
struct Newcomer {
  let adversary: Adversary
  let me: Person<MimiSupply>
  let driver: RecordName
  let credential: MimiSupply.Credential

  /// Somebody signs in, registers and is verified; `nil` when the sign-in was refused or lost.
  static func arrives(
    _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Newcomer? {
    let device = DeviceName(adversary.fresh("device"))
    guard
      let answer = try await adversary.enter(
        adversary.fresh("apple").text, on: device, role: "driver", me)
    else { return nil }
    let newcomer = Newcomer(
      adversary: adversary, me: me, driver: adversary.fresh("driver"),
      credential: MimiSupply.Credential(
        apiToken: "mimi-app", userToken: answer.userToken, deviceID: device))
    let record = adversary.corner.newDriver(newcomer.driver, at: me.now)
      .named(newcomer.driver, with: [.userId: .name(answer.userRecordName)])
    try await newcomer.write(.init(.create, record))
    try await adversary.update(
      newcomer.driver, [.verificationStatus: .string("verified")], as: .admin, me)
    return newcomer
  }

  private func write(_ item: Modification.Item) async throws(JourneyEnded) {
    try await adversary.ask(
      .modify(Location(database: "private"), Modification([item])), with: credential, me)
  }

  private func change(_ name: RecordName, _ fields: FieldChanges) async throws(JourneyEnded) {
    try await write(.init(.forceUpdate, RecordDraft(name: name, fields: fields)))
  }

  /// Goes online so many metres north of the partner.
  func begin(metres: Double) async throws(JourneyEnded) {
    try await change(driver, [.isOnline: .int64(1), .isAvailable: .int64(0)])
    let point = adversary.corner.north(metres: metres)
    let position = adversary.corner.newPosition(
      adversary.fresh("position"),
      [
        .driverId: .name(driver), .latitude: .double(point.latitude),
        .longitude: .double(point.longitude),
      ], at: me.now)
    try await write(.init(.create, position))
    try await change(driver, [.isAvailable: .int64(1)])
  }

  func end() async throws(JourneyEnded) { try await change(driver, [.isOnline: .int64(0)]) }

  /// Answers the offer of an order; nothing when it was not offered.
  func answer(_ order: RecordName, _ state: String) async throws(JourneyEnded) {
    let query = Query(
      RecordQuery(
        .driverOffer,
        [Filter(.driverId, .equals, .name(driver)), Filter(.orderId, .equals, .name(order))]))
    let outcome = try await adversary.ask(
      .query(Location(database: "private"), query), with: credential, me)
    if case .found(let offers, _)? = outcome.reply?.content, let offer = offers.first {
      try await change(offer.name, [.state: .string(state)])
    }
  }

  /// Takes an accepted order that was offered, and brings it to its customer.
  func deliver(_ order: RecordName) async throws(JourneyEnded) {
    try await answer(order, "accepted")
    try await adversary.prepare(order, me)
    for status in [OrderStatus.pickedUp, .enRoute] {
      try await change(order, [.status: .string(status.rawValue)])
    }
    let proof = adversary.corner.newCompletion(
      adversary.fresh("completion"), of: order, at: me.now)
    try await write(
      .init(.create, proof.named(proof.name ?? "", with: [.driverId: .name(driver)])))
    try await change(order, [.status: .string(OrderStatus.delivered.rawValue)])
  }

  func leave() async throws(JourneyEnded) {
    try await adversary.ask(.deleteAccount, with: credential, me)
  }
}

/// Who is asked first among drivers of whom everything is known (MS-76), and when again (MS-70).
enum NewcomerActs {
  static let all: [Act] = [seniority, inLine, again, customer]

  /// Of two who delivered nothing the one whose name comes first is asked, and of two who delivered as much the one who did so
  /// longer ago (§6.3).
  private static let seniority = Act { adversary, me throws(JourneyEnded) in
    var both: [Newcomer] = []
    for _ in 1...2 {
      if let newcomer = try await Newcomer.arrives(adversary, me) { both.append(newcomer) }
    }
    both.sort { $0.driver < $1.driver }
    try await offer(to: both, adversary, me)
    // The one whose name comes last delivers first.
    for newcomer in both.reversed() {
      try await newcomer.begin(metres: 150)
      if let order = try await adversary.accepted(me) {
        try await newcomer.deliver(order)
        // What did not come to its end does so now.
        try await adversary.move(order, to: .failed, as: .admin, me)
      }
      try await newcomer.end()
    }
    try await offer(to: both, adversary, me)
    for newcomer in both { try await newcomer.leave() }
  }

  /// All stand at one distance while somebody orders.
  private static func offer(
    to newcomers: [Newcomer], _ adversary: Adversary, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    for newcomer in newcomers { try await newcomer.begin(metres: 310) }
    for newcomer in newcomers { try await adversary.look(newcomer.driver, as: .admin, me) }
    let order = try await adversary.accepted(me)
    for newcomer in newcomers { try await adversary.look(newcomer.driver, as: .admin, me) }
    if let order { try await adversary.clear(order, me) }
    for newcomer in newcomers { try await newcomer.end() }
  }

  /// Two orders wait where no driver is: who comes is asked for the one that waits longer, and its name comes last.
  private static let inLine = Act { adversary, me throws(JourneyEnded) in
    var orders: [RecordName] = []
    for _ in 1...2 {
      if let placed = try await adversary.place(adversary.order(at: me.now), me) {
        orders.append(placed.name)
      }
    }
    orders.sort { $1 < $0 }
    for order in orders { try await adversary.move(order, to: .accepted, as: .owner, me) }
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    for order in orders + orders {
      if let offer = try await driver.offer(of: order) {
        try await driver.answer(offer.name, "declined")
      }
    }
    for order in orders { try await adversary.clear(order, me) }
    try await driver.end()
  }

  /// Who ordered and drives since then sees his order, and wants it while it is offered to another (MS-67).
  private static let customer = Act { adversary, me throws(JourneyEnded) in
    let (corner, device) = (adversary.corner, DeviceName(adversary.fresh("device")))
    guard let answer = try await adversary.enter(adversary.fresh("apple").text, on: device, me)
    else { return }
    let credential = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: answer.userToken, deviceID: device)
    func write(_ item: Modification.Item) async throws(JourneyEnded) {
      try await adversary.ask(
        .modify(Location(database: "private"), Modification([item])), with: credential, me)
    }
    var order = adversary.order(at: me.now)
    order.customer = answer.userRecordName
    try await write(.init(.create, order.draft(at: me.now)))
    try await adversary.update(
      answer.userRecordName.profile, [.role: .string("driver")], as: .admin, me)
    let own = adversary.fresh("driver")
    try await write(
      .init(
        .create,
        corner.newDriver(own, at: me.now)
          .named(own, with: [.userId: .name(answer.userRecordName)])
      ))
    try await adversary.update(own, [.verificationStatus: .string("verified")], as: .admin, me)
    let driver = Shift(.driver, adversary, me)
    try await driver.begin(metres: 150)
    try await adversary.move(order.name, to: .accepted, as: .owner, me)
    let found = try await adversary.ask(
      .lookup(Location(database: "private"), Lookup([.init(order.name)])), with: credential, me)
    try await write(
      .init(
        .update,
        RecordDraft(
          name: order.name, changeTag: found.items.first?.record?.changeTag ?? "0",
          fields: [.driverId: .name(own)])))
    try await adversary.clear(order.name, me)
    try await driver.end()
    try await adversary.ask(.deleteAccount, with: credential, me)
  }

  /// The only driver declines, and is asked again when the retry interval is over. He is new, so that all states of his
  /// are remembered.
  private static let again = Act { adversary, me throws(JourneyEnded) in
    guard let driver = try await Newcomer.arrives(adversary, me) else { return }
    try await driver.begin(metres: 150)
    if let order = try await adversary.accepted(me) {
      try await driver.answer(order, "declined")
      try await adversary.look(driver.driver, as: .admin, me)
      try await me.think(.seconds(16))
      try await adversary.look(driver.driver, as: .admin, me)
      try await me.think(.seconds(25))
      try await adversary.clear(order, me)
    }
    try await driver.end()
    try await driver.leave()
  }
}
