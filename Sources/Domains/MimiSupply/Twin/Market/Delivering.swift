import Contracts
import MimiSupplyContract
import Timekeeping

// Proof of delivery and ratings (§4.8): who may write them, and when.
extension Market {
  func completionObjection(
    _ completion: CloudRecord, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Failure? {
    guard let order = completion[DeliveryCompletion.order] else { return nil }
    guard let facts = orders[order], let record = shelf.record(order),
      isVisible(record, to: actor, on: shelf, at: now)
    else {
      return danglingObjection("orderId names no order")  // MS-24
    }
    if rules.binds(.ms78) {
      if !shelf.names(of: .deliveryCompletion, where: .orderId, is: order).isEmpty {
        return .constraint("completion_exists", "the order has a completion")  // MS-78
      }
      if facts.status != .enRoute {
        return .illegalTransition("a delivery is completed en route")  // MS-78
      }
    }
    guard let at = completion[DeliveryCompletion.completedAt] else { return nil }
    if let created = record[Order.createdAt], at < created {
      return .invalid("completedAt lies before the order")
    }
    return at > now.toMilliseconds + settings.clockLeeway
      ? .constraint("timestamp_in_future", "completedAt is more than a minute ahead") : nil
  }

  /// `already_rated`, `not_delivered`; the range is step 10's, and so `rating_out_of_range` comes first.
  func ratingObjection(from before: CloudRecord, to after: CloudRecord) -> Failure? {
    for field in [FieldName.customerRating, .customerFeedback]
    where before.fields[field] != nil && before.fields[field] != after.fields[field] {
      if rules.binds(.ms81) { return .constraint("already_rated", "\(field.text) is written once") }
    }
    guard before.fields != after.fields, let order = after[DeliveryCompletion.order],
      orders[order]?.status != .delivered, rules.binds(.ms81)
    else { return nil }
    return .constraint("not_delivered", "who rates has received")
  }

  /// MS-77.
  func deliveryObjection(_ order: CloudRecord, on shelf: some Shelf) -> Failure? {
    guard rules.binds(.ms77) else { return nil }
    let completion = shelf.names(of: .deliveryCompletion, where: .orderId, is: order.name).first
      .flatMap { shelf.record($0) }
    guard let completion, completion[DeliveryCompletion.driver] == order[Order.driver],
      !settings.proofPhotoRequired || completion.fields[.photoAsset] != nil
    else { return .constraint("completion_missing", "a delivery needs its completion") }
    return nil
  }

  func denialOfCompletion(
    _ after: CloudRecord, name: UserName, role: Role
  ) -> Failure? {
    guard role == .driver else { return .denied("drivers complete deliveries") }
    guard after.fields[.customerRating] == nil, after.fields[.customerFeedback] == nil else {
      return .denied("the customer alone rates")  // MS-81
    }
    guard let order = after[DriverOffer.order], let facts = orders[order] else { return nil }
    guard let own = driverOfUser[name] else {
      return .denied("the assigned driver alone completes", "not_your_order")
    }
    if facts.driver == own {
      guard let driver = after[Order.driver], driver != own, rules.binds(.ms78) else {
        return nil
      }
      return .denied("driverId is not the assigned driver", "not_your_order")  // MS-78
    }
    // An order outside the visible set counts as missing: step 12 says so.
    let sees =
      facts.openOffer.flatMap { offers[$0]?.driver } == own
      || (settings.dispatchMode == .pool && facts.isWaiting
        && isCandidate(own, for: facts, at: now))
    guard sees, rules.binds(.ms78) else { return nil }
    return .denied("the assigned driver alone completes", "not_your_order")
  }

  /// MS-81.
  func mayRate(_ completion: CloudRecord, _ name: UserName) -> Bool {
    let isCustomer = completion[DeliveryCompletion.order].flatMap { orders[$0]?.customer } == name
    return isCustomer || !rules.binds(.ms81)
  }
}
