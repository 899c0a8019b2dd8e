import Contracts
import KantineKoningContract
import KantineKoningJourneys
import KantineKoningTwin
import Testing
import Timekeeping

@Suite struct `Kantine Koning over the wire: devices, takeovers and pushes` {
  static let bearer = KantineKoning.Credential.bearer(.text("abc"))

  static let requests: [(KantineKoning.Request, String, String)] = [
    (.removeTeams(["JO11-3", "x"]), "POST", "/enrollments/remove-teams"),
    (.removeTenant(slug: "agovv"), "DELETE", "/enrollments/tenant"),
    (.removeAll, "DELETE", "/enrollments/all"),
    (
      .setEmailPreference(EmailPreference(enabled: false, team: "1")), "PUT",
      "/enrollment/email-preferences"
    ),
    (.updateApnsToken(ApnsTokenUpdate(token: "ab")), "POST", "/device/apns-token"),
    (
      .updateApnsToken(
        ApnsTokenUpdate(token: "", buildEnvironment: nil, appVersion: nil, buildNumber: nil)),
      "POST", "/device/apns-token"
    ),
    (.availableDiensten(currentTeam: nil), "GET", "/diensten/available"),
    (
      .availableDiensten(currentTeam: "JO 1"), "GET",
      "/diensten/available?current_team_code=JO%201"
    ),
    (
      .takeover(TakeoverQuery(dienstID: "d/1", tenant: "agovv", token: .text("t.t"))), "GET",
      "/diensten/d%2F1?tenant=agovv&token=t.t"
    ),
    (
      .claimDienst(DienstClaim(dienstID: "d-1", team: "1", token: .text("t"))), "POST",
      "/diensten/d-1/claim"
    ),
    (
      .offerTransfer(TransferOffer(dienstID: "d-1", offered: true)), "PUT",
      "/diensten/d-1/transfer-offer"
    ),
    (
      .answerCallToAction(CallToAction(token: .text("t"), names: ["Jan"])), "POST",
      "/cta/shift-volunteer"
    ),
  ]

  @Test func `a request that is written is read back`() {
    for (request, method, path) in Self.requests {
      let wire = KantineKoning.write(request, credential: Self.bearer, tokens: Canteen.codec)
      #expect(wire.method == method)
      #expect(wire.target == "/api/mobile/v1" + path)
      let (read, credential) = KantineKoning.read(wire)
      #expect(read == request && credential == Self.bearer)
    }
  }

  @Test func `a wrong method is 405 and a body that cannot be read is malformed`() {
    for (request, _, _) in Self.requests {
      var wire = KantineKoning.write(request, credential: nil, tokens: Canteen.codec)
      wire.method = "PATCH"
      #expect(KantineKoning.read(wire).request.lacksMethodAlone == true)
    }
    for operation in MobileOperation.allCases
    where ![.allowedTeams, .unrouted, .control, .inspect, .apns].contains(operation) {
      let wire = KantineKoning.write(
        .malformed(operation), credential: nil, tokens: Canteen.codec)
      let read = KantineKoning.read(wire).request
      #expect(read.unreadable == operation, "\(operation) is read as \(read)")
    }
  }

  static let dienst = Dienst(
    id: "d-1", tenantSlug: "agovv", team: TeamInfo(id: "t", code: "1", naam: "Een"),
    startTijd: Canteen.start, eindTijd: Canteen.start + .hours(2), minimumBemanning: 2,
    status: .onbemand, locatieNaam: nil, aanmeldingen: [], updatedAt: Canteen.start,
    dienstType: nil, offeredForTransfer: true)

  static let delivery = PushDelivery(
    number: 3, event: .dienstTakenOver, eventNumber: 2, tenantSlug: "agovv", teamCode: "1",
    dienstID: nil, title: "T", deviceID: "e-1", apnsEnvironment: .sandbox, sentAt: Canteen.start,
    result: .unregistered, latencyMilliseconds: 250)

  @Test func `an answer that is written is read back`() {
    var offered = Self.dienst
    offered.columns.notificationToken = .text("t.t.t")
    var open = Self.delivery
    open.result = nil
    open.latencyMilliseconds = nil
    let notice = Notice(
      to: "m@example.org", event: .reminderDay, tenantSlug: "agovv", teamCode: "1",
      dienstID: "d-1", subject: "S", body: "B", ctaToken: .text("c"), sentAt: Canteen.start)
    let found = FoundEnrollment(
      deviceID: "e", tenantSlug: "agovv", role: .manager, teamCodes: ["1"], isActive: false,
      pushEnabled: true, hasApnsToken: true, buildEnvironment: nil, isTestUser: true,
      apnsEnvironment: .sandbox)
    let pairs: [(KantineKoning.Request, KKReply)] = [
      (.removeTeams(["1"]), .teamsRemoved(TeamRemoval(removed: 1, teamCodes: ["VR1"]))),
      (.removeTenant(slug: "agovv"), .enrollmentsRevoked(2)), (.removeAll, .enrollmentsRevoked(0)),
      (
        .setEmailPreference(EmailPreference(enabled: true, team: "1")),
        .emailPreferences([
          TeamPreference(teamCode: "1", emailEnabled: true),
          TeamPreference(teamCode: "VR1", emailEnabled: false),
        ])
      ),
      (.updateApnsToken(ApnsTokenUpdate(token: "a")), .apnsTokenUpdated(3)),
      (.availableDiensten(currentTeam: nil), .diensten([offered])),
      (.takeover(TakeoverQuery(dienstID: "d-1", token: .text("t"))), .dienst(Self.dienst)),
      (
        .claimDienst(DienstClaim(dienstID: "d-1", team: "1", token: .text("t"))),
        .transfer(Transfer(dienst: Self.dienst, message: "M"))
      ),
      (
        .offerTransfer(TransferOffer(dienstID: "d-1", offered: true)),
        .transfer(Transfer(dienst: Self.dienst))
      ),
      (.answerCallToAction(CallToAction(token: .text("t"), names: [])), .dienst(Self.dienst)),
      (.control(.findEnrollments(email: "m")), .foundEnrollments([found])),
      (.control(.readApnsEnvironment), .apnsEnvironment(ApnsVariables(env: "sandbox"))),
      (.control(.pushDeliveries(deviceID: nil)), .pushDeliveries([Self.delivery, open])),
      (.control(.notices), .notices([notice])),
      (.inspect(since: 0), .inspection(Inspection(enrollments: [], deliveries: [Self.delivery]))),
      (.apns(.appDeleted(token: "a")), .done),
    ]
    for (request, reply) in pairs {
      let wire = KantineKoning.write(.success(reply), to: request, tokens: Canteen.codec)
      #expect(KantineKoning.read(wire, to: request) == .success(reply))
    }
    for code in [KKRefusal.Code.ownDienst, .alreadyClaimed] {
      let refusal = KKRefusal(code, message: "waarom")
      let wire = KantineKoning.write(.failure(refusal), to: .removeAll, tokens: Canteen.codec)
      #expect(wire.status == 409)
      #expect(KantineKoning.read(wire, to: .removeAll) == .failure(refusal))
    }
  }

  @Test func `answers have the shapes of the document`() {
    func text(_ reply: KKReply, to request: KantineKoning.Request) -> String {
      let wire = KantineKoning.write(.success(reply), to: request, tokens: Canteen.codec)
      return wire.body?.description ?? ""
    }
    #expect(
      text(.teamsRemoved(TeamRemoval(removed: 1, teamCodes: ["VR1"])), to: .removeTeams([]))
        == #"{"removed":1,"team_codes":["VR1"]}"#)
    #expect(text(.enrollmentsRevoked(2), to: .removeAll) == #"{"enrollments_revoked":2}"#)
    #expect(
      text(
        .emailPreferences([TeamPreference(teamCode: "1", emailEnabled: true)]),
        to: .setEmailPreference(EmailPreference(enabled: true, team: "1")))
        == #"{"team_email_preferences":{"1":true}}"#)
    let update = KantineKoning.Request.updateApnsToken(ApnsTokenUpdate(token: "a"))
    #expect(text(.apnsTokenUpdated(3), to: update) == #"{"updated":3}"#)
    let transfer = text(
      .transfer(Transfer(dienst: Self.dienst, message: "M")),
      to: .offerTransfer(TransferOffer(dienstID: "d-1", offered: true)))
    #expect(transfer.hasPrefix(#"{"success":true,"message":"M","dienst":{"id":"d-1""#))
    let call = KantineKoning.Request.answerCallToAction(CallToAction(token: .text("t"), names: []))
    #expect(!text(.dienst(Self.dienst), to: call).contains("notification_token"))
  }

  @Test func `every command is written by its name and read back`() throws {
    let requests: [KantineKoning.Request] = [
      .control(.findEnrollments(email: "m@example.org")),
      .control(.setApnsEnvironment(ApnsVariables(forceEnv: "sandbox", env: ""))),
      .control(.setApnsEnvironment(ApnsVariables())), .control(.readApnsEnvironment),
      .control(.setApnsOutage(true)),
      .control(.sendTestPush(deviceID: "e", title: "Test", body: "Manual test")),
      .control(.pushDeliveries(deviceID: nil)), .control(.pushDeliveries(deviceID: "e")),
      .control(.notices), .apns(.issued(token: "a", .sandbox)), .apns(.appDeleted(token: "a")),
      .apns(.feedback(delivery: 4, .timeout)),
    ]
    for request in requests {
      let wire = KantineKoning.write(request, credential: nil, tokens: Canteen.codec)
      let name = try #require(wire.target.split(separator: "/").last)
      #expect(wire.target == "/_rehearsal/kantine-koning/\(name)")
      let read = try KantineKoning.control(
        String(name), try #require(JSON(parsing: wire.body)))
      #expect(read == request)
      #expect(KantineKoning.read(wire).request.lacksMethodAlone == false)
    }
  }

  @Test(arguments: [
    ("issueApnsToken", #"{"token":"a","apns_env":"x"}"#, "none of sandbox, production"),
    ("apnsFeedback", #"{"delivery":1,"result":"skipped_no_token"}"#, "delivered"),
    ("apnsFeedback", #"{"result":"timeout"}"#, "missing"),
    ("setApnsEnvironment", #"{"APNS_FORCE_EVN":"sandbox"}"#, "APNS_FORCE_ENV"),
    ("sendTestPush", #"{"device_id":"e","title":"T"}"#, "missing"),
  ])
  func `a wrong command says what is wrong`(name: String, parameters: String, hint: String) throws {
    let json = try #require(JSON(parsing: parameters))
    let problem = #expect(throws: ControlProblem.self) {
      _ = try KantineKoning.control(name, json)
    }
    #expect(problem?.description.contains(hint) == true)
  }

  @Test func `KK-43: what is shown holds at most twenty characters of a token`() {
    let secret = String(repeating: "0123456789", count: 7)
    let push = Push(
      event: .test, eventNumber: 0, tenantSlug: "agovv", teamCode: "1", dienstID: nil, title: "T",
      body: "B", createdAt: Canteen.start,
      dispatch: ApnsDispatch(
        delivery: 0, token: secret, environment: .sandbox, fate: .delivered))
    var offered = Self.dienst
    offered.columns.notificationToken = .text(secret)
    let notice = Notice(
      to: "m@example.org", event: .reminderDay, tenantSlug: "agovv", teamCode: "1",
      dienstID: "d-1", subject: "S", body: "B", ctaToken: .text(secret), sentAt: Canteen.start)
    let shown = [
      KantineKoning.show(.push(push)), KantineKoning.show(.notice(notice)),
      KantineKoning.show(KKReply.diensten([offered])),
      KantineKoning.show(KKReply.notices([notice])),
      KantineKoning.show(KantineKoning.Request.updateApnsToken(ApnsTokenUpdate(token: secret))),
      KantineKoning.show(KantineKoning.Request.apns(.appDeleted(token: secret))),
      KantineKoning.show(
        KantineKoning.Request.takeover(TakeoverQuery(dienstID: "d-1", token: .text(secret)))),
      KantineKoning.show(
        KantineKoning.Request.claimDienst(
          DienstClaim(dienstID: "d-1", team: "1", token: .text(secret)))),
      KantineKoning.show(
        KantineKoning.Request.answerCallToAction(
          CallToAction(token: .text(secret), names: []))),
    ]
    for text in shown.map(\.description) {
      #expect(text.contains(secret.prefix(20)))
      #expect(!text.contains(secret.prefix(21)))
    }
  }

  @Test func `a served twin's mail can be followed: its link is one of the app's`() throws {
    let claims = CallToActionClaims(
      tenantSlug: "agovv", dienstID: "d-1", team: "t", season: 2, exp: 9)
    let notice = Notice(
      to: "m@example.org", event: .reminderDay, tenantSlug: "agovv", teamCode: "1",
      dienstID: "d-1", subject: "S", body: "B", ctaToken: .issued(claims), sentAt: Canteen.start)
    let shown = KantineKoning.show(
      .notice(notice), to: .mailbox("m@example.org"), tokens: Canteen.codec)
    let link = try #require(shown["link"]?.string)
    guard case .callToAction(let token)? = DeepLink.parse(link) else {
      Issue.record("no link of the app: \(link)")
      return
    }
    #expect(CallToActionToken.text(token).claims(verifiedBy: Canteen.codec) == claims)
  }
}
