import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// A driver (§5.4): a shift online, offers, deliveries, breaks.
public final class Courier: Behaviour {
  public typealias Contract = MimiSupply

  public let begins: Instant?
  let city: City
  let seed: DriverSeed
  let phone: Installation
  let shifts: Shifts
  /// From which jitter and errors of positions come.
  var noise: RandomStream
  /// Where the driver is, or is going.
  var way: Way
  var nextPosition = Instant.distantFuture
  /// An offer that is being thought about.
  var offer: PendingOffer?
  /// Orders in hand, in the order in which they are served.
  var jobs: [RecordName] = []
  /// What pushes told about them.
  var heard: [RecordName: OrderStatus] = [:]
  /// How often an order was offered: a driver may think otherwise the next time.
  var asked: [RecordName: Int] = [:]
  /// Orders that were released before pickup.
  var givenBack: Set<RecordName> = []
  private var isRegistered: Bool
  private var nextPool = Instant.distantFuture

  init(_ seed: DriverSeed, in city: City, begins: Instant?) {
    self.seed = seed
    self.city = city
    self.begins = begins
    shifts = Shifts(plan: city.plan, driver: seed.name)
    noise = city.luck(seed.name.text, about: "noise", .working)
    way = Way(at: seed.home)
    isRegistered = !seed.isNewcomer
    phone = Installation(Account(seed.name.text, .driver), isSignedIn: !seed.isNewcomer, in: city)
  }

  var habits: Habits.Riding { city.habits.riding }
  var app: AppClient { phone.app }

  public func session(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Instant? {
    guard try await phone.enter(as: me) else { return me.now + .minutes(10) }
    if !isRegistered {
      guard try await register(as: me) else { return me.now + .minutes(10) }
      isRegistered = true
    }
    guard let (begins, ends) = shifts.next(after: me.now) else { return nil }
    guard begins <= me.now else { return begins }
    try await work(until: ends, as: me)
    return shifts.next(after: max(me.now, ends))?.begins
  }

  /// `false`: an admin has not verified the driver yet.
  private func register(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Bool {
    guard let user = phone.user else { return false }
    if let record = try await app.look(seed.name, as: me) {
      return record[Driver.verificationStatus] == "verified"
    }
    var fields = seed.fields
    fields[.userId] = .name(user)
    fields[.verificationStatus] = .string("pending")
    fields[.createdAt] = .timestamp(me.now.toMilliseconds)
    _ = try await app.write(
      [
        .init(
          .create, RecordDraft(name: seed.name, type: .driver, fields: FieldChanges(fields)))
      ],
      as: me)
    return false
  }

  // MARK: A shift

  private func work(until ends: Instant, as me: Person<MimiSupply>) async throws(JourneyEnded) {
    try await phone.connect(
      [
        .told("order-updates", of: .order, where: .driverId, is: .name(seed.name)),
        .told(
          "driver-offers", of: .driverOffer, where: .driverId, is: .name(seed.name),
          on: [.create]),
      ], as: me)
    guard try await go(online: true, as: me) else { return }
    phone.show(true, to: me)
    nextPosition = me.now
    nextPool = habits.isPool ? me.now : .distantFuture
    var rest = me.now + habits.breakAfter
    while me.now < ends || !jobs.isEmpty {
      if let job = jobs.first {
        me.note(.onDelivery(true))
        try await deliver(job, as: me)
        me.note(.onDelivery(false))
        jobs.removeAll { $0 == job }
        heard[job] = nil
      } else if me.now >= rest {
        try await pause(as: me)
        rest = me.now + habits.breakAfter
      } else if me.now >= nextPool {
        nextPool = me.now + noise.sample(.exponential(mean: habits.poolLooked))
        try await lookIntoPool(as: me)
      } else {
        try await live(until: min(ends, rest, nextPool), as: me) { !self.jobs.isEmpty }
      }
    }
    offer = nil
    for _ in 1...3 where !(try await go(online: false, as: me)) { try await me.think(.seconds(10)) }
    phone.show(false, to: me)
    asked = [:]
  }

  /// Shift control; `false` when it was not heard or not taken.
  private func go(
    online: Bool, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    let flag = FieldValue.int64(online ? 1 : 0)
    let result = try await app.update(seed.name, as: me) { _ in
      [.isOnline: flag, .isAvailable: flag]
    }
    return result?.record != nil
  }

  /// Online, but not to be asked.
  private func pause(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let stopped = try await app.update(seed.name, as: me) { _ in [.isAvailable: .int64(0)] }
    guard stopped?.record != nil else { return }
    try await live(until: me.now + habits.breakLasts, as: me) { !self.jobs.isEmpty }
    // With an order in hand the backend decides when the driver is free again (MS-72).
    guard jobs.isEmpty else { return }
    _ = try await app.update(seed.name, as: me) { _ in [.isAvailable: .int64(1)] }
  }

  /// Lets time pass: positions are sent, pushes taken, offers answered.
  ///
  /// - Parameter isEnough: Something happened that cannot wait.
  func live(
    until end: Instant, as me: Person<MimiSupply>, orUntil isEnough: () -> Bool
  ) async throws(JourneyEnded) {
    while me.now < end, !isEnough() {
      if me.now >= nextPosition {
        try await sendPosition(as: me)
      } else if let pending = offer, me.now >= pending.answersAt {
        try await answer(pending, as: me)
      } else {
        let wake = min(end, nextPosition, offer?.answersAt ?? .distantFuture)
        if let received = try await me.wait(until: wake) { try await take(received, as: me) }
      }
    }
  }

  private func take(
    _ received: Received<MimiSupply>, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    guard case .notification(let push) = received.signal else { return }
    switch push.content {
    case .offer(let id, let order, _): try await consider(id, of: order, as: me)
    case .order(let order, let text, _, _, _):
      if text == OrderStatus.claim {
        take(order)
      } else if let status = OrderStatus.of(text) {
        heard[order] = status
      }
    case .position, .customerDeleted, .record: break
    }
  }

  /// An order is this driver's now.
  func take(_ order: RecordName) {
    if !jobs.contains(order) { jobs.append(order) }
  }

  // MARK: Positions

  /// Where the driver is, with the error of the receiver (§5.6); named by milliseconds (OP-36).
  private func sendPosition(as me: Person<MimiSupply>) async throws(JourneyEnded) {
    let isIdle = jobs.isEmpty || !city.plan.rules.binds(.ms74)  // MS-74
    let interval = isIdle ? habits.positionIdle : habits.positionOnDelivery
    let jitter = 1 + habits.positionJitter * (2 * noise.unit() - 1)
    nextPosition = me.now + Span(seconds: interval.seconds * jitter)
    let error = abs(noise.normal()) * habits.positionError
    let point = way.point(at: me.now).moved(metres: error, bearing: noise.unit())
    let now = me.now.toMilliseconds
    let draft = RecordDraft(
      name: "\(seed.name)-\(now.unixMilliseconds)", type: .driverLocation,
      fields: [
        .accuracy: .double(error), .driverId: .name(seed.name),
        .latitude: .double(point.latitude), .longitude: .double(point.longitude),
        .timestamp: .timestamp(now),
      ])
    _ = try await app.save([.init(.create, draft)], queuedAs: .saveDriverLocation, as: me)
  }
}

/// A straight way, or a place.
struct Way {
  private let from: Geography.Point
  private let to: Geography.Point
  private let departs: Instant
  private let arrives: Instant

  init(at place: Geography.Point) {
    self.init(from: place, to: place, departs: .distantPast, arrives: .distantPast)
  }

  init(from: Geography.Point, to: Geography.Point, departs: Instant, arrives: Instant) {
    self.from = from
    self.to = to
    self.departs = departs
    self.arrives = arrives
  }

  func point(at now: Instant) -> Geography.Point {
    guard now < arrives else { return to }
    guard departs < now else { return from }
    return from.towards(to, share: (now - departs).seconds / (arrives - departs).seconds)
  }
}
