import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

private typealias Request = MimiSupply.Request

private let noon = Instant(unixMilliseconds: 1_774_090_800_000)
private let here = Location(database: "private")

private let order = CloudRecord(
  name: "o-7", type: "Order", changeTag: "4k", zone: Zone(owner: "u-3"),
  fields: [
    "status": .string("preparing"), "totalCents": .int64(1_999), "rating": .double(4),
    "createdAt": .timestamp(noon), "raw": .bytes(base64: "AA=="),
    "driver": .reference(recordName: "d-1"), "tags": .strings(["a", "b"]),
    "location": .position(latitude: 52.52, longitude: 13.4),
    "logo": .asset(Asset(fileChecksum: "c", size: 12, receipt: "r")),
    "images": .assets([Asset(fileChecksum: "c", size: 1)]),
  ], created: Stamp(noon, by: "u-3", on: "d-1"), modified: Stamp(noon, by: "_system", on: nil))

private func saving(
  _ kind: Modification.Kind, _ name: String, _ tag: String? = nil, _ status: String
)
  -> Modification.Item
{
  Modification.Item(
    kind,
    RecordDraft(name: name, type: "Order", changeTag: tag, fields: ["status": .string(status)]))
}

@Suite struct `MimiSupply on paper` {
  @Test func `every request survives the wire with its credential`() throws {
    let draft = RecordDraft(
      name: "o-7", type: "Order", changeTag: "4k",
      fields: [
        "status": .untyped("\"accepted\""), "driverId": nil as FieldValue?, "tipCents": .int64(100),
        "name": .mistyped(type: "STRING", "5"),
      ])
    let requests: [Request] = [
      .modify(here, Modification([.init(.update, draft, desiredKeys: ["status"])])),
      .modify(
        Location(container: "other", environment: "development", database: "public"),
        Modification(
          [.init(.forceDelete, RecordDraft(name: "p-1"))], zone: Zone("MimiSupplyZone", owner: "u"),
          atomic: false)),
      .modify(here, Modification([])),
      .createToken(Location(database: nil), apnsEnvironment: "production"),
      .createToken(here, apnsEnvironment: "development"),
      .poll(Poll(following: "http://localhost:8080/courier/1/t%2F1", timeoutSeconds: 30)),
      .poll(Poll(following: "/courier/1/t")), .malformed(.modify, here, .notAnObject),
      .malformed(.modify, here, .incomplete), .malformed(.createToken, here, .incomplete),
      .unrouted(method: "GET", target: "/database/2/x?page=1"),
      .unrouted(method: "POST", target: "/database/1/c/production/private/records/query"),
    ]
    let credentials: [MimiSupply.Credential?] = [
      nil, .init(apiToken: "a", peer: "192.0.2.1"),
      .init(apiToken: "a", userToken: "u+/=", deviceID: "d-1"),
    ]
    for request in requests {
      for credential in credentials { expectRoundTrip(MimiSupply.self, request, with: credential) }
    }
    let delivered = Request.delivered(token: "t", notification: "n")
    let wire = MimiSupply.write(delivered, credential: nil, tokens: codec)
    #expect(try MimiSupply.control("delivered", #require(JSON(parsing: wire.body))) == delivered)
    expectOperations(MimiSupply.self, requests + [delivered])
  }

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
    let modify = Request.modify(here, Modification([]))
    expectRoundTrip(MimiSupply.self, .success(.modified(items, csn: 12)), to: modify)
    let token = CourierToken(
      apnsEnvironment: "production", apnsToken: "t",
      webcourierURL: "http://localhost:8080/courier/1/t")
    expectRoundTrip(
      MimiSupply.self, .success(.tokenCreated(token, csn: 1)),
      to: .createToken(here, apnsEnvironment: "production"))
    let contents: [PushNotification.Content] = [
      .order(
        id: "o-7", status: "en_route", title: "Bestellupdate",
        body: "Ihre Bestellung ist unterwegs!", badge: 2),
      .position(driver: "d-1"), .offer(id: "offer_3", order: "o-7", driver: "d-1"),
    ]
    let notifications = contents.map {
      PushNotification(
        $0, id: "n", subscription: "order-updates", recordName: "o-7", zone: Zone(owner: "u"),
        fired: .updated, additional: ["status": .string("en_route")])
    }
    expectRoundTrip(
      MimiSupply.self, .success(.notifications(notifications, csn: 3)),
      to: .poll(Poll(following: "/courier/1/t")))
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
    #expect(Failure.Native.serverRecordChanged.name == "CKErrorServerRecordChanged")
  }

  @Test func `a batch with one failing item keeps every item's own result (MS-09)`() throws {
    var line = Line(market)
    _ = try saved(
      line.ask(batch([saving(.create, "o-1", nil, "created")]), with: customer, at: noon))
    let mixed = batch([
      saving(.create, "o-2", nil, "created"), saving(.update, "o-1", "stale", "cancelled"),
      saving(.create, "o-3", nil, "created"),
    ])

    guard case .modified(let items, _) = line.ask(mixed, with: customer, at: noon)?.reply,
      items.count == 3, case .saved(let first) = items[0], case .failed(let second) = items[1],
      case .saved(let third) = items[2]
    else { throw ControlProblem("not two saved and one failed") }
    #expect([first.name, third.name] == ["o-2", "o-3"])
    #expect(second.failure.code == .conflict)
    #expect(second.conflict?.server == line.twin.records["o-1"])

    let atomic = batch(
      [
        saving(.create, "o-4", nil, "created"), saving(.update, "o-9", "none", "cancelled"),
      ], zone: Zone("MimiSupplyZone"))
    guard case .modified(let undone, _) = line.ask(atomic, with: customer, at: noon)?.reply,
      case .failed(let culprit) = undone[1], case .failed(let victim) = undone[0]
    else { throw ControlProblem("not all failed") }
    #expect(culprit.failure.code == .notFound)
    #expect(victim.failure.code == .atomicError)
    #expect(line.twin.records["o-4"] == nil)
  }

  @Test func `a long poll is answered by a later commit, or empty when its time is up`() throws {
    var line = Line(market)
    let token = try device("phone", of: customer, &line)
    let created = try saved(
      line.ask(batch([saving(.create, "o-1", nil, "created")]), with: customer, at: noon))
    let poll = Request.poll(Poll(following: token.webcourierURL, timeoutSeconds: 30))

    #expect(line.ask(poll, with: customer, at: noon) == nil)
    #expect(line.twin.nextDue == noon + .seconds(30))
    _ = line.ask(
      batch([saving(.update, "o-1", created.changeTag, "cancelled")]), with: partner,
      at: noon + .seconds(3))
    guard case .notifications(let pushed, _) = line.late.first?.outcome.reply,
      case .order(let id, let status, _, _, _)? = pushed.first?.content
    else { throw ControlProblem("the poll was not answered") }
    #expect((id, status) == ("o-1", "cancelled"))

    #expect(line.ask(poll, with: customer, at: noon + .seconds(10)) == nil)
    line.advance(to: noon + .seconds(40))
    #expect(line.late.count == 2)
    guard case .notifications([], _) = line.late[1].outcome.reply else {
      throw ControlProblem("not an empty answer")
    }
  }

  @Test func `an offer expires on its second and goes to the next driver's devices (MS-67, MS-68)`()
    throws
  {
    var line = Line(market)
    let first = try device("d1-phone", of: driverOne, &line)
    let second = try device("d2-phone", of: driverTwo, &line)
    let tablet = try device("d2-tablet", of: driverTwo, &line)
    _ = line.ask(batch([saving(.create, "o-1", nil, "accepted")]), with: customer, at: noon)
    #expect(line.signals.map(\.address) == [.device(token: first.apnsToken)])

    let due = try #require(line.twin.nextDue)
    #expect(due == noon + .seconds(30))
    line.advance(to: due)

    #expect(
      line.signals.dropFirst().map(\.address) == [
        .device(token: second.apnsToken), .device(token: tablet.apnsToken),
      ])
    #expect(line.twin.nextDue == noon + .seconds(60))
    // Two lifetimes at once: both timers take effect, each at its own instant.
    line.advance(to: noon + .seconds(90))
    #expect(line.twin.nextDue == nil)
  }

  @Test
  func `the device that changed an order hears nothing, the same user's other device does (MS-95)`()
    throws
  {
    var line = Line(market)
    let phone = try device("phone", of: customer, &line)
    let tablet = try device("tablet", of: customer, &line)
    let created = try saved(
      line.ask(batch([saving(.create, "o-1", nil, "created")]), with: customer, at: noon))
    var onPhone = customer
    onPhone.deviceID = "phone"

    _ = line.ask(
      batch([saving(.update, "o-1", created.changeTag, "cancelled")]), with: onPhone, at: noon)

    #expect(phone.apnsToken != tablet.apnsToken)
    #expect(line.signals.map(\.address) == [.device(token: tablet.apnsToken)])
  }

  @Test func `the badge counts what the environment has not brought to the device (MS-99)`() throws
  {
    var line = Line(market)
    let token = try device("phone", of: customer, &line)
    var tag = try saved(
      line.ask(batch([saving(.create, "o-1", nil, "created")]), with: customer, at: noon)
    ).changeTag
    for status in ["preparing", "ready_for_pickup", "picked_up"] {
      if status == "picked_up" {
        for case .notification(let pushed) in line.signals.map(\.signal) {
          try line.tell(
            .delivered(token: token.apnsToken, notification: pushed.id), from: .environment,
            at: noon)
        }
      }
      tag = try saved(
        line.ask(batch([saving(.update, "o-1", tag, status)]), with: partner, at: noon)
      ).changeTag
    }
    let badges = line.signals.map { sent -> Int in
      guard case .notification(let pushed) = sent.signal,
        case .order(_, _, _, _, let badge) = pushed.content
      else { return 0 }
      return badge
    }
    #expect(badges == [1, 2, 1])
  }

  // MARK: People

  private let customer = MimiSupply.Credential(apiToken: "a", userToken: "customer", deviceID: nil)
  private let partner = MimiSupply.Credential(apiToken: "a", userToken: "partner", deviceID: nil)
  private let driverOne = MimiSupply.Credential(apiToken: "a", userToken: "one", deviceID: nil)
  private let driverTwo = MimiSupply.Credential(apiToken: "a", userToken: "two", deviceID: nil)

  private var market: MarketMiniature {
    MarketMiniature(
      sessions: [
        "customer": .init(user: "u-c", device: "unnamed"),
        "partner": .init(user: "u-p", device: "till"), "one": .init(user: "u-1", device: "x"),
        "two": .init(user: "u-2", device: "y"),
      ], drivers: ["u-1", "u-2"])
  }

  private func batch(_ items: [Modification.Item], zone: Zone? = nil) -> Request {
    .modify(here, Modification(items, zone: zone))
  }

  private func device(
    _ name: String, of user: MimiSupply.Credential, _ line: inout Line<MarketMiniature>
  ) throws -> CourierToken {
    var credential = user
    credential.deviceID = name
    let outcome = line.ask(
      .createToken(Location(database: nil), apnsEnvironment: "production"), with: credential,
      at: noon)
    guard case .tokenCreated(let token, _) = outcome?.reply else {
      throw ControlProblem("no push token")
    }
    return token
  }

  private func saved(_ outcome: Outcome<MimiSupply>?) throws -> CloudRecord {
    guard case .modified(let items, _) = outcome?.reply, case .saved(let record)? = items.first
    else {
      throw ControlProblem("not saved")
    }
    return record
  }
}
