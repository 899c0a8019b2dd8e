import Contracts

extension AsiaTravelPlan {
  /// A no of the API (§3.3) or of the identity provider (§7).
  public enum Refusal: RefusalCode {
    /// - Parameter about: What its text names, where it names something.
    case api(APIRefusal, about: String = "")
    /// The booking is another than the one whose hash was sent (O-01).
    indirect case bookingChanged(Booking)
    /// The provider's error page, without a redirect (7.2, 7.5), or a page that does not exist.
    indirect case page(status: Int, message: String)
    /// The login step stays on the page: wrong password, disabled user (7.2).
    indirect case stayed(LoginPage)
    /// The user agent is sent back with an error (7.2).
    indirect case sentBack(AuthorizationError)
    /// The token endpoint's no (7.3).
    indirect case token(status: Int, error: String, description: String?)

    public var code: String {
      switch self {
      case .api(let refusal, _): refusal.rawValue
      case .bookingChanged: "booking_hash_mismatch"
      case .page(let status, _): "page_\(status)"
      case .stayed: "login_stayed"
      case .sentBack(let error): error.error
      case .token(_, let error, _): error
      }
    }
  }

  public typealias RefusalKind = APIRefusal

  /// The wire has no code: status and text identify the case (§3.3).
  public enum APIRefusal: String, Contracts.RefusalKind {
    case invalidJSON = "invalid_json"
    case unauthorized, forbidden
    case bookingNotFound = "booking_not_found"
    case customerNotFound = "customer_not_found"
    case tourNotFound = "tour_not_found"
    case invoiceNotFound = "invoice_not_found"
    case notFound = "not_found"
    case transitionNotAllowed = "transition_not_allowed"
    case usernameInUse = "username_in_use"
    case payloadTooLarge = "payload_too_large"
    case invalidStage = "invalid_stage"
    case typeRequired = "type_required"
    case staffNotFoundOrInactive = "staff_not_found_or_inactive"
    case nameRequired = "name_required"
    case usernameRequired = "username_required"
    case titleRequired = "title_required"
    case countriesRequired = "countries_required"
    case stylesRequired = "styles_required"
    case tourIDFixed = "tour_id_fixed"
    case itemRequired = "item_required"
    case bookingCustomerNotFound = "booking_customer_not_found"
    case missingFields = "missing_fields"
    case invalidEmail = "invalid_email"
    case invalidTravelers = "invalid_travelers"
    /// Never expected (ATP-99).
    case internalServerError = "internal_server_error"

    private var wire: (status: Int, text: String, end: String) {
      switch self {
      case .invalidJSON: (400, "Invalid JSON payload", "")
      case .unauthorized: (401, "Unauthorized", "")
      case .forbidden: (403, "Forbidden", "")
      case .bookingNotFound: (404, "Booking not found", "")
      case .customerNotFound: (404, "Customer not found", "")
      case .tourNotFound: (404, "Tour not found", "")
      case .invoiceNotFound: (404, "Invoice not found", "")
      case .notFound: (404, "Not found", "")
      case .transitionNotAllowed: (409, "Transition ", " is not allowed")
      case .usernameInUse: (409, "username already in use by ", "")
      case .payloadTooLarge: (413, "Payload too large", "")
      case .invalidStage: (422, "Invalid stage", "")
      case .typeRequired: (422, "type is required", "")
      case .staffNotFoundOrInactive: (422, "Staff member not found or inactive", "")
      case .nameRequired: (422, "name is required", "")
      case .usernameRequired: (422, "at least one username is required", "")
      case .titleRequired: (422, "title is required", "")
      case .countriesRequired: (422, "destinationCountries is required", "")
      case .stylesRequired: (422, "styles is required", "")
      case .tourIDFixed: (422, "Tour id cannot be changed", "")
      case .itemRequired: (422, "At least one invoice item is required", "")
      case .bookingCustomerNotFound: (422, "Booking customer not found", "")
      case .missingFields: (422, "Missing required fields: ", "")
      case .invalidEmail: (422, "Invalid email", "")
      case .invalidTravelers: (422, "Travelers must be between 1 and 30", "")
      case .internalServerError: (500, "Internal server error", "")
      }
    }

    public var status: Int { wire.status }

    /// Whether its text names something: then `about` stands in it.
    private var namesSomething: Bool {
      switch self {
      case .transitionNotAllowed, .usernameInUse, .missingFields: true
      default: false
      }
    }

    func text(about: String) -> String {
      namesSomething ? wire.text + about + wire.end : wire.text
    }

    /// What a text of this case is about; `nil` for the text of another.
    func about(reading text: String) -> String? {
      guard namesSomething else { return text == wire.text ? "" : nil }
      guard text.hasPrefix(wire.text), text.hasSuffix(wire.end) else { return nil }
      return String(text.dropFirst(wire.text.count).dropLast(wire.end.count))
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

  /// `{"error": text}` of the API; a 5xx is none, its outcome is unknown.
  static let api = RefusalForm<Self>(
    schema: [
      "type": "object", "required": ["error"],
      "properties": ["error": ["type": "string"], "detail": ["type": "string"]],
    ],
    write: { refusal in
      guard case .api(let kind, let about) = refusal else { return nil }
      var body: JSONObject = ["error": .string(kind.text(about: about))]
      if kind == .internalServerError, !about.isEmpty { body["detail"] = .string(about) }
      return WireResponse(kind.status, body: .object(body))
    },
    read: { response in
      guard response.status < 500, let text = response.body?["error"]?.string else { return nil }
      for kind in APIRefusal.allCases where kind.status == response.status {
        if let about = kind.about(reading: text) { return .api(kind, about: about) }
      }
      return nil
    })

  /// O-01.
  static let changedMeanwhile = RefusalForm<Self>(
    schema: [
      "type": "object", "required": ["error", "code", "booking"],
      "properties": [
        "error": ["type": "string"], "code": ["type": "string"],
        "booking": Booking.shape.coding.schema,
      ],
    ],
    write: { refusal in
      guard case .bookingChanged(let booking) = refusal else { return nil }
      return WireResponse(
        409,
        body: [
          "error": "Booking changed in backend", "code": "BOOKING_HASH_MISMATCH",
          "booking": Booking.shape.document(of: booking, .redacted),
        ])
    },
    read: { response in
      guard response.status == 409, response.body?["code"] == "BOOKING_HASH_MISMATCH" else {
        return nil
      }
      return response.body?["booking"].flatMap { Booking.shape.value(in: $0) }
        .map { .bookingChanged($0) }
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
