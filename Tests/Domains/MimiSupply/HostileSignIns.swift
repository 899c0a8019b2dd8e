import Contracts
import MimiSupplyContract
import Testing
import Timekeeping
import WireLine

@testable import MimiSupplyTwin

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

  @Test func `a full database takes no new profile, but lets its users in (MS-06)`() throws {
    var city = City()
    #expect(city.ask(signIn(nonce(1), issued: city.now))?.reply != nil)
    city.operate(.configure(["maxDatabaseBytes": 1]))
    #expect(city.ask(signIn(nonce(2), issued: city.now))?.reply != nil)
    #expect(
      try city.refusal(signIn(nonce(3), issued: city.now, fullName: "Eva")).code == .quotaExceeded)
    #expect(city.twin.audit.entries.last?.event == .loginFailure)
  }

  @Test func `the audit log keeps the version of the app, where it is named (MS-111)`() throws {
    var city = City()
    let modification = Modification([city.order("o-1")])
    var credential = City.credential("customer-1")
    credential.appVersion = "2.1"
    _ = city.line.ask(
      .modify(Location(database: "private"), modification), with: credential, at: city.now)
    #expect(city.twin.audit.entries.last?.appVersion == "2.1")
    city.pass(.minutes(2))
    let last = try #require(city.twin.audit.entries.last)
    #expect(last.user == "_system" && last.appVersion == nil)
    let wire = WireRequest(
      "POST", "/mimi/1/auth/refresh", headers: [WireHeader("X-Mimi-App-Version", "3")])
    #expect(MimiSupply.read(wire).credential?.appVersion == "3")
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
    #expect(last.event == .modification && last.device == "phone")
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
      RecordDraft(name: "partner-1", fields: [.logo: .asset(asset), .name: .string(name)]))
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
      try city.lookup("partner-1", as: nil, in: "public")?.fields[.logo]?.files.first)
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
      .forceUpdate, RecordDraft(name: "product-1-1", fields: [.name: .string("Bratwurst")]))
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
      .forceUpdate, RecordDraft(name: "driver-1", fields: [.isAvailable: .int64(0)]))
    _ = try city.save(shift, as: "driver-1")
    let position = Modification.Item(
      .create,
      RecordDraft(
        name: "here", type: "DriverLocation",
        fields: [
          .driverId: .string("driver-1"), .latitude: .double(52.5), .longitude: .double(13.4),
          .timestamp: .timestamp(city.now),
        ]))
    _ = try city.save(position, as: "driver-1")
    _ = try city.save(city.order("o-1"), as: "customer-1")
    city.line.twin.shelf.put(
      try #require(city.twin.shelf.record("o-1")).modified(by: "user-driver-1"))
    let tag = city.twin.shelf.record("o-1")?.changeTag
    #expect(city.twin.outbox.description.contains("user-driver-1"))
    #expect(try city.content(.deleteAccount, as: "driver-1") == .done)
    #expect(city.twin.shelf.record("o-1")?.changeTag == tag, "nothing was modified")
    let left = city.inspection.description + city.twin.outbox.description
    #expect(!left.contains("user-driver-1"))
  }

  @Test func `a conflict and the lines of an order keep nothing of who left (MS-116)`() throws {
    var city = City()
    var assigned = city.order("o-1")
    assigned.record.fields[.items] = .string(
      """
      [{"id":"1","productId":"product-1-1","productName":"Currywurst","quantity":2,\
      "unitPriceCents":650,"totalPriceCents":1300,"specialInstructions":"For Clara"}]
      """)
    let read = try city.save(assigned, as: "customer-1")
    #expect(try city.content(.deleteAccount, as: "customer-1") == .done)
    let active = try #require(city.twin.shelf.record("o-1"))
    #expect(active[Order.items]?.contains("For Clara") == true, "it runs on normally")
    _ = try city.save(city.updating(active, [.status: .string("cancelled")]), as: "partner-1")
    for state in [read, active] {
      let late = try city.failure(
        city.updating(state, [.status: .string("accepted")]), as: "partner-1")
      #expect(late.failure.code == .conflict)
      let shown = "\(late)"
      for personal in ["Gendarmenmarkt", "For Clara", "user-customer-1"] {
        #expect(!shown.contains(personal))
      }
    }
    #expect(city.twin.shelf.record("o-1")?[Order.items]?.contains("1300") == true)
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
  fileprivate func modified(by user: UserName) -> CloudRecord {
    var record = self
    record.modified = Stamp(modified.timestamp, by: user, on: "phone")
    return record
  }
}
