import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyChecks
@testable import MimiSupplyJourneys
@testable import MimiSupplyTwin

@Suite struct `MimiSupply at the ends of its numbers` {
  private static let wholes: [Int64] = [
    .min, .min + 1, -1, 0, 1, Bounds.counts.upperBound, Bounds.counts.upperBound + 1,
    Bounds.cents.upperBound, Bounds.cents.upperBound + 1, .max - 1, .max,
  ]
  private static let decimals = [
    -Double.greatestFiniteMagnitude, -1e19, -180.5, -0.0, 0x1p-1074, 90.5, 9.3e18, 1e300,
    .greatestFiniteMagnitude,
  ]

  // MARK: Amounts

  @Test func `an amount beyond the bound is refused although every sum is right (MS-31)`() {
    var bazaar = Bazaar()
    let most = Bounds.cents.upperBound
    func tip(_ tip: Int64) -> FieldChanges {
      [.tipCents: .int64(tip), .totalCents: .int64(1_199 + tip)]
    }
    #expect(bazaar.order("o-1", tip(most - 1_199)) == nil)
    for beyond: Int64 in [most - 1_198, most, .max - 1_199] {
      #expect(
        bazaar.order("o-2", tip(beyond))?.essence
          == "BAD_REQUEST CKErrorConstraintViolation orderCreationFailed amount_out_of_range")
      #expect(
        bazaar.update("o-1", tip(beyond), by: Bazaar.customer)?.mimiReason == "amount_out_of_range")
    }
    #expect(bazaar.order("o-2", tip(most - 1_199)) == nil, "the bound itself belongs to it")
  }

  @Test func `where no bound binds, pay and revenue stay at the end of 64 bits (MS-35, MS-36)`() {
    var bazaar = Bazaar(off: [.ms31])
    bazaar.loadDriver(1, deliveries: .max)
    // The tip leaves less room than what a delivery pays.
    let generous: FieldChanges = [
      .deliveryFeeCents: .int64(0), .tipCents: .int64(.max - 500), .totalCents: .int64(.max),
    ]
    let one = [Bazaar.line("soup", price: 500)]
    #expect(bazaar.order("o-1", generous, lines: one, subtotal: 500) == nil)
    bazaar.move(to: "accepted", by: Bazaar.partner)
    bazaar.answer("accepted")
    for status in ["preparing", "ready_for_pickup"] { bazaar.move(to: status, by: Bazaar.partner) }
    for status in ["picked_up", "en_route"] { bazaar.move(to: status, by: Bazaar.driver(1)) }
    bazaar.complete()
    #expect(bazaar.move(to: "delivered", by: Bazaar.driver(1)) == nil)
    #expect(bazaar.market.orders["o-1"]?.payCents == .max)
    #expect(bazaar.shelf.record("d-1")?[Driver.completedDeliveries] == .max)
    for name: RecordName in ["o-2", "o-3"] {
      let delivered: FieldChanges = [
        .status: .string("delivered"), .subtotalCents: .int64(.max),
      ]
      bazaar.load(name, "Order", bazaar.orderFields(delivered), by: "u-customer")
    }
    let stats = bazaar.market.stats(
      of: "p-1", to: Bazaar.partner, on: bazaar.shelf, at: bazaar.now)
    #expect((try? stats.get())?["totalRevenueCents"] == .int(.max))
  }

  @Test func `pieces are reckoned at the end of 64 bits, too (MS-46, MS-50, MS-51, MS-54)`() {
    for off: Set<MimiSupply.Rule> in [[], [.ms50], [.ms54], [.ms50, .ms54]] {
      for quantity in Self.wholes {
        var bazaar = Bazaar(off: off.union([.ms29, .ms30, .ms31, .ms46, .ms51]))
        let lines = ["a", "b"].map { Bazaar.line("cake", quantity, price: 350, id: $0) }
        #expect(bazaar.order("o-1", lines: lines) == nil)
        bazaar.move(to: "cancelled", by: Bazaar.customer)
      }
    }
  }

  @Test func `the tick of a window of centuries is put off for ever (6.4)`() {
    var settings = MarketSettings()
    settings.dispatchMode = .batch
    settings.batchWindow = .days(60_000)
    var bazaar = Bazaar(settings)
    bazaar.now = Instant(unixMilliseconds: Bounds.moments.upperBound - 99_000_000_000)  // In 2252.
    #expect(bazaar.order() == nil)
    #expect(bazaar.move(to: "accepted", by: Bazaar.partner) == nil)
    #expect(bazaar.market.timers.due(.tick, "") == .distantFuture)
  }

  // MARK: The wire

  @Test func `queries and names at the end of 64 bits find nothing and end nothing`() throws {
    var city = City()
    for name in [nil, "customer-1", "admin"] as [String?] {
      for number in Self.wholes {
        let query = Query(
          RecordQuery(
            "AuditEvent", [Filter(.timestamp, .greaterThan, .untyped("\(number)"))],
            sortedBy: [Sort(.sequence)]))
        _ = city.ask(.query(Location(database: "private"), query), as: name)
        let lookup = Lookup([.init("audit_\(number)")])
        _ = city.ask(.lookup(Location(database: "private"), lookup), as: name)
        let few = Query(RecordQuery("Partner"), resultsLimit: Int(number))
        _ = city.ask(.query(Location(database: "public"), few), as: name)
        _ = city.ask(.poll(Poll(following: "/courier/1/x", timeoutSeconds: Int(number))))
      }
      for metres in Self.decimals {
        let near = Filter(
          text: "location", .near, .position(latitude: 90, longitude: -180), distance: metres)
        _ = city.ask(.query(Location(database: "public"), Query(RecordQuery("Partner", [near]))))
      }
    }
    let all = Query(RecordQuery("AuditEvent", [Filter(.timestamp, .greaterThan, .int64(.min))]))
    guard
      case .found(let entries, _) = try city.content(
        .query(Location(database: "private"), all), as: "admin")
    else { throw ControlProblem("no entries") }
    #expect(!entries.isEmpty)
  }

  @Test(arguments: [
    (
      "maxOperationsPerRequest", "9223372036854775807",
      "not in 0...1152921504606846976"
    ),
    ("maxQuantity", "-1", "not in 0..."), ("courierQueueLimit", "0", "not in 1..."),
    ("changeHistoryLimit", "1.5", "not a whole number"),
    ("offerLifetime", #""90000d""#, "to 36500d"), ("batchWindow", #""0s""#, "1ns to"),
    ("feePolicyEnforcement", "1", "true or false"), ("timeZone", #""Berlin""#, "Europe/Berlin"),
    ("dispatchMode", #""fast""#, "none of offer, auto, batch, pool"),
  ])
  func `a setting that is out of bounds says which it takes`(
    name: String, value: String, what: String
  ) {
    let error = #expect(throws: ControlProblem.self) {
      _ = try MimiSupply.control("configure", JSON(parsing: "{\"\(name)\": \(value)}")!)
    }
    #expect("\(error!)".contains("configure: '\(name)' is "), "\(error!)")
    #expect("\(error!)".contains(what), "\(error!)")
  }

  @Test func `every setting may stand at either end of its bounds`() throws {
    let settings = Adjustment<MimiSupply.Deployment>.shape.members
    #expect(settings.count == MimiSupply.Deployment.settings.count)
    for setting in settings {
      let number = setting.schema["anyOf"]?[0] ?? setting.schema
      let isSpan = setting.words.hasPrefix("seconds or a time")
      let ends = [number["minimum"], number["maximum"]].compactMap { $0 }
      for value in isSpan ? ["1ns", "36500d"] : ends {
        var city = City()
        city.operate(.configure([setting.name: value]))
        for name: RecordName in ["o-1", "o-2"] {
          _ = city.ask(
            .modify(Location(database: "private"), Modification([city.order(name)])),
            as: "customer-1")
        }
        _ = city.ask(.query(Location(database: "public"), Query(RecordQuery("Product"))))
        _ = city.ask(
          .query(
            Location(database: "private"),
            Query(RecordQuery("AuditEvent"), zone: nil)), as: "admin")
        city.pass(.hours(30))
      }
    }
  }

  // MARK: Fixtures

  @Test func `fixtures keep to the bounds and name what does not`() throws {
    func problem(_ json: String) throws -> String? {
      var city = City()
      let control = try MimiSupply.control("load", #require(JSON(parsing: json)))
      let handled = city.line.twin.handle(control, from: .administration, at: city.now)
      guard case .now(.failure(let refusal)) = handled.answer else { return nil }
      return refusal.failure.reason
    }
    let driver = """
      {"userId": "u-1", "name": "D", "phoneNumber": "1", "vehicleType": "car", "licensePlate": "x",\
      "isOnline": 0, "isAvailable": 0, "verificationStatus": "verified", "completedDeliveries": COUNT}
      """
    let loaded = """
      {"users": [{"userRecordName": "u-1", "role": "driver"}], "records": [{"recordName": "d-1",\
      "recordType": "Driver", "createdBy": "u-1", "fields": \(driver)}]}
      """
    #expect(try problem(loaded.replacing("COUNT", with: "1000000000")) == nil)
    #expect(
      try problem(loaded.replacing("COUNT", with: "9223372036854775807"))
        == "load: records[0] 'd-1': completedDeliveries lies in 0…1000000000")
    let picture = """
      {"users": [{"userRecordName": "u-1"}, {"userRecordName": "u-2", "fields":\
      {"profileImage": {"fileChecksum": "c", "size": SIZE}}}]}
      """
    #expect(try problem(picture.replacing("SIZE", with: "1125899906842624")) == nil)
    for size in ["1125899906842625", "9223372036854775807", "-1"] {
      #expect(
        try problem(picture.replacing("SIZE", with: size))
          == "load: users[1] 'u-2': profileImage is a ASSETID")
    }
    #expect(
      try problem(
        #"{"sessions": [{"ckWebAuthToken": "t", "userRecordName": "x", "deviceID": "d"}]}"#)
        == "load: sessions[0]: there is no user 'x'; load it with the session or before")
    let session = #"{"ckWebAuthToken": "t", "userRecordName": "user-admin", "deviceID": "d"}"#
    #expect(
      try problem("{\"sessions\": [\(session), \(session)]}")
        == "load: sessions[1]: its token is another session's already; take another")
    #expect(
      try problem(#"{"users": [{"userRecordName": "user-admin"}]}"#)
        == "load: users[0] 'user-admin': there is a record of this name already; take another")
  }

  @Test func `a fixture's orders add up, or the load says which does not (MS-28 to MS-31)`() throws
  {
    let wrong: [(change: Fields, what: String)] = [
      ([.totalCents: .int64(1_500)], "totalCents is 1500, and its parts' sum is 1499"),
      ([.subtotalCents: .int64(1_301)], "subtotalCents is 1301, and the lines' sum is 1300"),
      ([.tipCents: .int64(-1)], "an amount is negative"),
      (
        [.tipCents: .int64(.max), .totalCents: .int64(0)],
        "totalCents is 0, and its parts' sum has no 64 bits"
      ),
    ]
    for (change, what) in wrong + [([:], "")] {
      var city = City()
      let fields = city.order("o-1").record.fields.written
      let entry = Fixture.Entry(
        "o-1", type: "Order", creator: "user-customer-1", fields: fields.merging(change))
      let handled = city.line.twin.handle(
        .control(.load(Fixture(records: [entry]))), from: .administration, at: city.now)
      if case .now(.failure(let refusal)) = handled.answer {
        #expect(refusal.failure.reason == "load: records[0] 'o-1': \(what)")
        #expect(city.twin.shelf.record("o-1") == nil)
      } else {
        #expect(what.isEmpty, "\(what)")
      }
    }
  }

  /// With every rule off nothing is refused: what is reckoned with then has to hold by itself.
  @Test func `whatever lies in a field, the market reckons on`() throws {
    var city = City(rules: Rules<MimiSupply.Rule>(off: Set(MimiSupply.limits.map(\.id))))
    var bases: [RecordType: Fields] = [:]
    for (type, name) in [
      ("Partner", "partner-1"), ("Product", "product-6-1"), ("UserProfile", "user-admin"),
      ("Driver", "driver-1"),
    ] { bases[RecordType(type)] = city.twin.shelf.record(RecordName(name))!.fields }
    bases["Order"] = city.order("x").record.fields.written
    bases["Order"]![.driverId] = .string("driver-1")
    bases["DriverLocation"] = [
      .driverId: .string("driver-1"), .latitude: .double(52.5), .longitude: .double(13.4),
      .timestamp: .timestamp(city.now),
    ]
    bases["DeliveryCompletion"] = [
      .orderId: .string("x"), .driverId: .string("driver-1"), .completedAt: .timestamp(city.now),
    ]
    bases["DriverOffer"] = [
      .orderId: .string("x"), .driverId: .string("driver-1"), .state: .string("offered"),
      .offeredAt: .timestamp(city.now), .expiresAt: .timestamp(city.now),
      .distanceMeters: .double(1), .estimatedEarningsCents: .int64(1), .attempt: .int64(1),
    ]
    var count = 0
    for type in RecordSchema.types where type != "AuditEvent" {
      for rule in RecordSchema.of(type)!.fields {
        let values: [FieldValue] =
          switch rule.kind {
          case .int64: Self.wholes.map { .int64($0) }
          case .double: Self.decimals.map { .double($0) }
          case .timestamp:
            [Bounds.moments.lowerBound, Bounds.moments.upperBound].map {
              .timestamp(Instant(unixMilliseconds: $0))
            }
          default: []
          }
        for value in values {
          count += 1
          let name: RecordName = "edge-\(count)"
          var fields = bases[type]!
          fields[rule.name] = value
          let entry = Fixture.Entry(name, type: type, creator: "user-admin", fields: fields)
          city.operate(.load(Fixture(records: [entry])))
          let isPublic = RecordSchema.of(type)!.isPublic
          let write = Modification.Item(
            .forceUpdate, RecordDraft(name: name, type: type, fields: [rule.name: value]))
          _ = city.ask(
            .modify(Location(database: isPublic ? "public" : "private"), Modification([write])),
            as: "admin")
          for status in ["accepted", "ready_for_pickup", "picked_up", "en_route", "delivered"]
          where type == "Order" {
            let move = RecordDraft(name: name, type: type, fields: [.status: .string(status)])
            _ = city.ask(
              .modify(Location(database: "private"), Modification([.init(.forceUpdate, move)])),
              as: "admin")
          }
          if type == "Partner" { _ = city.ask(.partnerStats(partner: name), as: "admin") }
        }
      }
      _ = city.ask(.partnerStats(partner: "partner-1"), as: "admin")
      _ = city.ask(.exportAccount, as: "admin")
      city.pass(.minutes(10))
    }
    #expect(count > 300)
    _ = city.inspection
  }

  // MARK: Whoever reads what a server says

  @Test func `checks and people reckon with whatever a server answers`() {
    let now = Bazaar.noon
    for number in Self.wholes {
      var ledger = StockLedger(number, during: now...now)
      ledger.reserve(
        number, for: "o", during: (now + .seconds(1))...(now + .seconds(2)), isCertain: true,
        grace: .minutes(1))
      ledger.giveBack("o", from: now + .seconds(3), until: now + .seconds(4))
      _ = ledger.bounds(during: (now + .minutes(9))...(now + .minutes(9)))
      let offer: JSON = [
        "recordName": "offer_1", "modified": ["timestamp": .int(number)],
        "fields": [
          "orderId": ["value": "o"], "driverId": ["value": "d"], "state": ["value": "offered"],
          "offeredAt": ["value": .int(number)], "expiresAt": ["value": .int(number)],
          "distanceMeters": ["value": .double(Double(number) * 1e30)],
        ],
      ]
      #expect((InspectedRow(offer).flatMap(Offer.init) != nil) == Bounds.moments.contains(number))
      var order = NewOrder(
        name: "o", customer: "c", partner: "p", lines: [], address: [:],
        fees: Fees(delivery: number, platform: number, tax: number), estimate: now)
      order.lines = [
        .init(
          product: "a", name: "a", quantity: number, unitPriceCents: number,
          customizations: [("b", "c", number)])
      ]
      order.tipCents = number
      _ = order.draft(at: now)
    }
    #expect(Int64(nearest: .nan) == 0 && Int64(nearest: .infinity) == .max)
    #expect(Int64(nearest: -1e30) == .min && Int64(nearest: 2.5) == 3)
    #expect(Int64.min.minus(1) == .min && Int64.min.times(-1) == .max && Int64.max.plus(1) == .max)
    #expect(Instant(nearestMilliseconds: .max) == .distantFuture)
    #expect(Instant.distantPast.toMilliseconds == .distantPast)
  }
}
