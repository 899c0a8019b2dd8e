import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Every entry of the matrix of rights (4.11), those that say no and those that say yes.
extension Adversary {
  static let ofMatrix = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp06, .atp07, .atp08, .atp11, .atp36, .atp37, .atp38, .atp39, .atp40, .atp41, .atp42, .atp43,
    .atp44, .atp45, .atp46, .atp47, .atp48, .atp49, .atp50, .atp53, .atp57, .atp86,
    in: "AsiaTravelPlanJourneys/Adversaries/Matrix.swift")

  /// What the operations are about.
  private struct Targets {
    var booking = ""
    var invoice = ""
    var tour = ""
    var customer = ""
  }

  func tryMatrix(as me: Me) async throws(JourneyEnded) {
    var targets = Targets()
    let tours = try await ask(.tours(TourQuery(pageSize: 5)), as: .admin, me)
    let customers = try await ask(.customers(CustomerQuery(pageSize: 5)), as: .admin, me)
    targets.tour = tours?.reply?.tours?.page.items.first?.id ?? ""
    if targets.tour.isEmpty { targets.tour = try await aTour(me) }
    targets.customer = customers?.reply?.customers?.items.first?.id ?? "cust_unknown"
    for row in AsiaTravelPlan.rights {
      for standing in AsiaTravelPlan.Standing.allCases {
        targets.booking = pick(standing == .other ? others : own, me)
        for operation in row.operations {
          if operation == "changeInvoice" {
            guard let invoice = try await anInvoice(of: targets.booking, me) else { continue }
            targets.invoice = invoice
          }
          guard let request = request(operation, of: targets) else { continue }
          _ = try await ask(request, as: standing, me)
          try await me.think(.seconds(1))
        }
      }
    }
  }

  // A request stays well formed where the list or the tour was not answered: without a name its path would be another one.
  private func aTour(_ me: Me) async throws(JourneyEnded) -> String {
    try await ask(.addTour(newTour()), as: .admin, me)?.reply?.tourWritten(isNew: true)?.id
      ?? "tour_unknown"
  }

  private func anInvoice(of booking: String, _ me: Me) async throws(JourneyEnded) -> String? {
    let list = try await ask(.invoices(booking: booking), as: .admin, me)?.reply?.invoices
    if let first = list?.first { return first.id }
    return try await ask(.addInvoice(draft(booking)), as: .admin, me)?.reply?.invoice(isNew: true)?
      .id
  }

  func draft(_ booking: String) -> InvoiceDraft {
    InvoiceDraft(
      booking: booking, items: [InvoiceDraft.Item("Journey", quantity: 2, unitAmountCents: 950)])
  }

  /// A well-formed request of an operation of the matrix.
  private func request(_ operation: String, of targets: Targets) -> AsiaTravelPlan.Request? {
    let booking = targets.booking
    return switch operation {
    case "bootstrap": .bootstrap
    case "bookings": .bookings(BookingQuery())
    case "booking": .booking(id: booking)
    case "changeStage": .changeStage(StageChange(booking, to: .negotiation))
    case "assign":
      .assign(
        Assignment(
          booking, to: own.contains(booking) ? corner.record : corner.colleague))
    case "activities": .activities(booking: booking)
    case "addActivity": .addActivity(.note(fresh("By hand"), on: booking))
    case "invoices": .invoices(booking: booking)
    case "staff": .staff(withInactive: false)
    case "addStaff": .addStaff(newStaff())
    case "me": .me
    case "tours": .tours(TourQuery())
    case "tour": .tour(id: targets.tour)
    case "addTour": .addTour(newTour())
    case "changeTour": .changeTour(TourDraft(tour: targets.tour, priority: 1 + round % 90))
    case "customers": .customers(CustomerQuery())
    case "customer": .customer(id: targets.customer)
    case "addInvoice": .addInvoice(draft(booking))
    case "changeInvoice":
      .changeInvoice(
        InvoiceDraft(booking: booking, invoice: targets.invoice, notes: fresh("Noted")))
    case "requestTrip": .requestTrip(trip())
    default: nil
    }
  }

  func newStaff() -> NewStaff {
    let name = fresh("by-hand")
    return NewStaff(name: name, usernames: [name])
  }

  func newTour() -> TourDraft {
    TourDraft(title: fresh("By hand"), destinationCountries: ["Laos"], styles: ["Food"])
  }

  func trip(key: String? = nil) -> TripRequest {
    let name = fresh("by-hand")
    return TripRequest(
      idempotencyKey: key ?? name,
      name: "Adversary \(String(avalanche(stableHash(name)), radix: 16))",
      email: name + "@adversary.test", destination: "Laos", style: "Food",
      travelMonth: "2026-11", travelers: 2, duration: "3-5 days")
  }
}
