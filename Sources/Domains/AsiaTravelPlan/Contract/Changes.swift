import Contracts

/// OP-04. What the body may hold beside the stage changes nothing (ATP-51, ATP-87).
public struct StageChange: Hashable, Sendable {
  public var booking: String
  /// In any case, with blanks around it.
  public var stage: String?
  /// Where the backend uses hashes (O-01).
  public var hash: String?
  public var staff: String?
  public var notes: String?
  public var isNull: Bool

  public init(
    booking: String, stage: String?, hash: String? = nil, staff: String? = nil,
    notes: String? = nil, isNull: Bool = false
  ) {
    (self.booking, self.stage, self.hash) = (booking, stage, hash)
    (self.staff, self.notes, self.isNull) = (staff, notes, isNull)
  }

  public init(_ booking: String, to stage: Booking.Stage) {
    self.init(booking: booking, stage: stage.rawValue)
  }

  static let shape = Shape(
    StageChange.init, Field("bookingId", \.booking, .text, in: .path),
    Field("stage", \.stage, .said).demanded, Field("booking_hash", \.hash, .said),
    Field("staff", \.staff, .said), Field("notes", \.notes, .said), .isNull(\.isNull))
}

/// OP-05: whom a booking is assigned to; what the body may hold beside that changes nothing (ATP-51, ATP-87).
public struct Assignment: Hashable, Sendable {
  public var booking: String
  public var staff: Edit<String?>
  /// The same by its older name; it counts where both are given (ATP-82).
  public var ownerID: Edit<String?>
  /// Where the backend uses hashes (O-01).
  public var hash: String?
  public var stage: String?
  public var notes: String?
  public var isNull: Bool

  public init(
    booking: String, staff: Edit<String?> = .unchanged, ownerID: Edit<String?> = .unchanged,
    hash: String? = nil, stage: String? = nil, notes: String? = nil, isNull: Bool = false
  ) {
    (self.booking, self.staff, self.ownerID, self.hash) = (booking, staff, ownerID, hash)
    (self.stage, self.notes, self.isNull) = (stage, notes, isNull)
  }

  /// As the app sends it: `null` takes the booking back.
  public init(_ booking: String, to staff: String?) {
    self.init(booking: booking, staff: .to(staff))
  }

  static let shape = Shape(
    Assignment.init, Field("bookingId", \.booking, .text, in: .path),
    Field("staff", \.staff, .change(.saidOrNull)),
    Field("owner_id", \.ownerID, .change(.saidOrNull)), Field("booking_hash", \.hash, .said),
    Field("stage", \.stage, .said), Field("notes", \.notes, .said), .isNull(\.isNull))
}

/// OP-07.
public struct NewActivity: Hashable, Sendable {
  public var booking: String
  public var type: String?
  public var detail: String?
  /// Accepted and ignored (ATP-84).
  public var actor: String?
  public var isNull: Bool

  public init(
    booking: String, type: String?, detail: String?, actor: String? = nil, isNull: Bool = false
  ) {
    (self.booking, self.type, self.detail) = (booking, type, detail)
    (self.actor, self.isNull) = (actor, isNull)
  }

  /// As the app sends it.
  public static func note(_ detail: String, on booking: String) -> NewActivity {
    NewActivity(booking: booking, type: "NOTE", detail: detail)
  }

  static let shape = Shape(
    NewActivity.init, Field("bookingId", \.booking, .text, in: .path),
    Field("type", \.type, .said).demanded, Field("detail", \.detail, .said).demanded,
    Field("actor", \.actor, .said), .isNull(\.isNull))
}

/// OP-17: what the website's form sends.
public struct TripRequest: Hashable, Sendable {
  public var idempotencyKey: String?
  public var name: String?
  public var email: String?
  public var destination: String?
  public var style: String?
  public var travelMonth: String?
  public var travelers: Int?
  public var duration: String?
  public var phone: String?
  public var language: String?
  public var budget: String?
  public var notes: String?
  public var source: Booking.Source
  public var isNull: Bool

  public init(
    idempotencyKey: String? = nil, name: String?, email: String?, destination: String?,
    style: String?, travelMonth: String?, travelers: Int?, duration: String?,
    phone: String? = nil, language: String? = nil, budget: String? = nil, notes: String? = nil,
    source: Booking.Source = Booking.Source(), isNull: Bool = false
  ) {
    (self.idempotencyKey, self.name, self.email) = (idempotencyKey, name, email)
    (self.destination, self.style, self.travelMonth) = (destination, style, travelMonth)
    (self.travelers, self.duration, self.phone) = (travelers, duration, phone)
    (self.language, self.budget, self.notes) = (language, budget, notes)
    (self.source, self.isNull) = (source, isNull)
  }

  private static let form = Shape(
    Booking.Source.init, Field("pageUrl", \.pageURL, .said),
    Field("utm_source", \.utmSource, .said), Field("utm_medium", \.utmMedium, .said),
    Field("utm_campaign", \.utmCampaign, .said), Field("referrer", \.referrer, .said))

  static let shape = Shape(
    TripRequest.init,
    Field("Idempotency-Key", \.idempotencyKey, .omittable(.text), in: .header),
    Field("name", \.name, .said).demanded, Field("email", \.email, .said).demanded,
    Field("destination", \.destination, .said).demanded, Field("style", \.style, .said).demanded,
    Field("travelMonth", \.travelMonth, .said).demanded,
    Field("travelers", \.travelers, .wholeOrNone).demanded,
    Field("duration", \.duration, .said).demanded, Field("phone", \.phone, .said),
    Field("language", \.language, .said), Field("budget", \.budget, .said),
    Field("notes", \.notes, .said), Field(\.source, form), .isNull(\.isNull))
}

/// The answer to OP-17.
public struct TripAccepted: Hashable, Sendable {
  public var bookingID: String
  public var customerID: String
  /// Whether the booking, or its customer, was there already (ATP-89, ATP-90).
  public var isDeduplicated: Bool

  public init(bookingID: String, customerID: String, isDeduplicated: Bool) {
    (self.bookingID, self.customerID) = (bookingID, customerID)
    self.isDeduplicated = isDeduplicated
  }

  static let shape = Shape(
    TripAccepted.init, Field("booking_id", \.bookingID, .text),
    Field("customer_id", \.customerID, .text)
      .then("status", .text, isChecked: false) { _ in "accepted" },
    Field("deduplicated", \.isDeduplicated, .flag))
}
