import Timekeeping

/// O1 and O2: the body of `POST /enrollments/request`.
package struct EnrollmentRequest: Hashable, Sendable {
  package var email: String
  package var tenantSlug: String
  /// Empty asks which teams the address manages (O1).
  package var teamCodes: [String]
  package var platform: String?

  package init(email: String, tenantSlug: String, teamCodes: [String], platform: String? = "ios") {
    self.email = email
    self.tenantSlug = tenantSlug
    self.teamCodes = teamCodes
    self.platform = platform
  }
}

/// O3: the body of `POST /enrollments/register`.
package struct Registration: Hashable, Sendable {
  package var token: EnrollmentToken
  /// Empty when iOS has not delivered one yet.
  package var apnsDeviceToken: String
  package var platform: String?
  package var buildEnvironment: String?
  /// The vendor UUID; empty when unknown.
  package var hardwareIdentifier: String
  package var appVersion: String?
  package var buildNumber: String?

  package init(
    token: EnrollmentToken, apnsDeviceToken: String = "", platform: String? = "ios",
    buildEnvironment: String? = "production", hardwareIdentifier: String,
    appVersion: String? = "2.4.2", buildNumber: String? = "1"
  ) {
    self.token = token
    self.apnsDeviceToken = apnsDeviceToken
    self.platform = platform
    self.buildEnvironment = buildEnvironment
    self.hardwareIdentifier = hardwareIdentifier
    self.appVersion = appVersion
    self.buildNumber = buildNumber
  }
}

/// O4: what the phone believes it has.
package struct SyncRequest: Hashable, Sendable {
  package var items: [SyncItem]
  package init(items: [SyncItem]) { self.items = items }
}

/// One enrollment of a phone's list; members that the sender left out are `nil`.
package struct SyncItem: Hashable, Sendable {
  package var tenantSlug: String?
  package var role: String?
  package var teamCodes: [String]?
  package var hardwareIdentifier: String?
  package var teamManagerEmail: String?
  package var appVersion: String?
  package var buildNumber: String?

  package init(
    tenantSlug: String?, role: String?, teamCodes: [String]?, hardwareIdentifier: String?,
    teamManagerEmail: String? = nil, appVersion: String? = nil, buildNumber: String? = nil
  ) {
    self.tenantSlug = tenantSlug
    self.role = role
    self.teamCodes = teamCodes
    self.hardwareIdentifier = hardwareIdentifier
    self.teamManagerEmail = teamManagerEmail
    self.appVersion = appVersion
    self.buildNumber = buildNumber
  }
}

/// O14: the numbers stay text, because a bad one is refused only after the token has been judged.
package struct DienstenQuery: Hashable, Sendable {
  package var tenant: String?
  package var pastDays: String?
  package var futureDays: String?

  package init(tenant: String? = nil, pastDays: String? = nil, futureDays: String? = nil) {
    self.tenant = tenant
    self.pastDays = pastDays
    self.futureDays = futureDays
  }
}

/// O15 and O16: one name on one dienst.
package struct VolunteerChange: Hashable, Sendable {
  package var dienstID: String
  package var tenant: String?
  package var naam: String

  package init(dienstID: String, tenant: String? = nil, naam: String) {
    self.dienstID = dienstID
    self.tenant = tenant
    self.naam = naam
  }
}
