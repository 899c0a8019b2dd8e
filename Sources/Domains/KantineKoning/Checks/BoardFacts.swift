import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What is certain about the teams of the clubs and the diensten they do, from the operator's commands and the
/// answers to takeovers: enough to add up a leaderboard again.
///
/// It keeps the operator's own lists as they came, which costs nothing, and beside them only what changed since.
struct BoardFacts: FormerFacts {
  static let concerns: Set<Concern> = .asking(
    .claimDienst, .addVolunteer, .removeVolunteer, .shiftVolunteer
  ).union([.controls])

  /// One for all cells of a region: the global board shows the clubs of each.
  static func keys(_ record: KKRecord) -> [CheckKey] { [.number(0)] }

  init(_ key: CheckKey) {}

  /// One dienst as far as it counts.
  struct Shift: Sendable {
    /// The team's place in its club's list.
    var team: Int?
    var start: Instant
    var end: Instant
    var isCancelled = false
    /// A change may or may not have happened, or two happened in an order that nobody saw.
    var isDoubtful = false
    /// When the last change of it was over.
    var touchedUntil = Instant.distantPast

    var milliseconds: Int64 { (end - start).nanoseconds / 1_000_000 }
  }

  struct Club: Sendable {
    let slug: String
    var teams: [Fixture.Team] = []
    /// Since when the operator's commands about teams and diensten that have ended are over.
    var changedAt: Instant
    var endedAt: Instant?
    var isOptedOut = Timeline<Bool>()
    fileprivate(set) var diensten: [Fixture.DienstEntry] = []
    fileprivate var holders: [Int16] = []
    fileprivate var changes: [Int: Shift] = [:]
    /// Whether a dienst without names counts for nobody (§8, point 8).
    fileprivate var requiresNames = false
    /// Of the diensten whose names changed.
    fileprivate var mannings: [String: Manning] = [:]

    /// The place of a team by its id or code.
    func team(_ name: String) -> Int? { teams.firstIndex { $0.id == name || $0.code == name } }

    fileprivate func team(id: String) -> Int? { teams.firstIndex { $0.id == id } }

    func shift(_ index: Int) -> Shift {
      if !changes.isEmpty, let changed = changes[index] { return changed }
      let holder = Int(holders[index])
      return Shift(
        team: holder < 0 ? nil : holder, start: diensten[index].startTijd,
        end: diensten[index].eindTijd)
    }
  }

  /// Whether anybody is on a dienst, as the last answer about its names says.
  fileprivate struct Manning: Sendable {
    /// `nil` when two changes overlapped, or one had no answer.
    let isManned: Bool?
    /// When the last change was over.
    let until: Instant
  }

  fileprivate(set) var clubs: [Club] = []
  fileprivate var places: [String: Int] = [:]
  /// Whether any club has ever left the global board.
  private(set) var hasOptOuts = false
  private var requiresNames = false

  func club(_ slug: String) -> Club? { places[slug].map { clubs[$0] } }

  /// Whether the operator's lists give a dienst to a team; a dienst that is gone belongs to nobody.
  func isAssigned(_ dienst: String) -> Bool {
    for club in clubs {
      guard let index = club.diensten.firstIndex(where: { $0.id == dienst }) else { continue }
      return club.shift(index).team != nil
    }
    return false
  }

  /// A command's record and its effect lie this close together.
  static let slack = Span.seconds(1)

  mutating func see(_ record: KKRecord) {
    switch record.event {
    case .request(let exchange):
      see(exchange)
      seeNames(exchange)
    case .control(.control(let command), let outcome):
      if case .refused = outcome { return }
      see(command, at: record.time)
    case .control, .signal, .note, .inspection: break
    }
  }

  // MARK: The operator's commands

  private mutating func see(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture): take(fixture, at: instant)
    case .createTenant(let tenant): create(tenant.slug, at: instant)
    case .createTeam(let team): inClub(team.tenantSlug, at: instant) { $0.teams.append(team) }
    case .changeTeam(let tenant, let name, let naam):
      inClub(tenant, at: instant) { club in
        if let team = club.team(name) { club.teams[team].naam = naam }
      }
    case .scheduleDienst(let entry):
      inClub(entry.tenantSlug, at: instant) { $0.add(entry) }
    case .changeDienst(let change):
      onShift(change.id, at: instant) { shift, _ in
        shift.start = change.startTijd ?? shift.start
        shift.end = change.eindTijd ?? shift.end
      }
    case .cancelDienst(let id): onShift(id, at: instant) { shift, _ in shift.isCancelled = true }
    case .assignDienst(let id, let team):
      onShift(id, at: instant) { shift, club in shift.team = team.flatMap { club.team($0) } }
    case .setLeaderboardOptOut(let tenant, let optOut):
      if let place = places[tenant] { clubs[place].isOptedOut.set(optOut, at: instant) }
      hasOptOuts = hasOptOuts || optOut
    case .endSeason(let tenant):
      if let place = places[tenant] { clubs[place].endedAt = instant }
    case .resetSeason(let tenant):
      inClub(tenant, at: instant) { club in
        club.teams = []
        club.diensten = []
        club.holders = []
        club.changes = [:]
        club.endedAt = nil
      }
    case .configure(let values):
      guard case .flag(let requires)? = values["leaderboardRequiresNames"] else { return }
      requiresNames = requires
      for place in clubs.indices {
        clubs[place].requiresNames = requires
        clubs[place].changedAt = instant
      }
    case .reset: self = BoardFacts(.number(0))
    default: break
    }
  }

  private mutating func create(_ slug: String, at instant: Instant) {
    guard places[slug] == nil else { return }
    places[slug] = clubs.count
    var club = Club(slug: slug, changedAt: instant)
    club.requiresNames = requiresNames
    club.isOptedOut.set(false, at: instant - Self.slack - Self.slack)
    clubs.append(club)
  }

  private mutating func take(_ fixture: Fixture, at instant: Instant) {
    for tenant in fixture.tenants { create(tenant.slug, at: instant) }
    if let only = fixture.tenants.first, fixture.tenants.count == 1, let place = places[only.slug],
      clubs[place].teams.isEmpty, clubs[place].diensten.isEmpty,
      fixture.teams.allSatisfy({ $0.tenantSlug == only.slug }),
      fixture.diensten.allSatisfy({ $0.tenantSlug == only.slug })
    {
      // The usual case, a club of its own: its lists are shared with whoever else has them.
      clubs[place].teams = fixture.teams
      clubs[place].diensten = fixture.diensten
      let holders = fixture.diensten.map { clubs[place].holder($0) }
      clubs[place].holders = holders
      return
    }
    for team in fixture.teams { inClub(team.tenantSlug, at: instant) { $0.teams.append(team) } }
    for entry in fixture.diensten { inClub(entry.tenantSlug, at: instant) { $0.add(entry) } }
  }

  private mutating func inClub(
    _ slug: String, at instant: Instant, _ change: (inout Club) -> Void
  ) {
    guard let place = places[slug] else { return }
    change(&clubs[place])
    clubs[place].changedAt = instant
  }

  private mutating func onShift(
    _ id: String, at instant: Instant, _ change: (inout Shift, Club) -> Void
  ) {
    for place in clubs.indices {
      guard let index = clubs[place].diensten.firstIndex(where: { $0.id == id }) else { continue }
      var shift = clubs[place].shift(index)
      if shift.touchedUntil >= instant - Self.slack { shift.isDoubtful = true }
      shift.touchedUntil = instant + Self.slack
      change(&shift, clubs[place])
      clubs[place].changes[index] = shift
      clubs[place].changedAt = instant
      return
    }
  }

  // MARK: Takeovers

  /// O23 gives a dienst to another team, certainly or perhaps.
  private mutating func see(_ exchange: KKExchange) {
    guard case .claimDienst(let claim) = exchange.request,
      exchange.isReplied || exchange.isUnknown,
      let place = exchange.claims.flatMap({ places[$0.tenantSlug] }),
      let index = clubs[place].diensten.firstIndex(where: { $0.id == claim.dienstID })
    else { return }
    var shift = clubs[place].shift(index)
    if exchange.isUnknown || shift.touchedUntil >= exchange.sent { shift.isDoubtful = true }
    shift.touchedUntil = max(shift.touchedUntil, exchange.during.upperBound)
    if let team = exchange.dienst?.team { shift.team = clubs[place].team(id: team.id) }
    clubs[place].changes[index] = shift
  }
}

// MARK: Names

extension BoardFacts {
  /// Whether anybody is left on a dienst; a takeover takes everybody off.
  private mutating func seeNames(_ exchange: KKExchange) {
    guard exchange.isReplied || exchange.isUnknown, let id = exchange.dienstID,
      let tenant = exchange.claims?.tenantSlug ?? exchange.dienst?.tenantSlug,
      let place = places[tenant]
    else { return }
    let former = clubs[place].mannings[id]?.until ?? .distantPast
    let isCertain = exchange.isReplied && former < exchange.sent
    clubs[place].mannings[id] = Manning(
      isManned: isCertain ? exchange.dienst.map { !$0.aanmeldingen.isEmpty } : nil,
      until: max(former, exchange.during.upperBound))
  }
}

extension BoardFacts.Club {
  /// A dienst as it counts for its team: one that nobody is on counts as if it were cancelled, where names are required.
  func counted(_ index: Int) -> BoardFacts.Shift {
    var shift = shift(index)
    guard requiresNames else { return shift }
    if let manning = mannings[diensten[index].id] {
      guard let isManned = manning.isManned else {
        shift.isDoubtful = true
        return shift
      }
      if !isManned { shift.isCancelled = true }
    } else if diensten[index].aanmeldingen.isEmpty {
      shift.isCancelled = true
    }
    return shift
  }

  fileprivate func holder(_ entry: Fixture.DienstEntry) -> Int16 {
    entry.team.flatMap { team($0) }.map { Int16(truncatingIfNeeded: $0) } ?? -1
  }

  fileprivate mutating func add(_ entry: Fixture.DienstEntry) {
    holders.append(holder(entry))
    diensten.append(entry)
  }
}
