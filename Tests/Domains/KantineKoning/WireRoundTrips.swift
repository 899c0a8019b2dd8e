import Contracts
import KantineKoningContract
import Testing
import Timekeeping

@Suite struct `Kantine Koning over HTTP` {
  private static let instant = Instant("2026-03-21T09:00:00.123Z")!

  // MARK: Requests

  static let requests: [KantineKoning.Request] = [
    .requestEnrollment(.init(email: "m+x@example.org", tenantSlug: "agovv", teamCodes: [])),
    .requestEnrollment(
      .init(email: "m@example.org", tenantSlug: "agovv", teamCodes: ["1"], platform: nil)),
    .register(.init(token: .text("abc"), hardwareIdentifier: "phone-1")),
    .register(
      .init(
        token: .text("a.b.c"), apnsDeviceToken: "00ff", platform: nil, buildEnvironment: nil,
        hardwareIdentifier: "", appVersion: nil, buildNumber: nil)),
    .sync(.init(items: [])),
    .sync(
      .init(items: [
        .init(
          tenantSlug: "agovv", role: "member", teamCodes: ["JO11-3", "é"], hardwareIdentifier: "p",
          teamManagerEmail: "m@example.org", appVersion: "2.4.2", buildNumber: "1"),
        .init(tenantSlug: nil, role: nil, teamCodes: nil, hardwareIdentifier: nil),
      ])),
    .status, .tenants, .searchTeams(tenant: "agovv", query: "jo 11&=+é?"),
    .diensten(.init()), .diensten(.init(tenant: "agovv", pastDays: "0", futureDays: "x y")),
    .addVolunteer(.init(dienstID: "d/1 ?", tenant: nil, naam: "Zoë \"+\"")),
    .addVolunteer(.init(dienstID: "d", tenant: "agovv", naam: "")),
    .removeVolunteer(.init(dienstID: "d", tenant: "agovv", naam: "A+B & Zoë 👩‍👩‍👧")),
    .removeVolunteer(.init(dienstID: "d", naam: "")),
    .unread(.unrouted(.init("GET", "/api/mobile/v1/nowhere"))),
    .unread(.unrouted(.init("PATCH", "/api/mobile/v1/enrollments/status", allowed: ["GET"]))),
  ]

  @Test(arguments: requests)
  func `a request is read as it was written`(request: KantineKoning.Request) {
    for credential in [nil, .bearer(.text("x.y.z")), .malformed] as [KantineKoning.Credential?] {
      let wire = KantineKoning.write(request, credential: credential, tokens: Canteen.codec)
      let read = KantineKoning.read(wire)
      #expect(read.request == request)
      #expect(read.credential == credential)
    }
  }

  @Test(
    arguments: [
      MobileOperation.requestEnrollment, .register, .sync, .status, .tenants, .searchTeams,
      .diensten,
      .addVolunteer, .removeVolunteer,
    ])
  func `what cannot be read is a malformed request of its operation`(operation: MobileOperation) {
    let request = KantineKoning.Request.malformed(operation)
    let wire = KantineKoning.write(request, credential: nil, tokens: Canteen.codec)
    #expect(KantineKoning.read(wire).request == request)
  }

  @Test(
    arguments: [
      ("GET", "/api/mobile/v1/nothing", false), ("GET", "/api/mobile/v2/tenants", false),
      ("GET", "/", false), ("GET", "/api/mobile/v1/tenants/", false), ("GET", "/%zz", false),
      ("GET", "/api/mobile/v1/enrollments/request", true), ("PUT", "/api/mobile/v1/diensten", true),
      ("GET", "/api/mobile/v1/diensten/d/volunteer", true), ("get", "/api/mobile/v1/tenants", true),
    ])
  func `routes that do not exist are told from methods that do not`(
    method: String, path: String, known: Bool
  ) {
    let read = KantineKoning.read(WireRequest(method, path)).request
    #expect(read.lacksMethodAlone == known)
  }

  private func body(_ path: String, _ text: String) -> KantineKoning.Request {
    KantineKoning.read(
      WireRequest("POST", "/api/mobile/v1" + path, body: Array(text.utf8))
    ).request
  }

  @Test func `unknown members are ignored, null is absent, a wrong type is malformed`() {
    #expect(
      body("/enrollments/request", #"{"email":"e","tenant_slug":"t","team_codes":null,"x":[1]}"#)
        == .requestEnrollment(.init(email: "e", tenantSlug: "t", teamCodes: [], platform: nil)))
    for text in [
      #"{"email":1,"tenant_slug":"t"}"#, #"{"tenant_slug":"t"}"#, "[]", "",
      #"{"email":"e","tenant_slug":"t","team_codes":[1]}"#,
      #"{"email":"e","tenant_slug":"t","team_codes":"1"}"#,
    ] {
      let read = body("/enrollments/request", text)
      #expect(read.unreadable == .requestEnrollment, "\(text) was read")
    }
    let numbers = body("/enrollments/sync", #"{"enrollments":[1]}"#)
    #expect(numbers.unreadable == .sync, "a number is no enrollment")
  }

  @Test(
    arguments: [
      ("Bearer abc", KantineKoning.Credential.bearer(.text("abc"))),
      ("bearer abc", .bearer(.text("abc"))),
      ("Bearer", .malformed), ("Bearer ", .malformed), ("Basic abc", .malformed), ("", .malformed),
      ("Bearer a b", .malformed),
    ])
  func `the Authorization header is Bearer and a token`(
    header: String, credential: KantineKoning.Credential
  ) {
    let wire = WireRequest(
      "GET", "/api/mobile/v1/tenants", headers: [WireHeader("authorization", header)])
    #expect(KantineKoning.read(wire).credential == credential)
  }

  @Test func `an issued token is signed on the wire and verified by the twin`() {
    var canteen = Canteen()
    let token = canteen.follow(["VR1"]).token
    let wire = KantineKoning.write(.status, credential: .bearer(token), tokens: Canteen.codec)
    let (request, credential) = KantineKoning.read(wire)
    #expect(canteen.send(request, from: .client(credential)).refusal == nil)
    let payload = Canteen.codec.verifiedPayload(of: token.text(signedBy: Canteen.codec))!
    let claims = JSON(parsing: payload)
    #expect(claims?["purpose"] == "device" && claims?["team_codes"] == ["VR1"])
    #expect(claims?["exp"]?.int == 1_785_535_199)
  }

  @Test(arguments: [
    ("/enrollments/request", "{", "the body is not JSON"),
    ("/enrollments/request", "[]", "a JSON object is expected"),
    ("/enrollments/request", #"{"tenant_slug":"t"}"#, "'email' is missing"),
    ("/enrollments/request", #"{"email":1}"#, "'email' is not a string"),
    ("/enrollments/sync", "{}", "'enrollments' is not a list"),
    ("/enrollments/sync", #"{"enrollments":[1]}"#, "a JSON object is expected"),
    ("/enrollments/sync", #"{"enrollments":[{"role":1}]}"#, "'role' is not a string"),
    ("/enrollments/remove-teams", #"{"team_codes":[1]}"#, "'team_codes' is not a list of strings"),
    ("/enrollments/request?q=%", "{}", "the query is not percent-encoded UTF-8"),
  ])
  func `what cannot be read is told in words`(path: String, text: String, message: String) {
    guard case .unread(.malformed(_, let fault)) = body(path, text) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(fault.message == message)
  }

  @Test func `operations are counted as the table counts them`() {
    #expect(KantineKoning.operations.map(\.name) == MobileOperation.allCases.map { "\($0)" })
    for (index, endpoint) in KantineKoning.table.endpoints.enumerated()
    where !endpoint.isReadElsewhere {
      let wire = KantineKoning.write(
        .unread(.malformed(operation: index, .noQuery)), credential: nil, tokens: Canteen.codec)
      let read = KantineKoning.read(wire).request
      #expect(KantineKoning.operation(of: read) == index)
    }
  }

  // MARK: Answers

  static let team = TeamInfo(id: "9a", code: "JO11-3", naam: "JO11-3")
  static let dienst = Dienst(
    id: "d", tenantSlug: "agovv", team: team, startTijd: instant, eindTijd: instant + .hours(2),
    minimumBemanning: 2, status: .gedeeltelijk, locatieNaam: nil, aanmeldingen: ["Zoë"],
    updatedAt: instant, dienstType: .init(naam: "Bar", icon: "lucide-utensils"),
    offeredForTransfer: false)
  static let mail = Mail(
    to: "m@example.org", tenantSlug: "agovv", teamCodes: ["1"], platform: "ios",
    token: .text("a.b.c"), sentAt: instant, expiresAt: instant + .days(1))
  static let registration = RegistrationAnswer(
    deviceID: "3f0c", tenantSlug: "vvwilhelmus", tenantName: "VV Wilhelmus", role: .manager,
    email: "m@example.org", teams: [team], buildEnvironment: "production", apiToken: .text("eyJ"))
  static let status = EnrollmentStatus(
    deviceID: "3f0c", tenantSlug: "agovv", tenantName: "AGOVV", teamCodes: ["1", "a"],
    role: .member, status: "active",
    teamEmailPreferences: [
      .init(teamCode: "1", emailEnabled: true), .init(teamCode: "a", emailEnabled: false),
    ],
    pushEnabled: true, hasApnsToken: false, buildEnvironment: nil, lastSeenAt: instant)

  static let replies: [(KantineKoning.Request, KantineKoning.Reply)] = [
    (requests[0], .allowedTeams([team])), (requests[1], .emailSent),
    (requests[2], .registered(registration)),
    (
      requests[4],
      .synced(.init(enrollmentsRevoked: 1, teamsRemoved: 2, tenantsAffected: ["agovv"]))
    ),
    (.status, .status(status)),
    (
      .tenants,
      .tenants([
        .init(
          slug: "agovv", clubName: "AGOVV", clubLogoURL: nil, seasonEnded: true,
          teams: [.init(id: "9a", code: "1", naam: "Een", role: .member)])
      ])
    ),
    (.searchTeams(tenant: "agovv", query: "x"), .teams([team])), (requests[9], .diensten([dienst])),
    (requests[11], .dienst(dienst)), (requests[13], .dienst(dienst)),
    (.control(.reset), .done), (.control(.outbox), .outbox([mail])),
    (
      .control(.listEnrollments(hardwareIdentifier: "p")),
      .enrollmentList(
        .init(hardwareIdentifier: "p", entries: [.init(tenantSlug: "agovv", role: .member)]))
    ),
    (
      .inspect(since: 0),
      .inspection(
        .init(enrollments: [
          .init(
            deviceID: "3f0c", tenantSlug: "agovv", role: .manager, teamCodes: ["1"],
            hardwareIdentifier: "0123456789", isActive: false)
        ]))
    ),
  ]

  @Test(arguments: replies)
  func `an answer is read as it was written`(
    request: KantineKoning.Request, reply: KantineKoning.Reply
  ) {
    let wire = KantineKoning.write(.success(reply), to: request, tokens: Canteen.codec)
    #expect(wire.status == 200)
    let text = WireResponse(wire.status, body: wire.body.flatMap { JSON(parsing: $0.bytes) })
    #expect(KantineKoning.read(text, to: request) == .success(reply))
  }

  @Test(arguments: KKRefusal.Code.allCases)
  func `a refusal is read as it was written, under the status of the table`(code: KKRefusal.Code) {
    let refusal = KKRefusal(
      code, reason: code == .tokenRevoked ? .seasonEnded : nil,
      message: code == .enrollmentClosed ? "Dicht" : nil)
    let wire = KantineKoning.write(.failure(refusal), to: .status, tokens: Canteen.codec)
    #expect(KantineKoning.read(wire, to: .status) == .failure(refusal))
    #expect(wire.body?["error"] == .string(code.rawValue))
  }

  @Test func `a server error and an unknown code leave the outcome unknown`() {
    let failed: JSON = ["error": "enrollment_failed"]
    #expect(KantineKoning.read(WireResponse(500, body: failed), to: .status) == nil)
    #expect(KantineKoning.read(WireResponse(400, body: ["error": "huh"]), to: .status) == nil)
    #expect(KantineKoning.read(WireResponse(404, body: nil), to: .status) == nil)
    #expect(KantineKoning.read(WireResponse(200, body: ["teams": 1]), to: .tenants) == nil)
  }

  // MARK: Golden texts

  private func text(_ reply: KantineKoning.Reply, to request: KantineKoning.Request) -> String? {
    KantineKoning.write(.success(reply), to: request, tokens: Canteen.codec).body?.description
  }

  @Test func `the main answers look as the documents print them`() {
    #expect(
      text(.registered(Self.registration), to: Self.requests[2])
        == #"{"device_id":"3f0c","tenant_slug":"vvwilhelmus","tenant_name":"VV Wilhelmus","role":"manager","email":"m@example.org","team_codes":["JO11-3"],"teams":[{"id":"9a","code":"JO11-3","naam":"JO11-3"}],"build_environment":"production","api_token":"eyJ"}"#
    )
    #expect(
      text(
        .synced(.init(enrollmentsRevoked: 1, teamsRemoved: 2, tenantsAffected: ["agovv"])),
        to: Self.requests[4])
        == #"{"synced":true,"cleanup_summary":{"enrollments_revoked":1,"teams_removed":2,"tenants_affected":["agovv"]}}"#
    )
    #expect(
      text(.dienst(Self.dienst), to: Self.requests[11])
        == #"{"dienst":{"id":"d","tenant_id":"agovv","team":{"id":"9a","code":"JO11-3","naam":"JO11-3"},"start_tijd":"2026-03-21T09:00:00.123Z","eind_tijd":"2026-03-21T11:00:00.123Z","minimum_bemanning":2,"status":"gedeeltelijk","locatie_naam":null,"aanmeldingen":["Zoë"],"aanmeldingen_count":1,"updated_at":"2026-03-21T09:00:00.123Z","dienst_type":{"naam":"Bar","icon":"lucide-utensils"},"offered_for_transfer":false}}"#
    )
    #expect(
      text(.status(Self.status), to: .status)
        == #"{"device_id":"3f0c","tenant_slug":"agovv","tenant_name":"AGOVV","team_codes":["1","a"],"role":"member","status":"active","team_email_preferences":{"1":true,"a":false},"push_enabled":true,"has_apns_token":false,"build_environment":null,"last_seen_at":"2026-03-21T09:00:00.123Z"}"#
    )
    #expect(text(.emailSent, to: Self.requests[1]) == #"{"status":"email_sent"}"#)
  }

  @Test func `refusals look as the documents print them`() {
    func text(_ refusal: KKRefusal) -> String? {
      KantineKoning.write(.failure(refusal), to: .status, tokens: Canteen.codec).body?.description
    }
    #expect(
      text(KKRefusal(.tokenRevoked, reason: .seasonEnded))
        == #"{"error":"token_revoked","reason":"season_ended"}"#)
    #expect(
      text(KKRefusal(.enrollmentClosed, message: "Dicht"))
        == #"{"error":"enrollment_closed","message":"Dicht","enrollment_allowed":false}"#)
    #expect(text(KKRefusal(.nameTooLong)) == #"{"error":"name_too_long"}"#)
  }

  // MARK: Showing

  @Test func `KK-43: what is shown holds no full token and no full identifier`() {
    let token = String(repeating: "t", count: 60)
    let phone: HardwareID = "0B5E3A5C-7B7A-4F4E-9C52-2B6A5D6F7A10"
    var answer = Self.registration
    answer.apiToken = .text(token)
    let shown = [
      KantineKoning.show(.registered(answer)).description,
      KantineKoning.show(
        .register(.init(token: .text(token), apnsDeviceToken: token, hardwareIdentifier: phone))
      ).description,
      KantineKoning.show(.sync(.init(items: [item("member", ["1"], on: phone)]))).description,
      KantineKoning.show(
        .outbox([
          Mail(
            to: "m", tenantSlug: "a", teamCodes: [], platform: nil, token: .text(token),
            sentAt: Self.instant, expiresAt: Self.instant)
        ])
      ).description,
    ]
    for text in shown {
      #expect(!text.contains(String(repeating: "t", count: 21)))
      #expect(!text.contains(phone.text))
    }
    #expect(shown[0].contains(String(repeating: "t", count: 20)))
  }

  @Test func `a mail in replay shows its token and links that carry it`() {
    var canteen = Canteen()
    let link = canteen.link(for: ["1"])!
    let sent = canteen.lastEffects.signals[0]
    let shown = KantineKoning.show(sent.signal, to: sent.address, tokens: Canteen.codec)
    let token = link.text(signedBy: Canteen.codec)
    #expect(shown["token"] == .string(token))
    #expect(shown["link"] == .string("kantinekoning://device-enroll?token=" + token))
    #expect(shown["link_app"] == shown["link"])
    #expect(shown["link_web"] == .string("https://kantinekoning.com/device-enroll?token=" + token))
    let asked = Registration(token: .text(token), hardwareIdentifier: "phone-1")
    #expect(canteen.ask(.register(asked)).registration?.role == .manager)
  }
}

extension KantineKoning.Request {
  /// A request of an operation that cannot be read: its body, or the query where it has none.
  static func malformed(_ operation: MobileOperation) -> Self {
    let endpoint = KantineKoning.table.endpoints[operation.rawValue]
    let fault: Unread.Fault = endpoint.body == .json ? .noDocument : .noQuery
    return .unread(.malformed(operation: operation.rawValue, fault))
  }

  /// The operation that it would be, could it be read.
  var unreadable: MobileOperation? {
    guard case .unread(.malformed(let operation, _)) = self else { return nil }
    return MobileOperation(rawValue: operation)
  }

  /// Of a request that no route takes, whether its method is why.
  var lacksMethodAlone: Bool? {
    if case .unread(.unrouted(let asked)) = self { !asked.allowed.isEmpty } else { nil }
  }
}
