import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

// What has to become of each operation of a batch, and of each name that is looked up, by the checks 8 to 11 of §3.1. The
// domain's rules, which come behind them, have checks of their own.

/// The checks of §3.1 that an operation goes through, in their order.
private enum WriteStep: Int, Comparable {
  case existence, permission, schema, tag, domain

  static func < (a: WriteStep, b: WriteStep) -> Bool { a.rawValue < b.rawValue }

  /// The step at which a backend refuses so.
  init(of failure: Failure) {
    switch failure.code {
    case .notFound: self = failure.native == .assetFileNotFound ? .schema : .existence
    case .exists, .zoneNotFound: self = .existence
    case .accessDenied: self = .permission
    case .conflict: self = .tag
    case .badRequest:
      let isOfField = [
        "immutable_field", "rating_out_of_range", "media_too_large", "too_many_images",
      ].contains(failure.mimiReason)
      self = failure.native == .constraintViolation && !isOfField ? .domain : .schema
    default: self = .domain
    }
  }
}

/// An operation with who asks for it and where.
private struct Write {
  let item: Modification.Item
  let user: UserName
  let role: Role
  let place: Location
  let zone: Zone?
  let during: ClosedRange<Instant>

  var record: RecordDraft { item.record }
  var zoneName: String { zone?.zoneName ?? "_defaultZone" }
  var isPublic: Bool { place.database == "public" }
  /// Whether it needs a record that is there.
  var needsRecord: Bool { [.update, .replace, .delete].contains(item.kind) }
}

extension RefusalFacts {
  func judgeItems(_ call: SeenCall) {
    switch call.request {
    case .lookup(let place, let asked): judgeLookups(asked, at: place, call)
    case .modify(let place, let asked):
      guard case .items? = call.content, let user = accounts.user(of: call),
        let role = accounts.role(of: call)
      else { return }
      for (item, result) in call.writes {
        guard let result else { continue }
        judge(
          result,
          of: Write(
            item: item, user: user, role: role, place: place, zone: asked.zone,
            during: call.during))
      }
    case .modifyZones(let place, let asked): judgeZones(asked, at: place, call)
    case .lookupZones(let place, let asked): judgeZones(asked, at: place, call)
    case .modifySubscriptions(let place, let asked): judgeSubscriptions(asked, at: place, call)
    case .lookupSubscriptions(let place, let asked): judgeSubscriptions(asked, at: place, call)
    case .listSubscriptions(let place): judgeSubscriptionList(at: place, call)
    default: break
    }
  }

  private func judge(_ result: ItemResult, of write: Write) {
    rests(on: write.record.name, during: write.during)
    defer { rests(on: nil, during: write.during) }
    guard let failure = result.failure else {
      // What is stored, the schema's own rules look at.
      if let (_, due, rule) = dueRefusal(of: write, isStored: true) {
        tell("\(write.shown) was done, which is to be refused as \(due.shown)", of: rule)
      }
      return
    }
    guard failure.code != .atomicError else { return }
    judgeCode(of: failure)
    let type = write.record.name.flatMap { records[$0]?.type } ?? write.record.type
    if let reason = failure.mimiReason, let type, !RefusalCodes.mayBe(reason, of: type) {
      tell("\(reason) was said of a \(type)", of: RefusalCodes.rule(of: failure))
    }
    let step = WriteStep(of: failure)
    if let (dueStep, due, rule) = dueRefusal(of: write, isStored: false) {
      if due.fits(failure) { return tell(nil, of: rule) }
      if step > dueStep || (step == dueStep && step != .schema) {
        return tell(
          "\(write.shown) was refused as \(failure.shown) instead of \(due.shown)", of: rule)
      }
    }
    if isCauseless(failure, at: step, write) {
      tell(
        "\(write.shown) was refused as \(failure.shown) without a cause",
        of: RefusalCodes.rule(of: failure))
    }
  }

  // MARK: What certainly is refused

  /// The first check that an operation certainly fails.
  private func dueRefusal(
    of write: Write, isStored: Bool
  ) -> (WriteStep, DueRefusal, MimiSupply.Rule)? {
    guard let name = write.record.name else {
      return write.needsRecord || write.item.kind == .forceDelete
        ? (.existence, .invalid, .ms15) : dueAtCreation(of: write, isStored)
    }
    guard name.isGood else { return (.existence, .invalid, .ms15) }
    let known = records[name]
    switch records.isThere(name, during: write.during) {
    case false?:
      if write.needsRecord { return (.existence, .missing, .ms106) }
      if write.item.kind == .forceDelete { return nil }
      return dueAtCreation(of: write, isStored)
    case true?:
      guard let known, known.isPublic == write.isPublic else { return nil }
      if write.item.kind == .create { return (.existence, .taken, .ms48) }
      if write.needsRecord, isInvisible(name, known, write) {
        return (.existence, .missing, .ms106)
      }
      guard isVisible(known, write) else { return nil }
      return dueAtChange(of: name, known, write)
    case nil: return nil
    }
  }

  private func dueAtCreation(
    of write: Write, _ isStored: Bool
  ) -> (WriteStep, DueRefusal, MimiSupply.Rule)? {
    guard let type = write.record.type else { return (.existence, .invalid, .ms15) }
    guard let schema = RecordSchema.of(type), schema.isPublic == write.isPublic else {
      return (.existence, .invalid, .ms15)
    }
    if denies(creationOf: type, write) == true {
      return (.permission, .denied, type == .partner || type == .product ? .ms109 : .ms105)
    }
    if !isStored, isFlawed(write, schema, isNew: true) == true { return (.schema, .invalid, .ms14) }
    return nil
  }

  private func dueAtChange(
    of name: RecordName, _ known: KnownRecord, _ write: Write
  ) -> (WriteStep, DueRefusal, MimiSupply.Rule)? {
    if denies(changeOf: name, known, write) == true {
      return (.permission, .denied, known.isPublic ? .ms109 : .ms105)
    }
    if write.needsRecord {
      guard let tag = write.record.changeTag else { return (.tag, .invalid, .ms83) }
      if known.hasReplaced(tag, before: write.during.lowerBound) {
        return (.tag, DueRefusal(.conflict, .serverRecordChanged), .ms83)
      }
    }
    return nil
  }

  /// Whether a record certainly lies where a write looks for it, before somebody who sees it.
  private func isVisible(_ known: KnownRecord, _ write: Write) -> Bool {
    if known.isPublic { return write.isPublic }
    guard write.place.database == "private", known.zone == write.zoneName,
      write.zone?.ownerRecordName ?? write.user == write.user || write.role == .admin
    else { return false }
    return write.role == .admin || known.creator == write.user
  }

  /// Whether a private record certainly is nothing to somebody, or lies in another zone.
  private func isInvisible(
    _ name: RecordName, _ known: KnownRecord, _ write: Write
  ) -> Bool {
    guard !known.isPublic else { return false }
    if known.zone != write.zoneName { return true }
    guard write.role != .admin, known.creator != write.user else { return false }
    switch known.type {
    case .userProfile: return true
    case .order:
      guard write.role == .customer, let order = access.orders[name] else { return false }
      return order.customer != write.user
    default: return false
    }
  }

  // MARK: Permissions (§2.14)

  private func denies(creationOf type: RecordType, _ write: Write) -> Bool? {
    let (record, user, role) = (write.record, write.user, write.role)
    switch type {
    case .partner: return role != .partner && role != .admin
    case .product:
      if role == .admin { return false }
      guard role == .partner else { return true }
      guard let partner = record[Product.partner], let owner = access.owners[partner] else {
        return nil
      }
      return owner == user ? nil : true
    case .order:
      guard role == .customer else { return true }
      guard let customer = record[Order.customer] else { return nil }
      return customer != user
    case .driver:
      guard role == .driver else { return true }
      guard let owner = record[Driver.user] else { return nil }
      return owner != user
    case .driverLocation:
      guard let driver = record[DriverLocation.driver] else { return nil }
      if let owner = access.userOfDriver[driver] { return owner != user }
      return records.isThere(driver, during: write.during) == false ? true : nil
    case .deliveryCompletion:
      if role != .driver { return true }
      let isRated =
        record.fields.written[.customerRating] != nil
        || record.fields.written[.customerFeedback] != nil
      return isRated ? true : nil
    case .userProfile, .driverOffer, .auditEvent: return true
    case .other: return false
    }
  }

  private func denies(
    changeOf name: RecordName, _ known: KnownRecord, _ write: Write
  ) -> Bool? {
    if write.item.isDeletion { return denies(deletionOf: known, write) }
    let (user, role, named) = (write.user, write.role, write.record.fields.names)
    guard write.item.kind == .update || write.item.kind == .forceUpdate else { return nil }
    switch known.type {
    case .partner:
      if role != .admin, known.creator != user { return true }
      let others: FieldNames = [.rating, .reviewCount, .isVerified, .isActive]
      return named.isDisjoint(with: others) ? false : nil
    case .product:
      if role == .admin { return false }
      guard let owner = known.partner.flatMap({ access.owners[$0] }) else { return nil }
      return owner == user ? nil : true
    case .userProfile:
      let allowed = role == .admin ? Permissions.adminProfile : Permissions.ownProfile
      return named.isSubset(of: allowed) ? false : nil
    case .driver:
      let allowed = role == .admin ? Permissions.adminDriver : Permissions.ownDriver
      return named.isSubset(of: allowed) ? false : nil
    case .driverLocation, .auditEvent: return true
    case .driverOffer: return nil
    case .order, .deliveryCompletion: return denies(fieldsOf: name, write)
    case .other: return nil
    }
  }

  /// Whether a write changes a field of an order or a completion that is not the writer's to change.
  private func denies(fieldsOf name: RecordName, _ write: Write) -> Bool? {
    guard let before = access.version(name, tag: write.record.changeTag),
      let schema = RecordSchema.of(before.type),
      let allowed = Permissions.changeable(before, by: write.user, write.role, access)
    else { return nil }
    let steps: FieldNames = [.status, .driverId, .paymentStatus, .actualDeliveryTime]
    let changed = write.record.fields.names.declared.filter { field in
      guard let rule = schema[field], !rule.isImmutable, field != .updatedAt else { return false }
      return write.record.fields[field]! != before.fields[field]
    }
    if changed.contains(where: { steps.contains($0) }) { return nil }
    return before.type == .deliveryCompletion && allowed.isEmpty
      || changed.contains { !allowed.contains($0) }
  }

  private func denies(deletionOf known: KnownRecord, _ write: Write) -> Bool? {
    let isAdmin = write.role == .admin
    switch known.type {
    case .partner: return !isAdmin && known.creator != write.user
    case .product:
      if isAdmin { return false }
      guard let owner = known.partner.flatMap({ access.owners[$0] }) else { return nil }
      return owner == write.user ? nil : true
    case .driverLocation: return nil
    default: return true
    }
  }

  // MARK: The schema (§2)

  /// Whether something certainly is wrong with what is written, or certainly nothing.
  private func isFlawed(_ write: Write, _ schema: RecordSchema, isNew: Bool) -> Bool? {
    let record = write.record
    if schema.unknown(among: record.fields.names) != nil { return true }
    var isSure = record.sizeInBytes < deployment.maxRecordBytes / 2
    for rule in schema.fields {
      guard let named = record.fields[rule.name] else {
        if isNew, rule.isRequired, !record.isOverwritten(rule.name, in: schema, isNew: true) {
          return true
        }
        continue
      }
      guard let value = named else {
        if rule.isRequired, !record.isOverwritten(rule.name, in: schema, isNew: isNew) {
          return true
        }
        continue
      }
      switch isFlawed(value, rule, in: schema) {
      case true?: return true
      case false?: continue
      case nil: isSure = false
      }
    }
    // Both coordinates may be there already.
    if schema.type == .driver, isNew, !record.hasWholePosition { return true }
    if schema.type == .driver, !isNew, !record.hasWholePosition { isSure = false }
    return isSure ? false : nil
  }

  private func isFlawed(_ value: FieldValue, _ rule: FieldRule, in schema: RecordSchema) -> Bool? {
    switch value {
    case .untyped, .mistyped, .asset, .assets: return nil
    default: break
    }
    if schema.judgesLater(rule.name) { return rule.isTyped(value) ? nil : true }
    if rule.name == .customerRating { return nil }
    if !rule.isTyped(value) || !rule.isKept(by: value) || value.hasControlCharacter { return true }
    guard schema.type == .order, let text = value.text else { return false }
    switch rule.name {
    case .items: return OrderLine.lines(parsing: text) == nil
    case .deliveryAddress:
      if case .success = DeliveryAddress.reading(text) { return false }
      return true
    default: return false
    }
  }

  // MARK: Causes

  /// Whether nothing that is known can be why an operation was refused.
  private func isCauseless(_ failure: Failure, at step: WriteStep, _ write: Write) -> Bool {
    guard let name = write.record.name, name.isGood else { return false }
    let known = records[name]
    let isThere = records.isThere(name, during: write.during)
    switch step {
    case .existence:
      if failure.code == .exists { return isThere == false && write.record.type != .driverLocation }
      // What is new need not be there, nor what is to be gone in any case (§3.3).
      if failure.code == .notFound, [.create, .forceDelete].contains(write.item.kind) {
        return true
      }
      guard isThere == true, let known, failure.code == .notFound else { return false }
      return isVisible(known, write)
    case .permission:
      guard failure.mimiReason == nil else { return false }
      if isThere == false, write.item.kind == .create, let type = write.record.type {
        return denies(creationOf: type, write) == false
      }
      guard isThere == true, let known, isVisible(known, write) else { return false }
      return denies(changeOf: name, known, write) == false
    case .schema:
      guard failure.native == .invalidArguments else { return false }
      if isThere == false, write.item.kind == .create,
        let schema = write.record.type.flatMap(RecordSchema.of), schema.isPublic == write.isPublic
      {
        // A completion may lie before its order.
        return schema.type != .deliveryCompletion && isFlawed(write, schema, isNew: true) == false
      }
      guard isThere == true, write.item.kind == .update, write.record.changeTag != nil, let known,
        let schema = RecordSchema.of(known.type),
        write.record.type.map({ $0 == known.type }) ?? true
      else { return false }
      return isFlawed(write, schema, isNew: false) == false
    case .tag: return write.item.base == nil
    case .domain:
      return failure.code == .quotaExceeded
        || (failure.mimiReason == "driver_not_verified"
          && records.isVerified(name, during: write.during))
    }
  }

  // MARK: Lookups

  /// What is not there, or not for who asks, is missing and nothing else; what is there for him is shown.
  private func judgeLookups(_ asked: Lookup, at place: Location, _ call: SeenCall) {
    guard call.results.count == asked.items.count else { return }
    let user = accounts.user(of: call)
    let role = accounts.role(of: call)
    for (item, result) in zip(asked.items, call.results) {
      rests(on: item.recordName, during: call.during)
      if let failure = result.failure, !DueRefusal.missing.fits(failure) {
        tell("a lookup of \(item.recordName) was refused as \(failure.shown)", of: .ms106)
        continue
      }
      guard let known = records[item.recordName],
        let isThere = records.isThere(item.recordName, during: call.during)
      else { continue }
      guard isThere else {
        if result.failure == nil { tell("\(item.recordName) is gone, and shown", of: .ms106) }
        continue
      }
      guard result.failure != nil else { continue }
      let isFor =
        known.isPublic
        ? place.database == "public"
        : user.map { user in
          place.database == "private" && asked.zone?.zoneName ?? "_defaultZone" == known.zone
            && asked.zone?.ownerRecordName ?? user == user
            && (role == .admin || known.creator == user)
        } ?? false
      if isFor { tell("\(item.recordName) is there, and was said to be missing", of: .ms106) }
    }
    rests(on: nil, during: call.during)
  }
}

extension Write {
  fileprivate var shown: String {
    "\(item.kind.rawValue) of \(record.name?.text ?? "a record") by \(user)"
  }
}

extension KnownRecord {
  fileprivate var isPublic: Bool { type == .partner || type == .product }
}

extension RecordName {
  /// 1 to 255 ASCII characters, not beginning with an underscore (§2.1).
  var isGood: Bool {
    withUTF8 { bytes in
      (1...255).contains(bytes.count) && bytes.first != UInt8(ascii: "_")
        && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
    }
  }
}
