import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Both ends of every range of section 2, and the first values beyond them.
enum RangeActs {
  static let all: [Act] = [
    partners, products, orders, drivers, profiles, positions, changedPositions, ratings,
  ]

  /// MS-16
  private static let partners = Act { adversary, me throws(JourneyEnded) in
    let good = adversary.corner.newPartner("", at: me.now)
    try await adversary.attempt(
      good,
      texts(.name, 3...100) + [
        [.category: .string("castle")], [.category: .string("coffee")],
        [.description: .string("")], [.street: .string("")], [.city: .string("")],
        [.state: .string("")], [.postalCode: .string("")], [.country: .string("")],
        [.email: .string("nobody")], [.email: .string("a@b@c")], [.email: .string("a@b")],
      ], as: .owner, me)
    try await adversary.attempt(
      good,
      [-90.5, -90, 90, 90.5].map { [.latitude: .double($0)] }
        + [-180.5, -180, 180, 180.5].map { [.longitude: .double($0)] }
        + [0.09, 0.1, 50, 50.1].map { [.deliveryRadius: .double($0)] }
        + [-1, 0, 10_000, 10_001].map { [.minimumOrderAmount: .int64($0)] }
        + [0, 1, 1_440, 1_441].map { [.estimatedDeliveryTime: .int64($0)] }, as: .owner, me)
    try await adversary.revise(
      adversary.corner.partner, .partner,
      [[.deliveryRadius: .double(50.1)], [.minimumOrderAmount: .int64(-1)]], in: "public",
      as: .owner, me)
  }

  /// MS-17
  private static let products = Act { adversary, me throws(JourneyEnded) in
    let good = adversary.corner.newProduct("", at: me.now)
    try await adversary.attempt(
      good,
      texts(.name, 3...200)
        + [-1, 0, 1, Bounds.cents.upperBound + 1].flatMap { cents -> [FieldChanges] in
          [[.priceCents: .int64(cents)], [.originalPriceCents: .int64(cents)]]
        } + [
          [.category: .string("weapons")], [.category: .string("books")],
          [.allergens: .strings(["milk", "love"])], [.allergens: .strings(["tree_nuts"])],
          [.weight: .double(-0.5)], [.weight: .double(0)], [.stockQuantity: .int64(-2)],
          [.stockQuantity: .int64(-1)],
          [.stockQuantity: .int64(Bounds.counts.upperBound + 1)],
        ], as: .owner, me)
    try await adversary.revise(
      adversary.corner.dish, .product,
      [[.priceCents: .int64(0)], [.name: .string("ab")]], in: "public", as: .owner, me)
  }

  /// MS-18: a status that there is not, a total that is not the sum, an estimate that has passed.
  private static let orders = Act { adversary, me throws(JourneyEnded) in
    let now = me.now
    let good = adversary.order(at: now).draft(at: now)
    let total = adversary.order(at: now).totalCents
    try await adversary.attempt(
      good,
      [
        [.status: .string("flying")], [.status: .string("")],
        [.totalCents: .int64(total + 1)], [.totalCents: .int64(total - 1)],
        [.estimatedDeliveryTime: .timestamp(now.toMilliseconds - .minutes(1))],
      ], as: .customer, me)
    guard let order = try await adversary.place(adversary.order(at: now), me) else { return }
    try await adversary.revise(
      order.name, .order, [[.status: .string("flying")]], as: .customer, me)
    try await adversary.clear(order.name, me)
  }

  /// MS-19: values, coordinates, and a second Driver of one user.
  private static let drivers = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    try await adversary.revise(
      corner.driver, .driver,
      [
        [.name: .string("")], [.phoneNumber: .string("")], [.licensePlate: .string("")],
        [.vehicleType: .string("rocket")], [.vehicleType: .string("van")],
        [.vehicleType: .string("bicycle")],
        [.currentLatitude: .double(90.5), .currentLongitude: .double(0)],
        [.currentLatitude: .double(0), .currentLongitude: .double(-180.5)],
        [.currentLatitude: .double(corner.point.latitude), .currentLongitude: nil],
      ], as: .driver, me)
    try await adversary.revise(
      corner.driver, .driver, [[.verificationStatus: .string("blessed")]], as: .admin, me)
    try await adversary.attempt(corner.newDriver("", at: me.now), [[:]], as: .driver, me)
  }

  /// MS-22: nobody is anything but one of the four, not even by an admin's will.
  private static let profiles = Act { adversary, me throws(JourneyEnded) in
    try await adversary.revise(
      adversary.corner.user(.stranger).profile, .userProfile,
      [[.role: .string("king")], [.role: .string("")], [.role: .string("customer")]],
      as: .admin, me)
  }

  /// MS-20: ranges, and a timestamp within its leeway of a minute and beyond.
  private static let positions = Act { adversary, me throws(JourneyEnded) in
    try await adversary.whileOnline(me) { () async throws(JourneyEnded) in
      try await adversary.pause(me)
      let now = me.now.toMilliseconds
      try await adversary.attempt(
        adversary.corner.newPosition("", at: now),
        [-90.5, 90.5].map { [.latitude: .double($0)] }
          + [-180.5, 180.5].map { [.longitude: .double($0)] }
          + [-0.5, 0, 360, 360.5].map { [.heading: .double($0)] }
          + [-0.5, 0].map { [.speed: .double($0)] } + [-0.5, 0].map { [.accuracy: .double($0)] }
          + [
            [.timestamp: .timestamp(now + .seconds(50))],
            [.timestamp: .timestamp(now + .minutes(2))],
            [.timestamp: .timestamp(now - .days(1))],
          ], as: .driver, me)
    }
  }

  /// MS-20: a position is never changed.
  private static let changedPositions = Act { adversary, me throws(JourneyEnded) in
    try await adversary.whileOnline(me) { () async throws(JourneyEnded) in
      let name = adversary.fresh("position")
      try await adversary.create(
        adversary.corner.newPosition(name, at: me.now), as: .driver, me)
      for role in [Corner.Role.driver, .admin] {
        try await adversary.revise(
          name, .driverLocation, [[.speed: .double(1)]], as: role, me)
      }
      try await adversary.write(
        [.init(.forceUpdate, RecordDraft(name: name, fields: [.speed: .double(2)]))],
        as: .driver, me)
      try await adversary.write(
        [.init(.forceDelete, RecordDraft(name: name))], as: .driver, me)
    }
  }

  /// MS-21: stars below, at both ends and above; each end on a delivery of its own.
  private static let ratings = Act { adversary, me throws(JourneyEnded) in
    for stars: Int64 in [1, 5] {
      guard let order = try await adversary.bring(to: .delivered, me) else { return }
      try await adversary.revise(
        "\(order)-proof", .deliveryCompletion,
        [0, 6, -1, stars].map { [.customerRating: .int64($0)] }, as: .customer, me)
      try await adversary.leave(order, me)
    }
  }

  /// Texts just within and just beyond a length, in characters of two bytes.
  private static func texts(
    _ field: FieldName, _ length: ClosedRange<Int>
  ) -> [FieldChanges] {
    [length.lowerBound - 1, length.lowerBound, length.upperBound, length.upperBound + 1].map {
      [field: .string(String(repeating: "ä", count: $0))]
    }
  }
}
