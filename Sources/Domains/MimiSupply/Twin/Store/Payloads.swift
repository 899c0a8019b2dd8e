import MimiSupplyContract

/// What a push says of a record (§3.5, MS-96, MS-100).
enum Payloads {
  /// The status of a push when a commit changes the driver alone.
  static let assigned = "driver_assigned"

  static func content(
    of record: CloudRecord, since before: CloudRecord?, _ event: Subscription.Event
  ) -> PushNotification.Content {
    switch record.type {
    case "Order":
      let status = status(of: record, since: before)
      let isSearching = status == assigned && record.text("driverId") == nil
      return .order(
        id: record.name, status: status, title: "Bestellupdate",
        body: isSearching ? searching : sentence(status), badge: 0)
    case "DriverLocation": return .position(driver: record.text("driverId") ?? "")
    case "DriverOffer":
      return .offer(
        id: record.name, order: record.text("orderId") ?? "",
        driver: record.text("driverId") ?? "")
    default: return .record
    }
  }

  /// The canonical status; when only the assignment changed, that: whether a driver came or was lost (MS-71).
  private static func status(of order: CloudRecord, since before: CloudRecord?) -> String {
    let status = order.text("status") ?? ""
    guard let before, before.text("driverId") != order.text("driverId") else { return status }
    // The time of the change is no change of its own.
    var rest = (before.fields, order.fields)
    for field in ["driverId", "updatedAt"] {
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
  private static let withheld: Set<String> = [
    "items", "deliveryAddress", "deliveryInstructions", "phoneNumber", "email", "street",
    "postalCode", "city", "latitude", "longitude", "currentLatitude", "currentLongitude",
    "minimumOrderAmount", "deviceToken", "appleUserID", "notes", "customerFeedback",
  ]

  /// - Parameter withholds: Whether the fields that no push carries are left out, as MS-100 wants it.
  static func additional(
    _ wanted: [String]?, of record: CloudRecord, withholds: Bool
  ) -> [String: FieldValue] {
    var fields: [String: FieldValue] = [:]
    for name in wanted ?? [] {
      let isPersonal = withheld.contains(name) || name.hasSuffix("Cents")
      if !isPersonal || !withholds { fields[name] = record.fields[name] }
    }
    return fields
  }

  /// An order's push without its title and sentence: what a backend sends that does not keep MS-96.
  static func silent(_ content: PushNotification.Content) -> PushNotification.Content {
    guard case .order(let id, let status, _, _, let badge) = content else { return content }
    return .order(id: id, status: status, title: "", body: "", badge: badge)
  }
}
