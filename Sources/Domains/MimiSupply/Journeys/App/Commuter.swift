import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Somebody who uses the app where the network comes and goes, on two devices, in a hurry: what the app does by itself
/// (section 7) is tried here, one errand after the other.
///
/// A commuter lives in a corner of the city of its own, as adversaries do, and breaks no rule. The app may be signed in
/// as anybody of the corner; the others' parts are played without it.
public final class Commuter: Behaviour {
  public typealias Contract = MimiSupply

  public let begins: Instant?
  let corner: Corner
  let app: AppClient
  private let every: Distribution
  private var turn: Int
  private var made = 0

  /// - Parameter every: Mean of the time between two errands.
  init(
    _ corner: Corner, _ settings: AppSettings, turn: Int, begins: Instant, every: Span
  ) {
    self.corner = corner
    self.begins = begins
    self.turn = turn
    self.every = .exponential(mean: every)
    app = AppClient(corner.credential(.customer, device: "phone-\(corner.name)"), settings)
    app.signInAgain = { [unowned self] _ async throws(JourneyEnded) -> Bool in
      app.sign(in: self.corner.session(.customer))
      return true
    }
  }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    let errand = Errand.allCases[turn % Errand.allCases.count]
    turn += 1
    app.sign(in: corner.session(.customer))
    try await run(errand, me)
    return me.now + me.draw(.thinking) { $0.sample(every) }
  }

  /// In an order that lets a gap in the network end before the next begins.
  private enum Errand: CaseIterable {
    case lookAround, orderInTheTunnel, tipTwice, refreshInTheBackground, writeTheMenu, hurry
    case editProfileTwice, cancelTooLate, stumble, countStock
  }

  private func run(
    _ errand: Errand, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    switch errand {
    case .lookAround: try await lookAround(me)
    case .orderInTheTunnel: try await orderInTheTunnel(me)
    case .tipTwice: try await tipTwice(me)
    case .refreshInTheBackground: try await refreshInTheBackground(me)
    case .writeTheMenu: try await writeTheMenu(me)
    case .hurry: try await hurry(me)
    case .editProfileTwice: try await editProfileTwice(me)
    case .cancelTooLate: try await cancelTooLate(me)
    case .stumble: try await stumble(me)
    case .countStock: try await countStock(me)
    }
  }

  // MARK: What errands are made of

  func fresh(_ kind: String) -> RecordName {
    made += 1
    return "\(corner.name)-\(kind)-\(made)"
  }

  func pause(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await me.think(.uniform(from: .seconds(1), to: .seconds(4)))
  }

  /// Somebody else of the corner, or the commuter on another device, does something.
  @discardableResult
  func other(
    _ request: MimiSupply.Request, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    try await pause(me)
    return try await me.ask(request, with: corner.credential(role))
  }

  /// Reads a record and writes some of its fields, elsewhere.
  @discardableResult
  func otherUpdate(
    _ name: RecordName, _ fields: FieldChanges, in database: String = "private",
    as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    let place = Location(database: database)
    let found = try await other(.lookup(place, Lookup([.init(name)])), as: role, me)
    guard let tag = found.items.first?.record?.changeTag else { return nil }
    let draft = RecordDraft(name: name, changeTag: tag, fields: fields)
    return try await other(.modify(place, Modification([.init(.update, draft)])), as: role, me)
      .items.first?.record
  }

  /// Two dishes to a door 500 m away.
  func order(at now: Instant) -> NewOrder {
    NewOrder(
      name: fresh("order"), customer: corner.user(.customer), partner: corner.partner,
      lines: [.init(product: corner.dish, name: "Dish", quantity: 2, unitPriceCents: 1_200)],
      address: NewOrder.address(street: "Weg 1", at: corner.north(metres: 500)),
      fees: Fees(delivery: 199, platform: 0, tax: 0), tipCents: 100, estimate: now + .minutes(40))
  }

  /// Places an order with the app; `nil` when it was not taken at once.
  func place(_ me: Person<MimiSupply>) async throws(JourneyEnded) -> CloudRecord? {
    let item = Modification.Item(.create, order(at: me.now).draft(at: me.now))
    guard case .done(let results) = try await app.save([item], queuedAs: .createOrder, as: me)
    else { return nil }
    return results.first?.record
  }

  /// Saves a change that the app made to a copy it read before.
  func save(
    _ fields: FieldChanges, to copy: CloudRecord, in database: String = "private",
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ItemResult? {
    let draft = RecordDraft(name: copy.name, changeTag: copy.changeTag, fields: fields)
    return try await app.write([.init(.update, draft)], to: database, as: me).first
  }

  /// Partners around the corner.
  var around: Query {
    Query(
      RecordQuery(
        .partner,
        [
          Filter(.isActive, .equals, .int64(1)),
          Filter(
            text: "location", .near,
            .position(latitude: corner.point.latitude, longitude: corner.point.longitude),
            distance: 5_000),
        ], sortedBy: [Sort(.rating, ascending: false)]))
  }
}
