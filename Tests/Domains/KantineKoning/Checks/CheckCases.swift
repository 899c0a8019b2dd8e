import Contracts
import KantineKoningContract
import Testing
import Timekeeping

/// For one rule: records on which its check holds, and records on which it fails.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let limit: KantineKoning.Rule
  let holds: @Sendable (inout CheckStory) -> Void
  let fails: @Sendable (inout CheckStory) -> Void

  init(
    _ limit: KantineKoning.Rule, holds: @escaping @Sendable (inout CheckStory) -> Void,
    fails: @escaping @Sendable (inout CheckStory) -> Void
  ) {
    self.limit = limit
    self.holds = holds
    self.fails = fails
  }

  var testDescription: String { limit.id.text }
}

private typealias S = CheckStory

enum CheckCases {
  static let all = identity + enrollment + seasons + onboarding + tokens

  static let identity: [CheckCase] = [
    CheckCase(.kk01) {
      $0.sync()
    } fails: {
      $0.sync([S.item("a", "member", ["1"], hardware: "\(S.phoneP):app")])
    },
    CheckCase(.kk03) {
      $0.register(["3"], as: "n")
    } fails: {
      $0.register(["3"], as: "n")
      $0.register(["4"], as: "n")
    },
    CheckCase(.kk04) {
      $0.note(.appUpdated(hardwareIdentifier: S.phoneP))
      $0.foreground(S.phoneP)
    } fails: {
      $0.note(.appUpdated(hardwareIdentifier: S.phoneP))
      $0.foreground(S.fresh)
    },
    CheckCase(.kk05) {
      $0.note(.identifierChanged(from: S.phoneP, to: S.fresh, heldEnrollments: 2))
    } fails: {
      $0.note(.identifierChanged(from: S.phoneP, to: S.phoneP, heldEnrollments: 2))
    },
    CheckCase(.kk06) {
      $0.note(.identifierChanged(from: S.phoneP, to: S.fresh, heldEnrollments: 2))
      $0.register(["3"], as: "n")
      $0.tenants([("a", ["3"])], as: "n")
    } fails: {
      $0.note(.identifierChanged(from: S.phoneP, to: S.fresh, heldEnrollments: 2))
      $0.register(["3"], as: "n")
      $0.tenants([("a", ["3"]), ("b", ["1"])], as: "n")
    },
    CheckCase(.kk07) {
      replaced(&$0)
      $0.list(nil, as: "q")
    } fails: {
      replaced(&$0)
      $0.list([], as: "q")  // within the hour
      $0.now += .hours(2)
      $0.list([], as: "q")
    },
    CheckCase(.kk08) {
      $0.foreground()
      $0.sync()
    } fails: {
      $0.foreground()
      $0.sync(removed: 1)
    },
    CheckCase(.kk10) {
      $0.register(["1"], on: "", as: "n")
    } fails: {
      $0.registers(.member(S.claims(["1"])), on: "", S.refused(.enrollmentLimitExceeded))
    },
  ]

  /// Phone P comes back with a new identifier and syncs.
  @Sendable private static func replaced(_ story: inout CheckStory) {
    story.note(.identifierChanged(from: S.phoneP, to: S.fresh, heldEnrollments: 2))
    story.note(
      .firstForeground(
        hardwareIdentifier: S.fresh, replacing: S.phoneP, heldDeviceIDs: ["p", "q"]))
    story.sync(
      [S.item("a", "member", ["1", "2"], hardware: S.fresh)], revoked: 2, affecting: ["a", "b"])
  }

  static let enrollment: [CheckCase] = [
    CheckCase(.kk02) {
      $0.tenants([("a", ["1", "2"]), ("b", ["1"])])
    } fails: {
      $0.tenants([("a", ["1", "2"])])
    },
    CheckCase(.kk12) {
      $0.register(["3"], on: S.phoneP, as: "n")
      $0.list([], as: "p")
    } fails: {
      $0.register(["3"], on: S.phoneP, as: "n")
      $0.list(nil, as: "p")
    },
    CheckCase(.kk13) {
      $0.register(["3"], as: "n")
    } fails: {
      $0.remember("n", "a", .manager, ["3"])
      let answer = $0.answer("n", "a", .manager, ["3"])
      $0.registers(.member(S.claims(["3"])), .replied(.registered(answer)))
    },
    CheckCase(.kk14) {
      $0.inspect([S.row("x", ["1", "2", "3"]), S.row("y", ["1", "2"], tenant: "b")])
    } fails: {
      $0.inspect([S.row("x", ["1", "2", "3", "4", "5", "6"])])
    },
    CheckCase(.kk15) {
      $0.registers(
        .member(S.claims(["3", "4", "5"])), on: S.phoneP, S.refused(.enrollmentLimitExceeded))
    } fails: {
      $0.register(["3", "4", "5"], on: S.phoneP, as: "n")
    },
    CheckCase(.kk16) {
      revokedQ(&$0)
      $0.register(["3", "4", "5"], on: S.phoneP, as: "n")
      $0.tenants([("a", ["1", "2", "3", "4", "5"])], as: "n")
    } fails: {
      revokedQ(&$0)
      $0.tenants([("a", ["1", "2"]), ("b", ["1"])])
    },
    CheckCase(.kk19) {
      $0.inspect([S.row("x", ["1"]), S.row("y", ["2"])])
    } fails: {
      $0.inspect([S.row("x", ["1"]), S.row("y", ["1", "2"])])
    },
    CheckCase(.kk20) {
      $0.register(["1"], role: .manager, on: S.phoneP, as: "n")
      $0.tenants([("a", ["1"])], as: "n", role: .manager)
    } fails: {
      $0.register(["1"], role: .manager, on: S.phoneP, as: "n")
      $0.tenants([("a", ["1"])], as: "n", role: .member)
    },
    CheckCase(.kk21) {
      $0.registers(.member(S.claims(["1"])), on: S.phoneM, S.refused(.teamConflict))
    } fails: {
      $0.register(["1"], on: S.phoneM, as: "n")
    },
    CheckCase(.kk22) {
      $0.register(["1"], on: S.phoneP, as: "n")
    } fails: {
      $0.registers(.member(S.claims(["1"])), on: S.phoneP, S.refused(.deviceAlreadyEnrolled))
    },
  ]

  /// A sync leaves enrollment q out.
  @Sendable private static func revokedQ(_ story: inout CheckStory) {
    story.sync([S.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
  }

  static let seasons: [CheckCase] = [
    CheckCase(.kk23) {
      $0.control(.setEnrollmentOpen(tenant: "a", open: false, message: nil))
      $0.registers(.member(S.claims(["3"])), S.refused(.enrollmentClosed))
    } fails: {
      $0.control(.setEnrollmentOpen(tenant: "a", open: false, message: nil))
      $0.register(["3"], as: "n")
    },
    CheckCase(.kk113) {
      $0.control(.endSeason(tenant: "a"))
      $0.list(nil, or: S.refused(.tokenRevoked, .seasonEnded))
    } fails: {
      $0.control(.endSeason(tenant: "a"))
      $0.list([])
    },
    CheckCase(.kk114) {
      $0.control(.endSeason(tenant: "a"))
      $0.tenants([("a", ["1", "2"]), ("b", ["1"])], as: "q", ended: ["a"])
    } fails: {
      $0.control(.endSeason(tenant: "a"))
      $0.tenants([("b", ["1"])], as: "q")
    },
    CheckCase(.kk115) {
      $0.control(.endSeason(tenant: "a"))
      $0.control(.resetSeason(tenant: "a"))
      $0.list(nil)
    } fails: {
      $0.control(.endSeason(tenant: "a"))
      $0.control(.resetSeason(tenant: "a"))
      $0.list(nil, or: S.refused(.tokenRevoked, .seasonEnded))
    },
  ]

  static let onboarding: [CheckCase] = [
    CheckCase(.kk26) {
      allowed(["1", "2"], &$0)
    } fails: {
      allowed(["1", "2", "3"], &$0)
    },
    CheckCase(.kk27) {
      $0.register(["3"], as: "n")
      $0.inspect([S.row("n", ["3"])])
    } fails: {
      $0.inspect([S.row("stray", ["3"])])
    },
    CheckCase(.kk28) {
      $0.register(["3"], as: "n")
    } fails: {
      $0.note(.forgedToken(stableHash("bytes")))
      $0.ask(.status, credential: .bearer(.text("bytes")), .replied(.tenants([])))
    },
    CheckCase(.kk30) {
      $0.registers(
        .member(S.claims(["1"], role: "manager")), S.refused(.invalidOrExpiredToken))
    } fails: {
      let answer = $0.answer("n", "a", .manager, ["1"], token: $0.token("m"))
      $0.registers(.member(S.claims(["1"], role: "manager")), .replied(.registered(answer)))
    },
    CheckCase(.kk31) {
      $0.register(["3"], as: "n", jti: "once")
      $0.registers(.member(S.claims(["3"], jti: "once")), S.refused(.invalidOrExpiredToken))
    } fails: {
      $0.register(["3"], as: "n", jti: "once")
      $0.register(["3"], as: "o", jti: "once")
    },
    CheckCase(.kk32) {
      $0.registers(.member(S.claims(["3"], lifetime: 800)), S.refused(.invalidOrExpiredToken))
    } fails: {
      let answer = $0.answer("n", "a", .member, ["3"], token: $0.token("l"))
      $0.registers(.member(S.claims(["3"], lifetime: 800)), .replied(.registered(answer)))
    },
    CheckCase(.kk35) {
      $0.register(["3"], as: "n")
    } fails: {
      let answer = $0.answer("l", "a", .member, ["3"])
      $0.registers(.member(S.claims(["3"])), .replied(.registered(answer)))
    },
  ]

  @Sendable private static func allowed(_ codes: [TeamName], _ story: inout CheckStory) {
    story.ask(
      .requestEnrollment(
        EnrollmentRequest(email: "M@a.example", tenantSlug: "a", teamCodes: [])),
      .replied(.allowedTeams(codes.map { TeamInfo(id: "a-\($0)", code: $0, naam: $0.text) })))
  }

  static let tokens: [CheckCase] = [
    CheckCase(.kk34) {
      $0.foreground()
      $0.list([], as: "q", tenant: "b")
    } fails: {
      $0.foreground()
      $0.list(nil, as: "q", tenant: "a", or: S.refused(.tenantMismatch))
    },
    CheckCase(.kk36) {
      $0.list(nil, as: "q", tenant: "a", or: S.refused(.tenantMismatch))
    } fails: {
      $0.list([], as: "q", tenant: "a")
    },
    CheckCase(.kk37) {
      $0.list([S.dienst()])
    } fails: {
      $0.list([S.dienst(tenant: "b")])
    },
    CheckCase(.kk38) {
      $0.list([S.dienst()], tenant: "a")
    } fails: {
      $0.list([S.dienst(tenant: "b")], tenant: "a")
    },
    CheckCase(.kk39) {
      $0.remember("old", "a", .member, ["1"], exp: S.start.unixSeconds)
      $0.list(nil, as: "old", or: S.refused(.invalidToken))
    } fails: {
      $0.remember("old", "a", .member, ["1"], exp: S.start.unixSeconds)
      $0.list([], as: "old")
    },
    CheckCase(.kk40) {
      lostTeamTwo(&$0)
      $0.list([S.dienst(team: "1")])
    } fails: {
      lostTeamTwo(&$0)
      $0.list([S.dienst(team: "2")])
    },
    CheckCase(.kk41) {
      $0.control(.revokeEnrollment(deviceID: "p", reason: .adminRevoked))
      $0.list(nil, or: S.refused(.tokenRevoked, .adminRevoked))
    } fails: {
      $0.list(nil, or: S.refused(.unauthorized))
    },
    CheckCase(.kk42) {
      revokedQ(&$0)
      $0.list([])
    } fails: {
      revokedQ(&$0)
      $0.list(nil)
    },
    CheckCase(.kk53) {
      $0.add("Jan", to: "other", S.refused(.dienstNotFound))
    } fails: {
      $0.add("Jan", to: "other", .replied(.dienst(S.dienst("other", tenant: "b"))))
    },
  ]

  @Sendable static func lostTeamTwo(_ story: inout CheckStory) {
    story.sync(
      [S.item("a", "member", ["1"]), S.item("b", "member", ["1"])], removed: 1, affecting: ["a"])
  }
}
