import Timekeeping

/// O1 and O2: the body of `POST /enrollments/request`.
public struct EnrollmentRequest: Hashable, Sendable {
  public var email: String
  public var tenantSlug: String
  /// Empty asks which teams the address manages (O1).
  public var teamCodes: [String]
  public var platform: String?

  public init(email: String, tenantSlug: String, teamCodes: [String], platform: String? = "ios") {
    self.email = email
    self.tenantSlug = tenantSlug
    self.teamCodes = teamCodes
    self.platform = platform
  }
}

/// O3: the body of `POST /enrollments/register`.
public struct Registration: Hashable, Sendable {
  public var token: EnrollmentToken
  /// Empty when iOS has not delivered one yet.
  public var apnsDeviceToken: String
  public var platform: String?
  public var buildEnvironment: String?
  /// The vendor UUID; empty when unknown.
  public var hardwareIdentifier: String
  public var appVersion: String?
  public var buildNumber: String?

  public init(
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
public struct SyncRequest: Hashable, Sendable {
  public var items: [SyncItem]
  public init(items: [SyncItem]) { self.items = items }
}

/// One enrollment of a phone's list; members that the sender left out are `nil`.
public struct SyncItem: Hashable, Sendable {
  public var tenantSlug: String?
  public var role: String?
  public var teamCodes: [String]?
  public var hardwareIdentifier: String?
  public var teamManagerEmail: String?
  public var appVersion: String?
  public var buildNumber: String?

  public init(
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
public struct DienstenQuery: Hashable, Sendable {
  public var tenant: String?
  public var pastDays: String?
  public var futureDays: String?

  public init(tenant: String? = nil, pastDays: String? = nil, futureDays: String? = nil) {
    self.tenant = tenant
    self.pastDays = pastDays
    self.futureDays = futureDays
  }
}

/// O15 and O16: one name on one dienst.
public struct VolunteerChange: Hashable, Sendable {
  public var dienstID: String
  public var tenant: String?
  public var naam: String

  public init(dienstID: String, tenant: String? = nil, naam: String) {
    self.dienstID = dienstID
    self.tenant = tenant
    self.naam = naam
  }
}
