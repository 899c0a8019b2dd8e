import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

private typealias S = MarketStory

@Suite struct `Checks of MimiSupply's pushes` {
  private static let cases = telling + polling + shapes

  private static func judge(
    _ limit: MimiSupply.Rule, _ story: (inout MarketStory) -> Void
  ) -> Judge {
    var told = MarketStory(MarketStory.city)
    story(&told)
    return told.judged(by: limit)
  }

  @Test(arguments: cases)
  func `every check of MS-90 to MS-100 holds on good records and says that the rule was tried`(
    example: MarketCase
  ) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: cases)
  func `every check of MS-90 to MS-100 fails on records that break its rule`(example: MarketCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  @Test(arguments: cases)
  func `a rule of pushes that nobody tries counts nothing`(example: MarketCase) {
    #expect(Self.judge(example.limit) { _ in }.violations == 0)
  }

  // MARK: Who is told of what

  /// Alice listens to her orders on a tablet, and somebody looks at everything an hour later.
  private static func alice(_ story: inout MarketStory) {
    story.listen("alice-tablet", of: "alice")
    story.subscribe("order-updates", .of("Order", .customerId, "alice"), as: "alice")
  }

  private static func later(_ story: inout MarketStory) {
    story.now += .hours(1)
    story.inspect()
  }

  /// Dirk gives back an order that he has, or had until the system took it from him.
  private static func givesBack(_ story: inout MarketStory, held driver: RecordName?) {
    alice(&story)
    story.look(["o"], [.saved(S.order(.readyForPickup, driver: driver))])
    writesNoDriver(&story)
  }

  private static func writesNoDriver(_ story: inout MarketStory) {
    let draft = RecordDraft(name: "o", changeTag: "1", fields: [.driverId: nil])
    story.write(
      [.init(.update, draft)], as: "dirk", [.saved(S.order(.readyForPickup, tag: "2"))])
  }

  private static let telling: [MarketCase] = [
    MarketCase(.ms90) {
      alice(&$0)
      $0.move(.accepted, as: "olga")
      $0.hear("accepted", at: "alice-tablet")
      later(&$0)
    } fails: {
      alice(&$0)
      $0.move(.accepted, as: "olga")
      later(&$0)
    },
    MarketCase(.ms90) {
      givesBack(&$0, held: "d")
      $0.hear("driver_assigned", at: "alice-tablet")
      later(&$0)
    } fails: {
      givesBack(&$0, held: "d")
      $0.hear("ready_for_pickup", at: "alice-tablet")
      later(&$0)
    },
    MarketCase(.ms90) {
      givesBack(&$0, held: nil)
      $0.hear("ready_for_pickup", at: "alice-tablet")
      later(&$0)
    } fails: {
      givesBack(&$0, held: nil)
      $0.hear("driver_assigned", at: "alice-tablet")
      later(&$0)
    },
    MarketCase(.ms91) {
      follow(&$0)
      $0.hearPosition("x", at: "alice-tablet")
      later(&$0)
    } fails: {
      follow(&$0)
      later(&$0)
    },
    MarketCase(.ms92) {
      olga(&$0)
      $0.hear("payment_confirmed", at: "olga-phone", from: "partner-order-updates", .created)
      later(&$0)
    } fails: {
      olga(&$0)
      later(&$0)
    },
    MarketCase(.ms93) {
      alice(&$0)
      $0.move(.cancelled, as: "ada")
      $0.hear("cancelled", at: "alice-tablet")
    } fails: {
      alice(&$0)
      $0.move(.cancelled, as: "ada")
      $0.hear("cancelled", at: "alice-tablet")
      $0.hear("cancelled", at: "alice-tablet")
    },
    MarketCase(.ms94) {
      alice(&$0)
      $0.move(.accepted, as: "olga")
      $0.hear("accepted", at: "alice-tablet")
    } fails: {
      $0.listen("bob-phone", of: "bob")
      $0.move(.accepted, as: "olga")
      $0.hear("accepted", at: "bob-phone")
    },
    MarketCase(.ms94) {
      follow(&$0)
      $0.listen("dirk-phone", of: "dirk")
      $0.hearPosition("x", at: "dirk-phone")
    } fails: {
      $0.listen("bob-phone", of: "bob")
      $0.stand(100, name: "x")
      $0.hearPosition("x", at: "bob-phone")
    },
    MarketCase(.ms94) {
      $0.listen("dirk-phone", of: "dirk")
      $0.hearOffer(to: "d", at: "dirk-phone")
    } fails: {
      $0.listen("dirk-phone", of: "dirk")
      $0.hearOffer(to: "e", at: "dirk-phone")
    },
    MarketCase(.ms95) {
      alice(&$0)
      $0.move(.cancelled, as: "alice")
      $0.hear("cancelled", at: "alice-tablet")
    } fails: {
      alice(&$0)
      $0.listen("alice-phone", of: "alice", on: "device-alice")
      $0.move(.cancelled, as: "alice")
      $0.hear("cancelled", at: "alice-phone")
      $0.now += .minutes(2)
    },
  ]

  /// Alice's order is with dirk before and after he says where he is.
  private static func follow(_ story: inout MarketStory) {
    story.listen("alice-tablet", of: "alice")
    story.subscribe(
      "driver-location-updates", .of("DriverLocation", .driverId, "d"), as: "alice")
    story.place()
    story.look(["o"], [.saved(S.order(.pickedUp, driver: "d", tag: "4"))])
    story.stand(100, name: "x")
    story.look(["o"], [.saved(S.order(.pickedUp, driver: "d", tag: "4"))])
  }

  private static func olga(_ story: inout MarketStory) {
    story.listen("olga-phone", of: "olga")
    story.subscribe(
      "partner-order-updates", RecordQuery("Order", [Filter(.partnerId, .isIn, .strings(["p"]))]),
      on: [.create], as: "olga")
    story.place()
  }

  // MARK: Polls

  private static let polling: [MarketCase] = [
    MarketCase(.ms98) {
      $0.poll("t", [S.push("accepted", badge: 1), S.push("preparing", badge: 2)])
      $0.poll("t", [S.push("ready_for_pickup", badge: 1)])
    } fails: {
      $0.poll("t", [S.push("preparing", badge: 1), S.push("accepted", badge: 2)])
    },
    MarketCase(.ms98) {
      $0.poll("t", [S.push("accepted")])
      $0.poll("t", [S.push("cancelled")])
    } fails: {
      $0.poll("t", [S.push("preparing")])
      $0.poll("t", [S.push("accepted")])
    },
    MarketCase(.ms99) {
      $0.poll("t", [S.push("accepted", badge: 1), S.push("preparing", badge: 2)])
    } fails: {
      $0.poll("t", [S.push("accepted", badge: 1), S.push("preparing", badge: 1)])
    },
    MarketCase(.ms99) {
      $0.hear("accepted", at: "t", badge: 1)
      $0.now += .minutes(30)
      $0.hear("preparing", at: "t", badge: 1)
      $0.now += .minutes(30)
    } fails: {
      $0.hear("accepted", at: "t", badge: 1)
      $0.now += .minutes(30)
      $0.hear("preparing", at: "t", badge: 2)
      $0.now += .minutes(30)
    },
  ]

  // MARK: Payloads

  private static let shapes: [MarketCase] = [
    MarketCase(.ms96) {
      $0.poll("t", [S.push("en_route", body: "Ihre Bestellung ist unterwegs!")])
    } fails: {
      $0.poll("t", [S.push("en_route", body: "Unterwegs")])
    },
    MarketCase(.ms96) {
      $0.poll("t", [S.push("driver_assigned")])
    } fails: {
      $0.poll("t", [S.push("delivering")])
    },
    MarketCase(.ms100) {
      $0.poll("t", [S.push("accepted", with: [.paymentMethod: .string("cash")])])
    } fails: {
      $0.poll("t", [S.push("accepted", with: [.totalCents: .int64(1)])])
    },
    MarketCase(.ms100) {
      $0.poll("t", [S.push("accepted", with: [.name: .string(S.text(3_000))])])
    } fails: {
      $0.poll("t", [S.push("accepted", with: [.name: .string(S.text(4_097))])])
    },
    MarketCase(.ms100) {
      $0.control(.configure(["pushMaxBytes": 8_192]))
      $0.poll("t", [S.push("accepted", with: [.name: .string(S.text(4_097))])])
    } fails: {
      $0.control(.configure(["pushMaxBytes": 2_048]))
      $0.poll("t", [S.push("accepted", with: [.name: .string(S.text(3_000))])])
    },
  ]

  // MARK: What may not be taken for a violation

  @Test func `a driver who gets an order twice is told twice: MS-93`() {
    let judge = Self.judge(.ms93) { story in
      story.listen("dirk-phone", of: "dirk")
      story.subscribe("order-updates", .of("Order", .driverId, "d"), as: "dirk")
      for _ in 1...2 { story.hear("driver_assigned", at: "dirk-phone", .created) }
    }
    #expect(judge.violations == 0)
  }

  @Test func `whose subscription ended meanwhile need not hear of it: MS-90`() {
    let judge = Self.judge(.ms90) { story in
      Self.alice(&story)
      story.move(.accepted, as: "olga")
      story.now = story.now - .seconds(5)
      story.ask(
        .modifySubscriptions(
          Location(database: "private"), [.init(.delete, .name("order-updates"))]),
        MarketStory.replied(.subscriptions([.deleted("order-updates")])))
      Self.later(&story)
    }
    #expect(judge.exercised == 0)
  }

  @Test func `who names no driver may change nothing, where the state before is unseen: MS-90`() {
    let judge = Self.judge(.ms90) { story in
      Self.alice(&story)
      Self.writesNoDriver(&story)
      Self.later(&story)
    }
    #expect(judge.exercised == 0)
  }

  @Test func `a device that polls is told by its polls: MS-90`() {
    let judge = Self.judge(.ms90) { story in
      Self.alice(&story)
      story.move(.accepted, as: "olga")
      story.poll("alice-tablet", [S.push("accepted")])
      Self.later(&story)
    }
    #expect(judge.exercised == 0)
  }
}

// MARK: - Short words for pushes

extension MarketStory {
  static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

  static func push(
    _ status: String, body: String = "Ihre Bestellung hat sich geändert.", badge: Int = 1,
    from subscription: String = "order-updates", _ fired: PushNotification.Fired = .updated,
    with fields: Fields = [:]
  ) -> PushNotification {
    PushNotification(
      .order(id: "o", status: status, title: "Bestellupdate", body: body, badge: badge),
      id: "nid-1", subscription: subscription, recordName: "o", zone: Zone(), fired: fired,
      additional: fields)
  }

  /// A device of somebody gets a push token, at which he listens.
  mutating func listen(_ token: String, of user: String, on device: DeviceName? = nil) {
    ask(
      .createToken(Location(database: nil), apnsEnvironment: "production"), as: user,
      device: device ?? DeviceName(token),
      Self.replied(
        .tokenCreated(
          CourierToken(apnsEnvironment: "production", apnsToken: token, webcourierURL: ""))))
    note(.listening(token: token), as: user)
  }

  mutating func subscribe(
    _ id: String, _ query: RecordQuery,
    on events: [Subscription.Event] = [
      .create, .update, .delete,
    ], as user: String
  ) {
    let subscription = Subscription(id, query, firesOn: events)
    ask(
      .modifySubscriptions(
        Location(database: "private"), [.init(.create, .subscription(subscription))]), as: user,
      Self.replied(.subscriptions([.stored(subscription)])))
  }

  /// Alice places her order.
  mutating func place() {
    let order = Self.order(.paymentConfirmed)
    let draft = RecordDraft(
      name: "o", type: "Order", fields: FieldChanges(order.fields))
    write([.init(.create, draft)], [.saved(order)])
  }

  /// Somebody moves alice's order.
  mutating func move(_ status: OrderStatus, as user: String) {
    let draft = RecordDraft(
      name: "o", changeTag: "1", fields: [.status: .string(status.rawValue)])
    write([.init(.update, draft)], as: user, [.saved(Self.order(status, tag: "2"))])
  }

  mutating func hear(
    _ status: String, at token: String, badge: Int = 1, from subscription: String = "order-updates",
    _ fired: PushNotification.Fired = .updated
  ) {
    hear(Self.push(status, badge: badge, from: subscription, fired), at: token)
  }

  mutating func hearPosition(_ name: RecordName, at token: String) {
    hear(
      PushNotification(
        .position(driver: "d"), id: "nid-1", subscription: "driver-location-updates",
        recordName: name, zone: Zone(), fired: .created), at: token)
  }

  mutating func hearOffer(to driver: RecordName, at token: String) {
    hear(
      PushNotification(
        .offer(id: "offer_1", order: "o", driver: driver), id: "nid-1",
        subscription: "driver-offers", recordName: "offer_1", zone: Zone(), fired: .created),
      at: token)
  }

  mutating func hear(_ push: PushNotification, at token: String) {
    var push = push
    push.destination = PushDestination(token)
    receive(push)
  }

  mutating func poll(_ token: String, _ pushes: [PushNotification]) {
    ask(
      .poll(Poll(following: Poll.path(of: token), timeoutSeconds: 0)), as: nil,
      Self.replied(.notifications(pushes)))
  }
}

extension RecordQuery {
  static func of(_ type: RecordType, _ field: FieldName, _ value: String) -> RecordQuery {
    RecordQuery(type, [Filter(field, .equals, .string(value))])
  }
}
