import Contracts
import MimiSupplyContract

/// What a push says of a record (§3.5, MS-96, MS-100).
enum Payloads {
  /// The status of a push when a commit changes the driver alone.
  static let assigned = "driver_assigned"

  static func content(
    of record: CloudRecord, since before: CloudRecord?, _ event: Subscription.Event
  ) -> PushNotification.Content {
    switch record.type {
    case .order:
      let status = status(of: record, since: before)
      let isSearching = status == assigned && record[Order.driver] == nil
      return .order(
        id: record.name, status: status, title: "Bestellupdate",
        body: isSearching ? searching : sentence(status), badge: 0)
    case .driverLocation: return .position(driver: record[DriverLocation.driver] ?? "")
    case .driverOffer:
      return .offer(
        id: record.name, order: record[DriverOffer.order] ?? "",
        driver: record[DriverOffer.driver] ?? "")
    default: return .record
    }
  }

  /// The canonical status; when only the assignment changed, that: whether a driver came or was lost (MS-71).
  private static func status(of order: CloudRecord, since before: CloudRecord?) -> String {
    let status = order[Order.status] ?? ""
    guard let before, before[Order.driver] != order[Order.driver] else { return status }
    // The time of the change is no change of its own.
    var rest = (before.fields, order.fields)
    for field in [FieldName.driverId, .updatedAt] {
      rest.0[field] = nil
      rest.1[field] = nil
    }
    return rest.0 == rest.1 ? assigned : status
  }

  /// Nobody is told that a driver came when one was lost.
  private static let searching = "Für Ihre Bestellung wird ein neuer Fahrer gesucht."

  /// A sentence for the customer, free of everything personal.
  static func sentence(_ status: String) -> String {
    switch status {
    case "created": "Ihre Bestellung ist eingegangen."
    case "payment_processing": "Ihre Zahlung wird bearbeitet."
    case "payment_confirmed": "Ihre Zahlung ist bestätigt."
    case "accepted": "Ihre Bestellung wurde angenommen."
    case assigned: "Ein Fahrer hat Ihre Bestellung übernommen."
    case "preparing": "Ihre Bestellung wird zubereitet."
    case "ready_for_pickup": "Ihre Bestellung ist zur Abholung bereit."
    case "picked_up": "Ihre Bestellung wurde abgeholt."
    case "en_route": "Ihre Bestellung ist unterwegs!"
    case "delivered": "Ihre Bestellung wurde zugestellt."
    case "cancelled": "Ihre Bestellung wurde storniert."
    case "failed": "Ihre Bestellung konnte nicht ausgeführt werden."
    default: "Ihre Bestellung hat sich geändert."
    }
  }

  /// Fields that no push carries (MS-100): addresses, items, amounts, phone numbers and what may hold them.
  private static let withheld: FieldNames = [
    .items, .deliveryAddress, .deliveryInstructions, .phoneNumber, .email, .street,
    .postalCode, .city, .latitude, .longitude, .currentLatitude, .currentLongitude,
    .minimumOrderAmount, .deviceToken, .appleUserID, .notes, .customerFeedback,
  ]

  /// - Parameter withholds: Whether the fields that no push carries are left out, as MS-100 wants it.
  static func additional(
    _ wanted: [String]?, of record: CloudRecord, withholds: Bool
  ) -> Fields {
    var fields: Fields = [:]
    for name in wanted ?? [] {
      let isPersonal = withheld.contains(text: name) || name.hasSuffix("Cents")
      if !isPersonal || !withholds { fields[text: name] = record.fields[text: name] }
    }
    return fields
  }

  /// What a payload has besides the texts of its notification, rather too much.
  static let mostOverhead = 512

  /// An order's push without its title and sentence: what a backend sends that does not keep MS-96.
  static func silent(_ content: PushNotification.Content) -> PushNotification.Content {
    guard case .order(let id, let status, _, _, let badge) = content else { return content }
    return .order(id: id, status: status, title: "", body: "", badge: badge)
  }
}

extension PushNotification {
  /// Whether a payload with additional fields is longer than it may be (MS-100); those without cannot shrink.
  ///
  /// It is written to be measured only where a bound of its length says that it could be.
  func exceeds(_ bytes: Int) -> Bool {
    guard !additional.isEmpty else { return false }
    if let mostBytes, mostBytes <= bytes { return false }
    return document.description.utf8.count > bytes
  }

  /// At least the length of the payload; `nil` with files, whose documents have no bound of their own.
  private var mostBytes: Int? {
    var texts = container.utf8.count + id.utf8.count + (subscription?.utf8.count ?? 0)
    texts += recordName.byteCount + zone.zoneName.utf8.count
    texts += zone.ownerRecordName?.byteCount ?? 0
    switch content {
    case .order(let id, let status, let title, let body, _):
      texts += id.byteCount + status.utf8.count + title.utf8.count + body.utf8.count
    case .position(let driver): texts += driver.byteCount
    case .offer(let id, let order, let driver):
      texts += id.byteCount + order.byteCount + driver.byteCount
    case .customerDeleted(let order): texts += order.byteCount
    case .record: break
    }
    var most = Payloads.mostOverhead
    texts += additional.names.bytesOfTexts
    for value in additional.values {
      guard let bytes = value.mostBytes else { return nil }
      most += 64 + bytes
    }
    return most + JSON.mostEscaped * texts
  }
}

extension JSON {
  /// How many bytes one of a text may become: a control character is written as `\u0000`.
  fileprivate static let mostEscaped = 6
}

extension FieldValue {
  /// At least how long the value is as JSON, without the names around it.
  fileprivate var mostBytes: Int? {
    switch self {
    case .string(let text), .bytes(let text):
      JSON.mostEscaped * text.utf8.count
    case .identifier(let name), .reference(let name): JSON.mostEscaped * name.byteCount
    case .int64, .double, .timestamp: 32
    case .position: 128
    case .strings(let texts):
      texts.reduce(0) { $0 + 4 + JSON.mostEscaped * $1.utf8.count }
    case .asset, .assets, .untyped, .mistyped: nil
    }
  }
}
