import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

// What a commuter does with the app, and which rules that tries.
extension Commuter {
  /// MS-122, MS-126, MS-129: looks at partners and products, loses the network, and looks again: from memory, and after
  /// the app was closed from its store.
  func lookAround(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    guard let partners = try await app.find(around, as: me) else { return }
    try await app.prefetch(after: partners, as: me)
    try await otherUpdate(
      corner.dish, [.description: .string(fresh("menu").text)], in: "public", as: .owner, me)
    _ = try await app.find(.products(of: corner.partner), as: me)
    app.coverage.lose(from: me.now, for: .minutes(3))
    try await pause(me)
    _ = try await app.find(.products(of: corner.partner), as: me)
    app.restart(as: me)
    for query in [around, .products(of: corner.partner), .products(of: corner.rivalPartner)] {
      try await pause(me)
      _ = try await app.find(query, as: me)
    }
    try await me.think(.minutes(3))
  }

  /// MS-88, MS-89, MS-124, MS-128: rates, edits, orders and changes its mind in a tunnel, in the order of least
  /// importance. The rating is of nothing, and fails for good.
  func orderInTheTunnel(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    app.coverage.lose(from: me.now, for: .minutes(3))
    let placed = order(at: me.now)
    try await wait(
      .saveRating, .update, fresh("completion"), [.customerRating: .int64(5)], me)
    for number in ["+49 30 1", "+49 30 2"] {
      try await wait(
        .saveUserProfile, .update, corner.user(.customer).profile, [.phoneNumber: .string(number)],
        me)
    }
    _ = try await app.save(
      [.init(.create, placed.draft(at: me.now))], queuedAs: .createOrder, as: me)
    try await wait(
      .updateOrderStatus, .update, placed.name,
      [.status: .string(OrderStatus.cancelled.rawValue)], me)
  }

  private func wait(
    _ kind: QueuedKind, _ operation: Modification.Kind, _ record: RecordName,
    _ fields: FieldChanges, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await app.save(
      [.init(operation, RecordDraft(name: record, fields: fields))], queuedAs: kind, as: me)
  }

  /// MS-86: raises the tip on one device and changes a copy from before on the other: the higher tip stays, the
  /// instructions come from here.
  func tipTwice(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    guard let copy = try await place(me), let total = copy[Order.totalCents] else { return }
    try await otherUpdate(
      copy.name, [.tipCents: .int64(400), .totalCents: .int64(total.plus(300))], as: .customer, me
    )
    _ = try await save(
      [
        .tipCents: .int64(200), .totalCents: .int64(total.plus(100)),
        .deliveryInstructions: .string("Bitte klingeln"),
      ], to: copy, me)
    try await pause(me)
    _ = try await app.update(copy.name, as: me) { _ in
      [.status: .string(OrderStatus.cancelled.rawValue)]
    }
  }

  /// MS-86: the profile on two devices: what is not empty here wins.
  func editProfileTwice(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let name = corner.user(.customer).profile
    guard let copy = try await app.look(name, as: me) else { return }
    try await otherUpdate(
      name, [.phoneNumber: .string("+49 30 9"), .fullName: .string("Conny Pendel")],
      as: .customer, me)
    _ = try await save(
      [
        .email: .string("\(fresh("mail"))@example.com"), .phoneNumber: .string(""),
        .fullName: .string("C. P."),
      ], to: copy, me)
  }

  /// MS-86: a partner counts a product on one device while another writes it: the server's stock stays.
  func countStock(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    app.sign(in: corner.session(.owner))
    guard let copy = try await app.look(corner.scarce, in: "public", as: me) else { return }
    try await otherUpdate(
      corner.scarce, [.description: .string(fresh("count").text)], in: "public", as: .owner, me)
    _ = try await save([.stockQuantity: .int64(7)], to: copy, in: "public", me)
  }

  /// MS-127: two chances for a synchronisation within the minute, and one after it.
  func refreshInTheBackground(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    for wait in [Span.seconds(20), .seconds(55), .zero] {
      try await app.synchroniseInBackground([around], as: me)
      try await me.think(wait)
    }
  }

  /// MS-125: a partner enters three dishes at once, and takes them away again.
  func writeTheMenu(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    app.sign(in: corner.session(.owner))
    let moment = FieldValue.timestamp(me.now.toMilliseconds)
    let drafts = (1...3).map { number in
      RecordDraft(
        name: fresh("special"), type: .product,
        fields: [
          .partnerId: .name(corner.partner), .name: .string("Special \(number)"),
          .description: .string(""), .category: .string("food"), .priceCents: .int64(900),
          .isAvailable: .int64(1), .createdAt: moment, .updatedAt: moment,
        ])
    }
    _ = try await app.write(drafts.map { .init(.create, $0) }, to: "public", as: me)
    try await pause(me)
    _ = try await app.write(
      drafts.map { .init(.forceDelete, RecordDraft(name: $0.name)) }, to: "public", as: me)
  }

  /// MS-130: more looks than the budget has tokens.
  func hurry(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    for _ in 1...14 { _ = try await app.look(corner.dish, in: "public", as: me) }
  }

  /// MS-119, MS-120: asks for what is not there, writes what is not its own, sends too much at once, forgets who it is,
  /// and asks where a photo may go. Faults of the backend do the rest.
  func stumble(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    _ = try await app.look("\(corner.name)-nothing", as: me)
    let zone = Zone("NoSuchZone")
    _ = try await app.ask(
      .lookup(Location(database: "private"), Lookup([.init("nothing")], zone: zone)), as: me)
    if let dish = try await app.look(corner.dish, in: "public", as: me) {
      _ = try await save([.priceCents: .int64(1)], to: dish, in: "public", me)
    }
    try await pause(me)
    let many = (1...402).map { number in
      Modification.Item(.forceDelete, RecordDraft(name: "\(corner.name)-nothing-\(number)"))
    }
    _ = try await app.ask(.modify(Location(database: "public"), Modification(many)), as: me)
    try await pause(me)
    app.sign(in: "session-\(corner.name)-forgotten")
    _ = try await app.look(corner.user(.customer).profile, as: me)
    for _ in 1...2 {
      try await pause(me)
      _ = try await app.ask(
        .requestUploads(
          Location(database: "private"),
          UploadRequest([
            .init(
              corner.user(.customer).profile, recordType: .userProfile, fieldName: "profileImage")
          ])), as: me)
    }
  }

  /// MS-87: the order comes while the app still shows it on its way; cancelling then changes nothing.
  func cancelTooLate(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    guard let placed = try await place(me) else { return }
    guard let copy = try await deliver(placed.name, me) else {
      try await otherUpdate(
        placed.name, [.status: .string(OrderStatus.cancelled.rawValue)], as: .admin, me)
      return
    }
    try await pause(me)
    _ = try await save([.status: .string(OrderStatus.cancelled.rawValue)], to: copy, me)
  }

  /// The corner's people bring an order; gives what the app saw of it before its driver took it.
  private func deliver(
    _ order: RecordName, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    try await otherUpdate(
      corner.driver, [.isOnline: .int64(1)], as: .driver, me)
    for status in [OrderStatus.accepted, .preparing, .readyForPickup] {
      try await move(order, status, as: .owner, me)
    }
    let claimed = try await otherUpdate(
      order, [.driverId: .name(corner.driver)], as: .admin, me)
    let copy = try await app.look(order, as: me)
    if claimed != nil {
      for status in [OrderStatus.pickedUp, .enRoute] {
        try await move(order, status, as: .driver, me)
      }
      let now = me.now.toMilliseconds
      let proof = RecordDraft(
        name: "\(order)-proof", type: .deliveryCompletion,
        fields: [
          .orderId: .name(order), .driverId: .name(corner.driver),
          .completedAt: .timestamp(now),
        ])
      try await other(
        .modify(Location(database: "private"), Modification([.init(.create, proof)])),
        as: .driver, me)
      try await move(order, .delivered, as: .driver, me)
    }
    try await otherUpdate(
      corner.driver, [.isOnline: .int64(0), .isAvailable: .int64(0)], as: .driver, me)
    return claimed == nil ? nil : copy
  }

  private func move(
    _ order: RecordName, _ status: OrderStatus, as role: Corner.Role, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await otherUpdate(order, [.status: .string(status.rawValue)], as: role, me)
  }
}
