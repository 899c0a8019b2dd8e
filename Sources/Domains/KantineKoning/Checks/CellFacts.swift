import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What is certain about the clubs and the phones of one cell, from the operator's commands and from answers.
///
/// It is no second backend: whenever something cannot be certain (an answer was lost, two changes overlapped, a club
/// closed meanwhile), the phone is clouded and no rule is judged by its state any more.
struct CellFacts: FormerFacts {
  /// The requests that change what a phone holds.
  static let changing: Set<Concern> = .asking(
    .register, .sync, .removeTeams, .removeTenant, .removeAll)
  static let concerns = changing.union([.controls])

  static func keys(_ record: KKRecord) -> [CheckKey] { [.number(record.cell)] }

  init(_ key: CheckKey) {}

  /// An enrollment that was given out.
  struct Right: Sendable {
    let deviceID: String
    let tenant: String
    let role: Role
    /// What it certainly covers while its phone is not clouded.
    var codes: Set<String>
    /// What it covered when it was given out.
    let given: Set<String>
    /// What its phone took out of it (O6 to O8).
    var removed: Set<String> = []
    /// Since when it is certainly gone, and why.
    var gone: (at: Instant, why: Loss)?

    var isActive: Bool { gone == nil }

    init(deviceID: String, tenant: String, role: Role, codes: Set<String>) {
      self.deviceID = deviceID
      self.tenant = tenant
      self.role = role
      self.codes = codes
      given = codes
    }
  }

  enum Loss: Sendable { case sync, registration, season, removal }

  /// A team of a club.
  struct Pair: Hashable, Sendable {
    let tenant: String
    let code: String
  }

  /// One phone by its hardware identifier.
  struct Phone: Sendable {
    var rights: [Right] = []
    /// Since when something about it is uncertain.
    var cloudedFrom: Instant?
    /// The end of the last change; what overlaps with it is not judged.
    var changedAt = Instant.distantPast
    /// How many enrollments it may ever have had.
    var everCount = 0
    /// The syncs and registrations that may have taken something from it: when each left.
    var ownChanges: [Instant] = []

    /// Every team that some enrollment of the phone certainly covers.
    var pairs: Set<Pair> {
      Set(
        rights.filter(\.isActive).flatMap { right in
          right.codes.map { Pair(tenant: right.tenant, code: $0) }
        })
    }
  }

  private(set) var clubs: [String: ClubFacts] = [:]
  private(set) var deployments = DeploymentFacts(.number(0))
  private var phones: [String: Phone] = [:]
  private var hardware: [String: String] = [:]
  /// Operator's commands may have taken any right since then.
  private(set) var operatorIntervened: Instant?

  // MARK: Asking

  /// A phone by its identifier, when all about it is certain as seen by a request that was sent then.
  func phone(_ identifier: String, before sent: Instant) -> Phone? {
    guard !identifier.isEmpty, operatorIntervened == nil else { return nil }
    guard let phone = phones[identifier] else { return Phone() }
    return phone.cloudedFrom == nil && phone.changedAt < sent ? phone : nil
  }

  /// The identifier on record for an enrollment.
  func identifier(of deviceID: String) -> String? { hardware[deviceID] }

  /// The phone and the right behind a token, when certain.
  func right(
    of claims: DeviceClaims, before sent: Instant
  ) -> (phone: Phone, right: Right, identifier: String)? {
    guard let identifier = hardware[claims.deviceID],
      let phone = phone(identifier, before: sent),
      let right = phone.rights.first(where: { $0.deviceID == claims.deviceID })
    else { return nil }
    return (phone, right, identifier)
  }

  /// An enrollment of a phone about which all is certain so far.
  func certainRight(_ deviceID: String) -> Right? {
    guard operatorIntervened == nil, let phone = anyPhone(of: deviceID), phone.cloudedFrom == nil
    else { return nil }
    return phone.rights.first { $0.deviceID == deviceID }
  }

  /// Whether sync must leave a club's enrollments alone (KK-70, KK-71), where the backend is set to.
  func isProtected(_ tenant: String, during interval: ClosedRange<Instant>) -> Bool? {
    guard let deployment = deployments.inForce(during: interval) else { return nil }
    guard deployment.syncProtectsClosedTenants else { return false }
    return clubs[tenant]?.isProtected(during: interval)
  }

  /// What is known about the phone behind a token, certain or not.
  func anyPhone(of deviceID: String) -> Phone? { hardware[deviceID].flatMap { phones[$0] } }

  // MARK: Taking in

  mutating func see(_ record: KKRecord) {
    switch record.event {
    case .request(let exchange): see(exchange)
    case .control(.control(let command), let outcome): see(command, outcome, at: record.time)
    case .control, .signal, .note, .inspection: break
    }
  }

  mutating func see(
    _ command: KantineKoning.Control, _ outcome: Outcome<KantineKoning>, at instant: Instant
  ) {
    if case .refused = outcome { return }
    ClubFacts.take(command, at: instant, into: &clubs)
    deployments.see(command, at: instant)
    switch command {
    case .load(let fixture):
      for entry in fixture.enrollments {
        let right = Right(
          deviceID: entry.deviceID, tenant: entry.tenantSlug, role: entry.role,
          codes: Set(entry.teamCodes))
        add(right, to: entry.hardwareIdentifier)
      }
    case .endSeason(let tenant):
      for identifier in phones.keys { lose(in: tenant, of: identifier, at: instant) }
    case .revokeEnrollment(let deviceID, _):
      if let identifier = hardware[deviceID] { cloud(identifier, from: instant) }
    case .resetSeason(let tenant):
      for identifier in phones.keys
      where phones[identifier]?.rights.contains(where: { $0.tenant == tenant }) ?? false {
        cloud(identifier, from: instant)
      }
    case .cleanUp, .reset: operatorIntervened = operatorIntervened ?? instant
    default: break
    }
  }

  mutating func see(_ exchange: KKExchange) {
    switch exchange.request {
    case .register(let registration): see(registration, exchange)
    case .sync(let list): see(list, exchange)
    case .removeTeams(let names):
      let club = clubs[exchange.claims?.tenantSlug ?? ""]
      let match = deployments.inForce(during: exchange.during)?.removeTeamsMatch
      let codes = match == .codeOnly ? Set(names) : Set(names.compactMap { club?.code(of: $0) })
      remove(exchange) { right, caller in right.deviceID == caller.deviceID ? codes : [] }
      if match == nil, let claims = exchange.claims, let phone = hardware[claims.deviceID] {
        cloud(phone, from: exchange.sent)
      }
    case .removeTenant(let slug):
      remove(exchange) { right, _ in right.tenant == slug ? right.codes : [] }
    case .removeAll: remove(exchange) { right, _ in right.codes }
    default: break
    }
  }

  private mutating func add(_ right: Right, to identifier: String) {
    hardware[right.deviceID] = identifier
    guard !identifier.isEmpty else { return }
    phones[identifier, default: Phone()].rights.append(right)
    phones[identifier]?.everCount += 1
  }

  private mutating func cloud(_ identifier: String, from instant: Instant) {
    guard !identifier.isEmpty else { return }
    if phones[identifier, default: Phone()].cloudedFrom == nil {
      phones[identifier]?.cloudedFrom = instant
    }
  }

  private mutating func lose(in tenant: String, of identifier: String, at instant: Instant) {
    guard var phone = phones[identifier] else { return }
    for index in phone.rights.indices
    where phone.rights[index].tenant == tenant && phone.rights[index].isActive {
      phone.rights[index].gone = (instant, .season)
    }
    phones[identifier] = phone
  }

  /// Marks a change of a phone; overlapping ones leave nothing certain.
  private mutating func mark(_ identifier: String, _ exchange: KKExchange) {
    guard !identifier.isEmpty else { return }
    var phone = phones[identifier, default: Phone()]
    phone.ownChanges.append(exchange.sent)
    if phone.changedAt >= exchange.sent || exchange.isUnknown {
      phone.cloudedFrom = phone.cloudedFrom ?? exchange.sent
    }
    phone.changedAt = max(phone.changedAt, exchange.answered)
    phones[identifier] = phone
  }

  // MARK: O3

  private mutating func see(_ registration: Registration, _ exchange: KKExchange) {
    let identifier = registration.hardwareIdentifier
    switch exchange.outcome {
    case .refused, .unsent: return
    case .unknown:
      mark(identifier, exchange)
      if !identifier.isEmpty { phones[identifier]?.everCount += 1 }
      return
    case .replied: break
    }
    guard let answer = exchange.registered else { return }
    mark(identifier, exchange)
    let codes = Set(answer.teamCodes)
    if clubs[answer.tenantSlug]?.hasEnded(during: exchange.during) == nil {
      cloud(identifier, from: exchange.sent)
    }
    if !identifier.isEmpty {
      moveTeams(codes, of: answer.tenantSlug, on: identifier, at: exchange.answered)
    }
    add(
      Right(
        deviceID: answer.deviceID, tenant: answer.tenantSlug, role: answer.role, codes: codes),
      to: identifier)
  }

  private mutating func moveTeams(
    _ codes: Set<String>, of tenant: String, on identifier: String, at instant: Instant
  ) {
    guard var phone = phones[identifier] else { return }
    for index in phone.rights.indices
    where phone.rights[index].tenant == tenant && phone.rights[index].isActive {
      phone.rights[index].codes.subtract(codes)
      if phone.rights[index].codes.isEmpty {
        phone.rights[index].gone = (instant, .registration)
      }
    }
    phones[identifier] = phone
  }

  // MARK: O6 to O8

  private mutating func remove(
    _ exchange: KKExchange, _ lost: (Right, DeviceClaims) -> Set<String>
  ) {
    guard let claims = exchange.claims, let identifier = hardware[claims.deviceID] else { return }
    switch exchange.outcome {
    case .refused, .unsent: return
    case .unknown: return mark(identifier, exchange)
    case .replied: mark(identifier, exchange)
    }
    guard var phone = phones[identifier] else { return }
    for index in phone.rights.indices where phone.rights[index].isActive {
      let gone = lost(phone.rights[index], claims).intersection(phone.rights[index].codes)
      phone.rights[index].removed.formUnion(gone)
      phone.rights[index].codes.subtract(gone)
      if phone.rights[index].codes.isEmpty {
        phone.rights[index].gone = (exchange.answered, .removal)
      }
    }
    phones[identifier] = phone
  }

  // MARK: O4

  private mutating func see(_ list: SyncRequest, _ exchange: KKExchange) {
    guard let claims = exchange.claims, let identifier = hardware[claims.deviceID] else { return }
    switch exchange.outcome {
    case .refused, .unsent: return
    case .unknown: return mark(identifier, exchange)
    case .replied: mark(identifier, exchange)
    }
    guard var phone = phones[identifier] else { return }
    for index in phone.rights.indices where phone.rights[index].isActive {
      let right = phone.rights[index]
      let listed = Self.listed(list, as: right, on: identifier)
      guard !right.codes.isSubset(of: listed) else { continue }
      switch isProtected(right.tenant, during: exchange.during) {
      case true?: continue
      case nil: phone.cloudedFrom = phone.cloudedFrom ?? exchange.sent
      case false?:
        phone.rights[index].codes.formIntersection(listed)
        if phone.rights[index].codes.isEmpty {
          phone.rights[index].gone = (exchange.answered, .sync)
        }
      }
    }
    phones[identifier] = phone
  }

  /// The codes that a sync's list keeps of a right: those of present items with its tenant and role (O4, step 3).
  static func listed(_ list: SyncRequest, as right: Right, on identifier: String) -> Set<String> {
    var codes: Set<String> = []
    for item in list.items
    where item.tenantSlug == right.tenant && item.role == right.role.rawValue {
      let named = item.hardwareIdentifier ?? ""
      if named.isEmpty || named == identifier { codes.formUnion(item.teamCodes ?? []) }
    }
    return codes
  }
}
