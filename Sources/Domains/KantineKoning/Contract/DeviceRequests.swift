/// O9: one team's mails on or off.
public struct EmailPreference: Hashable, Sendable {
  public var enabled: Bool
  /// Code or id.
  public var team: String

  public init(enabled: Bool, team: String) {
    self.enabled = enabled
    self.team = team
  }
}

/// O10: the token that iOS gave the app, and what the app says of itself (KK-89).
public struct ApnsTokenUpdate: Hashable, Sendable {
  public var token: String
  public var buildEnvironment: String?
  public var appVersion: String?
  public var buildNumber: String?

  public init(
    token: String, buildEnvironment: String? = "production", appVersion: String? = "2.4.2",
    buildNumber: String? = "1"
  ) {
    self.token = token
    self.buildEnvironment = buildEnvironment
    self.appVersion = appVersion
    self.buildNumber = buildNumber
  }
}

/// The answer of O6.
public struct TeamRemoval: Hashable, Sendable {
  public var removed: Int
  /// What the enrollment still covers.
  public var teamCodes: [String]

  public init(removed: Int, teamCodes: [String]) {
    self.removed = removed
    self.teamCodes = teamCodes
  }
}

/// An enrollment as the operator finds it by its manager's address (seed 001 §Push Notification Issues).
public struct FoundEnrollment: Hashable, Sendable {
  public var deviceID: String
  public var tenantSlug: String
  public var role: Role
  public var teamCodes: [String]
  public var isActive: Bool
  public var pushEnabled: Bool
  public var hasApnsToken: Bool
  public var buildEnvironment: String?
  public var isTestUser: Bool
  /// What the table of §6.1 gives for it now.
  public var apnsEnvironment: ApnsEnvironment

  public init(
    deviceID: String, tenantSlug: String, role: Role, teamCodes: [String], isActive: Bool,
    pushEnabled: Bool, hasApnsToken: Bool, buildEnvironment: String?, isTestUser: Bool,
    apnsEnvironment: ApnsEnvironment
  ) {
    self.deviceID = deviceID
    self.tenantSlug = tenantSlug
    self.role = role
    self.teamCodes = teamCodes
    self.isActive = isActive
    self.pushEnabled = pushEnabled
    self.hasApnsToken = hasApnsToken
    self.buildEnvironment = buildEnvironment
    self.isTestUser = isTestUser
    self.apnsEnvironment = apnsEnvironment
  }
}
