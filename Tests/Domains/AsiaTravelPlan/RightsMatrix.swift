import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

private typealias Right = AsiaTravelPlan.Right
private typealias Standing = AsiaTravelPlan.Standing

@Suite struct `The matrix of rights` {
  /// 4.11 as the specification prints it, with the rules of 4.5 (ATP-36 to ATP-50): admin, manager, accountant, staff own, staff other,
  /// staff unmapped, token without role, none.
  private static let printed: [(right: AsiaTravelPlan.Right, source: String, statuses: [String])] =
    [
      (.bootstrap, "OP-01", ["200", "200", "200", "200", "200", "200", "200", "200"]),
      (.list, "OP-02", ["200", "200", "200", "200", "200", "403", "401", "401"]),
      (.detail, "OP-03", ["200", "200", "200", "200", "403", "403", "401", "401"]),
      (.stage, "OP-04", ["200", "200", "200", "200", "403", "403", "401", "401"]),
      (.assign, "OP-05", ["200", "200", "403", "403", "403", "403", "401", "401"]),
      (.activities, "OP-06", ["200", "200", "200", "200", "403", "403", "401", "401"]),
      (.addActivity, "OP-07", ["201", "201", "403", "201", "403", "403", "401", "401"]),
      (.invoices, "OP-08", ["200", "200", "200", "200", "403", "403", "401", "401"]),
      (.directory, "OP-09", ["200", "200", "403", "403", "403", "403", "401", "401"]),
      (.addStaff, "OP-10", ["201", "201", "403", "403", "403", "403", "401", "401"]),
      (.me, "OP-11", ["200", "200", "200", "200", "200", "200", "401", "401"]),
      (.tours, "OP-13", ["200 200", "403", "200 200", "403", "403", "403", "401", "401"]),
      (.writeTours, "OP-14", ["201 200", "403", "403", "403", "403", "403", "401", "401"]),
      (.customers, "OP-15", ["200 200", "200 200", "200 200", "403", "403", "403", "401", "401"]),
      (
        .writeInvoices, "OP-16",
        ["201 200", "201 200", "403", "201 200", "403", "403", "401", "401"]
      ),
      (.requestTrip, "OP-17", ["201", "201", "201", "201", "201", "201", "201", "201"]),
    ]

  private static let users = ["alma", "mia", "carl", "ada", "ada", "una", "otto", "visitor"]

  @Test func `says what the specification prints`() {
    #expect(AsiaTravelPlan.rights.map(\.right) == Right.allCases)
    for (row, printed) in zip(AsiaTravelPlan.rights, Self.printed) {
      let statuses = Standing.allCases.map { standing in
        row.statuses(standing).map(String.init).joined(separator: " ")
      }
      #expect(row.right == printed.right && row.source == printed.source)
      #expect(statuses == printed.statuses, "\(row.source)")
      let known = AsiaTravelPlan.operations.map(\.name)
      #expect(
        row.operations.allSatisfy(known.contains) && row.statuses.count == row.operations.count)
    }
  }

  /// Well-formed requests of a row, about a booking.
  private static func requests(
    _ right: Right, _ booking: String, _ office: inout Office
  ) throws -> [AsiaTravelPlan.Request] {
    switch right {
    case .bootstrap: return [.bootstrap]
    case .list: return [.bookings(.app)]
    case .detail: return [.booking(id: booking)]
    case .stage: return [.changeStage(StageChange(booking, to: .qualified))]
    case .assign: return [.assign(Assignment(booking, to: "staff_a"))]
    case .activities: return [.activities(booking: booking)]
    case .addActivity: return [.addActivity(.note("x", on: booking))]
    case .invoices: return [.invoices(booking: booking)]
    case .directory: return [.staff(withInactive: false)]
    case .addStaff: return [.addStaff(NewStaff(name: "New", usernames: ["new"]))]
    case .me: return [.me]
    case .tours: return [.tours(TourQuery()), .tour(id: "tour_1")]
    case .writeTours:
      return [
        .addTour(TourDraft(title: "T", destinationCountries: ["Laos"], styles: ["Food"])),
        .changeTour(TourDraft(tour: "tour_1", priority: 1)),
      ]
    case .customers: return [.customers(CustomerQuery()), .customer(id: "cust_1")]
    case .writeInvoices:
      let draft = InvoiceDraft(booking: booking, items: [.init("Guide", unitAmountCents: 100)])
      let invoice = try office.ask(.addInvoice(draft), as: "alma").reply?.invoice(isNew: true)
      return [
        .addInvoice(draft),
        .changeInvoice(InvoiceDraft(booking: booking, invoice: invoice?.id ?? "inv_1", title: "t")),
      ]
    case .requestTrip: return [.requestTrip(.sample())]
    }
  }

  private static func answered(
    _ right: Right, _ standing: Standing, _ office: inout Office
  ) throws -> [Int] {
    let booking = standing == .other ? "booking_b" : "booking_a"
    return try requests(right, booking, &office).map {
      try office.status($0, as: users[standing.rawValue])
    }
  }

  @Test func `is what a direct call of each entry is answered (ATP-11)`() throws {
    for row in AsiaTravelPlan.rights {
      for standing in Standing.allCases {
        var office = try Office()
        let answered = try Self.answered(row.right, standing, &office)
        let expected = row.statuses(standing)
        #expect(
          answered == (expected.count == 1 ? answered.map { _ in expected[0] } : expected),
          "\(row.source), \(standing)")
      }
    }
  }

  @Test func `turns each entry round with the rule that says it`() throws {
    for row in AsiaTravelPlan.rights {
      for standing in Standing.allCases {
        let entry = row.entry(standing)
        guard let rule = entry.rule else { continue }
        var office = try Office(without: [rule])
        let answered = try Self.answered(row.right, standing, &office)
        let expected = entry.isAllowed ? row.statuses.map { _ in 403 } : row.statuses
        // What an unknown caller could only be told of itself is nothing.
        #expect(answered == expected, "\(row.source), \(standing) without \(rule.id)")
      }
    }
  }

  @Test func `gives several roles the union of their rights (ATP-07)`() throws {
    for rule in [nil, AsiaTravelPlan.Rule.atp07] {
      var office = try Office(without: rule.map { [$0] } ?? [])
      // Of staff and accountant: the accountant's reading, the staff's notes on own bookings.
      #expect(try office.status(.booking(id: "booking_b"), as: "dora") == (rule == nil ? 200 : 403))
      #expect(try office.status(.addActivity(.note("x", on: "booking_a")), as: "dora") == 201)
      #expect(try office.status(.addActivity(.note("x", on: "booking_b")), as: "dora") == 403)
      #expect(try office.list(.app, as: "dora").page.total == (rule == nil ? 3 : 1))
    }
  }

  @Test(
    arguments: [
      (.accountantEdits, .addActivity(.note("x", on: "booking_b")), 201),
      (.accountantAssigns, .assign(Assignment("booking_b", to: "staff_a")), 200),
      (.accountantListsStaff, .staff(withInactive: false), 200),
    ] as [(AsiaTravelPlan.Difference, AsiaTravelPlan.Request, Int)])
  func `lets an accountant do more only as built (DIF-01 to DIF-03)`(
    difference: AsiaTravelPlan.Difference, request: AsiaTravelPlan.Request, status: Int
  ) throws {
    var office = try Office()
    #expect(try office.status(request, as: "carl") == 403)
    office = try Office(with: [difference])
    #expect(try office.status(request, as: "carl") == status)
    #expect(try office.status(request, as: "ada") == 403)
  }
}

extension TripRequest {
  static func sample(_ name: String = "Linus Pauling", key: String? = nil) -> TripRequest {
    TripRequest(
      idempotencyKey: key, name: name,
      email: name.lowercased().filter { $0 != " " } + "@example.test",
      destination: "Laos", style: "Food", travelMonth: "2026-11", travelers: 2,
      duration: "9-12 days")
  }
}
