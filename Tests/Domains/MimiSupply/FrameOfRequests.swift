import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

private let privately = Location(database: "private")
private let publicly = Location(database: "public")
private let anything = Query(RecordQuery("Partner"))

@Suite struct `The frame of MimiSupply's requests` {
  /// One request that fails every check from the first to the last, mended one by one.
  @Test func `the first failing check decides, in the order of section 3`() throws {
    var city = City()
    city.operate(.configure(["requestsPerSecondPerUser": 0]))
    city.operate(.injectFault(InjectedFault(.zoneBusy, retryAfter: .milliseconds(2_500))))
    city.operate(.setApiTokens(["test"]))
    let elsewhere = Location(container: "other", environment: "production", database: "private")
    var credential = MimiSupply.Credential(apiToken: "nobody", userToken: "nobody")

    func fail(_ request: MimiSupply.Request) throws -> Failure {
      try #require(city.line.ask(request, with: credential, at: city.now)?.refusal).failure
    }
    let broken = MimiSupply.Request.unread(.malformed(operation: 0, .noDocument))
    #expect(try fail(broken).native == .invalidArguments)  // 1.
    let query = MimiSupply.Request.query(elsewhere, anything)
    #expect(try fail(query).code == .authenticationFailed)  // 2.
    credential.apiToken = "test"
    #expect(try fail(query).code == .authenticationFailed)  // 3.
    credential.userToken = "session-customer-1"
    #expect(try fail(query).code == .throttled)  // 4.
    city.operate(.configure(["requestsPerSecondPerUser": 40]))
    let busy = try fail(query)  // 5.
    #expect(busy.native == .zoneBusy && busy.retryAfter == .milliseconds(2_500))
    city.operate(.endFaults)
    #expect(try fail(query).native == .badContainer)  // 6.
    #expect(try fail(.query(Location(database: "secret"), anything)).native == .badDatabase)
    let unknown = Query(RecordQuery("Order"), zone: Zone("nowhere"))
    #expect(try fail(.query(privately, unknown)).code == .zoneNotFound)
    let many = Modification(
      (0...400).map { .init(.forceDelete, RecordDraft(name: "x-\($0)")) })
    #expect(try fail(.modify(privately, many)).native == .limitExceeded)  // 7.
    #expect(try fail(.query(privately, anything)).native == .invalidArguments)
  }

  @Test func `everything but reading public data requires sign-in (MS-101, MS-102)`() throws {
    var city = City()
    for request in [
      MimiSupply.Request.query(publicly, anything), .lookup(publicly, Lookup([.init("partner-1")])),
      .listZones(publicly), .lookupZones(publicly, [Zone()]),
      .changedZones(publicly, syncToken: nil),
    ] {
      #expect(city.ask(request)?.reply != nil, "\(request)")
    }
    for request in [
      MimiSupply.Request.query(privately, anything), .modify(publicly, Modification([])),
      .changes(publicly, FeedQuery(zone: nil)), .listSubscriptions(publicly),
      .createToken(Location(database: nil), apnsEnvironment: "production"),
      .requestUploads(publicly, UploadRequest([])), .currentUser(publicly), .selectRole("driver"),
      .refresh, .signOut, .exportAccount, .deleteAccount, .partnerStats(partner: "partner-1"),
    ] {
      let refusal = city.ask(request)?.refusal
      #expect(refusal?.failure.code == .authenticationRequired, "\(request)")
      #expect(refusal?.redirectURL == "http://127.0.0.1:8080/mimi/1/auth/apple")
    }
  }

  @Test func `routes that are none, wrong methods and other versions are told apart`() {
    let native: [(String, String, Failure.Native)] = [
      ("GET", "/database/1/c/production/private/records/query", .invalidArguments),
      ("POST", "/database/1/c/production/private/records/steal", .unknownItem),
      ("POST", "/database/2/c/production/private/records/query", .incompatibleVersion),
      ("POST", "/mimi/2/auth/apple", .incompatibleVersion), ("GET", "/", .unknownItem),
    ]
    for (method, target, expected) in native {
      let (request, _) = MimiSupply.read(WireRequest(method, target))
      guard case .unread(.unrouted(let asked)) = request else {
        Issue.record("\(method) \(target) is \(request)")
        continue
      }
      #expect(MimiSupply.routeProblem(asked).native == expected)
    }
  }

  // MARK: Bad input

  @Test(arguments: [
    #"{"operations":{}}"#, #"{"operations":[{"operationType":"upsert","record":{}}]}"#,
    #"{"operations":[{"operationType":"create"}]}"#,
    #"{"operations":[{"operationType":"create","record":{"recordName":5}}]}"#,
    #"{"operations":[{"operationType":"create","record":{"fields":[]}}]}"#,
    #"{"operations":[],"atomic":"yes"}"#, #"{"operations":[],"zoneID":"z"}"#, "[]", "", "{",
    #"{"operations":[],"zoneID":{"zone":"z"}}"#,
  ])
  func `a body that cannot be read is a BAD_REQUEST and changes nothing`(body: String) throws {
    var city = City()
    let before = city.state
    let wire = WireRequest(
      "POST",
      "/database/1/iCloud.com.mimisupply.app/production/private/records/modify?ckAPIToken=a&ckWebAuthToken=session-customer-1",
      body: Array(body.utf8))
    let (request, credential) = MimiSupply.read(wire)
    let refusal = try #require(
      city.line.ask(request, with: credential, at: city.now)?.refusal)
    #expect(refusal.failure.code == .badRequest && refusal.failure.native == .invalidArguments)
    #expect(city.state == before)
  }

  /// A field of an order and a value that it cannot have, with the code and the reason of the refusal.
  private static let badFields: [(String, FieldValue?, Failure.Native, String?)] = [
    ("customerId", nil, .invalidArguments, nil), ("status", .int64(5), .invalidArguments, nil),
    ("colour", .string("red"), .invalidArguments, nil),
    ("totalCents", .string("14"), .invalidArguments, nil),
    ("totalCents", .untyped("1e30"), .invalidArguments, nil),
    ("totalCents", .mistyped(type: "INT64", "\"x\""), .invalidArguments, nil),
    ("items", .string("not JSON"), .invalidArguments, "malformed_items"),
    ("items", .string(#"{"id":"1"}"#), .invalidArguments, "malformed_items"),
    ("items", .string("[]"), .constraintViolation, "items_empty"),
    ("deliveryAddress", .string("{}"), .invalidArguments, "malformed_address"),
    (
      "deliveryAddress",
      .string(
        #"{"street":"G","city":"B","state":"B","postalCode":"1","country":"DE","latitude":95,"longitude":13}"#
      ), .invalidArguments, nil
    ),
    (
      "deliveryAddress",
      .string(#"{"street":"G","city":"B","state":"B","postalCode":"1","country":"DE"}"#),
      .invalidArguments, "address_without_coordinates"
    ), ("tipCents", .int64(.max), .constraintViolation, nil),
    ("taxCents", .int64(-1), .constraintViolation, "negative_amount"),
    ("deliveryInstructions", .string("a\u{1}b"), .invalidArguments, nil),
    ("partnerId", .string("nobody"), .referenceViolation, "partner_unknown"),
    ("estimatedDeliveryTime", .timestamp(cityNoon), .constraintViolation, "eta_not_in_future"),
  ]

  @Test func `a malformed order gets the specified error and leaves no trace`() throws {
    for (field, value, native, reason) in Self.badFields {
      var city = City()
      let before = city.state
      var item = city.order("o-1")
      item.record.fields[text: field] = value.map(Optional.some)
      let failed = try city.failure(item, as: "customer-1")
      #expect(failed.failure.native == native, "\(field): \(failed.failure)")
      if let reason { #expect(failed.failure.mimiReason == reason, "\(field): \(failed.failure)") }
      #expect(city.state == before, "\(field)")
    }
  }

  @Test func `orders of 10000 lines, foreign types and names that are none are refused`() throws {
    var city = City()
    let before = city.state
    let line =
      #"{"id":"%","productId":"product-1-1","productName":"C","quantity":1,"unitPriceCents":650,"totalPriceCents":650}"#
    let lines = (0..<10_000).map { line.replacing("%", with: String($0)) }
    var large = city.order("o-1")
    large.record.fields[.items] = .string("[" + lines.joined(separator: ",") + "]")
    #expect(try city.failure(large, as: "customer-1").failure.code == .badRequest)
    for name in ["_x", "", "ü", RecordName(String(repeating: "a", count: 256))] {
      var item = city.order(name)
      item.record.name = name
      #expect(
        try city.failure(item, as: "customer-1").failure.native == .invalidArguments, "\(name)")
    }
    var typed = city.order("o-1")
    typed.record.type = "Invoice"
    #expect(try city.failure(typed, as: "customer-1").failure.native == .invalidArguments)
    typed.record.type = "Product"
    #expect(try city.failure(typed, as: "customer-1").failure.code == .badRequest)
    typed.record.type = nil
    #expect(try city.failure(typed, as: "customer-1").failure.code == .badRequest)
    #expect(city.state == before)
  }

  @Test(arguments: [
    RecordQuery("Invoice"), RecordQuery("Order"),
    RecordQuery("Partner", [Filter(text: "colour", .equals, .string("red"))]),
    RecordQuery("Partner", [Filter(.isActive, .equals, .string("yes"))]),
    RecordQuery("Partner", [Filter("name", text: "LIKE", .string("x"))]),
    RecordQuery("Partner", [Filter(.category, .equals, .string("casino"))]),
    RecordQuery(
      "Partner",
      [Filter(text: "location", .near, .position(latitude: 91, longitude: 0), distance: 5)]),
    RecordQuery("Partner", [Filter(text: "location", .near, .position(latitude: 0, longitude: 0))]),
    RecordQuery(
      "Partner",
      [Filter(text: "location", .near, .position(latitude: 0, longitude: 0), distance: -1)]),
    RecordQuery(
      "Product",
      [Filter(text: "location", .near, .position(latitude: 0, longitude: 0), distance: 1)]),
    RecordQuery("Partner", sortedBy: [Sort(text: "colour")]),
    RecordQuery("Partner", sortedBy: [Sort(text: "location")]),
    RecordQuery("Product", [Filter(.tags, .equals, .strings(["a"]))]),
  ])
  func `a query that makes no sense is a BAD_REQUEST`(query: RecordQuery) throws {
    var city = City()
    #expect(try city.refusal(.query(publicly, Query(query))).native == .invalidArguments)
  }

  @Test func `a body of 2 MB is taken and a byte more refused (MS-07)`() throws {
    var city = City()
    city.operate(.configure(["maxRequestBytes": 300]))
    for (length, isTaken) in [(300, true), (301, false)] {
      let empty = #"{"operations":[]}"#
      let body = empty + String(repeating: " ", count: length - empty.utf8.count)
      let wire = WireRequest(
        "POST",
        "/database/1/iCloud.com.mimisupply.app/production/private/records/modify?ckAPIToken=a&ckWebAuthToken=session-customer-1",
        body: Array(body.utf8))
      let (request, credential) = MimiSupply.read(wire)
      let handled = city.line.twin.handle(request, from: .client(credential), at: city.now)
      guard case .now(let result) = handled.answer else { return }
      switch result {
      case .success: #expect(isTaken)
      case .failure(let refusal):
        #expect(!isTaken && refusal.failure.native == .limitExceeded)
      }
    }
  }
}
