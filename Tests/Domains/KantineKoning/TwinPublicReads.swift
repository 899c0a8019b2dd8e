import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Kantine Koning's clubs, banners and season summaries` {
  // MARK: O12

  @Test func `KK-121: O12 finds clubs by name or slug without a token, whatever their case`() {
    var canteen = Canteen()
    #expect(canteen.ask(.searchClubs(query: " WILHELM ")).clubSlugs == [Canteen.wilhelmus])
    #expect(canteen.ask(.searchClubs(query: "v")).clubSlugs == [Canteen.agovv, Canteen.wilhelmus])
    #expect(canteen.ask(.searchClubs(query: "vvw")).clubSlugs == [Canteen.wilhelmus])
    #expect(canteen.ask(.searchClubs(query: "  ")).clubSlugs == [])
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: false, message: "Dicht"))
    #expect(
      canteen.ask(.searchClubs(query: "ago"))
        == .success(
          .clubs([
            FoundClub(
              slug: Canteen.agovv, name: "AGOVV", enrollmentOpen: false, enrollmentMessage: "Dicht")
          ])))
    canteen.operate(.changeTenant(.init(slug: Canteen.agovv, name: "Ajax")))
    #expect(canteen.ask(.searchClubs(query: "ajax")).clubSlugs == [Canteen.agovv])
  }

  @Test func `O12 answers at most fifty clubs, by name`() {
    var canteen = Canteen(fixture: Fixture())
    for number in 0..<60 {
      canteen.operate(.createTenant(.init(slug: "s\(99 - number)", name: "Club \(10 + number)")))
    }
    let found = canteen.ask(.searchClubs(query: "club")).clubSlugs
    #expect(found == (0..<50).map { "s\(99 - $0)" })
  }

  @Test func `O12 finds the clubs of other cells as they were at the last barrier`() {
    var canteen = Canteen()
    var other = Canteen(fixture: Fixture(tenants: [.init(slug: "zeist", name: "Zeist")]))
    func call(_ canteen: inout Canteen, _ other: inout Canteen) {
      let all = [other, canteen].compactMap { $0.twin.publication(at: $0.now) }
      canteen.twin.read(all)
      other.twin.read(all)
    }
    #expect(canteen.ask(.searchClubs(query: "zei")).clubSlugs == [])
    call(&canteen, &other)
    #expect(canteen.ask(.searchClubs(query: "zei")).clubSlugs == ["zeist"])
    #expect(other.ask(.searchClubs(query: "v")).clubSlugs == [Canteen.agovv, Canteen.wilhelmus])
    other.operate(.changeTenant(.init(slug: "zeist", name: "Utrecht")))
    #expect(canteen.ask(.searchClubs(query: "utr")).clubSlugs == [])
    call(&canteen, &other)
    #expect(canteen.ask(.searchClubs(query: "utr")).clubSlugs == ["zeist"])
    // Its opt-out is known here since then, and its rows are gone.
    other.operate(.setLeaderboardOptOut(tenant: "zeist", optOut: true))
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.globalBoard(token, tenant: "zeist").board?.count == 8)
    call(&canteen, &other)
    #expect(canteen.globalBoard(token, tenant: "zeist").refusal == .tenantOptedOut)
  }

  @Test func `a cell without clubs publishes nothing`() {
    let canteen = Canteen(fixture: Fixture())
    #expect(canteen.twin.publication(at: canteen.now) == nil)
  }

  // MARK: O19

  private static func banner(_ id: BannerID, _ tenant: Slug, _ order: Int) -> Banner {
    Banner(
      id: id, tenantSlug: tenant, name: id.text, fileURL: "https://x/\(id)", displayOrder: order)
  }

  @Test func `KK-122: tenant banners come with a tenant only, global ones always`() {
    var canteen = Canteen()
    for banner in [
      Self.banner("b", "", 2), Self.banner("a", "", 2), Self.banner("c", "", 1),
      Self.banner("w", Canteen.wilhelmus, 0),
    ] {
      let made = canteen.operate(.createBanner(banner))
      #expect(made == .success(.made(Made(id: banner.id.text))))
    }
    #expect(canteen.operate(.createBanner(Self.banner("w", "", 0))).refusal == .invalidParameter)
    #expect(canteen.operate(.createBanner(Self.banner("n", "no", 0))).refusal == .invalidParameter)
    let all = canteen.ask(.banners(.init())).banners
    #expect(all?.banners == [] && all?.globalBanners.map(\.id) == ["c", "a", "b"])
    let ours = canteen.ask(.banners(.init(tenant: Canteen.wilhelmus))).banners
    #expect(ours?.banners.map(\.id) == ["w"] && ours?.globalBanners.count == 3)
    #expect(canteen.ask(.banners(.init(tenant: Canteen.agovv))).banners?.banners == [])
    #expect(canteen.ask(.banners(.init(tenant: "nowhere"))).refusal == .tenantNotFound)
    #expect(canteen.operate(.removeBanner(id: "w")) == .success(.done))
    #expect(canteen.operate(.removeBanner(id: "w")).refusal == .invalidParameter)
    #expect(canteen.operate(.removeBanner(id: "a")) == .success(.done))
    #expect(canteen.ask(.banners(.init())).banners?.globalBanners.map(\.id) == ["c", "b"])
  }

  @Test func `KK-121: banners need no token, but one that is sent must be valid`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    let ask = KantineKoning.Request.banners(.init(tenant: Canteen.wilhelmus))
    #expect(canteen.ask(ask).banners != nil)
    #expect(canteen.ask(ask, with: token).banners != nil)
    #expect(canteen.ask(ask, with: .text("x")).refusal == .invalidToken)
    #expect(canteen.send(ask, from: .client(.malformed)).refusal == .unauthorized)
    let foreign = KantineKoning.Request.banners(.init(tenant: Canteen.agovv))
    #expect(canteen.ask(foreign, with: token).refusal == .tenantMismatch)
  }

  // MARK: O20

  private func summary(
    _ canteen: inout Canteen, _ team: TeamName = "VR1", of club: Slug = Canteen.wilhelmus
  ) -> KKAnswer {
    canteen.ask(.seasonSummary(tenant: club, teamCode: team))
  }

  @Test func `KK-114, KK-121: a summary is public, also after the season's end`() {
    var canteen = Canteen()
    canteen.work("VR1", 90)
    let before = summary(&canteen).seasonSummary
    #expect(before?.tenantClubName == "VV Wilhelmus" && before?.teamNaam == "Team VR1")
    #expect(before?.teamCode == "VR1" && before?.calculatedAt == canteen.now)
    #expect(before?.seasonStats.totalHours.hundredths == 150)
    #expect(before?.seasonStats.totalShifts == 1)
    #expect(summary(&canteen, "w-VR1").seasonSummary == before)
    canteen.operate(.endSeason(tenant: Canteen.wilhelmus))
    #expect(summary(&canteen).seasonSummary == before)
    // Until its reset it is the season that was ended.
    canteen.now = Instant("2026-09-01T00:00:00Z")!
    #expect(summary(&canteen).seasonSummary?.seasonStats == before?.seasonStats)
  }

  @Test func `KK-115: after a reset a deleted team is 410, a team that never was is 404`() {
    var canteen = Canteen()
    #expect(summary(&canteen, "none").refusal == .teamNotFound)
    #expect(summary(&canteen, of: "nowhere").refusal == .tenantNotFound)
    canteen.operate(.endSeason(tenant: Canteen.wilhelmus))
    canteen.operate(.resetSeason(tenant: Canteen.wilhelmus))
    #expect(summary(&canteen).refusal == .seasonDataDeleted)
    #expect(summary(&canteen, "w-VR1").refusal == .seasonDataDeleted)
    #expect(summary(&canteen, "none").refusal == .teamNotFound)
    #expect(KKRefusal(.seasonDataDeleted).status == 410)
    canteen.operate(
      .createTeam(.init(tenantSlug: Canteen.wilhelmus, id: "", code: "VR1", naam: "Vrouwen")))
    #expect(summary(&canteen).seasonSummary?.seasonStats.totalShifts == 0)
    #expect(summary(&canteen, "JO9-1").refusal == .seasonDataDeleted)
  }

  /// Saturdays from 5 September 2026, 10:00 local time being 08:00Z until the clocks go back on 25 October.
  private func season(
    _ count: Int, minutes: Int64, startingAt hour: Int64, weekday: Int64 = 0
  ) -> SeasonSummary.Statistics? {
    var fixture = Fixture.twoClubs
    fixture.diensten = []
    var canteen = Canteen(fixture: fixture)
    let saturday = CivilDate(year: 2026, month: 9, day: 5).daysSinceEpoch
    for number in 0..<Int64(count) {
      let date = CivilDate(daysSinceEpoch: saturday + weekday + 7 * number)
      let start = CivilZone.amsterdam.instant(date, .minutes(hour))
      canteen.work("VR1", minutes, until: start + .minutes(minutes))
    }
    canteen.now = Instant("2027-07-30T00:00:00Z")!
    return summary(&canteen).seasonSummary?.seasonStats
  }

  @Test func `KK-116: each achievement begins where it says`() {
    func titles(_ statistics: SeasonSummary.Statistics?) -> [String]? {
      statistics?.achievements.map(\.title)
    }
    // Weekdays, afternoons: hours and number alone.
    #expect(titles(season(16, minutes: 150, startingAt: 840, weekday: 2)) == ["Kantine Kampioen"])
    #expect(titles(season(16, minutes: 149, startingAt: 840, weekday: 2)) == [])
    #expect(titles(season(20, minutes: 30, startingAt: 840, weekday: 2)) == ["Trouwe Vrijwilliger"])
    #expect(titles(season(19, minutes: 30, startingAt: 840, weekday: 2)) == [])
    // Five before 10:00 local time, not at it.
    #expect(titles(season(5, minutes: 30, startingAt: 599, weekday: 2)) == ["Vroege Vogel"])
    #expect(titles(season(4, minutes: 30, startingAt: 599, weekday: 2)) == [])
    #expect(titles(season(9, minutes: 30, startingAt: 600, weekday: 2)) == [])
    // Ten on Saturdays or Sundays, across the change of the clocks; Fridays are none.
    #expect(titles(season(10, minutes: 30, startingAt: 840)) == ["Weekend Warrior"])
    #expect(titles(season(10, minutes: 30, startingAt: 840, weekday: 1)) == ["Weekend Warrior"])
    #expect(titles(season(9, minutes: 30, startingAt: 840)) == [])
    #expect(titles(season(10, minutes: 30, startingAt: 840, weekday: 6)) == [])
    #expect(titles(season(20, minutes: 120, startingAt: 540))?.count == 4)
  }

  @Test func `a summary names the month and the place with most diensten`() {
    var canteen = Canteen()
    func work(_ text: String, _ place: String?) {
      let end = Instant(text)!
      canteen.operate(
        .scheduleDienst(
          .init(
            id: "", tenantSlug: Canteen.wilhelmus, team: "VR1", startTijd: end - .hours(1),
            eindTijd: end, locatieNaam: place)))
    }
    #expect(summary(&canteen).seasonSummary?.seasonStats.favoriteLocation == nil)
    #expect(summary(&canteen).seasonSummary?.seasonStats.mostActiveMonth == nil)
    work("2026-03-01T12:00:00Z", "Bar")
    work("2025-10-01T12:00:00Z", nil)
    #expect(summary(&canteen).seasonSummary?.seasonStats.mostActiveMonth == "oktober")
    #expect(summary(&canteen).seasonSummary?.seasonStats.favoriteLocation == "Bar")
    work("2026-03-08T12:00:00Z", "Keuken")
    work("2026-01-08T12:00:00Z", "Keuken")
    #expect(summary(&canteen).seasonSummary?.seasonStats.mostActiveMonth == "maart")
    #expect(summary(&canteen).seasonSummary?.seasonStats.favoriteLocation == "Keuken")
  }

  // MARK: Names

  @Test func `a club's dienst types and locations are renamed where they are in use`() throws {
    var canteen = Canteen()
    let bar = DienstType(naam: "Bar", icon: "lucide-utensils")
    let club = Canteen.wilhelmus
    #expect(canteen.operate(.createDienstType(tenant: club, bar)) == .success(.done))
    #expect(canteen.operate(.createDienstType(tenant: club, bar)).refusal == .invalidParameter)
    #expect(canteen.operate(.createLocation(tenant: club, naam: "Zaal")) == .success(.done))
    #expect(
      canteen.operate(.createLocation(tenant: club, naam: "Zaal")).refusal == .invalidParameter)
    canteen.operate(
      .scheduleDienst(
        .init(
          id: "x", tenantSlug: club, team: "VR1", startTijd: canteen.now,
          eindTijd: canteen.now + .hours(1), locatieNaam: "Zaal", dienstType: bar)))
    let token = canteen.follow(["VR1"]).token
    var other = bar
    other.icon = "lucide-goal"
    canteen.operate(.changeDienstType(tenant: club, other))
    canteen.operate(.changeLocation(tenant: club, naam: "Zaal", to: "Foyer"))
    canteen.operate(.changeTeam(tenant: club, team: "VR1", naam: "Vrouwen 1"))
    guard case .success(.diensten(let list)) = canteen.diensten(token) else {
      Issue.record("no list")
      return
    }
    let dienst = try #require(list.first { $0.id == "x" })
    #expect(dienst.dienstType == other && dienst.locatieNaam == "Foyer")
    #expect(dienst.team?.naam == "Vrouwen 1")
    #expect(dienst.updatedAt == canteen.now + .milliseconds(3))
    for wrong: KantineKoning.Control in [
      .changeLocation(tenant: club, naam: "Zaal", to: "Bar"),
      .changeLocation(tenant: club, naam: "Foyer", to: ""),
      .changeDienstType(tenant: club, DienstType(naam: "none", icon: "x")),
      .changeTeam(tenant: club, team: "none", naam: "x"),
      .changeTeam(tenant: club, team: "VR1", naam: ""),
    ] {
      #expect(canteen.operate(wrong).refusal == .invalidParameter)
    }
    #expect(
      canteen.operate(.setLeaderboardOptOut(tenant: "no", optOut: true)).refusal == .tenantNotFound)
  }
}
