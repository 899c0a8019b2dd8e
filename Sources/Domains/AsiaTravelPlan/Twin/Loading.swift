import AsiaTravelPlanContract
import Contracts

/// What the operator loads, and what the harness sees (8.2).
extension AgencyTwin {
  /// What is known by its id already stays as it is, but for staff records and tours.
  mutating func load(_ fixture: Fixture) throws(AsiaTravelPlan.Refusal) {
    for record in fixture.staff { try set(record) }
    for customer in fixture.customers where customers.customer(customer.id) == nil {
      customers.set(customer)
    }
    var ids: Set<String> = []
    let new = fixture.bookings.filter {
      bookings.known($0.id) == nil && ids.insert($0.id).inserted
    }
    let numbers = bookings.insert(new.map { (bare($0), $0.activities ?? []) })
    for (number, booking) in zip(numbers, new) {
      customers.note(booking: number, of: booking.customerID)
      describe(number)
      changes.note(number)
    }
    for invoice in fixture.invoices {
      guard let number = bookings.known(invoice.bookingID),
        !bookings[number].invoices.contains(where: { $0.id == invoice.id })
      else { continue }
      note(invoiceNumber: invoice.invoiceNumber)
      bookings.change(number) { $0.invoices.append(invoice) }
    }
    tours.set(fixture.tours)
  }

  /// As the store keeps a booking of a fixture.
  private func bare(_ booking: Booking) -> Booking {
    var bare = booking
    (bare.activities, bare.bookingHash) = (nil, nil)
    let name = booking.staff.flatMap { staff.known($0) }.map { staff.records[$0].name }
    bare.assign(booking.staff, booking.staffName ?? name)
    return bare
  }

  mutating func inspection(since: Int) -> Inspection {
    let changed = changes.look(since: since)
    let shown = changed ?? Array(bookings.indices)
    return Inspection(
      extent: LookExtent(since: changed == nil ? 0 : since, look: changes.look),
      staff: staff.records,
      bookings: shown.map { number in
        var booking = bookings[number].booking
        booking.activities = bookings[number].timeline
        return booking
      })
  }
}
