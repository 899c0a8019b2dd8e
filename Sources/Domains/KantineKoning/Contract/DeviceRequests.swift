/// O9: one team's mails on or off.
package struct EmailPreference: Hashable, Sendable {
  package var enabled: Bool
  /// Code or id.
  package var team: String

  package init(enabled: Bool, team: String) {
    self.enabled = enabled
    self.team = team
  }
}

/// O10: the token that iOS gave the app, and what the app says of itself (KK-89).
package struct ApnsTokenUpdate: Hashable, Sendable {
  package var token: String
  package var buildEnvironment: String?
  package var appVersion: String?
  package var buildNumber: String?

  package init(
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
package struct TeamRemoval: Hashable, Sendable {
  package var removed: Int
  /// What the enrollment still covers.
  package var teamCodes: [String]

  package init(removed: Int, teamCodes: [String]) {
    self.removed = removed
    self.teamCodes = teamCodes
  }
}

/// An enrollment as the operator finds it by its manager's address (seed 001 §Push Notification Issues).
package struct FoundEnrollment: Hashable, Sendable {
  package var deviceID: String
  package var tenantSlug: String
  package var role: Role
  package var teamCodes: [String]
  package var isActive: Bool
  package var pushEnabled: Bool
  package var hasApnsToken: Bool
  package var buildEnvironment: String?
  package var isTestUser: Bool
  /// What the table of §6.1 gives for it now.
  package var apnsEnvironment: ApnsEnvironment

  package init(
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
