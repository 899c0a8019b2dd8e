import Contracts
import KantineKoningContract
import Testing
import Timekeeping

@Suite struct `Authentication at Kantine Koning's twin` {
  private static let guarded: [KantineKoning.Request] = [
    .sync(SyncRequest(items: [])), .status, .tenants, .diensten(DienstenQuery()),
    .addVolunteer(VolunteerChange(dienstID: "d-future", naam: "Jan")),
    .removeVolunteer(VolunteerChange(dienstID: "d-future", naam: "Jan")),
    .malformed(.sync), .malformed(.addVolunteer),
  ]

  @Test(arguments: guarded)
  func `without a bearer token, and with one that nobody signed, nothing else is looked at`(
    request: KantineKoning.Request
  ) {
    var canteen = Canteen()
    #expect(canteen.ask(request).refusal == .unauthorized)
    #expect(canteen.send(request, from: .client(.malformed)).refusal == .unauthorized)
    #expect(canteen.ask(request, with: .text("x.y.z")).refusal == .invalidToken)
  }

  @Test func `a body is judged after the token`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    #expect(canteen.ask(.malformed(.sync), with: token).refusal == .invalidRequest)
    #expect(canteen.ask(.malformed(.register)).refusal == .invalidRequest)
    #expect(canteen.ask(.unread(.unrouted(.init("GET", "/x")))).refusal == .notFound)
    let patch = Unread.Unrouted("PATCH", "/api/mobile/v1/tenants", allowed: ["GET"])
    #expect(canteen.ask(.unread(.unrouted(patch))).refusal == .methodNotAllowed)
  }

  @Test func `a signed text stands for its claims, another purpose or secret for nothing`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    let text = token.text(signedBy: Canteen.codec)
    #expect(canteen.codes(.text(text)) == ["VR1"])
    #expect(canteen.codes(.text(text)) == ["VR1"], "a remembered signature is as good")
    let link = canteen.link(for: ["1"])!.text(signedBy: Canteen.codec)
    #expect(canteen.ask(.status, with: .text(link)).refusal == .invalidToken)
    let parts = text.split(separator: ".")
    let unsigned = "eyJhbGciOiJub25lIn0.\(parts[1])."
    #expect(canteen.ask(.status, with: .text(unsigned)).refusal == .invalidToken)
    let swapped = "\(parts[0]).\(parts[1]).\(parts[1])"
    #expect(canteen.ask(.status, with: .text(swapped)).refusal == .invalidToken)
  }

  @Test func `KK-39: a token is valid one second before its exp and not at it`() throws {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    let exp = try #require(Instant("2026-07-31T21:59:59Z"))
    canteen.now = exp - .seconds(1)
    #expect(canteen.codes(token) == ["VR1"])
    canteen.now = exp
    #expect(canteen.ask(.status, with: token).refusal == .invalidToken)
    canteen.now = exp + .seconds(1)
    #expect(canteen.ask(.status, with: token).refusal == .invalidToken)
  }

  @Test func `a revocation is told before an expiry`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    canteen.now += .seconds(1)
    canteen.operate(.endSeason(tenant: Canteen.wilhelmus))
    canteen.now = Instant("2026-09-01T00:00:00Z")!
    #expect(
      canteen.ask(.status, with: token)
        == .failure(KKRefusal(.tokenRevoked, reason: .seasonEnded)))
  }

  @Test(
    arguments: [
      (KantineKoning.RevocationReason.adminRevoked, KKRefusal.Code.tokenRevoked),
      (.securityBreach, .tokenRevoked),
    ])
  func `KK-41: the holder is told why, KK-42: its other enrollments go on`(
    reason: KantineKoning.RevocationReason, code: KKRefusal.Code
  ) {
    var canteen = Canteen()
    let lost = canteen.follow(["VR1"])
    let kept = canteen.follow(["MO13-1"]).token
    canteen.operate(.revokeEnrollment(deviceID: lost.registration!.deviceID, reason: reason))
    #expect(canteen.ask(.status, with: lost.token) == .failure(KKRefusal(code, reason: reason)))
    #expect(canteen.codes(kept) == ["MO13-1"])
  }

  @Test func `an unknown enrollment is device_not_found, a changed role invalid_token`() {
    var canteen = Canteen()
    guard case .issued(var claims) = canteen.follow(["VR1"]).token else { return }
    claims.role = .manager
    #expect(canteen.ask(.status, with: .issued(claims)).refusal == .invalidToken)
    claims.deviceID = "none"
    #expect(canteen.ask(.status, with: .issued(claims)).refusal == .deviceNotFound)
    claims.tenantSlug = "nowhere"
    #expect(canteen.ask(.status, with: .issued(claims)).refusal == .deviceNotFound)
  }

  @Test func `every authenticated request moves last_seen_at, a refused one as well`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    canteen.now += .minutes(5)
    #expect(canteen.sync([], with: token).refusal == .emptyEnrollments)
    let row = canteen.inspect()
    canteen.now += .minutes(5)
    guard case .success(.status(let status)) = canteen.ask(.status, with: token) else { return }
    #expect(status.lastSeenAt == canteen.now)
    #expect(canteen.inspect() == row)
  }

  @Test func `commands and inspection are not for clients`() {
    var canteen = Canteen()
    #expect(canteen.ask(.control(.reset)).refusal == .notFound)
    #expect(canteen.ask(.inspect(since: 0)).refusal == .notFound)
  }

  @Test func `KK-36, KK-53: a foreign tenant is refused, and an unknown one is not found`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    #expect(canteen.diensten(token, tenant: Canteen.agovv).refusal == .tenantMismatch)
    #expect(canteen.diensten(token, tenant: "nowhere").refusal == .tenantNotFound)
    #expect(canteen.add("Jan", to: "d-agovv", with: token).refusal == .dienstNotFound)
    #expect(canteen.remove("Jan", from: "d-agovv", with: token).refusal == .dienstNotFound)
    let change = VolunteerChange(dienstID: "d-future", tenant: Canteen.agovv, naam: "Jan")
    #expect(canteen.ask(.addVolunteer(change), with: token).refusal == .tenantMismatch)
  }
}
