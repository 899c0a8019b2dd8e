import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `MimiSupply's subscriptions and pushes` {
  /// Products of one partner that are dearer than 5 euros: what a change makes of a subscription to them.
  private static let table: [(before: Int64?, after: Int64?, fired: PushNotification.Fired?)] = [
    (nil, 600, .created), (nil, 400, nil), (400, 600, .updated), (600, 700, .updated),
    (600, nil, .deleted), (400, nil, nil), (600, 400, nil), (400, 450, nil),
  ]

  @Test func `the firing rule holds in every case of its table`() throws {
    for (before, after, fired) in Self.table {
      var city = City()
      let query = RecordQuery(
        "Product",
        [
          Filter(.partnerId, .equals, .string("partner-1")),
          Filter(.priceCents, .greaterThan, .int64(500)),
        ])
      let operation = SubscriptionOperation(.create, .subscription(Subscription("dear", query)))
      _ = try city.content(
        .modifySubscriptions(Location(database: "public"), [operation]), as: "customer-1")
      let token = try city.device("phone", of: "customer-1")
      func product(_ cents: Int64) -> Modification.Item {
        Modification.Item(
          .create,
          RecordDraft(
            name: "new", type: "Product",
            fields: [
              .partnerId: .string("partner-1"), .name: .string("Neu"),
              .description: .string(""), .priceCents: .int64(cents),
              .category: .string("food"), .isAvailable: .int64(1),
              .createdAt: .timestamp(cityNoon), .updatedAt: .timestamp(cityNoon),
            ]))
      }
      if let before {
        _ = try city.save(product(before), as: "partner-1", in: "public")
        _ = try city.fetch(token)
      }
      switch (before, after) {
      case (nil, let after?): _ = try city.save(product(after), as: "partner-1", in: "public")
      case (_, let after?):
        _ = try city.save(
          .init(
            .forceUpdate, RecordDraft(name: "new", fields: [.priceCents: .int64(after)])),
          as: "partner-1", in: "public")
      default:
        _ = try city.modify(
          [.init(.forceDelete, RecordDraft(name: "new"))], as: "partner-1", in: "public")
      }
      let pushed = try city.fetch(token)
      #expect(pushed.map(\.fired) == (fired.map { [$0] } ?? []), "\(before ?? 0) → \(after ?? 0)")
      #expect(pushed.allSatisfy { $0.database == .public && $0.subscription == "dear" })
    }
  }

  @Test
  func `customer, partner and driver learn what section 3 says, each once (MS-90, MS-92, MS-93)`()
    throws
  {
    var city = City()
    city.operate(.configure(["dispatchMode": "auto"]))
    try city.subscribe(
      "order-updates",
      to: RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))]),
      as: "customer-1")
    try city.subscribe(
      "partner-order-updates",
      to: RecordQuery("Order", [Filter(.partnerId, .isIn, .strings(["partner-1"]))]),
      as: "partner-1", on: [.create])
    try city.subscribe(
      "order-updates",
      to: RecordQuery("Order", [Filter(.driverId, .equals, .string("driver-2"))]),
      as: "driver-2")
    let customer = try city.device("phone", of: "customer-1")
    let tablet = try city.device("tablet", of: "customer-1")
    let partner = try city.device("till", of: "partner-1")
    let driver = try city.device("bike", of: "driver-2")

    let order = try city.save(city.order("o-1"), as: "customer-1", device: "phone")
    #expect(try city.fetch(customer).isEmpty, "the device that ordered hears nothing (MS-95)")
    #expect(try statuses(city.fetch(tablet)) == ["payment_confirmed"])
    let created = try city.fetch(partner)
    #expect(created.map(\.fired) == [.created])
    _ = try city.save(city.updating(order, [.status: .string("accepted")]), as: "partner-1")
    city.pass(.seconds(1))
    #expect(try statuses(city.fetch(customer)) == ["accepted", "driver_assigned"])
    #expect(try city.fetch(partner).isEmpty, "one create per order")
    let assigned = try city.fetch(driver)
    #expect(assigned.map(\.fired) == [.created] && statuses(assigned) == ["driver_assigned"])
    #expect(
      city.line.signals.count == 7, "the same objects are signals addressed to the devices")
  }

  @Test
  func `an offer that a driver's own change brings reaches his only device (MS-95)`()
    throws
  {
    var city = City()
    try city.subscribe("driver-offers", to: RecordQuery("DriverOffer"), as: "driver-2")
    try city.subscribe("me", to: RecordQuery("Driver"), as: "driver-2")
    let bike = try city.device("bike", of: "driver-2")
    for driver in 1...2 {
      let free = try #require(city.twin.shelf.record("driver-\(driver)"))
      let onBreak = city.updating(free, [.isAvailable: .int64(0)])
      _ = try city.save(onBreak, as: "driver-\(driver)", device: "bike")
    }
    let order = try city.save(city.order("o-1"), as: "customer-1")
    _ = try city.save(city.updating(order, [.status: .string("accepted")]), as: "partner-1")
    #expect(try city.fetch(bike).isEmpty)

    let resting = try #require(city.twin.shelf.record("driver-2"))
    let back = city.updating(resting, [.isAvailable: .int64(1)])
    _ = try city.save(back, as: "driver-2", device: "bike")

    #expect(try city.fetch(bike).map(\.subscription) == ["driver-offers"])
  }

  @Test
  func `driver_assigned says that the assignment alone changed, also by a loss (MS-71)`()
    throws
  {
    var city = City()
    try city.subscribe(
      "order-updates",
      to: RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))]),
      as: "customer-1")
    let phone = try city.device("phone", of: "customer-1")
    let order = try city.save(city.order("o-1"), as: "customer-1", device: "phone")
    _ = try city.save(city.updating(order, [.status: .string("accepted")]), as: "partner-1")
    _ = try city.fetch(phone)
    func assign(_ driver: FieldValue?, _ others: Fields = [:]) throws -> String? {
      let stored = try #require(city.twin.shelf.record("o-1"))
      var fields = FieldChanges(others)
      fields[.driverId] = .some(driver)
      _ = try city.save(city.updating(stored, fields), as: "admin")
      return try statuses(city.fetch(phone)).first
    }

    #expect(try assign(.string("driver-1")) == "driver_assigned")
    #expect(try assign(nil) == "driver_assigned")
    let later: Fields = [.estimatedDeliveryTime: .timestamp(city.now + .minutes(40))]
    #expect(try assign(.string("driver-1"), later) == "accepted")
  }

  @Test func `what changes in the pool is an update, what comes back a create (3.5)`() throws {
    var city = City()
    city.operate(.configure(["dispatchMode": "pool"]))
    try city.subscribe(
      "pool",
      to: RecordQuery(
        "Order", [Filter(.status, .isIn, .strings(["accepted", "preparing"]))]), as: "driver-2")
    let bike = try city.device("bike", of: "driver-2")
    func fired(_ fields: FieldChanges, by name: String) throws
      -> [PushNotification.Fired]
    {
      let stored = try #require(city.twin.shelf.record("o-1"))
      _ = try city.save(city.updating(stored, fields), as: name)
      return try city.fetch(bike).map(\.fired)
    }
    _ = try city.save(city.order("o-1"), as: "customer-1")

    #expect(try fired([.status: .string("accepted")], by: "partner-1") == [.created])
    #expect(try fired([.status: .string("preparing")], by: "partner-1") == [.updated])
    #expect(try fired([.driverId: .string("driver-1")], by: "driver-1") == [])
    #expect(try fired([.driverId: nil], by: "driver-1") == [.created])
  }

  @Test func `who becomes eligible is told of what waits in the pool, once (6.5)`() throws {
    var city = City()
    city.operate(.configure(["dispatchMode": "pool"]))
    try city.subscribe(
      "pool", to: RecordQuery("Order", [Filter(.status, .equals, .string("accepted"))]),
      as: "driver-2")
    let bike = try city.device("bike", of: "driver-2")
    func change(_ fields: FieldChanges) throws -> [PushNotification.Fired] {
      let stored = try #require(city.twin.shelf.record("driver-2"))
      _ = try city.save(city.updating(stored, fields), as: "driver-2", device: "bike")
      return try city.fetch(bike).map(\.fired)
    }
    #expect(try change([.isAvailable: .int64(0)]) == [])
    let order = try city.save(city.order("o-1"), as: "customer-1")
    _ = try city.save(city.updating(order, [.status: .string("accepted")]), as: "partner-1")
    #expect(try city.fetch(bike).isEmpty)

    #expect(try change([.isAvailable: .int64(1)]) == [.created])
    #expect(try change([.name: .string("Rolf")]) == [], "he saw it before")
  }

  private func statuses(_ pushed: [PushNotification]) -> [String] {
    pushed.compactMap { pushed in
      guard case .order(_, let status, let title, let body, _) = pushed.content else { return nil }
      #expect(title == "Bestellupdate" && !body.isEmpty)
      return status
    }
  }

  @Test func `an unpaid order stays hidden from its partner until it is paid (MS-94)`() throws {
    var city = City()
    try city.subscribe(
      "partner-order-updates",
      to: RecordQuery("Order", [Filter(.partnerId, .equals, .string("partner-1"))]),
      as: "partner-1")
    let till = try city.device("till", of: "partner-1")
    var unpaid = city.order("o-1")
    unpaid.record.fields[.status] = .string("created")
    unpaid.record.fields[.paymentStatus] = .string("pending")
    let order = try city.save(unpaid, as: "customer-1")
    let processing = try city.save(
      city.updating(order, [.status: .string("payment_processing")]), as: "customer-1")
    #expect(try city.fetch(till).isEmpty)
    #expect(try city.lookup("o-1", as: "partner-1") == nil)
    _ = try city.save(
      city.updating(
        processing,
        [.status: .string("payment_confirmed"), .paymentStatus: .string("completed")]),
      as: "customer-1")
    #expect(try city.fetch(till).map(\.fired) == [.created])
  }

  @Test func `a poll waits for the next notification, at most as long as it wants`() throws {
    var city = City()
    try city.subscribe(
      "order-updates",
      to: RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))]),
      as: "customer-1")
    let token = try city.device("phone", of: "customer-1")
    let poll = MimiSupply.Request.poll(Poll(following: Poll.path(of: token), timeoutSeconds: 30))
    #expect(city.ask(poll) == nil)
    city.pass(.seconds(3))
    _ = try city.save(city.order("o-1"), as: "customer-1", device: "tablet")
    guard case .notifications(let pushed)? = city.line.late.first?.outcome.reply?.content else {
      throw ControlProblem("the poll was not answered")
    }
    #expect(pushed.count == 1 && city.line.signals.isEmpty)
    #expect(city.ask(poll) == nil)
    city.pass(.seconds(30))
    #expect(city.line.late.last?.outcome.reply?.content == .notifications([]))
    let unknown = MimiSupply.Request.poll(Poll(following: "/courier/1/nobody"))
    #expect(try city.refusal(unknown).code == .notFound)
  }

  @Test func `the badge counts what is not fetched, and the queue is bounded (MS-99)`() throws {
    var city = City()
    city.operate(.configure(["courierQueueLimit": 3]))
    try city.subscribe(
      "order-updates",
      to: RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))]),
      as: "customer-1")
    let token = try city.device("phone", of: "customer-1")
    for index in 1...3 {
      _ = try city.save(city.order("o-\(index)"), as: "customer-1", device: "x")
    }
    let first = try #require(city.twin.shelf.record("o-1"))
    _ = try city.save(
      city.updating(first, [.status: .string("cancelled")]), as: "customer-1", device: "x")
    let pushed = try city.fetch(token)
    #expect(pushed.map(\.recordName) == ["o-2", "o-3", "o-1"], "the older of two is coalesced")
    let badges = pushed.compactMap { pushed -> Int? in
      if case .order(_, _, _, _, let badge) = pushed.content { badge } else { nil }
    }
    #expect(badges == [2, 3, 3])
    #expect(city.twin.counters.notificationsCoalesced == 1)
  }

  @Test func `what is expected is what is queued, for each device and with consent`() throws {
    var city = City()
    let orders = RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))])
    func counts() -> (expected: JSON?, queued: JSON?) {
      let counted = JSON.object(city.twin.countersDocument)["notifications"]
      return (counted?["expected"], counted?["queued"])
    }
    // Nobody listens, then the phone that orders itself, then two other devices, then nobody consents.
    try city.subscribe("order-updates", to: orders, as: "customer-1")
    _ = try city.save(city.order("o-1"), as: "customer-1", device: "phone")
    #expect(counts() == (0, 0))
    _ = try city.device("phone", of: "customer-1")
    _ = try city.save(city.order("o-2"), as: "customer-1", device: "phone")
    #expect(counts() == (0, 0))
    for device: DeviceName in ["tablet", "watch"] { _ = try city.device(device, of: "customer-1") }
    _ = try city.save(city.order("o-3"), as: "customer-1", device: "phone")
    #expect(counts() == (2, 2))
    city.operate(.setConsent(user: "user-customer-1", kind: "notifications", granted: false))
    _ = try city.save(city.order("o-4"), as: "customer-1", device: "phone")
    #expect(counts() == (2, 2))
    // Who leaves is announced without a subscription (MS-116).
    _ = try city.device("till", of: "partner-1")
    #expect(try city.content(.deleteAccount, as: "customer-1") == .done)
    #expect(counts() == (6, 6))
  }

  @Test func `a rule that is switched off shows between what is expected and what is queued`()
    throws
  {
    for (rule, expected, queued) in [(MimiSupply.Rule.ms93, 1, 2), (.ms95, 1, 2), (.ms118, 0, 1)] {
      var city = City(rules: Rules<MimiSupply.Rule>(off: [rule]))
      let orders = RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))])
      try city.subscribe("order-updates", to: orders, as: "customer-1")
      for device: DeviceName in rule == .ms95 ? ["phone", "watch"] : ["watch"] {
        _ = try city.device(device, of: "customer-1")
      }
      if rule == .ms118 {
        city.operate(.setConsent(user: "user-customer-1", kind: "notifications", granted: false))
      }
      _ = try city.save(city.order("o-1"), as: "customer-1", device: "phone")
      let counted = JSON.object(city.twin.countersDocument)["notifications"]
      #expect(counted?["expected"] == .number(expected), "\(rule)")
      #expect(counted?["queued"] == .number(queued), "\(rule)")
    }
  }

  @Test func `a payload is free of what is personal and never too long (MS-100)`() throws {
    var city = City()
    let query = RecordQuery("Order", [Filter(.customerId, .equals, .string("user-customer-1"))])
    let info = Subscription.NotificationInfo(
      additionalFields: ["status", "deliveryAddress", "items", "totalCents", "paymentMethod"])
    let operation = SubscriptionOperation(
      .create, .subscription(Subscription("mine", query, notificationInfo: info)))
    _ = try city.content(
      .modifySubscriptions(Location(database: "private"), [operation]), as: "customer-1")
    let token = try city.device("phone", of: "customer-1")
    _ = try city.save(city.order("o-1"), as: "customer-1", device: "x")
    let pushed = try #require(try city.fetch(token).first)
    #expect(pushed.additional.names == [.status, .paymentMethod])
    #expect(pushed.document.description.utf8.count <= 4_096)
    city.operate(.configure(["pushMaxBytes": 100]))
    _ = try city.save(city.order("o-2"), as: "customer-1", device: "x")
    #expect(try city.fetch(token).first?.additional == [:], "additional fields go first")
  }

  @Test func `subscriptions are created, replaced, listed and deleted by their names`() throws {
    var city = City()
    let here = Location(database: "private")
    func modify(_ kind: SubscriptionOperation.Kind, _ subject: SubscriptionOperation.Subject)
      throws -> SubscriptionResult
    {
      let request = MimiSupply.Request.modifySubscriptions(here, [.init(kind, subject)])
      guard case .subscriptions(let results) = try city.content(request, as: "customer-1") else {
        throw ControlProblem("no subscriptions")
      }
      return results[0]
    }
    func code(_ result: SubscriptionResult) -> Failure.Code? {
      if case .failed(_, let failure) = result { failure.code } else { nil }
    }
    let mine = Subscription("mine", RecordQuery("Order"), firesOn: [.create])
    #expect(try code(modify(.update, .subscription(mine))) == .notFound)
    #expect(try modify(.create, .subscription(mine)) == .stored(mine))
    #expect(try code(modify(.create, .subscription(mine))) == .exists)
    let odd = Subscription(
      "odd", RecordQuery("Order", [Filter(text: "colour", .equals, .int64(1))]))
    #expect(try code(modify(.create, .subscription(odd))) == .badRequest)
    #expect(try code(modify(.create, .unreadable(id: "zone"))) == .badRequest)
    #expect(
      try city.content(.listSubscriptions(here), as: "customer-1")
        == .subscriptions([.stored(mine)]))
    #expect(try city.content(.listSubscriptions(here), as: "customer-2") == .subscriptions([]))
    #expect(try modify(.delete, .name("mine")) == .deleted("mine"))
    #expect(try code(modify(.delete, .name("mine"))) == .notFound)
  }
}
