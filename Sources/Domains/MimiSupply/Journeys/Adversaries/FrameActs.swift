import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the frame of §3.1 and what the operations beside `records/modify` refuse (§3.2, §3.4): sessions that
/// are over, places that there are not, markers and tokens of others.
enum FrameActs {
  static let all: [Act] = [
    sessions, renewals, leavings, places, queries, pages, zones, feeds, subscriptions, pushTokens,
    files, figures, writes, shifts, shops, profiles, renewals,
  ]

  private static let home = Location(database: "private")
  private static let world = Location(database: "public")

  /// MS-101: sessions before their end and after it, and one that never was; also where nobody needs one.
  private static let sessions = Act { adversary, me throws(JourneyEnded) in
    var strange = adversary.corner.nobody
    strange.userToken = "session-\(adversary.corner.name)-nobody"
    let credentials = Corner.brief.indices.map { adversary.corner.brief($0) } + [strange]
    for credential in credentials {
      for request: MimiSupply.Request in [
        .currentUser(world), .lookup(world, Lookup([.init(adversary.corner.dish)])),
      ] {
        try await adversary.ask(request, with: credential, me)
      }
    }
  }

  /// MS-101: what was refreshed in time is good beyond its first end.
  private static let renewals = Act { adversary, me throws(JourneyEnded) in
    for number in Corner.renewable.indices {
      let credential = adversary.corner.renewable(number)
      try await adversary.ask(.currentUser(world), with: credential, me)
      try await adversary.ask(.refresh, with: credential, me)
    }
  }

  /// MS-101: who signs out ends one session and its push tokens, and no other.
  private static let leavings = Act { adversary, me throws(JourneyEnded) in
    let apple = adversary.fresh("apple").text
    var credentials: [MimiSupply.Credential] = []
    var tokens: [String] = []
    for number in 1...2 {
      let device = DeviceName("device-\(adversary.fresh("phone"))-\(number)")
      guard let answer = try await adversary.enter(apple, on: device, me) else { return }
      let credential = MimiSupply.Credential(
        apiToken: "mimi-app", userToken: answer.userToken, deviceID: device)
      credentials.append(credential)
      let outcome = try await adversary.ask(
        .createToken(Location(database: nil), apnsEnvironment: "production"), with: credential, me)
      if case .tokenCreated(let token)? = outcome.reply?.content { tokens.append(token.apnsToken) }
    }
    try await adversary.ask(.refresh, with: credentials[1], me)
    try await adversary.ask(.signOut, with: credentials[0], me)
    for credential in credentials {
      try await adversary.ask(.currentUser(world), with: credential, me)
    }
    for token in tokens { try await adversary.poll(token, me) }
    try await adversary.ask(.selectRole("driver"), with: credentials[1], me)
    try await adversary.ask(.selectRole("king"), with: credentials[1], me)
  }

  /// MS-15: containers, environments, databases and zones that there are not.
  private static let places = Act { adversary, me throws(JourneyEnded) in
    var places = [home, home, home]
    places[0].container = "iCloud.com.example"
    places[1].environment = "staging"
    places[2].database = "secret"
    for place in places {
      for request: MimiSupply.Request in [
        .query(place, Query(RecordQuery(.order))), .lookup(place, Lookup([.init("x")])),
        .modify(place, Modification([])), .listZones(place), .listSubscriptions(place),
        .changes(place, FeedQuery(zone: Corner.zone)), .currentUser(place),
      ] {
        try await adversary.ask(request, as: .customer, me)
      }
    }
    let nowhere = Zone("Nowhere")
    for place in [home, world] {
      for request: MimiSupply.Request in [
        .query(place, Query(RecordQuery(.order), zone: nowhere)),
        .lookup(place, Lookup([.init("x")], zone: nowhere)),
        .modify(place, Modification([.init(.delete, RecordDraft(name: "x"))], zone: nowhere)),
        .changes(place, FeedQuery(zone: nowhere)),
        .requestUploads(
          place,
          UploadRequest(
            [.init(nil, recordType: .partner, fieldName: "logo")], zone: nowhere)),
      ] {
        try await adversary.ask(request, as: .customer, me)
      }
    }
  }

  /// MS-10, MS-15: queries that make no sense, and some that do.
  private static let queries = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let here = FieldValue.position(
      latitude: corner.point.latitude, longitude: corner.point.longitude)
    let beyond = FieldValue.position(latitude: 91, longitude: 0)
    let products: [RecordQuery] = [
      RecordQuery("Pizza"), RecordQuery(.order),
      RecordQuery(.product, [Filter("size", text: "EQUALS", .int64(1))]),
      RecordQuery(.product, [Filter("name", text: "SOUNDS_LIKE", .string("soup"))]),
      RecordQuery(.product, [Filter(.priceCents, .equals, .string("7"))]),
      RecordQuery(.product, [Filter(.priceCents, .beginsWith, .string("7"))]),
      RecordQuery(.product, [Filter(.tags, .equals, .strings(["a"]))]),
      RecordQuery(.product, sortedBy: [Sort(text: "size")]),
      RecordQuery(.product, sortedBy: [Sort(.tags)]),
      RecordQuery(.partner, [Filter(.category, .equals, .string("castle"))]),
      RecordQuery(.partner, [Filter(.category, .isIn, .strings(["coffee", "castle"]))]),
      RecordQuery(.partner, [Filter(text: "location", .near, beyond, distance: 100)]),
      RecordQuery(.partner, [Filter(text: "location", .near, here, distance: -1)]),
      RecordQuery(.partner, [Filter(text: "location", .near, here)]),
      RecordQuery(.partner, [Filter(text: "location", .equals, here)]),
      RecordQuery(.partner, sortedBy: [Sort(text: "location")]),
    ]
    let own = Filter(.partnerId, .equals, .name(corner.partner))
    let good: [RecordQuery] = [
      RecordQuery(.product, [own, Filter(.priceCents, .lessThanOrEquals, .int64(1_200))]),
      RecordQuery(.product, [own, Filter(.priceCents, .greaterThan, .int64(1_200))]),
      RecordQuery(.product, [own, Filter(.stockQuantity, .equals, nil)]),
      RecordQuery(.product, [own, Filter(.stockQuantity, .notEquals, .int64(5))]),
      RecordQuery(.product, [own, Filter(.name, .beginsWith, .string("Dish s"))]),
      RecordQuery(.product, [own], sortedBy: [Sort(.priceCents, ascending: false)]),
      RecordQuery(
        .partner, [Filter(text: "location", .near, here, distance: 14_000)],
        sortedBy: [Sort(.rating, ascending: false)]),
      RecordQuery(
        .partner,
        [
          Filter(.isActive, .equals, .int64(1)),
          Filter(text: "location", .near, here, distance: 0),
        ],
        sortedBy: [Sort(text: "location", relativeLocation: here)]),
      RecordQuery(
        .partner, [Filter("___createdBy", text: "EQUALS", .string(corner.user(.owner).text))]),
    ]
    for query in products + good {
      try await adversary.ask(.query(world, Query(query)), as: .stranger, me)
    }
    for limit in [0, -1, 1] {
      try await adversary.ask(
        .query(world, Query(RecordQuery(.product, [own]), resultsLimit: limit)), as: .stranger, me)
    }
    // One's own, in all zones, and by every order of them.
    try await adversary.ask(
      .query(
        home, Query(.of(.order, .customerId, corner.user(.customer)), zoneWide: true)),
      as: .customer, me)
    for sort in [Sort(.createdAt, ascending: false), Sort(.status), Sort(.totalCents)] {
      try await adversary.ask(
        .query(
          home,
          Query(
            RecordQuery(
              .order, [Filter(.customerId, .equals, .name(corner.user(.customer)))],
              sortedBy: [sort]))), as: .customer, me)
    }
  }

  /// MS-10: a marker goes on with its own query, for whom it was given, and with no other.
  private static let pages = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    var query = Query(
      RecordQuery(.product, [Filter(.partnerId, .equals, .name(corner.partner))]), resultsLimit: 1)
    let outcome = try await adversary.ask(.query(world, query), as: .stranger, me)
    guard case .found(_, let marker?)? = outcome.reply?.content else { return }
    query.continuationMarker = marker
    try await adversary.ask(.query(world, query), as: .customer, me)
    try await adversary.ask(.query(world, query), as: .stranger, me)
    var other = query
    other.query.sorts = [Sort(.name)]
    try await adversary.ask(.query(world, other), as: .stranger, me)
    other.query = RecordQuery(.product, [Filter(.partnerId, .equals, .name(corner.rivalPartner))])
    try await adversary.ask(.query(world, other), as: .stranger, me)
    query.continuationMarker = String(marker.reversed())
    try await adversary.ask(.query(world, query), as: .stranger, me)
  }

  /// MS-11: zones that are made, made again, looked up and deleted, with those that everybody has.
  private static let zones = Act { adversary, me throws(JourneyEnded) in
    let name = adversary.fresh("zone").text
    let mine = Zone(name)
    let steps: [MimiSupply.Request] = [
      .lookupZones(home, [mine, Zone(), Corner.zone]), .modifyZones(home, [.init(.delete, mine)]),
      .modifyZones(home, [.init(.create, mine)]), .modifyZones(home, [.init(.create, mine)]),
      .lookupZones(home, [mine]), .listZones(home), .changedZones(home, syncToken: nil),
      .query(home, Query(RecordQuery(.order), zone: mine)),
      .modifyZones(home, [.init(.delete, Zone())]),
      .modifyZones(home, [.init(.delete, Corner.zone)]),
      .modifyZones(home, [.init(.create, Zone("_mine"))]),
      .modifyZones(
        home, [.init(.create, Zone(name + "-2", owner: adversary.corner.user(.customer)))]),
      .modifyZones(home, [.init(.delete, mine)]), .lookupZones(home, [mine]),
      .modifyZones(world, [.init(.create, mine)]),
      .modifyZones(Location(database: "shared"), [.init(.create, mine)]),
      .lookupZones(world, [Zone(), mine]),
    ]
    for step in steps { try await adversary.ask(step, as: .stranger, me) }
  }

  /// MS-11: a sync token goes on with its own zone, for whom it was given, and with no other.
  private static let feeds = Act { adversary, me throws(JourneyEnded) in
    let mine = Zone(adversary.fresh("zone").text)
    try await adversary.ask(.modifyZones(home, [.init(.create, mine)]), as: .stranger, me)
    let outcome = try await adversary.ask(
      .changes(home, FeedQuery(zone: Corner.zone)), as: .stranger, me)
    guard case .feed(_, let token, _)? = outcome.reply?.content else { return }
    try await adversary.ask(
      .changes(home, FeedQuery(zone: Corner.zone, syncToken: token)), as: .stranger, me)
    try await adversary.ask(
      .changes(home, FeedQuery(zone: Corner.zone, syncToken: token)), as: .customer, me)
    try await adversary.ask(
      .changes(home, FeedQuery(zone: mine, syncToken: token)), as: .stranger, me)
    for asked in [
      FeedQuery(zone: nil), FeedQuery(zone: Zone()), FeedQuery(zone: mine, resultsLimit: 0),
      FeedQuery(zone: mine, syncToken: "0"),
    ] {
      try await adversary.ask(.changes(home, asked), as: .stranger, me)
    }
    try await adversary.ask(.changedZones(home, syncToken: token), as: .stranger, me)
    try await adversary.ask(.modifyZones(home, [.init(.delete, mine)]), as: .stranger, me)
  }

  /// MS-90: subscriptions that are there already, or not; one of a name in each database.
  private static let subscriptions = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let id = adversary.fresh("told").text
    let other = adversary.fresh("told").text
    let orders = RecordQuery.of(.order, .customerId, corner.user(.stranger))
    let dishes = RecordQuery.of(.product, .partnerId, corner.partner)
    func store(_ kind: SubscriptionOperation.Kind, _ id: String?, _ query: RecordQuery)
      -> SubscriptionOperation
    {
      SubscriptionOperation(kind, .subscription(Subscription(id, query)))
    }
    let steps: [MimiSupply.Request] = [
      .modifySubscriptions(home, [store(.update, id, orders)]),
      .modifySubscriptions(home, [.init(.delete, .name(id))]),
      .lookupSubscriptions(home, [id]),
      .modifySubscriptions(home, [store(.create, id, orders), store(.create, other, orders)]),
      .modifySubscriptions(world, [store(.create, id, dishes)]),
      .modifySubscriptions(home, [store(.create, id, orders)]),
      .modifySubscriptions(home, [store(.update, id, orders)]),
      .modifySubscriptions(home, [store(.create, adversary.fresh("told").text, dishes)]),
      .modifySubscriptions(
        home, [store(.create, "", orders), .init(.create, .unreadable(id: nil))]),
      .listSubscriptions(home), .listSubscriptions(world),
      .modifySubscriptions(home, [.init(.delete, .name(id))]),
      .listSubscriptions(home), .listSubscriptions(world),
      .lookupSubscriptions(home, [id, other]), .lookupSubscriptions(world, [id]),
      .modifySubscriptions(home, [.init(.delete, .name(id)), .init(.delete, .name(other))]),
      .modifySubscriptions(world, [.init(.delete, .name(id))]),
    ]
    for step in steps { try await adversary.ask(step, as: .stranger, me) }
    try await adversary.ask(.listSubscriptions(home), as: .customer, me)
  }

  /// MS-93: push tokens of one's own, of others, and of nobody.
  private static let pushTokens = Act { adversary, me throws(JourneyEnded) in
    let place = Location(database: nil)
    let kiosk = DeviceName("\(adversary.corner.device(.stranger))-kiosk")
    guard let token = try await adversary.pushToken(on: kiosk, as: .stranger, me) else { return }
    for role in [Corner.Role.stranger, .customer] {
      try await adversary.ask(
        .registerToken(place, apnsEnvironment: "production", apnsToken: token), as: role, me)
    }
    try await adversary.ask(
      .registerToken(place, apnsEnvironment: "production", apnsToken: "0"), as: .stranger, me)
    try await adversary.ask(
      .registerToken(place, apnsEnvironment: "space", apnsToken: token), as: .stranger, me)
    try await adversary.ask(.createToken(place, apnsEnvironment: "space"), as: .stranger, me)
    try await adversary.poll(token, me)
    try await adversary.poll(String(token.reversed()), me)
  }

  /// MS-110: places for files that there are not, and files in fields that take none.
  private static let files = Act { adversary, me throws(JourneyEnded) in
    for item in [
      UploadRequest.Item(nil, recordType: .partner, fieldName: "name"),
      UploadRequest.Item(nil, recordType: .partner, fieldName: "portrait"),
      UploadRequest.Item(nil, recordType: "Pizza", fieldName: "logo"),
      UploadRequest.Item(nil, recordType: .partner, fieldName: "logo"),
    ] {
      try await adversary.ask(.requestUploads(world, UploadRequest([item])), as: .owner, me)
    }
    try await adversary.pause(me)
    _ = try await me.ask(.upload(Upload(to: Upload.path(of: "0"), .bytes([1]))))
    _ = try await me.ask(.download(path: "/assets/1/file/0/0/0"))
  }

  /// MS-105: figures of partners that there are not.
  private static let figures = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    for partner in [corner.partner, adversary.fresh("partner"), corner.dish] {
      for role in [Corner.Role.owner, .admin, .rival, .driver] {
        try await adversary.ask(.partnerStats(partner: partner), as: role, me)
      }
    }
  }

  /// §3.1: writes of what is not there, under no good name, of another type, without a tag.
  private static let writes = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let missing = adversary.fresh("missing")
    let name: FieldChanges = [.name: .string("Name")]
    for (database, there, role) in [
      ("public", corner.dish, Corner.Role.owner), ("private", corner.driver, .driver),
      ("public", corner.dish, .customer), ("private", corner.driver, .admin),
    ] {
      try await adversary.write(
        [
          .init(.update, RecordDraft(name: missing, changeTag: "0", fields: name)),
          .init(.replace, RecordDraft(name: missing, changeTag: "0", fields: name)),
          .init(.delete, RecordDraft(name: missing, changeTag: "0")),
          .init(.forceDelete, RecordDraft(name: missing)),
          .init(.update, RecordDraft(name: nil, changeTag: "0", fields: name)),
          .init(.delete, RecordDraft(name: nil, changeTag: "0")),
          .init(.create, RecordDraft(name: missing, fields: name)),
          .init(.create, RecordDraft(name: "_\(missing)", type: .product, fields: name)),
          .init(.create, RecordDraft(name: there, type: .product, fields: name)),
          .init(.update, RecordDraft(name: there, fields: name)),
        ], to: database, as: role, me)
      let tag = try await adversary.look(there, in: database, as: role, me)?.changeTag
      try await adversary.write(
        [
          .init(.update, RecordDraft(name: there, type: .order, changeTag: tag, fields: name)),
          .init(.delete, RecordDraft(name: there)),
        ], to: database, as: role, me)
    }
  }

  /// MS-66, MS-72, MS-73: what a driver may not do with his shift, and positions of others.
  private static let shifts = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    try await adversary.revise(
      corner.driver, .driver,
      [
        [.isAvailable: .int64(1)], [.isOnline: .int64(1)],
        [.isOnline: .int64(0), .isAvailable: .int64(1)],
        [.isOnline: .int64(0), .isAvailable: .int64(0)],
      ], as: .driver, me)
    for role in [Corner.Role.relief, .customer, .admin, .driver] {
      try await adversary.write(
        [
          .init(.create, corner.newPosition(adversary.fresh("position"), at: me.now)),
          .init(
            .create,
            corner.newPosition(
              adversary.fresh("position"), [.driverId: .name(adversary.fresh("driver"))],
              at: me.now)),
        ], as: role, me)
    }
    _ = try await adversary.look(corner.driver, as: .driver, me)
  }

  /// MS-42, MS-109: a partner that loses its verification accepts nothing, sells nothing and does not open; one with orders
  /// stays.
  private static let shops = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    guard let order = try await adversary.place(adversary.order(at: me.now), me)?.name else {
      return
    }
    for role in [Corner.Role.owner, .admin, .customer, .rival] {
      let tag = try await adversary.look(corner.partner, in: "public", as: role, me)?.changeTag
      try await adversary.write(
        [.init(.delete, RecordDraft(name: corner.partner, changeTag: tag))], to: "public",
        as: role, me)
    }
    _ = try await adversary.look(corner.partner, in: "public", as: .customer, me)
    try await adversary.revise(
      corner.partner, .partner, [[.isVerified: .int64(0)]], in: "public", as: .admin, me)
    try await adversary.move(order, to: .accepted, as: .owner, me)
    try await adversary.attempt(corner.newProduct("", at: me.now), [[:]], as: .owner, me)
    try await adversary.revise(
      corner.dish, .product, [[.description: .string("Unseen")]], in: "public", as: .owner, me)
    try await adversary.revise(
      corner.partner, .partner, [[.isVerified: .int64(1)]], in: "public", as: .admin, me)
    // The partner puts it off, to what is past already and to later.
    for minutes: Int64 in [-10, 70] {
      try await adversary.update(
        order,
        [.estimatedDeliveryTime: .timestamp(me.now.toMilliseconds + .minutes(minutes))], as: .owner,
        me)
    }
    try await adversary.clear(order, me)
  }

  /// MS-103, MS-108: a profile's times and texts, and its push token, which counts as activity.
  private static let profiles = Act { adversary, me throws(JourneyEnded) in
    let profile = adversary.corner.user(.customer).profile
    try await adversary.revise(
      profile, .userProfile,
      [
        [.lastActiveAt: .timestamp(me.now.toMilliseconds)],
        [.lastActiveAt: .timestamp(me.now.toMilliseconds - .hours(1))],
        [.deviceToken: .string(adversary.fresh("token").text)],
      ], as: .customer, me)
  }
}
