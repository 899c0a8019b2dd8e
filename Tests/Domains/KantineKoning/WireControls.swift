import Contracts
import KantineKoningContract
import Testing
import Timekeeping

@Suite struct `Kantine Koning's control commands` {
  private static let instant = Instant("2026-03-21T09:00:00.123Z")!

  static let commands: [KantineKoning.Control] = [
    .load(
      Fixture(
        tenants: [
          .init(
            slug: "a", name: "A", clubLogoURL: "u", enrollmentOpen: false, enrollmentMessage: "m")
        ],
        teams: [.init(tenantSlug: "a", id: "", code: "1", naam: "Een")],
        managers: [.init(tenantSlug: "a", email: "m@example.org", teamCodes: ["1"])],
        diensten: [
          .init(
            id: "d", tenantSlug: "a", team: "1", startTijd: instant, eindTijd: instant + .hours(1),
            minimumBemanning: 3, locatieNaam: "Bar", dienstType: .init(naam: "n", icon: "i"),
            aanmeldingen: ["Jan"])
        ],
        enrollments: [
          .init(
            deviceID: "e", tenantSlug: "a", role: .manager, teamCodes: ["1"],
            teamManagerEmail: "m@example.org", hardwareIdentifier: "p", apnsDeviceToken: "00",
            buildEnvironment: "production", enrolledAt: instant, revoked: .sync)
        ])),
    .createTenant(.init(slug: "b", name: "B")),
    .createTeam(.init(tenantSlug: "a", id: "t", code: "2", naam: "2")),
    .changeTenant(.init(slug: "a", name: "C", clubLogoURL: "", enrollmentMessage: "x")),
    .setManager(.init(tenantSlug: "a", email: "m@example.org", teamCodes: [])),
    .scheduleDienst(
      .init(id: "", tenantSlug: "a", team: nil, startTijd: instant, eindTijd: instant + .hours(1))),
    .changeDienst(.init(id: "d", startTijd: instant, minimumBemanning: 1, locatieNaam: "")),
    .cancelDienst(id: "d"), .assignDienst(id: "d", team: "1"), .assignDienst(id: "d", team: nil),
    .setEnrollmentOpen(tenant: "a", open: false, message: "Dicht"),
    .setEnrollmentOpen(tenant: "a", open: true, message: nil), .endSeason(tenant: "a"),
    .resetSeason(tenant: "a"), .revokeEnrollment(deviceID: "e", reason: .securityBreach),
    .setPushEnabled(deviceID: "e", enabled: false), .setTestUser(deviceID: "e", isTestUser: true),
    .listEnrollments(hardwareIdentifier: "p"), .cleanUp, .setRule(.kk58, binds: false), .outbox,
    .configure(
      Adjustment {
        $0.reenroll = .reject
        $0.memberTokenLifetime = .seconds(30)
      }),
    .advance(to: instant, by: nil), .advance(to: nil, by: .milliseconds(90_500)), .reset,
  ]

  @Test(arguments: commands)
  func `a command is read as it was written, and declared`(command: KantineKoning.Control) throws {
    let wire = KantineKoning.write(.control(command), credential: nil, tokens: Canteen.codec)
    let name = try #require(wire.target.split(separator: "/").last.map(String.init))
    let parameters = try #require(JSON(parsing: wire.body))
    #expect(try KantineKoning.control(name, parameters) == .control(command))
    let declared = try #require(KantineKoning.controls.first { $0.name == name })
    for member in parameters.object?.members ?? [] {
      #expect(declared.parameters.contains { $0.name == member.name }, "\(name): \(member.name)")
    }
  }

  @Test func `every declared command can be given, and inspect is a question of its own`() throws {
    let given = Set(
      (Self.commands + `Kantine Koning's boards and public reads over HTTP`.controls).compactMap {
        command in
        KantineKoning.write(.control(command), credential: nil, tokens: Canteen.codec).target
          .split(separator: "/").last.map(String.init)
      })
    // The commands about pushes are Apple's and the operator's; PushRoundTrips gives each of them.
    let pushes: Set<String> = [
      "findEnrollments", "setApnsEnvironment", "readApnsEnvironment", "setApnsOutage",
      "sendTestPush",
      "pushDeliveries", "notices", "issueApnsToken", "deleteApp", "apnsFeedback",
    ]
    #expect(Set(KantineKoning.controls.map(\.name)) == given.union(pushes).union(["inspect"]))
    #expect(try KantineKoning.control("inspect", [:]) == .inspect(since: 0))
    #expect(try KantineKoning.control("inspect", ["since": 3]) == .inspect(since: 3))
    #expect(try KantineKoning.control("cleanUp", .null) == .control(.cleanUp))
  }

  @Test(arguments: ["tenant", "tenant_slug", "club", "slug"])
  func `a club is named in any of its ways`(name: String) throws {
    let parameters = JSON.object(JSONObject([(name, "agovv"), ("enrollment_open", false)]))
    #expect(
      try KantineKoning.control("setEnrollmentOpen", parameters)
        == .control(.setEnrollmentOpen(tenant: "agovv", open: false, message: nil)))
  }

  static let mistakes: [(String, JSON, String)] = [
    ("endSaeson", [:], "kantine-koning has no command 'endSaeson'; did you mean 'endSeason'?"),
    ("endSeason", [:], "endSeason: 'tenant' is missing"),
    ("endSeason", ["tennant": "a"], "endSeason: 'tennant' is no parameter; did you mean 'tenant'?"),
    ("endSeason", ["tenant": 1], "endSeason: 'tenant' is not a string"),
    ("endSeason", [1], "endSeason: an object of parameters is expected"),
    ("reset", ["quux": 1], "reset: 'quux' is no parameter; there are none"),
    (
      "setRule", ["id": "KK-581", "binds": false],
      "setRule: 'id' is no rule; did you mean 'KK-51'?"
    ),
    ("setRule", ["id": "KK-58"], "setRule: 'binds' is missing"),
    ("advance", [:], "advance takes either 'by' or 'to'"),
    ("advance", ["by": "1h", "to": "2026-03-21T09:00:00Z"], "advance takes either 'by' or 'to'"),
    ("advance", ["by": "-1h"], "advance: 'by' is no span: \(Span.hint(for: "-1h"))"),
    ("advance", ["to": "soon"], "advance: 'to' is no instant; write 2026-03-21T09:00:00Z"),
    (
      "revokeEnrollment", ["device_id": "e", "reason": "sync"],
      "revokeEnrollment: 'reason' is none of admin_revoked, security_breach"
    ),
    (
      "load", ["diensten": [["tenant": "a", "start": "x"]]],
      "load: 'diensten[0].start' is no parameter; did you mean 'start_tijd'?"
    ),
    (
      "load", ["tenants": [["slug": "a", "teams": [["code": 1]]]]],
      "load: 'tenants[0].teams[0].code' is not a string"
    ),
    (
      "load", ["enrollments": [["tenant_slug": "a", "role": "lid", "team_codes": []]]],
      "load: 'enrollments[0].role' is none of manager, member"
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake is named with its place and the nearest valid name`(
    name: String, parameters: JSON, message: String
  ) {
    #expect(throws: ControlProblem(message)) { try KantineKoning.control(name, parameters) }
  }

  @Test func `a fixture may nest what belongs to a club`() throws {
    let json = JSON(
      parsing: """
        {"tenants":[{"slug":"vvw","name":"VVW","teams":[{"code":"1"},{"code":"2","id":"t2","naam":"Twee"}],
          "managers":[{"email":"m@example.org","team_codes":["1"]}]}],
         "diensten":[{"tenant_id":"vvw","team_code":"1","start_tijd":"2026-03-21T10:00:00Z",
          "eind_tijd":"2026-03-21T12:00:00+01:00"}],
         "enrollments":[{"tenant_slug":"vvw","role":"member","team_codes":["t2"],"hardware_identifier":"p"}]}
        """)!
    guard case .control(let load) = try KantineKoning.control("load", json) else { return }
    var canteen = Canteen()
    #expect(canteen.operate(load) == .success(.done))
    let rows = canteen.inspect()
    #expect(rows.map(\.teamCodes) == [["2"]] && rows[0].deviceID.text.count == 36)
    let token = canteen.follow(["1"], of: "vvw", on: "q").token
    #expect(canteen.diensten(token).dienstIDs?.count == 1)
  }

  static let wrong: [(String, @Sendable (inout Fixture) -> Void)] = [
    ("tenant 'A B'", { $0.tenants.append(.init(slug: "A B", name: "x")) }),
    ("tenant 'agovv'", { $0.tenants.append(.init(slug: "agovv", name: "x")) }),
    (
      "tenant 'c'",
      { $0.tenants.append(.init(slug: "c", name: String(repeating: "x", count: 121))) }
    ),
    (
      "team '1'",
      { $0.teams.append(.init(tenantSlug: "vvwilhelmus", id: "n", code: "1", naam: "1")) }
    ),
    ("team '2'", { $0.teams.append(.init(tenantSlug: "agovv", id: "w-1", code: "2", naam: "2")) }),
    (
      "team '12345678901234567'",
      { $0.teams.append(.init(tenantSlug: "agovv", id: "n", code: "12345678901234567", naam: "2")) }
    ),
    ("manager 'x'", { $0.managers.append(.init(tenantSlug: "agovv", email: "x", teamCodes: [])) }),
    (
      "manager 'm@a.nl'",
      { $0.managers.append(.init(tenantSlug: "agovv", email: "m@a.nl", teamCodes: ["VR1"])) }
    ),
    ("dienst 'd-past'", { $0.diensten[1].id = "d-past" }),
    ("dienst 'd-past'", { $0.diensten[0].eindTijd = $0.diensten[0].startTijd }),
    (
      "dienst 'd-past'",
      { $0.diensten[0].eindTijd = $0.diensten[0].startTijd + .hours(24) + .seconds(1) }
    ),
    ("dienst 'd-past'", { $0.diensten[0].minimumBemanning = 0 }),
    ("dienst 'd-past'", { $0.diensten[0].team = "a-JO10-5" }),
    ("dienst 'd-past'", { $0.diensten[0].aanmeldingen = ["Jan", " Jan"] }),
    ("dienst 'd-past'", { $0.diensten[0].aanmeldingen = ["ABCDEFGHIJKLMNOP"] }),
    (
      "enrollment 'e'",
      {
        $0.enrollments = [
          .init(
            deviceID: "e", tenantSlug: "vvwilhelmus", role: .member,
            teamCodes: ["1", "VR1", "MO13-1", "JO9-1", "JO11-1", "JO11-3"], hardwareIdentifier: "p")
        ]
      }
    ),
  ]

  @Test(arguments: wrong.indices)
  func `a fixture against the entities' constraints is refused as a whole, and says which`(
    index: Int
  ) {
    let (entity, change) = Self.wrong[index]
    var fixture = Fixture.twoClubs
    change(&fixture)
    var canteen = Canteen(fixture: Fixture())
    let answer = canteen.operate(.load(fixture))
    guard case .failure(let refusal) = answer else {
      Issue.record("\(entity) was loaded")
      return
    }
    #expect(refusal.kind == .invalidParameter)
    #expect(refusal.message?.hasPrefix(entity) == true, "\(refusal.message ?? "")")
    #expect(canteen.ask(.searchTeams(tenant: "agovv", query: "j")).refusal == .tenantNotFound)
  }

  @Test func `commands about what does not exist are refused`() {
    var canteen = Canteen()
    #expect(canteen.operate(.endSeason(tenant: "nowhere")).refusal == .tenantNotFound)
    #expect(canteen.operate(.cancelDienst(id: "none")).refusal == .dienstNotFound)
    #expect(canteen.operate(.assignDienst(id: "d-past", team: "none")).refusal == .invalidParameter)
    #expect(
      canteen.operate(.setTestUser(deviceID: "none", isTestUser: true)).refusal == .deviceNotFound)
    #expect(canteen.operate(.resetSeason(tenant: Canteen.agovv)).refusal == .invalidParameter)
  }

  @Test func `a dienst that moves is found where it went, a cancelled one says so`() {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3", "VR1"]).token
    let soon = Canteen.start + .hours(1)
    canteen.operate(.changeDienst(.init(id: "d-far", startTijd: soon, eindTijd: soon + .hours(1))))
    #expect(canteen.diensten(token, past: "0").dienstIDs == ["d-now", "d-far", "d-future"])
    canteen.operate(.assignDienst(id: "d-far", team: nil))
    #expect(canteen.diensten(token, past: "0").dienstIDs == ["d-now", "d-future"])
    canteen.operate(.assignDienst(id: "d-far", team: "VR1"))
    canteen.operate(.cancelDienst(id: "d-far"))
    guard case .success(.diensten(let list)) = canteen.diensten(token, past: "0") else { return }
    #expect(list.map(\.status) == [.onbemand, .geannuleerd, .onbemand])
  }

  @Test func `setRule switches a rule, and reset forgets it with everything else`() {
    var canteen = Canteen()
    let token = canteen.manage(["JO11-3"]).token
    canteen.operate(.setRule(.kk58, binds: false))
    #expect(canteen.add("ABCDEFGHIJKLMNOP", with: token).dienst != nil)
    canteen.operate(.setRule(.kk58, binds: true))
    #expect(canteen.add("BBCDEFGHIJKLMNOP", with: token).refusal == .nameTooLong)
    canteen.operate(.setRule(.kk60, binds: false))
    canteen.operate(.reset)
    #expect(canteen.ask(.status, with: token).refusal == .deviceNotFound)
    #expect(canteen.operate(.load(.twoClubs)) == .success(.done))
    #expect(canteen.add(" ", with: canteen.manage(["JO11-3"]).token).refusal == .invalidName)
  }
}
