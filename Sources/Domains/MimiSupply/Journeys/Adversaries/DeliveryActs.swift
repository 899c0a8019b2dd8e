import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the rules about delivery and rating: MS-77 to MS-81.
enum DeliveryActs {
  static let all: [Act] = [
    Act { adversary, me throws(JourneyEnded) in try await adversary.deliveryWithoutProof(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.wrongProofs(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.earlyRating(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.ratings(me) },
  ]
}

extension Adversary {
  /// MS-77: first without a completion, then with it in one request.
  fileprivate func deliveryWithoutProof(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    _ = try await deliver(order, to: .enRoute, me)
    try await move(order.name, to: .delivered, as: .driver, me)
    _ = try await look(order.name, as: .customer, me)
    let found = try await look(order.name, as: .driver, me)
    let delivered = RecordDraft(
      name: order.name, changeTag: found?.changeTag ?? "0",
      fields: [.status: .string(OrderStatus.delivered.rawValue)])
    try await write(
      [
        .init(.create, completion(of: order.name, at: me.now)), .init(.update, delivered),
      ], as: .driver, me)
    _ = try await look(order.name, as: .customer, me)
    try await finish(order.name, me)
  }

  /// MS-78: too early, by another driver, and a second time.
  fileprivate func wrongProofs(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    _ = try await deliver(order, to: .pickedUp, me)
    try await create(completion(of: order.name, at: me.now), as: .driver, me)
    _ = try await look(order.name, as: .driver, me)
    try await move(order.name, to: .enRoute, as: .driver, me)
    try await create(completion(of: order.name, by: .relief, at: me.now), as: .driver, me)
    try await create(completion(of: order.name, by: .relief, at: me.now), as: .relief, me)
    // Before the order was placed (§2.8).
    try await create(completion(of: order.name, at: me.now - .hours(5)), as: .driver, me)
    for _ in 0..<2 { try await create(completion(of: order.name, at: me.now), as: .driver, me) }
    try await move(order.name, to: .delivered, as: .driver, me)
    try await create(completion(of: order.name, at: me.now), as: .driver, me)
    try await finish(order.name, me)
  }

  /// MS-81: a customer rates while the driver is at the door.
  fileprivate func earlyRating(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let order = order(at: me.now)
    _ = try await deliver(order, to: .enRoute, me)
    let proof = completion(of: order.name, at: me.now)
    try await create(proof, as: .driver, me)
    try await rate(proof.name ?? "", stars: 5, as: .customer, me)
    _ = try await look(order.name, as: .customer, me)
    try await move(order.name, to: .delivered, as: .driver, me)
    try await finish(order.name, me)
  }

  /// MS-79 to MS-81: everybody rates, and the customer twice: with stars, with words, and with other words.
  fileprivate func ratings(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    for stars: Int64 in [5, 2] {
      let order = order(at: me.now)
      let proof = try await deliver(order, me) ?? ""
      for role in [Corner.Role.driver, .owner, .stranger, .admin] {
        try await rate(proof, stars: 1, as: role, me)
      }
      var rating: FieldChanges = [.customerRating: .int64(stars)]
      if stars < 5 { rating[.customerFeedback] = .string("Kalt.") }
      try await update(proof, rating, as: .customer, me)
      try await rate(proof, stars: stars - 1, as: .customer, me)
      for words in ["Alles gut.", "Doch nicht."] {
        try await update(proof, [.customerFeedback: .string(words)], as: .customer, me)
      }
      _ = try await look(corner.partner, in: "public", as: .customer, me)
      try await ask(.partnerStats(partner: corner.partner), as: .owner, me)
      try await finish(order.name, me)
    }
  }

  private func rate(
    _ completion: RecordName, stars: Int64, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await update(completion, [.customerRating: .int64(stars)], as: role, me)
  }
}
