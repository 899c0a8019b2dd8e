import Contracts
import Timekeeping

/// O1 and O2: the body of `POST /enrollments/request`.
public struct EnrollmentRequest: Hashable, Sendable {
  public var email: String, tenantSlug: Slug
  /// Empty asks which teams the address manages (O1).
  public var teamCodes: [TeamName]
  public var platform: String?

  public init(email: String, tenantSlug: Slug, teamCodes: [TeamName], platform: String? = "ios") {
    (self.email, self.tenantSlug) = (email, tenantSlug)
    (self.teamCodes, self.platform) = (teamCodes, platform)
  }

  static let shape = Shape(
    EnrollmentRequest.init, Field("email", \.email, .text),
    Field("tenant_slug", \.tenantSlug, .name),
    Field("team_codes", \.teamCodes, .names().otherwise([])),
    Field("platform", \.platform, .optional(.text)))
}

/// O3: the body of `POST /enrollments/register`.
public struct Registration: Hashable, Sendable {
  public var token: EnrollmentToken
  /// Empty when iOS has not delivered one yet.
  public var apnsDeviceToken: String
  public var platform, buildEnvironment: String?
  /// The vendor UUID; empty when unknown.
  public var hardwareIdentifier: HardwareID
  public var appVersion, buildNumber: String?

  public init(
    token: EnrollmentToken, apnsDeviceToken: String = "", platform: String? = "ios",
    buildEnvironment: String? = "production", hardwareIdentifier: HardwareID,
    appVersion: String? = "2.4.2", buildNumber: String? = "1"
  ) {
    (self.token, self.apnsDeviceToken, self.platform) = (token, apnsDeviceToken, platform)
    (self.buildEnvironment, self.hardwareIdentifier) = (buildEnvironment, hardwareIdentifier)
    (self.appVersion, self.buildNumber) = (appVersion, buildNumber)
  }

  static let shape = Shape(
    Registration.init, Field("enrollment_token", \.token, .token),
    Field("apns_device_token", \.apnsDeviceToken, .pushToken.otherwise("")),
    Field("platform", \.platform, .optional(.text)),
    Field("build_environment", \.buildEnvironment, .optional(.text)),
    Field("hardware_identifier", \.hardwareIdentifier, .hardware.otherwise("")),
    Field("app_version", \.appVersion, .optional(.text)),
    Field("build_number", \.buildNumber, .optional(.text)))
}

/// O4: what the phone believes it has.
public struct SyncRequest: Hashable, Sendable {
  public var items: [SyncItem]
  public init(items: [SyncItem]) { self.items = items }

  static let shape = Shape(
    SyncRequest.init,
    Field("enrollments", \.items, .list(SyncItem.shape.coding)).whenMissing("is not a list"))
}

/// One enrollment of a phone's list; members that the sender left out are `nil`.
public struct SyncItem: Hashable, Sendable {
  public var tenantSlug: Slug?, role: String?
  public var teamCodes: [TeamName]?
  public var hardwareIdentifier: HardwareID?, teamManagerEmail, appVersion, buildNumber: String?

  public init(
    tenantSlug: Slug?, role: String?, teamCodes: [TeamName]?, hardwareIdentifier: HardwareID?,
    teamManagerEmail: String? = nil, appVersion: String? = nil, buildNumber: String? = nil
  ) {
    (self.tenantSlug, self.role, self.teamCodes) = (tenantSlug, role, teamCodes)
    (self.hardwareIdentifier, self.teamManagerEmail) = (hardwareIdentifier, teamManagerEmail)
    (self.appVersion, self.buildNumber) = (appVersion, buildNumber)
  }

  static let shape = Shape(
    SyncItem.init,
    Field(
      "tenant_slug", \.tenantSlug,
      .omittable(.name).described(by: ["type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,62}$"])
    ).demanded,
    Field("role", \.role, .omittable(.text).described(by: Coding<Role>.word.schema)).demanded,
    Field(
      "team_codes", \.teamCodes,
      .omittable(.names()).described(by: Coding<[String]>.strings.schema)
    )
    .demanded,
    Field("hardware_identifier", \.hardwareIdentifier, .omittable(.hardware)),
    Field("team_manager_email", \.teamManagerEmail, .omittable(.text)),
    Field("app_version", \.appVersion, .omittable(.text)),
    Field("build_number", \.buildNumber, .omittable(.text)))
}

/// O14: the numbers stay text, because a bad one is refused only after the token has been judged.
public struct DienstenQuery: Hashable, Sendable {
  public var tenant: Slug?, pastDays, futureDays: String?

  public init(tenant: Slug? = nil, pastDays: String? = nil, futureDays: String? = nil) {
    (self.tenant, self.pastDays, self.futureDays) = (tenant, pastDays, futureDays)
  }

  static let shape = Shape(
    DienstenQuery.init, Field("tenant", \.tenant, .omittable(.name), in: .query),
    Field("past_days", \.pastDays, .omittable(.text), in: .query),
    Field("future_days", \.futureDays, .omittable(.text), in: .query))
}

/// O15 and O16: one name on one dienst.
public struct VolunteerChange: Hashable, Sendable {
  public var dienstID: DienstID
  public var tenant: Slug?
  public var naam: String

  public init(dienstID: DienstID, tenant: Slug? = nil, naam: String) {
    (self.dienstID, self.tenant, self.naam) = (dienstID, tenant, naam)
  }

  /// The name in the body (O15) or in the query (O16).
  static func shape(naming place: WireLocation) -> Shape<VolunteerChange> {
    Shape(
      VolunteerChange.init, Field("id", \.dienstID, .name, in: .path),
      Field("tenant", \.tenant, .omittable(.name), in: .query),
      Field("naam", \.naam, .text, in: place))
  }
}
