import Timekeeping

package struct TeamInfo: Hashable, Sendable {
  package var id: String
  package var code: String
  package var naam: String
  /// Only in O11.
  package var role: Role?

  package init(id: String, code: String, naam: String, role: Role? = nil) {
    self.id = id
    self.code = code
    self.naam = naam
    self.role = role
  }
}

/// The answer of O3.
package struct RegistrationAnswer: Hashable, Sendable {
  package var deviceID: String
  package var tenantSlug: String
  package var tenantName: String
  package var role: Role
  package var email: String?
  package var teams: [TeamInfo]
  package var buildEnvironment: String?
  package var apiToken: DeviceToken

  package var teamCodes: [String] { teams.map(\.code) }

  package init(
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
package struct CleanupSummary: Hashable, Sendable {
  package var enrollmentsRevoked: Int
  package var teamsRemoved: Int
  package var tenantsAffected: [String]

  package init(enrollmentsRevoked: Int, teamsRemoved: Int, tenantsAffected: [String]) {
    self.enrollmentsRevoked = enrollmentsRevoked
    self.teamsRemoved = teamsRemoved
    self.tenantsAffected = tenantsAffected
  }
}

/// The answer of O5.
package struct EnrollmentStatus: Hashable, Sendable {
  package var deviceID: String
  package var tenantSlug: String
  package var tenantName: String
  package var teamCodes: [String]
  package var role: Role
  /// `active`; a revoked enrollment is never answered.
  package var status: String
  /// By team code, in the order of `teamCodes`.
  package var teamEmailPreferences: [TeamPreference]
  package var pushEnabled: Bool
  package var hasApnsToken: Bool
  package var buildEnvironment: String?
  package var lastSeenAt: Instant

  package init(
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

package struct TeamPreference: Hashable, Sendable {
  package var teamCode: String
  package var emailEnabled: Bool

  package init(teamCode: String, emailEnabled: Bool) {
    self.teamCode = teamCode
    self.emailEnabled = emailEnabled
  }
}

/// One club of O11.
package struct TenantInfo: Hashable, Sendable {
  package var slug: String
  package var clubName: String
  package var clubLogoURL: String?
  package var seasonEnded: Bool
  package var teams: [TeamInfo]

  package init(
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
package struct Dienst: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case onbemand, gedeeltelijk, volledig, geannuleerd
  }

  package var id: String
  package var tenantSlug: String
  /// `nil` for an open dienst, not yet assigned.
  package var team: TeamInfo?
  package var startTijd: Instant
  package var eindTijd: Instant
  package var minimumBemanning: Int
  package var status: Status
  package var locatieNaam: String?
  /// The volunteers' names in order of entry.
  package var aanmeldingen: [String]
  package var updatedAt: Instant
  package var dienstType: DienstType?
  package var offeredForTransfer: Bool
  /// The right to take it over; only in O21.
  package var notificationToken: NotificationToken?

  package init(
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

package struct DienstType: Hashable, Sendable {
  package var naam: String
  package var icon: String

  package init(naam: String, icon: String) {
    self.naam = naam
    self.icon = icon
  }
}

/// A magic-link mail in the outbox (§2.5).
package struct Mail: Hashable, Sendable {
  package var to: String
  package var tenantSlug: String
  package var teamCodes: [String]
  package var platform: String?
  package var token: EnrollmentToken
  package var sentAt: Instant
  package var expiresAt: Instant

  package init(
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
package struct Inspection: Hashable, Sendable {
  package struct Enrollment: Hashable, Sendable {
    package var deviceID: String
    package var tenantSlug: String
    package var role: Role
    package var teamCodes: [String]
    package var hardwareIdentifier: String
    package var isActive: Bool

    package init(
      deviceID: String, tenantSlug: String, role: Role, teamCodes: [String],
      hardwareIdentifier: String, isActive: Bool
    ) {
      self.deviceID = deviceID
      self.tenantSlug = tenantSlug
      self.role = role
      self.teamCodes = teamCodes
      self.hardwareIdentifier = hardwareIdentifier
      self.isActive = isActive
    }
  }

  package var enrollments: [Enrollment]
  /// The newest, at most a hundred, in order of sending.
  package var deliveries: [PushDelivery]

  package init(enrollments: [Enrollment], deliveries: [PushDelivery] = []) {
    self.enrollments = enrollments
    self.deliveries = deliveries
  }
}

/// What an operator is told of one phone: its active enrollments.
package struct EnrollmentListing: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var tenantSlug: String
    package var role: Role

    package init(tenantSlug: String, role: Role) {
      self.tenantSlug = tenantSlug
      self.role = role
    }

    /// `vvwilhelmus(lid)`: a member is printed as `lid`.
    package var text: String { "\(tenantSlug)(\(role == .manager ? "manager" : "lid"))" }
  }

  package var hardwareIdentifier: String
  package var entries: [Entry]

  package init(hardwareIdentifier: String, entries: [Entry]) {
    self.hardwareIdentifier = hardwareIdentifier
    self.entries = entries
  }

  /// The two lines of the operator's look-up, as the documents print them.
  package var lines: [String] {
    [
      "Found hardware_identifier=\(hardwareIdentifier)",
      "Found \(entries.count) enrollments: \(entries.map(\.text).joined(separator: ", "))",
    ]
  }
}
