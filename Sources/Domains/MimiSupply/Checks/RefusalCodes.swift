import MimiSupplyContract

/// What a refusal is told with (§7.1): its code and native name, the name from the seed's own list, and the rule whose refusal
/// it is.
enum RefusalCodes {
  private struct Entry {
    let code: Failure.Code
    let native: Failure.Native
    /// Names of the seed's list that may stand beside it; `nil` stands for none.
    let names: [String?]
    let rule: MimiSupply.Rule
  }

  /// The reasons that have the same codes; a reason that §7.1 gives none is a constraint violation.
  private struct Row {
    var code = Failure.Code.badRequest
    var native = Failure.Native.constraintViolation
    var names: [String?] = [nil]
    let rules: [String: MimiSupply.Rule]
  }

  private static let ordering = "orderCreationFailed"
  private static let rows = [
    Row(
      code: .accessDenied, native: .permissionFailure, names: [ordering],
      rules: ["customer_mismatch": .ms105]),
    Row(
      code: .accessDenied, native: .permissionFailure,
      rules: [
        "transition_not_permitted_for_role": .ms57, "not_your_order": .ms78,
        "role_already_selected": .ms103, "role_not_selectable": .ms108,
        "partner_unverified": .ms109,
      ]),
    Row(
      code: .authenticationFailed, native: .notAuthenticated, names: ["authenticationRequired"],
      rules: [
        "invalid_token": .ms104, "nonce_reused": .ms104, "token_expired": .ms104,
        "account_locked": .ms117,
      ]),
    Row(
      native: .invalidArguments, names: [ordering],
      rules: [
        "malformed_items": .ms23, "malformed_address": .ms23,
        "address_without_coordinates": .ms23,
      ]),
    Row(
      native: .limitExceeded, names: [nil, ordering],
      rules: ["record_too_large": .ms04, "asset_too_large": .ms05]),
    Row(
      code: .validatingReferenceError, native: .referenceViolation, names: ["partnerNotFound"],
      rules: ["partner_unknown": .ms42]),
    Row(
      code: .validatingReferenceError, native: .referenceViolation, names: ["productUnavailable"],
      rules: ["product_unknown": .ms43]),
    Row(
      names: ["productUnavailable"],
      rules: ["product_unavailable": .ms43, "insufficient_stock": .ms51]),
    Row(
      names: [ordering],
      rules: [
        "items_empty": .ms46, "too_many_items": .ms46, "quantity_out_of_range": .ms46,
        "item_total_mismatch": .ms30, "subtotal_mismatch": .ms29, "initial_status_invalid": .ms47,
        "eta_too_far": .ms45, "partner_inactive": .ms42, "partner_closed": .ms41,
        "outside_delivery_radius": .ms40, "fee_mismatch": .ms34, "product_of_other_partner": .ms44,
        "price_changed": .ms32, "below_minimum_order": .ms39,
      ]),
    // Of an order that is there already they are told without a name.
    Row(
      names: [ordering, nil],
      rules: [
        "total_mismatch": .ms28, "negative_amount": .ms31, "amount_out_of_range": .ms31,
        "eta_not_in_future": .ms45, "partner_unverified": .ms42,
      ]),
    Row(names: [ordering, "paymentFailed"], rules: ["payment_state_invalid": .ms63]),
    Row(
      names: ["driverNotAvailable"],
      rules: [
        "order_already_assigned": .ms69, "offer_expired": .ms67, "offer_not_yours": .ms67,
        "driver_not_eligible": .ms66, "driver_at_capacity": .ms65,
      ]),
    Row(rules: [
      "illegal_transition": .ms56, "immutable_field": .ms26, "rating_out_of_range": .ms21,
      "already_rated": .ms81, "not_delivered": .ms81, "completion_missing": .ms77,
      "completion_exists": .ms78, "offer_closed": .ms67, "driver_not_verified": .ms66,
      "available_requires_online": .ms72, "driver_busy": .ms73, "consent_missing": .ms118,
      "driver_offline": .ms73, "timestamp_in_future": .ms20, "media_too_large": .ms08,
      "too_many_images": .ms08, "partner_busy": .ms116,
    ]),
  ]

  private static let entries: [String: [Entry]] = rows.reduce(into: [:]) { entries, row in
    for (reason, rule) in row.rules {
      entries[reason, default: []].append(
        Entry(code: row.code, native: row.native, names: row.names, rule: rule))
    }
  }

  /// The native names that go with a code where no reason is told, and whose refusal that is.
  private static func plain(
    _ code: Failure.Code
  ) -> (natives: [Failure.Native], rule: MimiSupply.Rule) {
    switch code {
    case .accessDenied: ([.permissionFailure], .ms105)
    case .atomicError: ([.batchRequestFailed], .ms09)
    case .authenticationFailed, .authenticationRequired: ([.notAuthenticated], .ms101)
    case .badRequest:
      (
        [
          .limitExceeded, .invalidArguments, .constraintViolation, .changeTokenExpired,
          .incompatibleVersion,
        ], .ms15
      )
    case .conflict: ([.serverRecordChanged], .ms83)
    case .exists: ([.serverRecordChanged], .ms48)
    case .internalError: ([.internalError], .ms12)
    case .notFound: ([.unknownItem, .badContainer, .badDatabase, .assetFileNotFound], .ms106)
    case .quotaExceeded: ([.quotaExceeded], .ms06)
    case .throttled: ([.requestRateLimited], .ms02)
    case .tryAgainLater: ([.zoneBusy, .serviceUnavailable], .ms12)
    case .validatingReferenceError: ([.referenceViolation], .ms24)
    case .zoneNotFound: ([.zoneNotFound], .ms11)
    }
  }

  /// Reasons that are said of records of some types alone.
  private static let types: [String: Set<RecordType>] = [
    "transition_not_permitted_for_role": [.order], "completion_missing": [.order],
    "illegal_transition": [.order, .deliveryCompletion, .driverOffer],
    "order_already_assigned": [.order, .driverOffer], "offer_expired": [.order, .driverOffer],
    "offer_not_yours": [.order, .driverOffer], "driver_not_eligible": [.order, .driverOffer],
    "driver_at_capacity": [.order, .driverOffer], "offer_closed": [.driverOffer],
    "not_your_order": [.deliveryCompletion], "completion_exists": [.deliveryCompletion],
    "rating_out_of_range": [.deliveryCompletion], "already_rated": [.deliveryCompletion],
    "not_delivered": [.deliveryCompletion], "driver_offline": [.driverLocation],
    "timestamp_in_future": [.deliveryCompletion, .driverLocation],
    "driver_not_verified": [.driver], "available_requires_online": [.driver],
    "driver_busy": [.driver], "consent_missing": [.driver],
  ]

  /// Whether a reason can be said of records of a type.
  static func mayBe(_ reason: String, of type: RecordType) -> Bool {
    types[reason]?.contains(type) ?? true
  }

  /// Whose refusal it is.
  static func rule(of failure: Failure) -> MimiSupply.Rule {
    failure.mimiReason.flatMap { entries[$0]?.first?.rule } ?? plain(failure.code).rule
  }

  /// What is wrong with the way in which something is refused; `nil` for a reason that nobody documented.
  static func problem(of failure: Failure) -> String? {
    guard let reason = failure.mimiReason else {
      return plain(failure.code).natives.contains(failure.native)
        ? nil : "\(failure.code.rawValue) comes with \(failure.native.name)"
    }
    guard let known = entries[reason] else { return nil }
    let fits = known.contains {
      $0.code == failure.code && $0.native == failure.native && $0.names.contains(failure.mimiError)
    }
    let told = "\(failure.code.rawValue), \(failure.native.name), \(failure.mimiError ?? "no name")"
    return fits ? nil : "\(reason) comes with \(told)"
  }
}
