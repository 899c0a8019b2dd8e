import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What is certain about the teams of the clubs and the diensten they do, from the operator's commands and the
/// answers to takeovers: enough to add up a leaderboard again.
///
/// It keeps the operator's own lists as they came, which costs nothing, and beside them only what changed since.
final class BoardFacts: Facts {
  /// One for all cells of a region: the global board shows the clubs of each.
  static let scope = Scope<KantineKoning>.region
  static let concerns: Set<Concern> = .asking(
    .claimDienst, .addVolunteer, .removeVolunteer, .shiftVolunteer
  ).union([.controls])

  init(_ subject: Subject<Nothing<KantineKoning>>) {}

  /// One dienst as far as it counts.
  struct Shift: Sendable {
    /// The team's place in its club's list.
    var team: Int?
    /// Whether the operator gave it to a team.
    var isGiven: Bool
    var start: Instant
    var end: Instant
    var isCancelled = false
    /// A change may or may not have happened, or two happened in an order that nobody saw.
    var isDoubtful = false
    /// When the last change of it was over, and the last takeover.
    var touchedUntil = Instant.distantPast
    var claimedUntil = Instant.distantPast
    /// When the operator changed it last.
    var changedAt: Instant?

    var milliseconds: Int64 { (end - start).nanoseconds / 1_000_000 }
  }

  /// What a dienst says that counts for nothing.
  struct Words: Sendable {
    var place: String?
    var minimum: Int

    func isShown(by dienst: Dienst) -> Bool {
      dienst.locatieNaam == place && dienst.minimumBemanning == minimum
    }
  }

  final class Club {
    let slug: Slug
    fileprivate(set) var teams: [Fixture.Team] = [] { didSet { places = [:] } }
    /// By id and by code; gathered when the first is asked for.
    private var places: [TeamName: Int] = [:]
    /// Since when the operator's commands about teams and diensten that have ended are over.
    fileprivate(set) var changedAt: Instant
    fileprivate(set) var endedAt: Instant?
    fileprivate(set) var isOptedOut = Register<Bool>()
    fileprivate(set) var diensten: [Fixture.DienstEntry] = [] { didSet { shifts = nil } }
    fileprivate var holders: [Int16] = []
    fileprivate var changes: [Int: Shift] = [:] { didSet { (shifts, changedByID) = (nil, nil) } }
    /// Indexes of the diensten that changed; gathered when the first is asked for.
    private var changedByID: [DienstID: Int]?
    /// The diensten of each team; gathered when the first is asked for.
    private var shifts: [[(id: DienstID, shift: Shift)]]?
    /// What the operator changed of diensten that counts for nothing.
    fileprivate var words: [DienstID: Words] = [:]
    /// Whether a dienst without names counts for nobody (§8, point 8).
    fileprivate var requiresNames = false
    /// Of the diensten whose names changed.
    fileprivate var mannings: [DienstID: Manning] = [:]

    fileprivate init(_ slug: Slug, at instant: Instant) {
      self.slug = slug
      changedAt = instant
    }

    /// The place of a team by its id or code.
    func team(_ name: TeamName) -> Int? {
      if places.isEmpty {
        for (place, team) in teams.enumerated() {
          for name in [team.id, team.code] where places[name] == nil { places[name] = place }
        }
      }
      return places[name]
    }

    /// What is known of a dienst that was changed since the operator listed it; `nil` for any other.
    func changed(_ dienst: DienstID) -> Shift? {
      guard !changes.isEmpty else { return nil }
      let indexes =
        changedByID
        ?? Dictionary(uniqueKeysWithValues: changes.keys.map { (diensten[$0].id, $0) })
      changedByID = indexes
      return indexes[dienst].map(shift)
    }

    /// The place and the staffing of a dienst that the operator changed.
    func words(of dienst: DienstID) -> Words? { words[dienst] }

    /// The diensten that a team has, in the operator's order.
    func shifts(of team: Int) -> [(id: DienstID, shift: Shift)] {
      if shifts == nil { shifts = gatherShifts() }
      return team < shifts!.count ? shifts![team] : []
    }

    private func gatherShifts() -> [[(id: DienstID, shift: Shift)]] {
      var gathered = Array(repeating: [(id: DienstID, shift: Shift)](), count: teams.count)
      for index in diensten.indices {
        let shift = shift(index)
        if let team = shift.team { gathered[team].append((diensten[index].id, shift)) }
      }
      return gathered
    }

    fileprivate func team(id: TeamName) -> Int? { teams.firstIndex { $0.id == id } }

    func shift(_ index: Int) -> Shift {
      if !changes.isEmpty, let changed = changes[index] { return changed }
      let holder = Int(holders[index])
      return Shift(
        team: holder < 0 ? nil : holder, isGiven: holder >= 0, start: diensten[index].startTijd,
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

  private(set) var clubs: [Club] = []
  /// What the board at hand adds up to, found once for all who judge it.
  private var added: (call: KKCall, expected: ExpectedBoard?)?
  /// What the list at hand has to show, found once for all who judge it.
  private var windowed: (call: KKCall, window: DienstenWindow?)?
  private var places: [Slug: Int] = [:]
  /// Whether any club has ever left the global board.
  private(set) var hasOptOuts = false
  private var deployment = KantineKoning.Deployment()

  func club(_ slug: Slug) -> Club? { places[slug].map { clubs[$0] } }

  /// What the board that a call shows has to add up to, when that is certain.
  func expected(of call: KKCall) -> ExpectedBoard? {
    if let added, added.call === call { return added.expected }
    let expected = ExpectedBoard(call, by: self)
    added = (call, expected)
    return expected
  }

  /// What the list that a call shows has to show, when that is certain.
  func window(of call: KKCall) -> DienstenWindow? {
    if let windowed, windowed.call === call { return windowed.window }
    let window = DienstenWindow(call, by: self)
    windowed = (call, window)
    return window
  }

  /// The club whose token a call bears, when the operator changes nothing of it meanwhile.
  func unchangedClub(of call: KKCall) -> Club? {
    guard let tenant = call.claims?.tenantSlug, let club = club(tenant),
      club.changedAt + Self.slack < call.sent
    else { return nil }
    return club
  }

  /// Whether the operator's lists give a dienst to a team; a dienst that is gone belongs to nobody.
  func isAssigned(_ dienst: DienstID) -> Bool {
    for club in clubs {
      guard let index = club.diensten.firstIndex(where: { $0.id == dienst }) else { continue }
      return club.shift(index).isGiven
    }
    return false
  }

  /// A command's record and its effect lie this close together.
  static let slack = Span.seconds(1)

  func asked(_ call: KKCall, at moment: Moment) {
    takeOver(call)
    man(call)
  }

  // MARK: The operator's commands

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    let instant = moment.time
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
      onShift(change.id, at: instant) { shift, club in
        shift.start = change.startTijd ?? shift.start
        shift.end = change.eindTijd ?? shift.end
        club.reword(change)
      }
    case .cancelDienst(let id): onShift(id, at: instant) { shift, _ in shift.isCancelled = true }
    case .assignDienst(let id, let team):
      onShift(id, at: instant) { shift, club in
        shift.team = team.flatMap { club.team($0) }
        shift.isGiven = shift.team != nil
      }
    case .setLeaderboardOptOut(let tenant, let optOut):
      club(tenant)?.isOptedOut.follow(optOut, at: instant)
      hasOptOuts = hasOptOuts || optOut
    case .endSeason(let tenant):
      club(tenant)?.endedAt = instant
    case .resetSeason(let tenant):
      inClub(tenant, at: instant) { club in
        club.teams = []
        club.diensten = []
        club.holders = []
        club.changes = [:]
        club.words = [:]
        club.endedAt = nil
      }
    case .configure(let adjustment):
      adjustment.apply(to: &deployment)
      for club in clubs where club.requiresNames != deployment.leaderboardRequiresNames {
        club.requiresNames = deployment.leaderboardRequiresNames
        club.changedAt = instant
      }
    case .reset:
      clubs = []
      places = [:]
      hasOptOuts = false
      deployment = KantineKoning.Deployment()
    default: break
    }
  }

  private func create(_ slug: Slug, at instant: Instant) {
    guard places[slug] == nil else { return }
    places[slug] = clubs.count
    let club = Club(slug, at: instant)
    club.requiresNames = deployment.leaderboardRequiresNames
    club.isOptedOut.follow(false, at: instant - Self.slack - Self.slack)
    clubs.append(club)
  }

  private func take(_ fixture: Fixture, at instant: Instant) {
    for tenant in fixture.tenants { create(tenant.slug, at: instant) }
    if let only = fixture.tenants.first, fixture.tenants.count == 1, let club = club(only.slug),
      club.teams.isEmpty, club.diensten.isEmpty,
      fixture.teams.allSatisfy({ $0.tenantSlug == only.slug }),
      fixture.diensten.allSatisfy({ $0.tenantSlug == only.slug })
    {
      // The usual case, a club of its own: its lists are shared with whoever else has them.
      club.teams = fixture.teams
      club.diensten = fixture.diensten
      club.holders = fixture.diensten.map { club.holder($0) }
      return
    }
    for team in fixture.teams { inClub(team.tenantSlug, at: instant) { $0.teams.append(team) } }
    for entry in fixture.diensten { inClub(entry.tenantSlug, at: instant) { $0.add(entry) } }
  }

  private func inClub(_ slug: Slug, at instant: Instant, _ change: (Club) -> Void) {
    guard let club = club(slug) else { return }
    change(club)
    club.changedAt = instant
  }

  private func onShift(
    _ id: DienstID, at instant: Instant, _ change: (inout Shift, Club) -> Void
  ) {
    for club in clubs {
      guard let index = club.diensten.firstIndex(where: { $0.id == id }) else { continue }
      var shift = club.shift(index)
      // The operator's commands follow each other as they are told; a takeover may come before or after one.
      if shift.claimedUntil >= instant - Self.slack { shift.isDoubtful = true }
      shift.touchedUntil = max(shift.touchedUntil, instant + Self.slack)
      shift.changedAt = instant
      change(&shift, club)
      club.changes[index] = shift
      club.changedAt = instant
      return
    }
  }

  // MARK: Takeovers

  /// O23 gives a dienst to another team, certainly or perhaps.
  private func takeOver(_ call: KKCall) {
    guard case .claimDienst(let claim) = call.request,
      call.isReplied || call.isUnknown,
      let club = call.claims.flatMap({ club($0.tenantSlug) }),
      let index = club.diensten.firstIndex(where: { $0.id == claim.dienstID })
    else { return }
    var shift = club.shift(index)
    if call.isUnknown || shift.touchedUntil >= call.sent { shift.isDoubtful = true }
    shift.touchedUntil = max(shift.touchedUntil, call.during.upperBound)
    shift.claimedUntil = shift.touchedUntil
    if let team = call.dienst?.team { shift.team = club.team(id: team.id) }
    club.changes[index] = shift
  }
}

// MARK: Names

extension BoardFacts {
  /// Whether anybody is left on a dienst; a takeover takes everybody off.
  private func man(_ call: KKCall) {
    guard call.isReplied || call.isUnknown, let id = call.dienstID,
      let tenant = call.claims?.tenantSlug ?? call.dienst?.tenantSlug,
      let club = club(tenant)
    else { return }
    let former = club.mannings[id]?.until ?? .distantPast
    let isCertain = call.isReplied && former < call.sent
    club.mannings[id] = Manning(
      isManned: isCertain ? call.dienst.map { !$0.aanmeldingen.isEmpty } : nil,
      until: max(former, call.during.upperBound))
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

  /// What the operator says stays until it is said otherwise.
  fileprivate func reword(_ change: KantineKoning.DienstChange) {
    guard let entry = diensten.first(where: { $0.id == change.id }) else { return }
    var now =
      words[change.id]
      ?? BoardFacts.Words(place: entry.locatieNaam, minimum: entry.minimumBemanning)
    if let place = change.locatieNaam { now.place = place.isEmpty ? nil : place }
    now.minimum = change.minimumBemanning ?? now.minimum
    words[change.id] = now
  }

  fileprivate func add(_ entry: Fixture.DienstEntry) {
    holders.append(holder(entry))
    diensten.append(entry)
  }
}
