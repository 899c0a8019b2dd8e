import Contracts
import MimiSupplyContract
import Testing
import Timekeeping
import WireLine

@testable import MimiSupplyTwin

/// Settings as the operator writes them.
extension Adjustment: ExpressibleByDictionaryLiteral
where Values == MimiSupply.Deployment {
  public init(dictionaryLiteral settings: (String, JSON)...) {
    do {
      let given = JSON.object(JSONObject(settings.map { (name: $0.0, value: $0.1) }))
      self = try Self.shape.coding.read(given)
    } catch { preconditionFailure("\(error)") }
  }
}

/// Noon of a Saturday on which every partner of the sample world is open.
let cityNoon = Instant("2026-03-21T11:00:00Z")!

/// The sample world behind the wire, with a clock that the test moves.
struct City {
  var line: Line<MimiSupplyTwin>
  var now = cityNoon

  init(rules: Rules<MimiSupply.Rule> = Rules<MimiSupply.Rule>()) {
    line = Line(
      MimiSupplyTwin(
        identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rules: rules, tokens: codec))
    operate(.loadSampleWorld)
  }

  var twin: MimiSupplyTwin { line.twin }

  /// A person of the sample world: `customer-1`; `nil` is nobody.
  static func credential(_ name: String?, device: DeviceName? = nil) -> MimiSupply.Credential {
    MimiSupply.Credential(
      apiToken: "test", userToken: name.map { "session-\($0)" }, deviceID: device)
  }

  mutating func operate(_ control: Control) {
    let handled = line.twin.handle(.control(control), from: .administration, at: now)
    guard case .now(.success) = handled.answer else {
      Issue.record("the command was refused: \(control)")
      return
    }
  }

  mutating func ask(
    _ request: MimiSupply.Request, as name: String? = nil, device: DeviceName? = nil
  ) -> Outcome<MimiSupply>? {
    line.ask(request, with: Self.credential(name, device: device), at: now)
  }

  mutating func content(
    _ request: MimiSupply.Request, as name: String? = nil, device: DeviceName? = nil
  ) throws -> ReplyContent {
    try #require(ask(request, as: name, device: device)?.reply).content
  }

  mutating func refusal(
    _ request: MimiSupply.Request, as name: String? = nil
  ) throws -> Failure {
    try #require(ask(request, as: name)?.refusal).failure
  }

  mutating func pass(_ span: Span) {
    line.advance(to: now + span)
    now += span
  }

  // MARK: Records

  mutating func modify(
    _ items: [Modification.Item], as name: String?, in database: String = "private",
    zone: Zone? = nil, atomic: Bool? = nil, device: DeviceName? = nil
  ) throws -> [ItemResult] {
    let request = MimiSupply.Request.modify(
      Location(database: database), Modification(items, zone: zone, atomic: atomic))
    guard case .items(let items) = try content(request, as: name, device: device) else {
      throw ControlProblem("no items")
    }
    return items
  }

  mutating func save(
    _ item: Modification.Item, as name: String?, in database: String = "private",
    zone: Zone? = nil, device: DeviceName? = nil
  ) throws -> CloudRecord {
    let results = try modify([item], as: name, in: database, zone: zone, device: device)
    guard case .saved(let record)? = results.first else {
      throw ControlProblem("not saved: \(results)")
    }
    return record
  }

  mutating func failure(
    _ item: Modification.Item, as name: String?, in database: String = "private",
    zone: Zone? = nil
  ) throws -> ItemFailure {
    guard case .failed(let failed)? = try modify([item], as: name, in: database, zone: zone).first
    else { throw ControlProblem("it did not fail") }
    return failed
  }

  mutating func lookup(
    _ name: RecordName, as user: String?, in database: String = "private"
  ) throws -> CloudRecord? {
    let request = MimiSupply.Request.lookup(Location(database: database), Lookup([.init(name)]))
    guard case .items(let items) = try content(request, as: user) else { return nil }
    if case .saved(let record)? = items.first { return record }
    return nil
  }

  /// All that an inspection shows, without being one.
  var inspection: JSON {
    var copy = twin
    return copy.inspection(at: now)
  }

  /// The state that nothing refused may change: records, stock, offers, counters of commits.
  var state: [JSON] {
    let inspected = inspection
    return [inspected["records"]!, inspected["market"]!, inspected["csn"]!]
  }

  // MARK: Orders

  /// Two Currywurst from the first restaurant to the Gendarmenmarkt, paid.
  func order(_ name: RecordName, customer: UserName = "user-customer-1") -> Modification.Item {
    let items = """
      [{"id":"1","productId":"product-1-1","productName":"Currywurst","quantity":2,\
      "unitPriceCents":650,"totalPriceCents":1300}]
      """
    let address = """
      {"street":"Gendarmenmarkt 1","city":"Berlin","state":"Berlin","postalCode":"10117",\
      "country":"DE","latitude":52.5137,"longitude":13.3927}
      """
    return Modification.Item(
      .create,
      RecordDraft(
        name: name, type: "Order",
        fields: [
          .customerId: .name(customer), .partnerId: .string("partner-1"),
          .items: .string(items), .status: .string("payment_confirmed"),
          .subtotalCents: .int64(1300), .deliveryFeeCents: .int64(199),
          .platformFeeCents: .int64(0), .taxCents: .int64(0), .totalCents: .int64(1499),
          .deliveryAddress: .string(address),
          .estimatedDeliveryTime: .timestamp(now + .minutes(30)),
          .paymentMethod: .string("apple_pay"), .paymentStatus: .string("completed"),
          .createdAt: .timestamp(now), .updatedAt: .timestamp(now),
        ]))
  }

  func updating(
    _ record: CloudRecord, _ fields: FieldChanges, tag: String? = nil,
    _ kind: Modification.Kind = .update
  ) -> Modification.Item {
    Modification.Item(
      kind, RecordDraft(name: record.name, changeTag: tag ?? record.changeTag, fields: fields))
  }

  // MARK: Devices

  mutating func device(_ device: DeviceName, of user: String) throws -> String {
    let request = MimiSupply.Request.createToken(
      Location(database: nil), apnsEnvironment: "production")
    guard case .tokenCreated(let token) = try content(request, as: user, device: device) else {
      throw ControlProblem("no push token")
    }
    return token.apnsToken
  }

  mutating func subscribe(
    _ id: String, to query: RecordQuery, as user: String,
    on events: [Subscription.Event] = Subscription.Event.allCases
  ) throws {
    let operation = SubscriptionOperation(
      .create, .subscription(Subscription(id, query, firesOn: events)))
    let request = MimiSupply.Request.modifySubscriptions(
      Location(database: "private"), [operation])
    guard case .subscriptions(let results) = try content(request, as: user),
      case .stored? = results.first
    else {
      throw ControlProblem("not subscribed")
    }
  }

  /// What lies at a device, fetched by a poll that does not wait.
  mutating func fetch(_ token: String) throws -> [PushNotification] {
    let poll = MimiSupply.Request.poll(Poll(following: Poll.path(of: token), timeoutSeconds: 0))
    guard case .notifications(let notifications) = try content(poll) else { return [] }
    return notifications
  }
}

extension ItemResult {
  var failure: ItemFailure? { if case .failed(let failure) = self { failure } else { nil } }
  var record: CloudRecord? { if case .saved(let record) = self { record } else { nil } }
}
