import Timekeeping

/// 2.1; the legacy aliases `owner_id` and `owner_name` are the mapping's (ATP-35).
package struct Booking: Hashable, Sendable {
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    case new = "NEW"
    case qualified = "QUALIFIED"
    case proposalSent = "PROPOSAL_SENT"
    case negotiation = "NEGOTIATION"
    case invoiceSent = "INVOICE_SENT"
    case paymentReceived = "PAYMENT_RECEIVED"
    case won = "WON"
    case lost = "LOST"
    case postTrip = "POST_TRIP"
  }

  package struct Source: Hashable, Sendable {
    package var pageURL: String?
    package var utmSource: String?
    package var utmMedium: String?
    package var utmCampaign: String?
    package var referrer: String?

    package init(
      pageURL: String? = nil, utmSource: String? = nil, utmMedium: String? = nil,
      utmCampaign: String? = nil, referrer: String? = nil
    ) {
      self.pageURL = pageURL
      self.utmSource = utmSource
      self.utmMedium = utmMedium
      self.utmCampaign = utmCampaign
      self.referrer = referrer
    }
  }

  package var id: String
  package var customerID: String
  package var stage: Stage
  package var staff: String?
  package var staffName: String?
  package var slaDueAt: Instant?
  package var destination: String?
  package var style: String?
  package var travelMonth: String?
  package var travelers: Int?
  package var duration: String?
  package var budget: String?
  package var notes: String?
  package var source: Source
  package var idempotencyKey: String?
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: String, customerID: String, stage: Stage = .new, staff: String? = nil,
    staffName: String? = nil, slaDueAt: Instant? = nil, destination: String? = nil,
    style: String? = nil, travelMonth: String? = nil, travelers: Int? = nil,
    duration: String? = nil, budget: String? = nil, notes: String? = nil,
    source: Source = Source(), idempotencyKey: String? = nil, createdAt: Instant,
    updatedAt: Instant
  ) {
    self.id = id
    self.customerID = customerID
    self.stage = stage
    self.staff = staff
    self.staffName = staffName
    self.slaDueAt = slaDueAt
    self.destination = destination
    self.style = style
    self.travelMonth = travelMonth
    self.travelers = travelers
    self.duration = duration
    self.budget = budget
    self.notes = notes
    self.source = source
    self.idempotencyKey = idempotencyKey
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// OP-03: the booking with its timeline (O-08) and its customer.
package struct BookingDetail: Hashable, Sendable {
  package var booking: Booking
  /// `nil` where a peer sends none with the detail.
  package var activities: [Activity]?
  package var customer: Customer?

  package init(booking: Booking, activities: [Activity]?, customer: Customer?) {
    self.booking = booking
    self.activities = activities
    self.customer = customer
  }
}

/// 2.3.
package struct Activity: Hashable, Sendable {
  package var id: String
  package var bookingID: String
  package var type: String
  package var detail: String
  package var actor: String
  package var createdAt: Instant

  package init(
    id: String, bookingID: String, type: String, detail: String, actor: String, createdAt: Instant
  ) {
    self.id = id
    self.bookingID = bookingID
    self.type = type
    self.detail = detail
    self.actor = actor
    self.createdAt = createdAt
  }
}

/// 2.6.
package struct Customer: Hashable, Sendable {
  package var id: String
  package var name: String?
  package var email: String?
  package var phone: String?
  package var language: String?
  package var createdAt: Instant?
  package var updatedAt: Instant?
  package var tags: [String]

  package init(
    id: String, name: String? = nil, email: String? = nil, phone: String? = nil,
    language: String? = nil, createdAt: Instant? = nil, updatedAt: Instant? = nil,
    tags: [String] = []
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.phone = phone
    self.language = language
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.tags = tags
  }
}

/// 2.4; amounts are whole cents.
package struct Invoice: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var id: String
    package var description: String
    package var quantity: Int
    package var unitAmountCents: Int
    package var totalAmountCents: Int

    package init(
      id: String, description: String, quantity: Int, unitAmountCents: Int, totalAmountCents: Int
    ) {
      self.id = id
      self.description = description
      self.quantity = quantity
      self.unitAmountCents = unitAmountCents
      self.totalAmountCents = totalAmountCents
    }
  }

  package var id: String
  package var bookingID: String
  package var customerID: String?
  package var invoiceNumber: String?
  package var version: Int
  package var status: String
  package var currency: String
  package var issueDate: String?
  package var dueDate: String?
  package var title: String?
  package var notes: String?
  package var sentToCustomer: Bool
  package var sentToCustomerAt: Instant?
  package var totalAmountCents: Int
  package var dueAmountCents: Int
  package var pdfURL: String?
  package var createdAt: Instant?
  package var updatedAt: Instant?
  package var items: [Item]

  package init(
    id: String, bookingID: String, customerID: String? = nil, invoiceNumber: String? = nil,
    version: Int = 1, status: String = "DRAFT", currency: String = "USD",
    issueDate: String? = nil, dueDate: String? = nil, title: String? = nil, notes: String? = nil,
    sentToCustomer: Bool = false, sentToCustomerAt: Instant? = nil, totalAmountCents: Int,
    dueAmountCents: Int, pdfURL: String? = nil, createdAt: Instant? = nil,
    updatedAt: Instant? = nil, items: [Item] = []
  ) {
    self.id = id
    self.bookingID = bookingID
    self.customerID = customerID
    self.invoiceNumber = invoiceNumber
    self.version = version
    self.status = status
    self.currency = currency
    self.issueDate = issueDate
    self.dueDate = dueDate
    self.title = title
    self.notes = notes
    self.sentToCustomer = sentToCustomer
    self.sentToCustomerAt = sentToCustomerAt
    self.totalAmountCents = totalAmountCents
    self.dueAmountCents = dueAmountCents
    self.pdfURL = pdfURL
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.items = items
  }
}
