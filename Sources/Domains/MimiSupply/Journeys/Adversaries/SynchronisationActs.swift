import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against change tags (MS-82 to MS-85).
enum SynchronisationActs {
  static let all: [Act] = [tags, stale, staleOfAll, together, forced, increments]

  // MS-82: a write that changes no value, one that is refused, and reads between them.
  private static let tags = Act { adversary, me throws(JourneyEnded) in
    let dish = adversary.corner.rivalDish
    for fields: FieldChanges in [
      [.category: .string("food")], [.priceCents: .int64(-1)], [.category: .string("food")],
    ] {
      try await adversary.update(dish, fields, in: "public", as: .rival, me)
      _ = try await adversary.look(dish, in: "public", as: .stranger, me)
    }
  }

  // MS-83: update, replacement and deletion with a tag that was good once.
  private static let stale = Act { adversary, me throws(JourneyEnded) in
    let name = adversary.fresh("stale")
    let draft = adversary.product(name, at: me.now)
    let first = try await adversary.create(draft, in: "public", as: .owner, me)
    let old = first?.changeTag ?? "0"
    try await adversary.update(
      name, [.description: .string("second")], in: "public", as: .owner, me)
    var whole = draft
    whole.changeTag = old
    let part = RecordDraft(
      name: name, changeTag: old, fields: [.description: .string("third")])
    for item in [
      Modification.Item(.update, part), .init(.replace, whole),
      .init(.delete, RecordDraft(name: name, changeTag: old)),
    ] {
      try await adversary.write([item], to: "public", as: .owner, me)
      _ = try await adversary.look(name, in: "public", as: .owner, me)
    }
    try await adversary.write(
      [.init(.forceDelete, RecordDraft(name: name))], to: "public", as: .owner, me)
  }

  // MS-83: with a tag that was good once, and with none, records of every type, by their owners and by an admin.
  private static let staleOfAll = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let order = adversary.order(at: me.now)
    guard try await adversary.place(order, me) != nil else { return }
    let soon = FieldValue.timestamp(me.now.toMilliseconds + .minutes(50))
    let past = FieldValue.timestamp(me.now.toMilliseconds - .minutes(50))
    // Fields to change, and changes that the domain would not take.
    let tries: [(RecordName, Corner.Role, FieldChanges, FieldChanges)] = [
      (order.name, .owner, [.estimatedDeliveryTime: soon], [.estimatedDeliveryTime: past]),
      (
        order.name, .customer, [.deliveryInstructions: .string("ring")],
        [.status: .string("delivered")]
      ),
      (order.name, .admin, [.estimatedDeliveryTime: soon], [.status: .string("created")]),
      (corner.driver, .driver, [.name: .string("Driver")], [.isAvailable: .int64(1)]),
      (corner.driver, .admin, [.name: .string("Driver too")], [.isAvailable: .int64(1)]),
      (
        corner.user(.customer).profile, .customer, [.fullName: .string("Eva")],
        [.lastActiveAt: past]
      ),
      (
        corner.user(.customer).profile, .admin, [.fullName: .string("Eva too")],
        [.lastActiveAt: past]
      ),
    ]
    for (name, role, change, wrong) in tries {
      let tag = try await adversary.look(name, as: role, me)?.changeTag
      let first = RecordDraft(name: name, changeTag: tag, fields: change)
      try await adversary.write([.init(.update, first)], as: role, me)
      var items = [change, wrong].map {
        Modification.Item(.update, RecordDraft(name: name, changeTag: tag, fields: $0))
      }
      items.append(.init(.update, RecordDraft(name: name, fields: change)))
      try await adversary.write(items, as: role, me)
      _ = try await adversary.look(name, as: role, me)
    }
    try await adversary.clear(order.name, me)
  }

  // MS-85: two admins save one thing at once, each on a device of his own; one of them wins.
  private static let together = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let things: [(RecordName, String, [FieldChanges])] = [
      (corner.driver, "private", [[.name: .string("First")], [.phoneNumber: .string("+49 1")]]),
      (
        corner.user(.stranger).profile, "private",
        [[.fullName: .string("First")], [.phoneNumber: .string("+49 2")]]
      ),
      (
        corner.partner, "public",
        [[.description: .string("First")], [.estimatedDeliveryTime: .int64(35)]]
      ),
    ]
    for (name, database, changes) in things {
      let tag = try await adversary.look(name, in: database, as: .admin, me)?.changeTag ?? "0"
      let asks = changes.enumerated().map { number, fields in
        Ask<MimiSupply>(
          .modify(
            Location(database: database),
            Modification([.init(.update, RecordDraft(name: name, changeTag: tag, fields: fields))])),
          with: corner.credential(.admin, device: "\(corner.device(.admin))-\(number)"))
      }
      try await adversary.pause(me)
      _ = try await me.ask(all: asks)
      _ = try await adversary.look(name, in: database, as: .admin, me)
    }
  }

  // MS-84: what may not be written may not be written by force.
  private static let forced = Act { adversary, me throws(JourneyEnded) in
    let corner = adversary.corner
    let text: FieldChanges = [.description: .string("by force")]
    for (name, role) in [
      (corner.rivalDish, Corner.Role.customer), (corner.rivalPartner, .driver),
      (corner.rivalDish, .owner),
    ] {
      try await adversary.write(
        [.init(.forceUpdate, RecordDraft(name: name, fields: text))], to: "public", as: role, me)
    }
    try await adversary.write(
      [
        .init(
          .forceReplace, adversary.product(corner.rivalDish, of: corner.rivalPartner, at: me.now))
      ],
      to: "public", as: .customer, me)
    let order = adversary.order(at: me.now)
    guard try await adversary.place(order, me) != nil else { return }
    for fields: FieldChanges in [
      [.status: .string("delivered")], [.totalCents: .int64(1)],
    ] {
      try await adversary.write(
        [.init(.forceUpdate, RecordDraft(name: order.name, fields: fields))], as: .customer, me)
    }
    try await adversary.clear(order.name, me)
  }

  // MS-85: several devices read a number, add one and write it, all at once; one of them wins each round.
  private static let increments = Act { adversary, me throws(JourneyEnded) in
    let name = adversary.fresh("counter")
    var draft = adversary.product(name, at: me.now)
    draft.fields[.weight] = .double(0)
    try await adversary.create(draft, in: "public", as: .owner, me)
    for round in 1...4 {
      let found = try await adversary.look(name, in: "public", as: .owner, me)
      let write = RecordDraft(
        name: name, changeTag: found?.changeTag ?? "0",
        fields: [.weight: .double((found?[Product.weight] ?? 0) + 1)])
      let request = MimiSupply.Request.modify(
        Location(database: "public"), Modification([.init(.update, write)]))
      let devices = (1...4).map { DeviceName("\(adversary.corner.device(.owner))-\($0)") }
      let writers =
        devices.map { adversary.corner.credential(.owner, device: $0) }
        + (round.isMultiple(of: 2) ? [adversary.corner.credential(.admin)] : [])
      try await adversary.pause(me)
      _ = try await me.ask(all: writers.map { Ask<MimiSupply>(request, with: $0) })
    }
    try await adversary.write(
      [.init(.forceDelete, RecordDraft(name: name))], to: "public", as: .owner, me)
  }
}
