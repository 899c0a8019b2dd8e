import Contracts
import Timekeeping

extension KantineKoning {
  /// The operator's commands (§3.5).
  public enum Control: Hashable, Sendable {
    case load(Fixture)
    case createTenant(Fixture.Tenant)
    case changeTenant(TenantChange)
    case createTeam(Fixture.Team)
    case setManager(Fixture.Manager)
    case scheduleDienst(Fixture.DienstEntry)
    case changeDienst(DienstChange)
    case cancelDienst(id: DienstID)
    case assignDienst(id: DienstID, team: TeamName?)
    case setEnrollmentOpen(tenant: Slug, open: Bool, message: String?)
    case endSeason(tenant: Slug)
    case resetSeason(tenant: Slug)
    case changeTeam(tenant: Slug, team: TeamName, naam: String)
    case createDienstType(tenant: Slug, DienstType)
    case changeDienstType(tenant: Slug, DienstType)
    case createLocation(tenant: Slug, naam: String)
    case changeLocation(tenant: Slug, naam: String, to: String)
    case setLeaderboardOptOut(tenant: Slug, optOut: Bool)
    /// A global banner has an empty `tenantSlug`; an empty identifier asks the twin for a new one.
    case createBanner(Banner)
    case removeBanner(id: BannerID)
    case revokeEnrollment(deviceID: EnrollmentID, reason: RevocationReason)
    case setPushEnabled(deviceID: EnrollmentID, enabled: Bool)
    case setTestUser(deviceID: EnrollmentID, isTestUser: Bool)
    /// The operator's look-up of a phone: its active enrollments (seed 001 §Debugging Multi-Tenant Issues).
    case listEnrollments(hardwareIdentifier: HardwareID)
    /// The enrollments of a manager's address (seed 001 §Push Notification Issues).
    case findEnrollments(email: String)
    /// `nil` leaves a variable alone, an empty text unsets it.
    case setApnsEnvironment(ApnsVariables)
    case readApnsEnvironment
    /// While it lasts, no push is answered.
    case setApnsOutage(Bool)
    case sendTestPush(deviceID: EnrollmentID, title: String, body: String)
    /// The records of pushes, of one enrollment or of all.
    case pushDeliveries(deviceID: EnrollmentID?)
    /// The mails to managers about diensten.
    case notices
    /// Manager enrollments lose teams that the address no longer manages or that are gone.
    case cleanUp
    case configure(Adjustment<Deployment>)
    case setRule(Rule, binds: Bool)
    case outbox
    /// The clock of a served or replayed twin; in a run the timeline alone moves time.
    case advance(to: Instant?, by: Span?)
    case reset
  }

  /// A change of a club's data; `nil` leaves a field alone.
  public struct TenantChange: Hashable, Sendable {
    public var slug: Slug
    public var name, clubLogoURL, enrollmentMessage: String?

    public init(
      slug: Slug, name: String? = nil, clubLogoURL: String? = nil,
      enrollmentMessage: String? = nil
    ) {
      (self.slug, self.name) = (slug, name)
      (self.clubLogoURL, self.enrollmentMessage) = (clubLogoURL, enrollmentMessage)
    }

    static let shape: Shape<TenantChange> = Shape(
      TenantChange.init, .club(\.slug),
      Field("name", \.name, .omittable(.text), "Its name.").or("club_name"),
      Field("club_logo_url", \.clubLogoURL, .omittable(.url), "Its logo; empty for none."),
      Field(
        "enrollment_message", \.enrollmentMessage, .omittable(.text), "Shown while it is closed."))
  }

  /// A change of a dienst by the club; `nil` leaves a field alone.
  public struct DienstChange: Hashable, Sendable {
    public var id: DienstID
    public var startTijd, eindTijd: Instant?
    public var minimumBemanning: Int?
    public var locatieNaam: String?

    public init(
      id: DienstID, startTijd: Instant? = nil, eindTijd: Instant? = nil,
      minimumBemanning: Int? = nil, locatieNaam: String? = nil
    ) {
      (self.id, self.startTijd, self.eindTijd) = (id, startTijd, eindTijd)
      (self.minimumBemanning, self.locatieNaam) = (minimumBemanning, locatieNaam)
    }

    static let shape: Shape<DienstChange> = Shape(
      DienstChange.init, Field("id", \.id, .uuid, "The dienst."),
      Field("start_tijd", \.startTijd, .omittable(.instant), "Its start."),
      Field("eind_tijd", \.eindTijd, .omittable(.instant), "Its end."),
      Field(
        "minimum_bemanning", \.minimumBemanning, .omittable(.volunteers),
        "Least number of volunteers."),
      Field("locatie_naam", \.locatieNaam, .omittable(.text), "Where; empty for nowhere."))
  }
}
