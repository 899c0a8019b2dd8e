import Contracts
import Timekeeping

extension Booking {
  /// With its timeline where the detail carries it (O-08).
  func document(activities: [Activity]?) -> JSON {
    var object: JSONObject = [
      "id": .string(id), "customer_id": .string(customerID), "stage": .string(stage.rawValue),
      "staff": .optional(staff), "staff_name": .optional(staffName), "owner_id": .optional(staff),
      "owner_name": .optional(staffName), "sla_due_at": .optional(slaDueAt?.description),
      "destination": .optional(destination), "style": .optional(style),
      "travel_month": .optional(travelMonth), "travelers": travelers.map(JSON.number) ?? .null,
      "duration": .optional(duration), "budget": .optional(budget), "notes": .optional(notes),
      "source": [
        "page_url": .optional(source.pageURL), "utm_source": .optional(source.utmSource),
        "utm_medium": .optional(source.utmMedium), "utm_campaign": .optional(source.utmCampaign),
        "referrer": .optional(source.referrer),
      ], "idempotency_key": .optional(idempotencyKey),
      "created_at": .string(createdAt.description), "updated_at": .string(updatedAt.description),
    ]
    object["activities"] = activities.map { .array($0.map(\.document)) }
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let id = document["id"]?.string, let customer = document["customer_id"]?.string,
      let stage = document["stage"]?.string.flatMap(Stage.init),
      let created = document.instant("created_at"), let updated = document.instant("updated_at")
    else { return nil }
    let source = document["source"]
    self.init(
      id: id, customerID: customer, stage: stage, staff: document["staff"]?.string,
      staffName: document["staff_name"]?.string, slaDueAt: document.instant("sla_due_at"),
      destination: document["destination"]?.string, style: document["style"]?.string,
      travelMonth: document["travel_month"]?.string, travelers: document["travelers"]?.int,
      duration: document["duration"]?.string, budget: document["budget"]?.string,
      notes: document["notes"]?.string,
      source: Source(
        pageURL: source?["page_url"]?.string, utmSource: source?["utm_source"]?.string,
        utmMedium: source?["utm_medium"]?.string, utmCampaign: source?["utm_campaign"]?.string,
        referrer: source?["referrer"]?.string),
      idempotencyKey: document["idempotency_key"]?.string, createdAt: created, updatedAt: updated)
  }
}

extension BookingDetail {
  var document: JSON {
    ["booking": booking.document(activities: activities), "customer": customer?.document ?? .null]
  }

  init?(_ document: JSON) {
    guard let sent = document["booking"], let booking = Booking(sent) else { return nil }
    var activities: [Activity]?
    if let items = sent["activities"] {
      guard let read = items.list(Activity.init) else { return nil }
      activities = read
    }
    var customer: Customer?
    if let sent = document["customer"], sent != .null {
      guard let read = Customer(sent) else { return nil }
      customer = read
    }
    self.init(booking: booking, activities: activities, customer: customer)
  }
}

extension Activity {
  var document: JSON {
    [
      "id": .string(id), "booking_id": .string(bookingID), "type": .string(type),
      "actor": .string(actor), "detail": .string(detail),
      "created_at": .string(createdAt.description),
    ]
  }

  init?(_ document: JSON) {
    guard let id = document["id"]?.string, let booking = document["booking_id"]?.string,
      let type = document["type"]?.string, let detail = document["detail"]?.string,
      let actor = document["actor"]?.string, let created = document.instant("created_at")
    else { return nil }
    self.init(
      id: id, bookingID: booking, type: type, detail: detail, actor: actor, createdAt: created)
  }
}

extension Customer {
  var document: JSON {
    [
      "id": .string(id), "name": .optional(name), "email": .optional(email),
      "phone": .optional(phone), "language": .optional(language),
      "created_at": .optional(createdAt?.description),
      "updated_at": .optional(updatedAt?.description), "tags": .strings(tags),
    ]
  }

  init?(_ document: JSON) {
    guard let id = document["id"]?.string else { return nil }
    self.init(
      id: id, name: document["name"]?.string, email: document["email"]?.string,
      phone: document["phone"]?.string, language: document["language"]?.string,
      createdAt: document.instant("created_at"), updatedAt: document.instant("updated_at"),
      tags: document["tags"]?.strings ?? [])
  }
}

extension Invoice {
  var document: JSON {
    [
      "id": .string(id), "booking_id": .string(bookingID), "customer_id": .optional(customerID),
      "invoice_number": .optional(invoiceNumber), "version": .number(version),
      "status": .string(status), "currency": .string(currency), "issue_date": .optional(issueDate),
      "due_date": .optional(dueDate), "title": .optional(title), "notes": .optional(notes),
      "sent_to_customer": .bool(sentToCustomer),
      "sent_to_customer_at": .optional(sentToCustomerAt?.description),
      "total_amount_cents": .number(totalAmountCents), "due_amount_cents": .number(dueAmountCents),
      "pdf_url": .optional(pdfURL), "created_at": .optional(createdAt?.description),
      "updated_at": .optional(updatedAt?.description), "items": .array(items.map(\.document)),
    ]
  }

  init?(_ document: JSON) {
    guard let id = document["id"]?.string, let booking = document["booking_id"]?.string,
      let version = document["version"]?.int, let status = document["status"]?.string,
      let currency = document["currency"]?.string, let sent = document["sent_to_customer"]?.bool,
      let total = document["total_amount_cents"]?.int, let due = document["due_amount_cents"]?.int,
      // The items are the backend's own addition to the contract.
      let items = document["items"].map({ $0.list(Item.init) }) ?? []
    else { return nil }
    self.init(
      id: id, bookingID: booking, customerID: document["customer_id"]?.string,
      invoiceNumber: document["invoice_number"]?.string, version: version, status: status,
      currency: currency, issueDate: document["issue_date"]?.string,
      dueDate: document["due_date"]?.string, title: document["title"]?.string,
      notes: document["notes"]?.string, sentToCustomer: sent,
      sentToCustomerAt: document.instant("sent_to_customer_at"), totalAmountCents: total,
      dueAmountCents: due, pdfURL: document["pdf_url"]?.string,
      createdAt: document.instant("created_at"), updatedAt: document.instant("updated_at"),
      items: items)
  }
}

extension Invoice.Item {
  var document: JSON {
    [
      "id": .string(id), "description": .string(description), "quantity": .number(quantity),
      "unit_amount_cents": .number(unitAmountCents),
      "total_amount_cents": .number(totalAmountCents),
    ]
  }

  init?(_ document: JSON) {
    guard let id = document["id"]?.string, let text = document["description"]?.string,
      let quantity = document["quantity"]?.int, let unit = document["unit_amount_cents"]?.int,
      let total = document["total_amount_cents"]?.int
    else { return nil }
    self.init(
      id: id, description: text, quantity: quantity, unitAmountCents: unit, totalAmountCents: total)
  }
}

extension JSON {
  func instant(_ name: String) -> Instant? { self[name]?.string.flatMap { Instant($0) } }

  /// All items of an array, or `nil` when one of them cannot be read.
  func list<Value>(_ read: (JSON) -> Value?) -> [Value]? {
    guard let items = array else { return nil }
    let values = items.compactMap(read)
    return values.count == items.count ? values : nil
  }
}
