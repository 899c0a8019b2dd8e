import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges schema and validation (§4.2).
enum ValidationChecks {
  static let all: [MSCheck] = fields + records + ReferenceChecks.all

  /// What the schema alone decides.
  private static let fields: [MSCheck] = [
    .demand(.ms13, .complete),
    .demand(.ms14, .typed),
    .demand(.ms15, .closed),
    .demand(.ms16, .constraints(of: .ms16, "Partner")),
    .demand(.ms17, .constraints(of: .ms17, "Product")),
  ]

  private static let records: [MSCheck] = [
    .eachWrite(.ms18) { item, result, exchange, verdict in
      judgeOrder(item, result, exchange, &verdict)
    },
    .each(.ms20, .asking(.modify, .lookup)) { exchange, verdict in
      judgePositions(exchange, &verdict)
    },
    .eachWrite(.ms21) { item, result, _, verdict in judgeRating(item, result, &verdict) },
    .each(.ms22, .asking(.modify, .lookup, .signIn, .selectRole)) { exchange, verdict in
      judgeRoles(exchange, &verdict)
    },
    .eachWrite(.ms23) { item, result, _, verdict in judgeDocuments(item, result, &verdict) },
    .eachWrite(.ms27) { item, result, _, verdict in judgeTexts(item, result, &verdict) },
  ]

  // MARK: MS-18

  /// A known status; the sum of the parts; an estimate that lies ahead of the order's creation.
  private static func judgeOrder(
    _ item: Modification.Item, _ result: ItemResult?, _ exchange: SeenExchange,
    _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record) where record.type == "Order" && item.desiredKeys == nil:
      guard record.status != nil else {
        verdict.violated("order \(record.name) is \(record.text("status") ?? "without a status")")
        return
      }
      if let sum = record.sumOfParts, sum != record.int("totalCents") {
        verdict.violated("order \(record.name): the total is not the sum \(sum)")
      } else if item.kind == .create, let estimate = record.time("estimatedDeliveryTime"),
        estimate <= record.created.timestamp
      {
        verdict.violated("order \(record.name) was estimated for the past")
      } else {
        verdict.held()
      }
    case .failed(let failed) where item.record.type == "Order" && item.kind == .create:
      guard case .string(let status)?? = item.record.fields["status"] else { return }
      if OrderStatus(rawValue: status) == nil, OrderStatus.aliases[status] == nil,
        status != OrderStatus.claim
      {
        verdict.expect(
          failed.failure.isNotLaterThanSchema,
          "an order that is \(status) was refused as \(failed.failure.code.rawValue)")
      }
    default: return
    }
  }

  // MARK: MS-20

  private static let positions = SchemaDemand.constraints(of: .ms20, "DriverLocation")

  /// The ranges, the leeway of a minute, and that a position stays as it was sent.
  private static func judgePositions(_ exchange: SeenExchange, _ verdict: inout Judge) {
    positions.judge(exchange, &verdict)
    for (item, result) in exchange.writes {
      switch result {
      case .saved(let record) where record.type == "DriverLocation":
        if item.kind == .update || item.kind == .replace
          || record.created.timestamp < record.modified.timestamp
        {
          verdict.violated("position \(record.name) was changed")
        }
        if let at = record.time("timestamp"), at > record.created.timestamp + .seconds(60) {
          verdict.violated("position \(record.name) is more than a minute ahead of its creation")
        }
      case .failed(let failed) where failed.failure.mimiReason == "timestamp_in_future":
        guard case .timestamp(let at)?? = item.record.fields["timestamp"] else { continue }
        verdict.expect(
          at > exchange.sent + .seconds(60), "a position within the leeway was refused")
      default: continue
      }
    }
  }

  // MARK: MS-21

  private static func judgeRating(
    _ item: Modification.Item, _ result: ItemResult?, _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record) where record.type == "DeliveryCompletion":
      guard let stars = record.int("customerRating") else { return }
      verdict.expect((1...5).contains(stars), "\(record.name) is rated \(stars)")
    case .failed(let failed):
      guard case .int64(let stars)?? = item.record.fields["customerRating"] else { return }
      let reason = failed.failure.mimiReason
      if (1...5).contains(stars) {
        verdict.expect(reason != "rating_out_of_range", "\(stars) stars were out of range")
      } else {
        verdict.expect(
          failed.failure.isNotLaterThanSchema && reason != "not_delivered"
            && reason != "already_rated",
          "\(stars) stars were refused as \(reason ?? failed.failure.code.rawValue)")
      }
    default: return
    }
  }

  // MARK: MS-22

  private static func judgeRoles(_ exchange: SeenExchange, _ verdict: inout Judge) {
    for record in exchange.shown("UserProfile") {
      guard let role = record.fields["role"] else { continue }
      verdict.expect(
        record.text("role").flatMap(Role.init) != nil, "\(record.name) has the role \(role)")
    }
    for (item, result) in exchange.writes {
      guard case .failed(let failed)? = result, item.record.type == "UserProfile",
        case .string(let role)?? = item.record.fields["role"], Role(rawValue: role) == nil
      else { continue }
      verdict.expect(
        failed.failure.isNotLaterThanSchema,
        "the role \(role) was refused as \(failed.failure.code.rawValue)")
    }
  }

  // MARK: MS-23

  /// Documents are read where they are written, and nowhere else: the rest of an order's life leaves them alone.
  private static func judgeDocuments(
    _ item: Modification.Item, _ result: ItemResult?, _ verdict: inout Judge
  ) {
    for document in EmbeddedDocument.allCases {
      guard case .string(let text)?? = item.record.fields[document.rawValue] else { continue }
      switch result {
      case .saved(let record) where record.type == document.type:
        guard let stored = record.text(document.rawValue) else { continue }
        verdict.expect(
          document.problem(in: stored) == nil,
          "\(record.type) \(record.name) keeps a malformed \(document.rawValue)")
      case .failed(let failed) where item.record.type == document.type:
        judgeRefused(document, text, failed.failure, &verdict)
      default: continue
      }
    }
  }

  private static func judgeRefused(
    _ document: EmbeddedDocument, _ text: String, _ failure: Failure, _ verdict: inout Judge
  ) {
    let problem = document.problem(in: text)
    if problem != nil {
      verdict.expect(
        failure.isNotLaterThanSchema,
        "a malformed \(document.rawValue) was refused as \(failure.code.rawValue)")
    } else if let reason = failure.mimiReason, document.reasons.contains(reason) {
      verdict.violated("a good \(document.rawValue) was refused as \(reason)")
    }
  }

  // MARK: MS-27

  /// Text is stored as it was sent, byte for byte, or not at all.
  private static func judgeTexts(
    _ item: Modification.Item, _ result: ItemResult?, _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record):
      guard let schema = RecordSchema.of(record.type) else { return }
      for rule in schema.fields {
        guard let value = record.fields[rule.name] else { continue }
        if value.hasControlCharacter {
          verdict.violated("\(record.type) \(record.name): \(rule.name) has a control character")
          return
        }
        guard case .string(let sent)?? = item.record.fields[rule.name],
          case .string(let stored) = value, !sent.utf8.elementsEqual(stored.utf8),
          !schema.judgesLater(rule.name),
          !item.record.isOverwritten(rule.name, in: schema, isNew: item.kind == .create)
        else { continue }
        verdict.violated(
          "\(record.type) \(record.name): \(rule.name) is stored otherwise than sent")
        return
      }
      verdict.held()
    case .failed(let failed):
      guard item.record.fields.values.contains(where: { $0?.hasControlCharacter == true }) else {
        return
      }
      verdict.expect(
        failed.failure.isNotLaterThanSchema,
        "a control character was refused as \(failed.failure.code.rawValue)")
    default: return
    }
  }
}

/// The fields that hold JSON (§2.10).
enum EmbeddedDocument: String, CaseIterable {
  case openingHours, items, deliveryAddress, nutritionInfo, dimensions

  var type: String {
    switch self {
    case .openingHours: "Partner"
    case .items, .deliveryAddress: "Order"
    case .nutritionInfo, .dimensions: "Product"
    }
  }

  /// With which a malformed one is refused (§3.4).
  var reasons: [String] {
    switch self {
    case .items: ["malformed_items"]
    case .deliveryAddress: ["malformed_address", "address_without_coordinates"]
    default: []
    }
  }

  func problem(in text: String) -> String? {
    let isGood =
      switch self {
      case .openingHours: OpeningHours(parsing: text) != nil
      case .items: OrderLine.lines(parsing: text) != nil
      case .deliveryAddress:
        if case .success = DeliveryAddress.reading(text) { true } else { false }
      case .nutritionInfo: JSON(parsing: text)?.isNutrition == true
      case .dimensions: JSON(parsing: text)?.isDimensions == true
      }
    return isGood ? nil : rawValue
  }
}

extension CloudRecord {
  func time(_ field: String) -> Instant? {
    if case .timestamp(let instant)? = fields[field] { instant } else { nil }
  }

  /// Of an order: its five amounts, a missing tip counting nothing.
  var sumOfParts: Int64? {
    guard let subtotal = int("subtotalCents"), let delivery = int("deliveryFeeCents"),
      let platform = int("platformFeeCents"), let tax = int("taxCents")
    else { return nil }
    let parts = [delivery, platform, tax, int("tipCents") ?? 0]
    return parts.reduce(subtotal) { sum, part in
      let (next, overflows) = sum.addingReportingOverflow(part)
      return overflows ? Int64.min : next
    }
  }
}
