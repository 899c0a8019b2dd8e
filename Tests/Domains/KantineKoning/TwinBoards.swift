import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

extension Canteen {
  /// A dienst of some minutes that ends now, or at another instant.
  mutating func work(
    _ team: TeamName?, _ minutes: Int64, of club: Slug = Canteen.wilhelmus, id: DienstID = "",
    until end: Instant? = nil
  ) {
    let end = end ?? now
    operate(
      .scheduleDienst(
        .init(
          id: id, tenantSlug: club, team: team, startTijd: end - .minutes(minutes), eindTijd: end)))
  }

  mutating func board(
    _ token: DeviceToken, _ period: String? = nil, own: TeamName? = nil, tenant: Slug? = nil
  ) -> KKAnswer {
    ask(.leaderboard(.init(tenant: tenant, period: period, teamID: own)), with: token)
  }

  mutating func globalBoard(
    _ token: DeviceToken, _ period: String? = nil, own: TeamName? = nil, tenant: Slug? = nil
  ) -> KKAnswer {
    ask(.globalLeaderboard(.init(tenant: tenant, period: period, teamID: own)), with: token)
  }

  /// Twelve teams, the first with twelve half hours and so on; the last of them has one.
  mutating func manyTeams() {
    for number in 1...12 {
      operate(
        .createTeam(.init(tenantSlug: Self.agovv, id: "", code: "X\(number)", naam: "X\(number)")))
      work("X\(number)", Int64(30 * (13 - number)), of: Self.agovv)
    }
  }
}

extension [LeaderboardEntry] {
  func row(_ code: TeamName) -> LeaderboardEntry? { first { $0.team.code == code } }
}

@Suite struct `Kantine Koning's leaderboards` {
  /// No dienst of the usual fixture has ended on these boards but those that a test adds.
  private static var bare: Canteen {
    var fixture = Fixture.twoClubs
    fixture.diensten = []
    return Canteen(fixture: fixture)
  }

  @Test func `KK-101: a tenant board ranks one club's teams, the global board those of all clubs`()
  {
    var canteen = Self.bare
    let token = canteen.follow(["JO11-3"]).token
    let board = canteen.board(token)
    #expect(board.tenantBoard?.tenantSlug == Canteen.wilhelmus)
    #expect(board.tenantBoard?.clubName == "VV Wilhelmus")
    #expect(board.board?.count == 6 && board.board?.allSatisfy { $0.club == nil } == true)
    let global = canteen.globalBoard(token).board
    #expect(global?.count == 8)
    #expect(Set(global?.map { $0.club?.slug } ?? []) == [Canteen.wilhelmus, Canteen.agovv])
  }

  @Test func `KK-102: team_id by code or id marks the own team, and no other`() {
    var canteen = Self.bare
    let token = canteen.follow(["JO11-3"]).token
    for name: TeamName in ["VR1", "w-VR1"] {
      #expect(
        canteen.board(token, own: name).board?.filter(\.highlighted).map(\.team.code) == ["VR1"])
      #expect(
        canteen.globalBoard(token, own: name).board?.filter(\.highlighted).map(\.team.id)
          == ["w-VR1"])
    }
    for name: TeamName in ["nobody", "a-JO10-5"] {
      #expect(canteen.board(token, own: name).board?.contains(where: \.highlighted) == false)
      #expect(canteen.globalBoard(token, own: name).board?.contains(where: \.highlighted) == false)
    }
  }

  @Test func `KK-103: ten rows, and the own team behind them with its true rank`() {
    var canteen = Self.bare
    canteen.manyTeams()
    let token = canteen.follow(["X1"], of: Canteen.agovv).token
    #expect(canteen.board(token).board?.map(\.rank) == Array(1...10))
    let eleven = canteen.board(token, own: "X11").board
    #expect(eleven?.count == 11 && eleven?.last?.team.code == "X11")
    #expect(eleven?.last?.rank == 11 && eleven?.last?.highlighted == true)
    #expect(canteen.board(token, own: "X10").board?.count == 10)
    // The two clubs' teams without any work share a rank.
    #expect(canteen.globalBoard(token, own: "JO10-5").board?.last?.rank == 13)
    #expect(canteen.globalBoard(token, own: "X12").board?.last?.rank == 12)
  }

  @Test func `KK-104: a club that has left is absent, as if it did not exist, until it is back`() {
    var canteen = Self.bare
    canteen.manyTeams()
    canteen.work("VR1", 30)
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.globalBoard(token, own: "VR1").board?.last?.rank == 12)
    canteen.operate(.setLeaderboardOptOut(tenant: Canteen.agovv, optOut: true))
    let alone = canteen.globalBoard(token, own: "VR1").board
    #expect(alone?.count == 6 && alone?.row("VR1")?.rank == 1)
    canteen.operate(.setLeaderboardOptOut(tenant: Canteen.agovv, optOut: false))
    #expect(canteen.globalBoard(token, own: "VR1").board?.last?.rank == 12)
  }

  @Test func `KK-105: who has left is refused the global board and keeps the own`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.board(token).tenantBoard?.leaderboardOptOut == false)
    canteen.operate(.setLeaderboardOptOut(tenant: Canteen.wilhelmus, optOut: true))
    #expect(canteen.globalBoard(token).refusal == .tenantOptedOut)
    #expect(canteen.globalBoard(token, tenant: Canteen.wilhelmus).refusal == .tenantOptedOut)
    #expect(canteen.globalBoard(token, "soon").refusal == .tenantOptedOut)
    #expect(canteen.globalBoard(token, tenant: Canteen.agovv).board?.count == 2)
    #expect(canteen.board(token).tenantBoard?.leaderboardOptOut == true)
    #expect(canteen.board(token).board?.count == 6)
    #expect(KKRefusal(.tenantOptedOut).status == 403)
  }

  @Test(arguments: [(59, 0, 98), (60, 1, 100), (119, 1, 198), (120, 2, 200), (20, 0, 33)])
  func `KK-106: one point per whole hour of the sum`(minutes: Int64, points: Int, hundredths: Int) {
    var canteen = Self.bare
    canteen.work("VR1", minutes)
    let row = canteen.board(canteen.follow(["VR1"]).token).board?.row("VR1")
    #expect(row?.points == points && row?.totalHours.hundredths == hundredths)
  }

  @Test func `KK-106: halves of hours of two diensten make a point`() {
    var canteen = Self.bare
    canteen.work("VR1", 90)
    canteen.work("VR1", 30, until: canteen.now - .hours(3))
    #expect(canteen.board(canteen.follow(["VR1"]).token).board?.row("VR1")?.points == 2)
  }

  @Test func `KK-107: a dienst counts from the instant of its end, and not 1 ms before`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    let end = canteen.now + .hours(2)
    canteen.work("VR1", 60, until: end)
    canteen.now = end - .milliseconds(1)
    #expect(canteen.board(token).board?.row("VR1")?.points == 0)
    canteen.now = end
    #expect(canteen.board(token).board?.row("VR1")?.points == 1)
  }

  @Test func `KK-107: cancelled and unassigned diensten do not count, names make no difference`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    canteen.work("VR1", 60, id: "x")
    #expect(canteen.board(token).board?.row("VR1")?.points == 1)
    canteen.operate(.assignDienst(id: "x", team: "1"))
    #expect(canteen.board(token).board?.row("VR1")?.points == 0)
    #expect(canteen.board(token).board?.row("1")?.points == 1)
    canteen.operate(.assignDienst(id: "x", team: nil))
    #expect(canteen.board(token).board?.allSatisfy { $0.points == 0 } == true)
    canteen.operate(.assignDienst(id: "x", team: "VR1"))
    canteen.operate(.changeDienst(.init(id: "x", startTijd: canteen.now - .hours(5))))
    #expect(canteen.board(token).board?.row("VR1")?.points == 5)
    canteen.operate(.changeDienst(.init(id: "x", eindTijd: canteen.now + .hours(1))))
    #expect(canteen.board(token).board?.row("VR1")?.points == 0)
    canteen.operate(.changeDienst(.init(id: "x", eindTijd: canteen.now)))
    canteen.operate(.cancelDienst(id: "x"))
    #expect(canteen.board(token).board?.row("VR1")?.points == 0)
  }

  @Test func `a club may let only diensten count that somebody is on`() {
    var configuration = KantineKoningConfiguration()
    configuration.deployment.leaderboardRequiresNames = true
    var fixture = Fixture.twoClubs
    fixture.diensten = []
    var canteen = Canteen(configuration: configuration, fixture: fixture)
    let token = canteen.manage(["JO11-3"]).token
    let end = canteen.now + .hours(1)
    for id: DienstID in ["with", "without"] { canteen.work("JO11-3", 60, id: id, until: end) }
    canteen.add("Jan", to: "with", with: token)
    canteen.now = end
    #expect(canteen.board(token).board?.row("JO11-3")?.points == 1)
  }

  @Test func `KK-108: equal rows share a rank, and name, slug and code order them`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    canteen.work("VR1", 120)
    canteen.work("1", 90)
    canteen.work("MO13-1", 90)
    canteen.work("JO9-1", 60)
    let rows = canteen.board(token).board
    #expect(rows?.map(\.rank) == [1, 2, 2, 4, 5, 5])
    #expect(rows?.map(\.team.code) == ["VR1", "1", "MO13-1", "JO9-1", "JO11-1", "JO11-3"])
    canteen.operate(.changeTeam(tenant: Canteen.wilhelmus, team: "1", naam: "zondag"))
    canteen.operate(.changeTeam(tenant: Canteen.wilhelmus, team: "MO13-1", naam: "ZATERDAG"))
    #expect(canteen.board(token).board?[1].team.code == "MO13-1")
    // Points are equal, minutes are not.
    canteen.work("1", 10, until: canteen.now - .hours(5))
    #expect(canteen.board(token).board?[1].team.code == "1")
    #expect(canteen.board(token).board?.map(\.rank) == [1, 2, 3, 4, 5, 5])
  }

  @Test(
    arguments: [
      // The Monday after the clocks went forward, a month's first, a season's first: local midnight.
      ("week", "2026-03-29T22:00:00Z"), ("week", "2026-10-25T23:00:00Z"),
      ("month", "2026-03-31T22:00:00Z"), ("month", "2026-10-31T23:00:00Z"),
      ("season", "2026-07-31T22:00:00Z"),
    ])
  func `KK-109: a period begins at local midnight, and a dienst must start in it`(
    period: String, text: String
  ) {
    let begins = Instant(text)!
    var fixture = Fixture.twoClubs
    fixture.diensten = []
    var configuration = KantineKoningConfiguration()
    configuration.deployment.deviceTokenLifetime = .none
    var canteen = Canteen(configuration: configuration, fixture: fixture)
    let token = canteen.follow(["VR1"]).token
    canteen.work("VR1", 61, until: begins + .minutes(60))
    canteen.work("1", 60, until: begins + .minutes(60))
    canteen.now = begins - .milliseconds(1)
    canteen.work("JO9-1", 120)
    #expect(canteen.board(token, period).board?.row("JO9-1")?.points == 2)
    canteen.now = begins
    #expect(canteen.board(token, period).board?.allSatisfy { $0.points == 0 } == true)
    canteen.now = begins + .minutes(60)
    #expect(canteen.board(token, period).board?.row("1")?.points == 1)
    #expect(canteen.board(token, period).board?.row("VR1")?.points == 0)
  }

  @Test func `KK-109: the default is the season, and other words are refused after the token`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.board(token).tenantBoard?.period == .season)
    #expect(canteen.board(token, "week").tenantBoard?.period == .week)
    for word in ["Week", "", "year"] {
      #expect(canteen.board(token, word).refusal == .invalidParameter)
      #expect(canteen.globalBoard(token, word).refusal == .invalidParameter)
    }
    #expect(canteen.board(token, "year", tenant: "nowhere").refusal == .tenantNotFound)
    #expect(canteen.board(.text("x"), "year").refusal == .invalidToken)
    #expect(canteen.ask(.leaderboard(.init())).refusal == .unauthorized)
  }

  @Test func `KK-110: points and ranks of seven days ago, to the millisecond`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    canteen.work("VR1", 90)
    canteen.work("1", 60, until: canteen.now - .days(8))
    canteen.now += .days(7) - .milliseconds(1)
    var rows = canteen.board(token).board
    #expect(rows?.row("VR1")?.recentChange == 1 && rows?.row("VR1")?.positionChange == 1)
    #expect(rows?.row("1")?.recentChange == 0 && rows?.row("1")?.positionChange == -1)
    canteen.now += .milliseconds(1)
    rows = canteen.board(token).board
    #expect(rows?.row("VR1")?.recentChange == 0 && rows?.row("VR1")?.positionChange == 0)
    // Half hours that made a whole one with those before: points of now less points of then.
    canteen.work("VR1", 30)
    #expect(canteen.board(token).board?.row("VR1")?.recentChange == 1)
    #expect(canteen.globalBoard(token).board?.row("VR1")?.recentChange == 1)
  }

  @Test func `KK-110: nobody rises in a period that was not there seven days ago`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    let month = Instant("2026-03-31T22:00:00Z")!
    canteen.now = month + .days(7) - .milliseconds(1)
    canteen.work("VR1", 60)
    #expect(canteen.board(token, "month").board?.row("VR1")?.positionChange == 0)
    #expect(canteen.board(token, "month").board?.row("VR1")?.recentChange == 1)
    canteen.now += .milliseconds(1)
    // Seven days ago, at the month's beginning, all were first.
    #expect(canteen.board(token, "month").board?.row("VR1")?.positionChange == 0)
    #expect(canteen.board(token, "month").board?.row("1")?.positionChange == -1)
  }

  @Test func `KK-111: any token reads the global board, the tenant board only the tenant's`() {
    var canteen = Self.bare
    let token = canteen.follow(["JO10-5"], of: Canteen.agovv).token
    #expect(canteen.globalBoard(token, tenant: Canteen.wilhelmus).board?.count == 8)
    let marked = canteen.globalBoard(token, own: "VR1", tenant: Canteen.wilhelmus).board
    #expect(marked?.row("VR1")?.highlighted == true)
    #expect(canteen.globalBoard(token, tenant: "nowhere").refusal == .tenantNotFound)
    #expect(canteen.board(token, tenant: Canteen.wilhelmus).refusal == .tenantMismatch)
    #expect(canteen.board(token, tenant: Canteen.agovv).board?.count == 2)
  }

  @Test func `KK-112: teams without points take part with 0`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    let rows = canteen.board(token).board ?? []
    #expect(rows.count == 6 && rows.allSatisfy { $0.points == 0 && $0.rank == 1 })
  }

  @Test func `KK-115: a reset takes a club's diensten and teams off the boards`() {
    var canteen = Self.bare
    let token = canteen.follow(["VR1"]).token
    canteen.work("JO10-5", 120, of: Canteen.agovv)
    #expect(canteen.globalBoard(token).board?.first?.team.code == "JO10-5")
    canteen.operate(.endSeason(tenant: Canteen.agovv))
    #expect(canteen.globalBoard(token).board?.first?.team.code == "JO10-5")
    canteen.operate(.resetSeason(tenant: Canteen.agovv))
    #expect(canteen.globalBoard(token).board?.count == 6)
    canteen.operate(
      .createTeam(.init(tenantSlug: Canteen.agovv, id: "", code: "JO10-5", naam: "JO10-5")))
    #expect(canteen.globalBoard(token).board?.row("JO10-5")?.points == 0)
  }

  @Test(arguments: [KantineKoning.Rule.kk104, .kk107, .kk109])
  func `a rule that is switched off in a run recounts what was counted`(rule: KantineKoning.Rule) {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    canteen.work("JO10-5", 60, of: Canteen.agovv)
    canteen.work("VR1", 60, id: "x", until: canteen.now - .days(20))
    canteen.operate(.cancelDienst(id: "x"))
    canteen.operate(.setLeaderboardOptOut(tenant: Canteen.agovv, optOut: true))
    let before = canteen.globalBoard(token, "week").board
    canteen.operate(.setRule(rule, binds: false))
    let off = canteen.globalBoard(token, rule == .kk107 ? nil : "week").board
    canteen.operate(.setRule(rule, binds: true))
    #expect(off != before && canteen.globalBoard(token, "week").board == before)
  }
}
