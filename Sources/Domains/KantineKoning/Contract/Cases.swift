import Contracts

// What a request asks with and what a reply says, by its case.

extension KantineKoning.Request {
  var enrollment: EnrollmentRequest? {
    if case .requestEnrollment(let it) = self { it } else { nil }
  }
  var registration: Registration? { if case .register(let it) = self { it } else { nil } }
  var sync: SyncRequest? { if case .sync(let it) = self { it } else { nil } }
  var search: (Slug, String)? {
    if case .searchTeams(let tenant, let query) = self { (tenant, query) } else { nil }
  }
  var diensten: DienstenQuery? { if case .diensten(let it) = self { it } else { nil } }
  var volunteerToAdd: VolunteerChange? { if case .addVolunteer(let it) = self { it } else { nil } }
  var volunteerToRemove: VolunteerChange? {
    if case .removeVolunteer(let it) = self { it } else { nil }
  }
  var teamsToRemove: [TeamName]? { if case .removeTeams(let it) = self { it } else { nil } }
  var tenantToRemove: Slug? { if case .removeTenant(let it) = self { it } else { nil } }
  var emailPreference: EmailPreference? {
    if case .setEmailPreference(let it) = self { it } else { nil }
  }
  var apnsToken: ApnsTokenUpdate? { if case .updateApnsToken(let it) = self { it } else { nil } }
  var available: TeamName?? { if case .availableDiensten(let it) = self { .some(it) } else { nil } }
  var takeover: TakeoverQuery? { if case .takeover(let it) = self { it } else { nil } }
  var claim: DienstClaim? { if case .claimDienst(let it) = self { it } else { nil } }
  var offer: TransferOffer? { if case .offerTransfer(let it) = self { it } else { nil } }
  var callToAction: CallToAction? { if case .answerCallToAction(let it) = self { it } else { nil } }
  var clubs: String? { if case .searchClubs(let it) = self { it } else { nil } }
  var leaderboard: LeaderboardQuery? { if case .leaderboard(let it) = self { it } else { nil } }
  var globalLeaderboard: LeaderboardQuery? {
    if case .globalLeaderboard(let it) = self { it } else { nil }
  }
  var banners: BannersQuery? { if case .banners(let it) = self { it } else { nil } }
  var summary: (Slug, TeamName)? {
    if case .seasonSummary(let tenant, let team) = self { (tenant, team) } else { nil }
  }
  public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
}

extension KantineKoning.Reply {
  var allowedTeams: [TeamInfo]? { if case .allowedTeams(let it) = self { it } else { nil } }
  var registered: RegistrationAnswer? { if case .registered(let it) = self { it } else { nil } }
  var synced: CleanupSummary? { if case .synced(let it) = self { it } else { nil } }
  var status: EnrollmentStatus? { if case .status(let it) = self { it } else { nil } }
  var tenants: [TenantInfo]? { if case .tenants(let it) = self { it } else { nil } }
  var teams: [TeamInfo]? { if case .teams(let it) = self { it } else { nil } }
  var diensten: [Dienst]? { if case .diensten(let it) = self { it } else { nil } }
  var dienst: Dienst? { if case .dienst(let it) = self { it } else { nil } }
  var teamsRemoved: TeamRemoval? { if case .teamsRemoved(let it) = self { it } else { nil } }
  var enrollmentsRevoked: Int? { if case .enrollmentsRevoked(let it) = self { it } else { nil } }
  var emailPreferences: [TeamPreference]? {
    if case .emailPreferences(let it) = self { it } else { nil }
  }
  var apnsTokenUpdated: Int? { if case .apnsTokenUpdated(let it) = self { it } else { nil } }
  var transfer: Transfer? { if case .transfer(let it) = self { it } else { nil } }
  var clubs: [FoundClub]? { if case .clubs(let it) = self { it } else { nil } }
  var leaderboard: TenantBoard? { if case .leaderboard(let it) = self { it } else { nil } }
  var globalLeaderboard: GlobalBoard? {
    if case .globalLeaderboard(let it) = self { it } else { nil }
  }
  var banners: BannerLists? { if case .banners(let it) = self { it } else { nil } }
  var seasonSummary: SeasonSummary? { if case .seasonSummary(let it) = self { it } else { nil } }
  var outbox: [Mail]? { if case .outbox(let it) = self { it } else { nil } }
  var made: Made? {
    if case .made(let it) = self { it } else { nil }
  }
  var enrollmentList: EnrollmentListing? {
    if case .enrollmentList(let it) = self { it } else { nil }
  }
  var foundEnrollments: [FoundEnrollment]? {
    if case .foundEnrollments(let it) = self { it } else { nil }
  }
  var apnsEnvironment: ApnsVariables? {
    if case .apnsEnvironment(let it) = self { it } else { nil }
  }
  var pushDeliveries: [PushDelivery]? { if case .pushDeliveries(let it) = self { it } else { nil } }
  var notices: [Notice]? { if case .notices(let it) = self { it } else { nil } }
  public var inspection: Inspection? { if case .inspection(let it) = self { it } else { nil } }
}
