import Contracts

/// What the operator loads the agency with (8.2): added to what is there, each id once.
public struct Fixture: Hashable, Sendable {
  public var staff: [StaffRecord]
  public var customers: [Customer]
  /// With their timelines.
  public var bookings: [Booking]
  public var invoices: [Invoice]
  public var tours: [Tour]

  public init(
    staff: [StaffRecord] = [], customers: [Customer] = [], bookings: [Booking] = [],
    invoices: [Invoice] = [], tours: [Tour] = []
  ) {
    (self.staff, self.customers, self.bookings) = (staff, customers, bookings)
    (self.invoices, self.tours) = (invoices, tours)
  }

  static let shape = Shape(
    Fixture.init,
    Field("staff", \.staff, .list(StaffRecord.shape.coding).otherwise([]), "staff records"),
    Field("customers", \.customers, .list(Customer.shape.coding).otherwise([]), "customers"),
    Field(
      "bookings", \.bookings, .list(Booking.shape.coding).otherwise([]),
      "bookings with their activities"),
    Field("invoices", \.invoices, .list(Invoice.shape.coding).otherwise([]), "invoices"),
    Field("tours", \.tours, .list(Tour.shape.coding).otherwise([]), "tours"))
}

/// What the harness sees of the agency: everything, or what has changed since an earlier look.
public struct Inspection: Hashable, Sendable {
  public var extent: LookExtent
  public var staff: [StaffRecord]
  /// With their timelines.
  public var bookings: [Booking]

  public init(extent: LookExtent, staff: [StaffRecord], bookings: [Booking]) {
    (self.extent, self.staff, self.bookings) = (extent, staff, bookings)
  }

  static let shape = Shape(
    Inspection.init, Field(\.extent, LookExtent.shape),
    Field("staff", \.staff, .counted(StaffRecord.shape.coding)),
    Field("bookings", \.bookings, .counted(Booking.shape.coding)))
}
