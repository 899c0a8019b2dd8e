import Contracts
import Timekeeping

public struct TeamInfo: Hashable, Sendable {
  public var id, code: TeamName, naam: String
  /// Only in O11.
  public var role: Role?

  public init(id: TeamName, code: TeamName, naam: String, role: Role? = nil) {
    (self.id, self.code, self.naam, self.role) = (id, code, naam, role)
  }

  static let shape = Shape(
    TeamInfo.init, Field("id", \.id, .name), Field("code", \.code, .name),
    Field("naam", \.naam, .text), Field("role", \.role, .omittable(.word)))
}

/// What a command made, by its identifier, so that later ones can name it.
public struct Made: Hashable, Sendable {
  public var id: String

  public init(id: String) { self.id = id }

  static let shape = Shape(
    { Made(id: $1) }, Field("done", { _ in true }, .flag.otherwise(true)),
    Field("id", \.id, .text))
}

/// The answer of O3.
public struct RegistrationAnswer: Hashable, Sendable {
  public var deviceID: EnrollmentID, tenantSlug: Slug, tenantName: String
  public var role: Role
  public var email: String?
  public var teams: [TeamInfo]
  public var buildEnvironment: String?
  public var apiToken: DeviceToken

  public var teamCodes: [TeamName] { teams.map(\.code) }

  public init(
    deviceID: EnrollmentID, tenantSlug: Slug, tenantName: String, role: Role, email: String?,
    teams: [TeamInfo], buildEnvironment: String?, apiToken: DeviceToken
  ) {
    (self.deviceID, self.tenantSlug, self.tenantName) = (deviceID, tenantSlug, tenantName)
    (self.role, self.email, self.teams) = (role, email, teams)
    (self.buildEnvironment, self.apiToken) = (buildEnvironment, apiToken)
  }

  static let shape = Shape(
    RegistrationAnswer.init, Field("device_id", \.deviceID, .name),
    Field("tenant_slug", \.tenantSlug, .name), Field("tenant_name", \.tenantName, .text),
    Field("role", \.role, .word),
    Field("email", \.email, .omittable(.text))
      .then("team_codes", .names(), isChecked: false, \.teamCodes),
    Field("teams", \.teams, .list(TeamInfo.shape.coding)),
    Field("build_environment", \.buildEnvironment, .optional(.text)),
    Field("api_token", \.apiToken, .token))
}

/// The answer of O4.
public struct CleanupSummary: Hashable, Sendable {
  public var enrollmentsRevoked, teamsRemoved: Int
  public var tenantsAffected: [Slug]

  public init(enrollmentsRevoked: Int, teamsRemoved: Int, tenantsAffected: [Slug]) {
    (self.enrollmentsRevoked, self.teamsRemoved) = (enrollmentsRevoked, teamsRemoved)
    self.tenantsAffected = tenantsAffected
  }

  static let shape = Shape(
    { $1 }, Field("synced", { _ in true }, .flag.otherwise(true)),
    Field("cleanup_summary", \.self, numbers.coding))

  private static let numbers = Shape(
    CleanupSummary.init, Field("enrollments_revoked", \.enrollmentsRevoked, .int),
    Field("teams_removed", \.teamsRemoved, .int),
    Field("tenants_affected", \.tenantsAffected, .names().otherwise([])))
}

/// The answer of O5.
public struct EnrollmentStatus: Hashable, Sendable {
  public var deviceID: EnrollmentID, tenantSlug: Slug, tenantName: String
  public var teamCodes: [TeamName]
  public var role: Role
  /// `active`; a revoked enrollment is never answered.
  public var status: String
  /// By team code, in the order of `teamCodes`.
  public var teamEmailPreferences: [TeamPreference]
  public var pushEnabled, hasApnsToken: Bool
  public var buildEnvironment: String?
  public var lastSeenAt: Instant

  public init(
    deviceID: EnrollmentID, tenantSlug: Slug, tenantName: String, teamCodes: [TeamName], role: Role,
    status: String, teamEmailPreferences: [TeamPreference], pushEnabled: Bool, hasApnsToken: Bool,
    buildEnvironment: String?, lastSeenAt: Instant
  ) {
    (self.deviceID, self.tenantSlug, self.tenantName) = (deviceID, tenantSlug, tenantName)
    (self.teamCodes, self.role, self.status) = (teamCodes, role, status)
    (self.teamEmailPreferences, self.pushEnabled) = (teamEmailPreferences, pushEnabled)
    (self.hasApnsToken, self.buildEnvironment) = (hasApnsToken, buildEnvironment)
    self.lastSeenAt = lastSeenAt
  }

  static let shape = Shape(
    { device, slug, name, codes, role, status, preferences, pushes, hasToken, build, seen in
      EnrollmentStatus(
        deviceID: device, tenantSlug: slug, tenantName: name, teamCodes: codes, role: role,
        status: status,
        teamEmailPreferences: codes.compactMap { code in
          preferences.first { $0.teamCode == code }
        }, pushEnabled: pushes, hasApnsToken: hasToken, buildEnvironment: build, lastSeenAt: seen)
    }, Field("device_id", \.deviceID, .name), Field("tenant_slug", \.tenantSlug, .name),
    Field("tenant_name", \.tenantName, .text), Field("team_codes", \.teamCodes, .names()),
    Field("role", \.role, .word), Field("status", \.status, .text),
    Field("team_email_preferences", \.teamEmailPreferences, .byCode),
    Field("push_enabled", \.pushEnabled, .flag), Field("has_apns_token", \.hasApnsToken, .flag),
    Field("build_environment", \.buildEnvironment, .optional(.text)),
    Field("last_seen_at", \.lastSeenAt, .instant))
}

public struct TeamPreference: Hashable, Sendable {
  public var teamCode: TeamName
  public var emailEnabled: Bool

  public init(teamCode: TeamName, emailEnabled: Bool) {
    (self.teamCode, self.emailEnabled) = (teamCode, emailEnabled)
  }
}

/// One club of O11.
public struct TenantInfo: Hashable, Sendable {
  public var slug: Slug, clubName: String
  public var clubLogoURL: String?
  public var seasonEnded: Bool
  public var teams: [TeamInfo]

  public init(
    slug: Slug, clubName: String, clubLogoURL: String?, seasonEnded: Bool, teams: [TeamInfo]
  ) {
    (self.slug, self.clubName, self.clubLogoURL) = (slug, clubName, clubLogoURL)
    (self.seasonEnded, self.teams) = (seasonEnded, teams)
  }

  static let shape = Shape(
    TenantInfo.init, Field("slug", \.slug, .name), Field("club_name", \.clubName, .text),
    Field("club_logo_url", \.clubLogoURL, .optional(.text)),
    Field("season_ended", \.seasonEnded, .flag),
    Field("teams", \.teams, .list(TeamInfo.shape.coding)))
}

/// A canteen shift (§2.6). Lists of them are kept by the backend, on the way, by phones and by checks: handing one on counts
/// one reference.
public struct Dienst: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case onbemand, gedeeltelijk, volledig, geannuleerd
  }

  public struct Columns: Hashable, Sendable {
    public var id: DienstID, tenantSlug: Slug
    /// `nil` for an open dienst, not yet assigned.
    public var team: TeamInfo?
    public var startTijd, eindTijd: Instant
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
  }

  @Boxed public var columns: Columns

  public var id: DienstID { columns.id }
  public var tenantSlug: Slug { columns.tenantSlug }
  public var team: TeamInfo? { columns.team }
  public var startTijd: Instant { columns.startTijd }
  public var eindTijd: Instant { columns.eindTijd }
  public var minimumBemanning: Int { columns.minimumBemanning }
  public var status: Status { columns.status }
  public var locatieNaam: String? { columns.locatieNaam }
  public var aanmeldingen: [String] { columns.aanmeldingen }
  public var updatedAt: Instant { columns.updatedAt }
  public var dienstType: DienstType? { columns.dienstType }
  public var offeredForTransfer: Bool { columns.offeredForTransfer }
  public var notificationToken: NotificationToken? { columns.notificationToken }

  public init(
    id: DienstID, tenantSlug: Slug, team: TeamInfo?, startTijd: Instant, eindTijd: Instant,
    minimumBemanning: Int, status: Status, locatieNaam: String?, aanmeldingen: [String],
    updatedAt: Instant, dienstType: DienstType?, offeredForTransfer: Bool,
    notificationToken: NotificationToken? = nil
  ) {
    columns = Columns(
      id: id, tenantSlug: tenantSlug, team: team, startTijd: startTijd, eindTijd: eindTijd,
      minimumBemanning: minimumBemanning, status: status, locatieNaam: locatieNaam,
      aanmeldingen: aanmeldingen, updatedAt: updatedAt, dienstType: dienstType,
      offeredForTransfer: offeredForTransfer, notificationToken: notificationToken)
  }

  /// With its notification token in O21 alone.
  static let offered = shape { $0.notificationToken }
  static let shape = shape { _ in nil }

  private static func shape(
    _ token: @escaping @Sendable (Dienst) -> NotificationToken?
  ) -> Shape<Dienst> {
    Shape(
      Dienst.init, Field("id", \.id, .name), Field("tenant_id", \.tenantSlug, .name),
      Field("team", \.team, .optional(TeamInfo.shape.coding)),
      Field("start_tijd", \.startTijd, .instant), Field("eind_tijd", \.eindTijd, .instant),
      Field("minimum_bemanning", \.minimumBemanning, .int), Field("status", \.status, .word),
      Field("locatie_naam", \.locatieNaam, .optional(.text)),
      Field("aanmeldingen", \.aanmeldingen, .strings)
        .then("aanmeldingen_count", .int, isChecked: false, \.aanmeldingen.count),
      Field("updated_at", \.updatedAt, .instant),
      Field("dienst_type", \.dienstType, .optional(DienstType.shape.coding)),
      Field("offered_for_transfer", \.offeredForTransfer, .flag),
      Field("notification_token", token, .omittable(.token)))
  }
}

public struct DienstType: Hashable, Sendable {
  public var naam, icon: String

  public init(naam: String, icon: String) { (self.naam, self.icon) = (naam, icon) }

  static let shape = Shape(
    DienstType.init, Field("naam", \.naam, .text), Field("icon", \.icon, .text))
}

/// A magic-link mail in the outbox (§2.5).
public struct Mail: Hashable, Sendable {
  public var to: String, tenantSlug: Slug
  public var teamCodes: [TeamName]
  public var platform: String?
  public var token: EnrollmentToken
  public var sentAt, expiresAt: Instant

  public init(
    to: String, tenantSlug: Slug, teamCodes: [TeamName], platform: String?,
    token: EnrollmentToken, sentAt: Instant, expiresAt: Instant
  ) {
    (self.to, self.tenantSlug, self.teamCodes) = (to, tenantSlug, teamCodes)
    (self.platform, self.token, self.sentAt, self.expiresAt) = (platform, token, sentAt, expiresAt)
  }

  static let shape = Shape(
    { to, slug, codes, platform, sent, expires, token in
      Mail(
        to: to, tenantSlug: slug, teamCodes: codes, platform: platform, token: token, sentAt: sent,
        expiresAt: expires)
    }, Field("to", \.to, .text), Field("tenant_slug", \.tenantSlug, .name),
    Field("team_codes", \.teamCodes, .names()), Field("platform", \.platform, .optional(.text)),
    Field("sent_at", \.sentAt, .instant), Field("expires_at", \.expiresAt, .instant),
    // A mail that cannot be followed is of no use to its reader (§6.3).
    Field("token", \.token, .token).then("link", appLink, isChecked: false) { $0.token }
      .then("link_app", appLink, isChecked: false) { $0.token }
      .then("link_web", webLink, isChecked: false) { $0.token })

  private static let appLink = Coding<EnrollmentToken?>.link("kantinekoning://device-enroll?token=")
  private static let webLink = Coding<EnrollmentToken?>.link(
    "https://kantinekoning.com/device-enroll?token=")
}

/// What the harness is shown of a cell: the enrollments, active and revoked, and the latest pushes; or what has changed of them.
public struct Inspection: Hashable, Sendable {
  public struct Enrollment: Hashable, Sendable {
    public var deviceID: EnrollmentID, tenantSlug: Slug
    public var role: Role
    public var teamCodes: [TeamName]
    public var hardwareIdentifier: HardwareID
    public var isActive: Bool
    /// Why it is not; `nil` while active, and where whoever shows it does not say.
    public var revokedReason: KantineKoning.RevocationReason?

    public init(
      deviceID: EnrollmentID, tenantSlug: Slug, role: Role, teamCodes: [TeamName],
      hardwareIdentifier: HardwareID, isActive: Bool,
      revokedReason: KantineKoning.RevocationReason? = nil
    ) {
      (self.deviceID, self.tenantSlug, self.role) = (deviceID, tenantSlug, role)
      (self.teamCodes, self.hardwareIdentifier) = (teamCodes, hardwareIdentifier)
      (self.isActive, self.revokedReason) = (isActive, revokedReason)
    }

    static let shape = Shape(
      Enrollment.init, Field("device_id", \.deviceID, .name),
      Field("tenant_slug", \.tenantSlug, .name), Field("role", \.role, .word),
      Field("team_codes", \.teamCodes, .names()),
      Field("hardware_identifier", \.hardwareIdentifier, .hardware),
      Field("status", \.isActive, .active),
      Field("revoked_reason", \.revokedReason, .reason(.optional(.text))))
  }

  public var enrollments: [Enrollment]
  /// Of everything the newest, at most a hundred, in order of sending.
  public var deliveries: [PushDelivery]
  /// Enrollments that are no longer there at all.
  public var gone: [EnrollmentID]
  public var extent: LookExtent

  public init(
    enrollments: [Enrollment], deliveries: [PushDelivery] = [], gone: [EnrollmentID] = [],
    extent: LookExtent = LookExtent()
  ) {
    (self.enrollments, self.deliveries) = (enrollments, deliveries)
    (self.gone, self.extent) = (gone, extent)
  }

  static let shape = Shape(
    Inspection.init, Field("enrollments", \.enrollments, .list(Enrollment.shape.coding)),
    Field("push_deliveries", \.deliveries, .list(PushDelivery.shape.coding).otherwise([])),
    Field("gone", \.gone, .names().leftOut(for: [])), Field(\.extent, LookExtent.shape))
}

/// What an operator is told of one phone: its active enrollments.
public struct EnrollmentListing: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var tenantSlug: Slug
    public var role: Role

    public init(tenantSlug: Slug, role: Role) {
      (self.tenantSlug, self.role) = (tenantSlug, role)
    }

    /// `vvwilhelmus(lid)`: a member is printed as `lid`.
    public var text: String { "\(tenantSlug)(\(role == .manager ? "manager" : "lid"))" }

    static let shape = Shape(
      Entry.init, Field("tenant_slug", \.tenantSlug, .name), Field("role", \.role, .word))
  }

  public var hardwareIdentifier: HardwareID
  public var entries: [Entry]

  public init(hardwareIdentifier: HardwareID, entries: [Entry]) {
    (self.hardwareIdentifier, self.entries) = (hardwareIdentifier, entries)
  }

  /// The two lines of the operator's look-up, as the documents print them.
  public var lines: [String] {
    [
      "Found hardware_identifier=\(hardwareIdentifier)",
      "Found \(entries.count) enrollments: \(entries.map(\.text).joined(separator: ", "))",
    ]
  }

  static let shape = Shape(
    EnrollmentListing.init, Field("hardware_identifier", \.hardwareIdentifier, .name),
    Field("enrollments", \.entries, .list(Entry.shape.coding))
      .then("lines", .strings, isChecked: false, \.lines))
}
