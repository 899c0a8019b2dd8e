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

  public typealias RefusalKind = APIRefusal

  public enum APIRefusal: String, Contracts.RefusalKind {
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
      (self.target, self.error, self.description, self.state) = (
        target, error, description, state
      )
    }
  }

  /// `{"error": text}` of the API.
  static let api = RefusalForm<Self>(
    schema: [
      "type": "object", "required": ["error"], "properties": ["error": ["type": "string"]],
    ],
    write: { refusal in
      guard case .api(let kind) = refusal else { return nil }
      return WireResponse(kind.status, body: ["error": .string(kind.text)])
    },
    read: { response in
      APIRefusal.allCases.first {
        $0.status == response.status && response.body?["error"] == .string($0.text)
      }.map { .api($0) }
    })

  /// An error page; a 5xx is none, its outcome is unknown.
  static let page = RefusalForm<Self>(
    schema: [:],
    write: { refusal in
      guard case .page(let status, let message) = refusal else { return nil }
      return WireResponse(status, content: WireResponse.page(Page.error(message)))
    },
    read: { response in
      guard (400..<500).contains(response.status) else { return nil }
      return Page.error(reading: response.text).map { .page(status: response.status, message: $0) }
    })

  /// The login page again.
  static let stayed = RefusalForm<Self>(
    schema: [:],
    write: { refusal in
      guard case .stayed(let page) = refusal else { return nil }
      return WireResponse(200, content: WireResponse.page(Page.login(page)))
    },
    read: { response in
      response.status == 200 ? Page.login(reading: response.text).map { .stayed($0) } : nil
    })

  /// 7.3.
  static let tokenError = RefusalForm<Self>(
    schema: [
      "type": "object", "required": ["error"],
      "properties": ["error": ["type": "string"], "error_description": ["type": "string"]],
    ],
    write: { refusal in
      guard case .token(let status, let error, let description) = refusal else { return nil }
      var body: JSONObject = ["error": .string(error)]
      body["error_description"] = description.map(JSON.string)
      // Who may prove itself in a header is told how (RFC 6749 §5.2).
      let headers = status == 401 ? [WireHeader("WWW-Authenticate", "Basic realm=\"client\"")] : []
      return WireResponse(status, headers: headers, body: .object(body))
    },
    read: { response in
      guard (400..<500).contains(response.status), let error = response.body?["error"]?.string
      else { return nil }
      return .token(
        status: response.status, error: error,
        description: response.body?["error_description"]?.string)
    })
}
