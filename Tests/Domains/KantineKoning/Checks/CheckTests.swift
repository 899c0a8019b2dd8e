import Contracts
import KantineKoningChecks
import KantineKoningContract
import Observations
import Testing
import Timekeeping

@Suite struct `Checks of Kantine Koning` {
  private static let cases =
    CheckCases.all + CheckCases.work + CheckCases.boardsAndTakeovers + CheckCases.app

  private static func judge(
    _ limit: KantineKoning.Rule, _ story: (inout CheckStory) -> Void
  ) -> Judge {
    var told = CheckStory()
    story(&told)
    let check = KantineKoningChecks.all.first { $0.rule == limit }!
    return told.judged(by: check)
  }

  @Test(arguments: cases)
  func `every check holds on good records and says that the rule was tried`(
    example: CheckCase
  ) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: cases)
  func `every check fails on records that break its rule`(example: CheckCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  @Test(arguments: cases)
  func `a rule that nobody tries counts nothing`(example: CheckCase) {
    #expect(Self.judge(example.limit) { _ in }.violations == 0)
  }

  @Test
  func `every check has its examples, every judged limit one check, and every other says why`() {
    let checked = KantineKoningChecks.all.map(\.rule)
    #expect(Set(checked).count == checked.count)
    #expect(Set(Self.cases.map(\.limit)) == Set(checked))
    for limit in KantineKoning.limits {
      #expect((limit.unjudged == nil) == checked.map(\.id).contains(limit.id), "\(limit.id)")
    }
    #expect(KantineKoning.limits.count == 140)
  }

  // MARK: What may not be taken for a violation

  @Test func `what goes to the token of an app that was deleted reaches no phone: KK-99`() {
    func judge(second token: String) -> Judge {
      Self.judge(.kk99) { story in
        story.receive(event: 1, at: "old")
        story.note(.reinstalled(from: "i", to: "j", lostDeviceIDs: ["p"]))
        story.receive(event: 2, at: "old")
        story.note(.pushTokenGiven(stableHash("new")))
        story.receive(event: 2, at: "new")
        story.receive(event: 2, at: token)
      }
    }
    #expect(judge(second: "old").violations == 0)
    #expect(judge(second: "new").violations == 1)
  }

  @Test func `a removed team's dienst may be taken over like any other: KK-86`() throws {
    let example = try #require(Self.cases.first { $0.limit == .kk86 })
    func judge(_ request: KantineKoning.Request) -> Judge {
      Self.judge(.kk86) { story in
        example.holds(&story)
        story.ask(
          request, as: "p", .replied(.diensten([CheckStory.dienst(team: "1")])))
      }
    }
    #expect(judge(.availableDiensten(currentTeam: "2")).violations == 0)
    #expect(
      judge(.diensten(DienstenQuery(tenant: "a", pastDays: nil, futureDays: nil))).violations == 1)
  }

  @Test func `a list shown while another refresh waits for its answers lacks nothing: KK-128`() {
    let (x, y) = (CheckStory.dienst("x"), CheckStory.dienst("y", tenant: "b"))
    func shown(_ diensten: Dienst...) -> KantineKoning.Note {
      .listShown(
        diensten.map { .init(id: $0.id, startTijd: $0.startTijd, updatedAt: $0.startTijd) })
    }
    /// Of two refreshes each waits for an answer that never comes; the second one's list is complete or not.
    func judge(_ last: KantineKoning.Note) -> Judge {
      Self.judge(.kk128) { story in
        let begun = story.now
        story.refresh([([x], "a", .seconds(1)), (nil, "b", .seconds(60))])
        let shownFirst = story.now
        story.now = begun + .seconds(2)
        story.refresh([(nil, "a", .seconds(60)), ([y], "b", .seconds(1))])
        let shownLast = story.now
        story.now = shownFirst
        story.note(shown(x))
        story.now = shownLast
        story.note(last)
      }
    }
    #expect(judge(shown(x, y)).violations == 0)
    #expect(judge(shown(x)).violations == 1)
  }

  @Test func `a lost answer to a registration leaves nothing to judge by: KK-15, KK-16, KK-67`() {
    for limit: KantineKoning.Rule in [.kk08, .kk15, .kk16, .kk40, .kk67, .kk68] {
      let judge = Self.judge(limit) { story in
        story.foreground()
        story.registers(
          .member(CheckStory.claims(["3"])), on: CheckStory.phoneP, .unknown(.timedOut))
        story.register(["4", "5"], on: CheckStory.phoneP, as: "n")
        story.sync(revoked: 1, removed: 1, affecting: ["a"])
      }
      #expect(judge.violations == 0, "\(limit): \(judge.evidence.map(\.what))")
    }
  }

  @Test func `a club that closes while a sync is under way decides nothing: KK-70`() {
    let judge = Self.judge(.kk70) { story in
      story.control(.setEnrollmentOpen(tenant: "b", open: false, message: nil))
      story.now = story.now - .seconds(5)
      story.sync([CheckStory.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
    }
    #expect(judge.exercised == 0)
  }

  @Test func `names under concurrent change may be there or not: KK-64`() {
    let judge = Self.judge(.kk64) { story in
      let long = Span.seconds(3)
      story.add(
        "Eva", .replied(.dienst(CheckStory.dienst(names: ["Jan", "Tim", "Eva"]))), lasting: long,
        then: .seconds(1))
      story.add("Tim", .replied(.dienst(CheckStory.dienst(names: ["Jan", "Tim"]))), lasting: long)
      story.remove("Tim", .unknown(.timedOut))
      story.add("Bo", .replied(.dienst(CheckStory.dienst(names: ["Jan", "Tim", "Eva", "Bo"]))))
      story.add("Al", .replied(.dienst(CheckStory.dienst(names: ["Jan", "Eva", "Bo", "Al"]))))
    }
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised == 4)
  }

  @Test
  func `an enrollment of a new identifier without a registration is seen by inspection: KK-06`() {
    let carried = Self.judge(.kk06) { story in
      story.note(.identifierChanged(from: "old", to: CheckStory.fresh, heldEnrollments: 1))
      story.inspect([CheckStory.row("x", ["1"])])
    }
    #expect(carried.violations == 1)
    let underWay = Self.judge(.kk06) { story in
      story.note(.identifierChanged(from: "old", to: CheckStory.fresh, heldEnrollments: 1))
      story.now += .seconds(10)
      story.inspect([CheckStory.row("n", ["3"])])
      story.now = story.now - .milliseconds(50)
      story.register(["3"], as: "n")
    }
    #expect(underWay.violations == 0 && underWay.exercised == 1)
  }

  @Test func `an expired token is judged before its end, too: KK-39`() {
    let judge = Self.judge(.kk39) { story in
      story.remember("soon", "a", .member, ["1"], exp: (story.now + .hours(1)).unixSeconds)
      story.list(nil, as: "soon", or: CheckStory.refused(.invalidToken))
    }
    #expect(judge.violations == 1)
  }

  @Test func `a name of too many bytes is too long, one of a few marks is not: KK-58`() {
    func judge(_ marks: Int, _ outcome: Outcome<KantineKoning>) -> Judge {
      Self.judge(.kk58) {
        $0.add("A" + String(repeating: "\u{0301}", count: marks), outcome)
      }
    }
    let taken = Outcome<KantineKoning>.replied(.dienst(CheckStory.dienst()))
    let refused = CheckStory.refused(.nameTooLong)
    #expect(judge(1_000, taken).violations == 1)
    #expect(judge(1_000, refused).violations == 0 && judge(1_000, refused).exercised == 1)
    #expect(judge(20, taken).violations == 0 && judge(20, refused).violations == 1)
  }

  @Test(arguments: ["\u{0}", "\u{200B}", "\u{FEFF}", " \u{2060}"])
  func `a name that nobody can see must not be taken: KK-60, KK-63`(name: String) {
    let taken = Self.judge(.kk60) { $0.add(name, .replied(.dienst(CheckStory.dienst()))) }
    #expect(taken.violations == 1)
    for limit: KantineKoning.Rule in [.kk60, .kk63] {
      #expect(Self.judge(limit) { $0.add(name, CheckStory.refused(.invalidName)) }.violations == 0)
    }
  }

  @Test func `a cancelled dienst must take no names, by app or by mail: KK-61`() {
    var cancelled = CheckStory.dienst(names: ["Jan"])
    cancelled.columns.status = .geannuleerd
    let claims = CallToActionClaims(
      tenantSlug: "a", dienstID: "future", team: "a-1", season: 0, exp: .max)
    let action = KantineKoning.Request.answerCallToAction(
      CallToAction(token: .issued(claims), names: ["Jan"]))
    #expect(Self.judge(.kk61) { $0.add("Jan", .replied(.dienst(cancelled))) }.violations == 1)
    #expect(Self.judge(.kk61) { $0.ask(action, .replied(.dienst(cancelled))) }.violations == 1)
    #expect(Self.judge(.kk61) { $0.remove("Jan", .replied(.dienst(cancelled))) }.violations == 0)
  }

  @Test func `a mail of an ended season must let nobody enter names: KK-113`() {
    func judge(_ season: Int, _ outcome: Outcome<KantineKoning>) -> Judge {
      Self.judge(.kk113) { story in
        story.control(.endSeason(tenant: "a"))
        let claims = CallToActionClaims(
          tenantSlug: "a", dienstID: "future", team: "a-1", season: season, exp: .max)
        story.ask(
          .answerCallToAction(CallToAction(token: .issued(claims), names: ["Jan"])), outcome)
      }
    }
    let taken = Outcome<KantineKoning>.replied(.dienst(CheckStory.dienst()))
    let refused = CheckStory.refused(.invalidOrExpiredToken)
    #expect(judge(0, taken).violations == 1)
    #expect(judge(0, refused).violations == 0 && judge(0, refused).exercised == 1)
    #expect(judge(1, taken).exercised == 0, "given out after the end")
  }

  @Test(arguments: ["", " a", "A", "a "])
  func `a slug that no club can have breaks a sync: KK-78`(slug: Slug) {
    func judge(_ slug: Slug) -> Judge {
      Self.judge(.kk78) { $0.sync([CheckStory.item(slug, "member", ["1", "2"])]) }
    }
    #expect(judge(slug).violations == 1)
    #expect(judge("no-such-club").violations == 0)
  }

  @Test func `what another enrollment of the phone follows is not shown unasked: KK-37, KK-48`() {
    func judge(_ limit: KantineKoning.Rule, team: TeamName) -> Judge {
      Self.judge(limit) { story in
        story.register(["3"], on: CheckStory.phoneP, as: "n")
        story.list([CheckStory.dienst(team: team)])
      }
    }
    #expect(judge(.kk37, team: "3").violations == 1)
    #expect(judge(.kk37, team: "6").violations == 0, "that is KK-48's")
    #expect(judge(.kk48, team: "6").violations == 1)
    #expect(judge(.kk38, team: "6").violations == 0)
  }

  @Test func `white space at the ends of a name is told by scalars, as the backend does: KK-60`() {
    let marked = " \u{0301}x"
    let judge = Self.judge(.kk62) {
      $0.add(marked, .replied(.dienst(CheckStory.dienst(names: ["\u{0301}x"]))))
    }
    #expect(judge.violations == 0 && judge.exercised == 1)
  }
}
