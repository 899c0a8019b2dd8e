import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

private let publicly = Location(database: "public")

@Suite struct `Hostile requests to MimiSupply` {
  private static let product: [String: FieldValue?] = [
    "partnerId": .string("partner-1"), "name": .string("Abc"), "description": .string(""),
    "priceCents": .int64(100), "category": .string("food"), "isAvailable": .int64(1),
    "createdAt": .timestamp(cityNoon), "updatedAt": .timestamp(cityNoon),
  ]

  private func product(
    _ name: String?, _ more: [String: FieldValue?] = [:], _ kind: Modification.Kind = .create
  ) -> Modification.Item {
    Modification.Item(
      kind,
      RecordDraft(name: name, type: "Product", fields: Self.product.merging(more) { $1 }))
  }

  /// What one request over the wire is answered.
  private func answer(
    _ city: inout City, _ path: String, _ body: String, as user: String
  ) -> Outcome<MimiSupply>? {
    let place = "/database/1/iCloud.com.mimisupply.app/production/"
    let wire = WireRequest(
      "POST", "\(place)\(path)?ckAPIToken=a&ckWebAuthToken=session-\(user)", body: Array(body.utf8))
    let (request, credential) = MimiSupply.read(wire)
    return city.line.ask(request, with: credential, at: city.now)
  }

  // MARK: Schema

  @Test(arguments: ["rating", "reviewCount", "isVerified", "isActive"])
  func `a value that the twin overwrites is of its type all the same (MS-14)`(field: String) throws
  {
    var city = City()
    let before = city.state
    let known = try #require(city.twin.shelf.record("partner-1"))
    var fields: [String: FieldValue?] = known.fields.mapValues { $0 }
    fields[field] = .untyped(#""1""#)
    let item = Modification.Item(
      .create, RecordDraft(name: "branch", type: "Partner", fields: fields))
    #expect(try city.failure(item, as: "partner-1", in: "public").failure.code == .badRequest)
    fields[field] = .int64(7)
    let outside = Modification.Item(
      .create, RecordDraft(name: "branch", type: "Partner", fields: fields))
    if field.hasPrefix("is") {
      #expect(try city.failure(outside, as: "partner-1", in: "public").failure.code == .badRequest)
    }
    #expect(city.state == before)
    fields[field] = known.fields[field]
    let whole = Modification.Item(
      .create, RecordDraft(name: "branch", type: "Partner", fields: fields))
    let branch = try city.save(whole, as: "partner-1", in: "public")
    #expect(!branch.flag("isVerified") && !branch.flag("isActive"))
  }

  @Test func `updatedAt is overwritten, but only by a write that gives an instant (MS-14)`() throws
  {
    var city = City()
    let wrong = product("p-1", ["updatedAt": .string("today")])
    #expect(
      try city.failure(wrong, as: "partner-1", in: "public").failure.native == .invalidArguments)
    let early = product("p-1", ["updatedAt": .timestamp(cityNoon - .hours(5))])
    let stored = try city.save(early, as: "partner-1", in: "public")
    #expect(stored.fields["updatedAt"] == .timestamp(cityNoon))
  }

  @Test func `an unknown field is refused even to be removed (MS-15)`() throws {
    var city = City()
    let before = city.state
    let removal: [String: FieldValue?] = ["colour": nil]
    for item in [
      product("p-1", removal), product("product-1-1", removal, .forceUpdate),
      product("product-1-1", removal, .forceReplace),
    ] {
      let failed = try city.failure(item, as: "partner-1", in: "public")
      #expect(failed.failure.native == .invalidArguments, "\(item.kind)")
    }
    #expect(city.state == before)
  }

  @Test func `a type that is no text is none, and so is a half-read notificationInfo`() throws {
    var city = City()
    let typed = #"""
      {"operations":[{"operationType":"forceUpdate","record":{"recordName":"product-1-1",
      "fields":{"weight":{"value":1,"type":5}}}}]}
      """#
    let results = answer(&city, "public/records/modify", typed, as: "partner-1")?.reply?.content
    guard case .items(let items)? = results else { throw ControlProblem("no items") }
    #expect(items.first?.failure?.failure.native == .invalidArguments)
    let subscription = #"""
      {"operations":[{"operationType":"create","subscription":{"subscriptionID":"s",
      "subscriptionType":"query","query":{"recordType":"Order"},"firesOn":["create"],
      "notificationInfo":{"shouldBadge":"yes"}}}]}
      """#
    let made =
      answer(&city, "private/subscriptions/modify", subscription, as: "partner-1")?.reply?.content
    guard case .subscriptions(let made)? = made, case .failed(_, let failure)? = made.first else {
      throw ControlProblem("it was stored")
    }
    #expect(failure.native == .invalidArguments)
  }

  @Test func `numbersAsStrings reads texts where the schema wants numbers, in writes and queries`()
    throws
  {
    var city = City()
    let write = #"""
      {"numbersAsStrings":true,"operations":[{"operationType":"forceUpdate","record":{
      "recordName":"product-1-1","fields":{"priceCents":{"value":"250"}}}}]}
      """#
    guard
      case .items(let items)? = answer(
        &city, "public/records/modify", write, as: "partner-1")?.reply?.content
    else { throw ControlProblem("no items") }
    #expect(items.first?.record?.fields["priceCents"] == .int64(250))
    for (value, expected) in [(#""250""#, 1), (#""25x""#, nil), ("250", 1)] as [(String, Int?)] {
      let query = """
        {"numbersAsStrings":true,"query":{"recordType":"Product","filterBy":[{"comparator":"EQUALS",
        "fieldName":"priceCents","fieldValue":{"value":\(value)}}]}}
        """
      let content = answer(&city, "public/records/query", query, as: "partner-1")?.reply?.content
      var count: Int?
      if case .found(let records, _)? = content { count = records.count }
      #expect(count == expected, "\(value)")
    }
    let plain = write.replacing(#""numbersAsStrings":true,"#, with: "")
    guard
      case .items(let items)? = answer(
        &city, "public/records/modify", plain, as: "partner-1")?.reply?.content
    else { throw ControlProblem("no items") }
    #expect(items.first?.failure?.failure.native == .invalidArguments)
  }

  @Test func `EQUALS null asks of lists and files, too, whether they are there`() throws {
    var city = City()
    _ = try city.save(
      product("product-1-1", ["tags": .strings(["Bio"])], .forceUpdate), as: "partner-1",
      in: "public")
    func found(_ type: String, _ field: String, _ comparator: String) throws -> Int {
      let query = RecordQuery(type, [Filter(field, text: comparator, nil)])
      guard case .found(let records, _) = try city.content(.query(publicly, Query(query))) else {
        return -1
      }
      return records.count
    }
    let all = city.twin.shelf.count(of: "Product")
    #expect(try found("Product", "tags", "NOT_EQUALS") == 1)
    #expect(try found("Product", "tags", "EQUALS") == all - 1)
    #expect(try found("Partner", "logo", "EQUALS") == 10)
  }

  // MARK: Names and the audit log

  @Test
  func `nobody changes the audit log, and nobody takes its names or those of offers (MS-112)`()
    throws
  {
    var city = City()
    let entry = try #require(try city.lookup("audit_1", as: "admin"))
    for kind in [Modification.Kind.update, .forceUpdate, .forceReplace, .delete, .forceDelete] {
      let item = Modification.Item(
        kind, RecordDraft(name: "audit_1", type: "AuditEvent", changeTag: entry.changeTag))
      #expect(try city.failure(item, as: "admin").failure.code == .accessDenied, "\(kind)")
    }
    let update = Modification.Item(.update, RecordDraft(name: "audit_1", changeTag: "1"))
    #expect(try city.failure(update, as: "customer-1").failure.code == .notFound)
    #expect(try city.lookup("audit_1", as: "admin") == entry)
    for name in ["audit_1", "audit_99999", "offer_60"] {
      let failed = try city.failure(product(name), as: "partner-1", in: "public")
      #expect(failed.failure.code == .exists && failed.conflict == nil, "\(name)")
    }
    for name in ["audit_x", "offer_", "offer_6a"] {
      _ = try city.save(product(name), as: "partner-1", in: "public")
    }
  }

  @Test func `who may not write learns nothing of a record's type`() throws {
    var city = City()
    let item = Modification.Item(.forceUpdate, RecordDraft(name: "partner-1", type: "Product"))
    #expect(
      try city.failure(item, as: "partner-2", in: "public").failure.code == .accessDenied)
    #expect(
      try city.failure(item, as: "partner-1", in: "public").failure.native == .invalidArguments)
  }
}

@Suite struct `Hostile sign-ins, files and pushes of MimiSupply` {
  private func signIn(_ nonce: String, issued: Instant, fullName: String? = nil)
    -> MimiSupply.Request
  {
    let hash = codec.sha256(Array(nonce.utf8)).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
    return .signIn(
      SignIn(
        identityToken: "sim.eva.\(hash).\(issued.unixMilliseconds)", nonce: nonce,
        deviceID: "phone", fullName: fullName))
  }

  private func nonce(_ digit: Int) -> String { String(repeating: "n", count: 31) + "\(digit)" }

  @Test
  func `the texts of a sign-in are sanitised and bounded, and a nonce is not lost (MS-27, MS-04)`()
    throws
  {
    var city = City()
    let before = city.state
    let now = city.now
    #expect(
      try city.refusal(signIn(nonce(1), issued: now, fullName: "E\u{1}va")).native
        == .invalidArguments)
    let endless = String(repeating: "a", count: 1 << 20)
    #expect(
      try city.refusal(signIn(nonce(1), issued: now, fullName: endless)).mimiReason
        == "record_too_large")
    #expect(city.state == before)
    #expect(city.ask(signIn(nonce(1), issued: now, fullName: "Eva"))?.reply != nil)
  }

  @Test func `a token from a clock that goes ahead is no way to use a nonce twice (MS-104)`() throws
  {
    var city = City()
    let request = signIn(nonce(1), issued: city.now + .seconds(60))
    #expect(city.ask(request)?.reply != nil)
    city.pass(.minutes(10) + .seconds(30))
    #expect(try city.refusal(request).mimiReason == "nonce_reused")
    city.pass(.seconds(30))
    #expect(try city.refusal(request).mimiReason == "token_expired")
  }

  @Test func `a role is selected by its user and device, and the audit log says so (MS-111)`()
    throws
  {
    var city = City()
    guard case .signedIn(let eva) = try city.content(signIn(nonce(1), issued: city.now)) else {
      throw ControlProblem("not signed in")
    }
    let credential = MimiSupply.Credential(apiToken: "a", userToken: eva.userToken)
    _ = city.line.ask(.selectRole("driver"), with: credential, at: city.now)
    let last = try #require(city.twin.audit.entries.last)
    #expect(last.event == "data_modification" && last.device == "phone")
    #expect(last.user == eva.userRecordName)
  }

  private func upload(_ city: inout City, seed: Int) throws -> Asset {
    let asked = UploadRequest([.init(nil, recordType: "Partner", fieldName: "logo")])
    guard
      case .uploads(let targets) = try city.content(
        .requestUploads(Location(database: "public"), asked), as: "partner-1"),
      let path = targets.first?.url.split(separator: "8080").last,
      case .uploaded(let asset) = try city.content(
        .upload(Upload(to: String(path), .synthetic(size: 10, seed: seed))))
    else { throw ControlProblem("no upload") }
    return asset
  }

  private func logo(_ asset: Asset, name: String = "Gasthaus Linden") -> Modification.Item {
    Modification.Item(
      .forceUpdate,
      RecordDraft(name: "partner-1", fields: ["logo": .asset(asset), "name": .string(name)]))
  }

  @Test func `a write that fails keeps no file from expiring (MS-06)`() throws {
    var city = City()
    let asset = try upload(&city, seed: 1)
    let failed = try city.failure(logo(asset, name: "x"), as: "partner-1", in: "public")
    #expect(failed.failure.code == .badRequest)
    #expect(city.twin.files.files[asset.receipt!]?.isReferred == false)
    _ = try city.save(logo(asset), as: "partner-1", in: "public")
    #expect(city.twin.files.files[asset.receipt!]?.isReferred == true)
  }

  @Test
  func `a second upload of the same bytes that expires takes nothing from the first (MS-110)`()
    throws
  {
    var city = City()
    let first = try upload(&city, seed: 1)
    _ = try city.save(logo(first), as: "partner-1", in: "public")
    let second = try upload(&city, seed: 1)
    #expect(first.fileChecksum == second.fileChecksum)
    city.pass(.hours(48))
    let file = try #require(
      try city.lookup("partner-1", as: nil, in: "public")?.fields["logo"]?.files.first)
    #expect(try city.content(.download(path: file.downloadURL!)) == .downloaded([]))
  }

  @Test func `badge counts what waits, never more than the queue holds (MS-99)`() throws {
    var city = City()
    city.operate(.configure(["courierQueueLimit": 2]))
    let till = try city.device("till", of: "partner-1")
    try city.subscribe("all", to: RecordQuery("Order"), as: "partner-1")
    for index in 1...4 { _ = try city.save(city.order("o-\(index)"), as: "customer-1") }
    let badges = try city.fetch(till).map { notification -> Int in
      guard case .order(_, _, _, _, let badge) = notification.content else { return -1 }
      return badge
    }
    #expect(badges == [2, 2])
  }

  @Test func `a payload always names the zone's owner (MS-96)`() throws {
    var city = City()
    let till = try city.device("till", of: "partner-1")
    let subscription = Subscription("menu", RecordQuery("Product"), firesOn: [.update])
    _ = try city.content(
      .modifySubscriptions(
        Location(database: "public"), [SubscriptionOperation(.create, .subscription(subscription))]),
      as: "partner-1")
    let item = Modification.Item(
      .forceUpdate, RecordDraft(name: "product-1-1", fields: ["name": .string("Bratwurst")]))
    _ = try city.save(item, as: "partner-1", in: "public")
    let payload = try #require(try city.fetch(till).first?.document)
    #expect(payload["ck"]?["qry"]?["zoid"] == "_system")
  }

  // MARK: What is left of who left, and counters

  @Test func `no stamp, zone or push log names a driver who left (MS-116)`() throws {
    var city = City()
    _ = try city.device("spare", of: "driver-1")
    try city.subscribe("offers", to: RecordQuery("DriverLocation"), as: "driver-1")
    let shift = Modification.Item(
      .forceUpdate, RecordDraft(name: "driver-1", fields: ["isAvailable": .int64(0)]))
    _ = try city.save(shift, as: "driver-1")
    let position = Modification.Item(
      .create,
      RecordDraft(
        name: "here", type: "DriverLocation",
        fields: [
          "driverId": .string("driver-1"), "latitude": .double(52.5), "longitude": .double(13.4),
          "timestamp": .timestamp(city.now),
        ]))
    _ = try city.save(position, as: "driver-1")
    _ = try city.save(city.order("o-1"), as: "customer-1")
    city.line.twin.shelf.put(
      try #require(city.twin.shelf.record("o-1")).modified(by: "user-driver-1"))
    let tag = city.twin.shelf.record("o-1")?.changeTag
    #expect(city.twin.outbox.description.contains("user-driver-1"))
    #expect(try city.content(.deleteAccount, as: "driver-1") == .done)
    #expect(city.twin.shelf.record("o-1")?.changeTag == tag, "nothing was modified")
    let left = city.twin.inspection(at: city.now).description + city.twin.outbox.description
    #expect(!left.contains("user-driver-1"))
  }

  @Test func `requests are counted by user and code, undone batches included (§11)`() throws {
    var city = City()
    let bad = Modification.Item(
      .update, RecordDraft(name: "nobody", changeTag: "x", fields: [:]))
    _ = try city.modify(
      [city.order("o-1"), bad], as: "customer-1", zone: Zone("MimiSupplyZone"))
    _ = try city.refusal(
      .query(Location(database: "secret"), Query(RecordQuery("Order"))), as: "customer-1")
    _ = try city.refusal(.query(privatelyAsked, Query(RecordQuery("Order"))))
    let counters = JSON.object(city.twin.countersDocument)
    #expect(
      counters["users"]?["user-customer-1"] == ["admitted": 2, "refused": ["NOT_FOUND": 2]])
    #expect(counters["anonymous"] == ["admitted": 0, "refused": ["AUTHENTICATION_REQUIRED": 1]])
    #expect(counters["retries"] == 0 && counters["matches"] == 0)
  }

  private let privatelyAsked = Location(database: "private")

  @Test func `opening hours and midnight follow the time zone that is set (MS-41, MS-114)`() throws
  {
    var city = City()
    let midnight = city.twin.retentionDue
    // Noon in Berlin is one in the night in Honolulu, when Friday has just closed.
    city.operate(.configure(["timeZone": "Pacific/Honolulu"]))
    #expect(
      try city.failure(city.order("o-1"), as: "customer-1").failure.mimiReason == "partner_closed")
    #expect(city.twin.retentionDue == midnight.map { $0 + .hours(11) })
    city.operate(.configure(["timeZone": "Europe/Berlin"]))
    _ = try city.save(city.order("o-1"), as: "customer-1")
    #expect(city.twin.retentionDue == midnight)
    #expect(throws: ControlProblem.self) {
      try MimiSupply.control("configure", ["timeZone": "Mars/Olympus"])
    }
  }

  @Test func `a sync token grows old by commits alone, not by looks at zones (§3.2)`() throws {
    var city = City()
    let zone = Zone("MimiSupplyZone")
    let here = Location(database: "private")
    guard
      case .feed(_, let token, _) = try city.content(
        .changes(here, FeedQuery(zone: zone)), as: "customer-1")
    else { throw ControlProblem("no feed") }
    city.operate(.configure(["changeHistoryLimit": 3]))
    for index in 1...3 { _ = try city.save(city.order("o-\(index)"), as: "customer-1", zone: zone) }
    _ = try city.content(.changedZones(here, syncToken: nil), as: "customer-1")
    _ = try city.content(.changedZones(here, syncToken: nil), as: "admin")
    let old = MimiSupply.Request.changes(here, FeedQuery(zone: zone, syncToken: token))
    #expect(city.ask(old, as: "customer-1")?.reply != nil)
    _ = try city.save(city.order("o-4"), as: "customer-1", zone: zone)
    #expect(try city.refusal(old, as: "customer-1").native == .changeTokenExpired)
  }
}

extension CloudRecord {
  fileprivate func modified(by user: String) -> CloudRecord {
    var record = self
    record.modified = Stamp(modified.timestamp, by: user, on: "phone")
    return record
  }
}
