import Contracts
import KantineKoningContract
import Testing
import Timekeeping

@Suite struct `Reconciling at Kantine Koning's twin` {
  private static let nothing = CleanupSummary(
    enrollmentsRevoked: 0, teamsRemoved: 0, tenantsAffected: [])

  @Test func `KK-67, KK-68: orphaned enrollments are revoked and orphaned teams removed`() {
    var canteen = Canteen()
    let kept = canteen.manage(["JO11-3", "1"]).token
    let orphan = canteen.follow(["VR1", "MO13-1"]).token
    canteen.follow(["JO10-5"], of: Canteen.agovv)
    let summary = canteen.sync([item("manager", ["1"])], with: kept).summary
    #expect(
      summary
        == CleanupSummary(
          enrollmentsRevoked: 2, teamsRemoved: 1,
          tenantsAffected: [Canteen.agovv, Canteen.wilhelmus]))
    #expect(canteen.codes(kept) == ["1"])
    #expect(canteen.ask(.status, with: orphan).refusal == .deviceNotFound)
    #expect(canteen.sync([item("manager", ["1"])], with: kept).summary == Self.nothing, "KK-79")
  }

  @Test func `the role of an item matters, its order and repetitions do not`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1", "MO13-1"]).token
    let items = [
      item("member", ["MO13-1"]), item("manager", ["1"]), item("member", ["VR1", "VR1"]),
    ]
    #expect(canteen.sync(items, with: token).summary == Self.nothing)
    #expect(
      canteen.sync([item("manager", ["VR1", "MO13-1"])], with: token).summary?.enrollmentsRevoked
        == 1)
    #expect(canteen.ask(.status, with: token).refusal == .deviceNotFound)
  }

  @Test func `KK-07: items with another identifier are not present, those without one are`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    for phone: HardwareID? in [nil, "", "phone-1"] {
      #expect(
        canteen.sync([item("member", ["VR1"], on: phone)], with: token).summary == Self.nothing)
    }
    let moved = canteen.sync([item("member", ["VR1"], on: "phone-2")], with: token)
    #expect(moved.summary?.enrollmentsRevoked == 1)
    #expect(canteen.ask(.status, with: token).refusal == .deviceNotFound)
  }

  @Test func `KK-10, KK-69: other phones are left alone, and an unknown phone is one enrollment`() {
    var canteen = Canteen()
    let others = [
      canteen.follow(["VR1"], on: "phone-2").token, canteen.follow(["VR1"], on: "").token,
    ]
    let token = canteen.follow(["MO13-1"], on: "").token
    #expect(
      canteen.sync([item("member", ["1"], on: "")], with: token).summary?.enrollmentsRevoked == 1)
    #expect(others.map { canteen.codes($0) } == [["VR1"], ["VR1"]])
  }

  @Test func `KK-70: a closed club is left alone`() {
    var canteen = Canteen()
    let closed = canteen.follow(["JO10-5"], of: Canteen.agovv).token
    let token = canteen.follow(["VR1"]).token
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: false, message: nil))
    #expect(canteen.sync([item("member", ["VR1"])], with: token).summary == Self.nothing)
    #expect(canteen.codes(closed) == ["JO10-5"])
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: true, message: nil))
    #expect(canteen.sync([item("member", ["VR1"])], with: token).summary?.enrollmentsRevoked == 1)
  }

  @Test func `KK-71: a club whose season ended is left alone, opened again or not`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    canteen.operate(.endSeason(tenant: Canteen.agovv))
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: true, message: nil))
    canteen.now += .seconds(1)
    let early = canteen.follow(["JO10-5"], of: Canteen.agovv).token
    #expect(canteen.sync([item("member", ["VR1"])], with: token).summary == Self.nothing)
    #expect(canteen.codes(early) == ["JO10-5"])
  }

  @Test func `KK-81: an empty list is refused`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.sync([], with: token).refusal == .emptyEnrollments)
    #expect(canteen.codes(token) == ["VR1"])
  }

  @Test(
    arguments: [
      (
        SyncItem(tenantSlug: nil, role: "member", teamCodes: ["VR1"], hardwareIdentifier: nil),
        KKRefusal.Code.invalidRequest
      ),
      (
        SyncItem(
          tenantSlug: Canteen.wilhelmus, role: nil, teamCodes: ["VR1"], hardwareIdentifier: nil),
        .invalidRequest
      ),
      (
        SyncItem(
          tenantSlug: Canteen.wilhelmus, role: "member", teamCodes: nil, hardwareIdentifier: nil),
        .invalidRequest
      ),
      (item("lid", ["VR1"]), .invalidRequest), (item("member", []), .invalidTeamCodes),
      (item("member", [], of: "nowhere"), .invalidTeamCodes),
      (item("member", ["w-VR1"]), .invalidTeamCodes),
      (item("member", ["none"], on: "x"), .invalidTeamCodes),
    ])
  func `KK-78: one bad item refuses the whole list`(bad: SyncItem, code: KKRefusal.Code) {
    var canteen = Canteen()
    let token = canteen.follow(["VR1", "MO13-1"]).token
    let before = canteen.inspect()
    for items in [[item("member", ["VR1"]), bad], [bad, item("member", ["VR1"])]] {
      #expect(canteen.sync(items, with: token).refusal == code)
    }
    #expect(canteen.inspect() == before)
  }

  @Test func `items for clubs in which the phone has nothing are ignored, whatever their codes`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    let items = [
      item("member", ["VR1"]), item("member", ["gone"], of: Canteen.agovv),
      item("member", ["x"], of: "nowhere"),
    ]
    #expect(canteen.sync(items, with: token).summary == Self.nothing)
  }

  @Test func `KK-77: sync neither enlarges nor revives`() {
    var canteen = Canteen()
    let revoked = canteen.follow(["1"]).token
    let token = canteen.follow(["VR1"]).token
    canteen.sync([item("member", ["VR1"])], with: token)
    canteen.sync([item("member", ["VR1", "1", "MO13-1"])], with: token)
    #expect(canteen.codes(token) == ["VR1"])
    #expect(canteen.ask(.status, with: revoked).refusal == .deviceNotFound)
  }

  // MARK: O11 and seasons

  @Test func `KK-02: tenant info shows all enrollments of the phone with their roles`() throws {
    var canteen = Canteen()
    canteen.follow(["JO10-5"], of: Canteen.agovv)
    canteen.manage(["JO11-3", "JO9-1"])
    canteen.follow(["1"], on: "phone-2")
    let token = canteen.follow(["VR1"]).token
    let tenants = try #require(canteen.ask(.tenants, with: token).tenants)
    #expect(tenants.map(\.slug) == [Canteen.agovv, Canteen.wilhelmus])
    #expect(tenants[1].teams.map(\.code) == ["JO9-1", "JO11-3", "VR1"])
    #expect(tenants[1].teams.map(\.role) == [.manager, .manager, .member])
  }

  @Test func `KK-113, KK-114, KK-115: a season ends, is remembered, and is reset`() throws {
    var canteen = Canteen()
    let old = canteen.follow(["JO10-5"], of: Canteen.agovv).token
    let token = canteen.follow(["VR1"]).token
    canteen.now += .seconds(1)
    canteen.operate(.endSeason(tenant: Canteen.agovv))

    #expect(
      canteen.ask(.tenants, with: old) == .failure(KKRefusal(.tokenRevoked, reason: .seasonEnded)))
    #expect(canteen.codes(token) == ["VR1"])
    let ended = try #require(canteen.ask(.tenants, with: token).tenants)
    #expect(ended.map(\.seasonEnded) == [true, false])
    #expect(ended[0].teams.map(\.code) == ["JO10-5"])
    let closed = canteen.follow(["JO10-5"], of: Canteen.agovv)
    #expect(closed.refusal == .enrollmentClosed)

    canteen.operate(.resetSeason(tenant: Canteen.agovv))
    #expect(canteen.ask(.status, with: old).refusal == .deviceNotFound)
    #expect(canteen.ask(.tenants, with: token).tenants?.map(\.slug) == [Canteen.wilhelmus])
    #expect(canteen.follow(["JO10-5"], of: Canteen.agovv).refusal == .invalidTeamCodes)
    canteen.operate(
      .createTeam(.init(tenantSlug: Canteen.agovv, id: "", code: "JO10-5", naam: "JO10-5")))
    #expect(canteen.follow(["JO10-5"], of: Canteen.agovv).registration != nil)
    #expect(canteen.operate(.resetSeason(tenant: Canteen.agovv)).refusal == .invalidParameter)
  }

  @Test func `the nightly clean-up takes from managers what they no longer manage`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3", "1"]).token
    let member = canteen.follow(["VR1"]).token
    canteen.operate(
      .setManager(.init(tenantSlug: Canteen.wilhelmus, email: Canteen.manager, teamCodes: ["1"])))
    canteen.operate(.cleanUp)
    #expect(canteen.codes(token) == ["1"])
    canteen.operate(
      .setManager(.init(tenantSlug: Canteen.wilhelmus, email: Canteen.manager, teamCodes: [])))
    canteen.operate(.cleanUp)
    #expect(canteen.ask(.status, with: token).refusal == .deviceNotFound)
    #expect(canteen.codes(member) == ["VR1"])
  }

  @Test func `the operator's look-up prints a phone as the documents do`() {
    var canteen = Canteen()
    canteen.manage(["1"], on: "iPhone_ABC123")
    canteen.follow(["VR1"], on: "iPhone_ABC123")
    canteen.follow(["JO10-5"], of: Canteen.agovv, on: "iPhone_ABC123")
    let answer = canteen.operate(.listEnrollments(hardwareIdentifier: "iPhone_ABC123"))
    guard case .success(.enrollmentList(let listing)) = answer else { return }
    #expect(
      listing.lines == [
        "Found hardware_identifier=iPhone_ABC123",
        "Found 3 enrollments: vvwilhelmus(manager), vvwilhelmus(lid), agovv(lid)",
      ])
  }
}
