import Contracts
import KantineKoningChecks
import KantineKoningContract
import Observations
import Timekeeping

/// Records by hand: two clubs, three phones, some diensten; then whatever a test lets happen.
struct CheckStory {
  static let start = Instant("2026-03-21T08:00:00Z")!
  static let phoneM: HardwareID = "11111111-1111-4111-8111-111111111111"
  static let phoneL: HardwareID = "22222222-2222-4222-8222-222222222222"
  static let phoneP: HardwareID = "33333333-3333-4333-8333-333333333333"
  static let fresh: HardwareID = "44444444-4444-4444-8444-444444444444"

  var records: [Record<KantineKoning>] = []
  var now = Self.start
  private var claims: [EnrollmentID: DeviceClaims] = [:]

  init() {
    control(.load(Self.fixture))
    for entry in Self.fixture.enrollments {
      remember(entry.deviceID, entry.tenantSlug, entry.role, entry.teamCodes)
    }
    now += .minutes(1)
  }

  static let fixture = Fixture(
    tenants: [.init(slug: "a", name: "A"), .init(slug: "b", name: "B")],
    teams: ["1", "2", "3", "4", "5", "6"].map { code in
      .init(tenantSlug: "a", id: "a-\(code)", code: TeamName(code), naam: code)
    } + ["1", "2"].map { .init(tenantSlug: "b", id: "b-\($0)", code: TeamName($0), naam: $0) },
    managers: [.init(tenantSlug: "a", email: "m@a.example", teamCodes: ["1", "2"])],
    diensten: [
      .init(
        id: "future", tenantSlug: "a", team: "1", startTijd: start + .days(7),
        eindTijd: start + .days(8), aanmeldingen: ["Jan"]),
      .init(
        id: "past", tenantSlug: "a", team: "1", startTijd: start - .days(7),
        eindTijd: start - .days(6)),
      .init(
        id: "other", tenantSlug: "b", team: "1", startTijd: start + .days(7),
        eindTijd: start + .days(8)),
    ],
    enrollments: [
      entry("m", "a", .manager, ["1"], phoneM), entry("l", "a", .member, ["2"], phoneL),
      entry("p", "a", .member, ["1", "2"], phoneP), entry("q", "b", .member, ["1"], phoneP),
    ])

  private static func entry(
    _ id: EnrollmentID, _ tenant: Slug, _ role: Role, _ codes: [TeamName], _ hardware: HardwareID
  ) -> Fixture.EnrollmentEntry {
    .init(
      deviceID: id, tenantSlug: tenant, role: role, teamCodes: codes, hardwareIdentifier: hardware,
      enrolledAt: start - .days(30))
  }

  mutating func remember(
    _ id: EnrollmentID, _ tenant: Slug, _ role: Role, _ codes: [TeamName], exp: Int64? = nil
  ) {
    claims[id] = DeviceClaims(
      deviceID: id, tenantSlug: tenant, role: role, teamCodes: codes,
      iat: (Self.start - .days(30)).unixSeconds, exp: exp)
  }

  func token(_ id: EnrollmentID) -> DeviceToken { .issued(claims[id]!) }

  // MARK: What can happen

  mutating func ask(
    _ request: KantineKoning.Request, as device: EnrollmentID? = nil,
    credential: KantineKoning.Credential? = nil, _ outcome: Outcome<KantineKoning>,
    lasting: Span = .milliseconds(100), then pause: Span = .seconds(5)
  ) {
    let answered = now + lasting
    record(
      .request(
        Call(
          request: request, operation: KantineKoning.operation(of: request),
          credential: credential ?? device.map { .bearer(token($0)) }, intended: now, sent: now,
          answered: answered, outcome: outcome, attempt: 1)), at: answered)
    now += pause
  }

  mutating func note(_ note: KantineKoning.Note) {
    record(.note(note), at: now)
    now += .seconds(1)
  }

  mutating func control(
    _ command: KantineKoning.Control, _ outcome: Outcome<KantineKoning> = .replied(.done)
  ) {
    records.append(
      Record(
        time: now, person: nil, sequence: 0, cell: 0,
        event: .control(.control(command), outcome)))
    now += .seconds(5)
  }

  mutating func inspect(
    _ enrollments: [Inspection.Enrollment] = [], pushes: [PushDelivery] = []
  ) {
    records.append(
      Record(
        time: now, person: nil, sequence: 0, cell: 0,
        event: .inspection(
          .inspection(Inspection(enrollments: enrollments, deliveries: pushes)))))
  }

  /// A push reaches the phone.
  mutating func receive(event: Int = 1, team: TeamName = "1", at token: String = "") {
    let push = Push(
      event: .reminderDay, eventNumber: event, tenantSlug: "a", teamCode: team, dienstID: "future",
      title: "t", body: "b", createdAt: now,
      dispatch: ApnsDispatch(
        delivery: event, token: token, environment: .production, fate: .delivered))
    record(.signal(.push(push)), at: now)
    now += .seconds(1)
  }

  /// A mail about a dienst reaches whoever reads an address.
  mutating func receive(_ notice: Notice, after delay: Span = .seconds(10)) {
    record(.signal(.notice(notice)), at: notice.sentAt + delay)
  }

  /// A push to an enrollment as inspection shows it, sent now.
  func delivery(
    to device: EnrollmentID, through environment: ApnsEnvironment = .production,
    _ result: PushDelivery.Result, title: String = "t", number: Int = 1
  ) -> PushDelivery {
    PushDelivery(
      number: number, event: .test, eventNumber: number, tenantSlug: "a", teamCode: "1",
      dienstID: nil, title: title, deviceID: device, apnsEnvironment: environment, sentAt: now,
      result: result)
  }

  private mutating func record(_ event: Record<KantineKoning>.Event, at time: Instant) {
    records.append(
      Record(
        time: time, person: PersonID(1), sequence: UInt32(records.count), cell: 0, event: event))
  }

  // MARK: Judging, as the engine routes records

  func judged(by check: Check<KantineKoning>) -> Judge {
    var router = CheckRouter([check])
    for record in records { router.see(record) }
    router.end(at: now)
    return router.judges[0]
  }
}

// MARK: - Short words for what tests let happen

extension CheckStory {
  static func refused(
    _ code: KantineKoning.Refusal.Code, _ reason: KantineKoning.RevocationReason? = nil
  ) -> Outcome<KantineKoning> { .refused(.init(code, reason: reason)) }

  static func dienst(
    _ id: DienstID = "future", tenant: Slug = "a", team: TeamName? = "1", names: [String] = [],
    start: Instant = Self.start + .days(7), version: Int64 = 1
  ) -> Dienst {
    Dienst(
      id: id, tenantSlug: tenant,
      team: team.map { TeamInfo(id: "\(tenant)-\($0)", code: $0, naam: $0.text) },
      startTijd: start, eindTijd: start + .hours(3), minimumBemanning: 2,
      status: names.isEmpty ? .onbemand : names.count < 2 ? .gedeeltelijk : .volledig,
      locatieNaam: nil, aanmeldingen: names, updatedAt: Self.start + .seconds(version),
      dienstType: nil, offeredForTransfer: false)
  }

  mutating func add(
    _ name: String, to dienst: DienstID = "future", tenant: Slug? = nil,
    as device: EnrollmentID = "m",
    _ outcome: Outcome<KantineKoning>, lasting: Span = .milliseconds(100),
    then pause: Span = .seconds(5)
  ) {
    ask(
      .addVolunteer(VolunteerChange(dienstID: dienst, tenant: tenant, naam: name)), as: device,
      outcome, lasting: lasting, then: pause)
  }

  mutating func remove(
    _ name: String, from dienst: DienstID = "future", as device: EnrollmentID = "m",
    _ outcome: Outcome<KantineKoning>
  ) {
    ask(
      .removeVolunteer(VolunteerChange(dienstID: dienst, tenant: nil, naam: name)), as: device,
      outcome)
  }

  mutating func list(
    _ diensten: [Dienst]?, as device: EnrollmentID = "p", tenant: Slug? = nil, past: String? = nil,
    future: String? = nil, or refusal: Outcome<KantineKoning> = Self.refused(.deviceNotFound)
  ) {
    ask(
      .diensten(DienstenQuery(tenant: tenant, pastDays: past, futureDays: future)), as: device,
      diensten.map { .replied(.diensten($0)) } ?? refusal)
  }

  /// Lists that are asked for together, by club and how long the answer takes; `nil` is never answered. The story goes on
  /// with the last of them.
  mutating func refresh(_ lists: [(diensten: [Dienst]?, tenant: Slug, lasting: Span)]) {
    let sent = now
    for list in lists {
      now = sent
      ask(
        .diensten(DienstenQuery(tenant: list.tenant, pastDays: nil, futureDays: nil)), as: "p",
        list.diensten.map { .replied(.diensten($0)) } ?? .unknown(.timedOut),
        lasting: list.lasting, then: .zero)
    }
    now = sent + (lists.map(\.lasting).max() ?? .zero)
  }

  static func claims(
    _ codes: [TeamName], tenant: Slug = "a", role: String = "member", lifetime: Int64 = 600,
    jti: TokenID = "j"
  ) -> EnrollmentClaims {
    EnrollmentClaims(
      tenantSlug: tenant, tenantName: tenant.text, teamCodes: codes, role: role,
      email: role == "manager" ? "m@a.example" : nil, exp: Self.start.unixSeconds + 60 + lifetime,
      jti: jti)
  }

  /// Registers; `answer` is the new device_id, or a refusal.
  mutating func register(
    _ codes: [TeamName], tenant: Slug = "a", role: Role = .member,
    on hardware: HardwareID = Self.fresh,
    as id: EnrollmentID, jti: TokenID? = nil
  ) {
    remember(id, tenant, role, codes)
    let claims = Self.claims(
      codes, tenant: tenant, role: role.rawValue, jti: jti ?? TokenID(id.text))
    registers(
      role == .manager ? .link(claims) : .member(claims), on: hardware,
      .replied(.registered(answer(id, tenant, role, codes))))
  }

  func answer(
    _ id: EnrollmentID, _ tenant: Slug, _ role: Role, _ codes: [TeamName], token: DeviceToken? = nil
  ) -> RegistrationAnswer {
    RegistrationAnswer(
      deviceID: id, tenantSlug: tenant, tenantName: tenant.text, role: role, email: nil,
      teams: codes.map { TeamInfo(id: "\(tenant)-\($0)", code: $0, naam: $0.text) },
      buildEnvironment: "production", apiToken: token ?? self.token(id))
  }

  mutating func registers(
    _ token: EnrollmentToken, on hardware: HardwareID = Self.fresh,
    _ outcome: Outcome<KantineKoning>
  ) {
    ask(.register(Registration(token: token, hardwareIdentifier: hardware)), outcome)
  }

  static func item(
    _ tenant: Slug? = "a", _ role: String? = "member", _ codes: [TeamName]?,
    hardware: HardwareID? = Self.phoneP
  ) -> SyncItem {
    SyncItem(tenantSlug: tenant, role: role, teamCodes: codes, hardwareIdentifier: hardware)
  }

  /// Everything that phone P holds.
  static let complete = [item("a", "member", ["1", "2"]), item("b", "member", ["1"])]

  mutating func sync(
    _ items: [SyncItem] = Self.complete, as device: EnrollmentID = "p", revoked: Int = 0,
    removed: Int = 0, affecting tenants: [Slug] = []
  ) {
    ask(
      .sync(SyncRequest(items: items)), as: device,
      .replied(
        .synced(
          CleanupSummary(
            enrollmentsRevoked: revoked, teamsRemoved: removed, tenantsAffected: tenants))))
  }

  mutating func syncs(
    _ items: [SyncItem], as device: EnrollmentID = "p", _ outcome: Outcome<KantineKoning>
  ) { ask(.sync(SyncRequest(items: items)), as: device, outcome) }

  /// O11 with clubs as `a: [codes]`.
  mutating func tenants(
    _ clubs: [(slug: Slug, codes: [TeamName])], as device: EnrollmentID = "p", role: Role = .member,
    ended: Set<Slug> = []
  ) {
    ask(
      .tenants, as: device,
      .replied(
        .tenants(
          clubs.map { club in
            TenantInfo(
              slug: club.slug, clubName: club.slug.text, clubLogoURL: nil,
              seasonEnded: ended.contains(club.slug),
              teams: club.codes.map {
                TeamInfo(id: "\(club.slug)-\($0)", code: $0, naam: $0.text, role: role)
              })
          })))
  }

  static func row(
    _ id: EnrollmentID, _ codes: [TeamName], tenant: Slug = "a", hardware: HardwareID = Self.fresh,
    active: Bool = true
  ) -> Inspection.Enrollment {
    .init(
      deviceID: id, tenantSlug: tenant, role: .member, teamCodes: codes,
      hardwareIdentifier: hardware, isActive: active)
  }

  mutating func foreground(_ hardware: HardwareID = Self.phoneP) {
    note(.foreground(process: 1, hardwareIdentifier: hardware))
  }

  mutating func status(_ codes: [TeamName], as device: EnrollmentID = "p") {
    ask(
      .status, as: device,
      .replied(
        .status(
          EnrollmentStatus(
            deviceID: device, tenantSlug: "a", tenantName: "A", teamCodes: codes, role: .member,
            status: "active", teamEmailPreferences: [], pushEnabled: true, hasApnsToken: false,
            buildEnvironment: nil, lastSeenAt: now))))
  }
}
