import Contracts
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
  public var tenant: Slug?, period: String?
  /// The own team by id or code.
  public var teamID: TeamName?

  public init(tenant: Slug? = nil, period: String? = nil, teamID: TeamName? = nil) {
    (self.tenant, self.period, self.teamID) = (tenant, period, teamID)
  }

  static let shape = Shape(
    LeaderboardQuery.init, Field("tenant", \.tenant, .omittable(.name), in: .query),
    Field("period", \.period, .omittable(.text), in: .query),
    Field("team_id", \.teamID, .omittable(.name), in: .query))
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
    public var naam: String, slug: Slug
    public var logoURL: String?

    public init(naam: String, slug: Slug, logoURL: String? = nil) {
      (self.naam, self.slug, self.logoURL) = (naam, slug, logoURL)
    }

    static let shape = Shape(
      Club.init, Field("naam", \.naam, .text), Field("slug", \.slug, .name),
      Field("logo_url", \.logoURL, .optional(.text)))
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
    (self.rank, self.team, self.club, self.points) = (rank, team, club, points)
    (self.totalHours, self.recentChange) = (totalHours, recentChange)
    (self.positionChange, self.highlighted) = (positionChange, highlighted)
  }

  static let shape = Shape(
    LeaderboardEntry.init, Field("rank", \.rank, .int), Field("team", \.team, team.coding),
    Field("club", \.club, .omittable(Club.shape.coding)), Field("points", \.points, .int),
    Field("total_hours", \.totalHours, .hours), Field("recent_change", \.recentChange, .int),
    Field("position_change", \.positionChange, .int),
    Field("highlighted", \.highlighted, .flag.otherwise(false)))

  /// The code is optional in a row (§2.9).
  private static let team = Shape(
    { id, code, naam in TeamInfo(id: id, code: code ?? TeamName(naam), naam: naam) },
    Field("id", \.id, .name), Field("code", { $0.code }, .omittable(.name)),
    Field("naam", \.naam, .text))
}

/// The answer of O17.
public struct TenantBoard: Hashable, Sendable {
  public var tenantSlug: Slug, clubName: String
  public var leaderboardOptOut: Bool
  public var period: LeaderboardPeriod
  public var teams: [LeaderboardEntry]

  public init(
    tenantSlug: Slug, clubName: String, leaderboardOptOut: Bool, period: LeaderboardPeriod,
    teams: [LeaderboardEntry]
  ) {
    (self.tenantSlug, self.clubName) = (tenantSlug, clubName)
    (self.leaderboardOptOut, self.period, self.teams) = (leaderboardOptOut, period, teams)
  }

  static let shape = Shape(
    { tenant, period, teams in
      TenantBoard(
        tenantSlug: tenant.0, clubName: tenant.1, leaderboardOptOut: tenant.2, period: period,
        teams: teams)
    },
    Field("tenant", { ($0.tenantSlug, $0.clubName, $0.leaderboardOptOut) }, tenant.coding)
      .then("club", .json, isChecked: false) { ["naam": .string($0.clubName)] },
    Field("period", \.period, .word),
    Field("teams", \.teams, .list(LeaderboardEntry.shape.coding)))

  private static let tenant = Shape(
    Field("slug", Coding<Slug>.name), Field("club_name", .text), Field("leaderboard_opt_out", .flag)
  )
}

/// The answer of O18.
public struct GlobalBoard: Hashable, Sendable {
  public var period: LeaderboardPeriod
  public var teams: [LeaderboardEntry]

  public init(period: LeaderboardPeriod, teams: [LeaderboardEntry]) {
    (self.period, self.teams) = (period, teams)
  }

  static let shape = Shape(
    GlobalBoard.init, Field("period", \.period, .word),
    Field("teams", \.teams, .list(LeaderboardEntry.shape.coding)))
}
