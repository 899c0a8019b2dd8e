import MimiSupplyContract
import Observations
import Timekeeping

/// Who gets an order and keeps it: MS-64, MS-65, MS-66, MS-67, MS-69.
enum AssignmentRules {
  // MARK: MS-64

  static func keepsDriver(
    _ order: ShownOrder, _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    guard let status = order.status, status.isCarried || status == .delivered else { return }
    guard let driver = order.driver else {
      return judge.violated("\(order.name) is \(status.rawValue) and has no driver")
    }
    let carrier = facts.carriers[order.name] ?? driver
    judge.expect(
      carrier == driver, "\(order.name) was carried by \(carrier) and is by \(driver)")
  }

  // MARK: MS-65

  /// One page of a query is one look.
  @Sendable static func capacity(
    _ call: SeenCall, _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    if case .modify = call.request {
      for (_, result) in call.writes
      where result?.failure?.mimiReason == "driver_at_capacity" { judge.held() }
      return
    }
    guard case .query(_, let query) = call.request, query.query.recordType == .order,
      case .found? = call.content
    else { return }
    var held: [RecordName: Int] = [:]
    for order in call.orders where order.status?.isActive == true {
      if let driver = order.driver { held[driver, default: 0] += 1 }
    }
    if let most = held.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      judge.expect(
        most.value <= facts.settings.capacity, "\(most.key) holds \(most.value) active orders")
    }
  }

  // MARK: MS-66

  /// Who is not verified does not begin to work.
  @Sendable static func verified(_ call: SeenCall, _ judge: inout Judge) {
    for (item, result) in call.writes {
      if result?.failure?.mimiReason == "driver_not_verified" { judge.held() }
      guard item.record.fields[.isAvailable] == .some(.int64(1)), let driver = result?.record,
        driver.type == .driver, let status = driver[Driver.verificationStatus]
      else { continue }
      judge.expect(
        status == "verified" || !driver[Driver.isAvailable],
        "\(driver.name) is \(status) and became available")
    }
  }

  // MARK: MS-67

  /// An offer that is over can be neither accepted nor declined.
  @Sendable static func lateAnswer(_ call: SeenCall, _ judge: inout Judge) {
    for (item, result) in call.writes where item.record.fields[.state] != nil {
      if ["offer_expired", "offer_closed"].contains(result?.failure?.mimiReason) { judge.held() }
      guard let offer = result?.record, offer.type == .driverOffer,
        let expires = offer[DriverOffer.expiresAt]
      else { continue }
      judge.expect(
        offer.modified.timestamp <= expires,
        "\(offer.name) was answered at \(offer.modified.timestamp), after its end at \(expires)")
    }
  }

  /// Who is offline holds no open offer, and is told that before anything else that is wrong with him (§3.4).
  static func unasked(
    _ item: Modification.Item, _ result: ItemResult?, _ call: SeenCall,
    _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    guard facts.settings.dispatchMode == .offer, let reason = result?.failure?.mimiReason,
      case .identifier(let driver)?? = item.record.fields[.driverId],
      driver == facts.driver(of: call), !facts.isAdmin(call),
      let known = facts.sightings.last(driver), !known.record[Driver.isOnline],
      !(facts.shifts[driver] ?? []).contains(where: { $0.upperBound > known.from })
    else { return }
    switch reason {
    case "offer_expired", "offer_not_yours": judge.held()
    case "driver_not_eligible", "driver_at_capacity":
      judge.violated("\(driver), who held no offer, was refused with \(reason)")
    default: break
    }
  }

  // MARK: MS-69

  static func oneWins(
    _ item: Modification.Item, _ result: ItemResult?, _ call: SeenCall,
    _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    guard let result, let (order, driver) = claim(item, result, call, facts) else { return }
    let earlier = facts.claims[order, default: []].filter {
      $0.isCertain
        && call.during.upperBound - $0.during.lowerBound < facts.settings.offlineGrace
        && !facts.mayHaveLost(
          order, $0.driver,
          within: min($0.during.lowerBound, call.sent)...call.during.upperBound)
    }
    guard let failure = result.failure else {
      // Saving a record whole names the driver whom it has.
      let other = earlier.first { $0.driver != driver }
      return judge.expect(
        other == nil,
        "\(order) went to \(other?.driver ?? "") and to \(driver ?? "another") as well")
    }
    if failure.code == .conflict || failure.mimiReason == "order_already_assigned" {
      return judge.held()
    }
    guard earlier.contains(where: { $0.during.upperBound < call.sent }) else { return }
    judge.expect(
      !laterReasons.contains(failure.mimiReason ?? ""),
      "a claim of \(order) that came too late was refused with \(failure.mimiReason ?? "")")
  }

  /// Reasons that come behind `order_already_assigned` (§3.4), or mean something else.
  private static let laterReasons: Set<String> = [
    "offer_expired", "offer_not_yours", "driver_not_eligible", "driver_at_capacity",
    "illegal_transition",
  ]

  /// Which order an operation claims for whom; `nil` when it claims none.
  private static func claim(
    _ item: Modification.Item, _ result: ItemResult, _ call: SeenCall,
    _ facts: DispatchFacts
  ) -> (order: RecordName, driver: RecordName?)? {
    guard let name = item.record.name, item.kind == .update || item.kind == .forceUpdate else {
      return nil
    }
    let fields = item.record.fields
    if case .identifier(let driver)?? = fields[.driverId], fields[.status] == nil {
      guard result.record?.type ?? .order == .order else { return nil }
      return facts.partnerOfOrder[name] == nil ? nil : (name, driver)
    }
    if fields[.status] == .some(.string(OrderStatus.claim)) {
      return (name, facts.driver(of: call))
    }
    guard fields[.state] == .some(.string("accepted")) else { return nil }
    guard let order = result.record?[DriverOffer.order] ?? facts.orderOfOffer[name] else {
      return nil
    }
    return (order, result.record?[DriverOffer.driver])
  }
}
