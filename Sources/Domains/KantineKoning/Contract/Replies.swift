import Timekeeping

public struct TeamInfo: Hashable, Sendable {
  public var id: String
  public var code: String
  public var naam: String
  /// Only in O11.
  public var role: Role?

  public init(id: String, code: String, naam: String, role: Role? = nil) {
    self.id = id
    self.code = code
    self.naam = naam
    self.role = role
  }
}

/// The answer of O3.
public struct RegistrationAnswer: Hashable, Sendable {
  public var deviceID: String
  public var tenantSlug: String
  public var tenantName: String
  public var role: Role
  public var email: String?
  public var teams: [TeamInfo]
  public var buildEnvironment: String?
  public var apiToken: DeviceToken

  public var teamCodes: [String] { teams.map(\.code) }

  public init(
    deviceID: String, tenantSlug: String, tenantName: String, role: Role, email: String?,
    teams: [TeamInfo], buildEnvironment: String?, apiToken: DeviceToken
  ) {
    self.deviceID = deviceID
    self.tenantSlug = tenantSlug
    self.tenantName = tenantName
    self.role = role
    self.email = email
    self.teams = teams
    self.buildEnvironment = buildEnvironment
    self.apiToken = apiToken
  }
}

/// The answer of O4.
public struct CleanupSummary: Hashable, Sendable {
  public var enrollmentsRevoked: Int
  public var teamsRemoved: Int
  public var tenantsAffected: [String]

  public init(enrollmentsRevoked: Int, teamsRemoved: Int, tenantsAffected: [String]) {
    self.enrollmentsRevoked = enrollmentsRevoked
    self.teamsRemoved = teamsRemoved
    self.tenantsAffected = tenantsAffected
  }
}

/// The answer of O5.
public struct EnrollmentStatus: Hashable, Sendable {
  public var deviceID: String
  public var tenantSlug: String
  public var tenantName: String
  public var teamCodes: [String]
  public var role: Role
  /// `active`; a revoked enrollment is never answered.
  public var status: String
  /// By team code, in the order of `teamCodes`.
  public var teamEmailPreferences: [TeamPreference]
  public var pushEnabled: Bool
  public var hasApnsToken: Bool
  public var buildEnvironment: String?
  public var lastSeenAt: Instant

  public init(
    deviceID: String, tenantSlug: String, tenantName: String, teamCodes: [String], role: Role,
    status: String, teamEmailPreferences: [TeamPreference], pushEnabled: Bool, hasApnsToken: Bool,
    buildEnvironment: String?, lastSeenAt: Instant
  ) {
    self.deviceID = deviceID
    self.tenantSlug = tenantSlug
    self.tenantName = tenantName
    self.teamCodes = teamCodes
    self.role = role
    self.status = status
    self.teamEmailPreferences = teamEmailPreferences
    self.pushEnabled = pushEnabled
    self.hasApnsToken = hasApnsToken
    self.buildEnvironment = buildEnvironment
    self.lastSeenAt = lastSeenAt
  }
}

public struct TeamPreference: Hashable, Sendable {
  public var teamCode: String
  public var emailEnabled: Bool

  public init(teamCode: String, emailEnabled: Bool) {
    self.teamCode = teamCode
    self.emailEnabled = emailEnabled
  }
}

/// One club of O11.
public struct TenantInfo: Hashable, Sendable {
  public var slug: String
  public var clubName: String
  public var clubLogoURL: String?
  public var seasonEnded: Bool
  public var teams: [TeamInfo]

  public init(
    slug: String, clubName: String, clubLogoURL: String?, seasonEnded: Bool, teams: [TeamInfo]
  ) {
    self.slug = slug
    self.clubName = clubName
    self.clubLogoURL = clubLogoURL
    self.seasonEnded = seasonEnded
    self.teams = teams
  }
}

/// A canteen shift (§2.6).
public struct Dienst: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable {
    case onbemand, gedeeltelijk, volledig, geannuleerd
  }

  public var id: String
  public var tenantSlug: String
  /// `nil` for an open dienst, not yet assigned.
  public var team: TeamInfo?
  public var startTijd: Instant
  public var eindTijd: Instant
  public var minimumBemanning: Int
  public var status: Status
  public var locatieNaam: String?
  /// The volunteers' names in order of entry.
  public var aanmeldingen: [String]
  public var updatedAt: Instant
  public var dienstType: DienstType?
  public var offeredForTransfer: Bool
  /// The right to take it over; only in O21.
  public var notificationToken: NotificationToken?

  public init(
    id: String, tenantSlug: String, team: TeamInfo?, startTijd: Instant, eindTijd: Instant,
    minimumBemanning: Int, status: Status, locatieNaam: String?, aanmeldingen: [String],
    updatedAt: Instant, dienstType: DienstType?, offeredForTransfer: Bool,
    notificationToken: NotificationToken? = nil
  ) {
    self.id = id
    self.tenantSlug = tenantSlug
    self.team = team
    self.startTijd = startTijd
    self.eindTijd = eindTijd
    self.minimumBemanning = minimumBemanning
    self.status = status
    self.locatieNaam = locatieNaam
    self.aanmeldingen = aanmeldingen
    self.updatedAt = updatedAt
    self.dienstType = dienstType
    self.offeredForTransfer = offeredForTransfer
    self.notificationToken = notificationToken
  }
}

public struct DienstType: Hashable, Sendable {
  public var naam: String
  public var icon: String

  public init(naam: String, icon: String) {
    self.naam = naam
    self.icon = icon
  }
}

/// A magic-link mail in the outbox (§2.5).
public struct Mail: Hashable, Sendable {
  public var to: String
  public var tenantSlug: String
  public var teamCodes: [String]
  public var platform: String?
  public var token: EnrollmentToken
  public var sentAt: Instant
  public var expiresAt: Instant

  public init(
    to: String, tenantSlug: String, teamCodes: [String], platform: String?,
    token: EnrollmentToken, sentAt: Instant, expiresAt: Instant
  ) {
    self.to = to
    self.tenantSlug = tenantSlug
    self.teamCodes = teamCodes
    self.platform = platform
    self.token = token
    self.sentAt = sentAt
    self.expiresAt = expiresAt
  }
}

/// What the harness is shown of a cell: the enrollments, active and revoked, and the latest pushes.
public struct Inspection: Hashable, Sendable {
  public struct Enrollment: Hashable, Sendable {
    public var deviceID: String
    public var tenantSlug: String
    public var role: Role
    public var teamCodes: [String]
    public var hardwareIdentifier: String
    public var isActive: Bool
    /// Why it is not; `nil` while active, and where whoever shows it does not say.
    public var revokedReason: KantineKoning.RevocationReason?

    public init(
      deviceID: String, tenantSlug: String, role: Role, teamCodes: [String],
      hardwareIdentifier: String, isActive: Bool,
      revokedReason: KantineKoning.RevocationReason? = nil
    ) {
      self.deviceID = deviceID
      self.tenantSlug = tenantSlug
      self.role = role
      self.teamCodes = teamCodes
      self.hardwareIdentifier = hardwareIdentifier
      self.isActive = isActive
      self.revokedReason = revokedReason
    }
  }

  public var enrollments: [Enrollment]
  /// The newest, at most a hundred, in order of sending.
  public var deliveries: [PushDelivery]

  public init(enrollments: [Enrollment], deliveries: [PushDelivery] = []) {
    self.enrollments = enrollments
    self.deliveries = deliveries
  }
}

/// What an operator is told of one phone: its active enrollments.
public struct EnrollmentListing: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var tenantSlug: String
    public var role: Role

    public init(tenantSlug: String, role: Role) {
      self.tenantSlug = tenantSlug
      self.role = role
    }

    /// `vvwilhelmus(lid)`: a member is printed as `lid`.
    public var text: String { "\(tenantSlug)(\(role == .manager ? "manager" : "lid"))" }
  }

  public var hardwareIdentifier: String
  public var entries: [Entry]

  public init(hardwareIdentifier: String, entries: [Entry]) {
    self.hardwareIdentifier = hardwareIdentifier
    self.entries = entries
  }

  /// The two lines of the operator's look-up, as the documents print them.
  public var lines: [String] {
    [
      "Found hardware_identifier=\(hardwareIdentifier)",
      "Found \(entries.count) enrollments: \(entries.map(\.text).joined(separator: ", "))",
    ]
  }
}
