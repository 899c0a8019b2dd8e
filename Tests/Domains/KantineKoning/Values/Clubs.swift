import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// A command's record and its effect lie this close together.
let slack = Span.seconds(1)

/// What is known of a club.
struct ClubRow {
  // Its enrollment, as long as the operator has made it.
  var exists = false
  var codes: Set<TeamName> = []
  var formerCodes: Set<TeamName> = []
  var teamsChangedAt = Instant.distantPast
  var codeByID: [TeamName: TeamName] = [:]
  var isOpen = Register<Bool>()
  var hasEnded = Register<Bool>()
  var message = Register<String?>()
  var managers: [String: Set<TeamName>] = [:]
  var managersChangedAt = Instant.distantPast
  var endedAt: Instant?
  var seasonsEnded = 0
  var resetAt: Instant?

  // What searches find.
  var name: Folded?
  var slug = Folded("")
  var searched: ContiguousArray<SearchedTeam> = []

  // Its diensten.
  var roster: Roster?

  func code(of team: TeamName) -> TeamName? { codes.contains(team) ? team : codeByID[team] }

  /// Whether all of some names are teams; `nil` while teams come and go.
  func areTeams(_ names: [TeamName], before sent: Instant, orIDs: Bool = false) -> Bool? {
    guard teamsChangedAt + slack < sent else { return nil }
    return names.allSatisfy { orIDs ? code(of: $0) != nil : codes.contains($0) }
  }

  /// Whether a season's end revoked a token, until the reset.
  func isRevoked(_ claims: DeviceClaims, during interval: ClosedRange<Instant>) -> Bool? {
    guard let endedAt else { return false }
    if let resetAt, resetAt > endedAt {
      return resetAt + slack < interval.lowerBound ? false : nil
    }
    if claims.iat > endedAt.unixSeconds { return false }
    guard claims.iat + 1 < endedAt.unixSeconds, endedAt + slack < interval.lowerBound else {
      return nil
    }
    return true
  }

  /// Whether sync must leave the club's enrollments alone.
  func isProtected(during interval: ClosedRange<Instant>) -> Bool? {
    guard let open = isOpen.value(during: interval), let ended = hasEnded.value(during: interval)
    else { return nil }
    return ended || !open
  }

  mutating func create(_ tenant: Fixture.Tenant, at instant: Instant) {
    exists = true
    message.follow(tenant.enrollmentMessage ?? "", at: instant - .seconds(2))
    isOpen.follow(tenant.enrollmentOpen, at: instant - .seconds(2))
    hasEnded.follow(false, at: instant - .seconds(2))
  }

  mutating func add(_ team: Fixture.Team, at instant: Instant) {
    codes.insert(team.code)
    codeByID[team.id] = team.code
    teamsChangedAt = instant
  }

  mutating func set(_ manager: Fixture.Manager, at instant: Instant) {
    managers[manager.email.lowercased()] = Set(manager.teamCodes)
    managersChangedAt = instant
  }

  mutating func endSeason(at instant: Instant) {
    isOpen.follow(false, at: instant)
    message.follow(nil, at: instant)
    hasEnded.follow(true, at: instant)
    endedAt = instant
    seasonsEnded += 1
  }

  mutating func resetSeason(at instant: Instant) {
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

  /// The club is gone, as far as enrollment goes.
  mutating func forget() {
    var new = ClubRow()
    (new.name, new.slug, new.searched, new.roster) = (name, slug, searched, roster)
    self = new
  }
}

extension CanteenChecks {
  mutating func learnClubs(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture):
      for tenant in fixture.tenants {
        clubs[clubs.number(of: tenant.slug)].create(tenant, at: instant)
      }
      for team in fixture.teams {
        if let club = known(team.tenantSlug) { clubs[club].add(team, at: instant) }
      }
      for manager in fixture.managers {
        if let club = known(manager.tenantSlug) { clubs[club].set(manager, at: instant) }
      }
    case .createTenant(let tenant):
      clubs[clubs.number(of: tenant.slug)].create(tenant, at: instant)
    case .setManager(let manager):
      if let club = known(manager.tenantSlug) { clubs[club].set(manager, at: instant) }
    case .createTeam(let team):
      if let club = known(team.tenantSlug) { clubs[club].add(team, at: instant) }
    case .changeTenant(let change):
      if let club = known(change.slug), let text = change.enrollmentMessage {
        clubs[club].message.follow(text, at: instant)
      }
    case .setEnrollmentOpen(let tenant, let open, let message):
      guard let club = known(tenant) else { return }
      clubs[club].isOpen.follow(open, at: instant)
      if let text = message ?? (open ? "" : nil) { clubs[club].message.follow(text, at: instant) }
    case .endSeason(let tenant): if let club = known(tenant) { clubs[club].endSeason(at: instant) }
    case .resetSeason(let tenant):
      if let club = known(tenant) { clubs[club].resetSeason(at: instant) }
    case .reset: for club in clubs.indices { clubs[club].forget() }
    default: break
    }
  }
}
