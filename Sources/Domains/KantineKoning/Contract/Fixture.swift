import Contracts
import Timekeeping

/// Entities with given identifiers, loaded as they are; an empty identifier asks the twin for a new one.
public struct Fixture: Hashable, Sendable {
  public struct Tenant: Hashable, Sendable {
    public var slug: Slug, name: String
    public var clubLogoURL: String?
    public var enrollmentOpen: Bool
    public var enrollmentMessage: String?

    public init(
      slug: Slug, name: String, clubLogoURL: String? = nil, enrollmentOpen: Bool = true,
      enrollmentMessage: String? = nil
    ) {
      (self.slug, self.name, self.clubLogoURL) = (slug, name, clubLogoURL)
      (self.enrollmentOpen, self.enrollmentMessage) = (enrollmentOpen, enrollmentMessage)
    }

    static let shape: Shape<Tenant> = Shape(
      {
        Tenant(
          slug: $0, name: $1 ?? $0.text, clubLogoURL: $2, enrollmentOpen: $3, enrollmentMessage: $4)
      },
      Field("slug", \.slug, .slug, "Its key.").or("tenant", "tenant_slug", "club"),
      Field("name", { $0.name }, .omittable(.text), "Its name; the slug when left out.")
        .or("club_name"),
      Field("club_logo_url", \.clubLogoURL, .omittable(.url), "Its logo."),
      Field(
        "enrollment_open", \.enrollmentOpen, .flag.otherwise(true),
        "Whether it takes enrollments; true."),
      Field(
        "enrollment_message", \.enrollmentMessage, .omittable(.text), "Shown while it does not."))
  }

  public struct Team: Hashable, Sendable, OfClub {
    public var tenantSlug: Slug, id, code: TeamName, naam: String

    public init(tenantSlug: Slug, id: TeamName, code: TeamName, naam: String) {
      (self.tenantSlug, self.id, self.code, self.naam) = (tenantSlug, id, code, naam)
    }

    static func shape(_ club: Coding<Slug> = .slug) -> Shape<Team> {
      Shape(
        { Team(tenantSlug: $0, id: $1, code: $2, naam: $3 ?? $2.text) }, .club(\.tenantSlug, club),
        Field("id", \.id, .generated, "Its identifier; generated when left out."),
        Field("code", \.code, .name, "Its code, unique within the club: JO11-3."),
        Field("naam", { $0.naam }, .omittable(.text), "Its name; the code when left out."))
    }
  }

  public struct Manager: Hashable, Sendable, OfClub {
    public var tenantSlug: Slug, email: String
    public var teamCodes: [TeamName]

    public init(tenantSlug: Slug, email: String, teamCodes: [TeamName]) {
      (self.tenantSlug, self.email, self.teamCodes) = (tenantSlug, email, teamCodes)
    }

    static func shape(_ club: Coding<Slug> = .slug) -> Shape<Manager> {
      Shape(
        Manager.init, .club(\.tenantSlug, club),
        Field("email", \.email, .address, "The manager's address.").or("team_manager_email"),
        Field("team_codes", \.teamCodes, .names(), "All teams that it manages from now on."))
    }
  }

  public struct DienstEntry: Hashable, Sendable, OfClub {
    public var id: DienstID, tenantSlug: Slug
    /// Code or id; `nil` for an open dienst.
    public var team: TeamName?
    public var startTijd, eindTijd: Instant
    public var minimumBemanning: Int
    public var locatieNaam: String?
    public var dienstType: DienstType?
    public var aanmeldingen: [String]

    public init(
      id: DienstID, tenantSlug: Slug, team: TeamName?, startTijd: Instant, eindTijd: Instant,
      minimumBemanning: Int = 2, locatieNaam: String? = nil, dienstType: DienstType? = nil,
      aanmeldingen: [String] = []
    ) {
      (self.id, self.tenantSlug, self.team) = (id, tenantSlug, team)
      (self.startTijd, self.eindTijd) = (startTijd, eindTijd)
      (self.minimumBemanning, self.locatieNaam) = (minimumBemanning, locatieNaam)
      (self.dienstType, self.aanmeldingen) = (dienstType, aanmeldingen)
    }

    static func shape(_ club: Coding<Slug> = .slug) -> Shape<DienstEntry> {
      Shape(
        DienstEntry.init,
        Field("id", \.id, .generated, "Its identifier; generated when left out."),
        .club(\.tenantSlug, club),
        Field(
          "team", \.team, .omittable(.team),
          "The responsible team; without one the dienst is open."
        ).or("team_code", "team_id"),
        Field("start_tijd", \.startTijd, .instant, "Its start."),
        Field("eind_tijd", \.eindTijd, .instant, "Its end, at most 24 hours later."),
        Field(
          "minimum_bemanning", \.minimumBemanning, .volunteers.otherwise(2),
          "Least number of volunteers; 2."),
        Field("locatie_naam", \.locatieNaam, .omittable(.text), "Where."),
        Field(
          "dienst_type", \.dienstType, .omittable(DienstType.shape.closed.coding), "What kind."),
        Field("aanmeldingen", \.aanmeldingen, .strings.otherwise([]), "Who is on it already."))
    }
  }

  /// An enrollment that is there from the start, as `inspect` and O5 show it.
  public struct EnrollmentEntry: Hashable, Sendable {
    public var deviceID: EnrollmentID, tenantSlug: Slug
    public var role: Role
    public var teamCodes: [TeamName]
    public var teamManagerEmail: String?
    public var hardwareIdentifier: HardwareID
    public var apnsDeviceToken, buildEnvironment: String?
    /// `nil`: at the instant of the load.
    public var enrolledAt: Instant?
    /// `nil` while active.
    public var revoked: KantineKoning.RevocationReason?

    public init(
      deviceID: EnrollmentID, tenantSlug: Slug, role: Role, teamCodes: [TeamName],
      teamManagerEmail: String? = nil, hardwareIdentifier: HardwareID,
      apnsDeviceToken: String? = nil, buildEnvironment: String? = "production",
      enrolledAt: Instant? = nil, revoked: KantineKoning.RevocationReason? = nil
    ) {
      (self.deviceID, self.tenantSlug, self.role) = (deviceID, tenantSlug, role)
      (self.teamCodes, self.teamManagerEmail) = (teamCodes, teamManagerEmail)
      (self.hardwareIdentifier, self.apnsDeviceToken) = (hardwareIdentifier, apnsDeviceToken)
      (self.buildEnvironment, self.enrolledAt) = (buildEnvironment, enrolledAt)
      self.revoked = revoked
    }

    static let shape: Shape<EnrollmentEntry> = Shape(
      { id, club, role, codes, email, hardware, token, build, revoked, enrolled in
        EnrollmentEntry(
          deviceID: id, tenantSlug: club, role: role, teamCodes: codes, teamManagerEmail: email,
          hardwareIdentifier: hardware, apnsDeviceToken: token == "" ? nil : token,
          buildEnvironment: build, enrolledAt: enrolled, revoked: revoked)
      },
      Field("device_id", \.deviceID, Coding<EnrollmentID>.generated), .club(\.tenantSlug),
      Field("role", \.role, .word), Field("team_codes", \.teamCodes, .names()),
      Field("team_manager_email", \.teamManagerEmail, .omittable(.text)),
      Field("hardware_identifier", \.hardwareIdentifier, Coding<HardwareID>.name.otherwise("")),
      Field("apns_device_token", \.apnsDeviceToken, .omittable(.text)).or("token"),
      Field("build_environment", \.buildEnvironment, .omittable(.text)),
      Field(\.revoked, revocation), Field("enrolled_at", \.enrolledAt, .omittable(.instant)))

    private enum Status: String, CaseIterable, Sendable { case active, revoked }

    /// Whether it was revoked, and why: because its teams were removed, where nothing is said.
    private static let revocation: Shape<KantineKoning.RevocationReason?> = Shape(
      Field("status", Coding<Status>.word.otherwise(.active)),
      Field("revoked_reason", .omittable(Coding<KantineKoning.RevocationReason>.word))
    ).converted(
      to: { (given) throws(Malformed) in
        let (status, reason) = given
        guard status == .active else { return reason ?? .removed }
        guard reason == nil else {
          throw Malformed(.invalid, "needs status revoked", at: "revoked_reason")
        }
        return nil
      }, from: { ($0 == nil ? .active : .revoked, $0) })
  }

  public var tenants: [Tenant]
  public var teams: [Team]
  public var managers: [Manager]
  public var diensten: [DienstEntry]
  public var enrollments: [EnrollmentEntry]

  public init(
    tenants: [Tenant] = [], teams: [Team] = [], managers: [Manager] = [],
    diensten: [DienstEntry] = [], enrollments: [EnrollmentEntry] = []
  ) {
    (self.tenants, self.teams, self.managers) = (tenants, teams, managers)
    (self.diensten, self.enrollments) = (diensten, enrollments)
  }
}

// MARK: - As `load` takes it

extension Fixture {
  /// A club with what belongs to it, which names no club then.
  private typealias Club = (Tenant, [Team]?, [Manager]?, [DienstEntry]?)

  private static let club: Shape<Club> = Shape(
    Field(Tenant.shape), Field("teams", .omittable(.entities(Team.shape(.theOneAround)))),
    Field("managers", .omittable(.entities(Manager.shape(.theOneAround)))),
    Field("diensten", .omittable(.entities(DienstEntry.shape(.theOneAround)))))

  static let shape: Shape<Fixture> = Shape(
    Fixture.init(clubs:teams:managers:diensten:enrollments:),
    Field(
      "tenants", \.clubs, .entities(club), "Clubs with what belongs to them."),
    Field("teams", \.teams, .entities(Team.shape()), "Teams of clubs."),
    Field("managers", \.managers, .entities(Manager.shape()), "Addresses that manage teams."),
    Field("diensten", \.diensten, .entities(DienstEntry.shape()), "Diensten of clubs."),
    Field("enrollments", \.enrollments, .entities(EnrollmentEntry.shape), "Enrolled phones."))

  private var clubs: [Club] { tenants.map { ($0, nil, nil, nil) } }

  private init(
    clubs: [Club], teams: [Team], managers: [Manager], diensten: [DienstEntry],
    enrollments: [EnrollmentEntry]
  ) {
    self.init(tenants: clubs.map(\.0), enrollments: enrollments)
    for (club, teams, managers, diensten) in clubs {
      self.teams += Self.entities(teams, of: club)
      self.managers += Self.entities(managers, of: club)
      self.diensten += Self.entities(diensten, of: club)
    }
    self.teams += teams
    self.managers += managers
    self.diensten += diensten
  }

  private static func entities<Entity: OfClub>(
    _ entities: [Entity]?, of club: Tenant
  ) -> [Entity] {
    (entities ?? []).map {
      var entity = $0
      entity.tenantSlug = club.slug
      return entity
    }
  }
}

/// An entity of a club.
protocol OfClub: Sendable {
  var tenantSlug: Slug { get set }
}

extension Coding {
  /// Any number of entities, none where nothing is said.
  fileprivate static func entities<Entity>(_ shape: Shape<Entity>) -> Coding
  where Value == [Entity] { .list(shape.closed.coding).otherwise([]) }
}

extension Field {
  static func club(
    _ get: @escaping @Sendable (Root) -> Slug, _ coding: Coding<Slug> = .slug
  ) -> Field where Value == Slug {
    Field("tenant", get, coding, "The club;").or("tenant_slug", "club", "slug", "tenant_id")
  }
}

extension Coding where Value == String {
  static let address = text.called("address")
  static let url = text.called("URL")
}

extension Coding where Value == Slug {
  static let slug = name.called("slug")

  /// The club in whose document an entity stands.
  fileprivate static let theOneAround = name.checked { _ in
    .invalid("is the club that it stands in")
  }.otherwise("")
}

extension Coding where Value == TeamName {
  static let team = name.called("code or id")
}

extension Coding where Value: Naming {
  static var uuid: Coding { name.called("uuid") }

  /// An identifier; an empty one asks for a new one.
  static var generated: Coding {
    Coding<Value?>.omittable(.uuid).converted(
      to: { $0 ?? Value("") }, from: { id, _ in id.isEmpty ? nil : id }
    ).otherwise(Value(""))
  }
}

extension Coding where Value == Int {
  static let volunteers = int.called("whole number, 1 to 1000")
}
