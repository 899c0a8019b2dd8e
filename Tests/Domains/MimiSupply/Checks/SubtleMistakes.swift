import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

private typealias S = MarketStory
private typealias R = SchemaRecords

/// What a backend gets wrong while it keeps the rule in the plain case.
@Suite struct `Subtle mistakes of a market's backend` {
  private static let cases = sessions + frame + writes + shown + traces + leaving + SubtleWrites.all

  private static func judge(
    _ limit: MimiSupply.Rule, in world: [Fixture.Entry],
    _ story: (inout MarketStory) -> Void
  ) -> Judge {
    var told = MarketStory(world)
    story(&told)
    // What is judged late is judged before the end.
    for _ in 1...2 {
      told.now += .minutes(3)
      told.ask(.refresh, as: "bob", .unsent(.offline))
    }
    return told.judged(by: limit)
  }

  @Test(arguments: cases)
  func `are none where the rule holds`(example: MarketCase) {
    let judge = Self.judge(example.limit, in: S.market, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
  }

  @Test(arguments: cases)
  func `are seen`(example: MarketCase) {
    #expect(Self.judge(example.limit, in: S.market, example.fails).violations > 0)
  }

  @Test(arguments: pushes)
  func `of pushes are none where the rule holds`(example: MarketCase) {
    let judge = Self.judge(example.limit, in: S.city, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
  }

  @Test(arguments: pushes)
  func `of pushes are seen`(example: MarketCase) {
    #expect(Self.judge(example.limit, in: S.city, example.fails).violations > 0)
  }

  // MARK: Who asks

  private static let world = Location(database: "public")
  private static let home = Location(database: "private")
  private static let done = S.replied(.done)
  private static let user = S.replied(.user(UserIdentity(userRecordName: "alice")))

  private static func refused(
    _ code: Failure.Code, _ native: Failure.Native, _ reason: String? = nil,
    error: String? = nil
  ) -> Outcome<MimiSupply> {
    S.refused(Failure(code, native, mimiError: error, mimiReason: reason))
  }

  private static let noSession = refused(
    .authenticationFailed, .notAuthenticated, error: "authenticationRequired")

  /// A session of alice's that lasts two minutes is used after three.
  private static func late(_ story: inout S, _ outcome: Outcome<MimiSupply>) {
    var fixture = Fixture()
    fixture.sessions = [
      .init("brief", user: "alice", deviceID: "watch", expiresAt: story.now + .minutes(2))
    ]
    story.control(.load(fixture))
    story.now += .minutes(3)
    story.ask(
      .currentUser(world), credential: .init(apiToken: "mimi-app", userToken: "brief"), outcome)
  }

  /// One of somebody's sessions ends, and another is used.
  private static func other(_ story: inout S, _ outcome: Outcome<MimiSupply>) {
    var fixture = Fixture()
    fixture.sessions = [.init("other", user: "alice", deviceID: "watch")]
    story.control(.load(fixture))
    story.ask(.signOut, credential: .init(apiToken: "mimi-app", userToken: "other"), done)
    story.ask(.currentUser(world), outcome)
  }

  /// A session of alice's that lasts two minutes is refreshed, and used after three.
  private static func renewed(_ story: inout S, _ outcome: Outcome<MimiSupply>) {
    var fixture = Fixture()
    fixture.sessions = [
      .init("brief", user: "alice", deviceID: "watch", expiresAt: story.now + .minutes(2))
    ]
    story.control(.load(fixture))
    let brief = MimiSupply.Credential(apiToken: "mimi-app", userToken: "brief")
    let end = story.now + .hours(24)
    story.ask(
      .refresh, credential: brief, S.replied(.refreshed(userToken: "brief", expiresAt: end)))
    story.now += .minutes(3)
    story.ask(.currentUser(world), credential: brief, outcome)
  }

  private static let sessions: [MarketCase] = [
    MarketCase(.ms101) {
      renewed(&$0, user)
    } fails: {
      renewed(&$0, noSession)
    },
    MarketCase(.ms101) {
      late(&$0, noSession)
    } fails: {
      late(&$0, user)
    },
    MarketCase(.ms101) {
      late(&$0, noSession)
    } fails: {
      late(&$0, refused(.authenticationRequired, .notAuthenticated))
    },
    MarketCase(.ms101) {
      other(&$0, user)
    } fails: {
      other(&$0, noSession)
    },
    MarketCase(.ms103) {
      $0.ask(
        .selectRole("driver"), refused(.accessDenied, .permissionFailure, "role_already_selected"))
    } fails: {
      $0.ask(
        .selectRole("driver"),
        refused(.badRequest, .constraintViolation, "role_already_selected"))
    },
    MarketCase(.ms12) {
      $0.ask(.currentUser(world), user)
    } fails: {
      $0.ask(.currentUser(world), refused(.internalError, .internalError))
    },
  ]

  // MARK: What is asked for

  private static let nothing = S.replied(.found([], continuationMarker: nil))
  private static let nowhere = MimiSupply.Request.query(
    home, Query(RecordQuery("Order"), zone: Zone("Nowhere")))
  private static let orders = RecordQuery("Order", [Filter(.customerId, .equals, .name(S.alice))])

  private static func pages(_ story: inout S, as user: String, _ outcome: Outcome<MimiSupply>) {
    var query = Query(RecordQuery("Product"), resultsLimit: 1)
    story.ask(
      .query(world, query), S.replied(.found([], continuationMarker: "marker of alice")))
    query.continuationMarker = "marker of alice"
    story.ask(.query(world, query), as: user, outcome)
  }

  private static func subscribes(
    _ kind: SubscriptionOperation.Kind, _ story: inout S, _ failure: Failure?
  ) {
    let subscription = Subscription("told", orders)
    let result: SubscriptionResult = failure.map { .failed("told", $0) } ?? .stored(subscription)
    story.ask(
      .modifySubscriptions(home, [.init(kind, .subscription(subscription))]),
      S.replied(.subscriptions([result])))
  }

  private static func deletes(_ zone: String, _ story: inout S, _ failure: Failure) {
    story.ask(
      .modifyZones(home, [.init(.delete, Zone(zone))]),
      S.replied(.zones([.failed(Zone(zone), failure)])))
  }

  private static let registers = MimiSupply.Request.registerToken(
    Location(database: nil), apnsEnvironment: "production", apnsToken: "token of olga")

  private static func olgasToken(_ story: inout S) {
    story.ask(
      .createToken(Location(database: nil), apnsEnvironment: "production"), as: "olga",
      S.replied(
        .tokenCreated(
          CourierToken(
            apnsEnvironment: "production", apnsToken: "token of olga", webcourierURL: ""))))
  }

  private static let frame: [MarketCase] = [
    MarketCase(.ms15) {
      $0.ask(.listZones(Location(database: "secret")), refused(.notFound, .badDatabase))
    } fails: {
      $0.ask(.listZones(Location(database: "secret")), refused(.badRequest, .badDatabase))
    },
    MarketCase(.ms15) {
      $0.ask(.query(world, Query(RecordQuery("Pizza"))), refused(.badRequest, .invalidArguments))
    } fails: {
      $0.ask(.query(world, Query(RecordQuery("Pizza"))), nothing)
    },
    MarketCase(.ms11) {
      $0.ask(nowhere, refused(.zoneNotFound, .zoneNotFound))
    } fails: {
      $0.ask(nowhere, nothing)
    },
    MarketCase(.ms10) {
      pages(&$0, as: "alice", nothing)
      pages(&$0, as: "bob", refused(.badRequest, .invalidArguments))
    } fails: {
      pages(&$0, as: "bob", nothing)
    },
    MarketCase(.ms90) {
      subscribes(.update, &$0, Failure(.notFound, .unknownItem))
    } fails: {
      subscribes(.update, &$0, nil)
    },
    MarketCase(.ms90) {
      subscribes(.create, &$0, nil)
      $0.ask(.listSubscriptions(home), S.replied(.subscriptions([.stored(.init("told", orders))])))
    } fails: {
      subscribes(.create, &$0, nil)
      $0.ask(.listSubscriptions(home), S.replied(.subscriptions([])))
    },
    MarketCase(.ms90) {
      subscribes(.create, &$0, nil)
      $0.ask(.listSubscriptions(world), S.replied(.subscriptions([])))
    } fails: {
      subscribes(.create, &$0, nil)
      $0.ask(.listSubscriptions(world), S.replied(.subscriptions([.stored(.init("told", orders))])))
    },
    MarketCase(.ms105) {
      deletes("_defaultZone", &$0, Failure(.accessDenied, .permissionFailure))
    } fails: {
      deletes("_defaultZone", &$0, Failure(.badRequest, .invalidArguments))
    },
    MarketCase(.ms93) {
      olgasToken(&$0)
      $0.ask(registers, as: "olga", done)
      $0.ask(registers, refused(.notFound, .unknownItem))
    } fails: {
      olgasToken(&$0)
      $0.ask(registers, done)
    },
    MarketCase(.ms105) {
      $0.ask(.partnerStats(partner: "p"), refused(.accessDenied, .permissionFailure))
    } fails: {
      $0.ask(.partnerStats(partner: "p"), refused(.notFound, .unknownItem))
    },
  ]

  // MARK: What is written

  private static func updates(
    _ name: RecordName, _ fields: FieldChanges, tag: String? = "1", as user: String = "alice",
    _ story: inout S, _ result: ItemResult, in database: String = "private"
  ) {
    story.write(
      [.init(.update, RecordDraft(name: name, changeTag: tag, fields: fields))], as: user,
      in: database, [result])
  }

  private static let instructions: FieldChanges = [.deliveryInstructions: .string("ring")]

  private static let writes: [MarketCase] = [
    MarketCase(.ms109) {
      $0.refuses(
        "x", "Product", R.product, .accessDenied, .permissionFailure, in: "public")
    } fails: {
      $0.refuses("x", "Product", R.product, in: "public")
    },
    MarketCase(.ms106) {
      updates("none", instructions, &$0, S.failed("none", .notFound, .unknownItem))
    } fails: {
      updates("none", instructions, &$0, S.failed("none", .accessDenied, .permissionFailure))
    },
    MarketCase(.ms106) {
      $0.look(["dish"], in: "public", [.saved(S.stored("dish", "Product", S.product("p")))])
    } fails: {
      $0.look(["dish"], in: "public", [S.failed("dish", .notFound, .unknownItem)])
    },
    MarketCase(.ms83) {
      $0.places()
      $0.steps(instructions)
      updates("o", instructions, &$0, S.failed("o", .conflict, .serverRecordChanged))
    } fails: {
      $0.places()
      $0.steps(instructions)
      updates(
        "o", [.status: .string("delivered")], &$0,
        S.failed("o", .badRequest, .constraintViolation, "illegal_transition"))
    },
    MarketCase(.ms83) {
      $0.places()
      updates("o", instructions, tag: nil, &$0, S.failed("o", .badRequest, .invalidArguments))
    } fails: {
      $0.places()
      updates("o", instructions, tag: nil, &$0, S.failed("o", .conflict, .serverRecordChanged))
    },
    MarketCase(.ms106) {
      $0.write(
        [.init(.forceDelete, RecordDraft(name: "van"))], as: "ada",
        [S.failed("van", .accessDenied, .permissionFailure)])
    } fails: {
      $0.write(
        [.init(.forceDelete, RecordDraft(name: "van"))], as: "ada",
        [S.failed("van", .notFound, .unknownItem)])
    },
    MarketCase(.ms26) {
      updates(
        "dish", [.partnerId: .string("q")], as: "olga", &$0,
        S.failed("dish", .badRequest, .constraintViolation, "immutable_field"), in: "public")
    } fails: {
      updates(
        "dish", [.partnerId: .string("q")], as: "olga", &$0,
        S.failed("dish", .badRequest, .invalidArguments, "immutable_field"), in: "public")
    },
    MarketCase(.ms77) {
      $0.places()
      $0.completes(refused: "illegal_transition")
    } fails: {
      $0.places()
      $0.completes(refused: "completion_missing")
    },
    MarketCase(.ms67) {
      updates(
        "offer_1", [.state: .string("declined")], as: "dirk", &$0,
        S.failed("offer_1", .badRequest, .constraintViolation, "offer_closed"))
    } fails: {
      updates(
        "offer_1", [.state: .string("declined")], as: "dirk", &$0,
        S.failed("offer_1", .accessDenied, .permissionFailure, "offer_closed"))
    },
    MarketCase(.ms24) {
      $0.places()
      updates(
        "o", [.driverId: .string("p")], as: "ada", &$0,
        S.failed("o", .validatingReferenceError, .referenceViolation))
    } fails: {
      $0.places()
      $0.steps([.driverId: .string("p")], as: "ada")
    },
    MarketCase(.ms24) {
      $0.places()
      updates(
        "o", [.driverId: .string("p")], as: "ada", &$0,
        S.failed("o", .validatingReferenceError, .referenceViolation))
    } fails: {
      $0.places()
      updates(
        "o", [.driverId: .string("p")], as: "ada", &$0,
        S.failed(
          "o", .badRequest, .constraintViolation, "driver_not_eligible",
          error: "driverNotAvailable"))
    },
  ]

  // MARK: What is shown

  private static func finds(
    _ story: inout S, _ names: [RecordName], of partner: RecordName = "p"
  ) {
    let query = RecordQuery(
      "Product", [Filter(.partnerId, .equals, .name(RecordName("p")))],
      sortedBy: [Sort(.priceCents)])
    let records = names.map { S.stored($0, "Product", S.product(partner)) }
    story.ask(.query(world, Query(query)), S.replied(.found(records, continuationMarker: nil)))
  }

  private static func figures(
    _ story: inout S, orders: Int = 1, today: Int = 1, active: Int = 1
  ) {
    story.ask(
      .partnerStats(partner: "p"), as: "olga",
      S.replied(
        .stats(
          PartnerStats(
            ordersToday: today, revenueTodayCents: 0, averageRating: 0, reviewCount: 0,
            totalOrders: orders, totalRevenueCents: 0, activeOrders: active))))
    story.shows()
  }

  private static let shown: [MarketCase] = [
    MarketCase(.ms10) {
      finds(&$0, ["dish", "few"])
    } fails: {
      finds(&$0, ["few", "dish"])
    },
    MarketCase(.ms10) {
      finds(&$0, ["dish"])
    } fails: {
      finds(&$0, ["dish"], of: "q")
    },
    MarketCase(.ms10) {
      $0.places()
      $0.ask(
        .query(home, Query(orders)),
        S.replied(.found([S.stored("o", "Order", $0.order())], continuationMarker: nil)))
    } fails: {
      $0.places()
      $0.ask(.query(home, Query(orders)), nothing)
    },
    MarketCase(.ms35) {
      $0.places()
      figures(&$0)
    } fails: {
      $0.places()
      figures(&$0, today: 0)
    },
    MarketCase(.ms35) {
      $0.places()
      figures(&$0)
      $0.now += .hours(12) + .minutes(20)
      figures(&$0, today: 0)
    } fails: {
      $0.places()
      // It is one o'clock in Berlin, and yesterday still by the meridian.
      $0.now += .hours(12) + .minutes(20)
      figures(&$0, today: 1)
    },
    MarketCase(.ms35) {
      $0.places()
      figures(&$0)
    } fails: {
      $0.places()
      figures(&$0, active: 0)
    },
  ]

  // MARK: What is written down, and what is undone

  private static func list(
    _ user: UserName, _ type: RecordType? = nil, _ story: inout S, _ records: [RecordName]
  ) {
    var filters = [
      Filter(.userId, .equals, .name(user)),
      Filter(.timestamp, .greaterThanOrEquals, .timestamp(S.start)),
    ]
    if let type { filters.append(Filter(.recordType, .equals, .string(type.text))) }
    let entries = records.enumerated().map { number, name in
      S.stored(
        "audit_\(number)", "AuditEvent",
        [
          .sequence: .int64(Int64(number)), .event: .string("data_modification"),
          .recordName: .name(name),
        ], by: "_system")
    }
    story.ask(
      .query(home, Query(RecordQuery("AuditEvent", filters))), as: "ada",
      S.replied(.found(entries, continuationMarker: nil)))
  }

  /// The system changes a dish between two looks at what it did.
  private static func system(_ story: inout S, _ entries: [RecordName]) {
    list(.system, .product, &story, [])
    story.look(
      ["few"], in: "public",
      [.saved(S.stored("few", "Product", S.product("p"), by: "_system", at: story.now))])
    list(.system, .product, &story, entries)
  }

  private static func undone(_ story: inout S) {
    let drafts = ["x", "y"].map {
      Modification.Item(.create, RecordDraft(name: $0, type: "Order"))
    }
    story.write(
      drafts, zone: Zone("MimiSupplyZone"),
      [
        S.failed("x", .atomicError, .batchRequestFailed),
        S.failed("y", .badRequest, .constraintViolation, "total_mismatch"),
      ])
  }

  private static let traces: [MarketCase] = [
    MarketCase(.ms111) {
      system(&$0, ["few"])
    } fails: {
      system(&$0, [])
    },
    MarketCase(.ms112) {
      list("alice", nil, &$0, [])
      undone(&$0)
      list("alice", nil, &$0, [])
    } fails: {
      list("alice", nil, &$0, [])
      undone(&$0)
      list("alice", nil, &$0, ["x"])
    },
    MarketCase(.ms09) {
      undone(&$0)
    } fails: {
      undone(&$0)
      $0.hear(
        PushNotification(
          .order(id: "x", status: "created", title: "", body: "", badge: 1), id: "1",
          subscription: "told", recordName: "x", zone: Zone(), fired: .created), at: "t")
    },
    MarketCase(.ms09) {
      undone(&$0)
      $0.ask(.query(home, Query(orders)), nothing)
    } fails: {
      undone(&$0)
      $0.ask(
        .query(home, Query(orders)),
        S.replied(.found([S.stored("x", "Order", $0.order())], continuationMarker: nil)))
    },
  ]

  // MARK: Who leaves

  /// Alice rates her order, and leaves.
  private static func leaves(_ story: inout S, then fields: Fields) {
    story.places()
    story.ask(.deleteAccount, done)
    let about: Fields = [.orderId: .string("o"), .driverId: .string("van")]
    story.look(
      ["c"], as: "ada",
      [.saved(S.stored("c", "DeliveryCompletion", about.merging(fields), by: "dirk"))])
  }

  /// Alice leaves, and her order is shown as it is then.
  private static func leaves(_ story: inout S, address: String) {
    story.places([.deliveryAddress: S.address(north: 52.006)])
    story.ask(.deleteAccount, done)
    let order = story.order([
      .customerId: .string("deleted-1"), .status: .string("cancelled"),
      .deliveryAddress: .string(address),
    ])
    story.look(["o"], as: "ada", [.saved(S.stored("o", "Order", order, by: "deleted-1"))])
  }

  private static let kept = #"{"city": "b", "state": "c", "postalCode": "d", "country": "DE", "#

  private static let leaving: [MarketCase] = [
    MarketCase(.ms116) {
      leaves(&$0, then: [.customerRating: .int64(4)])
    } fails: {
      leaves(&$0, then: [.customerRating: .int64(4), .customerFeedback: .string("Kalt.")])
    },
    MarketCase(.ms116) {
      leaves(&$0, address: kept + #""latitude": 52.01, "longitude": 13}"#)
    } fails: {
      leaves(&$0, address: kept + #""latitude": 52.006, "longitude": 13}"#)
    },
    MarketCase(.ms116) {
      leaves(&$0, address: kept + #""latitude": 52.01, "longitude": 13}"#)
    } fails: {
      leaves(&$0, address: #"{"latitude": 52.01, "longitude": 13}"#)
    },
  ]

  // MARK: Pushes

  private static func listens(_ story: inout S, on device: DeviceName = "tablet") {
    story.listen("t", of: "alice", on: device)
    story.subscribe("order-updates", .of("Order", .customerId, "alice"), as: "alice")
  }

  private static func later(_ story: inout S) {
    story.now += .minutes(50)
    story.inspect()
  }

  /// The system cancels alice's order, as she sees afterwards.
  private static func times(out story: inout S, isTold: Bool) {
    listens(&story)
    story.place()
    story.hear("payment_confirmed", at: "t", .created)
    story.now += .minutes(2)
    var order = S.order(.cancelled, tag: "9", payment: "refunded", changed: story.now)
    order.modified = Stamp(story.now, by: "_system", on: nil)
    story.now += .seconds(1)
    if isTold { story.hear("cancelled", at: "t") }
    story.look(["o"], [.saved(order)])
    later(&story)
  }

  /// Alice gives a tip, on the device on which she listens.
  private static func tips(_ story: inout S, on device: DeviceName) {
    listens(&story, on: device)
    story.place()
    let draft = RecordDraft(name: "o", changeTag: "1", fields: [.tipCents: .int64(100)])
    story.write([.init(.update, draft)], [.saved(S.order(.paymentConfirmed, tag: "2"))])
    story.hear("payment_confirmed", at: "t")
  }

  private static func offered(_ story: inout S, isTold: Bool) {
    story.listen("dirk-phone", of: "dirk")
    story.subscribe("driver-offers", .of("DriverOffer", .driverId, "d"), on: [.create], as: "dirk")
    let offer = S.stored(
      "offer_1", "DriverOffer", [.orderId: .string("o"), .driverId: .string("d")], by: "_system",
      at: story.now)
    if isTold { story.hearOffer(to: "d", at: "dirk-phone") }
    story.query("DriverOffer", as: "dirk", [offer])
    later(&story)
  }

  private static let pushes: [MarketCase] = [
    MarketCase(.ms90) {
      times(out: &$0, isTold: true)
    } fails: {
      times(out: &$0, isTold: false)
    },
    MarketCase(.ms95) {
      tips(&$0, on: "tablet")
    } fails: {
      tips(&$0, on: "device-alice")
    },
    MarketCase(.ms93) {
      offered(&$0, isTold: true)
    } fails: {
      offered(&$0, isTold: false)
    },
    MarketCase(.ms93) {
      listens(&$0)
      $0.hear("accepted", at: "t")
    } fails: {
      listens(&$0)
      $0.hear("accepted", at: "t", from: "another")
    },
    MarketCase(.ms93) {
      $0.listen("t", of: "alice")
      $0.subscribe(
        "order-updates", .of("Order", .customerId, "alice"), on: [.create], as: "alice")
      $0.hear("created", at: "t", .created)
    } fails: {
      $0.listen("t", of: "alice")
      $0.subscribe(
        "order-updates", .of("Order", .customerId, "alice"), on: [.create], as: "alice")
      $0.hear("accepted", at: "t")
    },
  ]
}

extension MarketStory {
  fileprivate static let alice: UserName = "alice"
}
