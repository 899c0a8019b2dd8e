import Contracts
import MimiSupplyContract
import Timekeeping

/// A record as inspection shows it.
struct InspectedRow {
  let name: RecordName
  let document: JSON

  init?(_ document: JSON) {
    guard let name: RecordName = document["recordName"]?.name() else { return nil }
    self.name = name
    self.document = document
  }

  subscript(field: FieldKey<String>) -> String? { document.field(field.name)?.string }
  subscript<Kind>(field: FieldKey<Name<Kind>>) -> Name<Kind>? {
    document.field(field.name)?.name()
  }
  subscript(field: FieldKey<Int64>) -> Int64? { document.field(field.name)?.wholeNumber }
  subscript(field: FieldKey<Double>) -> Double? { document.field(field.name)?.double }
  func flag(_ field: FieldName) -> Int64? { document.field(field)?.wholeNumber }
}

extension JSON {
  /// The value of a record's field as inspection shows it.
  func field(_ name: FieldName) -> JSON? { self["fields"]?[name.text]?["value"] }
}

/// An order as inspection shows it: its record, and what the market notes of it.
struct InspectedOrder: Sendable {
  struct Row: Sendable {
    let status: OrderStatus?
    let driver: RecordName?
    let partner: RecordName?
    let isPaid: Bool
    let amounts: Sums?
    let tip: Int64
    let destination: Geography.Point?

    init(_ row: InspectedRow) {
      status = row[Order.status].flatMap(OrderStatus.of)
      driver = row[Order.driver]
      partner = row[Order.partner]
      isPaid = row[Order.paymentStatus] == "completed"
      amounts = Sums { row[$0] }
      tip = row[Order.tipCents] ?? 0
      if let text = row[Order.deliveryAddress],
        case .success(let address) = DeliveryAddress.reading(text)
      {
        destination = address.point
      } else {
        destination = nil
      }
    }
  }

  struct Note: Sendable {
    let status: OrderStatus?
    let hasDriver: Bool
    let trigger: Instant?
    let paid: Int64?
    let refunded: Int64?
    let pay: Int64?
    let waitingSince: Instant?
    let pickedUpAt: Instant?
    /// When it came to its present status.
    let enteredAt: Instant?

    /// - Returns: `nil` for one that is gone.
    init?(_ note: JSON) {
      guard !note.isNull else { return nil }
      status = note["status"]?.string.flatMap(OrderStatus.of)
      hasDriver = note["driverId"]?.string != nil
      trigger = note["trigger"]?.moment
      paid = note["paidCents"]?.wholeNumber
      refunded = note["refundedCents"]?.wholeNumber
      pay = note["payCents"]?.wholeNumber
      waitingSince = note["waitingSince"]?.moment
      pickedUpAt = note["pickedUpAt"]?.moment
      enteredAt = note["enteredAt"]?.moment
    }
  }

  var row: Row?
  var note: Note?

  var isGone: Bool { row == nil && note == nil }
  var isOpen: Bool { row?.status?.isActive == true || note?.status?.isActive == true }

  /// What came in for it, and what of that went out or is due to somebody; `nil` where that is not known.
  var balance: (received: Int64, spoken: Int64)? {
    guard let row, let note, let paid = note.paid, let refunded = note.refunded,
      let status = row.status, let amounts = row.amounts
    else { return nil }
    var due = refunded
    if status == .delivered {
      due &+=
        amounts.subtotal &+ amounts.tip &+ amounts.delivery &+ amounts.platform &+ amounts.tax
    } else if status.isActive, row.isPaid {
      due &+= amounts.total
    }
    return (paid, due)
  }
}
