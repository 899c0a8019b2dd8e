import KantineKoningContract
import Timekeeping

/// What the operator's commands say about one club.
struct ClubFacts: Sendable {
  private(set) var codes: Set<String> = []
  /// Codes of teams that a reset deleted.
  private(set) var formerCodes: Set<String> = []
  /// When teams came or went last.
  private(set) var teamsChangedAt = Instant.distantPast
  private var codeByID: [String: String] = [:]
  private var isOpen = Timeline<Bool>()
  private var hasEnded = Timeline<Bool>()
  /// Which teams an address manages, and when that was last changed.
  private(set) var managers: [String: Set<String>] = [:]
  private(set) var managersChangedAt = Instant.distantPast
  /// When the season ended last, and when it was reset last.
  private(set) var endedAt: Instant?
  private(set) var seasonsEnded = 0
  private(set) var resetAt: Instant?

  mutating func create(open: Bool, at instant: Instant) {
    isOpen.set(open, at: instant - .seconds(2))
    hasEnded.set(false, at: instant - .seconds(2))
  }

  mutating func add(_ team: Fixture.Team, at instant: Instant) {
    codes.insert(team.code)
    codeByID[team.id] = team.code
    teamsChangedAt = instant
  }

  /// The code of a team that is named by its code or by its id.
  func code(of team: String) -> String? { codes.contains(team) ? team : codeByID[team] }

  mutating func setOpen(_ open: Bool, at instant: Instant) { isOpen.set(open, at: instant) }

  mutating func endSeason(at instant: Instant) {
    isOpen.set(false, at: instant)
    hasEnded.set(true, at: instant)
    endedAt = instant
    seasonsEnded += 1
  }

  mutating func resetSeason(at instant: Instant) {
    isOpen.set(true, at: instant)
    hasEnded.set(false, at: instant)
    resetAt = instant
    formerCodes.formUnion(codes)
    codes = []
    teamsChangedAt = instant
    codeByID = [:]
    managers = [:]
    managersChangedAt = instant
  }

  mutating func set(_ manager: Fixture.Manager, at instant: Instant) {
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

  /// Takes in a command when it is about a club; the facts of all clubs it names change.
  static func take(
    _ command: KantineKoning.Control, at instant: Instant, into clubs: inout [String: ClubFacts]
  ) {
    switch command {
    case .load(let fixture):
      for tenant in fixture.tenants {
        clubs[tenant.slug, default: ClubFacts()].create(open: tenant.enrollmentOpen, at: instant)
      }
      for team in fixture.teams { clubs[team.tenantSlug]?.add(team, at: instant) }
      for manager in fixture.managers { clubs[manager.tenantSlug]?.set(manager, at: instant) }
    case .createTenant(let tenant):
      clubs[tenant.slug, default: ClubFacts()].create(open: tenant.enrollmentOpen, at: instant)
    case .setManager(let manager): clubs[manager.tenantSlug]?.set(manager, at: instant)
    case .createTeam(let team): clubs[team.tenantSlug]?.add(team, at: instant)
    case .setEnrollmentOpen(let tenant, let open, _): clubs[tenant]?.setOpen(open, at: instant)
    case .endSeason(let tenant): clubs[tenant]?.endSeason(at: instant)
    case .resetSeason(let tenant): clubs[tenant]?.resetSeason(at: instant)
    case .reset: clubs = [:]
    default: break
    }
  }

  /// The clubs that a command is about.
  static func tenants(in command: KantineKoning.Control) -> [String] {
    switch command {
    case .load(let fixture):
      Set(fixture.tenants.map(\.slug) + fixture.teams.map(\.tenantSlug)).sorted()
    case .createTeam(let team): [team.tenantSlug]
    case .createTenant(let tenant): [tenant.slug]
    case .setEnrollmentOpen(let tenant, _, _), .endSeason(let tenant), .resetSeason(let tenant):
      [tenant]
    default: []
    }
  }
}
