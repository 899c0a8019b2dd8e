import Backends
import Contracts
import KantineKoningChecks
import KantineKoningContract
import KantineKoningDomain
import KantineKoningJourneys
import KantineKoningTwin
import Observations
import Testing
import Timekeeping

@Suite struct `Settings of Kantine Koning's backend` {
  typealias Deployment = KantineKoning.Deployment

  private static func configured(_ values: JSON) throws -> KantineKoning.Control {
    guard case .control(let command) = try KantineKoning.control("configure", values) else {
      preconditionFailure("configure is a command of the operator")
    }
    return command
  }

  private static func canteen(_ values: JSON) throws -> Canteen {
    var canteen = Canteen()
    #expect(canteen.operate(try configured(values)) == .success(.done))
    return canteen
  }

  // MARK: The command

  @Test(
    arguments: [
      ["member_token_lifetime": 900, "member_token_leeway": 0, "reenroll": "reject"],
      ["device_token_lifetime": "none"], ["device_token_lifetime": "seasonEnd"],
      ["device_token_lifetime": 3_600, "magic_link_lifetime": 60, "search_max_results": 3],
      [
        "remove_teams_match": "codeOnly", "sync_protects_closed_tenants": false,
        "leaderboard_requires_names": true,
      ],
      [:],
    ] as [JSON])
  func `configure is read as it was written`(values: JSON) throws {
    let request = try KantineKoning.control("configure", values)
    let wire = KantineKoning.write(request, credential: nil, tokens: Canteen.codec)
    #expect(JSON(parsing: wire.body) == values)
    #expect(
      try KantineKoning.control("configure", try #require(JSON(parsing: wire.body))) == request)
  }

  @Test(
    arguments: [
      ("device_token_lifetime", "30d", "device_token_lifetime", 2_592_000),
      ("member_token_lifetime", "10min", "member_token_lifetime", 600),
    ] as [(String, JSON, String, JSON)])
  func `times may be written with a unit`(
    name: String, given: JSON, wire: String, written: JSON
  ) throws {
    #expect(
      try KantineKoning.control("configure", .object(JSONObject([(name, given)])))
        == KantineKoning.control("configure", .object(JSONObject([(wire, written)]))))
  }

  @Test(
    arguments: [
      ("member_token_lifetime", 0), ("member_token_lifetime", .int(.max)),
      ("member_token_lifetime", "soon"), ("device_token_lifetime", "fixed"),
      ("device_token_lifetime", -1), ("device_token_lifetime", .int(.max)),
      ("search_max_results", 0), ("search_max_results", 1.5), ("reenroll", "perhaps"),
      ("remove_teams_match", true), ("sync_protects_closed_tenants", "yes"),
    ] as [(String, JSON)])
  func `a value that a setting does not take is refused, and the message says what it takes`(
    name: String, value: JSON
  ) throws {
    let problem = try #require(throws: ControlProblem.self) {
      try KantineKoning.control("configure", .object(JSONObject([(name, value)])))
    }
    #expect("\(problem)".contains("'\(name)' is "), "\(problem)")
  }

  @Test func `every setting is declared with a default that the backend has`() {
    #expect(Deployment(Settings(Deployment.parameters)) == Deployment())
    let scenario = Set(CanteenSettings.parameters.map(\.name))
    #expect(Deployment.settings.allSatisfy { scenario.contains($0.name) && !$0.source.isEmpty })
    let command = KantineKoning.controls.first { $0.name == "configure" }
    #expect(command?.parameters.count == Deployment.settings.count - 1, "one lifetime of tokens")
  }

  // MARK: The twin

  @Test func `reenroll: reject refuses who registers again, and reset forgets it`() throws {
    var canteen = try Self.canteen(["reenroll": "reject"])
    canteen.follow(["VR1"])
    #expect(canteen.follow(["VR1"]).refusal == .deviceAlreadyEnrolled)
    canteen.operate(.reset)
    canteen.operate(.load(.twoClubs))
    canteen.follow(["VR1"])
    #expect(canteen.follow(["VR1"]).registration != nil)
  }

  @Test func `remove_teams_match: codeOnly ignores ids`() throws {
    var canteen = try Self.canteen(["remove_teams_match": "codeOnly"])
    let token = canteen.follow(["VR1", "1"]).token
    canteen.ask(.removeTeams(["w-VR1"]), with: token)
    #expect(canteen.codes(token) == ["VR1", "1"])
    canteen.ask(.removeTeams(["VR1"]), with: token)
    #expect(canteen.codes(token) == ["1"])
  }

  @Test func `device_token_lifetime decides when a token expires`() throws {
    let lifetimes: [(JSON, Int64?)] = [
      ("none", nil), (3_600, Canteen.start.unixSeconds + 3_600),
      ("seasonEnd", Instant("2026-07-31T21:59:59Z")!.unixSeconds),
    ]
    for (value, expected) in lifetimes {
      var canteen = try Self.canteen(["device_token_lifetime": value])
      guard case .issued(let claims) = canteen.follow(["VR1"]).token else { return }
      #expect(claims.exp == expected)
    }
  }

  @Test func `the lifetimes of links and member tokens are those that are set`() throws {
    var canteen = try Self.canteen([
      "member_token_lifetime": 60, "member_token_leeway": 5, "magic_link_lifetime": 120,
    ])
    func registering(_ exp: Span) -> KKAnswer {
      let claims = canteen.memberClaims(["VR1"], exp: (canteen.now + exp).unixSeconds)
      return canteen.ask(
        .register(Registration(token: .member(claims), hardwareIdentifier: "p")))
    }
    #expect(registering(.seconds(66)).refusal == .invalidOrExpiredToken)
    #expect(registering(.seconds(65)).registration != nil)
    let mailed = canteen.link(for: ["1"])
    let link = try #require(mailed)
    canteen.now += .seconds(120)
    let late = Registration(token: link, hardwareIdentifier: "q")
    #expect(canteen.ask(.register(late)).refusal == .enrollmentExpired)
  }

  @Test func `searches, protection and boards go by what is set`() throws {
    var canteen = try Self.canteen([
      "search_max_results": 2, "sync_protects_closed_tenants": false,
      "leaderboard_requires_names": true,
    ])
    #expect(
      canteen.ask(.searchTeams(tenant: Canteen.wilhelmus, query: "J")).teamCodes?.count == 2)
    let token = canteen.follow(["VR1"]).token
    canteen.follow(["JO11-3"], of: Canteen.agovv)
    canteen.operate(.setEnrollmentOpen(tenant: Canteen.agovv, open: false, message: nil))
    #expect(canteen.sync([item("member", ["VR1"])], with: token).summary?.enrollmentsRevoked == 1)
    func points() -> Int? {
      let board = canteen.ask(.leaderboard(LeaderboardQuery(teamID: "JO11-3")), with: token)
      guard case .success(.leaderboard(let shown)) = board else { return nil }
      return shown.teams.first { $0.team.code == "JO11-3" }?.points
    }
    #expect(points() == 0, "nobody was on its diensten")
    canteen.operate(try Self.configured(["leaderboard_requires_names": false]))
    #expect(points() == 3)
  }

  // MARK: The scenario

  private static func settled(
    _ parameters: [String: Setting.Value]
  ) -> PopulationPlan<KantineKoning> {
    let starts = Canteen.start
    return KantineKoningBackend().populate(
      RegionPlan(
        seed: 5, region: 1, regions: 1,
        population: Settings(CanteenSettings.population, overridden: ["clubs": .count(6)]),
        parameters: Settings(CanteenSettings.parameters, overridden: parameters), quirks: [],
        adversaries: 0.01, rulesOff: [], starts: starts, ends: starts + .hours(8),
        path: "kantine-koning/1", tokens: Canteen.codec))
  }

  @Test
  func `a scenario's values are set in every cell before anything else, the usual ones nowhere`() {
    func configured(_ populationPlan: PopulationPlan<KantineKoning>) -> [KantineKoning.Request] {
      populationPlan.controls.map(\.request).filter {
        if case .control(.configure) = $0 { true } else { false }
      }
    }
    #expect(configured(Self.settled([:])).isEmpty)
    #expect(configured(Self.settled(["reenroll": .choice("supersede")])).isEmpty)
    let settled = Self.settled(["reenroll": .choice("reject")])
    #expect(settled.cells == 2)
    #expect(
      settled.controls.prefix(2).map(\.request)
        == Array(repeating: .control(.configure(Adjustment { $0.reenroll = .reject })), count: 2))
    #expect(Set(settled.controls.prefix(2).map(\.cell)) == [0, 1])
  }

  @Test func `phones of a fixture were enrolled while their tokens live`() {
    let settled = Self.settled([
      "deviceTokenLifetime": .choice("fixed"), "deviceTokenFixed": .span(.days(3)),
    ])
    for assigned in settled.controls {
      guard case .control(.load(let fixture)) = assigned.request, !fixture.enrollments.isEmpty,
        fixture.managers.isEmpty
      else { continue }
      for entry in fixture.enrollments {
        #expect(entry.enrolledAt! >= Canteen.start - .days(3) - .seconds(1))
      }
    }
  }

  // MARK: The checks

  private static func judge(
    _ rule: KantineKoning.Rule, by adjustment: Adjustment<Deployment>,
    _ story: (inout CheckStory) -> Void
  ) -> Judge {
    var told = CheckStory()
    told.control(.configure(adjustment))
    told.now += .seconds(10)
    story(&told)
    return told.judged(by: KantineKoningChecks.all.first { $0.rule == rule }!)
  }

  @Test func `KK-22: a backend that is set to reject is right to, and wrong not to`() {
    let values = Adjustment<Deployment> { $0.reenroll = .reject }
    let again = EnrollmentToken.member(CheckStory.claims(["1"]))
    let refused = Self.judge(.kk22, by: values) {
      $0.registers(again, on: CheckStory.phoneP, CheckStory.refused(.deviceAlreadyEnrolled))
    }
    #expect(refused.violations == 0 && refused.exercised == 1)
    let taken = Self.judge(.kk22, by: values) {
      $0.register(["1"], on: CheckStory.phoneP, as: "n")
    }
    #expect(taken.violations == 1)
  }

  @Test func `KK-29, KK-32: a member token lives as long as is set`() {
    let values = Adjustment<Deployment> { $0.memberTokenLifetime = .hours(5) }
    func judge(
      _ rule: KantineKoning.Rule, _ lifetime: Int64, by: Adjustment<Deployment>
    ) -> Judge {
      Self.judge(rule, by: by) {
        $0.note(.installed(.release))
        let token = EnrollmentToken.member(CheckStory.claims(["3"], lifetime: lifetime))
        $0.registers(
          token, .replied(.registered($0.answer("n", "a", .member, ["3"], token: $0.token("l")))))
      }
    }
    #expect(judge(.kk29, 18_000, by: values).violations == 0)
    #expect(judge(.kk29, 18_000, by: Adjustment()).violations == 1)
    #expect(judge(.kk32, 18_000, by: values).violations == 0)
    #expect(judge(.kk32, 18_000, by: Adjustment()).violations == 1)
    #expect(judge(.kk32, 18_300, by: values).violations == 1)
    #expect(judge(.kk32, .max - 2_000_000_000, by: values).violations == 1)
  }

  @Test func `KK-39: a token is given out for as long as is set`() {
    func judge(_ values: Adjustment<Deployment>, _ end: (Instant) -> Int64?) -> Judge {
      Self.judge(.kk39, by: values) {
        let issued = $0.now
        let claims = DeviceClaims(
          deviceID: "n", tenantSlug: "a", role: .member, teamCodes: ["3"],
          iat: issued.unixSeconds, exp: end(issued))
        let answer = $0.answer("n", "a", .member, ["3"], token: .issued(claims))
        $0.registers(.member(CheckStory.claims(["3"])), .replied(.registered(answer)))
      }
    }
    let none = Adjustment<Deployment> { $0.deviceTokenLifetime = .none }
    let fixed = Adjustment<Deployment> { $0.deviceTokenLifetime = .seconds(2 * 86_400) }
    let season = Instant("2026-07-31T21:59:59Z")!.unixSeconds
    #expect(judge(Adjustment()) { _ in season }.violations == 0)
    #expect(judge(Adjustment()) { _ in nil }.violations == 1)
    #expect(judge(none) { _ in nil }.violations == 0)
    #expect(judge(none) { _ in season }.violations == 1)
    #expect(judge(fixed) { ($0 + .days(2)).unixSeconds }.violations == 0)
    #expect(judge(fixed) { ($0 + .days(3)).unixSeconds }.violations == 1)
  }

  @Test func `KK-70: what is not to be protected is not judged as protected`() {
    func judge(_ protects: Bool) -> Judge {
      Self.judge(.kk70, by: Adjustment { $0.syncProtectsClosedTenants = protects }) { story in
        story.control(.setEnrollmentOpen(tenant: "b", open: false, message: nil))
        story.sync(
          [CheckStory.item("a", "member", ["1", "2"])], revoked: 1, affecting: ["b"])
      }
    }
    #expect(judge(true).violations == 1)
    #expect(judge(false).violations == 0)
  }

  @Test func `KK-86: a team that is named by its id stays where codes alone are understood`() {
    func judge(_ match: Deployment.RemoveTeamsMatch) -> Judge {
      Self.judge(.kk86, by: Adjustment { $0.removeTeamsMatch = match }) { story in
        story.ask(
          .removeTeams(["a-1"]), as: "p",
          .replied(.teamsRemoved(TeamRemoval(removed: 0, teamCodes: ["1", "2"]))))
        story.status(["1", "2"])
      }
    }
    // Once for the count, once for the team that is still there.
    #expect(judge(.codeOrID).violations == 2)
    #expect(judge(.codeOnly).violations == 0)
  }

  @Test func `KK-107: where names are required, a dienst without any counts for nobody`() {
    let nothing = ["1", "2", "3", "4", "5", "6"].map { CheckStory.row(1, $0) }
    func judge(
      _ requires: Bool, _ rows: [LeaderboardEntry], after change: Outcome<KantineKoning>? = nil
    ) -> Judge {
      Self.judge(.kk107, by: Adjustment { $0.leaderboardRequiresNames = requires }) { story in
        if let change { story.add("Jan", to: "past", change) }
        story.board(rows)
      }
    }
    #expect(judge(false, CheckStory.season).violations == 0)
    #expect(judge(false, nothing).violations == 1)
    #expect(judge(true, nothing).violations == 0 && judge(true, nothing).exercised == 1)
    #expect(judge(true, CheckStory.season).violations == 1)
    let entered = Outcome<KantineKoning>.replied(
      .dienst(CheckStory.dienst("past", names: ["Jan"], start: CheckStory.start - .days(7))))
    #expect(judge(true, CheckStory.season, after: entered).violations == 0)
    #expect(judge(true, nothing, after: entered).violations == 1)
    #expect(judge(true, nothing, after: .unknown(.timedOut)).exercised == 0, "nobody knows")
  }
}
