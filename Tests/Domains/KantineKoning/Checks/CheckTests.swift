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
    _ limit: LimitID, _ story: (inout CheckStory) -> Void
  ) -> Judge {
    var told = CheckStory()
    story(&told)
    let check = KantineKoningChecks.all.first { $0.limit == limit }!
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
    let checked = KantineKoningChecks.all.map(\.limit)
    #expect(Set(checked).count == checked.count)
    #expect(Set(Self.cases.map(\.limit)) == Set(checked))
    for limit in KantineKoning.limits {
      #expect((limit.unjudged == nil) == checked.contains(limit.id), "\(limit.id)")
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
    for limit: LimitID in [.kk08, .kk15, .kk16, .kk40, .kk67, .kk68] {
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
}
