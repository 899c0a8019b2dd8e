import Timekeeping

/// What a leaderboard counts (KK-109).
public enum LeaderboardPeriod: String, Hashable, Sendable, CaseIterable {
  /// Monday to Sunday.
  case week
  case month
  /// 1 August to 31 July.
  case season

  /// The half-open stretch of local time in Europe/Amsterdam that holds an instant.
  public func bounds(around now: Instant) -> (starts: Instant, ends: Instant) {
    let zone = CivilZone.amsterdam
    let today = zone.civil(at: now).date
    switch self {
    case .week:
      let monday = today.daysSinceEpoch - Int64(today.weekday - 1)
      return (
        zone.instant(CivilDate(daysSinceEpoch: monday)),
        zone.instant(CivilDate(daysSinceEpoch: monday + 7))
      )
    case .month:
      let first = CivilDate(year: today.year, month: today.month, day: 1)
      let next =
        today.month == 12
        ? CivilDate(year: today.year + 1, month: 1, day: 1)
        : CivilDate(year: today.year, month: today.month + 1, day: 1)
      return (zone.instant(first), zone.instant(next))
    case .season:
      let year = today.month >= 8 ? today.year : today.year - 1
      return (
        zone.instant(CivilDate(year: year, month: 8, day: 1)),
        zone.instant(CivilDate(year: year + 1, month: 8, day: 1))
      )
    }
  }
}

/// O17 and O18: the period stays text, because a bad one is refused only after the token has been judged.
public struct LeaderboardQuery: Hashable, Sendable {
  public var tenant: String?
  public var period: String?
  /// The own team by id or code.
  public var teamID: String?

  public init(tenant: String? = nil, period: String? = nil, teamID: String? = nil) {
    self.tenant = tenant
    self.period = period
    self.teamID = teamID
  }
}

/// Decimal hours with two digits behind the point, exactly.
public struct DecimalHours: Hashable, Comparable, Sendable {
  public var hundredths: Int

  public init(hundredths: Int) { self.hundredths = hundredths }

  /// Worked time, rounded to the nearest hundredth of an hour; halves go up.
  public init(_ worked: Span) {
    hundredths = Int((worked.nanoseconds / 1_000_000 * 100 + 1_800_000) / 3_600_000)
  }

  public static func < (a: Self, b: Self) -> Bool { a.hundredths < b.hundredths }
}

/// One row of a board (§2.9).
public struct LeaderboardEntry: Hashable, Sendable {
  /// The club of a row of the global board.
  public struct Club: Hashable, Sendable {
    public var naam: String
    public var slug: String
    public var logoURL: String?

    public init(naam: String, slug: String, logoURL: String? = nil) {
      self.naam = naam
      self.slug = slug
      self.logoURL = logoURL
    }
  }

  public var rank: Int
  public var team: TeamInfo
  /// Only on the global board.
  public var club: Club?
  public var points: Int
  public var totalHours: DecimalHours
  /// Points of now less points of 7 × 24 h ago, inside the period.
  public var recentChange: Int
  /// Rank of 7 × 24 h ago less rank of now: positive has risen.
  public var positionChange: Int
  public var highlighted: Bool

  public init(
    rank: Int, team: TeamInfo, club: Club? = nil, points: Int, totalHours: DecimalHours,
    recentChange: Int, positionChange: Int, highlighted: Bool = false
  ) {
    self.rank = rank
    self.team = team
    self.club = club
    self.points = points
    self.totalHours = totalHours
    self.recentChange = recentChange
    self.positionChange = positionChange
    self.highlighted = highlighted
  }
}

/// The answer of O17.
public struct TenantBoard: Hashable, Sendable {
  public var tenantSlug: String
  public var clubName: String
  public var leaderboardOptOut: Bool
  public var period: LeaderboardPeriod
  public var teams: [LeaderboardEntry]

  public init(
    tenantSlug: String, clubName: String, leaderboardOptOut: Bool, period: LeaderboardPeriod,
    teams: [LeaderboardEntry]
  ) {
    self.tenantSlug = tenantSlug
    self.clubName = clubName
    self.leaderboardOptOut = leaderboardOptOut
    self.period = period
    self.teams = teams
  }
}

/// The answer of O18.
public struct GlobalBoard: Hashable, Sendable {
  public var period: LeaderboardPeriod
  public var teams: [LeaderboardEntry]

  public init(period: LeaderboardPeriod, teams: [LeaderboardEntry]) {
    self.period = period
    self.teams = teams
  }
}
