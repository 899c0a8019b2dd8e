import Contracts

/// The operations, as the table below counts them; a switch finds a request's own, because a run asks for it with every request.
public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
  case allowedTeams, requestEnrollment, register, sync, status, tenants, searchTeams, diensten
  case addVolunteer, removeVolunteer
  case removeTeams, removeTenant, removeAll, emailPreferences, apnsToken
  case availableDiensten, takeover, claimDienst, transferOffer, shiftVolunteer
  case searchClubs, leaderboard, globalLeaderboard, banners, seasonSummary
  /// Requests that no route takes.
  case unrouted
  case control, inspect
  /// What Apple's side of the world tells the twin.
  case apns
}

extension KantineKoning {
  public static func operation(of request: Request) -> Int {
    let operation: MobileOperation =
      switch request {
      case .requestEnrollment(let asked):
        asked.teamCodes.isEmpty ? .allowedTeams : .requestEnrollment
      case .register: .register
      case .sync: .sync
      case .status: .status
      case .tenants: .tenants
      case .searchTeams: .searchTeams
      case .diensten: .diensten
      case .addVolunteer: .addVolunteer
      case .removeVolunteer: .removeVolunteer
      case .removeTeams: .removeTeams
      case .removeTenant: .removeTenant
      case .removeAll: .removeAll
      case .setEmailPreference: .emailPreferences
      case .updateApnsToken: .apnsToken
      case .availableDiensten: .availableDiensten
      case .takeover: .takeover
      case .claimDienst: .claimDienst
      case .offerTransfer: .transferOffer
      case .answerCallToAction: .shiftVolunteer
      case .apns: .apns
      case .searchClubs: .searchClubs
      case .leaderboard: .leaderboard
      case .globalLeaderboard: .globalLeaderboard
      case .banners: .banners
      case .seasonSummary: .seasonSummary
      case .unread(.malformed(let operation, _)):
        MobileOperation(rawValue: operation) ?? .unrouted
      case .unread(.unrouted): .unrouted
      case .control: .control
      case .inspect: .inspect
      }
    return operation.rawValue
  }

  public static let table = ContractTable<Self>(
    [
      allowedTeams, requestEnrollment, register, sync, status, tenants, searchTeams, diensten,
      addVolunteer, removeVolunteer, removeTeams, removeTenant, removeAll, emailPreferences,
      apnsToken, availableDiensten, takeover, claimDienst, transferOffer, shiftVolunteer,
      searchClubs, leaderboard, globalLeaderboard, banners, seasonSummary,
    ], commands: commands, unrouted: "§3.2 step 1", operator: "§3.5", refusalForms: [[.refused]],
    refusals: [.notFound, .methodNotAllowed, .invalidRequest], targets: .strict,
    others: [
      Operation("inspect", "Inspection", kind: .inspection, source: "§3.5"),
      Operation("apns", "Reports of APNs", kind: .control, source: "§6.1"),
    ])

  // MARK: Enrolling

  static let allowedTeams = Endpoint<Self>(
    "allowedTeams", "Allowed teams of an address", source: "O1", "POST",
    path("/enrollments/request"), body: .json, access: .open, asks: EnrollmentRequest.shape,
    Request.requestEnrollment, { $0.enrollment.flatMap { $0.teamCodes.isEmpty ? $0 : nil } },
    answers: [
      .answer("teams", .list(TeamInfo.shape.coding), Reply.allowedTeams, \.allowedTeams)
    ]
  ).readElsewhere

  static let requestEnrollment = Endpoint<Self>(
    "requestEnrollment", "Request a magic link", source: "O2", "POST",
    path("/enrollments/request"), body: .json, access: .open, asks: EnrollmentRequest.shape,
    Request.requestEnrollment, { $0.enrollment.flatMap { $0.teamCodes.isEmpty ? nil : $0 } },
    answers: [.emailSent],
    refuses: [
      .tenantNotFound, .enrollmentClosed, .invalidEmail, .teamManagerNotFound, .invalidTeamCodes,
      .enrollmentLimitExceeded,
    ])

  static let register = Endpoint<Self>(
    "register", "Register a device", source: "O3", "POST", path("/enrollments/register"),
    body: .json, access: .open, asks: Registration.shape, Request.register, \.registration,
    answers: [.answer(RegistrationAnswer.shape, Reply.registered, \.registered)],
    refuses: [
      .invalidOrExpiredToken, .enrollmentExpired, .tenantNotFound, .enrollmentClosed,
      .invalidTeamCodes, .teamManagerNotFound, .teamConflict, .deviceAlreadyEnrolled,
      .enrollmentLimitExceeded,
    ])

  // MARK: An enrollment

  static let sync = Endpoint<Self>(
    "sync", "Reconcile enrollments", source: "O4", "POST", path("/enrollments/sync"), body: .json,
    asks: SyncRequest.shape, Request.sync, \.sync,
    answers: [.answer(CleanupSummary.shape, Reply.synced, \.synced)],
    refuses: RefusalKind.ofTokens + [.emptyEnrollments, .invalidTeamCodes])

  static let status = Endpoint<Self>(
    "status", "Enrollment status", source: "O5", "GET", path("/enrollments/status"), asks: .status,
    answers: [.answer(EnrollmentStatus.shape, Reply.status, \.status)],
    refuses: RefusalKind.ofTokens)

  static let removeTeams = Endpoint<Self>(
    "removeTeams", "Remove teams", source: "O6", "POST", path("/enrollments/remove-teams"),
    body: .json, asks: Shape({ $0 }, Field("team_codes", \.self, .names())),
    Request.removeTeams,
    \.teamsToRemove, answers: [.answer(TeamRemoval.shape, Reply.teamsRemoved, \.teamsRemoved)],
    refuses: RefusalKind.ofTokens)

  static let removeTenant = Endpoint<Self>(
    "removeTenant", "Remove a club", source: "O7", "DELETE", path("/enrollments/tenant"),
    body: .json, asks: Shape({ $0 }, Field("tenant_slug", \.self, .name)),
    Request.removeTenant(slug:), \.tenantToRemove, answers: [.enrollmentsRevoked],
    refuses: RefusalKind.ofTokens + [.tenantMismatch])

  static let removeAll = Endpoint<Self>(
    "removeAll", "Remove everything", source: "O8", "DELETE", path("/enrollments/all"),
    asks: .removeAll, answers: [.enrollmentsRevoked], refuses: RefusalKind.ofTokens)

  static let emailPreferences = Endpoint<Self>(
    "emailPreferences", "E-mail preferences", source: "O9", "PUT",
    path("/enrollment/email-preferences"), body: .json, asks: EmailPreference.shape,
    Request.setEmailPreference, \.emailPreference,
    answers: [
      .answer("team_email_preferences", .byCode, Reply.emailPreferences, \.emailPreferences)
    ], refuses: RefusalKind.ofTokens + [.teamNotFound, .teamAccessDenied])

  static let apnsToken = Endpoint<Self>(
    "apnsToken", "Update the push token", source: "O10", "POST", path("/device/apns-token"),
    body: .json, asks: ApnsTokenUpdate.shape, Request.updateApnsToken, \.apnsToken,
    answers: [.answer("updated", .int, Reply.apnsTokenUpdated, \.apnsTokenUpdated)],
    refuses: RefusalKind.ofTokens + [.invalidParameter])

  static let tenants = Endpoint<Self>(
    "tenants", "Tenant info", source: "O11", "GET", path("/tenants"), asks: .tenants,
    answers: [.answer("tenants", .list(TenantInfo.shape.coding), Reply.tenants, \.tenants)],
    refuses: RefusalKind.ofTokens)

  // MARK: Searching

  static let searchClubs = Endpoint<Self>(
    "searchClubs", "Search clubs", source: "O12", "GET", path("/tenants/search"),
    access: .optional,
    asks: Shape({ $0 }, Field("q", \.self, .text, in: .query).whenMissing("is required")),
    Request.searchClubs(query:), \.clubs,
    answers: [.answer("tenants", .list(FoundClub.shape.coding), Reply.clubs, \.clubs)],
    refuses: [.unauthorized])

  static let searchTeams = Endpoint<Self>(
    "searchTeams", "Search teams", source: "O13", "GET", path("/teams/search"), access: .optional,
    asks: Shape(
      Field("tenant", .name, in: .query).whenMissing("and 'q' are required"),
      Field("q", .text, in: .query).whenMissing("and 'q' are required", at: "tenant")),
    { .searchTeams(tenant: $0.0, query: $0.1) }, \.search, answers: [.teams],
    refuses: [.unauthorized, .tenantNotFound])

  // MARK: Diensten

  static let diensten = Endpoint<Self>(
    "diensten", "Diensten of a tenant", source: "O14", "GET", path("/diensten"),
    asks: DienstenQuery.shape, Request.diensten, \.diensten, answers: [.diensten],
    refuses: RefusalKind.ofTokens + [.tenantMismatch, .invalidParameter])

  static let addVolunteer = Endpoint<Self>(
    "addVolunteer", "Add a volunteer", source: "O15", "POST", path("/diensten/{id}/volunteer"),
    body: .json, asks: VolunteerChange.shape(naming: .body), Request.addVolunteer,
    \.volunteerToAdd, answers: [.dienst],
    refuses: RefusalKind.ofTokens + [.dienstNotFound, .teamAccessDenied] + RefusalKind.ofNames)

  static let removeVolunteer = Endpoint<Self>(
    "removeVolunteer", "Remove a volunteer", source: "O16", "DELETE",
    path("/diensten/{id}/volunteer"), asks: VolunteerChange.shape(naming: .query),
    Request.removeVolunteer, \.volunteerToRemove, answers: [.dienst],
    refuses: RefusalKind.ofTokens + [
      .dienstNotFound, .teamAccessDenied, .dienstInPast, .volunteerNotFound,
    ])

  static let availableDiensten = Endpoint<Self>(
    "availableDiensten", "Diensten to take over", source: "O21", "GET",
    path("/diensten/available"),
    asks: Shape({ $0 }, Field("current_team_code", \.self, .omittable(.name), in: .query)),
    Request.availableDiensten(currentTeam:), \.available, answers: [.diensten],
    refuses: RefusalKind.ofTokens + [.teamAccessDenied])

  static let takeover = Endpoint<Self>(
    "takeover", "A dienst to take over", source: "O22", "GET", path("/diensten/{id}"),
    asks: TakeoverQuery.shape, Request.takeover, \.takeover, answers: [.dienst],
    refuses: RefusalKind.ofTokens + [
      .teamAccessDenied, .dienstNotFound, .ownDienst, .alreadyClaimed,
    ])

  static let claimDienst = Endpoint<Self>(
    "claimDienst", "Take a dienst over", source: "O23", "POST", path("/diensten/{id}/claim"),
    body: .json, asks: DienstClaim.shape, Request.claimDienst, \.claim, answers: [.transfer],
    refuses: RefusalKind.ofTokens + [
      .dienstNotFound, .teamAccessDenied, .dienstInPast, .ownDienst, .alreadyClaimed,
    ])

  static let transferOffer = Endpoint<Self>(
    "transferOffer", "Offer a dienst", source: "O24", "PUT", path("/diensten/{id}/transfer-offer"),
    body: .json, asks: TransferOffer.shape, Request.offerTransfer, \.offer, answers: [.transfer],
    refuses: RefusalKind.ofTokens + [.dienstNotFound, .teamAccessDenied, .dienstInPast])

  static let shiftVolunteer = Endpoint<Self>(
    "shiftVolunteer", "Volunteers from a mail", source: "O25", "POST", path("/cta/shift-volunteer"),
    body: .json, access: .open, asks: CallToAction.shape, Request.answerCallToAction,
    \.callToAction, answers: [.dienst], refuses: [.invalidOrExpiredToken] + RefusalKind.ofNames)

  // MARK: Boards and other public reads

  static let leaderboard = Endpoint<Self>(
    "leaderboard", "Leaderboard of a club", source: "O17", "GET", path("/leaderboard"),
    asks: LeaderboardQuery.shape, Request.leaderboard, \.leaderboard,
    answers: [.answer(TenantBoard.shape, Reply.leaderboard, \.leaderboard)],
    refuses: RefusalKind.ofTokens + [.tenantMismatch, .invalidParameter])

  static let globalLeaderboard = Endpoint<Self>(
    "globalLeaderboard", "Leaderboard of all clubs", source: "O18", "GET",
    path("/leaderboard/global"), asks: LeaderboardQuery.shape, Request.globalLeaderboard,
    \.globalLeaderboard,
    answers: [.answer(GlobalBoard.shape, Reply.globalLeaderboard, \.globalLeaderboard)],
    refuses: RefusalKind.ofTokens + [.tenantOptedOut, .tenantNotFound, .invalidParameter])

  static let banners = Endpoint<Self>(
    "banners", "Banners", source: "O19", "GET", path("/banners"), access: .optional,
    asks: BannersQuery.shape, Request.banners, \.banners,
    answers: [.answer(BannerLists.shape, Reply.banners, \.banners)],
    refuses: RefusalKind.ofTokens + [.tenantMismatch, .tenantNotFound])

  static let seasonSummary = Endpoint<Self>(
    "seasonSummary", "Season summary", source: "O20", "GET",
    path("/season-summary/{tenant}/{team_code}"), access: .optional,
    asks: Shape(Field("tenant", .name, in: .path), Field("team_code", .name, in: .path)),
    { .seasonSummary(tenant: $0.0, teamCode: $0.1) }, \.summary,
    answers: [.answer(SeasonSummary.shape, Reply.seasonSummary, \.seasonSummary)],
    refuses: [.unauthorized, .tenantNotFound, .teamNotFound, .seasonDataDeleted])

  private static func path(_ rest: String) -> String { "/api/mobile/v1" + rest }
}

extension KantineKoning.RefusalKind {
  /// Of every operation that needs a bearer token (§3.2 steps 2 to 6).
  fileprivate static let ofTokens: [Self] = [
    .unauthorized, .invalidToken, .tokenRevoked, .deviceNotFound,
  ]
  /// Why a name is not entered (O15).
  fileprivate static let ofNames: [Self] = [
    .dienstInPast, .invalidName, .nameTooLong, .volunteerExists,
  ]
}
