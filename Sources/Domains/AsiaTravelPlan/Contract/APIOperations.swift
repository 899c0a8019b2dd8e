import Contracts

extension AsiaTravelPlan {
  public static let bootstrap = Endpoint<Self>(
    "bootstrap", "What the app has to know before anything else", source: "OP-01", "GET",
    "/public/v1/mobile/bootstrap", access: .open, asks: .bootstrap,
    answers: [.json(Bootstrap.shape, Reply.bootstrap, \.bootstrap)])

  public static let bookings = Endpoint<Self>(
    "bookings", "A page of bookings", source: "OP-02", "GET", "/api/v1/bookings",
    asks: BookingQuery.shape, Request.bookings, \.bookings,
    answers: [.json(BookingList.shape, Reply.bookings, \.bookings)], refuses: [.forbidden])

  public static let booking = Endpoint<Self>(
    "booking", "One booking", source: "OP-03", "GET", "/api/v1/bookings/{bookingId}",
    asks: inPath("bookingId"), Request.booking(id:), \.booking,
    answers: [.json(BookingDetail.shape, Reply.booking, \.booking)],
    refuses: [.forbidden, .bookingNotFound])

  public static let changeStage = Endpoint<Self>(
    "changeStage", "Change the stage of a booking", source: "OP-04", "PATCH",
    "/api/v1/bookings/{bookingId}/stage", body: .lenientJSON, asks: StageChange.shape,
    Request.changeStage, \.changeStage, answers: [changed],
    refuses: [
      .invalidJSON, .invalidStage, .bookingNotFound, .forbidden, .transitionNotAllowed,
      .payloadTooLarge,
    ])

  public static let assign = Endpoint<Self>(
    "assign", "Assign a booking, or take it back", source: "OP-05", "PATCH",
    "/api/v1/bookings/{bookingId}/owner", body: .lenientJSON, asks: Assignment.shape,
    Request.assign, \.assign, answers: [changed],
    refuses: [
      .invalidJSON, .bookingNotFound, .forbidden, .staffNotFoundOrInactive, .transitionNotAllowed,
      .payloadTooLarge,
    ])

  public static let activities = Endpoint<Self>(
    "activities", "Timeline of a booking", source: "OP-06", "GET",
    "/api/v1/bookings/{bookingId}/activities", asks: inPath("bookingId"),
    Request.activities(booking:), \.activities,
    answers: [
      .json(
        Shape(
          { $0 },
          Field("activities", \.self, .list(Activity.shape.coding)).also("items", isChecked: false)
            .then("total", .int, isChecked: false, \.count)), Reply.activities, \.activities)
    ], refuses: [.forbidden, .bookingNotFound])

  public static let addActivity = Endpoint<Self>(
    "addActivity", "Add a note to a booking", source: "OP-07", "POST",
    "/api/v1/bookings/{bookingId}/activities", body: .lenientJSON, asks: NewActivity.shape,
    Request.addActivity, \.addActivity,
    answers: [
      .json(
        Shape({ $0 }, Field("activity", \.self, Activity.shape.coding)), Reply.activity,
        \.activity, status: 201)
    ], refuses: [.invalidJSON, .typeRequired, .bookingNotFound, .forbidden, .payloadTooLarge])

  public static let invoices = Endpoint<Self>(
    "invoices", "Invoices of a booking", source: "OP-08", "GET",
    "/api/v1/bookings/{bookingId}/invoices", asks: inPath("bookingId"),
    Request.invoices(booking:), \.invoices,
    answers: [.json(counted(Invoice.shape.coding), Reply.invoices, \.invoices)],
    refuses: [.forbidden, .bookingNotFound])

  public static let staff = Endpoint<Self>(
    "staff", "The staff directory", source: "OP-09", "GET", "/api/v1/staff",
    asks: Shape(
      { $0 },
      Field(
        "active", \.self,
        Coding<String>.text.converted(
          to: { $0 == "false" }, from: { it, _ in it ? "false" : "true" }
        )
        .otherwise(false), in: .query, "false includes inactive records")),
    Request.staff(withInactive:), \.staff,
    answers: [.json(counted(StaffRecord.shape.coding), Reply.staff, \.staff)],
    refuses: [.forbidden])

  public static let addStaff = Endpoint<Self>(
    "addStaff", "Create a staff record", source: "OP-10", "POST", "/api/v1/staff",
    body: .lenientJSON, asks: NewStaff.shape, Request.addStaff, \.addStaff,
    answers: [
      .json(
        Shape({ $0 }, Field("staff", \.self, StaffRecord.shape.coding)), Reply.staffRecord,
        \.staffRecord, status: 201)
    ],
    refuses: [
      .forbidden, .invalidJSON, .nameRequired, .usernameRequired, .usernameInUse, .payloadTooLarge,
    ])

  public static let me = Endpoint<Self>(
    "me", "Who the caller is", source: "OP-11", "GET", "/api/v1/me", asks: .me,
    answers: [.json(Identity.shape, Reply.identity, \.identity)])

  public static let browserMe = Endpoint<Self>(
    "browserMe", "Who the browser's user is", source: "OP-12", "GET", "/auth/me", access: .open,
    asks: .browserMe,
    answers: [
      .json(
        Identity.shape, Reply.identity, \.identity,
        headers: { _ in [WireHeader("Cache-Control", "no-store")] })
    ])

  public static let tours = Endpoint<Self>(
    "tours", "A page of tours", source: "OP-13", "GET", "/api/v1/tours", asks: TourQuery.shape,
    Request.tours, \.tours, answers: [.json(TourList.shape, Reply.tours, \.tours)],
    refuses: [.forbidden])

  public static let tour = Endpoint<Self>(
    "tour", "One tour", source: "OP-13", "GET", "/api/v1/tours/{tourId}", asks: inPath("tourId"),
    Request.tour(id:), \.tour, answers: [.json(TourDetail.shape, Reply.tour, \.tour)],
    refuses: [.forbidden, .tourNotFound])

  public static let addTour = Endpoint<Self>(
    "addTour", "Create a tour", source: "OP-14", "POST", "/api/v1/tours", body: .lenientJSON,
    asks: TourDraft.new, Request.addTour, \.addTour, answers: [written(isNew: true)],
    refuses: [
      .forbidden, .invalidJSON, .titleRequired, .countriesRequired, .stylesRequired,
      .payloadTooLarge,
    ])

  public static let changeTour = Endpoint<Self>(
    "changeTour", "Change a tour", source: "OP-14", "PATCH", "/api/v1/tours/{tourId}",
    body: .lenientJSON, asks: TourDraft.change, Request.changeTour, \.changeTour,
    answers: [written(isNew: false)],
    refuses: [
      .forbidden, .invalidJSON, .tourNotFound, .tourIDFixed, .titleRequired, .countriesRequired,
      .stylesRequired, .payloadTooLarge,
    ])

  public static let customers = Endpoint<Self>(
    "customers", "A page of customers", source: "OP-15", "GET", "/api/v1/customers",
    asks: CustomerQuery.shape, Request.customers, \.customers,
    answers: [.json(Paged.shape(Customer.shape.coding), Reply.customers, \.customers)],
    refuses: [.forbidden])

  public static let customer = Endpoint<Self>(
    "customer", "One customer", source: "OP-15", "GET", "/api/v1/customers/{customerId}",
    asks: inPath("customerId"), Request.customer(id:), \.customer,
    answers: [
      .json(
        Shape({ $0 }, Field("customer", \.self, Customer.shape.coding)), Reply.customer,
        \.customer)
    ], refuses: [.forbidden, .customerNotFound])

  public static let addInvoice = Endpoint<Self>(
    "addInvoice", "Create an invoice", source: "OP-16", "POST",
    "/api/v1/bookings/{bookingId}/invoices", body: .lenientJSON, asks: InvoiceDraft.new,
    Request.addInvoice, \.addInvoice, answers: [invoice(isNew: true)],
    refuses: [
      .invalidJSON, .bookingNotFound, .forbidden, .itemRequired, .bookingCustomerNotFound,
      .payloadTooLarge,
    ])

  public static let changeInvoice = Endpoint<Self>(
    "changeInvoice", "Change an invoice", source: "OP-16", "PATCH",
    "/api/v1/bookings/{bookingId}/invoices/{invoiceId}", body: .lenientJSON,
    asks: InvoiceDraft.change, Request.changeInvoice, \.changeInvoice,
    answers: [invoice(isNew: false)],
    refuses: [
      .invalidJSON, .bookingNotFound, .forbidden, .invoiceNotFound, .itemRequired,
      .payloadTooLarge,
    ])

  public static let requestTrip = Endpoint<Self>(
    "requestTrip", "A website visitor asks for a trip", source: "OP-17", "POST",
    "/public/v1/bookings", body: .lenientJSON, access: .open, asks: TripRequest.shape,
    Request.requestTrip, \.requestTrip,
    answers: [accepted(isNew: true), accepted(isNew: false)],
    refuses: [.invalidJSON, .missingFields, .invalidEmail, .invalidTravelers, .payloadTooLarge])

  public static let health = Endpoint<Self>(
    "health", "Whether the backend is up", source: "OP-18", "GET", "/health", access: .open,
    asks: .health, answers: [.json(Health.shape, Reply.health, \.health)])

  // MARK: What several have

  private static func inPath(_ name: String) -> Shape<String> {
    Shape({ $0 }, Field(name, \.self, .text, in: .path))
  }

  /// `items` with `total`, the backend's own addition.
  private static func counted<Item: Sendable>(_ item: Coding<Item>) -> Shape<[Item]> {
    Shape(
      { $0 },
      Field("items", { $0 }, .list(item)).then("total", .int, isChecked: false) { $0.count })
  }

  private static let changed = ReplyForm<Self>.json(
    Shape({ $0 }, Field("booking", \.self, Booking.shape.coding)), Reply.changed, \.changed)

  private static func written(isNew: Bool) -> ReplyForm<Self> {
    .json(
      Shape({ $0 }, Field("tour", \.self, Tour.shape.coding)),
      { .tourWritten($0, isNew: isNew) }, { $0.tourWritten(isNew: isNew) },
      status: isNew ? 201 : 200)
  }

  private static func invoice(isNew: Bool) -> ReplyForm<Self> {
    .json(
      Shape({ $0 }, Field("invoice", \.self, Invoice.shape.coding)),
      { .invoice($0, isNew: isNew) }, { $0.invoice(isNew: isNew) }, status: isNew ? 201 : 200)
  }

  private static func accepted(isNew: Bool) -> ReplyForm<Self> {
    .json(
      TripAccepted.shape, { .accepted($0, isNew: isNew) }, { $0.accepted(isNew: isNew) },
      status: isNew ? 201 : 200)
  }
}
