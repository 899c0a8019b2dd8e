import Contracts
import KantineKoningContract
import Timekeeping

/// Boards of the two clubs of a story. Team 1 of club `a` has worked a day a week ago; nobody else has worked.
extension CheckStory {
  typealias Row = LeaderboardEntry

  static func row(
    _ rank: Int, _ code: TeamName, _ hundredths: Int = 0, points: Int? = nil, recent: Int? = nil,
    change: Int = 0, of club: Slug = "a", global: Bool = false, own: Bool = false
  ) -> Row {
    Row(
      rank: rank, team: TeamInfo(id: "\(club)-\(code)", code: code, naam: code.text),
      club: global ? .init(naam: club.text, slug: club) : nil, points: points ?? hundredths / 100,
      totalHours: DecimalHours(hundredths: hundredths), recentChange: recent ?? hundredths / 100,
      positionChange: change, highlighted: own)
  }

  /// The season of club `a` as it is.
  static let season =
    [row(1, "1", 2_400)] + ["2", "3", "4", "5", "6"].map { row(2, $0, change: -1) }

  /// This week of club `a`, in which nobody has worked yet.
  static let week = ["1", "2", "3", "4", "5", "6"].map { row(1, $0) }

  /// The season of both clubs.
  static let everybody =
    [row(1, "1", 2_400, global: true), row(2, "1", change: -1, of: "b", global: true)]
    + [
      row(2, "2", change: -1, global: true), row(2, "2", change: -1, of: "b", global: true),
    ] + ["3", "4", "5", "6"].map { row(2, $0, change: -1, global: true) }

  static func marking(_ code: TeamName, in rows: [Row]) -> [Row] {
    rows.map { row in
      var row = row
      row.highlighted = row.team.code == code && row.club?.slug ?? "a" == "a"
      return row
    }
  }

  /// Twelve rows of a club with more teams than a board shows.
  static let twelve = (1...12).map { row($0, "T\($0)", 2_400 - 100 * $0) }

  mutating func board(
    _ rows: [Row] = Self.season, _ period: LeaderboardPeriod? = nil, own: TeamName? = nil,
    tenant: Slug? = nil, of slug: Slug = "a", optedOut: Bool = false, as device: EnrollmentID = "p",
    shown: LeaderboardPeriod? = nil
  ) {
    ask(
      .leaderboard(LeaderboardQuery(tenant: tenant, period: period?.rawValue, teamID: own)),
      as: device,
      .replied(
        .leaderboard(
          TenantBoard(
            tenantSlug: slug, clubName: slug.text, leaderboardOptOut: optedOut,
            period: shown ?? period ?? .season, teams: rows))))
  }

  mutating func globalBoard(
    _ rows: [Row] = Self.everybody, own: TeamName? = nil, tenant: Slug? = nil,
    as device: EnrollmentID = "p"
  ) {
    ask(
      .globalLeaderboard(LeaderboardQuery(tenant: tenant, teamID: own)), as: device,
      .replied(.globalLeaderboard(GlobalBoard(period: .season, teams: rows))))
  }

  mutating func refusesBoard(
    _ code: KantineKoning.Refusal.Code, _ query: LeaderboardQuery, global: Bool = false
  ) {
    ask(global ? .globalLeaderboard(query) : .leaderboard(query), as: "p", Self.refused(code))
  }

  // MARK: Takeovers

  mutating func available(_ diensten: [Dienst]) {
    ask(.availableDiensten(currentTeam: nil), as: "m", .replied(.diensten(diensten)))
  }

  /// Offers the future dienst or takes it back; the answer shows it as it is then.
  mutating func offer(_ offered: Bool, shown: Bool? = nil, team: TeamName? = "1") {
    var dienst = Self.dienst(team: team)
    dienst.columns.offeredForTransfer = shown ?? offered
    ask(
      .offerTransfer(TransferOffer(dienstID: "future", offered: offered)), as: "m",
      .replied(.transfer(Transfer(dienst: dienst))))
  }

  mutating func claim(
    for team: TeamName, _ outcome: Outcome<KantineKoning>? = nil,
    lasting: Span = .milliseconds(100),
    then pause: Span = .seconds(5)
  ) {
    ask(
      .claimDienst(DienstClaim(dienstID: "future", team: team, token: .text("t"))), as: "m",
      outcome ?? .replied(.transfer(Transfer(dienst: Self.dienst(team: team), message: "ja"))),
      lasting: lasting, then: pause)
  }

  // MARK: Public reads

  mutating func summary(
    of code: TeamName = "1", _ hundredths: Int, shifts: Int, _ titles: [String] = []
  ) {
    ask(
      .seasonSummary(tenant: "a", teamCode: code),
      .replied(
        .seasonSummary(
          SeasonSummary(
            tenantClubName: "A", teamNaam: code.text, teamCode: code,
            seasonStats: .init(
              totalHours: DecimalHours(hundredths: hundredths), totalShifts: shifts,
              achievements: titles.map { .init(title: $0, description: "", icon: "") }),
            calculatedAt: now))))
  }

  mutating func banners(of tenant: Slug?, own: [BannerID], global: [BannerID]) {
    func banner(_ id: BannerID, _ slug: Slug) -> Banner {
      Banner(id: id, tenantSlug: slug, name: id.text, fileURL: "https://example.org/\(id).png")
    }
    ask(
      .banners(BannersQuery(tenant: tenant)),
      .replied(
        .banners(
          BannerLists(
            banners: own.map { banner($0, "a") }, globalBanners: global.map { banner($0, "") }))))
  }
}
