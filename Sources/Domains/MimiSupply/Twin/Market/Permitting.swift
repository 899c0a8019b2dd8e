import Contracts
import MimiSupplyContract
import Timekeeping

// Step 9 of §3.1, by §2.14: judged on changed values, so that whole-record saves work. Immutable fields are left to
// step 10, which names the reason (MS-26).
extension Market {
  /// Steps 9 and 10: permission, then schema and field constraints.
  func refusal(
    of change: Change, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Failure? {
    if actor == .system { return nil }
    if rules.binds(.ms105), let failure = denial(of: change, by: actor, on: shelf, at: now) {
      return failure  // MS-105
    }
    return malformation(of: change)
  }

  private func denial(
    of change: Change, by actor: Actor, on shelf: some Shelf, at now: Instant
  ) -> Failure? {
    guard case .user(let name, let role, _) = actor else {
      return .denied("writing requires sign-in")  // MS-101
    }
    // An unknown type is the schema's to refuse.
    guard RecordSchema.of(change.type) != nil else { return nil }
    guard let after = change.after else {
      return denialOfDeletion(of: change.before!, by: actor, name: name)
    }
    guard let before = change.before else {
      return denialOfCreation(of: after, name: name, role: role)
    }
    switch after.type {
    case .partner: return denialOfPartner(from: before, to: after, by: actor, name: name)
    case .product:
      return denialOfProduct(partner: before[Product.partner], by: actor, name: name)
    case .userProfile:
      return denial(
        from: before, to: after, allowing: before.name == name.profile ? Self.ownProfile : [],
        andAdmin: actor.isAdmin ? Self.adminProfile : [])
    case .order: return denialOfOrder(from: before, to: after, by: actor, on: shelf)
    case .driver:
      return denial(
        from: before, to: after,
        allowing: before[Driver.user] == name ? Self.ownDriver : [],
        andAdmin: actor.isAdmin ? Self.ownDriver.union([.verificationStatus]) : [])
    case .deliveryCompletion:
      return denial(
        from: before, to: after,
        allowing: mayRate(before, name) ? [.customerRating, .customerFeedback] : [])
    case .driverOffer: return denialOfOffer(from: before, to: after, name: name)
    default: return .denied("\(after.type) is never updated")  // MS-20, MS-112
    }
  }

  // MARK: - Creation

  private func denialOfCreation(of after: CloudRecord, name: UserName, role: Role) -> Failure? {
    switch after.type {
    case .partner:
      return role == .partner || role == .admin ? nil : .denied("partners register themselves")
    case .product:
      guard role == .partner || role == .admin else { return .denied("partners sell") }
      guard role != .admin, let partner = after[Product.partner], partners[partner] != nil
      else { return nil }
      return denialOfCatalogue(partner, name: name)
    case .order:
      guard role == .customer || !rules.binds(.ms49) else {
        return .denied("customers order", mimiError: Failure.orderCreationFailed)  // MS-49
      }
      guard let customer = after[Order.customer], customer != name else { return nil }
      return .denied(
        "customerId is not the caller", "customer_mismatch",
        mimiError: Failure.orderCreationFailed)
    case .driver:
      guard role == .driver else { return .denied("drivers register themselves") }
      guard let user = after[Driver.user], user != name else { return nil }
      return .denied("userId is not the caller")
    case .driverLocation:
      guard let driver = after[DriverLocation.driver] else { return nil }
      return isOwn(driver: driver, name) ? nil : .denied("driverId is not the caller's driver")
    case .deliveryCompletion: return denialOfCompletion(after, name: name, role: role)
    default: return .denied("the system alone creates \(after.type)")
    }
  }

  // MARK: - Deletion

  private func denialOfDeletion(
    of before: CloudRecord, by actor: Actor, name: UserName
  ) -> Failure? {
    switch before.type {
    case .partner:
      return before.created.userRecordName == name || actor.isAdmin
        ? nil : .denied("only its owner deletes a partner")
    case .product:
      return denialOfProduct(partner: before[Product.partner], by: actor, name: name)
    case .driverLocation:
      return isOwn(driver: before[DriverLocation.driver], name)
        ? nil : .denied("only its driver deletes a position")
    default: return .denied("\(before.type) is not deleted by requests")
    }
  }

  // MARK: - Update

  private static let ownProfile: FieldNames = [
    .email, .fullName, .phoneNumber, .profileImage, .lastActiveAt, .deviceToken,
  ]
  private static let adminProfile = ownProfile.union([.role, .isVerified])
  private static let ownDriver: FieldNames = [
    .name, .phoneNumber, .profileImage, .vehicleType, .licensePlate, .isOnline,
    .isAvailable, .currentLatitude, .currentLongitude,
  ]

  /// The fields whose values differ, ascending, without those that the schema itself protects.
  func changedFields(from before: CloudRecord, to after: CloudRecord) -> [FieldName] {
    let schema = RecordSchema.of(after.type)
    return before.fields.names.union(after.fields.names).declared.filter { name in
      // A field that the schema does not know is refused by step 10.
      guard name != .updatedAt, before.fields[name] != after.fields[name], let rule = schema?[name]
      else { return false }
      return !rule.isImmutable
    }
  }

  private func denial(
    from before: CloudRecord, to after: CloudRecord, allowing allowed: FieldNames,
    andAdmin more: FieldNames = []
  ) -> Failure? {
    let allowed = allowed.union(more)
    guard !allowed.isEmpty else { return .denied("\(after.type) is not yours to change") }
    let foreign = changedFields(from: before, to: after).first { !allowed.contains($0) }
    guard let foreign, rules.binds(.ms108) else { return nil }
    return .denied("\(foreign) is not yours to change")  // MS-108
  }

  private func denialOfPartner(
    from before: CloudRecord, to after: CloudRecord, by actor: Actor, name: UserName
  ) -> Failure? {
    let isOwn = before.created.userRecordName == name
    guard isOwn || actor.isAdmin || !rules.binds(.ms109) else {
      return .denied("only its owner changes a partner")  // MS-109
    }
    for field in changedFields(from: before, to: after) {
      switch field {
      case .rating, .reviewCount:
        if rules.binds(.ms108) { return .denied("\(field) is the system's") }  // MS-108
      case .isVerified where !actor.isAdmin:
        if rules.binds(.ms108) { return .denied("admins verify") }  // MS-108
      case .isActive where !actor.isAdmin && !before[Partner.isVerified]:
        if rules.binds(.ms109) {
          return .denied("an unverified partner does not open", "partner_unverified")  // MS-109
        }
      default: break
      }
    }
    return nil
  }

  private func denialOfProduct(partner: RecordName?, by actor: Actor, name: UserName) -> Failure? {
    guard !actor.isAdmin, let partner else { return nil }
    return denialOfCatalogue(partner, name: name)
  }

  private func denialOfCatalogue(_ partner: RecordName, name: UserName) -> Failure? {
    guard rules.binds(.ms109) else { return nil }
    guard let facts = partners[partner], facts.owner == name else {
      return .denied("only its partner's owner changes a product")  // MS-109
    }
    return facts.isVerified
      ? nil : .denied("the partner is not verified", "partner_unverified")  // MS-109
  }

  private func denialOfOffer(
    from before: CloudRecord, to after: CloudRecord, name: UserName
  ) -> Failure? {
    guard isOwn(driver: before[DriverOffer.driver], name) else {
      return .denied("only its driver answers an offer")
    }
    for field in changedFields(from: before, to: after) {
      let answers = ["accepted", "declined"]
      guard field == .state, after[DriverOffer.state].map(answers.contains) ?? true else {
        return .denied("a driver accepts or declines an offer, no more")
      }
    }
    return nil
  }

  private func denialOfOrder(
    from before: CloudRecord, to after: CloudRecord, by actor: Actor, on shelf: some Shelf
  ) -> Failure? {
    let parties = parties(actor, to: before)
    let own = actor.name.flatMap { driverOfUser[$0] }
    let implied = impliedFields(from: before, to: after, by: actor, on: shelf)
    for field in changedFields(from: before, to: after) {
      if let value = implied[field], after.fields[field] == value { continue }
      let isAllowed: Bool
      switch field {
      case .status:
        guard let from = before.status, let to = after.status,
          let transition = Transition.from(from, to: to)
        else { continue }  // Step 12 calls it illegal.
        if permits(transition, by: parties) { continue }
        return .denied(
          "\(transition.id) is not for this caller", "transition_not_permitted_for_role")  // MS-57
      case .driverId:
        let driver = after[Order.driver]
        let claims = driver != nil && driver == own
        let releases = after.fields[.driverId] == nil && parties.contains(.driver)
        isAllowed = claims || releases || parties.contains(.admin)
      case .tipCents, .totalCents, .deliveryInstructions:
        isAllowed = parties.contains(.customer)
      case .paymentStatus:
        isAllowed =
          parties.contains(.customer) && before.status == .paymentProcessing
          && after.status == .paymentConfirmed
      case .estimatedDeliveryTime:
        isAllowed = parties.contains(.partner) || parties.contains(.admin)
      default: isAllowed = false
      }
      guard isAllowed else { return .denied("\(field.text) is not for this caller to change") }
    }
    return nil
  }
}
