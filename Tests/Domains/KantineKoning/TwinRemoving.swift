import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Removing at Kantine Koning's twin` {
  @Test func `O6 matches codes, then ids, ignores the rest and counts what went`() {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3", "MO13-1", "VR1"]).token
    let some = canteen.ask(.removeTeams(["w-JO11-3", "MO13-1", "MO13-1", "none"]), with: token)
    #expect(some.removal == TeamRemoval(removed: 2, teamCodes: ["VR1"]))
    #expect(canteen.codes(token) == ["VR1"])
    #expect(canteen.ask(.removeTeams([]), with: token).removal?.removed == 0)
    #expect(canteen.ask(.removeTeams(["a-JO11-3"]), with: token).removal?.removed == 0)
    let rest = canteen.ask(.removeTeams(["VR1"]), with: token)
    #expect(rest.removal == TeamRemoval(removed: 1, teamCodes: []))
    #expect(canteen.ask(.status, with: token).refusal == .deviceNotFound)
  }

  @Test func `a backend of codeOnly leaves what is named by its id`() {
    var configuration = KantineKoningConfiguration()
    configuration.deployment.removeTeamsMatch = .codeOnly
    var canteen = Canteen(configuration: configuration)
    let token = canteen.follow(["JO11-3", "VR1"]).token
    let answer = canteen.ask(.removeTeams(["w-JO11-3", "VR1"]), with: token)
    #expect(answer.removal == TeamRemoval(removed: 1, teamCodes: ["JO11-3"]))
  }

  @Test func `O7 removes this phone's enrollments in one tenant, O8 all of them`() {
    var canteen = Canteen()
    let manager = canteen.manage(["1"]).token
    let member = canteen.follow(["VR1"]).token
    let agovv = canteen.follow(["JO10-5"], of: Canteen.agovv).token
    let other = canteen.follow(["VR1"], on: "phone-2").token
    #expect(
      canteen.ask(.removeTenant(slug: Canteen.agovv), with: member).refusal == .tenantMismatch)
    #expect(canteen.ask(.removeTenant(slug: "nowhere"), with: member).refusal == .tenantNotFound)
    #expect(canteen.ask(.removeTenant(slug: Canteen.wilhelmus), with: member).revoked == 2)
    #expect(canteen.ask(.status, with: manager).refusal == .deviceNotFound)
    #expect(canteen.codes(agovv) == ["JO10-5"])
    canteen.follow(["MO13-1"])
    #expect(canteen.ask(.removeAll, with: agovv).revoked == 2)
    #expect(canteen.ask(.removeAll, with: agovv).refusal == .deviceNotFound)
    #expect(canteen.codes(other) == ["VR1"], "KK-02: another phone is left alone")
  }

  @Test func `KK-10: without an identifier O7 and O8 remove the caller's enrollment alone`() {
    var canteen = Canteen()
    let kept = canteen.follow(["VR1"], on: "").token
    let one = canteen.follow(["MO13-1"], on: "").token
    let two = canteen.follow(["1"], on: "").token
    #expect(canteen.ask(.removeTenant(slug: Canteen.wilhelmus), with: one).revoked == 1)
    #expect(canteen.ask(.removeAll, with: two).revoked == 1)
    #expect(canteen.codes(kept) == ["VR1"])
  }

  @Test func `KK-86: what was removed is listed, pushed and counted no more`() {
    var canteen = Canteen()
    let token = canteen.listener(["JO11-3", "VR1"]).token
    canteen.operate(.cancelDienst(id: "d-far"))
    #expect(canteen.reached == ["dienst_cancelled to 1"])
    canteen.ask(.removeTeams(["JO11-3"]), with: token)
    canteen.operate(.cancelDienst(id: "d-future"))
    #expect(canteen.pushes.isEmpty)
    #expect(canteen.diensten(token).dienstIDs == [])
    #expect(
      canteen.ask(.tenants, with: token).tenants?.first?.teams.map(\.code) == ["VR1"])
    #expect(canteen.follow(["JO11-3"], on: "phone-1").registration != nil)
    canteen.ask(.removeAll, with: token)
    canteen.operate(.assignDienst(id: "d-open", team: "VR1"))
    #expect(canteen.pushes.isEmpty)
  }

  @Test func `a removed team makes room for another below the limit (KK-14)`() {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3", "JO9-1", "JO11-1", "MO13-1", "1"]).token
    #expect(canteen.follow(["VR1"]).refusal == .enrollmentLimitExceeded)
    canteen.ask(.removeTeams(["1"]), with: token)
    #expect(canteen.follow(["VR1"]).registration != nil)
  }
}

@Suite struct `E-mail preferences and push tokens at Kantine Koning's twin` {
  @Test func `KK-120: mail is on while push does not work, whatever was wished`() throws {
    var canteen = Canteen()
    let answer = canteen.manage(["JO11-3", "1"])
    let token = answer.token
    func set(_ enabled: Bool, _ team: TeamName) -> KKAnswer {
      canteen.ask(
        .setEmailPreference(EmailPreference(enabled: enabled, team: team)), with: token)
    }
    let forced = [
      TeamPreference(teamCode: "1", emailEnabled: true),
      TeamPreference(teamCode: "JO11-3", emailEnabled: true),
    ]
    let off = [
      TeamPreference(teamCode: "1", emailEnabled: true),
      TeamPreference(teamCode: "JO11-3", emailEnabled: false),
    ]
    #expect(set(false, "JO11-3").preferences == forced, "no token yet")
    canteen.hand(Canteen.token(1), with: token)
    #expect(set(false, "w-JO11-3").preferences == off)
    #expect(
      canteen.status(token)?.teamEmailPreferences == [off[1], off[0]], "in order of the teams")
    let device = try #require(answer.registration).deviceID
    canteen.operate(.setPushEnabled(deviceID: device, enabled: false))
    #expect(canteen.status(token)?.teamEmailPreferences == [forced[1], forced[0]])
    canteen.operate(.setPushEnabled(deviceID: device, enabled: true))
    #expect(set(true, "JO11-3").preferences == forced)
  }

  @Test func `O9 is for managers, of teams of this tenant that they cover, in this order`() {
    var canteen = Canteen()
    let member = canteen.follow(["VR1"]).token
    let manager = canteen.manage(["1"]).token
    func set(_ team: TeamName, _ token: DeviceToken) -> KKRefusal.Code? {
      canteen.ask(.setEmailPreference(EmailPreference(enabled: false, team: team)), with: token)
        .refusal
    }
    #expect(set("none", member) == .teamAccessDenied)
    #expect(set("none", manager) == .teamNotFound)
    #expect(set("JO10-5", manager) == .teamNotFound, "another tenant's team does not exist")
    #expect(set("VR1", manager) == .teamAccessDenied)
    #expect(set("1", manager) == nil)
  }

  @Test func `KK-90: one update covers every active enrollment of the phone, in every tenant`() {
    var canteen = Canteen()
    let one = canteen.follow(["VR1"]).token
    let two = canteen.follow(["JO10-5"], of: Canteen.agovv).token
    let gone = canteen.follow(["MO13-1"])
    canteen.operate(
      .revokeEnrollment(deviceID: gone.registration!.deviceID, reason: .adminRevoked))
    let other = canteen.follow(["VR1"], on: "phone-2").token
    #expect(canteen.hand(Canteen.token(1), build: "development", with: one).updated == 2)
    #expect(canteen.status(two)?.hasApnsToken == true)
    #expect(canteen.status(two)?.buildEnvironment == "development", "KK-89")
    #expect(canteen.status(other)?.hasApnsToken == false)
    let alone = canteen.follow(["VR1"], on: "").token
    #expect(canteen.hand(Canteen.token(2), with: alone).updated == 1, "KK-10")
  }

  @Test func `an empty push token is invalid_parameter, 256 bytes are stored, 257 are not`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.hand("", with: token).refusal == .invalidParameter)
    #expect(canteen.status(token)?.hasApnsToken == false)
    #expect(
      canteen.hand(String(repeating: "a", count: 257), with: token).refusal == .invalidParameter)
    #expect(canteen.hand(String(repeating: "a", count: 256), with: token).updated == 1)
  }
}
