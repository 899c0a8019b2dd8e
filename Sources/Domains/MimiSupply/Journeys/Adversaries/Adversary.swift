import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Somebody who tries what the rules forbid, one act at a time and all of them in turn, in a corner of the city of
/// its own.
///
/// Every act starts from fresh records, so that what it may expect does not depend on the acts before it, and leaves
/// the corner as it found it. An act goes by what it asked for and never by what a broken backend may answer.
public final class Adversary: Behaviour {
  public typealias Contract = MimiSupply

  public let begins: Instant?
  let corner: Corner
  /// Hashes the nonces of its sign-ins.
  let tokens: any TokenCodec
  private let every: Distribution
  private var turn: Int
  private var played = 0
  private var made = 0
  /// By device: the tokens at which this adversary hears pushes, or fetches them.
  var pushTokens: [DeviceName: String] = [:]
  /// An order that waits for a driver where none is.
  var left: RecordName?

  /// - Parameters:
  ///   - number: Counts the adversaries of the city from 1.
  ///   - count: How many they are.
  ///   - every: Mean of the time between two acts.
  public init(
    _ corner: Corner, _ number: Int, of count: Int, begins: Instant, every: Span,
    tokens: any TokenCodec
  ) {
    self.corner = corner
    self.begins = begins
    turn = Self.firstAct(of: number, among: count)
    self.tokens = tokens
    self.every = .exponential(mean: every)
  }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    defer { (turn, played) = (turn + 1, played + 1) }
    while played >= Self.acts.count, Self.acts[turn % Self.acts.count].isCostly { turn += 1 }
    try await Self.acts[turn % Self.acts.count].play(self, me)
    return me.now + me.draw(.mischief) { $0.sample(every) }
  }

  /// Which act an adversary begins with: those of a city share the acts evenly, so that together they come through all of
  /// them as soon as can be.
  static func firstAct(of number: Int, among count: Int) -> Int {
    (number - 1) * acts.count / count
  }

  /// All that can be tried, in the order of the rules.
  static let acts: [Act] =
    PlatformActs.all + ValidationActs.all + OrderingActs.all + StockActs.all + StateActs.all
    + DispatchActs.all + DeliveryActs.all + SynchronisationActs.all + PushActs.all
    + AccessActs.all + PrivacyActs.all + FrameActs.all + TellingActs.all + NewcomerActs.all
    + DispatchActs.edges
}

/// One thing that an adversary tries.
struct Act: Sendable {
  /// Whether it moves megabytes: then each adversary does it once.
  let isCostly: Bool
  let play: @Sendable (Adversary, Person<MimiSupply>) async throws(JourneyEnded) -> Void

  init(
    isCostly: Bool = false,
    _ play: @escaping @Sendable (Adversary, Person<MimiSupply>) async throws(JourneyEnded) -> Void
  ) {
    self.isCostly = isCostly
    self.play = play
  }
}

extension Purpose {
  /// What adversaries choose.
  static let mischief = Purpose.domain(1)
}

// MARK: What acts are made of

extension Adversary {
  /// A name that no record has yet.
  func fresh(_ kind: String) -> RecordName {
    made += 1
    return "\(corner.name)-\(kind)-\(made)"
  }

  /// A pause between two requests, long enough that no act meets the rate limit by itself.
  func pause(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await me.think(.uniform(from: .milliseconds(200), to: .seconds(2)))
  }

  @discardableResult
  func ask(
    _ request: MimiSupply.Request, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    try await pause(me)
    return try await me.ask(request, with: corner.credential(role))
  }

  /// Writes records of one database in one request, and gives the outcome of each; empty when the whole request was
  /// refused or lost.
  @discardableResult
  func write(
    _ items: [Modification.Item], to database: String = "private", as role: Corner.Role,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [ItemResult] {
    try await ask(.modify(Location(database: database), Modification(items)), as: role, me).items
  }

  @discardableResult
  func create(
    _ draft: RecordDraft, in database: String = "private", as role: Corner.Role,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    try await write([.init(.create, draft)], to: database, as: role, me).first?.record
  }

  /// Reads a record and writes some of its fields with the tag that it had.
  @discardableResult
  func update(
    _ name: RecordName, _ fields: FieldChanges, in database: String = "private",
    as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ItemResult? {
    let found = try await look(name, in: database, as: role, me)
    let draft = RecordDraft(name: name, changeTag: found?.changeTag ?? "0", fields: fields)
    return try await write([.init(.update, draft)], to: database, as: role, me).first
  }

  /// One record as a role sees it.
  @discardableResult
  func look(
    _ name: RecordName, in database: String = "private", as role: Corner.Role,
    _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    try await ask(.lookup(Location(database: database), Lookup([.init(name)])), as: role, me)
      .items.first?.record
  }

  /// An order of the corner's customer that would be taken: two dishes, to a door 500 m away.
  func order(at now: Instant, of product: RecordName? = nil, quantity: Int64 = 2) -> NewOrder {
    let isScarce = product == corner.scarce
    return NewOrder(
      name: fresh("order"), customer: corner.user(.customer), partner: corner.partner,
      lines: [
        .init(
          product: product ?? corner.dish, name: "Dish", quantity: quantity,
          unitPriceCents: isScarce ? 1_500 : 1_200)
      ],
      address: NewOrder.address(street: "Weg 1", at: corner.north(metres: 500)),
      fees: Fees(delivery: 199, platform: 0, tax: 0), estimate: now + .minutes(40))
  }

  /// Places an order; `nil` when it was not taken.
  func place(
    _ order: NewOrder, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    try await pause(me)
    return try await create(order.draft(at: me.now), as: .customer, me)
  }

  /// Moves an order along §5.1 as somebody: read, then written with its tag.
  @discardableResult
  func move(
    _ order: RecordName, to status: OrderStatus, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> ItemResult? {
    try await update(order, [.status: .string(status.rawValue)], as: role, me)
  }

  /// Cancels what an act left, as an admin may before pickup.
  func clear(
    _ order: RecordName, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await move(order, to: .cancelled, as: .admin, me)
  }
}

extension Outcome<MimiSupply> {
  /// What became of each operation of a batch; empty when the request was refused or lost.
  var items: [ItemResult] {
    if case .items(let items)? = reply?.content { items } else { [] }
  }
}

extension ItemResult {
  /// The record as it is now stored, or was found.
  var record: CloudRecord? { if case .saved(let record) = self { record } else { nil } }
  var failure: Failure? { if case .failed(let item) = self { item.failure } else { nil } }
}
