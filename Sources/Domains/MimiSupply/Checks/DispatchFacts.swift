import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What is certain about the drivers and orders of one city: what was seen of them, every sign of life, every claim,
/// and whatever may have taken a driver from an order.
final class DispatchFacts: Facts {
  static let concerns = Set<Concern>.showing.union([
    .asks(.deleteAccount), .controls, .inspections,
  ])

  /// A position that a driver sent, unless it was refused.
  struct Position: Sendable {
    let point: Geography.Point
    let at: Instant
    let during: ClosedRange<Instant>
    let isCertain: Bool
  }

  /// An order got a driver, or may have.
  struct Claim: Sendable {
    let order: RecordName
    let driver: RecordName
    let during: ClosedRange<Instant>
    let isCertain: Bool
  }

  private(set) var settings = DispatchSettings()
  private(set) var sightings = Sightings()
  /// Drivers who were seen twice in one state, in the order in which it happened first.
  private(set) var vouched: [RecordName] = []
  private var isVouched: Set<RecordName> = []
  /// By driver, for some hours.
  private(set) var positions: [RecordName: [Position]] = [:]
  /// Drivers whose record somebody wrote with coordinates, so that positions alone do not say where they are.
  private(set) var written: Set<RecordName> = []
  /// By driver: writes of his record that were not refused.
  private(set) var shifts: [RecordName: [ClosedRange<Instant>]] = [:]
  /// By order.
  private(set) var claims: [RecordName: [Claim]] = [:]
  private(set) var claimsOfDriver: [RecordName: [Claim]] = [:]
  /// By order: what may have taken its driver, or did.
  private(set) var releases: [RecordName: [ClosedRange<Instant>]] = [:]
  /// Accounts that were deleted, or may have been.
  private(set) var departures: [ClosedRange<Instant>] = []
  /// Who carried an order when it was seen so.
  private(set) var carriers: [RecordName: RecordName] = [:]
  /// When each order was accepted, and so began to wait for a driver.
  private(set) var accepted: [RecordName: Instant] = [:]
  /// By driver: how many deliveries of his were seen, and when the last of them ended.
  private(set) var deliveries: [RecordName: (count: Int64, last: Instant)] = [:]
  private(set) var partnerOfOrder: [RecordName: RecordName] = [:]
  private(set) var partners: [RecordName: Geography.Point] = [:]
  private(set) var orderOfOffer: [RecordName: RecordName] = [:]
  private(set) var driverOfUser: [UserName: RecordName] = [:]
  /// Users whose consents were changed (MS-118).
  private(set) var consents: Set<UserName> = []
  private let accounts: AccountFacts

  init(_ subject: Subject<AccountFacts>) { accounts = subject.known }

  // MARK: Asking

  func isAdmin(_ call: SeenCall) -> Bool { accounts.role(of: call) == .admin }
  func driver(of call: SeenCall) -> RecordName? {
    accounts.user(of: call).flatMap { driverOfUser[$0] }
  }

  /// When the driver last may have given a sign of life that an instant could see.
  func lastSign(of driver: RecordName, before instant: Instant) -> Instant {
    var last = Instant.distantPast
    func take(_ sign: ClosedRange<Instant>) {
      if sign.lowerBound <= instant { last = max(last, sign.upperBound) }
    }
    for position in positions[driver] ?? [] { take(position.during) }
    for shift in shifts[driver] ?? [] { take(shift) }
    return last
  }

  /// Whether something may have taken an order's driver within an interval.
  func mayHaveLost(
    _ order: RecordName, _ driver: RecordName, within interval: ClosedRange<Instant>
  ) -> Bool {
    releases[order, default: []].contains { $0.overlaps(interval) }
      || shifts[driver, default: []].contains { $0.overlaps(interval) }
      || departures.contains { $0.overlaps(interval) }
  }

  // MARK: Taking in

  func inspected(_ shown: Inspected, at moment: Moment) {
    forget(before: moment.time - .hours(3))
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    switch call.request {
    case .query(_, let query):
      // Catalogues are read all the time and say nothing about drivers.
      if query.query.recordType == .product { return }
    case .deleteAccount:
      if call.isUnknown || call.outcome.isReplied { departures.append(call.during) }
    case .modify(_, let modification): see(modification, call)
    default: break
    }
    for order in call.orders where order.isWhole {
      sightings.see(order.record, in: call)
      if partnerOfOrder[order.name] == nil { partnerOfOrder[order.name] = order.partner }
      if order.status?.isCarried == true, carriers[order.name] == nil {
        carriers[order.name] = order.driver
      }
    }
    for driver in call.drivers {
      if let user = driver[Driver.user] { driverOfUser[user] = driver.name }
      if sightings.see(driver, in: call), isVouched.insert(driver.name).inserted {
        vouched.append(driver.name)
      }
    }
    for record in call.shown {
      switch record.type {
      case .driverOffer: orderOfOffer[record.name] = record[DriverOffer.order]
      case .partner:
        if let point = record.point(DriverLocation.latitude, DriverLocation.longitude) {
          partners[record.name] = point
        }
      default: break
      }
    }
  }

  private func see(_ modification: Modification, _ call: SeenCall) {
    let results = call.writes.map(\.result)
    guard call.isUnknown || !results.isEmpty else { return }
    for (index, item) in modification.items.enumerated() {
      let result = call.isUnknown ? nil : results[index]
      if !call.isUnknown {
        guard let result, result.failure == nil else { continue }
      }
      take(item, result?.record, call)
    }
  }

  /// One operation that worked, or may have.
  private func take(
    _ item: Modification.Item, _ saved: CloudRecord?, _ call: SeenCall
  ) {
    let fields = item.record.fields
    switch saved?.type ?? item.record.type {
    case .driverLocation: takePosition(fields, call)
    case .driver:
      guard let name = saved?.name ?? item.record.name else { return }
      takeShift(name, fields, call)
    case .driverOffer:
      guard let name = item.record.name, fields[.state] == .some(.string("accepted")) else {
        return
      }
      let order = saved?[DriverOffer.order] ?? orderOfOffer[name]
      claim(order, by: saved?[DriverOffer.driver] ?? driver(of: call), call)
    case .order: takeOrder(item, saved, call)
    default:
      // An update need not name its type: whatever it may be about is taken in.
      guard saved == nil, let name = item.record.name else { return }
      if fields[.isOnline] != nil || fields[.verificationStatus] != nil {
        takeShift(name, fields, call)
      } else if fields[.state] != nil {
        claim(orderOfOffer[name], by: driver(of: call), call)
      } else {
        takeOrder(item, saved, call)
      }
    }
  }

  private func takePosition(_ fields: FieldChanges, _ call: SeenCall) {
    guard case .identifier(let driver)?? = fields[.driverId],
      case .timestamp(let at)?? = fields[.timestamp],
      case .double(let north)?? = fields[.latitude], case .double(let east)?? = fields[.longitude]
    else { return }
    positions[driver, default: []].append(
      Position(
        point: Geography.Point(north, east), at: at.toMilliseconds, during: call.during,
        isCertain: !call.isUnknown))
  }

  private func takeShift(
    _ driver: RecordName, _ fields: FieldChanges, _ call: SeenCall
  ) {
    shifts[driver, default: []].append(call.during)
    if fields[.currentLatitude] != nil || fields[.currentLongitude] != nil {
      written.insert(driver)
    }
  }

  private func takeOrder(
    _ item: Modification.Item, _ saved: CloudRecord?, _ call: SeenCall
  ) {
    guard let name = saved?.name ?? item.record.name, item.kind != .create else { return }
    let fields = item.record.fields
    if let saved { take(saved, named: fields[.status]) }
    let isAlias = fields[.status] == .some(.string(OrderStatus.claim))
    if let named = fields[.driverId] {
      if case .identifier(let driver)? = named {
        claim(name, by: driver, call)
      } else {
        releases[name, default: []].append(call.during)
      }
    } else if isAlias {
      claim(name, by: saved?[Order.driver] ?? driver(of: call), call)
    } else if case .string(let text)?? = fields[.status],
      OrderStatus.of(text)?.isTerminal ?? false
    {
      releases[name, default: []].append(call.during)
    }
  }

  /// The instant of a commit that accepted an order or delivered it.
  private func take(_ order: CloudRecord, named status: FieldValue??) {
    let at = order.modified.timestamp
    if status == .some(.string(OrderStatus.accepted.rawValue)) {
      accepted[order.name] = at
    } else if status == .some(.string(OrderStatus.delivered.rawValue)),
      let driver = order[Order.driver]
    {
      let before = deliveries[driver] ?? (0, .distantPast)
      deliveries[driver] = (before.count + 1, max(before.last, at))
    }
  }

  private func claim(_ order: RecordName?, by driver: RecordName?, _ call: SeenCall) {
    guard let order, let driver else { return }
    let claim = Claim(
      order: order, driver: driver, during: call.during, isCertain: !call.isUnknown)
    claims[order, default: []].append(claim)
    claimsOfDriver[driver, default: []].append(claim)
  }

  func commanded(_ command: Control, at moment: Moment) {
    switch command {
    case .configure(let values): settings.take(values, at: moment.time)
    case .setConsent(let user, _, _): consents.insert(user)
    case .load(let fixture):
      for entry in fixture.records { take(entry) }
    default: break
    }
  }

  private func take(_ entry: Fixture.Entry) {
    switch entry.type {
    case .partner:
      guard let north = entry.fields[Partner.latitude],
        let east = entry.fields[Partner.longitude]
      else { return }
      partners[entry.name] = Geography.Point(north, east)
    case .driver:
      if let user = entry.fields[Driver.user] { driverOfUser[user] = entry.name }
      if entry.fields[.currentLatitude] != nil { written.insert(entry.name) }
    default: break
    }
  }

  /// What no later look can be about.
  private func forget(before instant: Instant) {
    for driver in positions.keys {
      guard let first = positions[driver]?.first, first.during.upperBound < instant else {
        continue
      }
      // The greatest timestamp stays: it is where the driver is.
      let greatest = positions[driver]?.map(\.at).max()
      positions[driver]?.removeAll { $0.during.upperBound < instant && $0.at != greatest }
    }
    for driver in shifts.keys { shifts[driver]?.removeAll { $0.upperBound < instant } }
    for order in claims.keys where claims[order]!.allSatisfy({ $0.during.upperBound < instant }) {
      claims[order] = nil
      releases[order] = nil
    }
    for driver in claimsOfDriver.keys {
      claimsOfDriver[driver]?.removeAll { $0.during.upperBound < instant }
    }
  }
}

/// The values of section 10 that dispatch goes by, as the operator set them.
@dynamicMemberLookup
struct DispatchSettings: Sendable {
  private var values = MimiSupply.Deployment()
  /// A driver may hold what an earlier capacity allowed.
  private(set) var capacity = MimiSupply.Deployment().driverCapacity
  private(set) var giveUp = MimiSupply.Deployment().dispatchGiveUp
  private(set) var offlineGrace = MimiSupply.Deployment().offlineGrace
  /// What was offered before then went by other values.
  private(set) var since = Instant.distantPast

  subscript<Value>(dynamicMember path: KeyPath<MimiSupply.Deployment, Value>) -> Value {
    values[keyPath: path]
  }

  var requiresVehicle: Bool { values.requiredVehicle != nil }

  mutating func take(_ adjustment: Adjustment<MimiSupply.Deployment>, at instant: Instant) {
    since = instant
    adjustment.apply(to: &values)
    capacity = max(capacity, values.driverCapacity)
    giveUp = max(giveUp, values.dispatchGiveUp)
    offlineGrace = max(offlineGrace, values.offlineGrace)
  }

  /// The distance class of §6.3.
  func rank(_ metres: Int) -> Int { values.strictDistance ? metres : metres / 100 }
}
