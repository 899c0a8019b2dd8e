import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Enrolling at Kantine Koning's twin` {
  // MARK: O1, O2

  private func asked(
    _ codes: [TeamName], email: String = Canteen.manager, of club: Slug = Canteen.wilhelmus
  )
    -> KantineKoning.Request
  {
    .requestEnrollment(EnrollmentRequest(email: email, tenantSlug: club, teamCodes: codes))
  }

  @Test func `KK-26: an address is told exactly its teams, and no mail is sent`() {
    var canteen = Canteen()
    #expect(
      canteen.ask(asked([], email: "  M@Example.ORG ")).teamCodes == ["1", "JO9-1", "JO11-3"])
    #expect(canteen.lastEffects.isEmpty)
    #expect(canteen.operate(.outbox) == .success(.outbox([])))
  }

  @Test func `O1 and O2 are refused in the order of the table`() {
    var canteen = Canteen()
    #expect(canteen.ask(asked([], email: "no", of: "nowhere")).refusal == .tenantNotFound)
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: false, message: "Dicht"))
    let closed = canteen.ask(asked([], email: "no", of: Canteen.agovv))
    #expect(closed == .failure(KKRefusal(.enrollmentClosed, message: "Dicht")))
    #expect(canteen.ask(asked(["none"], email: "no")).refusal == .invalidEmail)
    #expect(canteen.ask(asked(["none"], email: "x@example.org")).refusal == .teamManagerNotFound)
    #expect(canteen.ask(asked(["none"])).refusal == .invalidTeamCodes)
    #expect(canteen.ask(asked(["VR1"])).refusal == .invalidTeamCodes)
  }

  @Test(
    arguments: [
      ("m@example.org", true), ("a.b_c%d+e-f@sub.example.nl", true), ("m@example.o", false),
      ("m@example", false), ("@example.org", false), ("m@@example.org", false),
      ("m m@example.org", false), ("mé@example.org", false), ("m@.org", false),
      ("m@example.\(String(repeating: "a", count: 64))", true),
      ("m@example.\(String(repeating: "a", count: 65))", false), ("", false),
    ])
  func `an address has a local part, a domain and a top-level part of 2 to 64 letters`(
    address: String, isOne: Bool
  ) {
    var canteen = Canteen()
    let refusal = canteen.ask(asked([], email: address)).refusal
    #expect((refusal != .invalidEmail) == isOne)
  }

  @Test func `KK-27: a request sends one mail and enrolls nobody`() throws {
    var canteen = Canteen()
    #expect(canteen.ask(asked(["JO11-3", "JO11-3", "w-1"])) == .success(.emailSent))
    #expect(canteen.lastWork.messagesSent == 1)
    let sent = try #require(canteen.lastEffects.signals.first)
    #expect(sent.address == .mailbox(Canteen.manager))
    guard case .mail(let mail) = sent.signal else { return }
    #expect(mail.teamCodes == ["JO11-3", "1"])
    #expect(mail.expiresAt == canteen.now + .hours(24))
    #expect(canteen.inspect().isEmpty)
    #expect(canteen.operate(.outbox) == .success(.outbox([mail])))
  }

  @Test func `a second request leaves the first link valid`() {
    var canteen = Canteen()
    let first = canteen.link(for: ["1"])!
    _ = canteen.link(for: ["1"])
    let asked = Registration(token: first, hardwareIdentifier: "phone-1")
    #expect(canteen.ask(.register(asked)).registration?.role == .manager)
  }

  @Test func `KK-14: more than five teams in one request are refused after unknown ones`() {
    var fixture = Fixture.twoClubs
    fixture.managers[0].teamCodes = ["JO11-3", "JO9-1", "JO11-1", "MO13-1", "1", "VR1"]
    var canteen = Canteen(fixture: fixture)
    let all = fixture.managers[0].teamCodes
    #expect(canteen.ask(asked(all)).refusal == .enrollmentLimitExceeded)
    #expect(canteen.ask(asked(all + ["none"])).refusal == .invalidTeamCodes)
    #expect(canteen.ask(asked(all.dropLast() + ["1"])) == .success(.emailSent))
  }

  @Test func `the outbox drops the oldest mail first`() {
    var configuration = KantineKoningConfiguration()
    configuration.outboxCapacity = 2
    var canteen = Canteen(configuration: configuration)
    for code: TeamName in ["1", "JO9-1", "JO11-3"] { canteen.ask(asked([code])) }
    guard case .success(.outbox(let mails)) = canteen.operate(.outbox) else { return }
    #expect(mails.map(\.teamCodes) == [["JO9-1"], ["JO11-3"]])
  }

  // MARK: O3, the token

  private func register(
    _ token: EnrollmentToken, on phone: HardwareID = "phone-1", in canteen: inout Canteen
  ) -> KKAnswer {
    canteen.ask(.register(Registration(token: token, hardwareIdentifier: phone)))
  }

  @Test func `KK-28, KK-35: registration returns a token with the enrollment's claims`() {
    var canteen = Canteen()
    let answer = canteen.manage(["JO11-3", "1"]).registration!
    #expect(answer.tenantName == "VV Wilhelmus" && answer.email == Canteen.manager)
    #expect(answer.teams.map(\.id) == ["w-JO11-3", "w-1"])
    guard case .issued(let claims) = answer.apiToken else { return }
    #expect(
      claims
        == DeviceClaims(
          deviceID: answer.deviceID, tenantSlug: Canteen.wilhelmus, role: .manager,
          teamCodes: ["JO11-3", "1"], iat: canteen.now.unixSeconds,
          exp: Instant("2026-07-31T21:59:59Z")!.unixSeconds))
    #expect(canteen.codes(answer.apiToken) == ["JO11-3", "1"])
  }

  @Test(
    arguments: [
      ("2026-03-21T09:00:00Z", "2026-07-31T21:59:59Z"),
      ("2026-07-31T21:59:58Z", "2026-07-31T21:59:59Z"),
      ("2026-07-31T21:59:59Z", "2027-07-31T21:59:59Z"),
      ("2026-12-31T23:30:00Z", "2027-07-31T21:59:59Z"),
    ])
  func `a device token lives to the coming 31 July, 23.59.59 in Amsterdam`(now: String, end: String)
  {
    var canteen = Canteen()
    canteen.now = Instant(now)!
    guard case .issued(let claims) = canteen.follow(["VR1"]).token else { return }
    #expect(claims.exp == Instant(end)!.unixSeconds)
  }

  @Test func `device ids are random UUIDs of version 4, and differ`() {
    var canteen = Canteen()
    let ids = ["VR1", "MO13-1", "1"].map { canteen.follow([$0]).registration!.deviceID }
    #expect(Set(ids).count == 3)
    for id in ids {
      let parts = id.text.split(separator: "-")
      #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
      #expect(parts[2].first == "4" && "89ab".contains(parts[3].first!))
    }
  }

  @Test func `KK-31: a token works once, and a refused use does not consume it`() {
    var canteen = Canteen()
    canteen.follow(["VR1", "MO13-1", "1", "JO9-1"])
    let link = EnrollmentToken.member(canteen.memberClaims(["JO11-3", "JO11-1"]))
    #expect(register(link, in: &canteen).refusal == .enrollmentLimitExceeded)
    #expect(register(link, on: "phone-2", in: &canteen).registration != nil)
    #expect(register(link, on: "phone-3", in: &canteen).refusal == .invalidOrExpiredToken)
  }

  @Test func `KK-30: an unsigned token grants the role member alone`() {
    var canteen = Canteen()
    var claims = canteen.memberClaims(["1"])
    claims.role = "manager"
    claims.email = Canteen.manager
    #expect(register(.member(claims), in: &canteen).refusal == .invalidOrExpiredToken)
    #expect(register(.link(claims), in: &canteen).registration?.role == .manager)
  }

  @Test(
    arguments: [
      (599, nil), (720, nil), (721, KKRefusal.Code.invalidOrExpiredToken), (0, .enrollmentExpired),
      (1, nil), (-1, .enrollmentExpired),
    ] as [(Int64, KKRefusal.Code?)])
  func `KK-32: an unsigned token may expire in at most 720 seconds, and not now or before`(
    seconds: Int64, refusal: KKRefusal.Code?
  ) {
    var canteen = Canteen()
    let claims = canteen.memberClaims(["1"], exp: canteen.now.unixSeconds + seconds)
    #expect(register(.member(claims), in: &canteen).refusal == refusal)
  }

  @Test func `a token is read from its bytes in both alphabets, padded or not`() {
    for strip in [false, true] {
      var canteen = Canteen()
      var text = EnrollmentToken.member(canteen.memberClaims(["VR1", "MO13-1"]))
        .text(signedBy: Canteen.codec)
      if strip {
        text = String(text.prefix { $0 != "=" }).map { $0 == "+" ? "-" : $0 == "/" ? "_" : "\($0)" }
          .joined()
      }
      #expect(register(.text(text), in: &canteen).registration?.teamCodes == ["VR1", "MO13-1"])
    }
  }

  @Test func `forged, foreign and malformed tokens are invalid_or_expired_token`() {
    var canteen = Canteen()
    let link = canteen.link(for: ["1"])!.text(signedBy: Canteen.codec)
    let device = canteen.follow(["VR1"]).token.text(signedBy: Canteen.codec)
    var purpose = canteen.memberClaims(["1"])
    purpose.purpose = "device"
    let unusable = [
      String(link.dropLast()) + (link.last == "A" ? "B" : "A"), device, "", "x.y.z", "!!!", "e30=",
      EnrollmentToken.member(purpose).text(signedBy: Canteen.codec),
    ]
    for text in unusable {
      #expect(register(.text(text), in: &canteen).refusal == .invalidOrExpiredToken, "\(text)")
    }
    #expect(register(.text(link), on: "phone-2", in: &canteen).registration != nil)
  }

  @Test func `a magic link works up to its last second`() {
    var canteen = Canteen()
    let link = canteen.link(for: ["1"])!
    canteen.now = Canteen.start + .hours(24)
    #expect(register(link, in: &canteen).refusal == .enrollmentExpired)
    canteen.now = Canteen.start + .hours(24) - .seconds(1)
    #expect(register(link, in: &canteen).registration != nil)
  }

  // MARK: O3, steps 2 to 5

  @Test func `registration is refused in the order of the table and changes nothing`() {
    var canteen = Canteen()
    let link = canteen.link(for: ["1"])!
    #expect(canteen.follow(["VR1"], of: "nowhere").refusal == .tenantNotFound)
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: false, message: nil))
    #expect(canteen.follow(["none"], of: Canteen.agovv).refusal == .enrollmentClosed)  // KK-23
    #expect(canteen.follow([]).refusal == .invalidTeamCodes)
    #expect(canteen.follow(["VR1", "none"]).refusal == .invalidTeamCodes)
    canteen.operate(
      .setManager(
        .init(tenantSlug: Canteen.wilhelmus, email: Canteen.manager, teamCodes: ["JO9-1"])))
    #expect(register(link, in: &canteen).refusal == .invalidTeamCodes)
    canteen.operate(
      .setManager(.init(tenantSlug: Canteen.wilhelmus, email: Canteen.manager, teamCodes: [])))
    #expect(register(link, in: &canteen).refusal == .teamManagerNotFound)
    #expect(canteen.inspect().isEmpty)
  }

  @Test func `KK-23: existing enrollments of a closed club keep working`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.wilhelmus, open: false, message: nil))
    #expect(canteen.codes(token) == ["VR1"])
  }

  @Test func `KK-12: the seed's example of three enrollments on one phone is possible`() {
    var canteen = Canteen()
    let tokens = [
      canteen.manage(["JO11-3", "JO9-1"]).token, canteen.follow(["MO13-1"]).token,
      canteen.follow(["JO10-5"], of: Canteen.agovv).token,
    ]
    #expect(tokens.map { canteen.codes($0) } == [["JO11-3", "JO9-1"], ["MO13-1"], ["JO10-5"]])
  }

  @Test func `KK-14, KK-15: a sixth team is refused over roles and clubs, on both paths`() {
    var canteen = Canteen()
    canteen.manage(["JO11-3", "JO9-1"])
    canteen.follow(["MO13-1", "VR1"])
    canteen.follow(["JO10-5"], of: Canteen.agovv)
    let before = canteen.inspect()
    #expect(canteen.follow(["JO11-1"]).refusal == .enrollmentLimitExceeded)
    #expect(canteen.manage(["JO11-3"], of: Canteen.agovv).refusal == .enrollmentLimitExceeded)
    #expect(canteen.inspect() == before)
    #expect(canteen.follow(["JO11-1"], on: "phone-2").registration != nil)
    #expect(canteen.follow(["VR1"]).registration != nil, "a team that moves does not count twice")
  }

  @Test func `KK-10: phones without identifier share nothing`() {
    var canteen = Canteen()
    canteen.follow(["MO13-1", "VR1", "1"], on: "")
    #expect(canteen.follow(["JO9-1", "JO11-1", "JO11-3"], on: "").registration != nil)
    let six: [TeamName] = ["MO13-1", "VR1", "1", "JO9-1", "JO11-1", "JO11-3"]
    #expect(canteen.follow(six, on: "").refusal == .enrollmentLimitExceeded)
  }

  @Test func `KK-01: an identifier with a bundle id behind it links with nothing else`() {
    var canteen = Canteen()
    canteen.follow(["VR1"], on: "U-1:nl.kantinekoning")
    let token = canteen.follow(["MO13-1"], on: "U-1").token
    #expect(canteen.ask(.tenants, with: token).tenants?.first?.teams.map(\.code) == ["MO13-1"])
  }

  @Test func `KK-22: registering again supersedes, and the older token is no longer known`() {
    var canteen = Canteen()
    let first = canteen.follow(["VR1", "MO13-1"]).token
    let second = canteen.follow(["VR1"]).token
    #expect(canteen.codes(first) == ["MO13-1"])
    canteen.follow(["MO13-1"])
    #expect(canteen.ask(.status, with: first).refusal == .deviceNotFound)
    #expect(canteen.codes(second) == ["VR1"])
  }

  @Test func `with reenroll = reject registering again is device_already_enrolled`() {
    var configuration = KantineKoningConfiguration()
    configuration.deployment.reenroll = .reject
    var canteen = Canteen(configuration: configuration)
    canteen.follow(["VR1"])
    #expect(canteen.follow(["VR1", "1"]).refusal == .deviceAlreadyEnrolled)
    #expect(canteen.follow(["VR1"], on: "phone-2").registration != nil)
  }

  @Test func `KK-20: a member's team becomes a manager's and counts once`() {
    var canteen = Canteen()
    let member = canteen.follow(["1", "MO13-1", "VR1", "JO11-1", "JO9-1"]).token
    let manager = canteen.manage(["1"])
    #expect(manager.registration?.role == .manager)
    #expect(canteen.codes(member) == ["MO13-1", "VR1", "JO11-1", "JO9-1"])
  }

  @Test func `KK-21: a managed team cannot be followed, and the whole registration is refused`() {
    var canteen = Canteen()
    canteen.manage(["1"])
    #expect(canteen.follow(["VR1", "1"]).refusal == .teamConflict)
    #expect(canteen.inspect().count == 1)
    #expect(canteen.follow(["JO11-3"], of: Canteen.agovv).registration != nil)
  }
}
