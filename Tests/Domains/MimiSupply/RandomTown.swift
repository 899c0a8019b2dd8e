import Contracts
import MimiSupplyContract
import Timekeeping
import WireLine

@testable import MimiSupplyTwin

/// A small town in which everybody does at random what occurs to them, much of it forbidden. All of it goes through the
/// twin as requests, and the twin keeps its commit log.
struct RandomTown {
  /// A driver's attempt to take an order, and what came of it.
  struct Claim {
    /// How many entries the log had before.
    let entries: Int
    let at: Instant
    let order: RecordName
    let driver: RecordName
    let hasSucceeded: Bool
  }

  static let noon = Bazaar.noon
  static let partnerCount = 3
  static let customers: [UserName] = ["u-c1", "u-c2"]

  var twin: MimiSupplyTwin
  var now = Self.noon
  var numbers: SystemOfNumbers
  private(set) var claims: [Claim] = []
  /// Requests that were refused, by reason or code: a history in which nothing is refused tries nothing.
  private(set) var refusals: [String: Int] = [:]
  private let driverCount: Int
  private var made = 0

  /// - Parameter change: Sets the mode and what else matters; times are short, so that every timer fires.
  init(
    seed: Int, off: Set<MimiSupply.Rule> = [], _ change: (inout MarketSettings) -> Void
  ) {
    numbers = SystemOfNumbers(seed)
    var settings = MarketSettings()
    settings.dispatchRadius = 1_500
    settings.dispatchGiveUp = .minutes(3)
    settings.pickupTimeout = .seconds(100)
    settings.unpaidTimeout = .seconds(90)
    settings.partnerAcceptTimeout = .seconds(75)
    settings.strictDistance = numbers.below(3) == 0
    settings.driverCapacity = 1 + numbers.below(2)
    change(&settings)
    twin = MimiSupplyTwin(
      identifiers: RandomStream(seed: UInt64(seed), owner: 1, purpose: 0),
      rules: Rules<MimiSupply.Rule>(off: off), tokens: codec, market: settings)
    twin.settings.requestsPerSecondPerUser = 100_000
    twin.commitLog = CommitLog()
    driverCount = 1 + numbers.below(7)
    load()
  }

  var log: [CommitLog.Entry] { twin.commitLog!.entries }

  // MARK: The town

  private mutating func load() {
    var users = Self.customers.map { ($0.text, "customer") }
    users += (1...Self.partnerCount).map { ("u-p\($0)", "partner") }
    users += (1...driverCount).map { ("u-driver-\($0)", "driver") }
    users.append(("u-admin", "admin"))
    var records: [Fixture.Entry] = []
    for number in 1...Self.partnerCount {
      let fields = Bazaar.partnerFields([.minimumOrderAmount: .int64(0)], at: corner())
      records.append(.init("p-\(number)", type: "Partner", creator: "u-p\(number)", fields: fields))
      for (name, stock) in [("soup", nil), ("cake", 6)] as [(String, Int64?)] {
        records.append(
          .init(
            "\(name)-\(number)", type: "Product", creator: "u-p\(number)",
            fields: Bazaar.productFields(of: "p-\(number)", stock: stock)))
      }
    }
    for number in 1...driverCount {
      let online = numbers.below(4) > 0
      records.append(
        .init(
          "d-\(number)", type: "Driver", creator: "u-driver-\(number)",
          fields: Bazaar.driverFields(
            number, at: corner(), rating: 4 + Double(numbers.below(2)) / 2,
            deliveries: Int64(numbers.below(3)), online: online)))
    }
    let fixture = Fixture(
      users: users.map { .init(UserName($0.0), appleUserID: $0.0, role: $0.1) },
      sessions: users.map {
        .init("session-\($0.0)", user: UserName($0.0), deviceID: "of \($0.0)")
      },
      records: records)
    _ = twin.handle(.control(.load(fixture)), from: .administration, at: now)
  }

  /// One of few places, so that distances are often alike: 0, 90, … 1,710 m north and east of the restaurant.
  private mutating func corner() -> Geography.Point {
    let degree = 180 / Double.pi / Geography.earthRadius
    return Geography.Point(
      Bazaar.restaurant.latitude + Double(numbers.below(20)) * 90 * degree,
      Bazaar.restaurant.longitude + Double(numbers.below(3)) * 150 * degree)
  }

  // MARK: Living

  mutating func live(steps: Int) {
    for _ in 0..<steps {
      if numbers.below(3) == 0 { pass() } else { act() }
    }
    _ = twin.advance(to: now)
  }

  /// Not at all, a little, up to an instant at which something is due, or just before it.
  private mutating func pass() {
    let due = twin.market.nextDue ?? now
    switch numbers.below(6) {
    case 0: now = max(now, due)
    case 1: now = max(now, due - .milliseconds(1))
    case 2: now += .milliseconds(Int64(numbers.below(3)))
    case 3: now += .seconds(Int64(numbers.below(40)))
    default: now += .milliseconds(Int64(numbers.below(12_000)))
    }
    _ = twin.advance(to: now)
  }

  private mutating func act() {
    _ = twin.advance(to: now)
    let names = twin.shelf.names(of: "Order").filter {
      twin.shelf.record($0)?.status?.isActive == true
    }
    guard let order = pick(names), numbers.below(names.count > 6 ? 4 : 10) > 3,
      let record = twin.shelf.record(order)
    else { return names.count < 6 && numbers.below(3) == 0 ? begin() : work() }
    switch numbers.below(12) {
    case 0...4: advance(record)
    case 5:
      let any = pick(twin.shelf.names(of: "Order"))!
      set(any, .status, .string(pick(OrderStatus.allCases)!.rawValue), by: anybody())
    case 6: answer(order)
    case 7, 8: claim(order)
    case 9:
      let driver = record[Order.driver].flatMap { twin.shelf.record($0)?[Driver.user] }
      set(order, .driverId, nil, by: numbers.below(2) == 0 ? "u-admin" : driver ?? anybody())
    case 10: tip(record)
    default:
      if numbers.below(3) == 0 {
        set(order, .driverId, .string("d-\(1 + numbers.below(driverCount))"), by: "u-admin")
      } else {
        set(order, .status, .string("cancelled"), by: record[Order.customer]!)
      }
    }
  }

  /// The next step of an order's usual life, by whom it is for.
  private mutating func advance(_ order: CloudRecord) {
    let partner = order[Order.partner].map { UserName("u-\($0.text.filter { $0 != "-" })") }!
    let driver = order[Order.driver].flatMap { twin.shelf.record($0)?[Driver.user] }
    switch order.status! {
    case .created: set(order.name, .status, .string("payment_processing"), by: customer(order))
    case .paymentProcessing:
      save(
        .forceUpdate, order.name, "Order",
        [.status: .string("payment_confirmed"), .paymentStatus: .string("completed")],
        by: customer(order))
    case .paymentConfirmed: set(order.name, .status, .string("accepted"), by: partner)
    case .accepted: set(order.name, .status, .string("preparing"), by: partner)
    case .preparing: set(order.name, .status, .string("ready_for_pickup"), by: partner)
    case .readyForPickup:
      set(order.name, .status, .string("picked_up"), by: driver ?? anybody())
      answer(order.name)
    case .pickedUp: set(order.name, .status, .string("en_route"), by: driver ?? anybody())
    case .enRoute:
      let user = driver ?? anybody()
      let proof: FieldChanges = [
        .orderId: .name(order.name), .driverId: order.fields[.driverId],
        .completedAt: .timestamp(now.toMilliseconds),
      ]
      save(.create, "c-\(order.name)", "DeliveryCompletion", proof, by: user)
      set(order.name, .status, .string("delivered"), by: user)
    default: break
    }
  }

  private func customer(_ order: CloudRecord) -> UserName { order[Order.customer]! }

  private mutating func begin() {
    made += 1
    let partner = 1 + numbers.below(Self.partnerCount)
    let customer = pick(Self.customers)!
    var lines: [JSON] = []
    var subtotal: Int64 = 0
    for product in ["soup", "cake", "cake"] where lines.isEmpty || numbers.below(2) == 0 {
      let quantity = Int64(1 + numbers.below(3))
      lines.append(
        Bazaar.line(
          "\(product)-\(partner)", quantity, price: 500, id: "\(product)\(lines.count)"))
      subtotal += 500 * quantity
    }
    var fields = Bazaar().orderFields(
      lines: lines, subtotal: subtotal, tip: numbers.below(2) == 0 ? 100 : nil, by: customer)
    fields[.partnerId] = .string("p-\(partner)")
    fields[.estimatedDeliveryTime] = .timestamp(now.toMilliseconds + .hours(1))
    fields[.createdAt] = .timestamp(now.toMilliseconds)
    fields[.updatedAt] = .timestamp(now.toMilliseconds)
    switch numbers.below(5) {
    case 0:
      fields = fields.merging([.status: .string("created"), .paymentStatus: .string("pending")])
    case 1:
      fields = fields.merging([.paymentMethod: .string("cash"), .paymentStatus: .string("pending")])
    case 2: fields[.totalCents] = .int64(subtotal)
    default: break
    }
    // Names whose order is not that of their making.
    save(.create, "o-\(made * 7 % 100)-\(made)", "Order", FieldChanges(fields), by: customer)
  }

  /// Shifts, positions, verification.
  private mutating func work() {
    let number = 1 + numbers.below(driverCount)
    let (driver, user): (RecordName, UserName) = ("d-\(number)", "u-driver-\(number)")
    switch numbers.below(8) {
    case 0: set(driver, .isOnline, .int64(0), by: user)
    case 1, 2:
      save(
        .forceUpdate, driver, "Driver", [.isOnline: .int64(1), .isAvailable: .int64(1)], by: user)
    case 3: set(driver, .isAvailable, .int64(Int64(numbers.below(2))), by: user)
    case 4:
      let status = numbers.below(3) == 0 ? "suspended" : "verified"
      set(driver, .verificationStatus, .string(status), by: "u-admin")
    default:
      let point = corner()
      let at = now.toMilliseconds - .seconds(Int64([0, 0, 0, 5, 119, 121][numbers.below(6)]))
      save(
        .create, "\(driver)-\(log.count)", "DriverLocation",
        [
          .driverId: .name(driver), .latitude: .double(point.latitude),
          .longitude: .double(point.longitude), .timestamp: .timestamp(at),
        ], by: user)
    }
  }

  private mutating func answer(_ order: RecordName) {
    let offers = twin.shelf.names(of: "DriverOffer", where: .orderId, is: order)
    guard let offer = offers.last.flatMap({ twin.shelf.record($0) }),
      let driver = offer[DriverOffer.driver], let user = twin.shelf.record(driver)?[Driver.user]
    else { return }
    set(
      offer.name, .state, .string(numbers.below(3) == 0 ? "declined" : "accepted"), by: user)
  }

  private mutating func claim(_ order: RecordName) {
    let number = 1 + numbers.below(driverCount)
    let entries = log.count
    let isMade = save(
      .forceUpdate, order, "Order", [.driverId: .string("d-\(number)")],
      by: "u-driver-\(number)")
    claims.append(
      Claim(entries: entries, at: now, order: order, driver: "d-\(number)", hasSucceeded: isMade))
  }

  private mutating func tip(_ order: CloudRecord) {
    let more = Int64(numbers.below(300))
    let total = order[Order.totalCents]! - (order[Order.tipCents] ?? 0) + more
    save(
      .forceUpdate, order.name, "Order",
      [.tipCents: .int64(more), .totalCents: .int64(total + Int64(numbers.below(2)))],
      by: customer(order))
  }

  // MARK: Requests

  private mutating func pick<Element>(_ values: [Element]) -> Element? {
    values.isEmpty ? nil : values[numbers.below(values.count)]
  }

  private mutating func anybody() -> UserName {
    let users = Self.customers + ["u-p1", "u-p2", "u-p3", "u-admin"]
    let drivers = (1...driverCount).map { UserName("u-driver-\($0)") }
    return pick(users + drivers)!
  }

  private mutating func set(
    _ name: RecordName, _ field: FieldName, _ value: FieldValue?, by user: UserName
  ) {
    guard let type = twin.shelf.record(name)?.type else { return }
    save(.forceUpdate, name, type, [field: value], by: user)
  }

  @discardableResult private mutating func save(
    _ kind: Modification.Kind, _ name: RecordName, _ type: RecordType, _ fields: FieldChanges,
    by user: UserName
  ) -> Bool {
    let item = Modification.Item(kind, RecordDraft(name: name, type: type, fields: fields))
    let handled = twin.handle(
      .modify(Location(database: "private"), Modification([item])),
      from: .client(MimiSupply.Credential(apiToken: "test", userToken: "session-\(user)")),
      at: now)
    guard case .now(.success(let reply)) = handled.answer, case .items(let items) = reply.content
    else { return false }
    guard let failure = items.first?.failure?.failure else { return true }
    refusals[failure.mimiReason ?? failure.code.rawValue, default: 0] += 1
    return false
  }
}
