import Contracts
import KantineKoningChecks
import KantineKoningContract
import Observations
import Testing
import Timekeeping

private typealias S = CheckStory

/// What a backend gets wrong while it keeps the rule in the plain case.
@Suite struct `Subtle mistakes of a canteen's backend` {
  private static let plain = [
    CheckCase(.kk15) {
      $0.registers(
        .member(S.claims(["3", "4", "5"])), on: S.phoneP, S.refused(.enrollmentLimitExceeded))
    } fails: {
      let six: [TeamName] = ["1", "2", "3", "4", "5", "6"]
      $0.ask(
        .requestEnrollment(
          EnrollmentRequest(email: "m@a.example", tenantSlug: "a", teamCodes: six)),
        .replied(.emailSent))
    },
    CheckCase(.kk22) {
      $0.register(["1", "2"], on: S.phoneP, as: "n")
      $0.list(nil, as: "p")
    } fails: {
      $0.register(["1", "2"], on: S.phoneP, as: "n")
      $0.list([], as: "p")
    },
    CheckCase(.kk20) {
      $0.register(["1", "2"], role: .manager, on: S.phoneP, as: "n")
      $0.list(nil, as: "p")
    } fails: {
      $0.register(["1", "2"], role: .manager, on: S.phoneP, as: "n")
      $0.list([], as: "p")
    },
    CheckCase(.kk29) {
      $0.registers(.member(S.claims(["3"], lifetime: -600)), S.refused(.enrollmentExpired))
    } fails: {
      $0.registers(
        .member(S.claims(["3"], lifetime: -600)),
        .replied(.registered($0.answer("p", "a", .member, ["3"]))))
    },
    CheckCase(.kk36) {
      $0.list(nil, as: "q", tenant: "a", or: S.refused(.tenantMismatch))
    } fails: {
      $0.list(nil, as: "q", tenant: "a", or: S.refused(.teamAccessDenied))
    },
    CheckCase(.kk41) {
      $0.control(.revokeEnrollment(deviceID: "p", reason: .adminRevoked))
      $0.list(nil, as: "p", or: S.refused(.tokenRevoked, .adminRevoked))
    } fails: {
      $0.control(.revokeEnrollment(deviceID: "p", reason: .adminRevoked))
      $0.list(nil, as: "p", or: S.refused(.tokenRevoked, .securityBreach))
    },
    CheckCase(.kk45) {
      $0.list([S.dienst("past", start: S.start - .days(7)), S.dienst()])
    } fails: {
      $0.list([S.dienst()])
    },
    CheckCase(.kk46) {
      $0.list([S.dienst("past", start: S.start - .days(7)), S.dienst()])
    } fails: {
      $0.list([S.dienst("past", start: S.start - .days(7))])
    },
    CheckCase(.kk48) {
      $0.list([S.dienst("past", start: S.start - .days(7)), S.dienst()])
    } fails: {
      $0.list([S.dienst(), S.dienst("past", start: S.start - .days(7))])
    },
    CheckCase(.kk52) {
      renamed(&$0, version: 120)
    } fails: {
      renamed(&$0, version: 1)
    },
    CheckCase(.kk53) {
      $0.add("Eva", to: "other", S.refused(.dienstNotFound))
    } fails: {
      $0.add("Eva", to: "other", S.refused(.teamAccessDenied))
    },
    CheckCase(.kk59) {
      $0.add("Jan", S.refused(.volunteerExists))
    } fails: {
      $0.add("jan", S.refused(.volunteerExists))
    },
    CheckCase(.kk62) {
      $0.add("Eva", .replied(.dienst(S.dienst(names: ["Jan", "Eva"]))))
    } fails: {
      var dienst = S.dienst(names: ["Jan", "Eva"])
      dienst.columns.status = .gedeeltelijk
      $0.add("Eva", .replied(.dienst(dienst)))
    },
    CheckCase(.kk67) {
      $0.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
    } fails: {
      $0.sync(revoked: 1, affecting: ["b"])
    },
    CheckCase(.kk86) {
      $0.ask(.removeAll, as: "p", .replied(.enrollmentsRevoked(2)))
    } fails: {
      $0.ask(.removeAll, as: "p", .replied(.enrollmentsRevoked(3)))
    },
    CheckCase(.kk117) {
      $0.available([S.dienst(team: nil)])
    } fails: {
      $0.available([S.dienst(team: nil, start: S.start + .days(61))])
    },
    CheckCase(.kk121) {
      $0.ask(.searchClubs(query: "B"), .replied(.clubs([FoundClub(slug: "b", name: "B")])))
    } fails: {
      $0.ask(.searchClubs(query: "B"), .replied(.clubs([])))
    },
    CheckCase(.kk121) {
      $0.ask(
        .searchTeams(tenant: "b", query: "1"),
        .replied(.teams([TeamInfo(id: "b-1", code: "1", naam: "1")])))
    } fails: {
      $0.ask(.searchTeams(tenant: "b", query: "1"), .replied(.teams([])))
    },
    CheckCase(.kk121) {
      searches(&$0, finding: ["1", "10", "11"])
    } fails: {
      searches(&$0, finding: ["1", "10"])
    },
    CheckCase(.kk121) {
      searches(&$0, finding: ["1", "10", "11"])
    } fails: {
      searches(&$0, finding: ["1", "10", "11", "12"])
    },
    CheckCase(.kk121) {
      searches(&$0, finding: ["1", "10", "11"])
    } fails: {
      searches(&$0, finding: ["1", "10", "12"])
    },
    CheckCase(.kk121) {
      looksFor(&$0, saying: nil)
    } fails: {
      looksFor(&$0, saying: "dicht")
    },
  ]

  /// Three teams of four are found at the most.
  @Sendable private static func searches(_ story: inout CheckStory, finding codes: [TeamName]) {
    for code: TeamName in ["10", "11", "12"] {
      story.control(
        .createTeam(.init(tenantSlug: "a", id: "a-\(code)", code: code, naam: code.text)))
    }
    story.control(.configure(Adjustment { $0.searchMaxResults = 3 }))
    story.ask(
      .searchTeams(tenant: "a", query: "1"),
      .replied(.teams(codes.map { TeamInfo(id: "a-\($0)", code: $0, naam: $0.text) })))
  }

  /// A club that is open again.
  @Sendable private static func looksFor(_ story: inout CheckStory, saying message: String?) {
    for isOpen in [false, true] {
      story.control(
        .setEnrollmentOpen(tenant: "b", open: isOpen, message: isOpen ? nil : "dicht"))
    }
    let found = FoundClub(slug: "b", name: "B", enrollmentMessage: message)
    story.ask(.searchClubs(query: "B"), .replied(.clubs([found])))
  }

  /// The club gives a dienst another place, and the list shows it.
  @Sendable private static func renamed(_ story: inout CheckStory, version: Int64) {
    story.control(.changeDienst(.init(id: "future", locatieNaam: "Veld 2")))
    var dienst = S.dienst(version: version)
    dienst.columns.eindTijd = S.start + .days(8)
    dienst.columns.locatieNaam = "Veld 2"
    story.list([dienst])
  }

  private static func judge(
    _ limit: KantineKoning.Rule, _ story: (inout CheckStory) -> Void
  ) -> Judge {
    var told = CheckStory()
    story(&told)
    let check = KantineKoningChecks.all.first { $0.rule == limit }!
    return told.judged(by: check)
  }

  @Test(arguments: plain + MistakenAnswers.all)
  func `what is right is tried and no mistake`(example: CheckCase) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: plain + MistakenAnswers.all)
  func `the mistake breaks its rule`(example: CheckCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }
}
