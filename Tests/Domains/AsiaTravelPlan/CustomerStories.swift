import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@testable import AsiaTravelPlanChecks
@testable import AsiaTravelPlanTwin

@Suite struct `Checks of customers, invoices and tours` {
  private typealias Story = AgencyStory

  private static func trip(_ name: String, _ email: String, phone: String? = nil) -> TripRequest {
    TripRequest(
      name: name, email: email, destination: "Laos", style: "Food", travelMonth: "2026-11",
      travelers: 2, duration: "3-5 days", phone: phone)
  }

  /// Grace's own request names her phone; another follows, for whom a customer is answered.
  private static func asked(
    _ trip: TripRequest, for customer: String, isKnown: Bool, after pause: Span = .seconds(1)
  ) -> [String] {
    Story.violated {
      let begun = $0.now
      let first = TripAccepted(bookingID: "booking_d", customerID: "cust_1", isDeduplicated: true)
      $0.ask(
        .requestTrip(Self.trip("Grace Hopper", "GRACE@example.test", phone: "+1 23")), as: "otto",
        nil, .replied(.accepted(first, isNew: true)), lasting: .seconds(2))
      // The first takes two seconds.
      $0.now = begun + .seconds(2) + pause
      let next = TripAccepted(bookingID: "booking_e", customerID: customer, isDeduplicated: isKnown)
      $0.ask(
        .requestTrip(trip), as: "otto", nil, .replied(.accepted(next, isNew: true)),
        lasting: .seconds(4))
    }
  }

  @Test func `know by e-mail, phone and name whose a request is, in both directions (ATP-90)`() {
    let byPhone = Self.trip("Linus Pauling", "linus@example.test", phone: "(1) 2-3")
    let byName = Self.trip("grace hoper!", "g@example.test", phone: "99")
    let other = Self.trip("Linus Pauling", "gs@example.test")
    for trip in [byPhone, byName] {
      #expect(Self.asked(trip, for: "cust_1", isKnown: true) == [])
      #expect(Self.asked(trip, for: "cust_1", isKnown: false) == ["ATP-90"])
      #expect(Self.asked(trip, for: "cust_9", isKnown: false) == ["ATP-90"])
    }
    #expect(Self.asked(other, for: "cust_9", isKnown: false) == [])
    #expect(Self.asked(other, for: "cust_1", isKnown: true) == ["ATP-90"])
    // Of two at once nobody can tell which came first.
    #expect(Self.asked(byPhone, for: "cust_9", isKnown: false, after: .seconds(-1)) == [])
    #expect(Self.asked(byPhone, for: "cust_9", isKnown: false, after: .zero) == ["ATP-90"])
  }

  @Test func `take either of two requests at once for the later, and stay with what is shown`() {
    func accepted(_ story: inout Story, _ trip: TripRequest, _ booking: String, lasting: Span) {
      let accepted = TripAccepted(bookingID: booking, customerID: "cust_1", isDeduplicated: true)
      story.ask(
        .requestTrip(trip), as: "otto", nil, .replied(.accepted(accepted, isNew: true)),
        lasting: lasting)
    }
    /// She asks twice at once, and the first request is answered last.
    func shown(_ names: [String], phone: String? = nil, next: Span? = nil) -> [String] {
      Story.violated {
        let begun = $0.now
        accepted(
          &$0, Self.trip("Grace Hoper", "grace@example.test"), "booking_d", lasting: .seconds(4))
        $0.now = begun + .seconds(1)
        accepted(
          &$0, Self.trip("Grace Opper", "grace@example.test", phone: "7"), "booking_e",
          lasting: .seconds(1))
        if let next {
          $0.now = begun + next
          accepted(
            &$0, Self.trip("Grace Copper", "grace@example.test"), "booking_f", lasting: .seconds(2))
        }
        $0.now = begun + .seconds(7)
        for name in names {
          let grace = Customer(
            id: "cust_1", name: name, email: "grace@example.test", phone: phone ?? "7")
          $0.ask(.customer(id: "cust_1"), as: "alma", .replied(.customer(grace)))
          $0.now += .minutes(2)
        }
      }
    }
    #expect(shown(["Grace Hoper", "Grace Hoper"]) == [])
    #expect(shown(["Grace Opper", "Grace Opper"]) == [])
    #expect(shown(["Grace Hopper"]) == ["ATP-90"])
    #expect(shown(["Grace Hoper"], phone: "8") == ["ATP-90"])
    #expect(shown(["Grace Opper", "Grace Hoper"]) == ["ATP-90"])
    #expect(shown(["Grace Hoper", "Grace Opper"]) == ["ATP-90"])
    // A third request overlaps none of them, or only the one that is answered last.
    #expect(shown(["Grace Copper"], next: .seconds(5)) == [])
    #expect(shown(["Grace Hoper"], next: .seconds(5)) == ["ATP-90"])
    #expect(shown(["Grace Hoper"], next: .seconds(3)) == [])
    #expect(shown(["Grace Opper"], next: .seconds(3)) == ["ATP-90"])
  }

  @Test func `find nobody by an address, a phone or a name that one of two requests at once gave`()
  {
    func asked(_ trip: TripRequest, for customer: String, isKnown: Bool) -> [String] {
      Story.violated {
        let begun = $0.now
        for (name, email, lasting) in [
          ("Grace Hopper", "one@example.test", Span.seconds(4)),
          ("Grace Hopper", "two@example.test", .seconds(1)),
        ] {
          $0.now = begun
          let accepted = TripAccepted(
            bookingID: "booking_\(email)", customerID: "cust_1", isDeduplicated: true)
          $0.ask(
            .requestTrip(Self.trip(name, email)), as: "otto", nil,
            .replied(.accepted(accepted, isNew: true)), lasting: lasting)
        }
        $0.now = begun + .seconds(9)
        let accepted = TripAccepted(
          bookingID: "booking_z", customerID: customer, isDeduplicated: isKnown)
        $0.ask(.requestTrip(trip), as: "otto", nil, .replied(.accepted(accepted, isNew: true)))
      }
    }
    for email in ["one@example.test", "two@example.test"] {
      #expect(asked(Self.trip("Ida Noddack", email), for: "cust_1", isKnown: true) == [])
      #expect(asked(Self.trip("Ida Noddack", email), for: "cust_9", isKnown: false) == [])
    }
  }

  @Test func `count the edits of names as the twin does`() {
    var random = RandomStream(seed: 18, owner: 1, purpose: 0)
    for _ in 0..<2_000 {
      func name() -> [Unicode.Scalar] {
        (0..<(4 + random.pick(0..<4))).map { _ in random.pick(["a", "b", "ä"]) }
      }
      let (one, other) = (name(), name())
      var book = CustomerBook()
      book.set(Customer(id: "cust_1", name: String(String.UnicodeScalarView(one))))
      let asked = Customer(id: "", name: String(String.UnicodeScalarView(other)))
      #expect(
        AgencyChecks.isNear(one, other) == (book.match(asked) != nil),
        "\(one) and \(other), seed 18")
    }
  }

  @Test func `call an address what the twin calls one`() throws {
    var random = RandomStream(seed: 18, owner: 2, purpose: 0)
    var office = try Office()
    var found = [true: 0, false: 0]
    for _ in 0..<1_500 {
      // An address of which each part may be wrong in its way.
      let parts = [
        ["a", "é", "b.c", "@", " ", "\u{301}", ""],
        ["@", "@", "@", "@", "\u{301}@", "@\u{301}", ""],
        ["a", "b", "\u{301}", ".", "@", ""], [".", ".", ".", ".\u{301}", "..", ""],
        ["c", "de", "\u{a0}c", "\u{200b}", ".", ""],
      ]
      let text = parts.map { random.pick($0) }.joined()
      var trip = TripRequest.sample()
      trip.email = text
      let isRefused = try office.ask(.requestTrip(trip), as: "visitor").kind == .invalidEmail
      if text.trimmed.isEmpty { continue }
      found[!isRefused, default: 0] += 1
      #expect(text.trimmed.isAddress == !isRefused, "\(text.debugDescription), seed 18")
    }
    #expect(found.values.allSatisfy { $0 > 300 }, "\(found)")
  }

  @Test func `find a customer in another's place, and one that is not as was asked`() {
    func shown(_ customer: Customer) -> [String] {
      Story.violated {
        $0.ask(
          .booking(id: "booking_a"), as: "mia",
          .replied(.booking(BookingDetail(booking: Story.booking("booking_a"), customer: customer)))
        )
      }
    }
    let grace = Office.fixture.customers[0]
    #expect(shown(grace) == [])
    #expect(shown(Customer(id: "cust_2")) == ["ATP-36"])
    #expect(
      shown(Customer(id: "cust_1", name: grace.name, email: "old@example.test")) == ["ATP-90"])
  }

  @Test func `miss customers in the total of a list`() {
    func listed(_ customers: [Customer], total: Int, search: String?) -> [String] {
      Story.violated {
        $0.ask(
          .customers(CustomerQuery(search: search)), as: "mia",
          .replied(.customers(Paged(customers, of: total, PageExtent(page: nil, size: nil)))))
      }
    }
    let all = Office.fixture.customers
    #expect(listed(all, total: 1, search: " GRACE ") == [])
    #expect(listed([], total: 0, search: "grace") == ["ATP-92"])
    #expect(listed([], total: 0, search: "linus") == [])
    #expect(listed(all, total: 2, search: nil) == ["ATP-92"])
  }

  @Test func `find an invoice whose version, dues or status are not what was asked for (ATP-94)`() {
    func changed(
      _ asking: (inout InvoiceDraft) -> Void, _ answer: (inout Invoice) -> Void
    ) -> [String] {
      Story.violated {
        let items = [InvoiceDraft.Item("x", unitAmountCents: 900)]
        var invoice = Invoice(
          id: "inv_1", bookingID: "booking_a", totalAmountCents: 900, dueAmountCents: 900,
          items: [
            Invoice.Item(
              id: "i", description: "x", quantity: 1, unitAmountCents: 900, totalAmountCents: 900)
          ])
        $0.ask(
          .addInvoice(InvoiceDraft(booking: "booking_a", items: items)), as: "mia",
          .replied(.invoice(invoice, isNew: true)))
        var draft = InvoiceDraft(booking: "booking_a", invoice: "inv_1")
        asking(&draft)
        answer(&invoice)
        $0.ask(.changeInvoice(draft), as: "mia", .replied(.invoice(invoice, isNew: false)))
      }
    }
    #expect(changed({ $0.title = "t" }, { $0.version = 2 }) == [])
    #expect(changed({ $0.title = "t" }, { _ in }) == ["ATP-94"])
    #expect(changed({ $0.isSent = false }, { _ in }) == [])
    #expect(changed({ $0.isSent = true }, { _ in }) == ["ATP-94"])
    #expect(
      changed({ $0.dueAmountCents = 5 }, { ($0.version, $0.dueAmountCents) = (2, 5) }) == [])
    #expect(changed({ $0.dueAmountCents = 5 }, { $0.version = 2 }) == ["ATP-94"])
    #expect(changed({ $0.dueAmountCents = -5 }, { $0.version = 2 }) == [])
    #expect(
      changed({ $0.dueAmountCents = -5 }, { ($0.version, $0.dueAmountCents) = (2, 5) })
        == ["ATP-94"])
  }

  @Test func `find a sum that the items do not come to, and a number that was given before`() {
    func made(_ quantity: Int?, total: Int, numbers: [String?]) -> [String] {
      Story.violated {
        for (place, number) in numbers.enumerated() {
          let draft = InvoiceDraft(
            booking: "booking_a",
            items: [InvoiceDraft.Item("x", quantity: quantity, unitAmountCents: 900)])
          let invoice = Invoice(
            id: "inv_\(place)", bookingID: "booking_a", invoiceNumber: number,
            totalAmountCents: total, dueAmountCents: total,
            items: [
              Invoice.Item(
                id: "i", description: "x", quantity: quantity ?? 1, unitAmountCents: 900,
                totalAmountCents: total)
            ])
          $0.ask(.addInvoice(draft), as: "mia", .replied(.invoice(invoice, isNew: true)))
        }
      }
    }
    #expect(made(2, total: 1_800, numbers: ["A1", "A2", nil, nil]) == [])
    #expect(made(nil, total: 900, numbers: ["A1"]) == [])
    #expect(made(2, total: 900, numbers: ["A1"]) == ["ATP-94"])
    #expect(made(2, total: 1_800, numbers: ["A1", "A2", "A1"]) == ["ATP-94"])
  }

  @Test func `find a tour that is not what was asked for (ATP-45)`() {
    let tour = Tour(
      id: "tour_1", title: "Laos by river", destinationCountries: ["Laos"], styles: ["Food"])
    func changed(_ draft: TourDraft, before: Span? = nil) -> [String] {
      Story.violated {
        var tour = tour
        tour.updatedAt = before.map { [now = $0.now] in now - $0 }
        $0.ask(.changeTour(draft), as: "alma", .replied(.tourWritten(tour, isNew: false)))
      }
    }
    #expect(changed(TourDraft(tour: "tour_1", title: " Laos by river ")) == [])
    #expect(changed(TourDraft(tour: "tour_1", styles: ["Beach"])) == ["ATP-45"])
    #expect(changed(TourDraft(tour: "tour_1", priority: 7)) == ["ATP-45"])
    #expect(changed(TourDraft(tour: "tour_1"), before: .milliseconds(-500)) == [])
    #expect(changed(TourDraft(tour: "tour_1"), before: .hours(3)) == ["ATP-45"])
  }
}
