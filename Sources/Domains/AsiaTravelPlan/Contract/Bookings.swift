import Timekeeping

/// 2.1; the legacy aliases `owner_id` and `owner_name` are the mapping's (ATP-35).
public struct Booking: Hashable, Sendable {
  public enum Stage: String, Hashable, Sendable, CaseIterable {
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

  public struct Source: Hashable, Sendable {
    public var pageURL: String?
    public var utmSource: String?
    public var utmMedium: String?
    public var utmCampaign: String?
    public var referrer: String?

    public init(
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

  public var id: String
  public var customerID: String
  public var stage: Stage
  public var staff: String?
  public var staffName: String?
  public var slaDueAt: Instant?
  public var destination: String?
  public var style: String?
  public var travelMonth: String?
  public var travelers: Int?
  public var duration: String?
  public var budget: String?
  public var notes: String?
  public var source: Source
  public var idempotencyKey: String?
  public var createdAt: Instant
  public var updatedAt: Instant

  public init(
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
public struct BookingDetail: Hashable, Sendable {
  public var booking: Booking
  /// `nil` where a peer sends none with the detail.
  public var activities: [Activity]?
  public var customer: Customer?

  public init(booking: Booking, activities: [Activity]?, customer: Customer?) {
    self.booking = booking
    self.activities = activities
    self.customer = customer
  }
}

/// 2.3.
public struct Activity: Hashable, Sendable {
  public var id: String
  public var bookingID: String
  public var type: String
  public var detail: String
  public var actor: String
  public var createdAt: Instant

  public init(
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
public struct Customer: Hashable, Sendable {
  public var id: String
  public var name: String?
  public var email: String?
  public var phone: String?
  public var language: String?
  public var createdAt: Instant?
  public var updatedAt: Instant?
  public var tags: [String]

  public init(
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
public struct Invoice: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var id: String
    public var description: String
    public var quantity: Int
    public var unitAmountCents: Int
    public var totalAmountCents: Int

    public init(
      id: String, description: String, quantity: Int, unitAmountCents: Int, totalAmountCents: Int
    ) {
      self.id = id
      self.description = description
      self.quantity = quantity
      self.unitAmountCents = unitAmountCents
      self.totalAmountCents = totalAmountCents
    }
  }

  public var id: String
  public var bookingID: String
  public var customerID: String?
  public var invoiceNumber: String?
  public var version: Int
  public var status: String
  public var currency: String
  public var issueDate: String?
  public var dueDate: String?
  public var title: String?
  public var notes: String?
  public var sentToCustomer: Bool
  public var sentToCustomerAt: Instant?
  public var totalAmountCents: Int
  public var dueAmountCents: Int
  public var pdfURL: String?
  public var createdAt: Instant?
  public var updatedAt: Instant?
  public var items: [Item]

  public init(
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
