import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@Suite struct `An invoice` {
  private static let items = [
    InvoiceDraft.Item("Guide", quantity: 2, unitAmountCents: 1_000),
    InvoiceDraft.Item(nil, unitAmountCents: 500),
  ]

  private func add(_ draft: InvoiceDraft, _ office: inout Office) throws -> Invoice {
    try #require(try office.ask(.addInvoice(draft), as: "mia").reply?.invoice(isNew: true))
  }

  @Test func `has the defaults of 2.4`() throws {
    var office = try Office()
    let made = try add(InvoiceDraft(booking: "booking_a", items: Self.items), &office)
    #expect(made.invoiceNumber == "ATP-000001" && made.version == 1 && made.status == "DRAFT")
    #expect(made.currency == "USD" && made.issueDate == "2026-03-01" && made.dueDate == nil)
    #expect(made.totalAmountCents == 2_500 && made.dueAmountCents == 2_500)
    #expect(made.customerID == "cust_1" && made.pdfURL == "/api/v1/invoices/\(made.id)/pdf")
    #expect(made.items.map(\.totalAmountCents) == [2_000, 500] && made.items[1].quantity == 1)
    #expect(made.items.allSatisfy { $0.id.hasPrefix("inv_item_") } && made.id.hasPrefix("inv_"))
    let own = InvoiceDraft(
      booking: "booking_a", number: "ATP-000041", currency: "EUR", dueAmountCents: 9_999,
      items: Self.items)
    let second = try add(own, &office)
    #expect(second.currency == "EUR" && second.dueAmountCents == 9_999)
    #expect(try add(own, &office).invoiceNumber == "ATP-000041", "uniqueness is not enforced")
    let third = try add(
      InvoiceDraft(booking: "booking_b", currency: "eur", dueAmountCents: 0, items: Self.items),
      &office)
    #expect(third.invoiceNumber == "ATP-000042" && third.currency == "USD")
    #expect(third.dueAmountCents == 2_500)
    // Of one instant: in the order of their creation.
    let listed = try office.ask(.invoices(booking: "booking_a"), as: "mia").reply?.invoices
    #expect(listed?.prefix(2).map(\.id) == [made.id, second.id])
  }

  @Test func `needs an item and a customer (3.3)`() throws {
    var office = try Office()
    for items in [nil, [], [.init("x", unitAmountCents: 0)], [.init("x", unitAmountCents: nil)]]
      as [[InvoiceDraft.Item]?]
    {
      let draft = InvoiceDraft(booking: "booking_a", items: items)
      #expect(try office.ask(.addInvoice(draft), as: "mia").kind == .itemRequired)
    }
    var stray = Office.booking("booking_s", nil, nil, at: 0, .new)
    stray.customerID = "cust_gone"
    try office.tell(.load(Fixture(bookings: [stray])))
    let draft = InvoiceDraft(booking: "booking_s", items: Self.items)
    #expect(try office.ask(.addInvoice(draft), as: "mia").kind == .bookingCustomerNotFound)
  }

  @Test func `leaves out amounts that no client could count (2.4)`() throws {
    var office = try Office()
    let (most, much) = (1 << 53, 1 << 40)
    let draft = InvoiceDraft(
      booking: "booking_a",
      items: [
        .init("a", unitAmountCents: most), .init("b", unitAmountCents: 1),
        .init("c", quantity: .max, unitAmountCents: .max),
        .init("d", quantity: much, unitAmountCents: much),
      ])
    let made = try add(draft, &office)
    #expect(made.items.map(\.description) == ["a"] && made.totalAmountCents == most)
  }

  @Test func `counts its versions, and whether it was sent (2.4)`() throws {
    var office = try Office()
    let made = try add(InvoiceDraft(booking: "booking_a", items: Self.items), &office)
    func change(_ draft: InvoiceDraft) throws -> Invoice {
      office.wait(.seconds(1))
      return try #require(
        try office.ask(.changeInvoice(draft), as: "ada").reply?.invoice(isNew: false))
    }
    let sent = try change(InvoiceDraft(booking: "booking_a", invoice: made.id, isSent: true))
    #expect(
      sent.status == "INVOICE_SENT" && sent.sentToCustomerAt == office.now && sent.version == 1)
    let first = office.now
    let again = try change(
      InvoiceDraft(booking: "booking_a", invoice: made.id, title: "T", isSent: true))
    #expect(again.sentToCustomerAt == first && again.version == 2 && again.title == "T")
    let back = try change(InvoiceDraft(booking: "booking_a", invoice: made.id, isSent: false))
    #expect(back.status == "DRAFT" && back.sentToCustomerAt == nil && back.version == 2)
    let other = try change(
      InvoiceDraft(booking: "booking_a", invoice: made.id, items: [.init("x", unitAmountCents: 7)]))
    #expect(other.totalAmountCents == 7 && other.dueAmountCents == 7 && other.version == 3)
    #expect(
      other.title == "T" && other.createdAt == made.createdAt && other.updatedAt == office.now)
    // The booking is another's: the invoice is not found there.
    let elsewhere = InvoiceDraft(booking: "booking_b", invoice: made.id, title: "x")
    #expect(try office.ask(.changeInvoice(elsewhere), as: "mia").kind == .invoiceNotFound)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp94])
  func `comes before those that were changed earlier (ATP-94)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    var ids: [String] = []
    for _ in 0..<3 {
      ids.append(try add(InvoiceDraft(booking: "booking_a", items: Self.items), &office).id)
      office.wait(.seconds(1))
    }
    _ = try office.ask(
      .changeInvoice(InvoiceDraft(booking: "booking_a", invoice: ids[1], title: "x")), as: "mia")
    let listed = try #require(
      try office.ask(.invoices(booking: "booking_a"), as: "ada").reply?.invoices)
    let expected = [ids[1], ids[2], ids[0]]
    #expect(listed.map(\.id) == (rule == nil ? expected : expected.reversed()))
    #expect(listed.allSatisfy { $0.dueAmountCents > 0 })
    #expect(
      try office.booking("booking_a").updatedAt < Office.start, "an invoice is no change of it")
  }
}

@Suite struct `A tour` {
  @Test func `is created, changed and found by admins (OP-13, OP-14, ATP-45)`() throws {
    var office = try Office()
    for (draft, kind) in [
      (TourDraft(destinationCountries: ["Laos"], styles: ["Food"]), .titleRequired),
      (TourDraft(title: "T", styles: ["Food"]), .countriesRequired),
      (TourDraft(title: "T", destinationCountries: ["Laos", ""], styles: []), .stylesRequired),
    ] as [(TourDraft, AsiaTravelPlan.APIRefusal)] {
      #expect(try office.ask(.addTour(draft), as: "alma").kind == kind)
    }
    office.wait(.seconds(1))
    let draft = TourDraft(
      title: "Angkor", destinationCountries: ["Cambodia"], styles: ["Culture"], rating: 7)
    let made = try #require(
      try office.ask(.addTour(draft), as: "alma").reply?.tourWritten(isNew: true))
    #expect(made.id.hasPrefix("tour_") && made.priority == 50 && made.rating == 5)
    office.wait(.seconds(1))
    let change = TourDraft(tour: made.id, id: made.id, priority: 7)
    let changed = try #require(
      try office.ask(.changeTour(change), as: "alma").reply?.tourWritten(isNew: false))
    #expect(changed.priority == 7 && changed.title == "Angkor" && changed.updatedAt == office.now)
    let moved = TourDraft(tour: made.id, id: "tour_x")
    #expect(try office.ask(.changeTour(moved), as: "alma").kind == .tourIDFixed)

    func list(_ query: TourQuery) throws -> TourList {
      try #require(try office.ask(.tours(query), as: "carl").reply?.tours)
    }
    _ = try office.ask(
      .addTour(TourDraft(title: "beaches", destinationCountries: ["Laos"], styles: ["Food"])),
      as: "alma")
    let titles = try list(TourQuery(sort: "title_asc")).page.items.map(\.title)
    #expect(titles == ["Angkor", "beaches", "Laos by river"])
    let all = try list(TourQuery())
    #expect(all.page.total == 3 && all.sort == "updated_at_desc")
    #expect(all.page.items.last?.title == "Laos by river")
    let options = TourOptions(destinations: ["Cambodia", "Laos"], styles: ["Culture", "Food"])
    #expect(all.options == options)
    #expect(try list(TourQuery(destination: "laos")).page.total == 2)
    #expect(try list(TourQuery(style: "Culture")).page.items.map(\.id) == [made.id])
    #expect(try list(TourQuery(search: "RIVER")).page.items.map(\.id) == ["tour_1"])
    #expect(try list(TourQuery(page: 3, pageSize: 1)).page.items.map(\.id) == ["tour_1"])
    let detail = try office.ask(.tour(id: made.id), as: "alma").reply?.tour
    #expect(detail?.tour == changed && detail?.options == all.options)
  }

  @Test func `is no customer, whom the office finds by a search (OP-15)`() throws {
    var office = try Office()
    _ = try office.ask(.requestTrip(.sample("Linus Pauling")), as: "visitor")
    func list(_ query: CustomerQuery) throws -> Paged<Customer> {
      try #require(try office.ask(.customers(query), as: "carl").reply?.customers)
    }
    #expect(try list(CustomerQuery()).items.map(\.name) == ["Linus Pauling", "Grace Hopper"])
    #expect(try list(CustomerQuery(search: "HOPPER")).items.map(\.id) == ["cust_1"])
    #expect(try list(CustomerQuery(page: 2, pageSize: 1)).items.map(\.id) == ["cust_1"])
  }
}
