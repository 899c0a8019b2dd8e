import Contracts
import Timekeeping

extension KantineKoning {
  /// The operator's commands (§3.5).
  public enum Control: Hashable, Sendable {
    case load(Fixture)
    case createTenant(Fixture.Tenant)
    case changeTenant(TenantChange)
    case createTeam(Fixture.Team)
    case setManager(Fixture.Manager)
    case scheduleDienst(Fixture.DienstEntry)
    case changeDienst(DienstChange)
    case cancelDienst(id: String)
    case assignDienst(id: String, team: String?)
    case setEnrollmentOpen(tenant: String, open: Bool, message: String?)
    case endSeason(tenant: String)
    case resetSeason(tenant: String)
    case changeTeam(tenant: String, team: String, naam: String)
    case createDienstType(tenant: String, DienstType)
    case changeDienstType(tenant: String, DienstType)
    case createLocation(tenant: String, naam: String)
    case changeLocation(tenant: String, naam: String, to: String)
    case setLeaderboardOptOut(tenant: String, optOut: Bool)
    /// A global banner has an empty `tenantSlug`; an empty identifier asks the twin for a new one.
    case createBanner(Banner)
    case removeBanner(id: String)
    case revokeEnrollment(deviceID: String, reason: RevocationReason)
    case setPushEnabled(deviceID: String, enabled: Bool)
    case setTestUser(deviceID: String, isTestUser: Bool)
    /// The operator's look-up of a phone: its active enrollments (seed 001 §Debugging Multi-Tenant Issues).
    case listEnrollments(hardwareIdentifier: String)
    /// The enrollments of a manager's address (seed 001 §Push Notification Issues).
    case findEnrollments(email: String)
    /// `nil` leaves a variable alone, an empty text unsets it.
    case setApnsEnvironment(ApnsVariables)
    case readApnsEnvironment
    /// While it lasts, no push is answered.
    case setApnsOutage(Bool)
    case sendTestPush(deviceID: String, title: String, body: String)
    /// The records of pushes, of one enrollment or of all.
    case pushDeliveries(deviceID: String?)
    /// The mails to managers about diensten.
    case notices
    /// Manager enrollments lose teams that the address no longer manages or that are gone.
    case cleanUp
    /// Values by their names in `Deployment.settings`; the rest stays.
    case configure([String: Setting.Value])
    case setRule(LimitID, binds: Bool)
    case outbox
    /// The clock of a served or replayed twin; in a run the timeline alone moves time.
    case advance(to: Instant?, by: Span?)
    case reset
  }

  /// A change of a club's data; `nil` leaves a field alone.
  public struct TenantChange: Hashable, Sendable {
    public var slug: String
    public var name: String?
    public var clubLogoURL: String?
    public var enrollmentMessage: String?

    public init(
      slug: String, name: String? = nil, clubLogoURL: String? = nil,
      enrollmentMessage: String? = nil
    ) {
      self.slug = slug
      self.name = name
      self.clubLogoURL = clubLogoURL
      self.enrollmentMessage = enrollmentMessage
    }
  }

  /// A change of a dienst by the club; `nil` leaves a field alone.
  public struct DienstChange: Hashable, Sendable {
    public var id: String
    public var startTijd: Instant?
    public var eindTijd: Instant?
    public var minimumBemanning: Int?
    public var locatieNaam: String?

    public init(
      id: String, startTijd: Instant? = nil, eindTijd: Instant? = nil,
      minimumBemanning: Int? = nil, locatieNaam: String? = nil
    ) {
      self.id = id
      self.startTijd = startTijd
      self.eindTijd = eindTijd
      self.minimumBemanning = minimumBemanning
      self.locatieNaam = locatieNaam
    }
  }
}

/// Entities with given identifiers, loaded as they are; an empty identifier asks the twin for a new one.
public struct Fixture: Hashable, Sendable {
  public struct Tenant: Hashable, Sendable {
    public var slug: String
    public var name: String
    public var clubLogoURL: String?
    public var enrollmentOpen: Bool
    public var enrollmentMessage: String?

    public init(
      slug: String, name: String, clubLogoURL: String? = nil, enrollmentOpen: Bool = true,
      enrollmentMessage: String? = nil
    ) {
      self.slug = slug
      self.name = name
      self.clubLogoURL = clubLogoURL
      self.enrollmentOpen = enrollmentOpen
      self.enrollmentMessage = enrollmentMessage
    }
  }

  public struct Team: Hashable, Sendable {
    public var tenantSlug: String
    public var id: String
    public var code: String
    public var naam: String

    public init(tenantSlug: String, id: String, code: String, naam: String) {
      self.tenantSlug = tenantSlug
      self.id = id
      self.code = code
      self.naam = naam
    }
  }

  public struct Manager: Hashable, Sendable {
    public var tenantSlug: String
    public var email: String
    public var teamCodes: [String]

    public init(tenantSlug: String, email: String, teamCodes: [String]) {
      self.tenantSlug = tenantSlug
      self.email = email
      self.teamCodes = teamCodes
    }
  }

  public struct DienstEntry: Hashable, Sendable {
    public var id: String
    public var tenantSlug: String
    /// Code or id; `nil` for an open dienst.
    public var team: String?
    public var startTijd: Instant
    public var eindTijd: Instant
    public var minimumBemanning: Int
    public var locatieNaam: String?
    public var dienstType: DienstType?
    public var aanmeldingen: [String]

    public init(
      id: String, tenantSlug: String, team: String?, startTijd: Instant, eindTijd: Instant,
      minimumBemanning: Int = 2, locatieNaam: String? = nil, dienstType: DienstType? = nil,
      aanmeldingen: [String] = []
    ) {
      self.id = id
      self.tenantSlug = tenantSlug
      self.team = team
      self.startTijd = startTijd
      self.eindTijd = eindTijd
      self.minimumBemanning = minimumBemanning
      self.locatieNaam = locatieNaam
      self.dienstType = dienstType
      self.aanmeldingen = aanmeldingen
    }
  }

  /// An enrollment that is there from the start, as `inspect` and O5 show it.
  public struct EnrollmentEntry: Hashable, Sendable {
    public var deviceID: String
    public var tenantSlug: String
    public var role: Role
    public var teamCodes: [String]
    public var teamManagerEmail: String?
    public var hardwareIdentifier: String
    public var apnsDeviceToken: String?
    public var buildEnvironment: String?
    /// `nil`: at the instant of the load.
    public var enrolledAt: Instant?
    /// `nil` while active.
    public var revoked: KantineKoning.RevocationReason?

    public init(
      deviceID: String, tenantSlug: String, role: Role, teamCodes: [String],
      teamManagerEmail: String? = nil, hardwareIdentifier: String,
      apnsDeviceToken: String? = nil, buildEnvironment: String? = "production",
      enrolledAt: Instant? = nil, revoked: KantineKoning.RevocationReason? = nil
    ) {
      self.deviceID = deviceID
      self.tenantSlug = tenantSlug
      self.role = role
      self.teamCodes = teamCodes
      self.teamManagerEmail = teamManagerEmail
      self.hardwareIdentifier = hardwareIdentifier
      self.apnsDeviceToken = apnsDeviceToken
      self.buildEnvironment = buildEnvironment
      self.enrolledAt = enrolledAt
      self.revoked = revoked
    }
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
    self.tenants = tenants
    self.teams = teams
    self.managers = managers
    self.diensten = diensten
    self.enrollments = enrollments
  }
}
