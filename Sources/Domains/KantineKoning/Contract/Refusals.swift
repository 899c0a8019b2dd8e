import Contracts

extension KantineKoning {
  /// Why the backend refuses (§3.3).
  public struct Refusal: RefusalCode {
    public enum Code: String, Contracts.RefusalKind {
      case teamManagerNotFound = "team_manager_not_found"
      case invalidTeamCodes = "invalid_team_codes"
      case enrollmentLimitExceeded = "enrollment_limit_exceeded"
      case tenantNotFound = "tenant_not_found"
      case invalidEmail = "invalid_email"
      case enrollmentExpired = "enrollment_expired"
      case invalidOrExpiredToken = "invalid_or_expired_token"
      case deviceAlreadyEnrolled = "device_already_enrolled"
      case teamConflict = "team_conflict"
      case teamAccessDenied = "team_access_denied"
      case enrollmentClosed = "enrollment_closed"
      case tokenRevoked = "token_revoked"
      case invalidToken = "invalid_token"
      case deviceNotFound = "device_not_found"
      case unauthorized
      case notFound = "not_found"
      case methodNotAllowed = "method_not_allowed"
      case tenantMismatch = "tenant_mismatch"
      case tenantOptedOut = "tenant_opted_out"
      case teamNotFound = "team_not_found"
      case dienstNotFound = "dienst_not_found"
      case volunteerNotFound = "volunteer_not_found"
      case seasonDataDeleted = "season_data_deleted"
      case dienstInPast = "dienst_in_past"
      case invalidName = "invalid_name"
      case nameTooLong = "name_too_long"
      case volunteerExists = "volunteer_exists"
      case invalidParameter = "invalid_parameter"
      case invalidRequest = "invalid_request"
      case emptyEnrollments = "empty_enrollments"
      case ownDienst = "own_dienst"
      case alreadyClaimed = "already_claimed"

      /// The HTTP status (§3.3).
      public var status: Int {
        switch self {
        case .invalidRequest: 400
        case .unauthorized, .invalidToken, .tokenRevoked, .deviceNotFound: 401
        case .enrollmentClosed, .tenantMismatch, .teamAccessDenied, .tenantOptedOut: 403
        case .notFound, .tenantNotFound, .teamManagerNotFound, .teamNotFound, .dienstNotFound,
          .volunteerNotFound:
          404
        case .methodNotAllowed: 405
        case .deviceAlreadyEnrolled, .teamConflict, .volunteerExists: 409
        case .ownDienst, .alreadyClaimed: 409
        case .seasonDataDeleted: 410
        case .invalidTeamCodes, .enrollmentLimitExceeded, .invalidEmail,
          .enrollmentExpired, .invalidOrExpiredToken, .dienstInPast, .invalidName, .nameTooLong,
          .invalidParameter, .emptyEnrollments:
          422
        }
      }
    }

    public var kind: Code
    /// Only of `token_revoked`.
    public var reason: RevocationReason?
    public var message: String?

    public init(_ kind: Code, reason: RevocationReason? = nil, message: String? = nil) {
      (self.kind, self.reason, self.message) = (kind, reason, message)
    }

    public var code: String { kind.rawValue }
    public var status: Int { kind.status }

    static let shape = Shape(
      { kind, message, reason in Refusal(kind, reason: reason, message: message) },
      Field("error", \.kind, .word), Field("message", \.message, .omittable(.text)),
      Field("reason", \.reason, .reason(.omittable(.text)))
        .then("enrollment_allowed", .omittable(.flag), isChecked: false) {
          $0.kind == .enrollmentClosed ? false : nil
        })
  }

  public typealias RefusalKind = Refusal.Code

  /// Why an enrollment or a tenant's tokens were revoked (§3.3); the first three are told to the phone.
  public enum RevocationReason: String, Hashable, Sendable, CaseIterable {
    case seasonEnded = "season_ended"
    case adminRevoked = "admin_revoked"
    case securityBreach = "security_breach"
    case sync, removed, superseded, upgraded, cleanup

    public var isToldToThePhone: Bool {
      switch self {
      case .seasonEnded, .adminRevoked, .securityBreach: true
      case .sync, .removed, .superseded, .upgraded, .cleanup: false
      }
    }
  }
}

extension Unread.Fault {
  /// As a refusal says it (§3.2 step 7): a member goes by its own name, wherever in the document it stands.
  public var message: String {
    if path.isEmpty { return what }
    if path.hasSuffix("]") { return "a JSON object is expected" }
    return "'\(path.split(separator: ".").last ?? "")' \(what)"
  }
}
