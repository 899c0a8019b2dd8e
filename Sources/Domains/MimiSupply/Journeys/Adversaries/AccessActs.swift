import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against identity and access (§4.11), and who may order (MS-49).
enum AccessActs {
  static let all: [Act] =
    [
      orders, nobody, everybody, creations, changes, deletions, duties, supply, elevation,
      raisedCreations, foreignCatalogue, unverifiedPartner,
    ] + SignInActs.all + IsolationActs.all

  /// MS-49: everybody but a customer tries to order, and a customer in another's name.
  private static let orders = Act { adversary, me throws(JourneyEnded) in
    for role in [Corner.Role.owner, .driver, .admin, .stranger] {
      var order = adversary.order(at: me.now)
      try await adversary.write([.init(.create, order.draft(at: me.now))], as: role, me)
      order.name = adversary.fresh("order")
      order.customer = adversary.corner.user(role)
      try await adversary.write([.init(.create, order.draft(at: me.now))], as: role, me)
      try await adversary.clear(order.name, me)
    }
    let order = adversary.order(at: me.now)
    try await adversary.pause(me)
    _ = try await me.ask(
      .modify(
        Location(database: "private"), Modification([.init(.create, order.draft(at: me.now))])),
      with: adversary.corner.nobody)
  }

  // MARK: Nobody and everybody

  /// MS-101: every operation that needs somebody, by nobody.
  private static let nobody = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let (home, world) = (Location(database: "private"), Location(database: "public"))
    let product = Modification([.init(.create, corner.newProduct(adversary.fresh("x"), at: me.now))]
    )
    let requests: [MimiSupply.Request] = [
      .query(home, Query(RecordQuery(.order))), .lookup(home, Lookup([.init(corner.driver)])),
      .modify(home, product), .modify(world, product),
      .changes(home, FeedQuery(zone: Zone("MimiSupplyZone"))), .listZones(home),
      .lookupZones(home, [Zone()]), .modifyZones(home, [ZoneOperation(.create, Zone("mine"))]),
      .changedZones(home, syncToken: nil), .listSubscriptions(home), .listSubscriptions(world),
      .lookupSubscriptions(home, ["order-updates"]),
      .modifySubscriptions(
        home,
        [SubscriptionOperation(.create, .subscription(Subscription("x", RecordQuery(.order))))]),
      .createToken(Location(database: nil), apnsEnvironment: "production"),
      .registerToken(Location(database: nil), apnsEnvironment: "production", apnsToken: "x"),
      .requestUploads(world, UploadRequest([.init(nil, recordType: .partner, fieldName: "logo")])),
      .currentUser(world), .selectRole("driver"), .refresh, .signOut, .exportAccount,
      .deleteAccount, .partnerStats(partner: corner.partner),
      .query(Location(database: "shared"), Query(RecordQuery(.order))),
    ]
    for request in requests {
      try await adversary.pause(me)
      _ = try await me.ask(request, with: corner.nobody)
    }
  }

  /// MS-102: public data, by nobody and by anybody.
  private static let everybody = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let world = Location(database: "public")
    let requests: [MimiSupply.Request] = [
      .lookup(world, Lookup([.init(corner.partner), .init(corner.dish)])),
      .query(
        world,
        Query(RecordQuery(.product, [Filter(.partnerId, .equals, .name(corner.partner))]))),
      .query(world, Query(RecordQuery(.partner, [Filter(.isActive, .equals, .int64(1))]))),
      .listZones(world), .lookupZones(world, [Zone()]), .changedZones(world, syncToken: nil),
    ]
    for request in requests {
      try await adversary.pause(me)
      _ = try await me.ask(request, with: corner.nobody)
      try await adversary.ask(request, as: .driver, me)
    }
  }

  // MARK: The matrix of §2.14

  /// MS-105: every role creates one of every type.
  private static let creations = Act { adversary, me throws(JourneyEnded) in
    let (corner, now) = (adversary.corner, me.now)
    for role in Corner.Role.allCases where role != .admin {
      let drafts = [
        adversary.order(at: now).draft(at: now),
        corner.newDriver(adversary.fresh("driver"), at: now),
        corner.newPosition(adversary.fresh("position"), at: now),
        corner.newCompletion(adversary.fresh("proof"), of: adversary.fresh("order"), at: now),
        RecordDraft(
          name: adversary.fresh("profile"), type: .userProfile,
          fields: [
            .appleUserID: .string(adversary.fresh("apple").text), .role: .string("customer"),
            .isVerified: .int64(0), .createdAt: .timestamp(now.toMilliseconds),
            .lastActiveAt: .timestamp(now.toMilliseconds),
          ]),
        RecordDraft(
          name: adversary.fresh("offer"), type: .driverOffer,
          fields: [
            .orderId: .string("o"), .driverId: .name(corner.driver),
            .state: .string("offered"), .offeredAt: .timestamp(now.toMilliseconds),
            .expiresAt: .timestamp(now.toMilliseconds + .minutes(1)),
            .distanceMeters: .double(1), .estimatedEarningsCents: .int64(1),
            .attempt: .int64(1),
          ]),
        RecordDraft(
          name: adversary.fresh("event"), type: .auditEvent,
          fields: [
            .sequence: .int64(1), .timestamp: .timestamp(now.toMilliseconds),
            .event: .string("login_success"),
          ]),
      ]
      try await adversary.write(drafts.map { .init(.create, $0) }, as: role, me)
      if role == .customer, let order = drafts[0].name { try await adversary.clear(order, me) }
    }
    for role in [Corner.Role.customer, .driver] {
      try await adversary.attempt(corner.newPartner("", at: now), [[:]], as: role, me)
      try await adversary.attempt(corner.newProduct("", at: now), [[:]], as: role, me)
    }
  }

  /// MS-105: every field of an order, a profile, a driver and a delivery's proof, by everybody who sees the record; as it
  /// was read, but for one field each.
  private static let changes = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.bring(to: .delivered, me) else { return }
    guard let open = try await adversary.place(adversary.order(at: me.now), me)?.name else {
      return
    }
    let corner = adversary.corner
    for role in Corner.Role.allCases {
      for name in [open, order, "\(order)-proof", corner.driver, corner.user(.customer).profile] {
        try await adversary.changeEach(name, as: role, me)
      }
    }
    try await adversary.clear(open, me)
    try await adversary.leave(order, me)
  }

  /// MS-105: deletions of what nobody deletes.
  private static let deletions = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.place(adversary.order(at: me.now), me)?.name else {
      return
    }
    let corner = adversary.corner
    for role in Corner.Role.allCases {
      try await adversary.write(
        [order, corner.driver, corner.user(.customer).profile].map {
          .init(.forceDelete, RecordDraft(name: $0))
        }, as: role, me)
    }
    try await adversary.clear(order, me)
  }

  /// MS-105: what everybody may do to what is his, and an admin to all.
  private static let duties = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    for role in [Corner.Role.customer, .admin] {
      try await adversary.revise(
        corner.user(.customer).profile, .userProfile,
        [[.fullName: .string("Eva \(role.rawValue)")], [.phoneNumber: .string("+49 30 1")]],
        as: role, me)
    }
    for role in [Corner.Role.driver, .admin] {
      try await adversary.revise(
        corner.driver, .driver, [[.name: .string("Driver \(role.rawValue)")]], as: role, me)
    }
    try await adversary.revise(
      corner.driver, .driver,
      [
        [.verificationStatus: .string("suspended")], [.verificationStatus: .string("verified")],
      ], as: .admin, me)
    for role in [Corner.Role.owner, .admin, .rival, .customer] {
      try await adversary.ask(.partnerStats(partner: corner.partner), as: role, me)
    }
  }

  /// MS-105: who looks for available drivers, and what partners see of them.
  private static let supply = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let here = FieldValue.position(
      latitude: corner.point.latitude, longitude: corner.point.longitude)
    let query = Query(
      RecordQuery(
        .driver,
        [
          Filter(.isOnline, .equals, .int64(1)),
          Filter(.verificationStatus, .equals, .string("verified")),
          Filter(text: "location", .near, here, distance: 5_000),
        ], sortedBy: [Sort(text: "location", relativeLocation: here)]))
    try await adversary.whileOnline(me) { () async throws(JourneyEnded) in
      let name = adversary.fresh("position")
      try await adversary.create(corner.newPosition(name, at: me.now), as: .driver, me)
      for role in [Corner.Role.owner, .admin, .customer, .driver] {
        try await adversary.ask(.query(Location(database: "private"), query), as: role, me)
      }
      try await adversary.write(
        [.init(.forceDelete, RecordDraft(name: name))], as: .driver, me)
    }
  }

  // MARK: MS-108

  /// MS-108: role, verification, rating and counters of one's own.
  private static let elevation = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let tries: [(RecordName, RecordType, String, Fields, Corner.Role)] = [
      (
        corner.user(.customer).profile, .userProfile, "private", [.role: .string("admin")],
        .customer
      ),
      (
        corner.user(.customer).profile, .userProfile, "private", [.isVerified: .int64(1)], .customer
      ),
      (corner.driver, .driver, "private", [.rating: .double(4.75)], .driver),
      (corner.driver, .driver, "private", [.completedDeliveries: .int64(999)], .driver),
      (corner.driver, .driver, "private", [.verificationStatus: .string("rejected")], .driver),
      (corner.partner, .partner, "public", [.rating: .double(4.75)], .owner),
      (corner.partner, .partner, "public", [.reviewCount: .int64(999)], .owner),
      (corner.partner, .partner, "public", [.rating: .double(4.5)], .admin),
      (corner.partner, .partner, "public", [.isVerified: .int64(0)], .owner),
    ]
    for (name, type, database, fields, role) in tries {
      try await adversary.revise(
        name, type, [FieldChanges(fields)], in: database, as: role, me)
    }
    try await adversary.ask(.selectRole("admin"), as: .customer, me)
    // What a broken backend may have taken is set right again.
    let repairs: [(RecordName, RecordType, String, FieldChanges)] = [
      (corner.user(.customer).profile, .userProfile, "private", [.role: .string("customer")]),
      (corner.driver, .driver, "private", [.verificationStatus: .string("verified")]),
      (corner.partner, .partner, "public", [.isVerified: .int64(1)]),
    ]
    for (name, type, database, fields) in repairs {
      try await adversary.revise(name, type, [fields], in: database, as: .admin, me)
    }
  }

  /// MS-108: a partner and a driver who register as if they were famous already.
  private static let raisedCreations = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    try await adversary.attempt(
      corner.newPartner("", at: me.now),
      [
        [
          .isVerified: .int64(1), .isActive: .int64(1), .rating: .double(5),
          .reviewCount: .int64(999),
        ]
      ], as: .owner, me)
    try await adversary.attempt(
      corner.newDriver("", at: me.now),
      [[.verificationStatus: .string("verified"), .completedDeliveries: .int64(999)]],
      as: .driver, me)
  }

  // MARK: MS-109

  /// MS-109: another's partner and products, by a partner and by others.
  private static let foreignCatalogue = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    for role in [Corner.Role.rival, .customer, .driver, .owner, .admin] {
      try await adversary.revise(
        corner.partner, .partner, [[.description: .string("By \(role.rawValue)")]], in: "public",
        as: role, me)
      try await adversary.revise(
        corner.dish, .product, [[.description: .string("By \(role.rawValue)")]], in: "public",
        as: role, me)
      try await adversary.attempt(corner.newProduct("", at: me.now), [[:]], as: role, me)
    }
    let extra = adversary.fresh("product")
    try await adversary.create(
      corner.newProduct(extra, at: me.now), in: "public", as: .owner, me)
    for role in [Corner.Role.rival, .customer, .owner] {
      try await adversary.write(
        [.init(.forceDelete, RecordDraft(name: extra))], to: "public", as: role, me)
    }
  }

  /// MS-109: an unverified partner is completed by its owner, and neither opens nor sells.
  private static let unverifiedPartner = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let partner = adversary.fresh("partner")
    try await adversary.create(
      corner.newPartner(partner, at: me.now), in: "public", as: .owner, me)
    try await adversary.revise(
      partner, .partner, [[.description: .string("Soon")], [.isActive: .int64(1)]],
      in: "public", as: .owner, me)
    try await adversary.attempt(
      corner.newProduct("", of: partner, at: me.now), [[:]], as: .owner, me)
    try await adversary.revise(
      partner, .partner, [[.isVerified: .int64(1)]], in: "public", as: .admin, me)
    try await adversary.attempt(
      corner.newProduct("", of: partner, at: me.now), [[:]], as: .owner, me)
    try await adversary.write(
      [.init(.forceDelete, RecordDraft(name: partner))], to: "public", as: .owner, me)
  }
}

extension Adversary {
  /// Reads a record and tries to change each field that nobody's transition is about, all in one request: each operation
  /// with the tag that was read.
  func changeEach(
    _ name: RecordName, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    guard let found = try await look(name, as: role, me) else {
      // Not seen: the tag does not matter.
      try await write(
        [.init(.update, RecordDraft(name: name, changeTag: "0", fields: [.status: .string("x")]))],
        as: role, me)
      return
    }
    guard let schema = RecordSchema.of(found.type) else { return }
    let own: FieldNames = [
      .status, .driverId, .isOnline, .isAvailable, .verificationStatus, .role, .isVerified,
      .customerRating, .customerFeedback, .tipCents, .totalCents, .currentLatitude,
      .currentLongitude,
    ]
    let items = schema.fields.compactMap { rule -> Modification.Item? in
      guard !own.contains(rule.name), !rule.isImmutable,
        let value = rule.other(than: found.fields[rule.name])
      else { return nil }
      return .init(
        .update,
        RecordDraft(
          name: name, type: found.type, changeTag: found.changeTag, fields: [rule.name: value]))
    }
    try await write(items, as: role, me)
  }
}

extension FieldRule {
  /// A good value of the field that is not the one it has.
  fileprivate func other(than present: FieldValue?) -> FieldValue? {
    switch (kind, constraint, present) {
    case (.string, .oneOf(let values), _):
      values.first { .string($0) != present }.map { .string($0) }
    case (.string, _, .string(let text)?): .string(text + " more")
    case (.string, _, _): .string("new")
    case (.int64, _, .int64(let number)?): .int64(number == 0 ? 1 : number.minus(1))
    case (.int64, _, _): .int64(1)
    case (.double, _, .double(let number)?): .double(number == 0 ? 1 : number / 2)
    case (.double, _, _): .double(1)
    case (.timestamp, _, .timestamp(let at)?): .timestamp(at + .minutes(1))
    case (.timestamp, _, _), (.asset, _, _), (.assets, _, _), (.strings, _, _): nil
    }
  }
}
