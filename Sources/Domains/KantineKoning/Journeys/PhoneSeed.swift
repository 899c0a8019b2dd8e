import KantineKoningContract
import Timekeeping

/// Teams of one club that somebody follows in one role: one enrollment, or the wish for one.
public struct Following: Hashable, Sendable {
  public let club: Slug
  public let codes: [TeamName]
  public let role: Role
}

/// A phone before it lives: who holds it, what it follows, and whether it is enrolled already.
public struct PhoneSeed: Sendable {
  public let name: String
  public let neighbourhood: Neighbourhood
  public let hardwareIdentifier: HardwareID
  /// The address that the club knows as a manager's; `nil` for members.
  public let email: String?
  public let follows: [Following]
  /// What the phone holds from before the run; empty for a phone that enrolls during it.
  public let enrollments: [HeldEnrollment]
  public let isTester: Bool
  /// How the app was built; a tester's may be a Release Testing build.
  public let scheme: BuildScheme
  /// Whether the user lets the app notify (KK-137).
  public let allowsNotifications: Bool
  /// The push token that the backend knows from before the run.
  public let pushToken: String?
  /// How far the phone's clock is ahead.
  public let clockOffset: Span
  /// The first opening.
  public let begins: Instant?

  public var isManager: Bool { email != nil }
}

extension KantineKoning.Deployment {
  /// When a device token expires; `nil` never.
  fileprivate func deviceTokenEnd(issued: Instant) -> Instant? {
    switch deviceTokenLifetime {
    case .seasonEnd: Season.end(after: issued)
    case .none: nil
    case .seconds(let lifetime): issued + .seconds(lifetime)
    }
  }

  /// The earliest enrolling of this season whose token still lives at an instant.
  func oldestLivingEnrollment(at instant: Instant) -> Instant {
    let season = Season.start(before: instant)
    guard case .seconds(let lifetime) = deviceTokenLifetime else { return season }
    return max(season, instant - .seconds(lifetime))
  }
}

/// An enrollment as the phone stores it.
public struct HeldEnrollment: Hashable, Sendable {
  public struct Team: Hashable, Sendable {
    public let id: TeamName
    public let code: TeamName
  }

  public let deviceID: EnrollmentID
  public let tenant: Slug
  public let role: Role
  public var teams: [Team]
  public let token: DeviceToken
  public let enrolledAt: Instant
  /// The token has become invalid (KK-41).
  var isUitgelogd = false
  var seasonEnded = false
  var diensten: [Dienst] = []

  var codes: [TeamName] { teams.map(\.code) }
  var credential: KantineKoning.Credential { .bearer(token) }

  /// An enrollment that is there from the start, with the token that the backend would have issued for it (§7.1), or one
  /// that it gave out until some instant.
  public init(
    _ entry: Fixture.EnrollmentEntry, teams: [Fixture.Team],
    by deployment: KantineKoning.Deployment = KantineKoning.Deployment(), until end: Instant? = nil
  ) {
    guard let enrolledAt = entry.enrolledAt else {
      preconditionFailure("a phone of the fixture knows when it was enrolled")
    }
    deviceID = entry.deviceID
    tenant = entry.tenantSlug
    role = entry.role
    self.teams = entry.teamCodes.map { code in
      Team(id: teams.first { $0.code == code }?.id ?? code, code: code)
    }
    token = .issued(
      DeviceClaims(
        deviceID: entry.deviceID, tenantSlug: entry.tenantSlug, role: entry.role,
        teamCodes: entry.teamCodes, iat: enrolledAt.unixSeconds,
        exp: (end ?? deployment.deviceTokenEnd(issued: enrolledAt))?.unixSeconds))
    self.enrolledAt = enrolledAt
  }

  init(_ answer: RegistrationAnswer, at instant: Instant) {
    deviceID = answer.deviceID
    tenant = answer.tenantSlug
    role = answer.role
    teams = answer.teams.map { Team(id: $0.id, code: $0.code) }
    token = answer.apiToken
    enrolledAt = instant
  }
}
