import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What a driver will do about an order; drawn from the driver's stream for it.
private struct Errand {
  let releases: Bool
  let fails: Bool
  let handover: Span
  let takesPhoto: Bool
  let photoBytes: Int
  let photoSeed: Int

  init(_ habits: Habits.Riding, _ luck: inout RandomStream) {
    releases = luck.chance(habits.released)
    fails = luck.chance(habits.fails)
    handover = luck.span(median: habits.handover, sigma: 0.5)
    takesPhoto = luck.chance(habits.photoTaken)
    photoBytes = luck.pick(200_000..<800_000)
    photoSeed = luck.pick(0..<1_000_000)
  }
}

// To the partner, to the customer, and the proof (§5.4).
extension Courier {
  /// Serves one order to its end, or until it is another's.
  func deliver(_ name: RecordName, as me: Person<MimiSupply>) async throws(JourneyEnded) {
    // From now on a position every ten seconds (MS-74).
    nextPosition = min(nextPosition, me.now + habits.positionOnDelivery)
    var luck = city.luck(seed.name.text, about: name.text, .working)
    let errand = Errand(habits, &luck)
    guard let order = try await look(name, as: me), order[Order.driver] == seed.name,
      let partner = try await app.look(order[Order.partner] ?? "", in: "public", as: me),
      let shop = partner.point(Partner.latitude, Partner.longitude),
      case .success(let address)? = order[Order.deliveryAddress].map(DeliveryAddress.reading)
    else { return }
    if order.status?.isCarried != true {
      try await ride(to: shop, with: name, as: me)
      // Who is given the same order again after all has nothing left to say against it.
      if errand.releases, !givenBack.contains(name), try await release(name, as: me) {
        givenBack.insert(name)
        return
      }
      guard try await collect(name, as: me) else { return }
    }
    guard case .made = try await app.move(name, to: .enRoute, tries: 50, as: me) else { return }
    try await ride(to: address.point, with: name, as: me)
    guard !isOver(name) else { return }
    if errand.fails {
      _ = try await app.move(name, to: .failed, tries: 50, as: me)  // T17
      return
    }
    try await handOver(name, errand, as: me)
  }

  private func isOver(_ order: RecordName) -> Bool { heard[order]?.isTerminal == true }

  /// A record that could not be had is asked for once more.
  private func look(
    _ name: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> CloudRecord? {
    if let found = try await app.look(name, as: me) { return found }
    try await me.think(.seconds(5))
    return try await app.look(name, as: me)
  }

  private func ride(
    to goal: Geography.Point, with order: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let here = way.point(at: me.now)
    let time = habits.time(metres: Geography.metres(here, goal), by: seed.vehicle, at: me.now)
    way = Way(from: here, to: goal, departs: me.now, arrives: me.now + time)
    try await live(until: me.now + time, as: me) { self.isOver(order) }
    way = Way(at: way.point(at: me.now))
  }

  /// Gives an order back before pickup (MS-71).
  private func release(
    _ order: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    try await app.update(order, as: me) { _ in [.driverId: nil] }?.record != nil
  }

  /// Waits at the partner and takes the goods; `false` when the order is lost.
  private func collect(
    _ name: RecordName, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    while true {
      guard !isOver(name), let order = try await look(name, as: me),
        order[Order.driver] == seed.name, let status = order.status, status.isActive
      else { return false }
      if status.isCarried { return true }
      if status == .readyForPickup {
        guard case .made = try await app.move(name, to: .pickedUp, as: me) else { return false }
        return true
      }
      // A push says when it is ready; now and then the driver asks.
      try await live(until: me.now + .minutes(1), as: me) {
        self.heard[name] == .readyForPickup || self.isOver(name)
      }
      heard[name] = heard[name].flatMap { $0 == .readyForPickup ? nil : $0 }
    }
  }

  /// `completeDelivery`: proof and status in one request; what was lost on the way is done again.
  private func handOver(
    _ name: RecordName, _ errand: Errand, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    try await live(until: me.now + errand.handover, as: me) { self.isOver(name) }
    let proof: RecordName = "completion-\(name)"
    let photo = errand.takesPhoto ? try await photograph(proof, errand, as: me) : nil
    for attempt in 1...50 where !isOver(name) {
      guard let order = try await look(name, as: me), order.status == .enRoute else { return }
      var fields: FieldChanges = [
        .orderId: .name(name), .driverId: .name(seed.name),
        .completedAt: .timestamp(me.now.toMilliseconds), .notes: .string("Persönlich übergeben"),
      ]
      fields[.photoAsset] = photo.map { .asset($0) }
      let results = try await app.write(
        [
          .init(.create, RecordDraft(name: proof, type: .deliveryCompletion, fields: fields)),
          .init(
            .update,
            RecordDraft(
              name: name, changeTag: order.changeTag,
              fields: [.status: .string(OrderStatus.delivered.rawValue)])),
        ], as: me)
      if results.last?.record != nil { return }
      try await live(until: me.now + .seconds(Int64(min(60, 2 * attempt))), as: me) { false }
    }
  }

  /// Uploads the proof photo (§3.2); without one the delivery goes on.
  private func photograph(
    _ record: RecordName, _ errand: Errand, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Asset? {
    let asked = UploadRequest([
      .init(record, recordType: .deliveryCompletion, fieldName: "photoAsset")
    ])
    let given = try await app.ask(
      .requestUploads(Location(database: "private"), asked), as: me)
    guard case .uploads(let targets)? = given.reply?.content, let target = targets.first else {
      return nil
    }
    let sent = try await app.ask(
      .upload(
        Upload(to: target.url, .synthetic(size: errand.photoBytes, seed: errand.photoSeed))),
      as: me)
    if case .uploaded(let asset)? = sent.reply?.content { return asset }
    return nil
  }
}
