import Contracts
import KantineKoningContract
import KantineKoningTwin
import Timekeeping

/// A random history of one cell, told to a twin and to the oracle alike.
struct BoardHistory {
  var canteen: Canteen
  var oracle = BoardOracle()
  var random: RandomStream
  private var tokens: [Slug: DeviceToken] = [:]
  private var made = 0
  let slugs: [Slug]

  /// Around the two changes of the clocks, the turn of the year, of a month and of the season.
  static let starts = [
    "2026-03-26T12:00:00Z", "2026-10-22T12:00:00Z", "2026-12-28T12:00:00Z", "2026-07-27T12:00:00Z",
    "2026-05-29T12:00:00Z",
  ].map { Instant($0)! }

  init(seed: UInt64, cell: Int = 0, requiresNames: Bool = false) {
    random = RandomStream(seed: seed, owner: 77, purpose: UInt32(cell))
    var configuration = KantineKoningConfiguration()
    configuration.deployment.deviceTokenLifetime = .none
    configuration.deployment.leaderboardRequiresNames = requiresNames
    canteen = Canteen(seed: seed, configuration: configuration, fixture: Fixture())
    canteen.now = Self.starts[Int(seed) % Self.starts.count]
    oracle.requiresNames = requiresNames
    slugs = (0..<3).map { "club-\(cell)-\($0)" }
    for slug in slugs {
      canteen.operate(.createTenant(.init(slug: slug, name: "Club \(slug)")))
      oracle.clubs[slug] = "Club \(slug)"
      addTeams(to: slug)
    }
  }

  private mutating func addTeams(to slug: Slug) {
    for number in 0..<random.pick(3..<9) {
      made += 1
      // Names that differ in case alone, and names that clubs share.
      let naam = [("JO\(number)"), ("jo\(number)"), ("Team \(number)")][random.pick(0..<3)]
      let team = BoardOracle.Team(
        id: "\(slug)-t\(made)", club: slug, code: "C\(number)", naam: naam)
      oracle.teams.append(team)
      canteen.operate(
        .createTeam(.init(tenantSlug: slug, id: team.id, code: team.code, naam: naam)))
    }
    tokens[slug] = canteen.follow(["C0"], of: slug, on: "phone-\(slug)").token
  }

  // MARK: What happens

  mutating func step() {
    switch random.pick(0..<20) {
    case 0..<6: schedule()
    case 6..<8: reschedule()
    case 8:
      onDienst { history, id in
        history.canteen.operate(.cancelDienst(id: id))
        history.oracle.diensten[id]!.isCancelled = true
      }
    case 9..<11: assign()
    case 11: setOptOut()
    case 12: rename()
    case 13: if random.chance(0.2) { reset() }
    default: advance()
    }
  }

  private mutating func schedule() {
    made += 1
    let slug = random.pick(slugs)
    let team = random.chance(0.9) ? random.pick(oracle.teams.filter { $0.club == slug }) : nil
    let (start, end) = times()
    let id: DienstID = "d\(made)"
    let names = random.chance(0.5) ? ["Jan"] : []
    oracle.diensten[id] = BoardOracle.Dienst(
      club: slug, team: team?.id, start: start, end: end, names: names.count)
    canteen.operate(
      .scheduleDienst(
        .init(
          id: id, tenantSlug: slug, team: team?.code, startTijd: start, eindTijd: end,
          aanmeldingen: names)))
  }

  /// A start near a boundary or near now; few lengths, so that there are ties.
  private mutating func times() -> (start: Instant, end: Instant) {
    let length = random.pick([
      Span.minutes(30), .hours(1), .minutes(90), .hours(3), .hours(24), .milliseconds(3_599_999),
      .minutes(20),
    ])
    let period = random.pick(LeaderboardPeriod.allCases)
    let boundary = BoardOracle.start(of: period, at: canteen.now)
    let near = random.pick([.zero, Span.milliseconds(-1), .milliseconds(1), .hours(-1), .hours(2)])
    let start =
      random.chance(0.4)
      ? boundary + near
      : canteen.now + .minutes(Int64(random.pick(-20 * 1_440..<4 * 1_440)))
    let whole = Instant(unixMilliseconds: start.unixMilliseconds)
    return (whole, whole + length)
  }

  private mutating func onDienst(_ body: (inout BoardHistory, DienstID) -> Void) {
    guard !oracle.diensten.isEmpty else { return }
    body(&self, random.pick(oracle.diensten.keys.sorted()))
  }

  private mutating func reschedule() {
    onDienst { history, id in
      let (start, end) = history.times()
      history.canteen.operate(.changeDienst(.init(id: id, startTijd: start, eindTijd: end)))
      history.oracle.diensten[id]!.start = start
      history.oracle.diensten[id]!.end = end
    }
  }

  private mutating func assign() {
    onDienst { history, id in
      let slug = history.oracle.diensten[id]!.club
      let teams = history.oracle.teams.filter { $0.club == slug }
      let team = history.random.chance(0.8) ? history.random.pick(teams) : nil
      history.canteen.operate(.assignDienst(id: id, team: team?.id))
      history.oracle.diensten[id]!.team = team?.id
    }
  }

  private mutating func setOptOut() {
    let slug = random.pick(slugs)
    let isOut = !oracle.optedOut.contains(slug)
    if isOut { oracle.optedOut.insert(slug) } else { oracle.optedOut.remove(slug) }
    canteen.operate(.setLeaderboardOptOut(tenant: slug, optOut: isOut))
  }

  private mutating func rename() {
    let index = random.pick(0..<oracle.teams.count)
    oracle.teams[index].naam = random.pick(["Zaterdag", "zaterdag", "Anders", "JO3"])
    let team = oracle.teams[index]
    canteen.operate(.changeTeam(tenant: team.club, team: team.code, naam: team.naam))
  }

  private mutating func reset() {
    let slug = random.pick(slugs)
    canteen.now += .seconds(1)
    canteen.operate(.endSeason(tenant: slug))
    canteen.operate(.resetSeason(tenant: slug))
    oracle.teams.removeAll { $0.club == slug }
    oracle.diensten = oracle.diensten.filter { $0.value.club != slug }
    addTeams(to: slug)
  }

  /// A while on, or to an instant at which something begins or ceases to count, or just beside it.
  private mutating func advance() {
    let now = canteen.now
    var next = now + .minutes(Int64(random.pick(1..<4_000)))
    if random.chance(0.6) {
      let ends = oracle.diensten.keys.sorted().map { oracle.diensten[$0]!.end }
      let marks =
        ends + ends.map { $0 + .days(7) }
        + LeaderboardPeriod.allCases.map { BoardOracle.start(of: $0, at: now + .days(8)) }
        + LeaderboardPeriod.allCases.map { BoardOracle.start(of: $0, at: now) + .days(7) }
      let ahead = marks.filter { $0 > now && $0 < now + .days(20) }
      if !ahead.isEmpty { next = random.pick(ahead) }
      next += random.pick([.zero, .milliseconds(-1), .milliseconds(1)])
    }
    canteen.now = max(now, next)
  }

  // MARK: What is seen

  mutating func tenantBoard(_ slug: Slug, _ period: LeaderboardPeriod, own: TeamName?) -> KKAnswer {
    canteen.ask(
      .leaderboard(.init(tenant: slug, period: period.rawValue, teamID: own)),
      with: tokens[slug])
  }

  mutating func globalBoard(_ slug: Slug, _ period: LeaderboardPeriod, own: TeamName?) -> KKAnswer {
    canteen.ask(
      .globalLeaderboard(.init(tenant: slug, period: period.rawValue, teamID: own)),
      with: tokens[slug])
  }

  func expectedTenantBoard(
    _ slug: Slug, _ period: LeaderboardPeriod, own: TeamName?
  ) -> [LeaderboardEntry] {
    let start = BoardOracle.start(of: period, at: canteen.now)
    return BoardOracle.board(
      oracle.rows(of: slug, from: start, until: canteen.now), own: own,
      hasPast: canteen.now - .days(7) >= start)
  }
}

extension Result where Success == KKReply, Failure == KKRefusal {
  var board: [LeaderboardEntry]? {
    switch self {
    case .success(.leaderboard(let board)): board.teams
    case .success(.globalLeaderboard(let board)): board.teams
    default: nil
    }
  }

  var tenantBoard: TenantBoard? {
    if case .success(.leaderboard(let board)) = self { board } else { nil }
  }

  var clubSlugs: [Slug]? {
    if case .success(.clubs(let clubs)) = self { clubs.map(\.slug) } else { nil }
  }

  var seasonSummary: SeasonSummary? {
    if case .success(.seasonSummary(let summary)) = self { summary } else { nil }
  }

  var banners: BannerLists? {
    if case .success(.banners(let lists)) = self { lists } else { nil }
  }
}
