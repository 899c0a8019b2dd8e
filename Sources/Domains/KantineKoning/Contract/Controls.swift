import Contracts
import Timekeeping

extension KantineKoning {
  /// The operator's commands (§3.5).
  package enum Control: Hashable, Sendable {
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
    /// Manager enrollments lose teams that the address no longer manages or that are gone.
    case cleanUp
    case setRule(LimitID, binds: Bool)
    case outbox
    /// The clock of a served or replayed twin; in a run the timeline alone moves time.
    case advance(to: Instant?, by: Span?)
    case reset
  }

  /// A change of a club's data; `nil` leaves a field alone.
  package struct TenantChange: Hashable, Sendable {
    package var slug: String
    package var name: String?
    package var clubLogoURL: String?
    package var enrollmentMessage: String?

    package init(
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
  package struct DienstChange: Hashable, Sendable {
    package var id: String
    package var startTijd: Instant?
    package var eindTijd: Instant?
    package var minimumBemanning: Int?
    package var locatieNaam: String?

    package init(
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
package struct Fixture: Hashable, Sendable {
  package struct Tenant: Hashable, Sendable {
    package var slug: String
    package var name: String
    package var clubLogoURL: String?
    package var enrollmentOpen: Bool
    package var enrollmentMessage: String?

    package init(
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

  package struct Team: Hashable, Sendable {
    package var tenantSlug: String
    package var id: String
    package var code: String
    package var naam: String

    package init(tenantSlug: String, id: String, code: String, naam: String) {
      self.tenantSlug = tenantSlug
      self.id = id
      self.code = code
      self.naam = naam
    }
  }

  package struct Manager: Hashable, Sendable {
    package var tenantSlug: String
    package var email: String
    package var teamCodes: [String]

    package init(tenantSlug: String, email: String, teamCodes: [String]) {
      self.tenantSlug = tenantSlug
      self.email = email
      self.teamCodes = teamCodes
    }
  }

  package struct DienstEntry: Hashable, Sendable {
    package var id: String
    package var tenantSlug: String
    /// Code or id; `nil` for an open dienst.
    package var team: String?
    package var startTijd: Instant
    package var eindTijd: Instant
    package var minimumBemanning: Int
    package var locatieNaam: String?
    package var dienstType: DienstType?
    package var aanmeldingen: [String]

    package init(
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
  package struct EnrollmentEntry: Hashable, Sendable {
    package var deviceID: String
    package var tenantSlug: String
    package var role: Role
    package var teamCodes: [String]
    package var teamManagerEmail: String?
    package var hardwareIdentifier: String
    package var apnsDeviceToken: String?
    package var buildEnvironment: String?
    /// `nil`: at the instant of the load.
    package var enrolledAt: Instant?
    /// `nil` while active.
    package var revoked: KantineKoning.RevocationReason?

    package init(
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

  package var tenants: [Tenant]
  package var teams: [Team]
  package var managers: [Manager]
  package var diensten: [DienstEntry]
  package var enrollments: [EnrollmentEntry]

  package init(
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
