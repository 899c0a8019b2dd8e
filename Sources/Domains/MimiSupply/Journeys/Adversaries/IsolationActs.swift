import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Private records of others, by every way that leads to records; drivers when the order is over; files of others.
enum IsolationActs {
  static let all: [Act] = [orders, unpaid, people, farewell, released, files]

  private static let home = Location(database: "private")

  /// MS-106: an order of another's, and one that never was, by lookup, query and write.
  private static let orders = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.place(adversary.order(at: me.now), me)?.name else {
      return
    }
    let corner = adversary.corner
    for role in [Corner.Role.stranger, .rival, .driver, .owner, .customer] {
      let missing = adversary.fresh("order")
      try await adversary.ask(
        .lookup(home, Lookup([.init(order), .init(missing)])), as: role, me)
      for filter in [
        Filter(.customerId, .equals, .name(corner.user(.customer))),
        Filter(.partnerId, .equals, .name(corner.partner)),
      ] {
        try await adversary.ask(.query(home, Query(RecordQuery(.order, [filter]))), as: role, me)
      }
      guard role != .owner, role != .customer else { continue }
      let tip: FieldChanges = [.tipCents: .int64(1)]
      try await adversary.write(
        [order, missing].map {
          .init(.update, RecordDraft(name: $0, type: .order, changeTag: "0", fields: tip))
        } + [
          .init(.create, adversary.order(at: me.now).draft(at: me.now).named(order)),
          .init(.delete, RecordDraft(name: order, changeTag: "0")),
          .init(.delete, RecordDraft(name: missing, changeTag: "0")),
          .init(.forceUpdate, RecordDraft(name: order, type: .order, fields: tip)),
        ], as: role, me)
    }
    try await adversary.clear(order, me)
  }

  /// MS-106: an order that is not paid yet is nothing to its partner.
  private static let unpaid = Act { adversary, me throws(JourneyEnded) in
    var unpaid = adversary.order(at: me.now)
    unpaid.status = .created
    unpaid.paymentStatus = "pending"
    guard let order = try await adversary.place(unpaid, me)?.name else { return }
    for role in [Corner.Role.owner, .driver, .admin] {
      try await adversary.ask(.lookup(home, Lookup([.init(order)])), as: role, me)
    }
    try await adversary.ask(
      .query(
        home,
        Query(
          RecordQuery(
            .order, [Filter(.partnerId, .equals, .name(adversary.corner.partner))]))),
      as: .owner, me)
    try await adversary.clear(order, me)
  }

  /// MS-106: profiles, drivers, positions, proofs, offers and the audit log.
  private static let people = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    guard let order = try await adversary.bring(to: .delivered, me) else { return }
    let names =
      Corner.Role.allCases.map { corner.user($0).profile } + [
        corner.driver, corner.relief, "\(order)-proof", adversary.fresh("nobody"),
      ]
    for role in [Corner.Role.stranger, .rival, .relief, .customer] {
      try await adversary.ask(.lookup(home, Lookup(names.map { .init($0) })), as: role, me)
      for type: RecordType in [.userProfile, .driver, .driverLocation, .driverOffer, .auditEvent] {
        try await adversary.ask(.query(home, Query(RecordQuery(type))), as: role, me)
      }
      try await adversary.ask(
        .changes(home, FeedQuery(zone: Zone("MimiSupplyZone"))), as: role, me)
    }
    try await adversary.leave(order, me)
  }

  /// MS-107: a driver on his way, seen by those who wait for him, and no more once he was there.
  private static let farewell = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.bring(to: .enRoute, me) else { return }
    let corner = adversary.corner
    let position = adversary.fresh("position")
    try await adversary.create(corner.newPosition(position, at: me.now), as: .driver, me)
    try await adversary.follow(position, me)
    try await adversary.complete(order, me)
    try await adversary.follow(position, me)
    try await adversary.write(
      [.init(.forceDelete, RecordDraft(name: position))], as: .driver, me)
    try await adversary.leave(order, me)
  }

  /// MS-107: the same when the order fails on the way.
  private static let released = Act { adversary, me throws(JourneyEnded) in
    guard let order = try await adversary.bring(to: .pickedUp, me) else { return }
    let position = adversary.fresh("position")
    try await adversary.create(adversary.corner.newPosition(position, at: me.now), as: .driver, me)
    try await adversary.follow(position, me)
    try await adversary.leave(order, me)
    try await adversary.follow(position, me)
  }

  /// MS-110: a file by its address, by a guessed one, by another's, and when the address is too old.
  private static let files = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let profile = corner.user(.customer).profile
    let upload = UploadRequest(
      [.init(profile, recordType: .userProfile, fieldName: "profileImage")])
    let outcome = try await adversary.ask(.requestUploads(home, upload), as: .customer, me)
    guard case .uploads(let targets)? = outcome.reply?.content, let target = targets.first else {
      return
    }
    let bytes = Array("face \(adversary.fresh("of")) \(me.now)".utf8)
    try await adversary.pause(me)
    let sent = try await me.ask(.upload(Upload(to: target.url, .bytes(bytes))))
    guard case .uploaded(let asset)? = sent.reply?.content else { return }
    // Nobody else can make it his.
    try await adversary.revise(
      corner.user(.stranger).profile, .userProfile, [[.profileImage: .asset(asset)]], as: .stranger,
      me)
    let kept = try await adversary.update(
      profile, [.profileImage: .asset(asset)], as: .customer, me)
    guard case .asset(let stored)? = kept?.record?.fields[.profileImage],
      let url = stored.downloadURL
    else { return }
    let guessed = [
      String(url.dropLast()) + (url.hasSuffix("0") ? "1" : "0"), url + "0",
      url.replacing(asset.fileChecksum, with: String(asset.fileChecksum.reversed())),
    ]
    for path in [url] + guessed {
      try await adversary.pause(me)
      _ = try await me.ask(.download(path: path))
    }
    try await me.think(.minutes(14))
    _ = try await me.ask(.download(path: url))
    try await me.think(.minutes(2))
    _ = try await me.ask(.download(path: url))
  }
}

extension Adversary {
  /// Looks where the driver is, as who waits for him, and as who does not.
  fileprivate func follow(
    _ position: RecordName, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let home = Location(database: "private")
    let query = RecordQuery(.driverLocation, [Filter(.driverId, .equals, .name(corner.driver))])
    for role in [Corner.Role.customer, .owner, .stranger] {
      try await ask(
        .lookup(home, Lookup([.init(corner.driver), .init(position)])), as: role, me)
      try await ask(.query(home, Query(query)), as: role, me)
    }
  }
}
