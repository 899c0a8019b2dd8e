import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

// Checkout and ordering (§5.2).
extension Customer {
  /// Orders what is in the cart and follows it to its end; `nil` when there is no order.
  func checkOut(
    _ chosen: Cart, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> OrderStatus? {
    var cart = chosen
    try await think(me)
    guard try await phone.enter(as: me), let user = phone.user else { return nil }
    guard try await refresh(&cart, as: me) else { return nil }
    try await think(me)
    let mood = Mood(habits, &luck)
    var order = form(cart, by: user, mood, at: me.now)
    // The wallet says no: another method, or none.
    if !habits.paysByStub, mood.isRefused {
      guard mood.triesAgain else { return nil }
      order.paymentMethod = "credit_card"
    }
    guard try await place(&order, &cart, mood, as: me) else { return nil }
    try await phone.connect([orderUpdates(of: user)], as: me)
    if order.status == .created, try await pay(order, as: me) == false { return .failed }
    return try await track(order, mood, as: me)
  }

  private func orderUpdates(of user: UserName) -> Subscription {
    .told("order-updates", of: .order, where: .customerId, is: .name(user))
  }

  /// Products as they are now; `false` when what is left is not enough for the partner.
  private func refresh(
    _ cart: inout Cart, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    let outcome = try await phone.app.ask(
      .lookup(
        Location(database: "public"), Lookup(cart.lines.map { Lookup.Item($0.product) })), as: me)
    guard outcome.isReplied else { return true }
    cart.refresh(from: outcome.items.compactMap(\.record))
    return cart.isEnough
  }

  /// The order with its amounts by the policy of the scenario (§3.6).
  private func form(_ cart: Cart, by user: UserName, _ mood: Mood, at now: Instant) -> NewOrder {
    let hour = now.localHour.hour
    let isPeak = (11...14).contains(hour) || (17...20).contains(hour)
    let fees = Fees.by(
      habits.feePolicy, subtotal: cart.subtotalCents, metres: distance(to: cart.partner),
      hour: hour, isExpress: isPeak && mood.isExpress)!
    var order = NewOrder(
      name: nameOrder(), customer: user, partner: cart.partner.name, lines: cart.lines,
      address: NewOrder.address(street: "Zuhause \(seed.name)", at: seed.home), fees: fees,
      tipCents: mood.tip(of: cart.subtotalCents),
      instructions: mood.hasInstructions ? "Bitte klingeln" : nil,
      estimate: now + .minutes(isPeak ? 40 : 30) + mood.slack, paymentMethod: mood.method)
    if mood.method == "cash" {
      order.paymentStatus = "pending"
    } else if habits.paysByStub {
      order.status = .created
      order.paymentStatus = "pending"
    }
    return order
  }

  /// Saves the order; what the backend does not like is repaired where a customer can (§5.2, Ordering).
  private func place(
    _ order: inout NewOrder, _ cart: inout Cart, _ mood: Mood, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    for attempt in 1...3 {
      let results: [ItemResult]
      switch try await phone.app.save(
        [.init(.create, order.draft(at: me.now))], queuedAs: .createOrder, as: me)
      {
      case .done(let answered): results = answered
      case .queued: return try await phone.app.isMade(order.name, as: me)
      case .refused: results = []
      }
      if results.first?.record != nil { return true }
      guard let failure = results.first?.failure else {
        // Nobody knows: the same record again, so that a second one cannot be (§7.2).
        try await me.think(.seconds(Int64(attempt * 2)))
        continue
      }
      if failure.code == .exists { return true }
      switch failure.mimiReason {
      case "product_unavailable", "price_changed", "insufficient_stock", "product_unknown":
        guard try await refresh(&cart, as: me) else { return false }
        try await think(me)
        let name = order.name
        order = form(cart, by: order.customer, mood, at: me.now)
        order.name = name
      default: return false
      }
    }
    return false
  }

  /// T1; T2 and T3 are the payment stub's.
  private func pay(
    _ order: NewOrder, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    if case .moot(let status) = try await phone.app.move(
      order.name, to: .paymentProcessing, as: me)
    {
      return status.map { !$0.isTerminal } ?? true
    }
    return true
  }
}

/// What a customer has decided about one order before it is sent; drawn at once, so that no answer shifts it.
struct Mood {
  let method: String
  let isExpress: Bool
  let hasInstructions: Bool
  /// Uniform, up to a quarter of an hour (§3.7).
  let slack: Span
  let isRefused: Bool
  let triesAgain: Bool
  /// When the customer does something about the order, counted from its creation, and what.
  let plans: [(after: Span, act: Act)]
  let rates: Bool
  let stars: Int64
  let hasFeedback: Bool
  private let tipKind: Int
  private let tipShare: Double

  enum Act { case cancel, raiseTip, instruct }

  init(_ habits: Habits.Shopping, _ luck: inout RandomStream) {
    method = luck.choose(habits.paying)
    isExpress = luck.chance(habits.express)
    tipKind = luck.pick(
      weights: [
        habits.tipNone, habits.tipOfSubtotal, max(0, 1 - habits.tipNone - habits.tipOfSubtotal),
      ])
    tipShare = luck.unit()
    hasInstructions = luck.chance(0.3)
    slack = Span(seconds: 900 * luck.unit())
    isRefused = luck.chance(habits.paymentRefused)
    triesAgain = luck.chance(0.8)
    var plans: [(Span, Act)] = []
    for (share, within, act) in [
      (habits.cancels, 240.0, Act.cancel), (habits.tipRaised, 1_200, .raiseTip),
      (habits.instructionsChanged, 600, .instruct),
    ] {
      let (wants, after) = (luck.chance(share), Span(seconds: within * luck.unit()))
      if wants { plans.append((after, act)) }
    }
    self.plans = plans.sorted { $0.0 < $1.0 }
    rates = luck.chance(habits.rates)
    stars = Int64(luck.pick(weights: habits.stars) + 1)
    hasFeedback = luck.chance(habits.feedback)
  }

  /// In cents (§5.6).
  func tip(of subtotal: Int64) -> Int64? {
    switch tipKind {
    case 0: nil
    case 1: Int64(nearest: (Double(subtotal) * (0.10 + 0.05 * tipShare)).rounded(.down))
    default: 100 + Int64(200 * tipShare)
    }
  }
}
