import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Forms that are filled in wrongly, or twice: the website's, staff records, tours, invoices.
extension Adversary {
  static let ofForms = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp42, .atp44, .atp45, .atp54, .atp55, .atp56, .atp88, .atp89, .atp90, .atp93, .atp94, .atp95,
    .atp99, .atp103,
    in: "AsiaTravelPlanJourneys/Adversaries/Forms.swift")

  func misuseForms(as me: Me) async throws(JourneyEnded) {
    try await misuseWebsite(as: me)
    try await misuseStaff(as: me)
    var tour = newTour()
    tour.title = " "
    _ = try await ask(.addTour(tour), as: .admin, me)
    tour = newTour()
    tour.styles = []
    _ = try await ask(.addTour(tour), as: .admin, me)
    _ = try await ask(.changeTour(TourDraft(tour: "tour_unknown", title: "x")), as: .admin, me)
    _ = try await ask(.tour(id: "tour_unknown"), as: .accountant, me)
    _ = try await ask(.customer(id: "cust_unknown"), as: .manager, me)
    let booking = pick(own, me)
    _ = try await ask(.addInvoice(InvoiceDraft(booking: booking)), as: .own, me)
    _ = try await ask(.addInvoice(draft("booking_unknown")), as: .manager, me)
    _ = try await ask(
      .changeInvoice(InvoiceDraft(booking: booking, invoice: "inv_unknown", isSent: true)),
      as: .own, me)
    let answer = try await ask(.addInvoice(draft(booking)), as: .own, me)
    if let invoice = answer?.reply?.invoice(isNew: true) {
      for isSent in [true, false] {
        _ = try await ask(
          .changeInvoice(InvoiceDraft(booking: booking, invoice: invoice.id, isSent: isSent)),
          as: .own, me)
      }
      _ = try await ask(
        .changeInvoice(
          InvoiceDraft(booking: booking, invoice: invoice.id, title: "Changed", dueAmountCents: -5)),
        as: .own, me)
      // A later one, and then a change of the first.
      _ = try await ask(.addInvoice(draft(booking)), as: .own, me)
      let items = [InvoiceDraft.Item("Journey", quantity: 3, unitAmountCents: 700)]
      _ = try await ask(
        .changeInvoice(InvoiceDraft(booking: booking, invoice: invoice.id, items: items)),
        as: .own, me)
    }
    _ = try await ask(.invoices(booking: booking), as: .own, me)
    // Methods and paths that there are not (3.3, ATP-95).
    for unread in [
      Unread.unrouted(Unread.Unrouted("OPTIONS", "/api/v1/bookings", service: 0, allowed: [])),
      .unrouted(Unread.Unrouted("DELETE", "/api/v1/bookings", service: 0, allowed: [])),
    ] {
      _ = try await ask(.unread(unread), as: .manager, me)
      _ = try await me.ask(.unread(unread))
    }
  }

  private func misuseWebsite(as me: Me) async throws(JourneyEnded) {
    let key = fresh("key-" + me.name)
    let first = trip(key: key)
    for _ in 0..<2 { _ = try await me.ask(.requestTrip(first)) }
    var other = trip(key: key)
    _ = try await me.ask(.requestTrip(other))
    other.email = "no address"
    _ = try await me.ask(.requestTrip(other))
    // The same customer: by e-mail, by the digits of the phone, by a name that is nearly the same (ATP-90).
    var again = trip()
    (again.email, again.phone) = (first.email?.uppercased(), "+84 (0) 24 \(1_000_000 + round)")
    _ = try await me.ask(.requestTrip(again))
    var third = trip()
    third.phone = "+84024\(1_000_000 + round)"
    _ = try await me.ask(.requestTrip(third))
    var fourth = trip()
    fourth.name = third.name.map { $0 + "x" }
    let accepted = try await me.ask(.requestTrip(fourth)).reply?.accepted(isNew: true)
    for travelers in [nil, 0, 31, 30] {
      var asked = trip()
      asked.travelers = travelers
      _ = try await me.ask(.requestTrip(asked))
    }
    var empty = trip()
    (empty.name, empty.style) = (" ", nil)
    _ = try await me.ask(.requestTrip(empty))
    if let accepted {
      _ = try await ask(.booking(id: accepted.bookingID), as: .manager, me)
      _ = try await ask(.customer(id: accepted.customerID), as: .manager, me)
      _ = try await ask(.bookings(BookingQuery(search: fourth.name)), as: .manager, me)
      let given = Assignment(accepted.bookingID, to: corner.colleague)
      _ = try await ask(.assign(given), as: .admin, me)
    }
  }

  private func misuseStaff(as me: Me) async throws(JourneyEnded) {
    let staff = newStaff()
    _ = try await ask(.addStaff(staff), as: .manager, me)
    for other in [
      NewStaff(name: "Other", usernames: staff.usernames?.map { " \($0.uppercased()) " }),
      NewStaff(name: " ", usernames: ["x"]), NewStaff(name: "No name", usernames: [" "]),
      NewStaff(name: "Part", usernames: [fresh("adversary-staff-part")]),
      NewStaff(name: "Inactive", usernames: ["adversary-inactive"]),
    ] { _ = try await ask(.addStaff(other), as: .admin, me) }
    for withInactive in [true, false] {
      _ = try await ask(.staff(withInactive: withInactive), as: .manager, me)
    }
    _ = try await ask(.booking(id: pick(own, me)), as: .own, me)
  }
}
