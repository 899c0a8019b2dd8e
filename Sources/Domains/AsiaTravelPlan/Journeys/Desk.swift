import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// A user of the office at the browser pages, which ask the same API: tours, customers, invoices, staff records, lists by stage (5.4 to
/// 5.6).
public final class Desk: Behaviour {
  public typealias Contract = AsiaTravelPlan
  public static let tried = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp05, .atp33, .atp42, .atp45, .atp46, .atp48, .atp49, .atp51, .atp55, .atp76, .atp77, .atp92,
    .atp94)

  private let seed: UserSeed
  private let user: SignedIn
  private var hours: WorkingHours
  private var made = 0

  public init(_ seed: UserSeed) {
    self.seed = seed
    user = SignedIn(seed.account, .backend)
    hours = WorkingHours(seed.habits)
  }

  public var begins: Instant? { seed.begins }

  public func session(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) -> Instant? {
    if me.now > seed.begins {
      switch seed.role {
      case .accountant: try await settle(as: me)
      case .manager: try await keepBooks(as: me)
      default: try await keepTours(as: me)
      }
      let isDue = me.draw(.habit) {
        $0.chance(.hours(5) / seed.habits.newStaffEvery)
      }
      if seed.assigns, isDue { try await addStaff(as: me) }
    }
    return me.draw(.agenda) {
      hours.next(
        after: me.now, perDay: 2, least: 2, drawing: &$0)
    }.at
  }

  /// A batch: what was paid, what is to be invoiced (5.5).
  private func settle(as me: Me) async throws(JourneyEnded) {
    let count = me.draw(.habit) { Int(min(100, $0.lognormal(median: 25, sigma: 0.5))) }
    let isOfPayments = me.draw(.habit) { $0.chance(0.78) }
    let from = isOfPayments ? Booking.Stage.invoiceSent : .negotiation
    let query = BookingQuery(
      pageSize: 100, stage: from.rawValue.lowercased(),
      sort: BookingOrder.latestChange.rawValue)
    let list = try await user.ask(.bookings(query), as: me)?.reply?.bookings?.page.items ?? []
    for booking in list.prefix(count) {
      _ = try await user.ask(.invoices(booking: booking.id), as: me)
      try await think(as: me)
      let next: Booking.Stage = isOfPayments ? .paymentReceived : .invoiceSent
      _ = try await user.ask(.changeStage(StageChange(booking.id, to: next)), as: me)
      if me.draw(.habit, { $0.chance(0.1) }) {
        _ = try await user.ask(.changeStage(StageChange(booking.id, to: from)), as: me)
      }
    }
    _ = try await readTours(as: me)
  }

  /// Customers, and invoices for what has been agreed upon.
  private func keepBooks(as me: Me) async throws(JourneyEnded) {
    let customers = CustomerQuery(pageSize: 10, search: "traveller")
    let list = try await user.ask(.customers(customers), as: me)?.reply?.customers
    if let first = list?.items.first { _ = try await user.ask(.customer(id: first.id), as: me) }
    let destination = me.draw(.habit) { $0.choose(AgencyRecords.destinations) }
    let query = BookingQuery(
      pageSize: 10, stage: "NEGOTIATION", search: destination,
      sort: BookingOrder.earliestDue.rawValue)
    let open = try await user.ask(.bookings(query), as: me)?.reply?.bookings?.page.items ?? []
    for booking in open.prefix(2) {
      try await think(as: me)
      let cents = me.draw(.habit) { max(100, Int($0.lognormal(median: 240_000, sigma: 0.7))) }
      let draft = InvoiceDraft(
        booking: booking.id, title: "Your journey",
        items: [InvoiceDraft.Item("Journey", quantity: 1, unitAmountCents: cents)])
      let answer = try await user.ask(.addInvoice(draft), as: me)
      guard let invoice = answer?.reply?.invoice(isNew: true) else { continue }
      _ = try await user.ask(
        .changeInvoice(InvoiceDraft(booking: booking.id, invoice: invoice.id, isSent: true)),
        as: me)
      _ = try await user.ask(.invoices(booking: booking.id), as: me)
      // The page names the assignee as older clients do (ATP-33).
      if let staff = booking.staff {
        let again = Assignment(booking: booking.id, ownerID: .to(staff))
        _ = try await user.ask(.assign(again), as: me)
      }
    }
  }

  private func readTours(as me: Me) async throws(JourneyEnded) -> [Tour] {
    let query = TourQuery(pageSize: 10, sort: "title_asc")
    let tours = try await user.ask(.tours(query), as: me)?.reply?.tours?.page.items ?? []
    if let first = tours.first { _ = try await user.ask(.tour(id: first.id), as: me) }
    return tours
  }

  /// Five reads and an edit a day (5.6).
  private func keepTours(as me: Me) async throws(JourneyEnded) {
    let tours = try await readTours(as: me)
    guard !tours.isEmpty else { return }
    let tour = me.draw(.habit) { $0.pick(tours) }
    _ = try await user.ask(.tour(id: tour.id), as: me)
    try await think(as: me)
    _ = try await user.ask(
      .changeTour(TourDraft(tour: tour.id, priority: (tour.priority + 1) % 100)), as: me)
    if me.draw(.habit, { $0.chance(0.1) }) {
      made += 1
      _ = try await user.ask(
        .addTour(
          TourDraft(
            title: "Tour \(made) of \(seed.account.username)", destinationCountries: ["Laos"],
            styles: ["Food"], durationDays: 7)), as: me)
    }
  }

  private func addStaff(as me: Me) async throws(JourneyEnded) {
    made += 1
    let name = "newcomer-\(made)-\(seed.account.username)"
    for _ in 0..<2 {
      // One in three is sent twice: the name is taken then (ATP-55).
      _ = try await user.ask(
        .addStaff(
          NewStaff(
            name: name, usernames: [name.uppercased() + " "], destinations: ["Vietnam"],
            languages: ["English"])), as: me)
      guard me.draw(.habit, { $0.chance(0.33) }) else { break }
    }
    _ = try await user.ask(.staff(withInactive: true), as: me)
  }

  private func think(as me: Me) async throws(JourneyEnded) {
    try await me.think(me.draw(.thinking) { $0.seconds(median: 12, sigma: 0.5) })
  }
}

extension Span {
  static func / (span: Span, other: Span) -> Double { span.seconds / other.seconds }
}
