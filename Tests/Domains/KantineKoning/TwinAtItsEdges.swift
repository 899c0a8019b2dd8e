import Contracts
import KantineKoningContract
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Kantine Koning's twin at its edges` {
  // MARK: Numbers

  @Test(arguments: [9_999_999_999, 1_774_084_200_000, Int64.max])
  func `KK-32: an unsigned token that ends in milliseconds is refused, and is not used up`(
    exp: Int64
  ) {
    var canteen = Canteen()
    let claims = canteen.memberClaims(["VR1"], exp: exp)
    let text = EnrollmentToken.member(claims).text(signedBy: Canteen.codec)
    for token in [EnrollmentToken.member(claims), .text(text)] {
      let asked = Registration(token: token, hardwareIdentifier: "phone-1")
      #expect(canteen.ask(.register(asked)).refusal == .invalidOrExpiredToken)
    }
    #expect(canteen.inspect().isEmpty)
    var good = claims
    good.exp = canteen.now.unixSeconds + 600
    let asked = Registration(token: .member(good), hardwareIdentifier: "phone-1")
    #expect(canteen.ask(.register(asked)).registration != nil)
  }

  @Test func `an unsigned token that ended before all time has expired`() {
    var canteen = Canteen()
    let claims = canteen.memberClaims(["VR1"], exp: .min)
    let asked = Registration(token: .member(claims), hardwareIdentifier: "phone-1")
    #expect(canteen.ask(.register(asked)).refusal == .enrollmentExpired)
  }

  @Test func `a device token of any dates is judged, not computed with`() {
    for (iat, exp) in [(Int64.min, Int64.max), (.max, .max), (.max, .min)] {
      var canteen = Canteen()
      guard case .issued(var claims) = canteen.follow(["VR1"]).token else { return }
      canteen.operate(.endSeason(tenant: Canteen.wilhelmus))
      (claims.iat, claims.exp) = (iat, exp)
      #expect(canteen.ask(.status, with: .issued(claims)).refusal != nil)
    }
  }

  @Test(arguments: [0, -1, 1_001, Int.max])
  func `minimum_bemanning is 1 to 1000`(minimum: Int) {
    var canteen = Canteen()
    let change = KantineKoning.DienstChange(id: "d-future", minimumBemanning: minimum)
    #expect(canteen.operate(.changeDienst(change)).refusal == .invalidParameter)
    var entry = Fixture.twoClubs.diensten[0]
    entry.id = "d-new"
    entry.minimumBemanning = minimum
    #expect(canteen.operate(.scheduleDienst(entry)).refusal == .invalidParameter)
  }

  @Test func `the clock may stand at the end of time`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    for now in [Instant("2200-12-31T23:59:59Z")!, .distantFuture] {
      canteen.now = now
      #expect(canteen.ask(.status, with: token).refusal != nil)
      canteen.follow(["VR1"], on: "phone-2")
      canteen.operate(.cancelDienst(id: "d-far"))
      canteen.ask(.searchClubs(query: "vv"))
    }
  }

  // MARK: Names

  @Test(arguments: [
    "", " ", "\u{0}", "\u{200B}", "\u{FEFF}", " \u{200B}\u{0} ", "\u{2060}", "\u{AD}", "\u{3164}",
    "\u{2800}", "\u{202E}", "\u{7F}",
  ])
  func `KK-60: a name of which nothing can be seen is empty`(name: String) {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    #expect(canteen.add(name, with: token).refusal == .invalidName)
    var entry = Fixture.twoClubs.diensten[0]
    entry.id = "d-new"
    entry.aanmeldingen = [name]
    #expect(canteen.operate(.scheduleDienst(entry)).refusal == .invalidParameter)
  }

  @Test func `KK-58: fifteen characters are as long as any in use, and no longer`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    let kiss = "👩🏽‍❤️‍💋‍👨🏻"
    #expect(kiss.count == 1 && kiss.utf8.count == 35)
    #expect(canteen.add(String(repeating: kiss, count: 15), with: token).dienst != nil)
    #expect(canteen.add(String(repeating: kiss, count: 16), with: token).refusal == .nameTooLong)
    let marked = "A" + String(repeating: "\u{0301}", count: 140_000)
    #expect(marked.count == 1)
    #expect(canteen.add(marked, with: token).refusal == .nameTooLong)
    #expect(canteen.remove(marked, with: token).refusal == .nameTooLong)
  }

  @Test func `names of clubs and teams are bounded in bytes as well as in characters`() {
    let marked = "A" + String(repeating: "\u{0301}", count: 140_000)
    var canteen = Canteen()
    let team = Fixture.Team(tenantSlug: Canteen.agovv, id: "t", code: "T1", naam: "T1")
    var (long, other) = (team, team)
    long.naam = marked
    other.code = TeamName(marked)
    for command in [
      KantineKoning.Control.createTenant(.init(slug: "new", name: marked)),
      .changeTenant(.init(slug: Canteen.agovv, name: marked)), .createTeam(long),
      .createTeam(other), .changeTeam(tenant: Canteen.agovv, team: "JO10-5", naam: marked),
      .changeTenant(.init(slug: Canteen.agovv, name: "")),
    ] {
      #expect(canteen.operate(command).refusal == .invalidParameter)
    }
    #expect(canteen.operate(.createTeam(team)) == .success(.made(Made(id: "t"))))
  }

  // MARK: Phones

  @Test func `a push token or an identifier that is too long is refused alike by O3 and O10`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    let long = String(repeating: "a", count: 257)
    #expect(canteen.hand(long, with: token).refusal == .invalidParameter)
    func registration(_ apns: String, _ hardware: HardwareID) -> Registration {
      let claims = canteen.memberClaims(["JO9-1"])
      return Registration(
        token: .member(claims), apnsDeviceToken: apns, hardwareIdentifier: hardware)
    }
    #expect(canteen.ask(.register(registration(long, "p"))).refusal == .invalidParameter)
    #expect(
      canteen.ask(.register(registration("", HardwareID(long.prefix(129))))).refusal
        == .invalidParameter)
    // Who is refused for another reason is told that one: value rules come late (§3.2).
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.wilhelmus, open: false, message: nil))
    #expect(canteen.ask(.register(registration(long, "p"))).refusal == .enrollmentClosed)
    var fixture = Fixture()
    fixture.enrollments = [
      .init(
        deviceID: "e", tenantSlug: Canteen.agovv, role: .member, teamCodes: ["JO10-5"],
        hardwareIdentifier: "p", apnsDeviceToken: long)
    ]
    #expect(canteen.operate(.load(fixture)).refusal == .invalidParameter)
  }

  @Test(arguments: ["", " vvwilhelmus", "vvwilhelmus ", "VVWilhelmus", "vv_wilhelmus", "-vv"])
  func `KK-73, KK-78: a slug that no club can have refuses the whole sync`(slug: Slug) {
    var canteen = Canteen()
    let first = canteen.follow(["VR1"]).token
    let second = canteen.follow(["JO11-3"], of: Canteen.agovv).token
    let listed = [item("member", ["VR1"], of: slug), item("member", ["JO11-3"], of: Canteen.agovv)]
    #expect(canteen.sync(listed, with: first).refusal == .invalidRequest)
    #expect(canteen.codes(first) == ["VR1"] && canteen.codes(second) == ["JO11-3"])
    // A club that there is none of may have been there: it is ignored (§3.4 O4, step 3).
    let gone = [item("member", ["VR1"]), item("member", ["1"], of: "no-such-club")]
    #expect(canteen.sync(gone, with: first).summary?.tenantsAffected == [Canteen.agovv])
  }

  @Test func `inspection says why an enrollment was revoked, in process and over HTTP`() throws {
    var canteen = Canteen()
    let answers = ["a", "b", "c"].map { canteen.follow(["VR1"], on: $0) }
    canteen.ask(.removeAll, with: answers[0].token)
    let device = try #require(answers[1].registration).deviceID
    canteen.operate(.revokeEnrollment(deviceID: device, reason: .securityBreach))
    let rows = canteen.inspect()
    #expect(rows.map(\.revokedReason) == [.removed, .securityBreach, nil])
    #expect(rows.map(\.isActive) == [false, false, true])
    let wire = KantineKoning.write(
      .success(.inspection(Inspection(enrollments: rows))), to: .inspect(since: 0),
      tokens: Canteen.codec)
    let body = try #require(wire.body)
    #expect(body["enrollments"]?[1]?["revoked_reason"] == "security_breach")
    #expect(body["enrollments"]?[2]?["revoked_reason"] == .null)
    #expect(
      KantineKoning.read(wire, to: .inspect(since: 0))
        == .success(.inspection(Inspection(enrollments: rows)))
    )
  }

  // MARK: Paths

  @Test(arguments: [
    "/diensten/", "/diensten//volunteer", "/diensten//claim", "/diensten//transfer-offer",
    "/season-summary//1", "/season-summary/vvwilhelmus/", "/season-summary//", "/tenants/",
    "/diensten/available/", "//diensten", "/enrollments/status/",
  ])
  func `a path with an empty part is no route, whatever the method`(path: String) {
    for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
      let wire = WireRequest(method, "/api/mobile/v1" + path)
      #expect(KantineKoning.read(wire).request.lacksMethodAlone == false, "\(method)")
    }
  }

  // MARK: What is over

  private static func mailed(_ canteen: inout Canteen) throws -> CallToActionToken {
    canteen.operate(.assignDienst(id: "d-open", team: nil))
    canteen.operate(.assignDienst(id: "d-open", team: "JO11-3"))
    return try #require(canteen.lastNotices.first?.ctaToken)
  }

  private static func enter(_ token: CallToActionToken, _ canteen: inout Canteen) -> KKAnswer {
    let name = "Naam \(canteen.now.unixSeconds % 1_000)"
    canteen.now += .seconds(1)
    return canteen.ask(.answerCallToAction(CallToAction(token: token, names: [name])))
  }

  @Test func `KK-113: a mail's token ends with the season, at whatever instant that is`() throws {
    for delay in [Span.zero, .milliseconds(1), .hours(2)] {
      var canteen = Canteen()
      canteen.manage(["JO11-3"])
      let old = try Self.mailed(&canteen)
      let text = CallToActionToken.text(old.text(signedBy: Canteen.codec))
      canteen.now += delay
      canteen.operate(.endSeason(tenant: Canteen.wilhelmus))
      canteen.operate(.setEnrollmentOpen(tenant: Canteen.wilhelmus, open: true, message: nil))
      canteen.manage(["JO11-3"], on: "phone-2")
      let new = try Self.mailed(&canteen)
      #expect(Self.enter(old, &canteen).refusal == .invalidOrExpiredToken, "\(delay)")
      #expect(Self.enter(text, &canteen).refusal == .invalidOrExpiredToken)
      #expect(Self.enter(new, &canteen).dienst != nil, "what is given out afterwards works")
      canteen.operate(.resetSeason(tenant: Canteen.wilhelmus))
      #expect(Self.enter(new, &canteen).refusal == .invalidOrExpiredToken, "its dienst is gone")
    }
  }

  @Test func `KK-61: a cancelled dienst takes no names, from the app or by mail, and loses them`()
    throws
  {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    let mail = try Self.mailed(&canteen)
    #expect(canteen.add("Jan", to: "d-open", with: token).dienst != nil)
    canteen.operate(.cancelDienst(id: "d-open"))
    #expect(canteen.add("Piet", to: "d-open", with: token).refusal == .teamAccessDenied)
    #expect(Self.enter(mail, &canteen).refusal == .invalidOrExpiredToken)
    let left = canteen.remove("Jan", from: "d-open", with: token).dienst
    #expect(left?.aanmeldingen == [] && left?.status == .geannuleerd)
  }

  @Test(arguments: [false, true])
  func `a club that opens again in the second of its end gives out tokens that work`(
    byReset: Bool
  ) throws {
    var canteen = Canteen()
    canteen.now += .milliseconds(300)
    let old = canteen.follow(["JO11-3"], of: Canteen.agovv, on: "old").token
    canteen.now += .milliseconds(200)
    canteen.operate(.endSeason(tenant: Canteen.agovv))
    if byReset {
      canteen.operate(.resetSeason(tenant: Canteen.agovv))
      canteen.operate(
        .createTeam(.init(tenantSlug: Canteen.agovv, id: "n", code: "JO11-3", naam: "N")))
    } else {
      canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: true, message: nil))
    }
    canteen.now += .milliseconds(200)
    let new = canteen.follow(["JO11-3"], of: Canteen.agovv, on: "new").token
    canteen.now += .hours(1)
    #expect(canteen.codes(new) == ["JO11-3"])
    let ended = KKRefusal(.tokenRevoked, reason: .seasonEnded)
    #expect(
      canteen.ask(.status, with: old) == .failure(byReset ? KKRefusal(.deviceNotFound) : ended))
  }
}
