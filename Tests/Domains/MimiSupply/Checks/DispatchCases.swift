import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

private typealias S = MarketStory

@Suite struct `Checks of dispatch at MimiSupply` {
  private static let cases = keeping + offering + waiting + working

  private static func judge(
    _ limit: MimiSupply.Rule, _ story: (inout MarketStory) -> Void
  ) -> Judge {
    var told = MarketStory(MarketStory.city)
    story(&told)
    return told.judged(by: limit)
  }

  @Test(arguments: cases)
  func `every check of MS-64 to MS-76 holds on good records and says that the rule was tried`(
    example: MarketCase
  ) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: cases)
  func `every check of MS-64 to MS-76 fails on records that break its rule`(example: MarketCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  @Test(arguments: cases)
  func `a rule of dispatch that nobody tries counts nothing`(example: MarketCase) {
    #expect(Self.judge(example.limit) { _ in }.violations == 0)
  }

  // MARK: Who gets an order and keeps it

  private static let keeping: [MarketCase] = [
    MarketCase(.ms64) {
      $0.look(["o"], [.saved(S.order(.pickedUp, driver: "d"))])
      $0.look(["o"], [.saved(S.order(.delivered, driver: "d", tag: "2"))])
    } fails: {
      $0.look(["o"], [.saved(S.order(.pickedUp, driver: "d"))])
      $0.look(["o"], [.saved(S.order(.enRoute, driver: "e", tag: "2"))])
    },
    MarketCase(.ms64) {
      $0.look(["o"], [.saved(S.order(.enRoute, driver: "d"))])
    } fails: {
      $0.look(["o"], [.saved(S.order(.enRoute))])
    },
    MarketCase(.ms65) {
      $0.query(
        "Order", as: "dirk",
        [S.order(.accepted, driver: "d"), S.order(.delivered, driver: "d", name: "o2")])
    } fails: {
      $0.query(
        "Order", as: "dirk",
        [S.order(.accepted, driver: "d"), S.order(.preparing, driver: "d", name: "o2")])
    },
    MarketCase(.ms65) {
      $0.inspect(market: ["drivers": ["d": ["activeOrders": ["o"]]]])
    } fails: {
      $0.inspect(market: ["drivers": ["d": ["activeOrders": ["o", "o2"]]]])
    },
    MarketCase(.ms69) {
      $0.look(["o"], as: "ada", [.saved(S.order(.accepted))])
      $0.claim(for: "d", as: "dirk", .saved(S.order(.accepted, driver: "d", tag: "2")))
      $0.claim(
        for: "e", as: "ada",
        S.failed("o", .badRequest, .constraintViolation, "order_already_assigned"))
    } fails: {
      $0.look(["o"], as: "ada", [.saved(S.order(.accepted))])
      $0.claim(for: "d", as: "dirk", .saved(S.order(.accepted, driver: "d", tag: "2")))
      $0.claim(for: "e", as: "ada", .saved(S.order(.accepted, driver: "e", tag: "3")))
    },
    MarketCase(.ms69) {
      $0.look(["o"], as: "ada", [.saved(S.order(.accepted))])
      $0.claim(for: "d", as: "dirk", .saved(S.order(.accepted, driver: "d", tag: "2")))
      $0.claim(for: "e", as: "ada", S.failed("o", .conflict, .serverRecordChanged))
    } fails: {
      $0.look(["o"], as: "ada", [.saved(S.order(.accepted))])
      $0.claim(for: "d", as: "dirk", .saved(S.order(.accepted, driver: "d", tag: "2")))
      $0.claim(
        for: "e", as: "ada", S.failed("o", .badRequest, .constraintViolation, "offer_not_yours"))
    },
  ]

  // MARK: Offers

  private static let offering: [MarketCase] = [
    MarketCase(.ms66) {
      $0.stand(150)
      $0.inspect(offers: [$0.offer("a", at: .seconds(185))])
    } fails: {
      $0.stand(150)
      $0.inspect(offers: [$0.offer("a", at: .seconds(187))])
    },
    MarketCase(.ms66) {
      $0.stand(150)
      $0.inspect(offers: [$0.offer("a", at: .seconds(70), metres: 10_000)])
    } fails: {
      $0.stand(150)
      $0.inspect(offers: [$0.offer("a", at: .seconds(70), metres: 10_001)])
    },
    MarketCase(.ms66) {
      $0.drive(
        [.isAvailable: .int64(1)],
        S.failed("d", .badRequest, .constraintViolation, "driver_not_verified"))
    } fails: {
      $0.drive([.isAvailable: .int64(1)], .saved(S.driver(status: "suspended")))
    },
    MarketCase(.ms67) {
      $0.now += .minutes(2)
      $0.inspect(offers: [
        $0.offer("a", "expired", at: .seconds(61), until: .seconds(91)),
        $0.offer("b", to: "e", "accepted", at: .seconds(91), until: .seconds(100)),
      ])
    } fails: {
      $0.now += .minutes(2)
      $0.inspect(offers: [
        $0.offer("a", "expired", at: .seconds(61), until: .seconds(91)),
        $0.offer("b", to: "e", "accepted", at: .seconds(90), until: .seconds(100)),
      ])
    },
    MarketCase(.ms67) {
      $0.now += .minutes(2)
      $0.inspect(offers: [$0.offer("a", "declined", at: .seconds(61), until: .seconds(91))])
    } fails: {
      $0.now += .minutes(2)
      $0.inspect(offers: [$0.offer("a", "accepted", at: .seconds(61), until: .seconds(92))])
    },
    MarketCase(.ms67) {
      $0.inspect(offers: [$0.offer("a", at: .seconds(60))])
    } fails: {
      $0.inspect(offers: [$0.offer("a", at: .seconds(60), lives: .seconds(31))])
    },
    MarketCase(.ms68) {
      $0.now += .minutes(2)
      $0.inspect(offers: [
        $0.offer("a", "declined", at: .seconds(61), until: .seconds(70)),
        $0.offer("b", to: "e", "declined", at: .seconds(70), until: .seconds(80)),
        $0.offer("c", "accepted", at: .seconds(95), until: .seconds(96)),
      ])
    } fails: {
      $0.now += .minutes(2)
      $0.inspect(offers: [
        $0.offer("a", "declined", at: .seconds(61), until: .seconds(70)),
        $0.offer("b", "declined", at: .seconds(70), until: .seconds(80)),
      ])
    },
    MarketCase(.ms68) {
      $0.now += .minutes(2)
      $0.inspect(offers: [
        $0.offer("a", "withdrawn", at: .seconds(61), attempt: 1),
        $0.offer("b", to: "e", at: .seconds(80), attempt: 2),
      ])
    } fails: {
      $0.now += .minutes(2)
      $0.inspect(offers: [
        $0.offer("a", "withdrawn", at: .seconds(61), attempt: 1),
        $0.offer("b", to: "e", at: .seconds(80), attempt: 1),
      ])
    },
    MarketCase(.ms76) {
      Self.twoDrivers(&$0, apart: 10)
      $0.inspect(offers: [$0.offer("a", at: .seconds(87), metres: 250)])
    } fails: {
      Self.twoDrivers(&$0, apart: 10)
      $0.inspect(offers: [$0.offer("a", to: "e", at: .seconds(87), metres: 260)])
    },
    MarketCase(.ms76) {
      Self.twoDrivers(&$0)
      $0.inspect(offers: [$0.offer("a", at: .seconds(87), metres: 250)])
    } fails: {
      Self.twoDrivers(&$0)
      $0.inspect(offers: [$0.offer("a", to: "e", at: .seconds(87), metres: 650)])
    },
    MarketCase(.ms76) {
      Self.bothDelivered(&$0)
      $0.inspect(offers: [$0.offer("a", to: "e", at: .seconds(97), metres: 260)])
    } fails: {
      Self.bothDelivered(&$0)
      $0.inspect(offers: [$0.offer("a", at: .seconds(97), metres: 250)])
    },
    MarketCase(.ms76) {
      Self.twoOrders(&$0)
      $0.inspect(offers: [
        $0.offer("a", for: "o2", "declined", at: .seconds(90), until: .seconds(95), attempt: 1),
        $0.offer("b", at: .seconds(95), attempt: 1),
      ])
    } fails: {
      Self.twoOrders(&$0)
      $0.inspect(offers: [
        $0.offer("a", "declined", at: .seconds(90), until: .seconds(95), attempt: 1),
        $0.offer("b", for: "o2", at: .seconds(95), attempt: 1),
      ])
    },
    MarketCase(.ms67) {
      Self.wants(&$0, refused: "offer_not_yours")
    } fails: {
      Self.wants(&$0, refused: "driver_not_eligible")
    },
    MarketCase(.ms70) {
      Self.again(&$0, at: .seconds(87))
    } fails: {
      Self.again(&$0, at: .seconds(107))
    },
  ]

  /// Dirk is offline, and wants an order.
  private static func wants(_ story: inout MarketStory, refused reason: String) {
    story.look(["d"], as: "dirk", [.saved(S.driver(online: false, available: false))])
    story.claim(
      for: "d", as: "dirk",
      S.failed("o", .badRequest, .constraintViolation, reason, error: "driverNotAvailable"))
  }

  /// `e` delivered before `d` did, and both stand at one distance around second 97.
  private static func bothDelivered(_ story: inout MarketStory) {
    for driver in ["e", "d"] as [RecordName] {
      story.brings("of-\(driver)", to: .delivered, by: driver, as: "dirk")
    }
    twoDrivers(&story, apart: 10, deliveries: 1)
  }

  /// Two orders begin to wait, `o2` before `o`.
  private static func twoOrders(_ story: inout MarketStory) {
    for order in ["o2", "o"] as [RecordName] { story.brings(order, to: .accepted, as: "olga") }
    story.now += .minutes(2)
  }

  /// `d` is where he was when the retry interval is over after his refusal, at second 87, and is asked again.
  private static func again(_ story: inout MarketStory, at second: Span) {
    story.stand(250)
    story.look(["o"], [.saved(S.order(.accepted))])
    for _ in 1...2 {
      story.look(["d"], as: "ada", [.saved(S.driver(tag: "2", at: 250))], then: .seconds(20))
    }
    story.now += .minutes(2)
    story.inspect(offers: [
      story.offer("a", "declined", at: .seconds(70), until: .seconds(72)),
      story.offer("b", at: second),
    ])
  }

  /// `d` at 250 m, `e` at 650 m or less, each seen twice around second 87, and an order of partner `p`.
  private static func twoDrivers(
    _ story: inout MarketStory, apart metres: Double = 400, deliveries: Int64 = 0
  ) {
    story.stand(250)
    story.stand(250 + metres, driver: "e")
    for _ in 1...2 {
      story.look(
        ["d"], as: "ada", [.saved(S.driver(tag: "2", at: 250, deliveries: deliveries))])
      story.look(
        ["e"], as: "ada",
        [.saved(S.driver("e", tag: "2", at: 250 + metres, deliveries: deliveries))])
      story.look(["o"], [.saved(S.order(.accepted))], then: .seconds(10))
    }
  }

  // MARK: Waiting and losing

  /// `d` has a ready order for 21 minutes and says where he is; at last it is shown once more.
  private static func dawdles(_ story: inout MarketStory, then order: CloudRecord) {
    story.look(["o"], [.saved(S.order(.readyForPickup, driver: "d"))])
    for _ in 1...14 {
      story.now += .seconds(85)
      story.stand(100)
    }
    story.look(["o"], [.saved(order)])
  }

  private static let waiting: [MarketCase] = [
    MarketCase(.ms71) {
      dawdles(&$0, then: S.order(.readyForPickup, tag: "2"))
    } fails: {
      dawdles(&$0, then: S.order(.readyForPickup, driver: "d"))
    },
    MarketCase(.ms70) {
      $0.now += .minutes(29)
      $0.inspect(market: Self.waits(since: S.start + .minutes(1)))
    } fails: {
      $0.now += .minutes(31)
      $0.inspect(market: Self.waits(since: S.start + .minutes(1)))
    },
    MarketCase(.ms70) {
      $0.look(["o"], [.saved(Self.givenUp(after: .minutes(30)))])
    } fails: {
      $0.look(["o"], [.saved(Self.givenUp(after: .minutes(29)))])
    },
    MarketCase(.ms70) {
      $0.look(["o"], [.saved(Self.givenUp(after: .minutes(31)))])
    } fails: {
      $0.look(["o"], [.saved(Self.givenUp(after: .minutes(31), payment: "completed"))])
    },
    MarketCase(.ms71) {
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))], then: .seconds(123))
      $0.look(["o"], [.saved(S.order(.accepted, tag: "3"))])
    } fails: {
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))], then: .seconds(123))
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))])
    },
    MarketCase(.ms71) {
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))], then: .seconds(60))
      $0.stand(100, then: .seconds(63))
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))])
    } fails: {
      $0.stand(100)
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))], then: .seconds(123))
      $0.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))])
    },
  ]

  private static func waits(since trigger: Instant) -> JSON {
    [
      "orders": [
        "o": ["status": "accepted", "trigger": .int(trigger.unixMilliseconds), "driverId": nil]
      ]
    ]
  }

  private static func givenUp(after span: Span, payment: String = "refunded") -> CloudRecord {
    var order = S.order(.failed, payment: payment, changed: S.start + span)
    order.modified = Stamp(S.start + span, by: "_system", on: nil)
    return order
  }

  // MARK: Shifts

  private static let working: [MarketCase] = [
    MarketCase(.ms72) {
      $0.look(
        ["d", "o"], as: "ada",
        [.saved(S.driver(available: false)), .saved(S.order(.accepted, driver: "d"))])
    } fails: {
      $0.look(
        ["d", "o"], as: "ada", [.saved(S.driver()), .saved(S.order(.accepted, driver: "d"))])
    },
    MarketCase(.ms72) {
      Self.delivered(&$0)
      $0.look(
        ["d", "o"], as: "ada", [.saved(S.driver()), .saved(S.order(.delivered, driver: "d"))])
    } fails: {
      Self.delivered(&$0)
      $0.look(
        ["d", "o"], as: "ada",
        [.saved(S.driver(available: false)), .saved(S.order(.delivered, driver: "d"))])
    },
    MarketCase(.ms73) {
      $0.drive([.isOnline: .int64(0)], .saved(S.driver(online: false, available: false)))
    } fails: {
      $0.drive([.isOnline: .int64(0)], .saved(S.driver(online: false)))
    },
    MarketCase(.ms73) {
      $0.look(
        ["d", "o"], as: "ada",
        [.saved(S.driver(online: false, available: false)), .saved(S.order(.accepted))])
    } fails: {
      $0.look(
        ["d", "o"], as: "ada",
        [
          .saved(S.driver(online: false, available: false)),
          .saved(S.order(.accepted, driver: "d")),
        ])
    },
    MarketCase(.ms73) {
      $0.inspect(offers: [$0.offer("a", at: .seconds(60))], drivers: [S.driver()])
    } fails: {
      $0.inspect(
        offers: [$0.offer("a", at: .seconds(60))],
        drivers: [S.driver(online: false, available: false)])
    },
    MarketCase(.ms74) {
      $0.note(.onDelivery(true), as: "dirk")
      for _ in 1...5 { $0.stand(100, then: .seconds(11)) }
    } fails: {
      $0.note(.onDelivery(true), as: "dirk")
      for _ in 1...5 { $0.stand(100, then: .seconds(30)) }
    },
    MarketCase(.ms75) {
      $0.stand(300)
      $0.stand(200, ago: .minutes(1))
      $0.look(["d"], as: "dirk", [.saved(S.driver(at: 300))])
    } fails: {
      $0.stand(300)
      $0.stand(200, ago: .minutes(1))
      $0.look(["d"], as: "dirk", [.saved(S.driver(at: 200))])
    },
  ]

  /// `d` gets an order, which is delivered.
  private static func delivered(_ story: inout MarketStory) {
    story.drive([.isOnline: .int64(1)], .saved(S.driver()))
    story.look(["o"], as: "ada", [.saved(S.order(.accepted))])
    story.claim(for: "d", as: "dirk", .saved(S.order(.accepted, driver: "d", tag: "2")))
  }

  // MARK: What may not be taken for a violation

  @Test func `a driver whose position was lost may be anywhere, and may have been heard: MS-71`() {
    let judge = Self.judge(.ms71) { story in
      story.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))], then: .seconds(60))
      let draft = RecordDraft(
        name: "x", type: "DriverLocation",
        fields: [
          .driverId: .string("d"), .latitude: .double(52.5), .longitude: .double(13.4),
          .timestamp: .timestamp(story.now),
        ])
      story.ask(
        .modify(Location(database: "private"), Modification([.init(.create, draft)])), as: "dirk",
        .unknown(.timedOut), then: .seconds(63))
      story.look(["o"], [.saved(S.order(.accepted, driver: "d", tag: "2"))])
    }
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
  }

  @Test func `an order may change hands when its driver gave it back: MS-69`() {
    let judge = Self.judge(.ms69) { story in
      story.look(["o"], as: "ada", [.saved(S.order(.accepted))])
      story.claim(for: "d", as: "dirk", .saved(S.order(.accepted, driver: "d", tag: "2")))
      story.drive([.isOnline: .int64(0)], .saved(S.driver(online: false, available: false)))
      story.claim(for: "e", as: "ada", .saved(S.order(.accepted, driver: "e", tag: "3")))
    }
    #expect(judge.violations == 0)
  }

  @Test func `somebody who may have come in the same millisecond leaves MS-68 open`() {
    let judge = Self.judge(.ms68) { story in
      story.now = S.start + .seconds(70) - .milliseconds(50)
      story.stand(100, driver: "e")
      story.now += .minutes(2)
      story.inspect(offers: [
        story.offer("a", "declined", at: .seconds(61), until: .seconds(70)),
        story.offer("b", at: .seconds(70)),
      ])
    }
    #expect(judge.violations == 0 && judge.undecided == 1)
  }

  @Test func `a phone that repeats what failed may be late with a position: MS-74`() {
    let judge = Self.judge(.ms74) { story in
      story.note(.onDelivery(true), as: "dirk")
      story.stand(100)
      story.ask(
        .lookup(Location(database: "private"), Lookup([.init("o")])), as: "dirk",
        .unknown(.timedOut), lasting: .seconds(10), then: .seconds(40))
      story.stand(90)
    }
    #expect(judge.violations == 0 && judge.undecided == 1)
  }

  @Test func `a phone without a network keeps its positions: MS-74`() {
    let judge = Self.judge(.ms74) { story in
      story.note(.onDelivery(true), as: "dirk")
      story.stand(100)
      story.note(.app(.network(isOnline: false, waiting: 0)), as: "dirk")
      story.now += .minutes(10)
      story.stand(800)
    }
    #expect(judge.violations == 0 && judge.undecided == 1)
  }

  @Test func `a phone that used up its budget before this delivery may be late on it: MS-74`() {
    func judge(requests: Int) -> Judge {
      Self.judge(.ms74) { story in
        story.note(.onDelivery(true), as: "dirk")
        for _ in 1...requests {
          story.ask(
            .lookup(Location(database: "private"), Lookup([.init("o")])), as: "dirk",
            MarketStory.replied(.items([])), then: .milliseconds(500))
        }
        story.note(.onDelivery(false), as: "dirk")
        story.note(.onDelivery(true), as: "dirk")
        story.now += .minutes(1)
        story.stand(100)
      }
    }
    #expect(judge(requests: 8).violations == 0)
    #expect(judge(requests: 7).violations == 1)
  }

  @Test func `a phone of whose requests many failed asks little for long: MS-74`() {
    func judge(failed: Int) -> Judge {
      Self.judge(.ms74) { story in
        for _ in 1...failed {
          story.ask(
            .lookup(Location(database: "private"), Lookup([.init("o")])), as: "dirk",
            .unknown(.timedOut), then: .seconds(30))
        }
        story.note(.onDelivery(true), as: "dirk")
        story.now += .minutes(1)
        story.stand(100)
      }
    }
    #expect(judge(failed: 3).violations == 0 && judge(failed: 3).undecided == 1)
    #expect(judge(failed: 2).violations == 1)
  }

  @Test func `nor does a phone without a network say where it is on its next delivery: MS-74`() {
    func judge(isOnlineAgain: Bool) -> Judge {
      Self.judge(.ms74) { story in
        story.note(.onDelivery(true), as: "dirk")
        story.note(.app(.network(isOnline: false, waiting: 0)), as: "dirk")
        if isOnlineAgain { story.note(.app(.network(isOnline: true, waiting: 0)), as: "dirk") }
        story.note(.onDelivery(false), as: "dirk")
        story.note(.onDelivery(true), as: "dirk")
        story.now += .minutes(2)
        story.note(.onDelivery(false), as: "dirk")
      }
    }
    #expect(judge(isOnlineAgain: false).violations == 0)
    #expect(judge(isOnlineAgain: true).violations == 1)
  }
}
