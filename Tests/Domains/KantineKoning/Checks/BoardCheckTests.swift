import Contracts
import KantineKoningChecks
import KantineKoningContract
import Observations
import Testing
import Timekeeping

@Suite struct `Checks of boards and takeovers` {
  private static func judge(_ limit: KantineKoning.Rule, _ story: (inout CheckStory) -> Void)
    -> Judge
  {
    var told = CheckStory()
    story(&told)
    return told.judged(by: KantineKoningChecks.all.first { $0.rule == limit }!)
  }

  /// A dienst of club `b` that ends two hours and a half after the start.
  private static func endsLater(_ story: inout CheckStory) {
    story.control(
      .scheduleDienst(
        .init(
          id: "new", tenantSlug: "b", team: "2", startTijd: CheckStory.start + .minutes(90),
          eindTijd: CheckStory.start + .minutes(150))))
  }

  private static let fresh = CheckStory.everybody.map { row in
    row.club?.slug == "b" && row.team.code == "2"
      ? CheckStory.row(2, "2", 100, of: "b", global: true) : row
  }

  @Test
  func `a row of another club may be an hour old and no older: KK-101 and global_board_max_age`() {
    let inTime = Self.judge(.kk101) { story in
      Self.endsLater(&story)
      story.now = CheckStory.start + .minutes(200)
      story.globalBoard()
      story.globalBoard(Self.fresh)
    }
    #expect(inTime.violations == 0 && inTime.exercised == 2, "\(inTime.evidence.map(\.what))")
    let late = Self.judge(.kk101) { story in
      Self.endsLater(&story)
      story.now = CheckStory.start + .minutes(211)
      story.globalBoard()
    }
    #expect(late.violations == 1)
  }

  @Test func `the rows of the club that asks are current: KK-101`() {
    let judge = Self.judge(.kk101) { story in
      Self.endsLater(&story)
      story.now = CheckStory.start + .minutes(155)
      story.globalBoard(as: "q")
    }
    #expect(judge.violations == 1)
  }

  @Test func `a row with more hours than the team can have worked is found: KK-101`() {
    let judge = Self.judge(.kk101) { story in
      story.now += .hours(2)
      story.globalBoard(
        [CheckStory.row(1, "1", 2_500, global: true)] + CheckStory.everybody.dropFirst())
    }
    #expect(judge.violations == 1)
  }

  @Test func `a dienst that ends while the board is under way decides nothing: KK-107`() {
    let judge = Self.judge(.kk107) { story in
      story.control(
        .scheduleDienst(
          .init(
            id: "new", tenantSlug: "a", team: "2", startTijd: story.now + .minutes(1),
            eindTijd: story.now + .minutes(61))))
      story.now += .minutes(61) - .milliseconds(5_050)
      story.board()
    }
    #expect(judge.exercised == 0)
  }

  @Test func `hours follow a dienst to the team that takes it over: KK-107`() {
    let week = CheckStory.start + .days(7) + .hours(25)
    func told(_ rows: [LeaderboardEntry]) -> Judge {
      Self.judge(.kk107) { story in
        story.offer(true)
        story.claim(for: "2")
        story.now = week
        story.board(rows)
      }
    }
    let both = [CheckStory.row(1, "1", 2_400), CheckStory.row(1, "2", 2_400)]
    let rest = CheckStory.season.dropFirst(2)
    #expect(told(both + rest).violations == 0)
    #expect(told([CheckStory.row(1, "1", 4_800)] + CheckStory.season.dropFirst()).violations == 1)
  }

  @Test func `nobody knows who worked when the answer to a claim was lost: KK-107`() {
    let judge = Self.judge(.kk107) { story in
      story.claim(for: "2", .unknown(.timedOut))
      story.now = CheckStory.start + .days(7) + .hours(25)
      story.board()
    }
    #expect(judge.exercised == 0)
  }

  @Test func `the own team outside the top ten has its true rank: KK-103`() {
    let ten = (1...10).map { CheckStory.row($0, "T\($0)", 2_400 - 100 * $0) }
    let good = Self.judge(.kk103) {
      $0.board(ten + [CheckStory.row(11, "T11", own: true)], own: "T11")
    }
    #expect(good.violations == 0 && good.exercised == 1)
    let bad = Self.judge(.kk103) {
      $0.board(ten + [CheckStory.row(7, "T11", own: true)], own: "T11")
    }
    #expect(bad.violations == 1)
  }

  @Test func `a dienst that nobody offered is not taken over: KK-118`() {
    #expect(Self.judge(.kk118) { $0.claim(for: "2") }.violations == 1)
  }

  @Test func `an offer without an answer may have been one: KK-118`() {
    let judge = Self.judge(.kk118) { story in
      story.ask(
        .offerTransfer(TransferOffer(dienstID: "future", offered: true)), as: "m",
        .unknown(.timedOut))
      story.claim(for: "2")
    }
    #expect(judge.violations == 0)
  }

  @Test func `a takeover takes the names off, and none of them may come back: KK-64`() {
    func told(_ names: [String]) -> Judge {
      Self.judge(.kk64) { story in
        story.offer(true)
        story.claim(for: "1")
        story.add("Eva", .replied(.dienst(CheckStory.dienst(names: names))))
      }
    }
    // The offer's own answer hides Jan, who is on the dienst from the start.
    #expect(told(["Eva"]).violations == 1)
    #expect(told(["Jan", "Eva"]).violations == 2)
  }

  @Test func `names that come by mail are names like others: KK-64`() {
    let token = CallToActionToken.issued(
      CallToActionClaims(tenantSlug: "a", dienstID: "future", team: "a-1", season: 0, exp: .max))
    let judge = Self.judge(.kk64) { story in
      story.ask(
        .answerCallToAction(CallToAction(token: token, names: ["Eva", "Bo"])),
        .replied(.dienst(CheckStory.dienst(names: ["Jan", "Eva", "Bo"]))))
      story.add("Al", .replied(.dienst(CheckStory.dienst(names: ["Jan", "Eva", "Bo", "Al"]))))
    }
    #expect(judge.violations == 0 && judge.exercised == 2)
  }

  @Test func `the summary of a deleted team is gone, that of any other never was: KK-115`() {
    func told(_ code: TeamName, _ refusal: KantineKoning.Refusal.Code) -> Int {
      Self.judge(.kk115) { story in
        story.control(.endSeason(tenant: "a"))
        story.control(.resetSeason(tenant: "a"))
        story.ask(.seasonSummary(tenant: "a", teamCode: code), CheckStory.refused(refusal))
      }.violations
    }
    #expect(told("1", .seasonDataDeleted) == 0)
    #expect(told("1", .teamNotFound) == 1)
    #expect(told("ZZ", .teamNotFound) == 0)
    #expect(told("ZZ", .seasonDataDeleted) == 1)
  }

  @Test func `the summary of an ended season stays public: KK-114`() {
    let judge = Self.judge(.kk114) { story in
      story.control(.endSeason(tenant: "a"))
      story.ask(
        .seasonSummary(tenant: "a", teamCode: "1"), CheckStory.refused(.tenantNotFound))
    }
    #expect(judge.violations == 1)
  }
}
