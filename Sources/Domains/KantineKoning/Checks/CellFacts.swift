import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What is certain about the clubs and the phones of one cell, from the operator's commands and from answers.
///
/// It is no second backend: whenever something cannot be certain (an answer was lost, two changes overlapped, a club
/// closed meanwhile), the phone is clouded and no rule is judged by its state any more.
final class CellFacts: Facts {
  /// The requests that change what a phone holds.
  static let changing: Set<Concern> = .asking(
    .register, .sync, .removeTeams, .removeTenant, .removeAll)
  static let concerns = changing.union([.controls])

  let cell: Int
  let clubs: Clubs
  let deployments: DeploymentFacts
  private(set) var phones: [HardwareID: Phone] = [:]
  private var hardware: [EnrollmentID: HardwareID] = [:]
  /// Operator's commands may have taken any right since then.
  private(set) var operatorIntervened: Instant?
  /// Whether the backend named diensten itself, so that one of which nobody heard may be there.
  private(set) var hasUnnamedDiensten = false
  /// Who sent the request at hand, found once for all who judge it.
  private var found: KKCall?
  private var caller: Caller?

  init(_ subject: Subject<Both<Clubs, DeploymentFacts>>) {
    clubs = subject.known.first
    deployments = subject.known.second
    cell = subject.cell
  }

  /// The phone and the right behind a token.
  final class Caller {
    let phone: Phone
    let right: Right
    let identifier: HardwareID

    init(_ phone: Phone, _ right: Right, identifier: HardwareID) {
      self.phone = phone
      self.right = right
      self.identifier = identifier
    }
  }

  /// An enrollment that was given out.
  final class Right {
    let deviceID: EnrollmentID
    let tenant: Slug
    let role: Role
    /// What it certainly covers while its phone is not clouded.
    var codes: Set<TeamName>
    /// What it covered when it was given out.
    let given: Set<TeamName>
    /// What its phone took out of it (O6 to O8).
    var removed: Set<TeamName> = []
    /// Since when it is certainly gone, and why.
    var gone: (at: Instant, why: Loss)?
    /// Whose it is, for a manager's.
    let email: String?

    var isActive: Bool { gone == nil }

    init(
      deviceID: EnrollmentID, tenant: Slug, role: Role, codes: Set<TeamName>, email: String?
    ) {
      self.email = email
      self.deviceID = deviceID
      self.tenant = tenant
      self.role = role
      self.codes = codes
      given = codes
    }
  }

  enum Loss { case sync, registration, upgrade, season, removal, cleanUp, `operator` }

  /// A team of a club.
  struct Pair: Hashable, Sendable {
    let tenant: Slug
    let code: TeamName
  }

  /// One phone by its hardware identifier.
  final class Phone {
    var rights: [Right] = []
    /// Since when something about it is uncertain.
    var cloudedFrom: Instant?
    /// The end of the last change; what overlaps with it is not judged.
    var changedAt = Instant.distantPast
    /// How many enrollments it may ever have had.
    var everCount = 0

    var active: [Right] { rights.filter(\.isActive) }

    /// Every team that some enrollment of the phone certainly covers.
    var pairs: Set<Pair> {
      Set(
        active.flatMap { right in
          right.codes.map { Pair(tenant: right.tenant, code: $0) }
        })
    }
  }

  // MARK: Asking

  /// A phone by its identifier, when all about it is certain as seen by a request that was sent then.
  func phone(_ identifier: HardwareID, before sent: Instant) -> Phone? {
    guard !identifier.isEmpty, operatorIntervened == nil else { return nil }
    guard let phone = phones[identifier] else { return Phone() }
    return phone.cloudedFrom == nil && phone.changedAt < sent ? phone : nil
  }

  /// The identifier on record for an enrollment.
  func identifier(of deviceID: EnrollmentID) -> HardwareID? { hardware[deviceID] }

  /// The phone and the right behind a request's token, when all about them is certain as seen by it.
  func caller(of call: KKCall) -> Caller? {
    if found !== call {
      caller = look(for: call)
      found = call
    }
    return caller
  }

  private func look(for call: KKCall) -> Caller? {
    guard let claims = call.claims, let identifier = hardware[claims.deviceID],
      let phone = phone(identifier, before: call.sent),
      let right = phone.rights.first(where: { $0.deviceID == claims.deviceID })
    else { return nil }
    return Caller(phone, right, identifier: identifier)
  }

  /// An enrollment of a phone about which all is certain so far.
  func certainRight(_ deviceID: EnrollmentID) -> Right? {
    guard operatorIntervened == nil, anyPhone(of: deviceID)?.cloudedFrom == nil
    else { return nil }
    return right(of: deviceID)
  }

  /// Whether sync must leave a club's enrollments alone (KK-70, KK-71), where the backend is set to.
  func isProtected(_ tenant: Slug, during interval: ClosedRange<Instant>) -> Bool? {
    guard let deployment = deployments.inForce(during: interval) else { return nil }
    guard deployment.syncProtectsClosedTenants else { return false }
    return clubs[tenant]?.isProtected(during: interval)
  }

  /// What is known about the phone behind a token, certain or not.
  func anyPhone(of deviceID: EnrollmentID) -> Phone? { hardware[deviceID].flatMap { phones[$0] } }

  /// What a phone was given with an enrollment, gone or not.
  func right(of deviceID: EnrollmentID) -> Right? {
    anyPhone(of: deviceID)?.rights.first { $0.deviceID == deviceID }
  }

  // MARK: Taking in

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    let instant = moment.time
    switch command {
    case .load(let fixture):
      for entry in fixture.enrollments {
        let right = Right(
          deviceID: entry.deviceID, tenant: entry.tenantSlug, role: entry.role,
          codes: Set(entry.teamCodes), email: entry.teamManagerEmail)
        add(right, to: entry.hardwareIdentifier)
      }
      if fixture.diensten.contains(where: \.id.isEmpty) { hasUnnamedDiensten = true }
    case .scheduleDienst(let entry): if entry.id.isEmpty { hasUnnamedDiensten = true }
    case .endSeason(let tenant):
      for phone in phones.values {
        for right in phone.active where right.tenant == tenant { right.gone = (instant, .season) }
      }
    case .revokeEnrollment(let deviceID, _): revoke(deviceID, at: instant)
    case .resetSeason(let tenant):
      for phone in phones.values where phone.rights.contains(where: { $0.tenant == tenant }) {
        phone.cloudedFrom = phone.cloudedFrom ?? instant
      }
    case .cleanUp: for phone in phones.values { cleanUp(phone, at: instant) }
    case .reset: operatorIntervened = operatorIntervened ?? instant
    default: break
    }
  }

  func asked(_ call: KKCall, at moment: Moment) {
    switch call.request {
    case .register(let registration): register(registration, call)
    case .sync(let list): sync(list, call)
    case .removeTeams(let names):
      let club = clubs[call.claims?.tenantSlug ?? ""]
      let match = deployments.inForce(during: call.during)?.removeTeamsMatch
      let codes = match == .codeOnly ? Set(names) : Set(names.compactMap { club?.code(of: $0) })
      remove(call) { right, caller in right.deviceID == caller.deviceID ? codes : [] }
      if match == nil, let claims = call.claims, let phone = hardware[claims.deviceID] {
        cloud(phone, from: call.sent)
      }
    case .removeTenant(let slug):
      remove(call) { right, _ in right.tenant == slug ? right.codes : [] }
    case .removeAll: remove(call) { right, _ in right.codes }
    default: break
    }
  }

  /// The operator revokes an enrollment.
  private func revoke(_ deviceID: EnrollmentID, at instant: Instant) {
    guard let phone = anyPhone(of: deviceID), let right = right(of: deviceID) else { return }
    intervene(phone, at: instant)
    if right.isActive { right.gone = (instant + Self.slack, .operator) }
  }

  /// Managers' enrollments lose what their addresses no longer manage (§3.5).
  private func cleanUp(_ phone: Phone, at instant: Instant) {
    for right in phone.active where right.role == .manager {
      let managed = clubs[right.tenant]?.managers[right.email?.lowercased() ?? ""] ?? []
      guard !right.codes.isSubset(of: managed) else { continue }
      intervene(phone, at: instant)
      right.codes.formIntersection(managed)
      if right.codes.isEmpty { right.gone = (instant + Self.slack, .cleanUp) }
    }
  }

  /// What a phone changes when the operator does happens before or after.
  private func intervene(_ phone: Phone, at instant: Instant) {
    let until = instant + Self.slack
    if phone.changedAt != until, phone.changedAt + Self.slack >= instant {
      phone.cloudedFrom = phone.cloudedFrom ?? instant
    }
    phone.changedAt = max(phone.changedAt, until)
  }

  /// A command's record and its effect lie this close together.
  private static let slack = Span.seconds(1)

  /// A phone that has an identifier, known or new.
  private func known(_ identifier: HardwareID) -> Phone? {
    guard !identifier.isEmpty else { return nil }
    if let phone = phones[identifier] { return phone }
    let phone = Phone()
    phones[identifier] = phone
    return phone
  }

  private func add(_ right: Right, to identifier: HardwareID) {
    hardware[right.deviceID] = identifier
    guard let phone = known(identifier) else { return }
    phone.rights.append(right)
    phone.everCount += 1
  }

  private func cloud(_ identifier: HardwareID, from instant: Instant) {
    guard let phone = known(identifier) else { return }
    phone.cloudedFrom = phone.cloudedFrom ?? instant
  }

  /// Marks a change of a phone; overlapping ones leave nothing certain.
  private func mark(_ identifier: HardwareID, _ call: KKCall) {
    guard let phone = known(identifier) else { return }
    if phone.changedAt >= call.sent || call.isUnknown {
      phone.cloudedFrom = phone.cloudedFrom ?? call.sent
    }
    phone.changedAt = max(phone.changedAt, call.answered)
  }

  // MARK: O3

  private func register(_ registration: Registration, _ call: KKCall) {
    let identifier = registration.hardwareIdentifier
    switch call.outcome {
    case .refused, .unsent: return
    case .unknown:
      mark(identifier, call)
      if !identifier.isEmpty { phones[identifier]?.everCount += 1 }
      return
    case .replied: break
    }
    guard let answer = call.registered else { return }
    mark(identifier, call)
    let codes = Set(answer.teamCodes)
    if clubs[answer.tenantSlug]?.hasEnded(during: call.during) == nil {
      cloud(identifier, from: call.sent)
    }
    if !identifier.isEmpty {
      moveTeams(codes, of: answer.tenantSlug, to: answer.role, on: identifier, at: call.answered)
    }
    add(
      Right(
        deviceID: answer.deviceID, tenant: answer.tenantSlug, role: answer.role, codes: codes,
        email: registration.token.claims?.email),
      to: identifier)
  }

  private func moveTeams(
    _ codes: Set<TeamName>, of tenant: Slug, to role: Role, on identifier: HardwareID,
    at instant: Instant
  ) {
    for right in phones[identifier]?.active ?? [] where right.tenant == tenant {
      right.codes.subtract(codes)
      if right.codes.isEmpty {
        right.gone = (instant, right.role == role ? .registration : .upgrade)
      }
    }
  }

  // MARK: O6 to O8

  private func remove(
    _ call: KKCall, _ lost: (Right, DeviceClaims) -> Set<TeamName>
  ) {
    guard let claims = call.claims, let identifier = hardware[claims.deviceID] else { return }
    switch call.outcome {
    case .refused, .unsent: return
    case .unknown: return mark(identifier, call)
    case .replied: mark(identifier, call)
    }
    for right in phones[identifier]?.active ?? [] {
      let gone = lost(right, claims).intersection(right.codes)
      right.removed.formUnion(gone)
      right.codes.subtract(gone)
      if right.codes.isEmpty { right.gone = (call.answered, .removal) }
    }
  }

  // MARK: O4

  private func sync(_ list: SyncRequest, _ call: KKCall) {
    guard let claims = call.claims, let identifier = hardware[claims.deviceID] else { return }
    switch call.outcome {
    case .refused, .unsent: return
    case .unknown: return mark(identifier, call)
    case .replied: mark(identifier, call)
    }
    guard let phone = phones[identifier] else { return }
    for right in phone.active {
      let listed = Self.listed(list, as: right, on: identifier)
      guard !right.codes.isSubset(of: listed) else { continue }
      switch isProtected(right.tenant, during: call.during) {
      case true?: continue
      case nil: phone.cloudedFrom = phone.cloudedFrom ?? call.sent
      case false?:
        right.codes.formIntersection(listed)
        if right.codes.isEmpty { right.gone = (call.answered, .sync) }
      }
    }
  }

  /// The codes that a sync's list keeps of a right: those of present items with its tenant and role (O4, step 3).
  static func listed(_ list: SyncRequest, as right: Right, on identifier: HardwareID) -> Set<
    TeamName
  > {
    var codes: Set<TeamName> = []
    for item in list.items
    where item.tenantSlug == right.tenant && item.role == right.role.rawValue {
      let named = item.hardwareIdentifier ?? ""
      if named.isEmpty || named == identifier { codes.formUnion(item.teamCodes ?? []) }
    }
    return codes
  }
}
