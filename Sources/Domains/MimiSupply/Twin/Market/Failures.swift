import MimiSupplyContract

// The codes of §7.1, by what went wrong. A reason without a code of its own is a constraint violation.
extension Failure {
  static func denied(
    _ text: String, _ reason: String? = nil, mimiError: String? = nil
  ) -> Failure {
    Failure(.accessDenied, .permissionFailure, text, mimiError: mimiError, mimiReason: reason)
  }

  static func constraint(
    _ reason: String?, _ text: String, mimiError: String? = nil
  ) -> Failure {
    Failure(.badRequest, .constraintViolation, text, mimiError: mimiError, mimiReason: reason)
  }

  static func invalid(
    _ text: String, _ reason: String? = nil, mimiError: String? = nil
  ) -> Failure {
    Failure(.badRequest, .invalidArguments, text, mimiError: mimiError, mimiReason: reason)
  }

  static func dangling(
    _ text: String, _ reason: String? = nil, mimiError: String? = nil
  ) -> Failure {
    Failure(
      .validatingReferenceError, .referenceViolation, text, mimiError: mimiError,
      mimiReason: reason)
  }

  static let orderCreationFailed = "orderCreationFailed"
  static let partnerNotFound = "partnerNotFound"
  static let productUnavailable = "productUnavailable"
  static let paymentFailed = "paymentFailed"
  static let driverNotAvailable = "driverNotAvailable"

  static func illegalTransition(_ text: String) -> Failure {
    .constraint("illegal_transition", text)
  }

  static func unclaimable(_ reason: String, _ text: String) -> Failure {
    .constraint(reason, text, mimiError: driverNotAvailable)
  }
}
