import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@testable import AsiaTravelPlanTwin

@Suite struct `A busy agency` {
  /// Fifty notes of one instant.
  private static func notes(_ office: inout Office) throws -> (
    confirmed: [Activity], kept: [Activity]
  ) {
    let confirmed = try (0..<50).map { number in
      let note = NewActivity.note("note \(number)", on: number % 2 == 0 ? "booking_a" : "booking_b")
      return try #require(try office.ask(.addActivity(note), as: "mia").reply?.activity)
    }
    office.wait(.seconds(10))
    let kept =
      try office.timeline("booking_a").dropFirst() + office.timeline("booking_b").dropFirst()
    return (confirmed, Array(kept))
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp97])
  func `keeps each confirmed note once, with an id of its own (ATP-97)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    let (confirmed, kept) = try Self.notes(&office)
    #expect(Set(confirmed.map(\.id)).count == 50)
    #expect(kept.count == (rule == nil ? 50 : 1))
    if rule == nil { #expect(Set(kept) == Set(confirmed)) }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp98])
  func `keeps parallel changes of different fields (ATP-98)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    _ = try office.ask(.changeStage(StageChange("booking_c", to: .qualified)), as: "mia")
    _ = try office.ask(.assign(Assignment("booking_c", to: "staff_a")), as: "alma")
    let booking = try office.booking("booking_c")
    #expect(booking.staff == "staff_a" && booking.stage == (rule == nil ? .qualified : .won))
    #expect(booking.activities?.count == (rule == nil ? 3 : 2))
    // One after the other nothing is lost.
    office.wait(.milliseconds(5))
    _ = try office.ask(.changeStage(StageChange("booking_c", to: .lost)), as: "mia")
    #expect(try office.booking("booking_c").staff == "staff_a")
    #expect(try office.booking("booking_c").activities?.last?.detail == "Stage updated to LOST")
  }

  @Test func `loses parallel writes as built, and none that come one after the other (DIF-05)`()
    throws
  {
    var office = try Office(with: [.lostUpdates])
    let (confirmed, kept) = try Self.notes(&office)
    #expect(confirmed.count == 50 && kept == [confirmed[49]])
    for _ in 0..<3 {
      _ = try office.ask(.addActivity(.note("x", on: "booking_c")), as: "mia")
      office.wait(.milliseconds(5))
    }
    #expect(try office.timeline("booking_c").count == 4)
    // The lists go back, too.
    _ = try office.ask(.assign(Assignment("booking_c", to: "staff_a")), as: "mia")
    _ = try office.ask(.addActivity(.note("x", on: "booking_b")), as: "mia")
    #expect(try office.list(.app, as: "ada").page.items.map(\.id) == ["booking_a"])
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp96, .atp05])
  func `shows a confirmed write to every later read (ATP-96, ATP-05)`(rule: AsiaTravelPlan.Rule?)
    throws
  {
    var office = try Office(without: rule.map { [$0] } ?? [])
    _ = try office.ask(.changeStage(StageChange("booking_a", to: .won)), as: "ada")
    office.wait(.milliseconds(100))
    func stage(_ user: String) throws -> Booking.Stage? {
      try office.ask(.booking(id: "booking_a"), as: user).reply?.booking?.booking.stage
    }
    #expect(try stage("ada") == (rule == .atp96 ? .negotiation : .won))
    #expect(try stage("mia") == (rule == nil ? .won : .negotiation))
    office.wait(.seconds(2))
    #expect(try stage("mia") == .won)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp99])
  func `answers reads while others write (ATP-99, DIF-06)`(rule: AsiaTravelPlan.Rule?) throws {
    for isBuilt in [false, true] {
      var office = try Office(
        without: rule.map { [$0] } ?? [], with: isBuilt ? [.tornReads] : [])
      _ = try office.ask(.addActivity(.note("x", on: "booking_a")), as: "ada")
      let isTorn = rule != nil || isBuilt
      #expect(try office.status(.bookings(.app), as: "mia") == (isTorn ? 500 : 200))
      office.wait(.milliseconds(5))
      #expect(try office.status(.bookings(.app), as: "mia") == 200)
    }
  }

  @Test func `stumbles over the body null as built (DIF-08)`() throws {
    let requests: [AsiaTravelPlan.Request] = [
      .changeStage(StageChange(booking: "booking_a", stage: nil, isNull: true)),
      .assign(Assignment(booking: "booking_a", isNull: true)),
      .addActivity(NewActivity(booking: "booking_a", type: nil, detail: nil, isNull: true)),
      .addStaff(NewStaff(name: nil, usernames: nil, isNull: true)),
    ]
    var (sound, built) = (try Office(), try Office(with: [.nullBody500]))
    #expect(try requests.map { try sound.status($0, as: "alma") } == [422, 200, 422, 422])
    #expect(try requests.map { try built.status($0, as: "alma") } == [500, 500, 500, 500])
    #expect(try built.status(requests[0], as: "visitor") == 401)
    #expect(
      try built.status(.changeStage(StageChange(booking: "booking_a", stage: nil)), as: "alma")
        == 422)
  }

  @Test func `takes no assignment back as built, and says that it does (DIF-04)`() throws {
    var office = try Office(with: [.unassignIgnored])
    let changed = try office.ask(.assign(Assignment("booking_a", to: nil)), as: "mia").reply?
      .changed
    #expect(changed?.staff == "staff_a")
    #expect(try office.timeline("booking_a").last?.detail == "Staff unassigned")
  }

  @Test func `shows the harness what has changed since its last look (8.2)`() throws {
    var office = try Office()
    func look(_ since: Int) throws -> Inspection {
      let handled = office.line.twin.handle(.inspect(since: since), from: .harness, at: office.now)
      guard case .now(.success(.inspection(let inspection))) = handled.answer else {
        throw ControlProblem("nothing to see")
      }
      return inspection
    }
    let first = try look(0)
    #expect(
      first.extent.isWhole && first.bookings.map(\.id) == ["booking_a", "booking_b", "booking_c"])
    #expect(first.bookings.allSatisfy { $0.activities?.count == 1 } && first.staff.count == 3)
    _ = try office.ask(.addActivity(.note("x", on: "booking_b")), as: "mia")
    let second = try look(first.extent.look)
    #expect(!second.extent.isWhole && second.bookings.map(\.id) == ["booking_b"])
    #expect(try look(second.extent.look).bookings.isEmpty)
  }

  @Test func `is loaded with what a document says, once (8.2)`() throws {
    var office = try Office()
    let document = JSON(
      parsing: Array(
        #"""
        {"bookings": [{"id": "booking_j", "customer_id": "cust_1", "stage": "WON", "staff": "staff_a",
        "created_at": "2026-02-01T08:00:00.000Z", "updated_at": "2026-02-01T08:00:00.000Z"}],
        "invoices": [{"id": "inv_j", "booking_id": "booking_j", "version": 1, "status": "DRAFT",
        "currency": "USD", "sent_to_customer": false, "total_amount_cents": 5, "due_amount_cents": 5,
        "invoice_number": "ATP-000007"}]}
        """#.utf8))
    let command = try AsiaTravelPlan.control("load", try #require(document))
    try office.tell(command)
    let booking = try office.booking("booking_j")
    #expect(booking.staffName == "Ada Alpha" && booking.ownerID == "staff_a")
    #expect(booking.ownerName == "Ada Alpha" && booking.activities == [])
    #expect(try office.list(.app, as: "ada").page.total == 2)
    #expect(try office.ask(.invoices(booking: "booking_j"), as: "ada").reply?.invoices?.count == 1)
    let draft = InvoiceDraft(booking: "booking_j", items: [.init("x", unitAmountCents: 1)])
    let next = try office.ask(.addInvoice(draft), as: "mia").reply?.invoice(isNew: true)
    #expect(next?.invoiceNumber == "ATP-000008")
    // A second time it changes nothing of a booking that is there.
    _ = try office.ask(.changeStage(StageChange("booking_j", to: .lost)), as: "ada")
    let invoice = Invoice(
      id: "inv_j", bookingID: "booking_j", totalAmountCents: 9, dueAmountCents: 9)
    try office.tell(.load(Fixture(bookings: [booking], invoices: [invoice])))
    #expect(try office.ask(.invoices(booking: "booking_j"), as: "ada").reply?.invoices?.count == 2)
    #expect(try office.booking("booking_j").stage == .lost)
    #expect(try office.list(.app, as: "ada").page.total == 2)
  }

  @Test func `does the same from the same seed`() throws {
    func trip() throws -> [String] {
      var office = try Office()
      _ = try office.ask(.requestTrip(.sample()), as: "visitor")
      return try office.list(.app).page.items.map(\.id)
    }
    #expect(try trip() == trip())
  }
}

@Suite struct `The agency's rules` {
  @Test func `are 104, each stated once, with their figures in words`() {
    #expect(AsiaTravelPlan.Rule.allCases.count == 104 && AsiaTravelPlan.Rule.flaws == [])
    let statements = Dictionary(
      uniqueKeysWithValues: AsiaTravelPlan.limits.map { ($0.id, $0.statement) })
    #expect(statements["ATP-88"]?.contains("due in two hours") == true)
    #expect(
      statements["ATP-92"]?.contains("at most 100 bookings to a page, and 25 bookings") == true)
    #expect(
      statements["ATP-90"]?.contains(
        "at least four characters at edit distance of at most two edits") == true)
  }

  @Test func `are broken by differences as built, but for one that hides an operation (8.3)`() {
    let all = AsiaTravelPlan.Difference.allCases
    #expect(all.map(\.source) == (1...8).map { "DIF-0\($0)" })
    #expect(all.filter(\.violates.isEmpty) == [.noMe])
    #expect(Set(all.map(\.meaning)).count == all.count)
    // Those that let a role do more stand in the matrix, at an entry of a rule that they break or one that says more.
    let entries = AsiaTravelPlan.rights.flatMap(\.entries).filter { $0.unless != nil }
    #expect(entries.map(\.unless) == [.accountantAssigns, .accountantEdits, .accountantListsStaff])
    #expect(entries.allSatisfy { $0.unless!.violates.contains($0.rule!) && !$0.isAllowed })
  }

  @Test func `that the twin keeps have a guard in one of its files`() {
    #expect(AgencyTwin.enforced.allSatisfy { repeated($0.rules).isEmpty })
    let kept = Set(AgencyTwin.enforced.flatMap(\.rules))
    let stated = AsiaTravelPlan.limits.filter { $0.keeper == .twin }.map(\.id)
    #expect(kept.map(\.id).sorted() == stated)
  }
}
