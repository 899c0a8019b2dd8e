import Contracts

/// O9: one team's mails on or off.
public struct EmailPreference: Hashable, Sendable {
  public var enabled: Bool
  /// Code or id.
  public var team: TeamName

  public init(enabled: Bool, team: TeamName) { (self.enabled, self.team) = (enabled, team) }

  static let shape = Shape(
    EmailPreference.init,
    Field("email_notifications_enabled", \.enabled, .flag).whenMissing("is not true or false"),
    Field("team_code", \.team, .name))
}

/// O10: the token that iOS gave the app, and what the app says of itself (KK-89).
public struct ApnsTokenUpdate: Hashable, Sendable {
  public var token: String
  public var buildEnvironment, appVersion, buildNumber: String?

  public init(
    token: String, buildEnvironment: String? = "production", appVersion: String? = "2.4.2",
    buildNumber: String? = "1"
  ) {
    (self.token, self.buildEnvironment) = (token, buildEnvironment)
    (self.appVersion, self.buildNumber) = (appVersion, buildNumber)
  }

  static let shape = Shape(
    ApnsTokenUpdate.init, Field("apns_device_token", \.token, .pushToken),
    Field("build_environment", \.buildEnvironment, .optional(.text)),
    Field("app_version", \.appVersion, .optional(.text)),
    Field("build_number", \.buildNumber, .optional(.text)))
}

/// The answer of O6.
public struct TeamRemoval: Hashable, Sendable {
  public var removed: Int
  /// What the enrollment still covers.
  public var teamCodes: [TeamName]

  public init(removed: Int, teamCodes: [TeamName]) {
    (self.removed, self.teamCodes) = (removed, teamCodes)
  }

  static let shape = Shape(
    TeamRemoval.init, Field("removed", \.removed, .int), Field("team_codes", \.teamCodes, .names()))
}

/// An enrollment as the operator finds it by its manager's address (seed 001 §Push Notification Issues).
public struct FoundEnrollment: Hashable, Sendable {
  public var deviceID: EnrollmentID, tenantSlug: Slug
  public var role: Role
  public var teamCodes: [TeamName]
  public var isActive, pushEnabled, hasApnsToken: Bool
  public var buildEnvironment: String?
  public var isTestUser: Bool
  /// What the table of §6.1 gives for it now.
  public var apnsEnvironment: ApnsEnvironment

  public init(
    deviceID: EnrollmentID, tenantSlug: Slug, role: Role, teamCodes: [TeamName], isActive: Bool,
    pushEnabled: Bool, hasApnsToken: Bool, buildEnvironment: String?, isTestUser: Bool,
    apnsEnvironment: ApnsEnvironment
  ) {
    (self.deviceID, self.tenantSlug, self.role) = (deviceID, tenantSlug, role)
    (self.teamCodes, self.isActive, self.pushEnabled) = (teamCodes, isActive, pushEnabled)
    (self.hasApnsToken, self.buildEnvironment) = (hasApnsToken, buildEnvironment)
    (self.isTestUser, self.apnsEnvironment) = (isTestUser, apnsEnvironment)
  }

  static let shape = Shape(
    FoundEnrollment.init, Field("device_id", \.deviceID, .name),
    Field("tenant_slug", \.tenantSlug, .name), Field("role", \.role, .word),
    Field("team_codes", \.teamCodes, .names()), Field("status", \.isActive, .active),
    Field("push_enabled", \.pushEnabled, .flag), Field("has_apns_token", \.hasApnsToken, .flag),
    Field("build_environment", \.buildEnvironment, .optional(.text)),
    Field("is_test_user", \.isTestUser, .flag), Field("apns_env", \.apnsEnvironment, .word))
}
