import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

/// Latencies recomputed by hand from the records of small stories.
@Suite struct `Business latencies of MimiSupply` {
  /// A story's first request is asked at 60 s.
  private static func at(_ seconds: Int64) -> Instant {
    MarketStory().now + .seconds(seconds - 60)
  }

  private static func order(
    _ status: OrderStatus, driver: RecordName? = nil, updated: Int64, created: Int64 = 60
  ) -> ItemResult {
    var fields: Fields = [
      .status: .string(status.rawValue), .customerId: .string("alice"),
      .updatedAt: .timestamp(at(updated)),
    ]
    fields[.driverId] = driver.map { .name($0) }
    return .saved(MarketStory.stored("o", "Order", fields, at: at(created)))
  }

  private static func offer(
    _ state: String, offered: Int64, changed: Int64, driver: RecordName = "d"
  ) -> ItemResult {
    var record = MarketStory.stored(
      "offer_1", "DriverOffer",
      [
        .orderId: .string("o"), .driverId: .name(driver), .state: .string(state),
        .offeredAt: .timestamp(at(offered)),
      ], at: at(offered))
    record.modified = Stamp(at(changed), by: "dirk", on: nil)
    return .saved(record)
  }

  private func tally(_ name: String, of story: MarketStory) -> BusinessTally {
    let latency = MimiSupplyChecks.business.first { $0.name == name }!
    var router = CheckRouter<MimiSupply>([])
    var watch = latency.watch(router.library)
    var tally = BusinessTally(name: name, title: "", bound: nil, limit: nil)
    for record in story.records.sorted(by: { $0.time < $1.time }) {
      router.see(record)
      for milestone in watch.see(record) {
        switch milestone {
        case .begins(let key, let at): tally.begin(key, at: at)
        case .ends(let key, let at): tally.end(key, at: at)
        case .abandoned(let key): tally.abandon(key)
        }
      }
    }
    tally.close(at: story.now)
    return tally
  }

  private func expect(
    _ name: String, in story: MarketStory, finished: [Span], unfinished: Int = 0,
    abandoned: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let tally = tally(name, of: story)
    var wanted = LatencyHistogram()
    for span in finished { wanted.record(span) }
    #expect(tally.finished == wanted, "\(name)", sourceLocation: sourceLocation)
    #expect(tally.unfinished.count == unfinished, sourceLocation: sourceLocation)
    #expect(tally.abandoned == abandoned, sourceLocation: sourceLocation)
  }

  /// Created at 60 s, accepted at 80 s, preparing at 85 s, offered at 90 s, taken at 104 s, delivered at 1,900 s.
  private static func evening(_ story: inout MarketStory) {
    story.write([], [order(.paymentConfirmed, updated: 60)])
    story.write([], as: "olga", [order(.accepted, updated: 80)])
    story.write([], as: "olga", [order(.preparing, updated: 85)])
    story.look(["offer_1"], as: "dirk", [offer("offered", offered: 90, changed: 90)])
    story.write([], as: "dirk", [offer("accepted", offered: 90, changed: 104)])
    story.look(["o"], as: "dirk", [order(.preparing, driver: "d", updated: 104)])
    story.write([], as: "dirk", [order(.delivered, driver: "d", updated: 1_900)])
    // A look that was answered late shows an old state: it begins nothing anew.
    story.look(["o"], [order(.accepted, updated: 80)])
  }

  @Test func `an order is assigned, matched, accepted and delivered as its commits say`() {
    var story = MarketStory()
    Self.evening(&story)
    expect("dispatch", in: story, finished: [.seconds(24)])
    expect("redispatch", in: story, finished: [])
    expect("match", in: story, finished: [.seconds(10)])
    expect("order-to-driver", in: story, finished: [.seconds(44)])
    expect("acceptance", in: story, finished: [.seconds(20)])
    expect("delivery", in: story, finished: [.seconds(1_840)])
  }

  @Test func `with another trigger the search begins elsewhere`() {
    var story = MarketStory()
    story.control(.configure(["dispatchTrigger": "payment_confirmed"]))
    Self.evening(&story)
    expect("dispatch", in: story, finished: [.seconds(44)])
    expect("match", in: story, finished: [.seconds(30)])
  }

  @Test func `an order that loses its driver is searched for anew`() {
    var story = MarketStory()
    story.write([], as: "olga", [Self.order(.accepted, updated: 80)])
    story.look(["o"], [Self.order(.accepted, driver: "d", updated: 95)])
    story.write([], as: "dirk", [Self.order(.accepted, updated: 200)])
    story.look(["o"], [Self.order(.accepted, driver: "e", updated: 230)])
    expect("dispatch", in: story, finished: [.seconds(15), .seconds(30)])
    expect("dispatch-first", in: story, finished: [.seconds(15)])
    expect("redispatch", in: story, finished: [.seconds(30)])
    expect("order-to-driver", in: story, finished: [.seconds(35)])
  }

  @Test func `a driver who is seen before the trigger's answer counts from the trigger`() {
    var story = MarketStory()
    story.look(["o"], as: "dirk", [Self.order(.accepted, driver: "d", updated: 81)])
    story.write([], as: "olga", [Self.order(.accepted, updated: 80)])
    expect("dispatch", in: story, finished: [.seconds(1)])
  }

  @Test func `nobody found stays unfinished; what the customer cancels is left out`() {
    var failed = MarketStory()
    failed.write([], as: "olga", [Self.order(.accepted, updated: 80)])
    failed.look(["o"], [Self.order(.failed, updated: 1_880)])
    expect("dispatch", in: failed, finished: [], unfinished: 1)
    expect("delivery", in: failed, finished: [], abandoned: 1)

    var cancelled = MarketStory()
    cancelled.write([], as: "olga", [Self.order(.accepted, updated: 80)])
    cancelled.write([], [Self.order(.cancelled, updated: 90)])
    expect("dispatch", in: cancelled, finished: [], abandoned: 1)

    var givenUp = MarketStory()
    givenUp.look(["o"], as: "ada", [Self.order(.readyForPickup, updated: 900)])
    givenUp.write([], as: "ada", [Self.order(.cancelled, updated: 2_000)])
    expect("dispatch", in: givenUp, finished: [], unfinished: 1)
  }

  private static func push(
    _ content: PushNotification.Content, of record: RecordName, _ subscription: String,
    nid: String = "n"
  ) -> PushNotification {
    PushNotification(
      content, id: nid, subscription: subscription, recordName: record, zone: Zone(),
      fired: .created)
  }

  @Test func `MS-97: a notification is timed from the commit to its arrival, once for each device`()
  {
    var story = MarketStory()
    let told = PushNotification.Content.order(
      id: "o", status: "accepted", title: "", body: "", badge: 1)
    let draft = RecordDraft(name: "o", type: "Order")
    story.write([.init(.create, draft)], [Self.order(.paymentConfirmed, updated: 60)])
    story.write([], as: "olga", [Self.order(.accepted, updated: 65)], then: .seconds(2))
    story.receive(Self.push(told, of: "o", "order-updates"))
    // The same status again is about something else.
    story.receive(Self.push(told, of: "o", "order-updates", nid: "m"))
    expect("fan-out-orders", in: story, finished: [.seconds(2)])
    expect("fan-out-partners", in: story, finished: [])
  }

  @Test func `MS-97: an offer that its driver reads after the push is timed all the same`() {
    var story = MarketStory()
    story.now += .seconds(3)
    story.receive(
      Self.push(.offer(id: "offer_1", order: "o", driver: "d"), of: "offer_1", "driver-offers"),
      as: "dirk")
    story.look(["offer_1"], as: "dirk", [Self.offer("offered", offered: 61, changed: 61)])
    expect("fan-out-offers", in: story, finished: [.seconds(2)])
  }

  @Test func `MS-97: positions are timed from the driver's request to the customer`() {
    var story = MarketStory()
    let stored = MarketStory.stored("d-1", "DriverLocation", by: "dirk", at: Self.at(60))
    let draft = RecordDraft(name: "d-1", type: "DriverLocation")
    story.write([.init(.create, draft)], as: "dirk", [.saved(stored)], then: .seconds(1))
    story.receive(
      Self.push(.position(driver: "d"), of: "d-1", "driver-location-updates-o"))
    expect("fan-out-positions", in: story, finished: [.seconds(1)])
  }

  @Test func `recovery lasts from the first request without an answer to the next answer`() {
    var story = MarketStory()
    let look = MimiSupply.Request.lookup(Location(database: "private"), Lookup([]))
    let busy = MarketStory.refused(Failure(.tryAgainLater, .zoneBusy))
    story.ask(look, .unknown(.timedOut), lasting: .seconds(10), then: .seconds(12))
    story.ask(look, busy, then: .seconds(8))
    story.ask(look, as: "bob", MarketStory.replied(.items([])), then: .zero)
    story.ask(look, MarketStory.replied(.items([])), lasting: .seconds(1))
    expect("recovery", in: story, finished: [.seconds(21)])
  }
}
