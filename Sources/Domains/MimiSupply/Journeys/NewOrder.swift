import Contracts
import MimiSupplyContract
import Timekeeping

/// An order before it is one: what a cart knows (§5.2), with amounts that add up (MS-28 to MS-30).
///
/// Every part can be changed before it is sent, so that adversaries start from an order that would be taken.
struct NewOrder {
  struct Line {
    var product: RecordName
    var name: String
    var quantity: Int64
    var unitPriceCents: Int64
    /// Per piece: name, value, cents.
    var customizations: [(name: String, value: String, cents: Int64)] = []
  }

  var name: RecordName
  var customer: UserName
  var partner: RecordName
  var lines: [Line]
  var address: JSONObject
  var fees: Fees
  var tipCents: Int64?
  var instructions: String?
  var estimate: Instant
  var status = OrderStatus.paymentConfirmed
  var paymentMethod = "apple_pay"
  var paymentStatus = "completed"

  var subtotalCents: Int64 {
    lines.reduce(0) { sum, line in
      sum.plus(
        line.quantity.times(line.customizations.reduce(line.unitPriceCents) { $0.plus($1.cents) }))
    }
  }

  var totalCents: Int64 {
    [fees.delivery, fees.platform, fees.tax, tipCents ?? 0].reduce(subtotalCents) { $0.plus($1) }
  }

  /// The lines as the document of §2.10.2.
  var items: [JSON] {
    lines.enumerated().map { index, line in
      var item: JSONObject = [
        "id": .string("line-\(index + 1)"), "productId": .name(line.product),
        "productName": .string(line.name), "quantity": .int(line.quantity),
        "unitPriceCents": .int(line.unitPriceCents),
        "totalPriceCents": .int(line.quantity.times(line.unitPriceCents)),
      ]
      if !line.customizations.isEmpty {
        item["customizations"] = .array(
          line.customizations.enumerated().map { number, extra in
            [
              "id": .string("c-\(number + 1)"), "name": .string(extra.name),
              "value": .string(extra.value), "priceCents": .int(extra.cents),
            ]
          })
      }
      return .object(item)
    }
  }

  /// The record that the app saves (§2.5).
  func draft(at now: Instant) -> RecordDraft {
    var fields: FieldChanges = [
      .customerId: .name(customer), .partnerId: .name(partner),
      .items: .string(JSON.array(items).description), .status: .string(status.rawValue),
      .subtotalCents: .int64(subtotalCents), .deliveryFeeCents: .int64(fees.delivery),
      .platformFeeCents: .int64(fees.platform), .taxCents: .int64(fees.tax),
      .totalCents: .int64(totalCents),
      .deliveryAddress: .string(JSON.object(address).description),
      .estimatedDeliveryTime: .timestamp(estimate.toMilliseconds),
      .paymentMethod: .string(paymentMethod), .paymentStatus: .string(paymentStatus),
      .createdAt: .timestamp(now.toMilliseconds), .updatedAt: .timestamp(now.toMilliseconds),
    ]
    fields[.tipCents] = tipCents.map { .int64($0) }
    fields[.deliveryInstructions] = instructions.map { .string($0) }
    return RecordDraft(name: name, type: .order, fields: fields)
  }

  /// An address in a street of a city (§2.10.3).
  static func address(
    street: String, city: String = "Berlin", postalCode: String = "10117",
    at point: Geography.Point
  ) -> JSONObject {
    [
      "street": .string(street), "city": .string(city), "state": .string(city),
      "postalCode": .string(postalCode), "country": "DE",
      "latitude": .double(point.latitude), "longitude": .double(point.longitude),
    ]
  }
}
