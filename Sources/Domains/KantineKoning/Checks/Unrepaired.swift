import Contracts
import KantineKoningContract
import Observations
import Timekeeping

// What the documented protocol cannot repair, or not yet (§5.9, §5.11 Q9 and Q11, §8 point 2): no failure of anybody, but
// counted, with how long it lasts. What is not over when the run ends stands in the report as unfinished.

extension KantineKoningBusiness {
  static let unrepaired: [BusinessLatency<KantineKoning>] = [
    stranded, protected, syncBlocked, notFetched,
  ]

  /// A phone lost its data and its identifier with an app that was deleted: no token is left that could name what the
  /// backend holds of it (§5.9), which ends with the season or with a clean-up.
  private static let stranded = BusinessLatency<KantineKoning>(
    "stranded", "Enrollment stranded by a lost identifier → gone from the backend",
    concerns: [.notes, .inspections], watching: { StrandedEnrollments(library: $0) })

  /// A phone no longer has an enrollment and synced, and the backend left it alone because its club is closed or has
  /// ended its season (KK-70, KK-71).
  private static let protected = BusinessLatency<KantineKoning>(
    "protected", "Orphan that a sync left alone in a protected club → gone from the backend",
    concerns: [.notes, .inspections, .controls, .asks(.sync), .asks(.register)],
    watching: { ProtectedOrphans(in: $0) })

  /// A sync that an *Uitgelogd* enrollment's dead token kept from the backend (Q11), until one goes through.
  private static let syncBlocked = BusinessLatency<KantineKoning>(
    "sync-blocked", "Sync blocked by a dead token → the phone's next sync",
    concerns: [.notes, .asks(.sync), .asks(.tenants)], watch: { BlockedSyncs() })

  /// With Q9 off the app asks for the diensten of one enrollment of each club: those of the others are missing.
  private static let notFetched = BusinessLatency<KantineKoning>(
    "not-fetched", "Enrollment left out by a loop over clubs (Q9 off) → its diensten fetched",
    concerns: [.notes, .asks(.diensten)]
  ) { record in
    switch record.event {
    case .note(.notFetched(let devices)): return devices.map { .begins($0.text, record.time) }
    case .note(.resetLocally(let devices)), .note(.reinstalled(_, _, let devices)):
      return devices.map { .abandoned($0.text) }
    case .note(.swipedAway(let swipe)) where swipe.level == .club:
      return swipe.deviceIDs.map { .abandoned($0.text) }
    case .request(let call):
      guard case .diensten = call.request, call.isReplied, let claims = call.claims
      else { return [] }
      return [.ends(claims.deviceID.text, call.answered)]
    default: return []
    }
  }
}

/// Enrollments that nobody can name any more, until inspection shows that they are gone.
private struct StrandedEnrollments: MilestoneWatch {
  typealias Contract = KantineKoning
  typealias Milestone = BusinessLatency<KantineKoning>.Milestone
  private let library: Library<KantineKoning>
  private var waiting = AwaitedEnrollments()

  init(library: Library<KantineKoning>) { self.library = library }

  mutating func see(_ record: KKRecord) -> [Milestone] {
    switch record.event {
    case .note(.reinstalled(let old, let new, let lost)) where old != new:
      lost.compactMap { waiting.add($0, in: record.cell) ? .begins($0.text, record.time) : nil }
    case .inspection:
      waiting.gone(by: library.shown, in: record.cell).map { .ends($0.text, record.time) }
    default: []
    }
  }
}

/// Orphans in clubs that syncs leave alone, until inspection shows that they are gone.
private struct ProtectedOrphans: MilestoneWatch {
  typealias Contract = KantineKoning
  typealias Milestone = BusinessLatency<KantineKoning>.Milestone

  private struct Held {
    let tenant: Slug
    let identifier: HardwareID
  }

  private let library: Library<KantineKoning>
  private let clubs: Clubs
  private let deployment: (_ cell: Int) -> DeploymentFacts
  private var enrollments: [EnrollmentID: Held] = [:]
  /// What each person's phone no longer holds.
  private var lost: [PersonID: Set<EnrollmentID>] = [:]
  private var waiting = AwaitedEnrollments()

  init(in library: Library<KantineKoning>) {
    self.library = library
    clubs = library.lender(of: Clubs.self)(0)
    deployment = library.lender(of: DeploymentFacts.self)
  }

  mutating func see(_ record: KKRecord) -> [Milestone] {
    switch record.event {
    case .control(.control(.load(let fixture)), .replied):
      for entry in fixture.enrollments {
        enrollments[entry.deviceID] = Held(
          tenant: entry.tenantSlug, identifier: entry.hardwareIdentifier)
      }
      return []
    case .note(let note):
      if let person = record.person { take(note, of: person) }
      return []
    case .request(let call):
      if let answer = call.registered, let registration = call.registration {
        enrollments[answer.deviceID] = Held(
          tenant: answer.tenantSlug, identifier: registration.hardwareIdentifier)
      }
      guard let person = record.person, call.summary != nil else { return [] }
      return left(by: call, of: person, in: record.cell).map {
        .begins($0.text, call.answered)
      }
    case .inspection:
      return waiting.gone(by: library.shown, in: record.cell).map { .ends($0.text, record.time) }
    case .control, .signal: return []
    }
  }

  private mutating func take(_ note: KantineKoning.Note, of person: PersonID) {
    switch note {
    case .resetLocally(let devices): lost[person, default: []].formUnion(devices)
    case .swipedAway(let swipe) where swipe.level == .club || swipe.leavesNothing:
      lost[person, default: []].formUnion(swipe.deviceIDs)
    case .reinstalled(let old, let new, let devices):
      // With the identifier they lose whoever could name them.
      if old == new { lost[person, default: []].formUnion(devices) } else { lost[person] = nil }
    case .identifierChanged: lost[person] = nil
    default: break
    }
  }

  /// The orphans of a phone that a sync certainly left alone.
  private mutating func left(
    by call: Call<KantineKoning>, of person: PersonID, in cell: Int
  ) -> [EnrollmentID] {
    guard let orphans = lost[person], let claims = call.claims,
      let caller = enrollments[claims.deviceID],
      deployment(cell).inForce(during: call.during)?.syncProtectsClosedTenants == true
    else { return [] }
    return orphans.sorted().filter { orphan in
      guard let held = enrollments[orphan], held.identifier == caller.identifier,
        clubs[held.tenant]?.isProtected(during: call.during) == true
      else { return false }
      return waiting.add(orphan, in: cell)
    }
  }
}

/// Phones whose sync did not reach the backend because the token that they picked was dead.
private struct BlockedSyncs: MilestoneWatch {
  typealias Contract = KantineKoning
  typealias Milestone = BusinessLatency<KantineKoning>.Milestone
  /// Phones whose last tenant info was refused for its token.
  private var rejected: Set<PersonID> = []
  private var phones: Set<PersonID> = []

  mutating func see(_ record: KKRecord) -> [Milestone] {
    guard let person = record.person else { return [] }
    let key = "\(person.index)"
    switch record.event {
    case .note(.foreground):
      phones.insert(person)
      rejected.remove(person)
    case .note(.syncSkipped(.tenantInfoFailed)):
      if rejected.contains(person) { return [.begins(key, record.time)] }
    case .note(.resetLocally), .note(.reinstalled): return [.abandoned(key)]
    case .request(let call) where phones.contains(person):
      switch call.request {
      case .tenants:
        if isDead(call) { rejected.insert(person) } else { rejected.remove(person) }
      case .sync:
        if call.isReplied { return [.ends(key, call.answered)] }
        if isDead(call) { return [.begins(key, call.answered)] }
      default: break
      }
    default: break
    }
    return []
  }

  /// Refused in a way that makes an enrollment *Uitgelogd*; a season's end marks the whole club instead (KK-41).
  private func isDead(_ call: Call<KantineKoning>) -> Bool {
    call.isRejectedToken && call.outcome.refusal?.reason != .seasonEnded
  }
}

/// Enrollments of which somebody waits that they be gone.
private struct AwaitedEnrollments {
  /// By cell, in the order in which they were added.
  private var waiting: [Int: [EnrollmentID]] = [:]
  private var known: Set<EnrollmentID> = []

  /// - Returns: `false` for one that is known already.
  mutating func add(_ device: EnrollmentID, in cell: Int) -> Bool {
    guard known.insert(device).inserted else { return false }
    waiting[cell, default: []].append(device)
    return true
  }

  /// Those that by what inspections have shown are no longer active.
  mutating func gone(by shown: Inspected?, in cell: Int) -> [EnrollmentID] {
    guard let shown, let awaited = waiting[cell], !awaited.isEmpty else { return [] }
    waiting[cell] = awaited.filter(shown.isActive)
    return awaited.filter { !shown.isActive($0) }
  }
}
