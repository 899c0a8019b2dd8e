import Contracts
import Timekeeping

/// A CloudKit error with the twin's additions (§3.1, §7.1), of a whole request or of one item.
public struct Failure: Error, Hashable, Sendable {
  /// The wire's `serverErrorCode`.
  public enum Code: String, RefusalKind {
    case accessDenied = "ACCESS_DENIED"
    case atomicError = "ATOMIC_ERROR"
    case authenticationFailed = "AUTHENTICATION_FAILED"
    case authenticationRequired = "AUTHENTICATION_REQUIRED"
    case badRequest = "BAD_REQUEST"
    case conflict = "CONFLICT"
    case exists = "EXISTS"
    case internalError = "INTERNAL_ERROR"
    case notFound = "NOT_FOUND"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case throttled = "THROTTLED"
    case tryAgainLater = "TRY_AGAIN_LATER"
    case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
    case zoneNotFound = "ZONE_NOT_FOUND"

    /// The HTTP status where the whole request fails; nominal for an item.
    public var status: Int {
      switch self {
      case .badRequest, .atomicError: 400
      case .authenticationFailed: 401
      case .accessDenied: 403
      case .notFound, .zoneNotFound: 404
      case .conflict, .exists: 409
      case .validatingReferenceError: 412
      case .quotaExceeded: 413
      case .authenticationRequired: 421
      case .throttled: 429
      case .internalError: 500
      case .tryAgainLater: 503
      }
    }
  }

  /// The native name; its number is CloudKit's.
  public enum Native: Int, Hashable, Sendable, CaseIterable {
    case internalError = 1
    case badContainer = 5
    case serviceUnavailable = 6
    case requestRateLimited = 7
    case notAuthenticated = 9
    case permissionFailure = 10
    case unknownItem = 11
    case invalidArguments = 12
    case serverRecordChanged = 14
    case assetFileNotFound = 16
    case incompatibleVersion = 18
    case constraintViolation = 19
    case changeTokenExpired = 21
    case batchRequestFailed = 22
    case zoneBusy = 23
    case badDatabase = 24
    case quotaExceeded = 25
    case zoneNotFound = 26
    case limitExceeded = 27
    case referenceViolation = 31

    /// `CKErrorServerRecordChanged`.
    public var name: String {
      let text = "\(self)"
      return "CKError" + text.prefix(1).uppercased() + text.dropFirst()
    }
  }

  public var code: Code
  public var native: Native
  /// For humans; nobody branches on it.
  public var reason: String
  public var retryAfter: Span?
  /// A name of the seed's own error list.
  public var mimiError: String?
  /// The machine-readable reason.
  public var mimiReason: String?

  public init(
    _ code: Code, _ native: Native, _ reason: String = "", retryAfter: Span? = nil,
    mimiError: String? = nil, mimiReason: String? = nil
  ) {
    (self.code, self.native, self.reason, self.retryAfter) = (code, native, reason, retryAfter)
    (self.mimiError, self.mimiReason) = (mimiError, mimiReason)
  }

  static let shape = Shape(
    { code, reason, wait, native, error, mimiReason in
      Failure(
        code, native, reason, retryAfter: wait, mimiError: error, mimiReason: mimiReason)
    }, Field("serverErrorCode", \.code, .word), Field("reason", \.reason, .text.otherwise("")),
    Field("retryAfter", \.retryAfter, .seconds)
      .then("ckErrorCode", .text, isChecked: false, \.native.name),
    Field("ckErrorNumber", \.native, .number),
    Field("mimiErrorCode", \.mimiError, .lenient(.text)),
    Field("mimiReason", \.mimiReason, .lenient(.text)))
}

extension MimiSupply {
  /// A request-level error: nothing of the request happened.
  public struct Refusal: RefusalCode {
    private struct Contents: Hashable, Sendable {
      let failure: Failure
      let uuid: String
      let redirectURL: String?
    }

    @Boxed private var contents: Contents
    /// The last commit that the answer shows; for people, not for checks.
    public let csn: Int

    public var failure: Failure { contents.failure }
    /// Unique per answer.
    public var uuid: String { contents.uuid }
    /// To the sign-in, with `AUTHENTICATION_REQUIRED`.
    public var redirectURL: String? { contents.redirectURL }

    public init(_ failure: Failure, uuid: String, redirectURL: String? = nil, csn: Int) {
      contents = Contents(failure: failure, uuid: uuid, redirectURL: redirectURL)
      self.csn = csn
    }

    public var code: String { failure.mimiReason ?? failure.code.rawValue }

    static let shape = Shape(
      { uuid, failure, url, csn, _ in
        Refusal(failure, uuid: uuid, redirectURL: url, csn: csn)
      }, Field("uuid", \.uuid, .text), Field(\.failure, Failure.shape),
      Field("redirectURL", \.redirectURL, .lenient(.text)),
      Field("X-Mimi-CSN", \.csn, .commit, in: .header),
      Field("Retry-After", \.failure.retryAfter, .retryAfter, in: .header))
  }

  public typealias RefusalKind = Failure.Code
}
