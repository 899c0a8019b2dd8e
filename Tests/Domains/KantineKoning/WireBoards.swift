import Contracts
import KantineKoningContract
import Testing
import Timekeeping

@Suite struct `Kantine Koning's boards and public reads over HTTP` {
  private static let instant = Instant("2026-03-21T09:00:00.123Z")!

  static let requests: [KantineKoning.Request] = [
    .searchClubs(query: "vv é&=+?"), .searchClubs(query: ""), .leaderboard(.init()),
    .leaderboard(.init(tenant: "agovv", period: "week", teamID: "JO11-3")),
    .globalLeaderboard(.init()),
    .globalLeaderboard(.init(tenant: "agovv", period: "x y", teamID: "é/1")),
    .banners(.init()), .banners(.init(randomize: false, tenant: "agovv")),
    .seasonSummary(tenant: "agovv", teamCode: "JO 11/3?"),
  ]

  @Test(arguments: requests)
  func `a request is read as it was written`(request: KantineKoning.Request) {
    for credential in [nil, .bearer(.text("x.y.z")), .malformed] as [KantineKoning.Credential?] {
      let wire = KantineKoning.write(request, credential: credential, tokens: Canteen.codec)
      #expect(wire.method == "GET" && wire.body.isEmpty)
      let read = KantineKoning.read(wire)
      #expect(read.request == request && read.credential == credential)
    }
  }

  @Test(
    arguments: [
      MobileOperation.searchClubs, .leaderboard, .globalLeaderboard, .banners, .seasonSummary,
    ])
  func `what cannot be read is a malformed request of its operation`(operation: MobileOperation) {
    let wire = KantineKoning.write(.malformed(operation), credential: nil, tokens: Canteen.codec)
    #expect(KantineKoning.read(wire).request == .malformed(operation))
    #expect(KantineKoning.operation(of: .malformed(operation)) == operation.rawValue)
  }

  @Test func `routes that do not exist are told from methods that do not`() {
    for path in [
      "tenants/search", "leaderboard", "leaderboard/global", "banners", "season-summary/a/b",
    ] {
      let target = "/api/mobile/v1/" + path
      #expect(KantineKoning.read(WireRequest("PUT", target)).request.lacksMethodAlone == true)
      let below = KantineKoning.read(WireRequest("GET", target + "/x")).request
      #expect(below.lacksMethodAlone == false)
    }
    let bare = KantineKoning.read(WireRequest("GET", "/api/mobile/v1/tenants/search")).request
    #expect(bare.unreadable == .searchClubs, "'q' is required")
  }

  private static let row = LeaderboardEntry(
    rank: 2, team: .init(id: "t", code: "1", naam: "Een"),
    club: .init(naam: "AGOVV", slug: "agovv", logoURL: "https://x/l"), points: 3,
    totalHours: .init(hundredths: 350), recentChange: 1, positionChange: -2, highlighted: true)

  private static var bare: LeaderboardEntry {
    var row = row
    row.club = nil
    row.totalHours = .init(hundredths: 333)
    row.highlighted = false
    return row
  }

  static let replies: [(KantineKoning.Request, KKReply, String)] = [
    (
      .searchClubs(query: "a"),
      .clubs([
        .init(slug: "a", name: "A"),
        .init(
          slug: "b", name: "B", enrollmentOpen: false, enrollmentMessage: "m", clubLogoURL: "u"),
      ]),
      #"""
      {"tenants":[{"slug":"a","name":"A","enrollment_open":true,"enrollment_message":null,\#
      "club_logo_url":null},{"slug":"b","name":"B","enrollment_open":false,\#
      "enrollment_message":"m","club_logo_url":"u"}]}
      """#
    ),
    (
      .leaderboard(.init()),
      .leaderboard(
        .init(
          tenantSlug: "agovv", clubName: "AGOVV", leaderboardOptOut: true, period: .month,
          teams: [bare])),
      #"""
      {"tenant":{"slug":"agovv","club_name":"AGOVV","leaderboard_opt_out":true},\#
      "club":{"naam":"AGOVV"},"period":"month","teams":[{"rank":2,\#
      "team":{"id":"t","code":"1","naam":"Een"},"points":3,"total_hours":3.33,"recent_change":1,\#
      "position_change":-2,"highlighted":false}]}
      """#
    ),
    (
      .globalLeaderboard(.init()), .globalLeaderboard(.init(period: .week, teams: [row])),
      #"""
      {"period":"week","teams":[{"rank":2,"team":{"id":"t","code":"1","naam":"Een"},\#
      "club":{"naam":"AGOVV","slug":"agovv","logo_url":"https://x/l"},"points":3,\#
      "total_hours":3.5,"recent_change":1,"position_change":-2,"highlighted":true}]}
      """#
    ),
    (
      .banners(.init()),
      .banners(
        .init(
          banners: [.init(id: "b", tenantSlug: "a", name: "B", fileURL: "f", displayOrder: 3)],
          globalBanners: [.init(id: "g", name: "G", fileURL: "f", linkURL: "l", altText: "t")])),
      #"""
      {"banners":[{"id":"b","tenant_slug":"a","name":"B","file_url":"f","link_url":null,\#
      "alt_text":null,"display_order":3}],"global_banners":[{"id":"g","tenant_slug":"",\#
      "name":"G","file_url":"f","link_url":"l","alt_text":"t","display_order":0}]}
      """#
    ),
    (
      .seasonSummary(tenant: "a", teamCode: "1"),
      .seasonSummary(
        .init(
          tenantClubName: "A", teamNaam: "Een", teamCode: "1",
          seasonStats: .init(
            totalHours: .init(hundredths: 4_000), totalShifts: 16, favoriteLocation: "Bar",
            achievements: [.init(title: "t", description: "d", icon: "i")]),
          calculatedAt: instant)),
      #"""
      {"tenant_club_name":"A","team_naam":"Een","team_code":"1","season_stats":\#
      {"total_hours":40,"total_shifts":16,"favorite_location":"Bar","most_active_month":null,\#
      "achievements":[{"title":"t","description":"d","icon":"i"}]},\#
      "calculated_at":"2026-03-21T09:00:00.123Z"}
      """#
    ),
  ]

  @Test(arguments: replies)
  func `a reply is the JSON of the specification, and is read as it was written`(
    request: KantineKoning.Request, reply: KKReply, golden: String
  ) {
    let wire = KantineKoning.write(.success(reply), to: request, tokens: Canteen.codec)
    #expect(wire.status == 200 && wire.body?.description == golden)
    let parsed = WireResponse(200, body: JSON(parsing: golden))
    #expect(KantineKoning.read(parsed, to: request) == .success(reply))
    #expect(KantineKoning.show(reply).description == golden)
  }

  @Test(arguments: [KKRefusal(.tenantOptedOut), KKRefusal(.seasonDataDeleted, message: "weg")])
  func `a refusal is read as it was written`(refusal: KKRefusal) {
    let request = KantineKoning.Request.globalLeaderboard(.init())
    let wire = KantineKoning.write(.failure(refusal), to: request, tokens: Canteen.codec)
    #expect(wire.status == refusal.status)
    #expect(KantineKoning.read(wire, to: request) == .failure(refusal))
  }

  @Test func `a row may lack its code and its mark, a summary give its time in seconds`() {
    let board = JSON(
      parsing: """
        {"period":"season","teams":[{"rank":1,"team":{"id":"t","naam":"Een"},"points":0,\
        "total_hours":0.5,"recent_change":0,"position_change":0,"highlighted":null}]}
        """)
    let row = KantineKoning.read(WireResponse(200, body: board), to: .globalLeaderboard(.init()))?
      .board?.first
    #expect(row?.team.code == "Een" && row?.totalHours.hundredths == 50 && row?.club == nil)
    let summary = JSON(
      parsing: """
        {"tenant_club_name":"A","team_naam":"Een","team_code":"1","season_stats":{"total_hours":1,\
        "total_shifts":1,"achievements":[]},"calculated_at":1774083600.5}
        """)
    let read = KantineKoning.read(
      WireResponse(200, body: summary), to: .seasonSummary(tenant: "a", teamCode: "1"))
    #expect(read?.seasonSummary?.calculatedAt == Instant("2026-03-21T09:00:00.500Z"))
  }

  static let controls: [KantineKoning.Control] = [
    .changeTeam(tenant: "a", team: "1", naam: "Een"),
    .createDienstType(tenant: "a", .init(naam: "Bar", icon: "lucide-goal")),
    .changeDienstType(tenant: "a", .init(naam: "Bar", icon: "lucide-shirt")),
    .createLocation(tenant: "a", naam: "Zaal"),
    .changeLocation(tenant: "a", naam: "Zaal", to: "Foyer"),
    .setLeaderboardOptOut(tenant: "a", optOut: true),
    .createBanner(.init(id: "", name: "B", fileURL: "f")),
    .createBanner(
      .init(
        id: "b", tenantSlug: "a", name: "B", fileURL: "f", linkURL: "l", altText: "t",
        displayOrder: 4)),
    .removeBanner(id: "b"),
  ]

  @Test(arguments: controls)
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

  @Test func `an opt-out has another name as well, and a banner must have an image`() throws {
    #expect(
      try KantineKoning.control(
        "setLeaderboardOptOut", ["tenant_slug": "a", "leaderboard_opt_out": false])
        == .control(.setLeaderboardOptOut(tenant: "a", optOut: false)))
    #expect(throws: ControlProblem("createBanner: 'file_url' is missing")) {
      try KantineKoning.control("createBanner", ["name": "B"])
    }
  }

  @Test func `what phones see of boards and summaries is in the digest`() {
    func digest(_ reply: KKReply) -> Digest {
      var digest = Digest()
      KantineKoning.fingerprint(of: reply, into: &digest)
      return digest
    }
    var seen: [Digest] = Self.replies.map { digest($0.1) }
    var risen = Self.row
    risen.positionChange = 5
    seen.append(digest(.globalLeaderboard(.init(period: .week, teams: [risen]))))
    seen.append(digest(.globalLeaderboard(.init(period: .month, teams: [Self.row]))))
    #expect(Set(seen).count == seen.count)
  }
}
