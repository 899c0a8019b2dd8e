import KantineKoningContract
import Timekeeping

/// Teams of one club that somebody follows in one role: one enrollment, or the wish for one.
package struct Following: Hashable, Sendable {
  package let club: String
  package let codes: [String]
  package let role: Role
}

/// A phone before it lives: who holds it, what it follows, and whether it is enrolled already.
package struct PhoneSeed: Sendable {
  package let name: String
  package let neighbourhood: Neighbourhood
  package let hardwareIdentifier: String
  /// The address that the club knows as a manager's; `nil` for members.
  package let email: String?
  package let follows: [Following]
  /// What the phone holds from before the run; empty for a phone that enrolls during it.
  package let enrollments: [HeldEnrollment]
  package let isTester: Bool
  /// How far the phone's clock is ahead.
  package let clockOffset: Span
  /// The first opening.
  package let begins: Instant?

  package var isManager: Bool { email != nil }
}

/// An enrollment as the phone stores it.
package struct HeldEnrollment: Hashable, Sendable {
  package struct Team: Hashable, Sendable {
    package let id: String
    package let code: String
  }

  package let deviceID: String
  package let tenant: String
  package let role: Role
  package var teams: [Team]
  package let token: DeviceToken
  package let enrolledAt: Instant
  /// The token has become invalid (KK-41).
  var isUitgelogd = false
  var seasonEnded = false
  var diensten: [Dienst] = []

  var codes: [String] { teams.map(\.code) }
  var credential: KantineKoning.Credential { .bearer(token) }

  /// An enrollment that is there from the start, with the token that the backend would have issued for it (§7.1).
  package init(_ entry: Fixture.EnrollmentEntry, teams: [Fixture.Team]) {
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
        exp: Season.end(after: enrolledAt).unixSeconds))
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
