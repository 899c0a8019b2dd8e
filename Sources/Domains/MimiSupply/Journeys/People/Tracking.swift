import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What the tracking screen knows of an order.
private struct Sighting {
  let order: RecordName
  var status: OrderStatus
  var driver: RecordName?
  /// Whose positions the phone is told about.
  var followed: RecordName?
  /// Until when the screen is open.
  var shownUntil: Instant
  var nextLook: Instant

  /// Signals overtake each other: a status takes nobody back.
  mutating func see(_ status: OrderStatus) {
    guard !self.status.isTerminal else { return }
    if status.isTerminal || status.place > self.status.place { self.status = status }
  }
}

// §5.2, Tracking and what follows.
extension Customer {
  /// How often the app looks while nobody looks at it: a push may be lost.
  private static let background = Span.minutes(5)

  /// Follows an order to its end by pushes and, while the screen is open, by looking every ten seconds.
  func track(
    _ order: NewOrder, _ mood: Mood, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> OrderStatus {
    let placed = me.now
    var sight = Sighting(
      order: order.name, status: order.status, driver: nil, followed: nil,
      shownUntil: me.now + luck.span(median: habits.trackingShown, sigma: 0.7),
      nextLook: me.now + habits.trackingEvery)
    var plans = mood.plans
    while !sight.status.isTerminal {
      if let plan = plans.first, me.now >= placed + plan.after {
        plans.removeFirst()
        try await act(plan.act, &sight, as: me)
      } else if me.now >= sight.nextLook {
        try await look(&sight, as: me)
      } else {
        let next = min(sight.nextLook, plans.first.map { placed + $0.after } ?? .distantFuture)
        if let received = try await me.wait(until: next) { take(received, &sight, me) }
      }
    }
    if sight.followed != nil { try await phone.unsubscribe(Self.positions(sight.order), as: me) }
    try await conclude(sight, mood, as: me)
    return sight.status
  }

  /// The seed's name with the order behind it (§3.5).
  private static func positions(_ order: RecordName) -> String {
    "driver-location-updates-\(order)"
  }

  private func take(
    _ received: Received<MimiSupply>, _ sight: inout Sighting, _ me: Person<MimiSupply>
  ) {
    guard case .notification(let push) = received.signal,
      case .order(sight.order, let text, _, _, _) = push.content
    else { return }
    if let status = OrderStatus.of(text) {
      sight.see(status)
    } else if text == OrderStatus.claim {
      sight.nextLook = me.now
    }
    // A sound makes one look.
    if luck.chance(habits.openedAfterPush) {
      phone.show(true, to: me)
      sight.shownUntil = max(
        sight.shownUntil, me.now + luck.span(median: habits.trackingShown, sigma: 0.7))
      sight.nextLook = min(sight.nextLook, me.now + habits.trackingEvery)
    }
  }

  /// Order and driver in one request (MS-125).
  private func look(
    _ sight: inout Sighting, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let isShown = me.now < sight.shownUntil
    sight.nextLook = me.now + (isShown ? habits.trackingEvery : Self.background)
    if !isShown { phone.show(false, to: me) }
    let wanted = [sight.order] + (sight.driver.map { [$0] } ?? [])
    let outcome = try await phone.app.ask(
      .lookup(Location(database: "private"), Lookup(wanted.map { Lookup.Item($0) })), as: me)
    guard let order = outcome.items.first?.record, let status = order.status else { return }
    sight.see(status)
    sight.driver = order[Order.driver]
    guard let driver = sight.driver, driver != sight.followed, status.isActive else { return }
    if sight.followed != nil { try await phone.unsubscribe(Self.positions(sight.order), as: me) }
    sight.followed = driver
    let positions = Subscription.told(
      Self.positions(sight.order), of: .driverLocation, where: .driverId, is: .name(driver),
      on: [.create])
    try await phone.subscribe([positions], as: me)
  }

  private func act(
    _ act: Mood.Act, _ sight: inout Sighting, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    switch act {
    case .cancel:
      guard sight.status.isBeforePickup, sight.status.place < OrderStatus.preparing.place else {
        return
      }
      if case .made = try await phone.app.move(sight.order, to: .cancelled, tries: 2, as: me) {
        sight.see(.cancelled)
      }
    case .raiseTip:
      // MS-33: the total goes with it.
      let more: Int64 = 100
      _ = try await phone.app.update(sight.order, as: me) { order in
        [
          .tipCents: .int64((order[Order.tipCents] ?? 0).plus(more)),
          .totalCents: .int64((order[Order.totalCents] ?? 0).plus(more)),
        ]
      }
    case .instruct:
      guard sight.status.isBeforePickup else { return }
      _ = try await phone.app.update(sight.order, as: me) { _ in
        [.deliveryInstructions: .string("Hinterhaus, zweiter Stock")]
      }
    }
  }

  /// Rates what was delivered; looks after the money of what was not (§5.2).
  private func conclude(
    _ sight: Sighting, _ mood: Mood, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    guard sight.status == .delivered else {
      _ = try await phone.app.look(sight.order, as: me)
      return
    }
    guard mood.rates else { return }
    try await me.think(luck.span(median: .minutes(4), sigma: 0.7))
    let completions = try await phone.app.find(
      Query(
        RecordQuery(
          .deliveryCompletion, [Filter(.orderId, .equals, .name(sight.order))])),
      in: "private", as: me)
    guard let completion = completions?.first else { return }
    _ = try await phone.app.update(completion.name, as: me) { _ in
      var fields: FieldChanges = [.customerRating: .int64(mood.stars)]
      if mood.hasFeedback { fields[.customerFeedback] = .string("Danke!") }
      return fields
    }
  }
}
