import Contracts
import KantineKoningContract
import KantineKoningTwin
import Timekeeping
import Tokens

typealias KKReply = KantineKoning.Reply
typealias KKRefusal = KantineKoning.Refusal
typealias KKAnswer = Result<KKReply, KKRefusal>

/// Two clubs with a few teams, and a twin that is asked one thing after the other.
struct Canteen {
  static let codec = TokenSignatures(secret: "a secret of these tests, 32 bytes and more")
  static let start = Instant("2026-03-21T09:00:00Z")!
  static let wilhelmus: Slug = "vvwilhelmus"
  static let agovv: Slug = "agovv"
  static let manager = "m@example.org"

  var twin: KantineKoningTwin
  var now = Canteen.start
  var lastEffects = Effects<KantineKoning>()
  var lastWork = Work()
  /// Whether clients speak HTTP: every request and every answer goes through its bytes.
  var isServed = false
  private var links = 0

  init(
    off: Set<KantineKoning.Rule> = [], seed: UInt64 = 1,
    configuration: KantineKoningConfiguration = .init(),
    fixture: Fixture = .twoClubs
  ) {
    twin = KantineKoningTwin(
      identifiers: RandomStream(seed: seed, owner: 1, purpose: 1),
      rules: Rules<KantineKoning.Rule>(off: off),
      tokens: Self.codec, configuration: configuration)
    let loaded = operate(.load(fixture))
    precondition(loaded == .success(.done), "\(loaded)")
  }

  // MARK: Asking

  @discardableResult
  mutating func ask(_ request: KantineKoning.Request, with token: DeviceToken? = nil) -> KKAnswer {
    guard isServed else { return send(request, from: .client(token.map { .bearer($0) })) }
    let sent = KantineKoning.write(
      request, credential: token.map { .bearer($0) }, tokens: Self.codec)
    let (read, credential) = KantineKoning.read(sent)
    let wire = KantineKoning.write(
      send(read, from: .client(credential)), to: read, tokens: Self.codec)
    let received = WireResponse(wire.status, body: wire.body.flatMap { JSON(parsing: $0.bytes) })
    guard let answer = KantineKoning.read(received, to: request) else {
      preconditionFailure("an answer that its client cannot read: \(received)")
    }
    return answer
  }

  @discardableResult
  mutating func operate(_ control: KantineKoning.Control) -> KKAnswer {
    send(.control(control), from: .administration)
  }

  mutating func send(
    _ request: KantineKoning.Request, from caller: Caller<KantineKoning>
  ) -> KKAnswer {
    let handled = twin.handle(request, from: caller, at: now)
    lastEffects = handled.effects
    lastWork = handled.work
    guard case .now(let answer) = handled.answer else { preconditionFailure("no tickets here") }
    return answer
  }

  mutating func inspect() -> [Inspection.Enrollment] { look().enrollments }

  /// Everything, or what has changed since a look.
  mutating func look(since: Int = 0) -> Inspection {
    guard case .success(.inspection(let shown)) = send(.inspect(since: since), from: .harness)
    else { preconditionFailure("the harness was refused") }
    return shown
  }

  // MARK: Enrolling

  mutating func memberClaims(
    _ codes: [TeamName], of club: Slug = Canteen.wilhelmus, exp: Int64? = nil
  ) -> EnrollmentClaims {
    links += 1
    return EnrollmentClaims(
      tenantSlug: club, tenantName: "", teamCodes: codes, role: "member", email: nil,
      exp: exp ?? now.unixSeconds + 600, jti: "jti-\(links)")
  }

  @discardableResult
  mutating func follow(
    _ codes: [TeamName], of club: Slug = Canteen.wilhelmus, on phone: HardwareID = "phone-1"
  ) -> KKAnswer {
    let claims = memberClaims(codes, of: club)
    return ask(.register(Registration(token: .member(claims), hardwareIdentifier: phone)))
  }

  /// The token of the newest magic link.
  mutating func link(
    for codes: [TeamName], of club: Slug = Canteen.wilhelmus, to email: String = Canteen.manager
  ) -> EnrollmentToken? {
    ask(.requestEnrollment(EnrollmentRequest(email: email, tenantSlug: club, teamCodes: codes)))
    guard case .mail(let mail)? = lastEffects.signals.last?.signal else { return nil }
    return mail.token
  }

  @discardableResult
  mutating func manage(
    _ codes: [TeamName], of club: Slug = Canteen.wilhelmus, on phone: HardwareID = "phone-1",
    as email: String = Canteen.manager
  ) -> KKAnswer {
    let token = link(for: codes, of: club, to: email) ?? .text("none")
    return ask(.register(Registration(token: token, hardwareIdentifier: phone)))
  }

  // MARK: Short forms

  mutating func codes(_ token: DeviceToken) -> [TeamName]? {
    if case .success(.status(let status)) = ask(.status, with: token) {
      status.teamCodes
    } else {
      nil
    }
  }

  mutating func diensten(
    _ token: DeviceToken, tenant: Slug? = nil, past: String? = nil, future: String? = nil
  ) -> KKAnswer {
    ask(
      .diensten(DienstenQuery(tenant: tenant, pastDays: past, futureDays: future)), with: token)
  }

  @discardableResult
  mutating func add(_ naam: String, to dienst: DienstID = "d-future", with token: DeviceToken)
    -> KKAnswer
  {
    ask(.addVolunteer(VolunteerChange(dienstID: dienst, naam: naam)), with: token)
  }

  @discardableResult
  mutating func remove(
    _ naam: String, from dienst: DienstID = "d-future", with token: DeviceToken
  ) -> KKAnswer {
    ask(.removeVolunteer(VolunteerChange(dienstID: dienst, naam: naam)), with: token)
  }

  @discardableResult
  mutating func sync(_ items: [SyncItem], with token: DeviceToken) -> KKAnswer {
    ask(.sync(SyncRequest(items: items)), with: token)
  }
}

func item(
  _ role: String, _ codes: [TeamName], of club: Slug = Canteen.wilhelmus,
  on phone: HardwareID? = "phone-1"
) -> SyncItem {
  SyncItem(tenantSlug: club, role: role, teamCodes: codes, hardwareIdentifier: phone)
}

extension Result where Success == KKReply, Failure == KKRefusal {
  var refusal: KKRefusal.Code? {
    if case .failure(let refusal) = self { refusal.kind } else { nil }
  }

  var registration: RegistrationAnswer? {
    if case .success(.registered(let answer)) = self { answer } else { nil }
  }

  var token: DeviceToken {
    // A refused registration yields a token that nobody signed: what follows is refused, too.
    registration?.apiToken ?? .text("none")
  }

  var dienst: Dienst? { if case .success(.dienst(let dienst)) = self { dienst } else { nil } }

  var dienstIDs: [DienstID]? {
    if case .success(.diensten(let list)) = self { list.map(\.id) } else { nil }
  }

  /// Whether a dienst is on the list; `nil` without a list.
  func shows(_ id: DienstID) -> Bool? { dienstIDs?.contains(id) }

  var summary: CleanupSummary? {
    if case .success(.synced(let summary)) = self { summary } else { nil }
  }

  var tenants: [TenantInfo]? {
    if case .success(.tenants(let tenants)) = self { tenants } else { nil }
  }

  var teamCodes: [TeamName]? {
    switch self {
    case .success(.teams(let teams)), .success(.allowedTeams(let teams)): teams.map(\.code)
    default: nil
    }
  }
}

extension Fixture {
  static var twoClubs: Fixture {
    let codes = ["JO11-3", "JO9-1", "JO11-1", "MO13-1", "1", "VR1"]
    var fixture = Fixture(
      tenants: [
        Tenant(slug: Canteen.wilhelmus, name: "VV Wilhelmus"),
        Tenant(slug: Canteen.agovv, name: "AGOVV"),
      ],
      teams: codes.map {
        Team(tenantSlug: Canteen.wilhelmus, id: "w-\($0)", code: TeamName($0), naam: "Team \($0)")
      }
        + ["JO11-3", "JO10-5"].map {
          Team(tenantSlug: Canteen.agovv, id: "a-\($0)", code: TeamName($0), naam: $0)
        },
      managers: [
        Manager(
          tenantSlug: Canteen.wilhelmus, email: Canteen.manager,
          teamCodes: ["JO11-3", "JO9-1", "1"]),
        Manager(tenantSlug: Canteen.agovv, email: Canteen.manager, teamCodes: ["JO11-3"]),
      ])
    func dienst(_ id: DienstID, _ club: Slug, _ team: TeamName?, _ start: Instant) -> DienstEntry {
      DienstEntry(
        id: id, tenantSlug: club, team: team, startTijd: start, eindTijd: start + .hours(3))
    }
    fixture.diensten = [
      dienst("d-past", Canteen.wilhelmus, "JO11-3", Canteen.start - .days(2)),
      dienst("d-now", Canteen.wilhelmus, "JO11-3", Canteen.start),
      dienst("d-future", Canteen.wilhelmus, "JO11-3", Canteen.start + .days(7)),
      dienst("d-far", Canteen.wilhelmus, "JO11-3", Canteen.start + .days(61)),
      dienst("d-old", Canteen.wilhelmus, "JO11-3", Canteen.start - .days(366)),
      dienst("d-other", Canteen.wilhelmus, "MO13-1", Canteen.start + .days(3)),
      dienst("d-open", Canteen.wilhelmus, nil, Canteen.start + .days(4)),
      dienst("d-agovv", Canteen.agovv, "JO11-3", Canteen.start + .days(5)),
    ]
    return fixture
  }
}
