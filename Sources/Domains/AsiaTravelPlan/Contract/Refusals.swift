import Contracts

extension AsiaTravelPlan {
  /// A no of the API (§3.3) or of the identity provider (§7).
  public enum Refusal: RefusalCode {
    case api(APIRefusal)
    /// The provider's error page, without a redirect (7.2, 7.5), or a page that does not exist.
    case page(status: Int, message: String)
    /// The login step stays on the page: wrong password, disabled user (7.2).
    case stayed(LoginPage)
    /// The user agent is sent back with an error (7.2).
    case sentBack(AuthorizationError)
    /// The token endpoint's no (7.3).
    case token(status: Int, error: String, description: String?)

    public var code: String {
      switch self {
      case .api(let refusal): refusal.rawValue
      case .page(let status, _): "page_\(status)"
      case .stayed: "login_stayed"
      case .sentBack(let error): error.error
      case .token(_, let error, _): error
      }
    }
  }

  public enum APIRefusal: String, Hashable, Sendable, CaseIterable {
    case unauthorized, forbidden
    case bookingNotFound = "booking_not_found"
    case notFound = "not_found"

    public var status: Int {
      switch self {
      case .unauthorized: 401
      case .forbidden: 403
      case .bookingNotFound, .notFound: 404
      }
    }

    /// The wire has no code: status and text identify the case (§3.3).
    public var text: String {
      switch self {
      case .unauthorized: "Unauthorized"
      case .forbidden: "Forbidden"
      case .bookingNotFound: "Booking not found"
      case .notFound: "Not found"
      }
    }
  }

  public struct AuthorizationError: Hashable, Sendable {
    public var target: String
    public var error: String
    public var description: String?
    public var state: String?

    public init(
      to target: String, _ error: String, description: String? = nil, state: String? = nil
    ) {
      self.target = target
      self.error = error
      self.description = description
      self.state = state
    }
  }
}
