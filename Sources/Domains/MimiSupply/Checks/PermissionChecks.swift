import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-105: who may create, change and delete what (§2.14), as far as records make it certain.
enum Permissions {
  @Sendable static func judge(
    _ call: SeenCall, _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    switch call.request {
    case .modify:
      guard let caller = facts.caller(call) else { return }
      for (item, result) in call.writes {
        switch result {
        case .saved(let record): judge(saved: record, by: item, caller, facts, &verdict)
        case .failed(let failed):
          judge(refused: item, failed.failure, caller, facts, &verdict)
        default: continue
        }
      }
    case .query(_, let query): judge(query, call, facts, &verdict)
    case .partnerStats(let partner): judge(statsOf: partner, call, facts, &verdict)
    default: return
    }
  }

  // MARK: What was taken

  private static func judge(
    saved record: CloudRecord, by item: Modification.Item, _ caller: AccessFacts.Caller,
    _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    guard case .user(let user, let role) = caller else {
      verdict.violated("nobody wrote \(record.type) \(record.name)")
      return
    }
    if item.mayCreate, record.created.timestamp == record.modified.timestamp {
      let isAllowed = mayCreate(record, user, role)
      verdict.expect(isAllowed, "\(role.rawValue) \(user) created \(record.type) \(record.name)")
      return
    }
    guard let allowed = changeable(record, by: user, role, facts) else { return }
    guard !allowed.isEmpty else {
      verdict.violated("\(role.rawValue) \(user) changed \(record.type) \(record.name)")
      return
    }
    let before = facts.version(record.name, tag: item.record.changeTag)
    guard item.kind == .update, let before, let schema = RecordSchema.of(record.type) else {
      verdict.held()
      return
    }
    let foreign = schema.fields.first { rule in
      item.record.fields[rule.name] != nil && !allowed.contains(rule.name)
        && !rule.isImmutable && rule.name != .updatedAt
        && before.fields[rule.name] != record.fields[rule.name]
        && !follows(rule.name, from: before, to: record)
    }
    if let foreign {
      verdict.violated(
        "\(role.rawValue) \(user) changed \(foreign.name.text) of \(record.type) \(record.name)")
    } else {
      verdict.held()
    }
  }

  private static func mayCreate(_ record: CloudRecord, _ user: UserName, _ role: Role) -> Bool {
    switch record.type {
    case .partner, .product: role == .partner || role == .admin
    case .order: role == .customer && record[Order.customer] == user
    case .driver: role == .driver && record[Driver.user] == user
    case .driverLocation: role == .driver
    case .deliveryCompletion: role == .driver
    default: false
    }
  }

  /// The fields of §2.14 that a user may change; empty: none at all; `nil`: it cannot be told.
  static func changeable(
    _ record: CloudRecord, by user: UserName, _ role: Role, _ facts: AccessFacts
  ) -> FieldNames? {
    switch record.type {
    case .userProfile:
      return role == .admin ? adminProfile : (record.name == user.profile ? ownProfile : [])
    case .driver:
      guard let owner = record[Driver.user] else { return nil }
      return role == .admin ? adminDriver : (owner == user ? ownDriver : [])
    case .deliveryCompletion:
      guard let order = record[DeliveryCompletion.order].flatMap({ facts.orders[$0] }) else {
        return nil
      }
      return order.customer == user ? [.customerRating, .customerFeedback] : []
    case .driverOffer:
      guard let owner = record[DriverOffer.driver].flatMap({ facts.userOfDriver[$0] }) else {
        return nil
      }
      return owner == user ? [.state] : []
    case .order: return changeable(order: record, by: user, role, facts)
    case .driverLocation, .auditEvent: return []
    // Public records are MS-109's and MS-108's.
    default: return nil
    }
  }

  private static func changeable(
    order: CloudRecord, by user: UserName, _ role: Role, _ facts: AccessFacts
  ) -> FieldNames? {
    guard let customer = order[Order.customer], let partner = order[Order.partner] else {
      return nil
    }
    var allowed: FieldNames = []
    if role == .admin { allowed.formUnion([.status, .driverId, .estimatedDeliveryTime]) }
    if customer == user {
      allowed.formUnion([.tipCents, .totalCents, .deliveryInstructions, .status])
    }
    if facts.owners[partner] == nil { return nil }
    if facts.owners[partner] == user { allowed.formUnion([.status, .estimatedDeliveryTime]) }
    if role == .driver {
      guard facts.driverOfUser[user] != nil else { return nil }
      allowed.formUnion([.status, .driverId])
    }
    return allowed
  }

  /// Whether a field of an order changes with its status (§5.1).
  private static func follows(
    _ field: FieldName, from before: CloudRecord, to after: CloudRecord
  ) -> Bool {
    after.type == .order && before[Order.status] != after[Order.status]
      && (field == .paymentStatus || field == .actualDeliveryTime)
  }

  static let ownProfile: FieldNames = [
    .email, .fullName, .phoneNumber, .profileImage, .lastActiveAt, .deviceToken,
  ]
  static let adminProfile = ownProfile.union([.role, .isVerified])
  static let ownDriver: FieldNames = [
    .name, .phoneNumber, .profileImage, .vehicleType, .licensePlate, .isOnline,
    .isAvailable, .currentLatitude, .currentLongitude,
  ]
  static let adminDriver = ownDriver.union([.verificationStatus])

  // MARK: What was refused

  /// What §2.14 allows whatever the state of things is not denied.
  private static func judge(
    refused item: Modification.Item, _ failure: Failure, _ caller: AccessFacts.Caller,
    _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    guard failure.code == .accessDenied, case .user(let user, let role) = caller else { return }
    let named = item.record.fields.names
    let allowed: FieldNames? =
      switch item.record.type ?? typeOf(item.record.name, user, facts) {
      case .userProfile:
        role == .admin ? adminProfile : (item.record.name == user.profile ? ownProfile : nil)
      case .driver:
        role == .admin
          ? adminDriver
          : (item.record.name.flatMap { facts.userOfDriver[$0] } == user ? ownDriver : nil)
      default: nil
      }
    if item.kind == .update, let allowed, !named.isEmpty, named.isSubset(of: allowed) {
      verdict.violated("\(role.rawValue) \(user) was denied \(named.texts)")
    } else {
      verdict.held()
    }
  }

  private static func typeOf(_ name: RecordName?, _ user: UserName, _ facts: AccessFacts)
    -> RecordType?
  {
    guard let name else { return nil }
    if name == user.profile { return .userProfile }
    return facts.userOfDriver[name] == nil ? nil : .driver
  }

  /// How it is to be delivered, the customer says until pickup (§2.5).
  @Sendable static func judgeInstructions(
    _ step: Step, _ order: OrderFacts, _ facts: MarketFacts, _ verdict: inout Judge
  ) {
    guard step.kind == .update, step.draft.fields[.deliveryInstructions] != nil,
      step.names(only: [.deliveryInstructions]), let tag = step.draft.changeTag,
      let status = order.version(tag)?.status
    else { return }
    let isInTime = status.isBeforePickup
    switch step.fate {
    case .done where step.user == order.customer:
      verdict.expect(isInTime, "\(step.order) got instructions when it was \(status.rawValue)")
    case .refused(let failure) where failure.mimiReason == "illegal_transition":
      verdict.expect(
        !isInTime, "\(step.order) could get no instructions when it was \(status.rawValue)")
    default: break
    }
  }

  // MARK: Reading

  /// Partners and admins look for available drivers, and partners see them in the reduced form (§3.4).
  private static func judge(
    _ query: Query, _ call: SeenCall, _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    let asked = query.query
    guard asked.recordType == .driver,
      asked.filters.contains(where: {
        $0.comparator == Filter.Comparator.near.rawValue && $0.fieldName == "location"
      }), case .user(let user, let role)? = facts.caller(call)
    else { return }
    let isAllowed = role == .partner || role == .admin
    switch call.outcome {
    case .replied:
      guard isAllowed else {
        verdict.violated("\(role.rawValue) \(user) looked for available drivers")
        return
      }
      let isReduced = call.shown.allSatisfy(\.isReduced)
      verdict.expect(role == .admin || isReduced, "\(user) was shown more of a driver than is due")
    case .refused(let refusal) where refusal.failure.code == .accessDenied:
      verdict.expect(!isAllowed, "\(role.rawValue) \(user) may not look for available drivers")
    default: return
    }
  }

  /// A partner's figures are its owner's and admins'.
  private static func judge(
    statsOf partner: RecordName, _ call: SeenCall, _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    guard case .user(let user, let role)? = facts.caller(call),
      let owner = facts.owners[partner]
    else { return }
    let isAllowed = role == .admin || owner == user
    switch call.outcome {
    case .replied: verdict.expect(isAllowed, "\(user) was shown the figures of \(partner)")
    case .refused(let refusal) where refusal.failure.code == .accessDenied:
      verdict.expect(!isAllowed, "\(user) was denied the figures of \(partner)")
    default: return
    }
  }
}

extension CloudRecord {
  /// A driver as partners see those who are available: three decimals of a place, and nothing that names anybody.
  fileprivate var isReduced: Bool {
    let shown: FieldNames = [
      .vehicleType, .rating, .isOnline, .isAvailable, .currentLatitude, .currentLongitude,
    ]
    return fields.names.isSubset(of: shown)
      && [Driver.currentLatitude, Driver.currentLongitude].allSatisfy {
        guard let degrees = self[$0] else { return true }
        return degrees == degrees.rounded(decimals: 3)
      }
  }
}

/// MS-108: role, verification, rating and counters are raised by nobody for himself.
enum Elevation {
  /// What admins alone change, and what nobody does.
  private static let protected: [RecordType: (byAdmins: FieldNames, byNobody: FieldNames)] = [
    .userProfile: ([.role, .isVerified], []),
    .driver: ([.verificationStatus], [.rating, .completedDeliveries]),
    .partner: ([.isVerified], [.rating, .reviewCount]),
  ]

  /// What a new record begins with, whatever is sent (§2.14).
  private static let initial: [RecordType: Fields] = [
    .driver: [
      .verificationStatus: .string("pending"), .rating: .double(0),
      .completedDeliveries: .int64(0), .isOnline: .int64(0), .isAvailable: .int64(0),
    ],
    .partner: [
      .isVerified: .int64(0), .isActive: .int64(0), .rating: .double(0),
      .reviewCount: .int64(0),
    ],
  ]

  @Sendable static func judge(
    _ call: SeenCall, _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    switch call.request {
    case .signIn(let asked) where asked.role == "admin":
      if call.outcome.isReplied { verdict.violated("somebody signed in as an admin") }
    case .selectRole(let role) where role == "admin":
      if call.outcome.isReplied { verdict.violated("somebody selected to be an admin") }
    case .modify:
      guard case .user(let user, let role)? = facts.caller(call) else { return }
      for (item, result) in call.writes {
        guard case .saved(let record)? = result, item.desiredKeys == nil else { continue }
        judge(record, by: item, user, role, facts, &verdict)
      }
    default: return
    }
  }

  private static func judge(
    _ record: CloudRecord, by item: Modification.Item, _ user: UserName, _ role: Role,
    _ facts: AccessFacts, _ verdict: inout Judge
  ) {
    guard let protected = protected[record.type] else { return }
    if item.kind == .create, role != .admin {
      let initial = initial[record.type] ?? [:]
      let raised = initial.declared.first { record.fields[$0] != $1 }?.0
      verdict.expect(
        raised == nil,
        "\(user) created \(record.type) \(record.name) with its \(raised?.text ?? "")")
      return
    }
    guard item.kind == .update,
      let before = facts.version(record.name, tag: item.record.changeTag)
    else { return }
    let denied =
      role == .admin ? protected.byNobody : protected.byNobody.union(protected.byAdmins)
    let raised = denied.declared.first {
      item.record.fields[$0] != nil && before.fields[$0] != record.fields[$0]
    }
    verdict.expect(
      raised == nil,
      "\(role.rawValue) \(user) set \(raised?.text ?? "") of \(record.type) \(record.name)"
    )
  }
}
