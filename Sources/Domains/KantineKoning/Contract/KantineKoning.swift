import Contracts
import Timekeeping

/// The typed surface of Kantine Koning's mobile API, its operator's commands and its inspection.
public enum KantineKoning: DeclaredContract {
  public static let domain = "kantine-koning"

  public enum Request: DeclaredRequest {
    /// O1 with an empty list of codes (fetchAllowedTeams), O2 with codes (requestEnrollment).
    indirect case requestEnrollment(EnrollmentRequest)
    indirect case register(Registration)  // O3
    case sync(SyncRequest)  // O4
    case status  // O5
    case tenants  // O11
    indirect case searchTeams(tenant: Slug, query: String)  // O13
    indirect case diensten(DienstenQuery)  // O14
    indirect case addVolunteer(VolunteerChange)  // O15
    indirect case removeVolunteer(VolunteerChange)  // O16
    /// Codes or ids.
    case removeTeams([TeamName])  // O6
    case removeTenant(slug: Slug)  // O7
    case removeAll  // O8
    indirect case setEmailPreference(EmailPreference)  // O9
    indirect case updateApnsToken(ApnsTokenUpdate)  // O10
    /// Code or id of the team that looks; `nil` looks for every team of the token.
    case availableDiensten(currentTeam: TeamName?)  // O21
    indirect case takeover(TakeoverQuery)  // O22
    indirect case claimDienst(DienstClaim)  // O23
    indirect case offerTransfer(TransferOffer)  // O24
    indirect case answerCallToAction(CallToAction)  // O25
    /// What Apple's side of the world tells the twin; no part of the API.
    indirect case apns(ApnsReport)
    case searchClubs(query: String)  // O12
    indirect case leaderboard(LeaderboardQuery)  // O17
    indirect case globalLeaderboard(LeaderboardQuery)  // O18
    case banners(BannersQuery)  // O19
    indirect case seasonSummary(tenant: Slug, teamCode: TeamName)  // O20
    /// A request that no route takes (§3.2 step 1), or of a known operation whose body or required parameters cannot
    /// be read (step 7).
    indirect case unread(Unread)
    indirect case control(Control)
    /// What has changed since a look, by its number; 0: everything.
    case inspect(since: Int)
  }

  public enum Reply: Hashable, Sendable {
    case allowedTeams([TeamInfo])  // O1
    case emailSent  // O2
    indirect case registered(RegistrationAnswer)  // O3
    indirect case synced(CleanupSummary)  // O4
    indirect case status(EnrollmentStatus)  // O5
    case tenants([TenantInfo])  // O11
    case teams([TeamInfo])  // O13
    case diensten([Dienst])  // O14, O21
    indirect case dienst(Dienst)  // O15, O16, O22, O25
    indirect case teamsRemoved(TeamRemoval)  // O6
    case enrollmentsRevoked(Int)  // O7, O8
    /// Effective values in order of the codes' text.
    case emailPreferences([TeamPreference])  // O9
    /// How many enrollments were written.
    case apnsTokenUpdated(Int)  // O10
    indirect case transfer(Transfer)  // O23, O24
    case done  // a control command without an answer of its own
    indirect case made(Made)
    case clubs([FoundClub])  // O12
    indirect case leaderboard(TenantBoard)  // O17
    indirect case globalLeaderboard(GlobalBoard)  // O18
    indirect case banners(BannerLists)  // O19
    indirect case seasonSummary(SeasonSummary)  // O20
    case outbox([Mail])
    indirect case enrollmentList(EnrollmentListing)
    case foundEnrollments([FoundEnrollment])
    indirect case apnsEnvironment(ApnsVariables)
    case pushDeliveries([PushDelivery])
    case notices([Notice])
    indirect case inspection(Inspection)
  }

  public static let done: Reply? = .done
  public static let doneDocument: JSON = ["done": true]

  public indirect enum Signal: Hashable, Sendable {
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

extension KantineKoning {
  /// What the `Authorization` header says (§3.2 step 2).
  public static func credential(of wire: WireRequest) -> Credential? {
    guard let header = wire.header("Authorization") else { return nil }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .malformed }
    return .bearer(.text(String(parts[1])))
  }

  public static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) {
    let text =
      switch credential {
      case .bearer(let token): "Bearer " + token.text(signedBy: tokens)
      case .malformed: "Basic"
      }
    wire.headers.insert(WireHeader("Authorization", text), at: 0)
  }
}

/// The claims of a device token (§7.1).
public struct DeviceClaims: TokenClaims {
  public var deviceID: EnrollmentID, tenantSlug: Slug
  public var role: Role
  public var teamCodes: [TeamName]
  /// Issue time, whole seconds since 1970.
  public var iat: Int64
  /// Valid while now is earlier, whole seconds since 1970; `nil` never expires.
  public var exp: Int64?

  public init(
    deviceID: EnrollmentID, tenantSlug: Slug, role: Role, teamCodes: [TeamName], iat: Int64,
    exp: Int64?
  ) {
    (self.deviceID, self.tenantSlug, self.role) = (deviceID, tenantSlug, role)
    (self.teamCodes, self.iat, self.exp) = (teamCodes, iat, exp)
  }

  public static let shape = Shape(
    DeviceClaims.init, Field("device_id", \.deviceID, .name),
    Field("tenant_slug", \.tenantSlug, .name), Field("role", \.role, .word),
    Field("team_codes", \.teamCodes, .names()), Field("iat", \.iat, .whole),
    Field("exp", \.exp, .optional(.whole)).then("purpose", .text) { _ in "device" })
}

/// An enrollment token (§7.2).
public enum EnrollmentToken: Hashable, Sendable {
  /// From a magic link, signed by the backend.
  indirect case link(EnrollmentClaims)
  /// Built by the app itself, unsigned.
  indirect case member(EnrollmentClaims)
  case text(String)
}

/// The claims of an enrollment token (§7.2); the club's name is for people and may be missing.
public struct EnrollmentClaims: TokenClaims {
  public var tenantSlug: Slug, tenantName: String
  public var teamCodes: [TeamName]
  public var role: String
  public var email: String?
  public var purpose: String
  /// Valid while now is earlier, whole seconds since 1970.
  public var exp: Int64
  public var jti: TokenID

  public init(
    tenantSlug: Slug, tenantName: String, teamCodes: [TeamName], role: String, email: String?,
    purpose: String = "device-enroll", exp: Int64, jti: TokenID
  ) {
    (self.tenantSlug, self.tenantName, self.teamCodes) = (tenantSlug, tenantName, teamCodes)
    (self.role, self.email, self.purpose, self.exp, self.jti) = (role, email, purpose, exp, jti)
  }

  public static let shape = Shape(
    { slug, name, codes, role, email, purpose, exp, jti in
      EnrollmentClaims(
        tenantSlug: slug, tenantName: name ?? "", teamCodes: codes, role: role, email: email,
        purpose: purpose, exp: exp, jti: jti)
    }, Field("tenant_slug", \.tenantSlug, .name),
    Field("tenant_name", { $0.tenantName }, .lenient(.text)),
    Field("team_codes", \.teamCodes, .names()), Field("role", \.role, .text),
    Field("email", \.email, .lenient(.text)), Field("purpose", \.purpose, .text),
    Field("exp", \.exp, .whole),
    Field("jti", \.jti, .name.checked { $0.isEmpty ? .invalid("is empty") : nil })
      .then("max_uses", .int, isChecked: false) { _ in 1 })
}

public enum Role: String, Hashable, Sendable, CaseIterable { case manager, member }
