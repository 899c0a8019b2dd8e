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
    .demand(.ms16, .constraints(of: .ms16, .partner)),
    .demand(.ms17, .constraints(of: .ms17, .product)),
  ]

  private static let records: [MSCheck] = [
    .eachWrite(.ms18) { item, result, call, verdict in
      judgeOrder(item, result, call, &verdict)
    },
    .each(.ms20, .asking(.modify, .lookup)) { call, verdict in
      judgePositions(call, &verdict)
    },
    .eachWrite(.ms21) { item, result, _, verdict in judgeRating(item, result, &verdict) },
    .each(.ms22, .asking(.modify, .lookup, .signIn, .selectRole)) { call, verdict in
      judgeRoles(call, &verdict)
    },
    .eachWrite(.ms23) { item, result, _, verdict in judgeDocuments(item, result, &verdict) },
    .each(.ms27, .asking(.modify)) { call, verdict in
      for (index, write) in call.writes.enumerated() {
        judgeTexts(write.item, write.result, call.readings, index, &verdict)
      }
    },
  ]

  // MARK: MS-18

  /// A known status; the sum of the parts; an estimate that lies ahead of the order's creation.
  private static func judgeOrder(
    _ item: Modification.Item, _ result: ItemResult?, _ call: SeenCall,
    _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record) where record.type == .order && item.desiredKeys == nil:
      guard record.status != nil else {
        verdict.violated("order \(record.name) is \(record[Order.status] ?? "without a status")")
        return
      }
      if let amounts = Sums({ record[$0] }), amounts.sum != amounts.total {
        verdict.violated("order \(record.name): the total is not the sum of its parts")
      } else if item.kind == .create, let estimate = record[Order.estimatedDeliveryTime],
        estimate <= record.created.timestamp
      {
        verdict.violated("order \(record.name) was estimated for the past")
      } else {
        verdict.held()
      }
    case .failed(let failed) where item.record.type == .order && item.kind == .create:
      guard let status = item.record[Order.status] else { return }
      if OrderStatus.of(status) == nil, OrderStatus.aliases[status] == nil,
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

  private static let positions = SchemaDemand.constraints(of: .ms20, .driverLocation)

  /// The ranges, the leeway of a minute, and that a position stays as it was sent.
  private static func judgePositions(_ call: SeenCall, _ verdict: inout Judge) {
    positions.judge(call, &verdict)
    for (item, result) in call.writes {
      switch result {
      case .saved(let record) where record.type == .driverLocation:
        if item.kind == .update || item.kind == .replace
          || record.created.timestamp < record.modified.timestamp
        {
          verdict.violated("position \(record.name) was changed")
        }
        if let at = record[DriverLocation.timestamp], at > record.created.timestamp + .seconds(60) {
          verdict.violated("position \(record.name) is more than a minute ahead of its creation")
        }
      case .failed(let failed) where failed.failure.mimiReason == "timestamp_in_future":
        guard let at = item.record[DriverLocation.timestamp] else { continue }
        verdict.expect(
          at > call.sent + .seconds(60), "a position within the leeway was refused")
      default: continue
      }
    }
  }

  // MARK: MS-21

  private static func judgeRating(
    _ item: Modification.Item, _ result: ItemResult?, _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record) where record.type == .deliveryCompletion:
      guard let stars = record[DeliveryCompletion.customerRating] else { return }
      verdict.expect((1...5).contains(stars), "\(record.name) is rated \(stars)")
    case .failed(let failed):
      guard let stars = item.record[DeliveryCompletion.customerRating] else { return }
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

  private static func judgeRoles(_ call: SeenCall, _ verdict: inout Judge) {
    for record in call.shown(.userProfile) {
      guard let role = record.fields[.role] else { continue }
      verdict.expect(
        record[UserProfile.role].flatMap(Role.init) != nil, "\(record.name) has the role \(role)")
    }
    for (item, result) in call.writes {
      guard case .failed(let failed)? = result, item.record.type == .userProfile,
        let role = item.record[UserProfile.role], Role(rawValue: role) == nil
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
    guard let type = result?.record?.type ?? item.record.type else { return }
    for document in EmbeddedDocument.allCases where document.type == type {
      guard let text = item.record[document.field] else { continue }
      switch result {
      case .saved(let record) where record.type == document.type:
        guard let stored = record[document.field] else { continue }
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
    _ item: Modification.Item, _ result: ItemResult?, _ readings: [SchemaReading?], _ index: Int,
    _ verdict: inout Judge
  ) {
    switch result {
    case .saved(let record):
      guard let reading = readings[index], reading.isOfKnownType else { return }
      if let field = reading.controlled {
        verdict.violated("\(record.type) \(record.name): \(field) has a control character")
      } else if let field = changedText(of: item, in: record) {
        verdict.violated("\(record.type) \(record.name): \(field) is stored otherwise than sent")
      } else {
        verdict.held()
      }
    case .failed(let failed):
      guard item.record.fields.written.values.contains(where: \.hasControlCharacter) else {
        return
      }
      verdict.expect(
        failed.failure.isNotLaterThanSchema,
        "a control character was refused as \(failed.failure.code.rawValue)")
    default: return
    }
  }

  /// The first text that is stored otherwise than it was sent.
  private static func changedText(of item: Modification.Item, in record: CloudRecord) -> String? {
    guard let schema = RecordSchema.of(record.type) else { return nil }
    let sent = item.record.fields.written
    let declared = sent.declared.first { field, value in
      value.isText(otherThan: record.fields[field]) && !schema.judgesLater(field)
        && !item.record.isOverwritten(field, in: schema, isNew: item.kind == .create)
    }?.0.text
    let other = sent.others.first { name, value in
      value.isText(otherThan: record.fields[text: name])
    }?.0
    return [declared, other].compactMap(\.self).min()
  }
}

/// The fields that hold JSON (§2.10).
enum EmbeddedDocument: String, CaseIterable {
  case openingHours, items, deliveryAddress, nutritionInfo, dimensions

  var type: RecordType {
    switch self {
    case .openingHours: .partner
    case .items, .deliveryAddress: .order
    case .nutritionInfo, .dimensions: .product
    }
  }

  var field: FieldKey<String> {
    switch self {
    case .openingHours: Partner.openingHours
    case .items: Order.items
    case .deliveryAddress: Order.deliveryAddress
    case .nutritionInfo: Product.nutritionInfo
    case .dimensions: Product.dimensions
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

extension FieldValue {
  /// Whether both are texts and not the same.
  fileprivate func isText(otherThan stored: FieldValue?) -> Bool {
    // Names are the same where their bytes are.
    if case (.identifier(let own), .identifier(let stored)?) = (self, stored) {
      return own != stored
    }
    guard let own = text, let stored = stored?.text else { return false }
    return !own.utf8.elementsEqual(stored.utf8)
  }
}
