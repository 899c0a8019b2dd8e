import Contracts
import MimiSupplyContract
import Testing
import Timekeeping
import WireLine

private typealias Request = MimiSupply.Request

private let here = Location(database: "private")
private let nowhere = Location(database: nil)

private let fields: Fields = [
  .status: .string("preparing"), .totalCents: .int64(1_999), .rating: .double(4),
  .createdAt: .timestamp(cityNoon), .tags: .strings(["a", "b"]),
  .logo: .asset(Asset(fileChecksum: "c", size: 12, downloadURL: "/assets/1/file/c/1/k")),
  .images: .assets([Asset(fileChecksum: "c", size: 1)]),
]

/// What no type declares.
private let made = FieldChanges(undeclared: "raw", .bytes(base64: "AA=="))
  .merging(FieldChanges(undeclared: "driver", .reference(recordName: "d-1")))
  .merging(FieldChanges(undeclared: "location", .position(latitude: 52.52, longitude: 13.4)))

private let order = CloudRecord(
  name: "o-7", type: "Order", changeTag: "4k", zone: Zone(owner: "u-3"),
  fields: fields.merged(made), created: Stamp(cityNoon, by: "u-3", on: "d-1"),
  modified: Stamp(cityNoon, by: "_system", on: nil))

private let subscription = Subscription(
  "order-updates",
  RecordQuery("Order", [Filter(.customerId, .equals, .string("u-3"))], sortedBy: [Sort(.status)]),
  firesOn: [.create, .delete], firesOnce: true,
  notificationInfo: .init(
    alertBody: "a", title: "t", soundName: "s", shouldBadge: true,
    shouldSendContentAvailable: false, additionalFields: ["status"]))

@Suite struct `MimiSupply on the wire` {
  private static let draft = RecordDraft(
    name: "o-7", type: "Order", changeTag: "4k",
    fields: [
      .status: .untyped("\"accepted\""), .driverId: nil as FieldValue?, .tipCents: .int64(100),
      .name: .mistyped(type: "STRING", "5"), .city: .mistyped(type: "", "5"),
    ])

  private static let queries: [Query] = [
    Query(RecordQuery("Partner")),
    Query(
      RecordQuery(
        "Driver",
        [
          Filter(text: "location", .near, .position(latitude: 52, longitude: 13), distance: 4_000),
          Filter(.driverId, .equals, nil), Filter("x", text: "LIKE", .untyped("[1,2]")),
        ],
        sortedBy: [
          Sort(
            text: "location", ascending: false,
            relativeLocation: .position(latitude: 52, longitude: 13))
        ]), zone: Zone("z", owner: "u"), zoneWide: true, resultsLimit: 7, continuationMarker: "m",
      desiredKeys: ["name"], numbersAsStrings: true),
  ]

  private static let records: [Request] =
    queries.map { .query(here, $0) } + [
      .lookup(
        here,
        Lookup(
          [.init("a", desiredKeys: ["x"]), .init("b")], zone: Zone("z"), desiredKeys: ["y"])),
      .modify(here, Modification([.init(.update, draft, desiredKeys: ["status"])])),
      .modify(
        Location(container: "other", environment: "development", database: "public"),
        Modification(
          [.init(.forceDelete, RecordDraft(name: "p-1"))], zone: Zone("MimiSupplyZone", owner: "u"),
          atomic: false)),
      .modify(
        here,
        Modification(
          [
            .init(
              .create,
              RecordDraft(
                name: "n", type: "Order", fields: FieldChanges(undeclared: "a", .int64(5))))
          ],
          numbersAsStrings: true)), .modify(here, Modification([])),
      .changes(
        here,
        FeedQuery(
          zone: Zone("z"), syncToken: "t", resultsLimit: 3, desiredKeys: ["a"],
          desiredRecordTypes: ["Order"], reverse: true)), .changes(here, FeedQuery(zone: nil)),
    ]

  private static let rest: [Request] = [
    .listZones(here), .lookupZones(here, [Zone("a"), Zone("b", owner: "u")]),
    .modifyZones(here, [ZoneOperation(.create, Zone("a")), ZoneOperation(.delete, Zone("b"))]),
    .changedZones(here, syncToken: nil), .changedZones(here, syncToken: "t"),
    .listSubscriptions(here), .lookupSubscriptions(here, ["a", "b"]),
    .modifySubscriptions(
      here,
      [
        SubscriptionOperation(.create, .subscription(subscription)),
        SubscriptionOperation(.delete, .name("a")),
        SubscriptionOperation(.update, .unreadable(id: "b")),
      ]), .createToken(nowhere, apnsEnvironment: "production"),
    .createToken(here, apnsEnvironment: "development"),
    .registerToken(nowhere, apnsEnvironment: "production", apnsToken: "t"),
    .requestUploads(
      here,
      UploadRequest(
        [
          .init("p", recordType: "Partner", fieldName: "logo"),
          .init(nil, recordType: "Product", fieldName: "images"),
        ], zone: Zone("z"))), .currentUser(Location(database: "public")),
    .upload(Upload(to: "http://localhost:8080/assets/1/upload/t", .bytes([1, 2, 3]))),
    .upload(Upload(to: "/assets/1/upload/t", .synthetic(size: 1 << 40, seed: 7))),
    .upload(Upload(to: "/assets/1/upload/t", .unreadable)),
    .download(path: "/assets/1/file/c/17/k"),
    .poll(Poll(following: "http://localhost:8080/courier/1/t%2F1", timeoutSeconds: 30)),
    .poll(Poll(following: "/courier/1/t")),
    .signIn(
      SignIn(
        identityToken: "sim.a.b.1", nonce: "n", deviceID: "d", fullName: "A B", email: "a@b",
        role: "driver")), .signIn(SignIn(identityToken: "x", nonce: "y", deviceID: nil)),
    .selectRole("driver"), .refresh, .signOut, .exportAccount, .deleteAccount,
    .partnerStats(partner: "p/1"), malformed(.modify, .noDocument),
    malformed(.query, .missing("query")), malformed(.query, .invalid("query.filterBy")),
    malformed(.modify, .invalid("operations[0].operationType")),
    malformed(.signIn, .missing("nonce")),
    .unread(.unrouted(.init("GET", "/database/2/x?page=1"))),
    .unread(
      .unrouted(
        .init("PUT", "/database/1/c/production/private/records/query", allowed: ["POST"]))),
  ]

  private static func malformed(
    _ operation: MimiSupply.MobileOperation, _ fault: Unread.Fault
  ) -> Request {
    .unread(.malformed(operation: operation.rawValue, fault))
  }

  @Test func `every request survives the wire with its credential`() {
    let credentials: [MimiSupply.Credential?] = [
      nil, .init(apiToken: "a", peer: "192.0.2.1", host: "localhost:9"),
      .init(apiToken: "a", userToken: "u+/=", deviceID: "d-1"),
    ]
    for request in Self.records + Self.rest {
      for credential in credentials { expectRoundTrip(MimiSupply.self, request, with: credential) }
    }
  }

  private static let commands: [Control] = [
    .load(
      Fixture(
        users: [.init("u", appleUserID: "a", role: "driver", fields: [.email: .string("a@b")])],
        sessions: [.init("t", user: "u", deviceID: "d", expiresAt: cityNoon)],
        records: [
          .init(
            "p", type: "Partner", creator: "u", zoneName: "z",
            fields: [.rating: .untyped("4.5"), .logo: .asset(Asset(fileChecksum: "c", size: 1))])
        ])), .loadSampleWorld, .configure(["dispatchMode": "pool", "driverCapacity": 2]),
    .setRule(.ms28, binds: false), .setApiTokens(["a"]), .setApiTokens(nil),
    .setConsent(user: "u", kind: "location", granted: false), .setRiskScore(user: "u", score: 0.9),
    .injectFault(
      InjectedFault(
        .zoneBusy, user: "u", zone: "z", operation: "modify", from: cityNoon,
        until: cityNoon + .hours(1), count: 2, retryAfter: .milliseconds(1_500))),
    .injectFault(InjectedFault(.latency, delay: .seconds(2))), .endFaults,
    .setPayment(order: "o", isRefused: true), .setPayment(order: nil, isRefused: false),
    .delivered(token: "t", notification: "n"), .outbox, .audit(user: "u"), .audit(user: nil),
    .counters, .commitLog(kept: nil), .commitLog(kept: true), .commitLog(kept: false),
  ]

  @Test func `every command survives the wire`() throws {
    var written: Set<String> = []
    for request in Self.commands.map(Request.control) + [
      .inspect(types: nil, since: 0), .inspect(types: ["Order"], since: 3),
    ] {
      let wire = MimiSupply.write(request, credential: nil, tokens: codec)
      let path = WireTarget(parsing: wire.target).path
      #expect(path.starts(with: ["_rehearsal", "mimi-supply"]) && path.count == 3)
      let body = try #require(JSON(parsing: wire.body))
      #expect(try MimiSupply.control(path[2], body) == request)
      written.insert(path[2])
    }
    #expect(Set(MimiSupply.controls.map(\.name)) == written)
    expectOperations(
      MimiSupply.self,
      Self.records + Self.rest + [.control(.outbox), .inspect(types: nil, since: 0)])
  }

  @Test func `a command that is wrong says what would be right`() {
    for (name, body) in [
      ("configure", #"{"dispatchMode": "fast"}"#), ("configure", #"{"speed": 1}"#),
      ("setConsent", #"{"user": "u", "kind": "sharing", "granted": true}"#),
      ("injectFault", #"{"kind": "latency"}"#), ("injectFault", #"{"kind": "flood"}"#),
      ("load", #"{"records": [{"recordName": 1}]}"#), ("load", #"{"people": []}"#),
      ("setRule", #"{"id": "MS-999", "binds": true}"#), ("nothing", "{}"),
    ] {
      #expect(throws: ControlProblem.self, "\(name) \(body)") {
        _ = try MimiSupply.control(name, #require(JSON(parsing: body)))
      }
    }
  }

  // MARK: Answers

  @Test func `every answer survives the wire, each item of a batch at its place`() {
    let conflict = ItemFailure.Conflict(
      server: order, client: RecordDraft(name: "o-7", changeTag: "4j"), ancestor: nil)
    let items: [ItemResult] = [
      .saved(order), .deleted(recordName: "p-1"),
      .failed(
        ItemFailure("o-7", .init(.conflict, .serverRecordChanged, "stale"), conflict: conflict)),
      .failed(
        ItemFailure(
          nil,
          .init(
            .badRequest, .constraintViolation, "closed", mimiError: "orderCreationFailed",
            mimiReason: "partner_closed"))),
    ]
    let failure = Failure(.notFound, .unknownItem, "gone")
    let zones: [ZoneResult] = [
      .zone(Zone("a", owner: "u"), atomic: true, syncToken: "t"),
      .zone(Zone(), atomic: false, syncToken: nil), .deleted(Zone("b")),
      .failed(Zone("c"), failure),
    ]
    let answers: [(ReplyContent, Request)] = [
      (.found([order], continuationMarker: "m"), .query(here, Self.queries[0])),
      (.found([order], continuationMarker: nil), .query(here, Self.queries[1])),
      (.items(items), .modify(here, Modification([]))),
      (.items(items), .modify(here, Modification([], numbersAsStrings: true))),
      (.items(items), .lookup(here, Lookup([]))),
      (
        .feed(items, syncToken: "t", moreComing: true),
        .changes(here, FeedQuery(zone: Zone("z")))
      ), (.zones(zones), .listZones(here)), (.zones(zones), .modifyZones(here, [])),
      (.zoneChanges(zones, syncToken: "t"), .changedZones(here, syncToken: nil)),
      (
        .subscriptions([.stored(subscription), .deleted("a"), .failed(nil, failure)]),
        .modifySubscriptions(here, [])
      ),
      (
        .uploads([UploadTarget(recordName: "p", fieldName: "logo", url: "/u")]),
        .requestUploads(here, UploadRequest([]))
      ),
      (
        .uploaded(
          Asset(
            fileChecksum: "c", size: 1 << 40, receipt: "r", referenceChecksum: "f",
            wrappingKey: "k")), .upload(Upload(to: "/assets/1/upload/t", .unreadable))
      ), (.downloaded([1, 2, 3]), .download(path: "/assets/1/file/c/17/k")),
      (
        .user(UserIdentity(userRecordName: "u", firstName: "A", lastName: "B", emailAddress: "m")),
        .currentUser(here)
      ), (.roleSelected(order), .selectRole("driver")),
      (.refreshed(userToken: "s", expiresAt: cityNoon), .refresh),
      (.exported(["profile": nil, "orders": []]), .exportAccount), (.done, .deleteAccount),
      (
        .signedIn(
          SignInAnswer(
            userToken: "s", expiresAt: cityNoon, userRecordName: "u", isNewUser: true,
            requiresRoleSelection: false, userProfile: order)),
        .signIn(SignIn(identityToken: "", nonce: "", deviceID: nil))
      ),
      (
        .stats(
          PartnerStats(
            ordersToday: 1, revenueTodayCents: 2, averageRating: 4.5, reviewCount: 3,
            totalOrders: 4, totalRevenueCents: 5, activeOrders: 6)), .partnerStats(partner: "p")
      ),
      (
        .tokenCreated(
          CourierToken(apnsEnvironment: "production", apnsToken: "t", webcourierURL: "/c")),
        .createToken(here, apnsEnvironment: "production")
      ), (.notifications(notifications), .poll(Poll(following: "/courier/1/t"))),
      (.shown(["a": 1]), .inspect(types: nil, since: 0)), (.done, .control(.endFaults)),
    ]
    for (content, request) in answers {
      expectRoundTrip(
        MimiSupply.self, .success(MimiSupply.Reply(content, csn: 12)), to: request)
      var digest = Digest()
      MimiSupply.fingerprint(of: MimiSupply.Reply(content, csn: 1), into: &digest)
      #expect(digest != Digest())
    }
  }

  private var notifications: [PushNotification] {
    let contents: [PushNotification.Content] = [
      .order(
        id: "o-7", status: "en_route", title: "Bestellupdate",
        body: "Ihre Bestellung ist unterwegs!", badge: 2), .position(driver: "d-1"),
      .offer(id: "offer_3", order: "o-7", driver: "d-1"), .customerDeleted(order: "o-7"), .record,
    ]
    return contents.map {
      PushNotification(
        $0, id: "n", subscription: "order-updates", recordName: "o-7", zone: Zone(owner: "u"),
        fired: .updated, additional: [.status: .string("en_route")])
    }
  }

  @Test func `every refusal survives the wire with its waiting time`() {
    let modify = Request.modify(here, Modification([]))
    for code in Failure.Code.allCases {
      let failure = Failure(
        code, .requestRateLimited, "no", retryAfter: code == .throttled ? .milliseconds(250) : nil)
      expectRoundTrip(
        MimiSupply.self,
        .failure(
          .init(
            failure, uuid: "u", redirectURL: code == .authenticationRequired ? "/in" : nil, csn: 4)),
        to: modify)
    }
    for native in Failure.Native.allCases {
      expectRoundTrip(
        MimiSupply.self, .failure(.init(Failure(.badRequest, native), uuid: "u", csn: 0)),
        to: modify)
    }
  }

  @Test func `numbers travel as texts where a request wants them so`() throws {
    let request = Request.query(here, Self.queries[1])
    let answer = MimiSupply.write(
      .success(MimiSupply.Reply(.found([order], continuationMarker: nil), csn: 1)), to: request,
      tokens: codec)
    let fields = try #require(answer.body?["records"]?[0]?["fields"])
    #expect(fields["totalCents"]?["value"] == "1999")
    #expect(fields["createdAt"]?["value"]?.string == String(cityNoon.unixMilliseconds))
    #expect(fields["rating"]?["value"] == .double(4))
  }

  @Test func `a payload has exactly the names of the specification (MS-96)`() throws {
    let order = try #require(notifications[0].document.object)
    #expect(order.members.map(\.name) == ["aps", "orderid", "status", "ck"])
    #expect(
      order["aps"] == [
        "alert": ["title": "Bestellupdate", "body": "Ihre Bestellung ist unterwegs!"], "badge": 2,
        "sound": "default",
      ])
    let query = try #require(order["ck"]?["qry"]?.object)
    #expect(Set(query.members.map(\.name)) == ["sid", "rid", "zid", "zoid", "dbs", "fo", "af"])
    #expect(notifications[3].document["event"] == "customer_deleted")
  }
}
