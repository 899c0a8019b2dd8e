import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges what records say of each other, and what of them never changes (MS-19, MS-24 to MS-26).
enum ReferenceChecks {
  static let all: [MSCheck] = [
    .history(
      .ms19, .asking(.signIn, .modify, .lookup), by: ProfilesOfIdentities.self, OneOfEach.init),
    .history(.ms24, Set<Concern>.asking(.modify).union([.controls]), References.init),
    .history(.ms25, .asking(.modify, .lookup, .query), Cascades.init),
    .history(.ms26, .asking(.modify, .lookup, .deleteAccount), Immutables.init),
  ]
}

// MARK: MS-19

/// Drivers as §2.6 has them, and one Driver for each user.
private struct OneOfEach: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private static let constraints = SchemaDemand.constraints(of: .ms19, .driver)
  private var driverOfUser: [UserName: RecordName] = [:]
  private let profiles: ProfilesOfIdentities

  init(_ profiles: ProfilesOfIdentities) { self.profiles = profiles }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    profiles.judge(call, &judge)
    Self.constraints.judge(call, &judge)
    for (item, result) in call.writes {
      guard case .saved(let driver)? = result, driver.type == .driver, item.desiredKeys == nil
      else { continue }
      judgePosition(of: driver, &judge)
      judgeUser(of: driver, &judge)
    }
  }

  private func judgePosition(of driver: CloudRecord, _ judge: inout Judge) {
    let isWhole =
      (driver.fields[.currentLatitude] == nil) == (driver.fields[.currentLongitude] == nil)
    judge.expect(isWhole, "\(driver.name) has one coordinate")
  }

  private mutating func judgeUser(of driver: CloudRecord, _ judge: inout Judge) {
    guard let user = driver[Driver.user] else { return }
    let known = driverOfUser[user] ?? driver.name
    driverOfUser[user] = known
    judge.expect(known == driver.name, "\(user) has the drivers \(known) and \(driver.name)")
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) { profiles.judgeRest(&judge) }
}

/// Which profile belongs to which Apple id, as sign-ins show it. Another one may follow only when the account was
/// deleted (MS-116); what became of a deletion may be known later than its effect.
final class ProfilesOfIdentities: Facts {
  static let concerns = Set<Concern>.asking(.signIn, .refresh, .deleteAccount).union([.controls])

  private var profiles: [String: UserName] = [:]
  private var users: [String: UserName] = [:]
  private var left: Set<UserName> = []
  private var suspicions: [(former: UserName, latter: UserName, identity: String)] = []
  /// Whether the last sign-in showed an identity with the profile that it had.
  private var isAsBefore = false

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  func commanded(_ command: Control, at moment: Moment) {
    guard case .load(let fixture) = command else { return }
    for session in fixture.sessions { users[session.token] = session.user }
    for user in fixture.users { profiles[user.appleUserID] = user.name }
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    isAsBefore = false
    if case .refreshed(let token, _)? = call.content,
      let former = call.credential?.userToken
    {
      users[token] = users[former]
    }
    if case .deleteAccount = call.request, call.outcome.refusal == nil,
      let token = call.credential?.userToken, let user = users[token]
    {
      left.insert(user)
    }
    guard case .signedIn(let answer)? = call.content else { return }
    users[answer.userToken] = answer.userRecordName
    guard let identity = answer.userProfile[UserProfile.appleUser] else { return }
    let former = profiles.updateValue(answer.userRecordName, forKey: identity)
    if let former, former != answer.userRecordName {
      suspicions.append((former, answer.userRecordName, identity))
    } else {
      isAsBefore = true
    }
  }

  /// What a sign-in that they have taken in says of them.
  func judge(_ call: SeenCall, _ judge: inout Judge) {
    if case .signIn = call.request, isAsBefore { judge.held() }
  }

  /// When all deletions are known.
  func judgeRest(_ judge: inout Judge) {
    for suspicion in suspicions {
      judge.expect(
        left.contains(suspicion.former) || left.contains(suspicion.latter),
        "\(suspicion.identity) has the profiles \(suspicion.former) and \(suspicion.latter)")
    }
  }
}

// MARK: MS-24

/// What is referred to was created before, by somebody whom the records show.
private struct References: History {
  static let scope = Scope<MimiSupply>.cell

  /// Type of each record that somebody wrote, or may have written.
  private var types: [RecordName: RecordType] = [:]
  /// Names of those that were there for certain: a create without an answer may never have arrived.
  private var known: Set<RecordName> = []
  /// Names of public records that may be gone.
  private var removed: Set<RecordName> = []
  private var suspicions:
    [(holder: RecordName, field: String, target: RecordName, type: RecordType)] = []

  /// By type: its references and what they name. An order's customer, a driver's user and a position's driver are
  /// the caller's own (MS-105).
  private static let fields: [RecordType: [(field: FieldKey<RecordName>, type: RecordType)]] = [
    .product: [(Product.partner, .partner)], .order: [(Order.partner, .partner)],
    .deliveryCompletion: [
      (DeliveryCompletion.order, .order), (DeliveryCompletion.driver, .driver),
    ],
    .driverLocation: [(DriverLocation.driver, .driver)],
  ]
  /// What changes in a record that is there.
  private static let claims: [RecordType: [(field: FieldKey<RecordName>, type: RecordType)]] = [
    .order: [(Order.driver, .driver)]
  ]
  /// Why an order gets no driver who is one (§6.5).
  private static let reasons: Set<String> = [
    "order_already_assigned", "offer_expired", "offer_not_yours", "driver_not_eligible",
    "driver_at_capacity",
  ]

  mutating func commanded(_ command: Control, at moment: Moment, _ judge: inout Judge) {
    switch command {
    case .load(let fixture):
      for entry in fixture.records {
        types[entry.name] = entry.type
        known.insert(entry.name)
      }
    case .loadSampleWorld: types["*"] = "*"
    default: break
    }
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    guard case .modify(_, let modification) = call.request else { return }
    for item in modification.items { note(item) }
    for (item, result) in call.writes { self.judge(item, result, &judge) }
  }

  private mutating func note(_ item: Modification.Item) {
    guard let name = item.record.name else { return }
    if item.isDeletion {
      removed.insert(name)
    } else if let type = item.record.type, type != .driverLocation, types[name] == nil {
      types[name] = type
    }
  }

  private mutating func judge(
    _ item: Modification.Item, _ result: ItemResult?, _ judge: inout Judge
  ) {
    switch result {
    case .saved(let record):
      if record.type != .driverLocation {
        types[record.name] = record.type
        known.insert(record.name)
      }
      guard item.desiredKeys == nil else { return }
      let written = item.kind == .update ? Self.claims : Self.fields
      for (field, type) in written[record.type] ?? [] where item.names(field.name) {
        guard let target = record[field] else { continue }
        if types[target] == type {
          judge.held()
        } else {
          suspicions.append((record.name, field.name.text, target, type))
        }
      }
    case .failed(let failed): judgeRefused(item, failed.failure, &judge)
    default: return
    }
  }

  /// A product of a partner that is there is not refused for it, and one of a partner that never was is refused as
  /// dangling or before that.
  private func judgeRefused(
    _ item: Modification.Item, _ failure: Failure, _ judge: inout Judge
  ) {
    if item.kind == .update, let driver = item.record[Order.driver] {
      return judgeRefused(driver, failure, &judge)
    }
    guard item.kind == .create, item.record.type == .product,
      let partner = item.record[Product.partner]
    else { return }
    if types[partner] == .partner {
      let isDangling = failure.code == .validatingReferenceError
      if isDangling, known.contains(partner), !removed.contains(partner) {
        judge.violated("\(partner) was refused as unknown")
      }
    } else if failure.code == .conflict || failure.code == .quotaExceeded {
      judge.violated("a product of no partner was refused as \(failure.code.rawValue)")
    } else {
      judge.held()
    }
  }

  /// An order is refused a driver who is none as dangling, and one who is there is not.
  private func judgeRefused(_ driver: RecordName, _ failure: Failure, _ judge: inout Judge) {
    let isDangling = failure.code == .validatingReferenceError
    if types[driver] == .driver {
      if isDangling, known.contains(driver), !removed.contains(driver) {
        judge.violated("\(driver) was refused as unknown")
      }
    } else if Self.reasons.contains(failure.mimiReason ?? "") {
      judge.violated("\(driver), who is no driver, was refused with \(failure.mimiReason ?? "")")
    } else if isDangling {
      judge.held()
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for suspicion in suspicions {
      let type = types[suspicion.target]
      judge.expect(
        type == suspicion.type || isOfSampleWorld(suspicion.target, type),
        "\(suspicion.holder): \(suspicion.field) names \(suspicion.target), "
          + (type.map { "a \($0)" } ?? "which never was"))
    }
  }

  /// The sample world's records are named by their kind and a number (§12).
  private func isOfSampleWorld(_ name: RecordName, _ type: RecordType?) -> Bool {
    type == nil && types["*"] != nil
      && ["partner-", "driver-"].contains(where: name.text.hasPrefix)
  }
}

// MARK: MS-25

/// No product outlives its partner.
private struct Cascades: History {
  static let scope = Scope<MimiSupply>.cell

  /// When a partner was certainly gone; one that may come again is not judged.
  private var gone: [RecordName: Instant] = [:]

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    for (item, result) in call.writes {
      switch result {
      case .deleted(let name)? where item.kind == .delete || item.kind == .forceDelete:
        if case .modify(let location, _) = call.request, location.database == "public" {
          gone[name] = call.answered
        }
      case .saved(let record)? where record.type == .partner: gone[record.name] = nil
      default: continue
      }
    }
    guard !gone.isEmpty else { return }
    for product in call.shown(.product) {
      guard let partner = product[Product.partner], let since = gone[partner],
        since < call.sent
      else { continue }
      judge.violated("\(product.name) is still there, and its partner \(partner) is not")
    }
    judgeAbsence(call, &judge)
  }

  /// Who looks for the products of a partner that is gone finds none.
  private func judgeAbsence(_ call: SeenCall, _ judge: inout Judge) {
    guard case .query(_, let query) = call.request, query.query.recordType == .product,
      case .found(let records, _)? = call.content, records.isEmpty
    else { return }
    for filter in query.query.filters where filter.fieldName == FieldName.partnerId.text {
      guard case .identifier(let partner)? = filter.value, let since = gone[partner],
        since < call.sent
      else { continue }
      judge.held()
    }
  }
}

// MARK: MS-26

/// Immutable fields stay as they were when the record was first seen.
private struct Immutables: History {
  static let scope = Scope<MimiSupply>.cell

  /// By record: each immutable field in the order of the schema.
  private var firsts: [RecordName: [FieldValue?]] = [:]
  private var suspicions: [(name: RecordName, field: String)] = []
  /// Who leaves changes orders that others see before he knows that he left (MS-116).
  private var someoneLeft = false

  /// By type: the immutable fields.
  private static let fields: [RecordType: [FieldName]] = Dictionary(
    uniqueKeysWithValues: RecordSchema.types.filter { $0 != .driverLocation }.map { type in
      (type, RecordSchema.of(type)?.fields.filter(\.isImmutable).map(\.name) ?? [])
    })

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if case .deleteAccount = call.request, call.outcome.refusal == nil {
      someoneLeft = true
    }
    if case .lookup = call.request {
      guard call.showsWholeRecords else { return }
      for case .saved(let record) in call.results { compare(record, &judge) }
    }
    for (item, result) in call.writes {
      switch result {
      case .saved(let record) where item.desiredKeys == nil:
        if item.kind == .create || record.created.timestamp == record.modified.timestamp {
          firsts[record.name] = nil
        }
        compare(record, by: item, &judge)
      case .failed(let failed) where failed.failure.mimiReason == "immutable_field":
        judgeRefused(item, &judge)
      default: continue
      }
    }
  }

  /// - Parameter item: The write that was answered with the record; naming an immutable field tries the rule.
  private mutating func compare(
    _ record: CloudRecord, by item: Modification.Item? = nil, _ judge: inout Judge
  ) {
    guard let fields = Self.fields[record.type], !fields.isEmpty else { return }
    let values = record.fields
    guard let before = firsts[record.name] else {
      firsts[record.name] = fields.map { values[$0] }
      return
    }
    guard before.count == fields.count,
      let changed = fields.indices.first(where: { before[$0] != values[fields[$0]] })
    else {
      if let item, fields.contains(where: { item.record.fields[$0] != nil }) { judge.held() }
      return
    }
    let field = fields[changed]
    if record.type == .order, [.customerId, .items, .deliveryAddress].contains(field) {
      suspicions.append((record.name, field.text))
      firsts[record.name] = fields.map { values[$0] }
    } else {
      judge.violated("\(record.type) \(record.name): \(field.text) has changed")
    }
  }

  /// Only who names an immutable field, or leaves one out of a whole record, can be refused for it.
  private func judgeRefused(_ item: Modification.Item, _ judge: inout Judge) {
    guard item.kind == .update || item.kind == .forceUpdate, let name = item.record.name,
      firsts[name] != nil
    else {
      judge.held()
      return
    }
    let isNamed = Self.fields.values.contains { $0.contains { item.record.fields[$0] != nil } }
    judge.expect(isNamed, "\(name) was refused for an immutable field that nobody named")
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for suspicion in suspicions {
      judge.expect(someoneLeft, "Order \(suspicion.name): \(suspicion.field) has changed")
    }
  }
}

extension Modification.Item {
  /// Whether a new record has a field, or an old one gets it.
  fileprivate func names(_ field: FieldName) -> Bool {
    kind != .update || record.fields[field] != nil
  }
}
