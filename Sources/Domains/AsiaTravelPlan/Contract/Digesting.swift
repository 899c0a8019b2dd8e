import Contracts
import Timekeeping

/// What an agency is asked for all day, written out: the table would ask each operation in turn whether a request or a reply is its own,
/// and fold a booking by a closure for each of its fields.
extension AsiaTravelPlan {
  /// The operations in the order of the table.
  private enum Place: Int {
    case discovery, authorize, logIn, token, keySet, endSession, confirmEndSession, bootstrap
    case bookings, booking, changeStage, assign, activities, addActivity, invoices, staff, addStaff
    case me, browserMe, tours, tour, addTour, changeTour, customers, customer, addInvoice
    case changeInvoice, requestTrip, health
  }

  public static func operation(of request: Request) -> Int {
    place(of: request)?.rawValue ?? table.operation(of: request)
  }

  /// `nil` for what no operation takes, and for commands.
  private static func place(of request: Request) -> Place? {
    switch request {
    case .discovery: .discovery
    case .authorize: .authorize
    case .logIn: .logIn
    case .token: .token
    case .keySet: .keySet
    case .endSession: .endSession
    case .confirmEndSession: .confirmEndSession
    case .bootstrap: .bootstrap
    case .bookings: .bookings
    case .booking: .booking
    case .changeStage: .changeStage
    case .assign: .assign
    case .activities: .activities
    case .addActivity: .addActivity
    case .invoices: .invoices
    case .staff: .staff
    case .addStaff: .addStaff
    case .me: .me
    case .browserMe: .browserMe
    case .tours: .tours
    case .tour: .tour
    case .addTour: .addTour
    case .changeTour: .changeTour
    case .customers: .customers
    case .customer: .customer
    case .addInvoice: .addInvoice
    case .changeInvoice: .changeInvoice
    case .requestTrip: .requestTrip
    case .health: .health
    default: nil
    }
  }

  public static func fingerprint(
    of reply: Reply, to operation: Int, into digest: inout Digest
  ) {
    // A reply that several operations have is told as the first one's.
    let place: Place
    switch reply {
    case .bookings(let list):
      list.mix(into: &digest)
      place = .bookings
    case .booking(let detail):
      detail.mix(into: &digest)
      place = .booking
    case .changed(let booking):
      booking.mix(into: &digest)
      place = .changeStage
    case .activities(let timeline):
      timeline.mix(into: &digest)
      place = .activities
    case .activity(let activity):
      activity.mix(into: &digest)
      place = .addActivity
    case .redirected(let redirect):
      redirect.mix(into: &digest)
      place = .authorize
    default: return fingerprint(of: reply, into: &digest)
    }
    digest.mix(place.rawValue)
  }
}

extension BookingList {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(page.items.count)
    for booking in page.items { booking.mix(into: &digest) }
    digest.mix(page.total)
    digest.mix(page.page)
    digest.mix(page.pageSize)
    digest.mix(page.totalPages)
    digest.mix(filters != nil)
    if let filters {
      digest.mix(filters.stage?.rawValue)
      digest.mix(filters.ownerID)
      digest.mix(filters.search)
    }
    digest.mix(sort)
  }
}

extension BookingDetail {
  fileprivate func mix(into digest: inout Digest) {
    booking.mix(into: &digest)
    digest.mix(customer != nil)
    customer?.mix(into: &digest)
  }
}

extension Booking.Fields {
  func mix(into digest: inout Digest) {
    digest.mix(id)
    digest.mix(customerID)
    digest.mix(stage.rawValue)
    digest.mix(staff)
    digest.mix(staffName)
    digest.mix(ownerID)
    digest.mix(ownerName)
    digest.mix(slaDueAt)
    digest.mix(destination)
    digest.mix(style)
    digest.mix(travelMonth)
    digest.mix(travelers != nil)
    if let travelers { digest.mix(travelers) }
    digest.mix(duration)
    digest.mix(budget)
    digest.mix(notes)
    digest.mix(source.pageURL)
    digest.mix(source.utmSource)
    digest.mix(source.utmMedium)
    digest.mix(source.utmCampaign)
    digest.mix(source.referrer)
    digest.mix(idempotencyKey)
    digest.mix(createdAt)
    digest.mix(updatedAt)
    digest.mix(activities != nil)
    activities?.mix(into: &digest)
    digest.mix(bookingHash)
  }
}

extension Customer {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(id)
    digest.mix(name)
    digest.mix(email)
    digest.mix(phone)
    digest.mix(language)
    digest.mix(createdAt)
    digest.mix(updatedAt)
    digest.mix(tags.count)
    for tag in tags { digest.mix(tag) }
  }
}

extension [Activity] {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(count)
    for activity in self { activity.mix(into: &digest) }
  }
}

extension Activity {
  fileprivate func mix(into digest: inout Digest) {
    digest.mix(id)
    digest.mix(bookingID)
    digest.mix(type)
    digest.mix(actor)
    digest.mix(detail)
    digest.mix(createdAt)
  }
}

extension Redirect {
  func mix(into digest: inout Digest) {
    digest.mix(target)
    digest.mix(code != nil)
  }
}

extension Digest {
  /// A text that may be left out, as codings take it in; of an instant likewise.
  @inline(__always)
  fileprivate mutating func mix(_ text: String?) {
    mix(text != nil)
    if let text { mix(text) }
  }

  @inline(__always)
  fileprivate mutating func mix(_ instant: Instant) {
    mix(UInt64(bitPattern: instant.nanoseconds))
  }

  @inline(__always)
  fileprivate mutating func mix(_ instant: Instant?) {
    mix(instant != nil)
    if let instant { mix(instant) }
  }
}
