import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the audit log (MS-111 to MS-113).
enum AuditActs {
  static let all: [Act] = [writes, readings, signIns, tampering, cascades, timers]

  // MS-111, MS-113: what somebody wrote, and what was denied to him, is all there.
  private static let writes = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let watch = AuditWatch(.user, corner.user(.stranger).text, from: me.now)
    try await adversary.list(watch, me)
    try await adversary.update(
      corner.user(.stranger).profile, [.fullName: .string(adversary.fresh("name").text)],
      as: .stranger, me)
    try await adversary.update(
      corner.dish, [.priceCents: .int64(1)], in: "public", as: .stranger, me)
    var order = adversary.order(at: me.now)
    order.customer = corner.user(.stranger)
    try await adversary.create(order.draft(at: me.now), as: .stranger, me)
    try await adversary.ask(.exportAccount, as: .stranger, me)
    try await adversary.ask(.partnerStats(partner: corner.partner), as: .stranger, me)
    try await adversary.list(watch, me)
    try await adversary.clear(order.name, me)
  }

  // MS-111: an admin who reads what is private leaves a trace.
  private static let readings = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let watch = AuditWatch(.user, corner.user(.admin).text, from: me.now)
    try await adversary.list(watch, me)
    _ = try await adversary.look(corner.user(.customer).profile, as: .admin, me)
    _ = try await adversary.look(corner.user(.admin).profile, as: .admin, me)
    _ = try await adversary.look(corner.driver, as: .admin, me)
    try await adversary.ask(
      .query(
        Location(database: "private"), Query(.of(.driver, .userId, corner.user(.driver)))),
      as: .admin, me)
    try await adversary.list(watch, me)
  }

  // MS-111, MS-113: sign-ins that succeed and fail, by their device.
  private static let signIns = Act { adversary, me throws(JourneyEnded) in
    let device = DeviceName(adversary.fresh("device"))
    let watch = AuditWatch(.device, device.text, from: me.now)
    try await adversary.list(watch, me)
    let apple = "apple-\(adversary.corner.name)-stranger"
    _ = try await adversary.enter(apple, on: device, me)
    try await adversary.ask(
      .signIn(SignIn(identityToken: "sim.\(apple).0.0", nonce: "short", deviceID: device)),
      with: MimiSupply.Credential(apiToken: "mimi-app", deviceID: device), me)
    try await adversary.list(watch, me)
  }

  // MS-111: what the system does beside a request: it counts pieces, and frees the driver.
  private static let cascades = Act { adversary, me throws(JourneyEnded) in
    let dish = try await adversary.stock(of: 5, me)
    let watch = AuditWatch(.user, "_system", of: .product, from: me.now)
    try await adversary.list(watch, me)
    let order = adversary.order(at: me.now, of: dish, quantity: 5)
    _ = try await adversary.place(order, me)
    _ = try await adversary.look(dish, in: "public", as: .customer, me)
    try await adversary.move(order.name, to: .cancelled, as: .customer, me)
    _ = try await adversary.look(dish, in: "public", as: .customer, me)
    try await adversary.list(watch, me)
  }

  // MS-111: what the system does when time is up: nobody accepts, and the order is cancelled.
  private static let timers = Act { adversary, me throws(JourneyEnded) in
    let watch = AuditWatch(.user, "_system", of: .order, from: me.now)
    try await adversary.list(watch, me)
    let order = adversary.order(at: me.now)
    _ = try await adversary.place(order, me)
    try await me.think(.seconds(124))
    _ = try await adversary.look(order.name, as: .customer, me)
    try await adversary.list(watch, me)
  }

  // MS-112: nobody writes in the log, not even an admin, and no number is left out.
  private static let tampering = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let from = me.now
    try await adversary.update(
      corner.rivalDish, [.priceCents: .int64(1)], in: "public", as: .owner, me)
    try await adversary.update(
      corner.driver, [.verificationStatus: .string("pending")], as: .driver, me)
    let outcome = try await adversary.ask(
      .query(
        Location(database: "private"),
        Query(
          RecordQuery(
            .auditEvent,
            [Filter(.timestamp, .greaterThanOrEquals, .timestamp(from.toMilliseconds))],
            sortedBy: [Sort(.sequence)]))), as: .admin, me)
    guard case .found(let entries, _)? = outcome.reply?.content, let entry = entries.first else {
      return
    }
    let draft = RecordDraft(
      name: entry.name, changeTag: entry.changeTag, fields: [.event: .string("nothing")])
    for kind in [Modification.Kind.update, .forceUpdate, .delete] {
      try await adversary.write([.init(kind, draft)], as: .admin, me)
    }
    try await adversary.write([.init(.forceDelete, draft)], as: .admin, me)
    _ = try await adversary.look(entry.name, as: .admin, me)
  }
}

/// The entries of one user or one device since an instant.
struct AuditWatch {
  enum Subject: String {
    case user = "userId"
    case device = "deviceId"
  }

  let query: Query

  /// - Parameter type: Of the records that entries are about; `nil`: of whatever they are about.
  init(_ subject: Subject, _ value: String, of type: RecordType? = nil, from: Instant) {
    let types = type.map { [Filter(.recordType, .equals, .string($0.text))] } ?? []
    query = Query(
      RecordQuery(
        .auditEvent,
        [
          Filter(text: subject.rawValue, .equals, .string(value)),
          Filter(.timestamp, .greaterThanOrEquals, .timestamp(from.toMilliseconds)),
        ] + types, sortedBy: [Sort(.sequence)]))
  }
}

extension Adversary {
  func list(
    _ watch: AuditWatch, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await ask(.query(Location(database: "private"), watch.query), as: .admin, me)
  }
}
