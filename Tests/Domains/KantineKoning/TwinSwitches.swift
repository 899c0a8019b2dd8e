import Contracts
import KantineKoningContract
import Testing
import Timekeeping

/// One small history per rule, with what a client sees at its end.
struct Probe: Sendable, CustomTestStringConvertible {
  let rule: KantineKoning.Rule
  let run: @Sendable (inout Canteen) -> String
  var testDescription: String { rule.id.text }

  init(_ rule: KantineKoning.Rule, _ run: @escaping @Sendable (inout Canteen) -> String) {
    self.rule = rule
    self.run = run
  }

  func observe(off: Set<KantineKoning.Rule> = [], served: Bool = false) -> String {
    var canteen = Canteen(off: off)
    canteen.isServed = served
    return run(&canteen)
  }

  /// Every rule that the twin keeps and that can be switched off.
  static let all: [Probe] =
    identity + enrolling + authentication + reading + volunteering + reconciling + seasons
    + removing + pushing + takingOver
    + boards + publicReads

  static let identity = [
    Probe(.kk02) { canteen in
      canteen.follow(["JO10-5"], of: Canteen.agovv)
      let token = canteen.follow(["MO13-1"]).token
      return "\(canteen.ask(.tenants, with: token).tenants?.map(\.slug) ?? [])"
    },
    Probe(.kk03) { canteen in
      let first = canteen.follow(["JO10-5"], of: Canteen.agovv).registration?.deviceID
      return "\(canteen.follow(["MO13-1"]).registration?.deviceID == first)"
    },
    Probe(.kk10) { canteen in
      canteen.follow(["VR1"], on: "")
      let token = canteen.follow(["MO13-1"], on: "").token
      return "\(canteen.ask(.tenants, with: token).tenants?.first?.teams.map(\.code) ?? [])"
    },
  ]

  static let enrolling = [
    Probe(.kk12) { canteen in
      let first = canteen.manage(["1"]).token
      canteen.follow(["MO13-1"])
      return "\(canteen.codes(first) ?? [])"
    },
    Probe(.kk13) { canteen in
      canteen.manage(["1"])
      return "\(canteen.follow(["MO13-1"]).registration?.role as Any)"
    },
    Probe(.kk14) { canteen in
      canteen.manage(["JO11-3", "JO9-1", "1"])
      canteen.follow(["VR1", "MO13-1"])
      return "\(canteen.manage(["JO11-3"], of: Canteen.agovv).refusal as Any)"
    },
    Probe(.kk15) { canteen in
      canteen.manage(["JO11-3", "JO9-1", "1"])
      canteen.follow(["VR1", "MO13-1"])
      return "\(canteen.follow(["JO10-5"], of: Canteen.agovv).refusal as Any)"
    },
    Probe(.kk16) { canteen in
      let token = canteen.follow(["VR1", "MO13-1", "1"]).token
      let other = canteen.follow(["JO10-5"], of: Canteen.agovv).token
      canteen.sync([item("member", ["JO10-5"], of: Canteen.agovv)], with: token)
      return "\(canteen.ask(.tenants, with: other).tenants?.map(\.slug) ?? [])"
    },
    Probe(.kk19) { canteen in
      let first = canteen.follow(["VR1", "MO13-1"]).token
      canteen.follow(["VR1"])
      return "\(canteen.codes(first) ?? [])"
    },
    Probe(.kk20) { canteen in
      canteen.follow(["1"])
      return "\(canteen.manage(["1"]).refusal as Any)"
    },
    Probe(.kk21) { canteen in
      canteen.manage(["1"])
      return "\(canteen.follow(["1"]).refusal as Any)"
    },
    Probe(.kk22) { canteen in
      canteen.follow(["VR1"])
      return "\(canteen.follow(["VR1"]).refusal as Any)"
    },
    Probe(.kk23) { canteen in
      canteen.operate(.setEnrollmentOpen(tenant: Canteen.wilhelmus, open: false, message: nil))
      return "\(canteen.follow(["VR1"]).refusal as Any)"
    },
    Probe(.kk26) { canteen in
      let asked = EnrollmentRequest(
        email: Canteen.manager, tenantSlug: Canteen.wilhelmus, teamCodes: [])
      return "\(canteen.ask(.requestEnrollment(asked)).teamCodes ?? [])"
    },
    Probe(.kk27) { canteen in
      _ = canteen.link(for: ["1"])
      return "\(canteen.inspect().count)"
    },
    Probe(.kk28) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.ask(.status, with: token).refusal as Any)"
    },
    Probe(.kk30) { canteen in
      var claims = canteen.memberClaims(["1"])
      claims.role = "manager"
      claims.email = Canteen.manager
      let asked = Registration(token: .member(claims), hardwareIdentifier: "phone-1")
      return "\(canteen.ask(.register(asked)).refusal as Any)"
    },
    Probe(.kk31) { canteen in
      let asked = Registration(
        token: .member(canteen.memberClaims(["VR1"])), hardwareIdentifier: "phone-1")
      canteen.ask(.register(asked))
      return "\(canteen.ask(.register(asked)).refusal as Any)"
    },
    Probe(.kk32) { canteen in
      let claims = canteen.memberClaims(["VR1"], exp: canteen.now.unixSeconds + 721)
      let asked = Registration(token: .member(claims), hardwareIdentifier: "phone-1")
      return "\(canteen.ask(.register(asked)).refusal as Any)"
    },
  ]

  static let authentication = [
    Probe(.kk35) { canteen in
      guard case .issued(let claims) = canteen.follow(["VR1"]).token else { return "" }
      return "\(claims.teamCodes)"
    },
    Probe(.kk36) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.diensten(token, tenant: Canteen.agovv).refusal as Any)"
    },
    Probe(.kk37) { canteen in
      canteen.follow(["JO11-3"], of: Canteen.agovv)
      return "\(canteen.diensten(canteen.follow(["MO13-1"]).token).shows("d-agovv") as Any)"
    },
    Probe(.kk38) { canteen in
      canteen.follow(["JO11-3"], of: Canteen.agovv)
      let token = canteen.follow(["MO13-1"]).token
      return "\(canteen.diensten(token, tenant: Canteen.wilhelmus).shows("d-agovv") as Any)"
    },
    Probe(.kk39) { canteen in
      let token = canteen.follow(["VR1"]).token
      canteen.now = Instant("2026-08-01T00:00:00Z")!
      return "\(canteen.ask(.status, with: token).refusal as Any)"
    },
    Probe(.kk40) { canteen in
      let token = canteen.follow(["JO11-3", "MO13-1"]).token
      canteen.sync([item("member", ["MO13-1"])], with: token)
      return "\(canteen.diensten(token, tenant: Canteen.wilhelmus).shows("d-future") as Any)"
    },
    Probe(.kk41) { canteen in
      let answer = canteen.follow(["VR1"])
      canteen.operate(
        .revokeEnrollment(deviceID: answer.registration?.deviceID ?? "", reason: .adminRevoked))
      return "\(canteen.ask(.status, with: answer.token).refusal as Any)"
    },
    Probe(.kk42) { canteen in
      let first = canteen.follow(["VR1"])
      let second = canteen.follow(["MO13-1"])
      canteen.operate(
        .revokeEnrollment(deviceID: first.registration?.deviceID ?? "", reason: .adminRevoked))
      return "\(canteen.ask(.status, with: second.token).refusal as Any)"
    },
  ]

  static let reading = [
    Probe(.kk45) { canteen in
      let token = canteen.follow(["JO11-3"]).token
      return "\(canteen.diensten(token, tenant: Canteen.wilhelmus).shows("d-old") as Any)"
    },
    Probe(.kk46) { canteen in
      let token = canteen.follow(["JO11-3"]).token
      return "\(canteen.diensten(token, tenant: Canteen.wilhelmus).shows("d-far") as Any)"
    },
    Probe(.kk47) { canteen in
      let token = canteen.follow(["JO11-3"]).token
      let list = canteen.diensten(token, tenant: Canteen.wilhelmus, past: "1", future: "1")
      return "\(list.shows("d-future") as Any)"
    },
    Probe(.kk48) { canteen in
      let token = canteen.follow(["MO13-1"]).token
      return "\(canteen.diensten(token, tenant: Canteen.wilhelmus).shows("d-now") as Any)"
    },
    Probe(.kk121) { canteen in
      let asked = KantineKoning.Request.searchTeams(tenant: Canteen.wilhelmus, query: "jo11")
      return "\(canteen.ask(asked).teamCodes ?? [])"
    },
  ]

  static let volunteering = [
    Probe(.kk52) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("Fatima", with: token).dienst?.updatedAt as Any)"
    },
    Probe(.kk53) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("Fatima", to: "d-agovv", with: token).refusal as Any)"
    },
    Probe(.kk54) { canteen in
      let token = canteen.follow(["JO11-3"]).token
      return "\(canteen.add("Fatima", with: token).refusal as Any)"
    },
    Probe(.kk55) { canteen in
      let token = canteen.follow(["JO11-3"]).token
      return "\(canteen.remove("Fatima", with: token).refusal as Any)"
    },
    Probe(.kk56) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("Fatima", to: "d-past", with: token).refusal as Any)"
    },
    Probe(.kk57) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.remove("Fatima", from: "d-past", with: token).refusal as Any)"
    },
    Probe(.kk58) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("ABCDEFGHIJKLMNOP", with: token).refusal as Any)"
    },
    Probe(.kk59) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      canteen.add("Jan", with: token)
      return "\(canteen.add("Jan", with: token).refusal as Any)"
    },
    Probe(.kk60) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("  ", with: token).refusal as Any)"
    },
    Probe(.kk61) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("Jan", to: "d-other", with: token).refusal as Any)"
    },
    Probe(.kk62) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      return "\(canteen.add("Jan", with: token).dienst?.aanmeldingen ?? [])"
    },
    Probe(.kk63) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      for name in ["Jan", "Piet"] { canteen.add(name, with: token) }
      return "\(canteen.add("Klaas", with: token).refusal as Any)"
    },
    Probe(.kk64) { canteen in
      let token = canteen.manage(["JO11-3"]).token
      canteen.add("Jan", with: token)
      canteen.add("Piet", with: token)
      guard case .success(.diensten(let list)) = canteen.diensten(token, tenant: Canteen.wilhelmus)
      else { return "" }
      return "\(list.first { $0.id == "d-future" }?.aanmeldingen ?? [])"
    },
  ]

  static let reconciling = [
    Probe(.kk06) { canteen in
      let old = canteen.follow(["VR1"]).token
      canteen.sync([item("member", ["VR1"], on: "phone-2")], with: old)
      let token = canteen.follow(["JO10-5"], of: Canteen.agovv, on: "phone-2").token
      return "\(canteen.ask(.tenants, with: token).tenants?.map(\.slug) ?? [])"
    },
    Probe(.kk08) { canteen in
      canteen.follow(["JO10-5"], of: Canteen.agovv)
      let token = canteen.follow(["MO13-1"]).token
      let all = [item("member", ["MO13-1"]), item("member", ["JO10-5"], of: Canteen.agovv)]
      return "\(canteen.sync(all, with: token).summary as Any)"
    },
    Probe(.kk76) { canteen in
      let orphan = canteen.follow(["JO10-5"], of: Canteen.agovv).token
      let token = canteen.follow(["MO13-1"]).token
      canteen.sync([item("member", ["MO13-1"])], with: token)
      return "\(canteen.ask(.status, with: orphan).refusal as Any)"
    },
    Probe(.kk07) { canteen in
      let token = canteen.follow(["VR1"]).token
      return "\(canteen.sync([item("member", ["VR1"], on: "phone-2")], with: token).summary as Any)"
    },
    Probe(.kk11) { canteen in
      "\(canteen.follow(["VR1", "MO13-1"]).registration?.teamCodes ?? [])"
    },
    Probe(.kk66) { canteen in
      canteen.follow(["VR1"])
      let token = canteen.follow(["MO13-1"]).token
      let summary = canteen.sync([item("member", ["MO13-1"])], with: token).summary
      return "\(summary?.tenantsAffected as Any)"
    },
    Probe(.kk67) { canteen in
      canteen.follow(["VR1"])
      let token = canteen.follow(["MO13-1"]).token
      return "\(canteen.sync([item("member", ["MO13-1"])], with: token).summary as Any)"
    },
    Probe(.kk68) { canteen in
      let token = canteen.follow(["VR1", "MO13-1"]).token
      return "\(canteen.sync([item("member", ["MO13-1"])], with: token).summary as Any)"
    },
    Probe(.kk69) { canteen in
      let other = canteen.follow(["VR1"], on: "phone-2").token
      let token = canteen.follow(["MO13-1"]).token
      canteen.sync([item("member", ["MO13-1"])], with: token)
      return "\(canteen.codes(other) ?? [])"
    },
    Probe(.kk70) { canteen in
      let kept = canteen.follow(["JO10-5"], of: Canteen.agovv).token
      let token = canteen.follow(["MO13-1"]).token
      canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: false, message: nil))
      canteen.sync([item("member", ["MO13-1"])], with: token)
      return "\(canteen.codes(kept) ?? [])"
    },
    Probe(.kk71) { canteen in
      canteen.follow(["JO10-5"], of: Canteen.agovv)
      let token = canteen.follow(["MO13-1"]).token
      canteen.operate(.endSeason(tenant: Canteen.agovv))
      return "\(canteen.sync([item("member", ["MO13-1"])], with: token).summary as Any)"
    },
    Probe(.kk77) { canteen in
      let token = canteen.follow(["MO13-1"]).token
      canteen.sync([item("member", ["MO13-1", "VR1"])], with: token)
      return "\(canteen.codes(token) ?? [])"
    },
    Probe(.kk78) { canteen in
      let token = canteen.follow(["MO13-1"]).token
      return "\(canteen.sync([item("member", ["MO13-1", "none"])], with: token).refusal as Any)"
    },
    Probe(.kk79) { canteen in
      canteen.follow(["VR1"])
      let token = canteen.follow(["MO13-1"]).token
      canteen.sync([item("member", ["MO13-1"])], with: token)
      return
        "\(canteen.sync([item("member", ["MO13-1"])], with: token).summary?.enrollmentsRevoked as Any)"
    },
    Probe(.kk81) { canteen in
      let token = canteen.follow(["MO13-1"]).token
      return "\(canteen.sync([], with: token).refusal as Any)"
    },
  ]

  static let seasons = [
    Probe(.kk113) { canteen in
      let token = canteen.follow(["JO10-5"], of: Canteen.agovv).token
      canteen.now += .seconds(1)
      canteen.operate(.endSeason(tenant: Canteen.agovv))
      return "\(canteen.ask(.status, with: token).refusal as Any)"
    },
    Probe(.kk114) { canteen in
      canteen.follow(["JO10-5"], of: Canteen.agovv)
      let token = canteen.follow(["MO13-1"]).token
      canteen.operate(.endSeason(tenant: Canteen.agovv))
      return "\(canteen.ask(.tenants, with: token).tenants?.map(\.slug) ?? [])"
    },
    Probe(.kk115) { canteen in
      let token = canteen.follow(["JO10-5"], of: Canteen.agovv).token
      canteen.now += .seconds(1)
      canteen.operate(.endSeason(tenant: Canteen.agovv))
      canteen.operate(.resetSeason(tenant: Canteen.agovv))
      return "\(canteen.ask(.status, with: token).refusal as Any)"
    },
  ]
}

@Suite struct `Kantine Koning's twin with a rule switched off` {
  @Test(arguments: Probe.all)
  func `misbehaves where that rule is looked at`(probe: Probe) {
    #expect(probe.observe() != probe.observe(off: [probe.rule]))
  }

  /// Rules that share a guard or build on one another: switching the first shows in the second's history too.
  static let shared: [KantineKoning.Rule: Set<KantineKoning.Rule>] = [
    // Two enrollments under one identifier: the older can no longer be asked.
    .kk03: [.kk12, .kk16, .kk19, .kk42, .kk70],
    .kk12: [.kk14, .kk15], .kk13: [.kk21],
    // KK-15 says where KK-14 is enforced; KK-54 and KK-55 are one guard.
    .kk14: [.kk15], .kk54: [.kk55], .kk55: [.kk54],
    // A team moves because it is registered again.
    .kk22: [.kk19],
    // A history that ends with the code of a 401.
    .kk41: [.kk76, .kk86, .kk113], .kk42: [.kk71, .kk114], .kk113: [.kk115],
    // An answer from before the change shows the version from before the change.
    .kk62: [.kk52],
    // A summary that names no club.
    .kk66: [.kk07, .kk67, .kk68],
    // What sync does not remove is still there.
    .kk02: [.kk76], .kk67: [.kk07, .kk16, .kk66, .kk76], .kk76: [.kk16], .kk68: [.kk40],
    // Whatever a team has is available: an offer makes no difference, nor does its end.
    .kk117: [.kk119],
    // A summary that wants a token is read without one.
    .kk121: [.kk114, .kk115, .kk116],
  ]

  /// KK-28: a token that authenticates nothing ends every history that goes on with it.
  static let ending: Set<KantineKoning.Rule> = [.kk28]

  /// KK-35 is looked at in claims, which only an unsent token shows.
  @Test(arguments: Probe.all.filter { $0.rule != .kk35 })
  func `is seen alike over HTTP and in process`(probe: Probe) {
    #expect(probe.observe(served: true) == probe.observe())
    let off: Set = [probe.rule]
    #expect(probe.observe(off: off, served: true) == probe.observe(off: off))
  }

  @Test(arguments: Probe.all)
  func `behaves as before where other rules are looked at`(probe: Probe) {
    let usual = probe.observe()
    for rule in KantineKoning.Rule.allCases where rule != probe.rule {
      guard Self.shared[rule]?.contains(probe.rule) != true, !Self.ending.contains(rule) else {
        continue
      }
      #expect(probe.observe(off: [rule]) == usual, "\(rule) shows in the history of \(probe.rule)")
    }
  }
}
