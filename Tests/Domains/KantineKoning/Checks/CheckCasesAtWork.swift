import Contracts
import KantineKoningContract
import Timekeeping

private typealias S = CheckStory

extension CheckCases {
  static let work = diensten + volunteers + reconciliation + device

  static let diensten: [CheckCase] = [
    CheckCase(.kk45) {
      $0.list([S.dienst("past", start: S.start - .days(364))])
    } fails: {
      $0.list([S.dienst(start: S.start - .days(366))])
    },
    CheckCase(.kk46) {
      $0.list([S.dienst(start: S.start + .days(60))])
    } fails: {
      $0.list([S.dienst(start: S.start + .days(61))])
    },
    CheckCase(.kk47) {
      $0.list(nil, past: "1001", or: S.refused(.invalidParameter))
    } fails: {
      $0.list([S.dienst(start: S.start + .days(2))], future: "1")
    },
    CheckCase(.kk48) {
      $0.list([S.dienst(team: "2")])
    } fails: {
      $0.list([S.dienst(team: "3")])
    },
    CheckCase(.kk49) {
      $0.note(shown([1, -1], ids: ["x", "y"]))
    } fails: {
      $0.note(shown([1, -1], ids: ["x", "x"]))
    },
    CheckCase(.kk50) {
      $0.note(shown([1, 2, -1, -2]))
    } fails: {
      $0.note(shown([-2, -1, 1, 2]))
    },
  ]

  /// A shown list by the days from now at which its diensten begin.
  private static func shown(_ days: [Int64], ids: [DienstID]? = nil) -> KantineKoning.Note {
    .listShown(
      days.enumerated().map { index, day in
        .init(
          id: ids?[index] ?? "\(index)", startTijd: S.start + .days(day), updatedAt: S.start)
      })
  }

  private static func changed(
    _ names: [String], version: Int64 = 1, team: TeamName? = "1"
  ) -> Outcome<KantineKoning> {
    .replied(.dienst(S.dienst(team: team, names: names, version: version)))
  }

  static let volunteers: [CheckCase] = [
    CheckCase(.kk52) {
      $0.add("Eva", changed(["Eva"], version: 1))
      $0.add("Tim", changed(["Eva", "Tim"], version: 2))
    } fails: {
      $0.add("Eva", changed(["Eva"], version: 2))
      $0.add("Tim", changed(["Eva", "Tim"], version: 2))
    },
    CheckCase(.kk54) {
      $0.add("Eva", as: "p", S.refused(.teamAccessDenied))
    } fails: {
      $0.add("Eva", as: "p", changed(["Eva"]))
    },
    CheckCase(.kk55) {
      $0.remove("Jan", as: "p", S.refused(.teamAccessDenied))
    } fails: {
      $0.remove("Jan", as: "p", changed([]))
    },
    CheckCase(.kk56) {
      $0.add("Eva", to: "past", S.refused(.dienstInPast))
    } fails: {
      $0.add("Eva", to: "past", changed(["Eva"]))
    },
    CheckCase(.kk57) {
      $0.remove("Jan", from: "past", S.refused(.dienstInPast))
    } fails: {
      $0.remove("Jan", from: "future", S.refused(.dienstInPast))
    },
    CheckCase(.kk58) {
      $0.add("  Maximiliaan Alex", S.refused(.nameTooLong))
    } fails: {
      // Fifteen characters in seventeen code points.
      $0.add("Zoe\u{308} Andre\u{301} Lotte", S.refused(.nameTooLong))
    },
    CheckCase(.kk59) {
      $0.add("Jan", S.refused(.volunteerExists))
    } fails: {
      $0.add("Jan", changed(["Jan", "Jan"]))
    },
    CheckCase(.kk60) {
      $0.add("  ", S.refused(.invalidName))
    } fails: {
      $0.add(" Eva", changed([" Eva"]))
    },
    CheckCase(.kk61) {
      $0.add("Eva", S.refused(.teamAccessDenied))
    } fails: {
      $0.add("Eva", changed(["Eva"], team: nil))
    },
    CheckCase(.kk62) {
      $0.add("Eva", changed(["Jan", "Eva"]))
    } fails: {
      $0.add("Eva", changed(["Jan"]))
    },
    CheckCase(.kk63) {
      $0.add("Eva", changed(["Jan", "Tim", "Eva"]))
    } fails: {
      $0.add("Eva", S.refused(.invalidName))
    },
    CheckCase(.kk64) {
      $0.add("Eva", .unknown(.timedOut))
      $0.add("Tim", changed(["Jan", "Eva", "Tim"]))
      $0.remove("Jan", changed(["Tim"]))
    } fails: {
      $0.add("Eva", changed(["Jan", "Eva"]))
      $0.add("Tim", changed(["Eva", "Tim"]))
    },
  ]

  static let reconciliation: [CheckCase] = [
    CheckCase(.kk67) {
      $0.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
      $0.list(nil, as: "q")
    } fails: {
      $0.sync([S.item("a", "member", ["1", "2"])])
      $0.list([], as: "q")
    },
    CheckCase(.kk68) {
      lostTeamTwo(&$0)
    } fails: {
      $0.sync([S.item("a", "member", ["1"]), S.item("b", "member", ["1"])])
    },
    CheckCase(.kk69) {
      $0.sync()
    } fails: {
      $0.sync(revoked: 3, affecting: ["a"])
    },
    CheckCase(.kk70) {
      $0.control(.setEnrollmentOpen(tenant: "b", open: false, message: nil))
      $0.sync([S.item("a", "member", ["1", "2"])])
    } fails: {
      $0.control(.setEnrollmentOpen(tenant: "b", open: false, message: nil))
      $0.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
    },
    CheckCase(.kk71) {
      $0.control(.endSeason(tenant: "b"))
      $0.sync([S.item("a", "member", ["1", "2"])])
    } fails: {
      $0.control(.endSeason(tenant: "b"))
      $0.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
    },
    CheckCase(.kk77) {
      $0.sync()
      $0.status(["1"])
    } fails: {
      $0.list(nil)
      $0.list([])
    },
    CheckCase(.kk78) {
      $0.syncs([S.item("a", "member", ["ZZ"])], S.refused(.invalidTeamCodes))
    } fails: {
      $0.sync([S.item("a", "trainer", ["1"])])
    },
    CheckCase(.kk79) {
      lostTeamTwo(&$0)
      $0.sync([S.item("a", "member", ["1"]), S.item("b", "member", ["1"])])
    } fails: {
      lostTeamTwo(&$0)
      lostTeamTwo(&$0)
    },
    CheckCase(.kk81) {
      $0.syncs([], S.refused(.emptyEnrollments))
    } fails: {
      $0.sync([])
    },
  ]

  @Sendable private static func informed(_ story: inout CheckStory, ended: Set<Slug> = []) {
    story.foreground()
    story.tenants([("a", ["1", "2"]), ("b", ["1"])], ended: ended)
  }

  static let device: [CheckCase] = [
    CheckCase(.kk72) {
      informed(&$0)
      $0.sync()
    } fails: {
      informed(&$0)
      $0.foreground()
      $0.sync()
    },
    CheckCase(.kk73) {
      $0.foreground()
      $0.note(.syncSkipped(.teamWithoutCode))
    } fails: {
      informed(&$0)
      $0.sync([S.item("a", "member", [TeamName(S.phoneL.text)])])
    },
    CheckCase(.kk74) {
      informed(&$0)
      $0.sync()
      $0.now += .hours(1)
      $0.sync()
    } fails: {
      informed(&$0)
      $0.sync()
      $0.now += .minutes(59)
      $0.sync()
    },
    CheckCase(.kk75) {
      informed(&$0)
      $0.syncs(S.complete, .unknown(.timedOut))
      $0.sync()
    } fails: {
      informed(&$0)
      $0.syncs(S.complete, .unknown(.timedOut))
      $0.note(.syncSkipped(.throttled))
    },
    CheckCase(.kk80) {
      informed(&$0, ended: ["b"])
      $0.sync([S.item("a", "member", ["1", "2"])])
    } fails: {
      informed(&$0, ended: ["b"])
      $0.sync()
    },
  ]
}
