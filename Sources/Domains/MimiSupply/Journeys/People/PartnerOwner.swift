import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// The owner of a partner (§5.3): there while it is open, decides about orders, prepares them, keeps the catalogue.
public final class PartnerOwner: Behaviour {
  public typealias Contract = MimiSupply

  public let begins: Instant?
  let city: City
  let seed: PartnerSeed
  let phone: Installation
  private var kitchen: Kitchen
  private var isRegistered: Bool
  private var work: RandomStream
  private var nextUpkeep = Instant.distantPast
  private var pausedUntil: Instant?

  /// - Parameter begins: When the first opening, or the registration, begins.
  init(_ seed: PartnerSeed, in city: City, begins: Instant?) {
    self.seed = seed
    self.city = city
    self.begins = begins
    isRegistered = !seed.isNewcomer
    work = city.luck(seed.name.text, about: "work", .working)
    kitchen = Kitchen(capacity: city.habits.selling.kitchenCapacity)
    phone = Installation(
      Account(seed.name.text, .partner), isSignedIn: !seed.isNewcomer, in: city)
  }

  private var habits: Habits.Selling { city.habits.selling }
  private var app: AppClient { phone.app }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    guard try await phone.enter(as: me) else { return me.now + .minutes(10) }
    if !isRegistered {
      guard try await register(as: me) else { return me.now + .minutes(10) }
      isRegistered = true
    }
    guard let (opens, closes) = seed.hours.opening(after: me.now) else { return nil }
    guard opens <= me.now else { return opens }
    try await work(until: closes, as: me)
    return seed.hours.opening(after: max(me.now, closes))?.opens
  }

  // MARK: A day

  private func work(until closes: Instant, as me: Person<MimiSupply>) async throws(JourneyEnded) {
    phone.show(true, to: me)
    try await phone.connect(
      [
        .told(
          "partner-order-updates", of: .order, where: .partnerId,
          is: .strings([seed.name.text]), .isIn, on: [.create])
      ], as: me)
    try await load(as: me)
    nextUpkeep = me.now + work.sample(.exponential(mean: habits.upkeepEvery))
    while me.now < closes || !kitchen.isEmpty {
      if let ticket = kitchen.next, ticket.due <= me.now {
        try await advance(ticket, as: me)
      } else if me.now >= nextUpkeep, me.now < closes {
        nextUpkeep = me.now + work.sample(.exponential(mean: habits.upkeepEvery))
        try await keep(as: me)
      } else if let until = pausedUntil, me.now >= until {
        try await open(as: me)
      } else {
        let wake = min(
          kitchen.next?.due ?? .distantFuture, pausedUntil ?? .distantFuture,
          me.now < closes ? min(closes, nextUpkeep) : .distantFuture)
        if let received = try await me.wait(until: wake) { take(received) }
      }
    }
    if pausedUntil != nil { try await open(as: me) }
    _ = try await app.ask(.partnerStats(partner: seed.name), as: me)
    phone.show(false, to: me)
  }

  /// Pending orders and the ten newest (§5.3): some may have come while nobody was there.
  private func load(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let own = Filter(.partnerId, .isIn, .strings([seed.name.text]))
    let pending = Filter(
      .status, .isIn,
      .strings([OrderStatus.paymentConfirmed, .accepted, .preparing].map(\.rawValue)))
    let waiting = try await app.find(
      Query(RecordQuery(.order, [own, pending])), in: "private", as: me)
    for order in waiting ?? [] { admit(order.name, at: me.now, as: order.status) }
    _ = try await app.ask(
      .query(
        Location(database: "private"),
        Query(
          RecordQuery(.order, [own], sortedBy: [Sort(.createdAt, ascending: false)]),
          resultsLimit: 10)), as: me)
  }

  private func take(_ received: Received<MimiSupply>) {
    guard case .notification(let push) = received.signal,
      case .order(let order, _, _, _, _) = push.content, push.fired == .created
    else { return }
    admit(order, at: received.at, as: .paymentConfirmed)
  }

  /// A new order is decided about after a moment, or overlooked.
  private func admit(_ order: RecordName, at now: Instant, as status: OrderStatus?) {
    guard !kitchen.has(order) else { return }
    var luck = city.luck(seed.name.text, about: order.text)
    let plan = Kitchen.Plan(habits, seed.category, &luck)
    switch status {
    case .accepted: kitchen.admit(order, plan, .queued, due: now)
    case .preparing: kitchen.admit(order, plan, .preparing, due: now + plan.preparation)
    default:
      if !plan.isOverlooked { kitchen.admit(order, plan, .deciding, due: now + plan.reaction) }
    }
  }

  /// One step of one order.
  private func advance(
    _ ticket: Kitchen.Ticket, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let order = ticket.order
    switch ticket.phase {
    case .deciding:
      if ticket.plan.declines {
        _ = try await app.move(order, to: .cancelled, as: me)  // T7
        kitchen.drop(order)
        return
      }
      let more: Fields =
        ticket.plan.announcesLater
        ? [.estimatedDeliveryTime: .timestamp((me.now + .minutes(60)).toMilliseconds)] : [:]
      guard case .made = try await app.move(order, to: .accepted, with: more, as: me) else {
        return kitchen.drop(order)
      }
      kitchen.set(order, .queued, due: me.now)
      try await pauseIfOverloaded(as: me)
    case .queued:
      guard case .made = try await app.move(order, to: .preparing, as: me) else {
        return kitchen.drop(order)
      }
      kitchen.set(order, .preparing, due: me.now + ticket.plan.preparation)
    case .preparing:
      let target: OrderStatus = ticket.plan.givesUp ? .cancelled : .readyForPickup
      _ = try await app.move(order, to: target, as: me)
      kitchen.drop(order)
    }
  }

  // MARK: Overload and upkeep

  private func pauseIfOverloaded(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    guard pausedUntil == nil, kitchen.isOverloaded else { return }
    pausedUntil = me.now + habits.pauseLasts
    _ = try await app.update(seed.name, in: "public", as: me) { _ in [.isActive: .int64(0)] }
  }

  private func open(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    pausedUntil = nil
    let result = try await app.update(seed.name, in: "public", as: me) { _ in
      [.isActive: .int64(1)]
    }
    if result?.record == nil { pausedUntil = me.now + .minutes(1) }
  }

  /// Refills, reprices or switches one product.
  private func keep(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let product = work.pick(seed.products).name
    let kind = work.pick(weights: [60, 25, 15])
    let pieces = Int64(work.pick(habits.stock.lowerBound..<habits.stock.upperBound + 1))
    let factor = 0.95 + 0.1 * work.unit()
    _ = try await app.update(product, in: "public", as: me) { found in
      switch (kind, found[Product.stockQuantity]) {
      case (0, let stock?) where stock >= 0:
        return [.stockQuantity: .int64(pieces), .isAvailable: .int64(1)]
      case (0, _), (1, _):
        let price = Int64(nearest: Double(found[Product.priceCents] ?? 500) * factor)
        return [.priceCents: .int64(max(1, price))]
      default: return [.isAvailable: .int64(found[Product.isAvailable] ? 0 : 1)]
      }
    }
  }

  // MARK: Registration

  /// Registers, waits for an admin, fills the catalogue in one go and opens (§5.3); `false`: not yet.
  private func register(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Bool {
    var record = try await app.look(seed.name, in: "public", as: me)
    if record == nil {
      record = try await app.write(
        [
          .init(
            .create, RecordDraft(name: seed.name, type: .partner, fields: seed.entry(at: me.now)))
        ],
        to: "public", as: me
      ).first?.record
    }
    guard record?[Partner.isVerified] == true else { return false }
    let products = seed.products.map { item in
      let moment = FieldValue.timestamp(me.now.toMilliseconds)
      let fields = FieldChanges(item.fields)
        .merging([.createdAt: moment, .updatedAt: moment])
      return Modification.Item(
        .create, RecordDraft(name: item.name, type: .product, fields: fields))
    }
    guard !(try await app.write(products, to: "public", as: me)).isEmpty else { return false }
    let opened = try await app.update(seed.name, in: "public", as: me) { _ in
      [.isActive: .int64(1)]
    }
    return opened?.record != nil
  }
}

extension PartnerSeed {
  /// All fields of the record that the owner registers; what is the system's begins where the system wants it.
  fileprivate func entry(at now: Instant) -> FieldChanges {
    var entry = FieldChanges(fields)
    for flag in [FieldName.isVerified, .isActive, .reviewCount] { entry[flag] = .int64(0) }
    entry[.rating] = .double(0)
    entry[.createdAt] = .timestamp(now.toMilliseconds)
    return entry
  }
}
