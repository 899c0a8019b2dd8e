import Contracts
import Timekeeping

/// The typed surface of Kantine Koning's mobile API, its operator's commands and its inspection.
public enum KantineKoning: Contract {
  public static let domain = "kantine-koning"

  public enum Request: Hashable, Sendable {
    /// O1 with an empty list of codes (fetchAllowedTeams), O2 with codes (requestEnrollment).
    case requestEnrollment(EnrollmentRequest)
    case register(Registration)  // O3
    case sync(SyncRequest)  // O4
    case status  // O5
    case tenants  // O11
    case searchTeams(tenant: String, query: String)  // O13
    case diensten(DienstenQuery)  // O14
    case addVolunteer(VolunteerChange)  // O15
    case removeVolunteer(VolunteerChange)  // O16
    /// Codes or ids.
    case removeTeams([String])  // O6
    case removeTenant(slug: String)  // O7
    case removeAll  // O8
    case setEmailPreference(EmailPreference)  // O9
    case updateApnsToken(ApnsTokenUpdate)  // O10
    /// Code or id of the team that looks; `nil` looks for every team of the token.
    case availableDiensten(currentTeam: String?)  // O21
    case takeover(TakeoverQuery)  // O22
    case claimDienst(DienstClaim)  // O23
    case offerTransfer(TransferOffer)  // O24
    case answerCallToAction(CallToAction)  // O25
    /// What Apple's side of the world tells the twin; no part of the API.
    case apns(ApnsReport)
    case searchClubs(query: String)  // O12
    case leaderboard(LeaderboardQuery)  // O17
    case globalLeaderboard(LeaderboardQuery)  // O18
    case banners(BannersQuery)  // O19
    case seasonSummary(tenant: String, teamCode: String)  // O20
    /// A request of a known operation whose body or required parameters cannot be read (§3.2 step 7).
    case malformed(MobileOperation, String)
    /// A request that no route takes (§3.2 step 1).
    case unrouted(methodNotAllowed: Bool)
    case control(Control)
    case inspect
  }

  public enum Reply: Hashable, Sendable {
    case allowedTeams([TeamInfo])  // O1
    case emailSent  // O2
    case registered(RegistrationAnswer)  // O3
    case synced(CleanupSummary)  // O4
    case status(EnrollmentStatus)  // O5
    case tenants([TenantInfo])  // O11
    case teams([TeamInfo])  // O13
    case diensten([Dienst])  // O14, O21
    case dienst(Dienst)  // O15, O16, O22, O25
    case teamsRemoved(TeamRemoval)  // O6
    case enrollmentsRevoked(Int)  // O7, O8
    /// Effective values in order of the codes' text.
    case emailPreferences([TeamPreference])  // O9
    /// How many enrollments were written.
    case apnsTokenUpdated(Int)  // O10
    case transfer(Transfer)  // O23, O24
    case done  // a control command without an answer of its own
    case clubs([FoundClub])  // O12
    case leaderboard(TenantBoard)  // O17
    case globalLeaderboard(GlobalBoard)  // O18
    case banners(BannerLists)  // O19
    case seasonSummary(SeasonSummary)  // O20
    case outbox([Mail])
    case enrollmentList(EnrollmentListing)
    case foundEnrollments([FoundEnrollment])
    case apnsEnvironment(ApnsVariables)
    case pushDeliveries([PushDelivery])
    case notices([Notice])
    case inspection(Inspection)
  }

  public enum Signal: Hashable, Sendable {
    case mail(Mail)
    case push(Push)
    case notice(Notice)
  }

  public enum Address: Hashable, Sendable {
    /// A mailbox by its lower-cased address.
    case mailbox(String)
    /// An installation by its push token.
    case push(String)
    /// APNs itself, for pushes that it delivers to nobody. No person listens there.
    case apns(ApnsEnvironment)
  }

  /// What the `Authorization` header held.
  public enum Credential: Hashable, Sendable {
    case bearer(DeviceToken)
    /// A header that is no `Bearer …` (§3.2 step 2).
    case malformed
  }
}

/// A signed device token (§7.1): as the claims that the backend signed, or as the bytes that somebody sent.
public enum DeviceToken: Hashable, Sendable {
  case issued(DeviceClaims)
  case text(String)
}

/// The claims of a device token (§7.1).
public struct DeviceClaims: Hashable, Sendable {
  public var deviceID: String
  public var tenantSlug: String
  public var role: Role
  public var teamCodes: [String]
  /// Issue time, whole seconds since 1970.
  public var iat: Int64
  /// Valid while now is earlier, whole seconds since 1970; `nil` never expires.
  public var exp: Int64?

  public init(
    deviceID: String, tenantSlug: String, role: Role, teamCodes: [String], iat: Int64, exp: Int64?
  ) {
    self.deviceID = deviceID
    self.tenantSlug = tenantSlug
    self.role = role
    self.teamCodes = teamCodes
    self.iat = iat
    self.exp = exp
  }
}

/// An enrollment token (§7.2).
public enum EnrollmentToken: Hashable, Sendable {
  /// From a magic link, signed by the backend.
  case link(EnrollmentClaims)
  /// Built by the app itself, unsigned.
  case member(EnrollmentClaims)
  case text(String)
}

public struct EnrollmentClaims: Hashable, Sendable {
  public var tenantSlug: String
  public var tenantName: String
  public var teamCodes: [String]
  public var role: String
  public var email: String?
  public var purpose: String
  /// Valid while now is earlier, whole seconds since 1970.
  public var exp: Int64
  public var jti: String

  public init(
    tenantSlug: String, tenantName: String, teamCodes: [String], role: String, email: String?,
    purpose: String = "device-enroll", exp: Int64, jti: String
  ) {
    self.tenantSlug = tenantSlug
    self.tenantName = tenantName
    self.teamCodes = teamCodes
    self.role = role
    self.email = email
    self.purpose = purpose
    self.exp = exp
    self.jti = jti
  }
}

public enum Role: String, Hashable, Sendable { case manager, member }
