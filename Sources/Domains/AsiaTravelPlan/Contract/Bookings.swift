import Contracts
import Timekeeping

/// 2.1.
@dynamicMemberLookup
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

    /// How long after a change to it something has to be done; `nil` for what waits for nothing (2.2).
    public var sla: Span? {
      switch self {
      case .new: AsiaTravelPlan.slaOfNew.value
      case .qualified: .hours(8)
      case .proposalSent, .invoiceSent, .won: .hours(24)
      case .negotiation: .hours(48)
      case .paymentReceived, .lost, .postTrip: nil
      }
    }

    /// As a client may write it: in any case, with blanks around it.
    public init?(said text: String) { self.init(rawValue: text.trimmed.uppercased()) }
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
      (self.pageURL, self.utmSource, self.utmMedium, self.utmCampaign, self.referrer) = (
        pageURL, utmSource, utmMedium, utmCampaign, referrer
      )
    }

    static let shape = Shape(
      Source.init, Field("page_url", \.pageURL, .optional(.text)),
      Field("utm_source", \.utmSource, .optional(.text)),
      Field("utm_medium", \.utmMedium, .optional(.text)),
      Field("utm_campaign", \.utmCampaign, .optional(.text)),
      Field("referrer", \.referrer, .optional(.text)))
  }

  /// What it consists of.
  public struct Fields: Hashable, Sendable {
    public var id: String
    public var customerID: String
    public var stage: Stage
    public var staff: String?
    public var staffName: String?
    /// The legacy alias of `staff` (ATP-35).
    public var ownerID: String?
    /// The legacy alias of `staffName` (ATP-35).
    public var ownerName: String?
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
    /// The timeline where the detail carries it (O-08); `nil` where a peer sends none.
    public var activities: [Activity]?
    /// What a change has to name where the backend uses hashes (O-01).
    public var bookingHash: String?
  }

  // Lists hand bookings on by the dozen: copies share their fields.
  @Boxed private var fields: Fields

  public subscript<Value>(dynamicMember field: WritableKeyPath<Fields, Value>) -> Value {
    _read { yield fields[keyPath: field] }
    _modify { yield &fields[keyPath: field] }
  }

  public init(
    id: String, customerID: String, stage: Stage = .new, staff: String? = nil,
    staffName: String? = nil, slaDueAt: Instant? = nil, destination: String? = nil,
    style: String? = nil, travelMonth: String? = nil, travelers: Int? = nil,
    duration: String? = nil, budget: String? = nil, notes: String? = nil,
    source: Source = Source(), idempotencyKey: String? = nil, createdAt: Instant,
    updatedAt: Instant, activities: [Activity]? = nil, bookingHash: String? = nil
  ) {
    fields = Fields(
      id: id, customerID: customerID, stage: stage, staff: staff, staffName: staffName,
      ownerID: staff, ownerName: staffName, slaDueAt: slaDueAt, destination: destination,
      style: style, travelMonth: travelMonth, travelers: travelers, duration: duration,
      budget: budget, notes: notes, source: source, idempotencyKey: idempotencyKey,
      createdAt: createdAt, updatedAt: updatedAt, activities: activities,
      bookingHash: bookingHash)
  }

  static let shape = Shape<Booking>(
    {
      id, customer, stage, staff, staffName, owner, ownerName, sla, destination, style, month,
      travelers, duration, budget, notes, source, key, created, updated, activities, hash in
      var booking = Booking(
        id: id, customerID: customer, stage: stage, staff: staff, staffName: staffName,
        slaDueAt: sla, destination: destination, style: style, travelMonth: month,
        travelers: travelers, duration: duration, budget: budget, notes: notes, source: source,
        idempotencyKey: key, createdAt: created, updatedAt: updated, activities: activities,
        bookingHash: hash)
      (booking.ownerID, booking.ownerName) = (owner, ownerName)
      return booking
    }, Field("id", \.fields.id, .text), Field("customer_id", \.fields.customerID, .text),
    Field("stage", \.fields.stage, .word), Field("staff", \.fields.staff, .optional(.text)),
    Field("staff_name", \.fields.staffName, .optional(.text)),
    Field("owner_id", \.fields.ownerID, .optional(.text)),
    Field("owner_name", \.fields.ownerName, .optional(.text)),
    Field("sla_due_at", \.fields.slaDueAt, .optional(.instant)),
    Field("destination", \.fields.destination, .optional(.text)),
    Field("style", \.fields.style, .optional(.text)),
    Field("travel_month", \.fields.travelMonth, .optional(.text)),
    Field("travelers", \.fields.travelers, .optional(.int)),
    Field("duration", \.fields.duration, .optional(.text)),
    Field("budget", \.fields.budget, .optional(.text)),
    Field("notes", \.fields.notes, .optional(.text)),
    Field("source", \.fields.source, Source.shape.coding.otherwise(Source())),
    Field("idempotency_key", \.fields.idempotencyKey, .optional(.text)),
    Field("created_at", \.fields.createdAt, .instant),
    Field("updated_at", \.fields.updatedAt, .instant),
    Field("activities", \.fields.activities, .omittable(.list(Activity.shape.coding))),
    Field("booking_hash", \.fields.bookingHash, .omittable(.text)))

  func mix(into digest: inout Digest) { fields.mix(into: &digest) }

  /// All four fields of an assignment; none takes it back.
  public mutating func assign(_ staff: String?, _ name: String?) {
    (self.staff, self.staffName, self.ownerID, self.ownerName) = (staff, name, staff, name)
  }
}

/// OP-03: the booking with its timeline (O-08) and its customer.
public struct BookingDetail: Hashable, Sendable {
  public var booking: Booking
  public var customer: Customer?

  public init(booking: Booking, customer: Customer?) {
    (self.booking, self.customer) = (booking, customer)
  }

  static let shape = Shape(
    BookingDetail.init, Field("booking", \.booking, Booking.shape.coding),
    Field("customer", \.customer, .optional(Customer.shape.coding)))
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
    (self.id, self.bookingID, self.type, self.detail, self.actor, self.createdAt) = (
      id, bookingID, type, detail, actor, createdAt
    )
  }

  static let shape = Shape(
    { id, booking, type, actor, detail, created in
      Activity(
        id: id, bookingID: booking, type: type, detail: detail, actor: actor, createdAt: created)
    },
    Field("id", \.id, .text), Field("booking_id", \.bookingID, .text),
    Field("type", \.type, .text), Field("actor", \.actor, .text),
    Field("detail", \.detail, .text), Field("created_at", \.createdAt, .instant))
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
    (
      self.id, self.name, self.email, self.phone, self.language, self.createdAt, self.updatedAt,
      self.tags
    ) = (
      id, name, email, phone, language, createdAt, updatedAt, tags
    )
  }

  static let shape = Shape(
    Customer.init, Field("id", \.id, .text), Field("name", \.name, .optional(.text)),
    Field("email", \.email, .optional(.text)), Field("phone", \.phone, .optional(.text)),
    Field("language", \.language, .optional(.text)),
    Field("created_at", \.createdAt, .optional(.instant)),
    Field("updated_at", \.updatedAt, .optional(.instant)),
    Field("tags", \.tags, .list(.text).otherwise([])))
}
