import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What the operator's commands say about the clubs of a region.
final class Clubs: Facts {
  static let scope = Scope<KantineKoning>.region
  static let concerns: Set<Concern> = [.controls]

  private var clubs: [Slug: ClubFacts] = [:]

  init(_ subject: Subject<Nothing<KantineKoning>>) {}

  subscript(slug: Slug) -> ClubFacts? { clubs[slug] }

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    let instant = moment.time
    switch command {
    case .load(let fixture):
      for tenant in fixture.tenants { create(tenant, at: moment) }
      for team in fixture.teams { clubs[team.tenantSlug]?.add(team, at: instant) }
      for manager in fixture.managers { clubs[manager.tenantSlug]?.set(manager, at: instant) }
    case .createTenant(let tenant): create(tenant, at: moment)
    case .setManager(let manager): clubs[manager.tenantSlug]?.set(manager, at: instant)
    case .createTeam(let team): clubs[team.tenantSlug]?.add(team, at: instant)
    case .changeTenant(let change): clubs[change.slug]?.set(change.enrollmentMessage, at: instant)
    case .setEnrollmentOpen(let tenant, let open, let message):
      clubs[tenant]?.setOpen(open, at: instant)
      clubs[tenant]?.set(message ?? (open ? "" : nil), at: instant)
    case .endSeason(let tenant): clubs[tenant]?.endSeason(at: instant)
    case .resetSeason(let tenant): clubs[tenant]?.resetSeason(at: instant)
    case .reset: clubs = clubs.filter { $0.value.cell != moment.cell }
    default: break
    }
  }

  private func create(_ tenant: Fixture.Tenant, at moment: Moment) {
    let club = clubs[tenant.slug] ?? ClubFacts(in: moment.cell)
    club.create(
      open: tenant.enrollmentOpen, saying: tenant.enrollmentMessage, at: moment.time)
    clubs[tenant.slug] = club
  }
}

/// What the operator's commands say about one club.
final class ClubFacts {
  let cell: Int
  private(set) var codes: Set<TeamName> = []
  /// Codes of teams that a reset deleted.
  private(set) var formerCodes: Set<TeamName> = []
  /// When teams came or went last.
  private(set) var teamsChangedAt = Instant.distantPast
  private var codeByID: [TeamName: TeamName] = [:]
  private var isOpen = Register<Bool>()
  private var hasEnded = Register<Bool>()
  /// What is said while enrollment is closed; empty for nothing, `nil` for what the backend says of itself.
  private var message = Register<String?>()
  /// Which teams an address manages, and when that was last changed.
  private(set) var managers: [String: Set<TeamName>] = [:]
  private(set) var managersChangedAt = Instant.distantPast
  /// When the season ended last, and when it was reset last.
  private(set) var endedAt: Instant?
  private(set) var seasonsEnded = 0
  private(set) var resetAt: Instant?

  init(in cell: Int) { self.cell = cell }

  func create(open: Bool, saying text: String?, at instant: Instant) {
    message.follow(text ?? "", at: instant - .seconds(2))
    isOpen.follow(open, at: instant - .seconds(2))
    hasEnded.follow(false, at: instant - .seconds(2))
  }

  func add(_ team: Fixture.Team, at instant: Instant) {
    codes.insert(team.code)
    codeByID[team.id] = team.code
    teamsChangedAt = instant
  }

  /// The code of a team that is named by its code or by its id.
  func code(of team: TeamName) -> TeamName? { codes.contains(team) ? team : codeByID[team] }

  func setOpen(_ open: Bool, at instant: Instant) { isOpen.follow(open, at: instant) }

  /// Sets what is said while enrollment is closed; `nil` leaves it.
  func set(_ text: String?, at instant: Instant) {
    if let text { message.follow(text, at: instant) }
  }

  func message(during interval: ClosedRange<Instant>) -> String? {
    message.value(during: interval) ?? nil
  }

  func endSeason(at instant: Instant) {
    isOpen.follow(false, at: instant)
    message.follow(nil, at: instant)
    hasEnded.follow(true, at: instant)
    endedAt = instant
    seasonsEnded += 1
  }

  func resetSeason(at instant: Instant) {
    isOpen.follow(true, at: instant)
    message.follow("", at: instant)
    hasEnded.follow(false, at: instant)
    resetAt = instant
    formerCodes.formUnion(codes)
    codes = []
    teamsChangedAt = instant
    codeByID = [:]
    managers = [:]
    managersChangedAt = instant
  }

  func set(_ manager: Fixture.Manager, at instant: Instant) {
    managers[manager.email.lowercased()] = Set(manager.teamCodes)
    managersChangedAt = instant
  }

  func isOpen(during interval: ClosedRange<Instant>) -> Bool? { isOpen.value(during: interval) }
  func hasEnded(during interval: ClosedRange<Instant>) -> Bool? { hasEnded.value(during: interval) }

  /// Whether sync must leave the club's enrollments alone (KK-70, KK-71).
  func isProtected(during interval: ClosedRange<Instant>) -> Bool? {
    guard let open = isOpen(during: interval), let ended = hasEnded(during: interval) else {
      return nil
    }
    return ended || !open
  }
}
