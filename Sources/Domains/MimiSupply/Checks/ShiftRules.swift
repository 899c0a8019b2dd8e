import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What a driver's record says of his shift: MS-72, MS-73, MS-75.
enum ShiftRules {
  // MARK: MS-72

  /// A look at a driver and his order in one answer, and refused attempts to be available.
  static func available(
    _ call: SeenCall, _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    if case .modify = call.request {
      for (item, result) in call.writes
      where item.record.fields[.isAvailable] == .some(.int64(1))
        && result?.failure?.mimiReason == "driver_busy"
      { judge.held() }
      return
    }
    for (driver, order) in pairs(call) {
      if order.status?.isActive == true, facts.settings.capacity == 1 {
        judge.expect(
          !driver[Driver.isAvailable], "\(driver.name) holds \(order.name) and is available")
      } else if facts.isFreed(driver, by: order, call) {
        judge.expect(
          driver[Driver.isAvailable],
          "\(driver.name) has brought \(order.name) to its end and is not available")
      }
    }
  }

  static func available(_ shown: Inspected, _ facts: DispatchFacts, _ judge: inout Judge) {
    for name in shown.changedDrivers {
      guard let driver = shown.drivers[name],
        driver.activeOrders ?? 0 >= facts.settings.capacity
      else { continue }
      judge.expect(driver.isAvailable == 0, "\(name) is at capacity and available")
    }
  }

  /// Drivers with orders of theirs that one lookup showed: its answer is one look at all of them.
  private static func pairs(_ call: SeenCall) -> [(driver: CloudRecord, order: ShownOrder)] {
    guard !call.drivers.isEmpty, case .lookup(_, let lookup) = call.request,
      lookup.items.count > 1
    else { return [] }
    return call.orders.filter(\.isWhole).compactMap { order in
      call.drivers.first { $0.name == order.driver }.map { ($0, order) }
    }
  }

  // MARK: MS-73

  static func offline(_ call: SeenCall, _ facts: DispatchFacts, _ judge: inout Judge) {
    for driver in call.drivers where !driver[Driver.isOnline] {
      judge.expect(!driver[Driver.isAvailable], "\(driver.name) is offline and available")
    }
    for (driver, order) in pairs(call) where !driver[Driver.isOnline] {
      judge.expect(
        order.status?.isActive != true, "\(driver.name) is offline and holds \(order.name)")
    }
    for (item, result) in call.writes {
      let fields = item.record.fields
      if fields[.isOnline] == .some(.int64(0)), result?.failure?.mimiReason == "driver_busy" {
        judge.held()
      }
      guard item.kind == .create, item.record.type == .driverLocation,
        case .identifier(let driver)?? = fields[.driverId]
      else { continue }
      if result?.failure?.mimiReason == "driver_offline" { judge.held() }
      let state = facts.sightings.state(of: driver, throughout: call.during)
      if let state, result?.record != nil, !state[Driver.isOnline] {
        judge.violated("\(driver) was offline and sent a position")
      }
    }
  }

  /// Nobody offline holds an open offer or an order before pickup.
  static func offline(_ shown: Inspected, _ judge: inout Judge) {
    for (_, driver) in shown.openOffers.sorted(by: { $0.key < $1.key }) {
      judge.expect(
        shown.drivers[driver]?.isOnline != 0, "\(driver) is offline and has an open offer")
    }
    for (_, order) in shown.openOrders {
      guard let driver = order.row?.driver, order.row?.status?.isActive == true else { continue }
      judge.expect(
        shown.drivers[driver]?.isOnline != 0, "\(driver) is offline and holds an order")
    }
  }

  // MARK: MS-75

  /// A driver is where the position with the greatest timestamp says.
  static func position(
    of driver: CloudRecord, _ call: SeenCall, _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    guard !facts.written.contains(driver.name), let sent = facts.positions[driver.name],
      let point = driver.point(Driver.currentLatitude, Driver.currentLongitude),
      let shown = sent.filter({ $0.point == point && $0.during.lowerBound <= call.answered })
        .map(\.at).max()
    else { return }
    let newer = sent.first {
      $0.isCertain && $0.during.upperBound < call.sent && $0.at > shown
    }
    judge.expect(
      newer == nil,
      "\(driver.name) stands where he was at \(shown), after he said where he was at "
        + "\(newer?.at ?? shown)")
  }
}

extension DispatchFacts {
  /// Whether an order that has ended was certainly the only one that its driver has had since he last changed his shift.
  fileprivate func isFreed(
    _ driver: CloudRecord, by order: ShownOrder, _ call: SeenCall
  ) -> Bool {
    guard order.status?.isTerminal == true, settings.dispatchMode == .offer,
      driver[Driver.isOnline],
      driver[Driver.verificationStatus] == "verified",
      let claim = claimsOfDriver[driver.name]?.last, claim.order == order.name, claim.isCertain
    else { return false }
    let others = claimsOfDriver[driver.name]!.dropLast()
    return others.allSatisfy { $0.during.upperBound < claim.during.lowerBound }
      && shifts[driver.name, default: []].allSatisfy {
        $0.upperBound < claim.during.lowerBound
      }
  }
}

/// MS-74: from the moment at which a driver has an order he says every 10 s, give or take a tenth, where he is.
///
/// His phone does one thing after the other: the time of its other requests is not counted, and where one of them failed
/// it may have been busy with that.
struct PositionsOnDelivery: History {
  static let scope = Scope<MimiSupply>.person

  private static let longest = Span.seconds(11)
  /// What a phone may need between two requests.
  private static let slack = Span.seconds(6)

  /// Since when nothing was said; `nil` while there is no order.
  private var quiet: Instant?
  private var busy = Span.zero
  private var hasFailed = false
  private var isOffline = false
  private var broken: Set<BreakerName> = []
  /// Without a network, or behind an open breaker, positions wait on the phone, whatever else begins meanwhile.
  private var isCutOff: Bool { isOffline || !broken.isEmpty }
  /// When requests of the last seconds left: many of them use up the phone's own budget (MS-130).
  private var recent: [Instant] = []
  private static let hurry = 8
  private static let breath = Span.seconds(20)
  /// The last requests, those that failed among them: where too many do, the phone shrinks its budget, to one request at the least, and it
  /// grows by one with each ten that are well (§7.6).
  private var outcomes: [Bool] = []
  /// For how many requests more its budget may be smaller than it was.
  private var strained = 0
  private static let sample = 10
  private static let mostFailed = 2
  private static let recovery = 11 * sample

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if !call.isItsOwnAddress { strain(isWell: call.isWell) }
    hurry(at: call.sent)
    guard let since = quiet else { return }
    if case .modify(_, let modification) = call.request,
      modification.items.contains(where: { $0.record.type == .driverLocation })
    {
      expect(call.sent, since, &judge)
      quiet = max(since, call.answered)
      rest(at: call.sent)
    } else {
      busy = busy + (call.answered - call.sent)
    }
    hasFailed = hasFailed || !call.outcome.isReplied
  }

  mutating func noted(_ note: MimiSupply.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .onDelivery(let begins):
      if let since = quiet { expect(moment.time, since, &judge) }
      quiet = begins ? moment.time : nil
      rest(at: moment.time)
    case .app(.network(let isOnline, _)):
      isOffline = !isOnline
      hasFailed = true
    case .app(.breaker(let name, let state)):
      if state == .closed { broken.remove(name) } else { broken.insert(name) }
      hasFailed = true
    case .app(.queued): hasFailed = true
    default: break
    }
  }

  /// A new silence begins.
  private mutating func rest(at instant: Instant) {
    (busy, hasFailed) = (.zero, isCutOff || isHurried(at: instant))
  }

  private mutating func hurry(at sent: Instant) {
    recent.removeAll { $0 + Self.breath < sent }
    recent.append(sent)
    hasFailed = hasFailed || isHurried(at: sent)
  }

  private mutating func strain(isWell: Bool) {
    if outcomes.count == Self.sample { outcomes.removeFirst() }
    outcomes.append(isWell)
    if outcomes.count(where: { !$0 }) > Self.mostFailed {
      strained = Self.recovery
    } else if strained > 0 {
      strained += isWell ? -1 : Self.sample
    }
  }

  private func isHurried(at instant: Instant) -> Bool {
    strained > 0 || recent.count { $0 + Self.breath >= instant } >= Self.hurry
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    if let since = quiet, !hasFailed { expect(instant, since, &judge) }
  }

  private func expect(_ now: Instant, _ since: Instant, _ judge: inout Judge) {
    let silent = now - since - busy
    if silent <= Self.longest + Self.slack { return judge.held() }
    if hasFailed {
      judge.undecided("the phone may have been busy with what failed, or out of its budget")
    } else {
      judge.violated("a driver on delivery was silent for \(silent)")
    }
  }
}
