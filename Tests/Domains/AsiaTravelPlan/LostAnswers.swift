import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

/// What a request without an answer may have made or changed is not demanded, and nothing beside it is taken.
@Suite struct `Checks of an agency whose answers are lost` {
  private typealias Story = AgencyStory
  private typealias Request = AsiaTravelPlan.Request
  private typealias Reply = AsiaTravelPlan.Reply

  // MARK: Invoices

  private static func invoice(_ id: String, version: Int = 1, due: Int = 900) -> Invoice {
    Invoice(
      id: id, bookingID: "booking_a", version: version, totalAmountCents: 900, dueAmountCents: due,
      items: [
        Invoice.Item(
          id: "i", description: "x", quantity: 1, unitAmountCents: 900, totalAmountCents: 900)
      ])
  }

  private static let draft = InvoiceDraft(
    booking: "booking_a", items: [InvoiceDraft.Item("x", unitAmountCents: 900)])

  private static func change(
    _ id: String, title: String? = "t", due: Int? = nil
  ) -> Request {
    .changeInvoice(
      InvoiceDraft(booking: "booking_a", invoice: id, title: title, dueAmountCents: due))
  }

  @Test func `take an invoice that may have been made, and no other`() {
    func changed(
      _ id: String, version: Int = 2, isListed: Bool, isLost: Bool = true,
      _ draft: InvoiceDraft = Self.draft
    ) -> [String] {
      Story.violated {
        if isLost { $0.lose(.addInvoice(draft), as: "mia") }
        if isListed {
          $0.ask(
            .invoices(booking: "booking_a"), as: "mia",
            .replied(.invoices([Self.invoice("inv_7")])))
        }
        $0.ask(
          Self.change(id), as: "mia",
          .replied(.invoice(Self.invoice(id, version: version), isNew: false)))
      }
    }
    for isListed in [true, false] {
      #expect(changed("inv_7", isListed: isListed) == [])
      #expect(changed("inv_7", isListed: isListed, isLost: false) == ["ATP-93"])
    }
    #expect(changed("inv_8", isListed: false) == [])
    #expect(changed("inv_8", isListed: true) == ["ATP-93"])
    #expect(changed("inv_7", version: 3, isListed: true) == ["ATP-94"])
    // One without an item is refused.
    #expect(changed("inv_7", isListed: false, InvoiceDraft(booking: "booking_a")) == ["ATP-93"])
  }

  @Test func `let the version of an invoice be as high as changes without an answer make it`() {
    func changed(lost: Int, version: Int, due: Int = 900) -> [String] {
      Story.violated {
        $0.ask(
          .addInvoice(Self.draft), as: "mia",
          .replied(.invoice(Self.invoice("inv_1"), isNew: true)))
        for _ in 0..<lost { $0.lose(Self.change("inv_1", due: 5), as: "mia") }
        $0.ask(
          Self.change("inv_1"), as: "mia",
          .replied(.invoice(Self.invoice("inv_1", version: version, due: due), isNew: false)))
      }
    }
    for lost in 0...2 {
      for version in 1...5 {
        let isPossible = (2...2 + lost).contains(version)
        #expect(
          changed(lost: lost, version: version) == (isPossible ? [] : ["ATP-94"]),
          "\(lost) without an answer, and version \(version)")
      }
    }
    #expect(changed(lost: 1, version: 3, due: 5) == [])
    #expect(changed(lost: 1, version: 3, due: 7) == ["ATP-94"])
    #expect(changed(lost: 0, version: 2, due: 5) == ["ATP-94"])
  }

  @Test func `count the changes of an invoice that overlap, each once`() {
    func changed(versions: [Int], last: Int) -> [String] {
      Story.violated {
        $0.ask(
          .addInvoice(Self.draft), as: "mia",
          .replied(.invoice(Self.invoice("inv_1"), isNew: true)))
        let begun = $0.now
        for version in versions {
          $0.now = begun
          $0.ask(
            Self.change("inv_1"), as: "mia",
            .replied(.invoice(Self.invoice("inv_1", version: version), isNew: false)),
            lasting: .seconds(3))
        }
        $0.ask(
          Self.change("inv_1"), as: "mia",
          .replied(.invoice(Self.invoice("inv_1", version: last), isNew: false)))
      }
    }
    #expect(changed(versions: [2, 3], last: 4) == [])
    #expect(changed(versions: [3, 2], last: 4) == [])
    #expect(changed(versions: [2, 4], last: 5) == ["ATP-94"])
    #expect(changed(versions: [2, 3], last: 3) == ["ATP-94"])
  }

  // MARK: Staff

  private static let nia = StaffRecord(id: "staff_n", name: "Nia", usernames: ["nia"])

  private static func given(to record: String, at now: Instant, name: String = "Nia") -> Booking {
    var booking = Story.booking("booking_c")
    booking.assign(record, name)
    booking.updatedAt = now + .milliseconds(500)
    return booking
  }

  private static func showStaff(_ story: inout Story) {
    let records = [StaffRecord(id: "staff_a", name: "Ada Alpha", usernames: ["ada", "dora"])]
    story.ask(
      .staff(withInactive: false), as: "mia",
      .replied(
        .staff(
          records
            + [StaffRecord(id: "staff_b", name: "ben Beta", usernames: ["ben"]), Self.nia])))
  }

  @Test func `take an assignment to a record that may have been made, and to no other`() {
    func assigned(_ id: String, isShown: Bool, isLost: Bool = true) -> [String] {
      Story.violated {
        if isLost { $0.lose(.addStaff(NewStaff(name: "Nia", usernames: ["nia"])), as: "mia") }
        if isShown { Self.showStaff(&$0) }
        let booking = Self.given(to: id, at: $0.now)
        $0.ask(.assign(Assignment("booking_c", to: id)), as: "mia", .replied(.changed(booking)))
      }
    }
    for isShown in [true, false] {
      #expect(assigned("staff_n", isShown: isShown) == [])
      #expect(assigned("staff_n", isShown: isShown, isLost: false) == ["ATP-80"])
    }
    #expect(assigned("staff_q", isShown: true) == ["ATP-80"])
  }

  @Test func `know that a request without an answer made no record where it must be refused`() {
    func told(_ draft: NewStaff) -> [String] {
      Story.violated {
        $0.lose(.addStaff(draft), as: "mia")
        $0.ask(
          .booking(id: "booking_b"), as: "ada",
          .replied(
            .booking(BookingDetail(booking: Story.booking("booking_b"), customer: nil))))
        let booking = Self.given(to: "staff_n", at: $0.now)
        $0.ask(
          .assign(Assignment("booking_c", to: "staff_n")), as: "mia", .replied(.changed(booking)))
      }
    }
    #expect(told(NewStaff(name: "Nia", usernames: ["nia"])) == ["ATP-36"])
    #expect(told(NewStaff(name: "Nia", usernames: ["nia", " ADA"])) == ["ATP-36", "ATP-80"])
    #expect(told(NewStaff(name: " ", usernames: ["nia"])) == ["ATP-36", "ATP-80"])
    #expect(told(NewStaff(name: "Nia", usernames: [" "])) == ["ATP-36", "ATP-80"])
  }

  @Test func `know the entry of an assignment without an answer by a name that is heard later`() {
    func entered(_ detail: String, isShown: Bool = true) -> [String] {
      Story.violated {
        $0.lose(.addStaff(NewStaff(name: "Nia", usernames: ["nia"])), as: "mia")
        if isShown { Self.showStaff(&$0) }
        let entry = Activity(
          id: "act_9", bookingID: "booking_c", type: "STAFF_CHANGED", detail: detail, actor: "mia",
          createdAt: $0.now)
        $0.lose(.assign(Assignment("booking_c", to: "staff_n")), as: "mia")
        $0.show(Story.timeline("booking_c") + [entry], of: "booking_c")
      }
    }
    #expect(entered("Staff set to Nia") == [])
    #expect(entered("Staff set to Nia", isShown: false) == [])
    #expect(entered("Staff set to Zed") == ["ATP-79"])
    #expect(entered("Staff unassigned", isShown: false) == ["ATP-79"])
  }

  // MARK: The website

  private static func trip(
    _ name: String, _ email: String, phone: String? = nil, key: String? = nil
  ) -> TripRequest {
    TripRequest(
      idempotencyKey: key, name: name, email: email, destination: "Laos", style: "Food",
      travelMonth: "2026-11", travelers: 2, duration: "3-5 days", phone: phone)
  }

  private static let linus = trip("Linus Pauling", "linus@example.test", phone: "12")

  /// - Parameter shown: Each customer as it is shown when it is asked for.
  private static func asked(_ lost: [TripRequest], shown: [Customer]) -> [String] {
    Story.violated {
      for trip in lost { $0.lose(.requestTrip(trip), as: "otto", nil) }
      for customer in shown {
        $0.ask(.customer(id: customer.id), as: "alma", .replied(.customer(customer)))
        $0.now += .minutes(2)
      }
    }
  }

  @Test func `take a customer and a booking that a request may have made, and no other`() {
    func customer(_ id: String, _ name: String = "Linus Pauling") -> Customer {
      Customer(id: id, name: name, email: "linus@example.test", phone: "12")
    }
    #expect(Self.asked([Self.linus], shown: [customer("cust_9")]) == [])
    #expect(Self.asked([Self.linus], shown: [customer("cust_9"), customer("cust_9")]) == [])
    #expect(Self.asked([], shown: [customer("cust_9")]) == ["ATP-93"])
    #expect(
      Self.asked([Self.linus], shown: [customer("cust_9"), customer("cust_8")]) == ["ATP-93"])
    #expect(
      Self.asked([Self.linus], shown: [customer("cust_9"), customer("cust_9", "Eve")])
        == ["ATP-90"])
    var short = Self.linus
    short.duration = " "
    #expect(Self.asked([short], shown: [customer("cust_9")]) == ["ATP-93"], "it is refused")

    func booked(_ lost: [TripRequest], _ ids: [String]) -> [String] {
      Story.violated {
        for trip in lost { $0.lose(.requestTrip(trip), as: "otto", nil) }
        for id in ids {
          var booking = Story.booking("booking_c")
          booking.id = id
          $0.show(booking)
        }
      }
    }
    #expect(booked([Self.linus], ["booking_9"]) == [])
    #expect(booked([], ["booking_9"]) == ["ATP-93"])
    #expect(booked([Self.linus], ["booking_9", "booking_8"]) == ["ATP-93"])
  }

  @Test func `let a customer be as before or as a request without an answer says, and stay so`() {
    let grace = Office.fixture.customers[0]
    func other(_ name: String, _ email: String, phone: String? = nil) -> Customer {
      Customer(id: "cust_1", name: name, email: email, phone: phone)
    }
    let changed = other("Grace Hoper", "g@example.test")
    let lost = Self.trip("Grace Hoper", "g@example.test")
    #expect(Self.asked([lost], shown: [grace, grace]) == [])
    #expect(Self.asked([lost], shown: [grace, changed, changed]) == [])
    #expect(Self.asked([lost], shown: [changed, grace]) == ["ATP-90"])
    #expect(Self.asked([lost], shown: [other("Grace Hope", "g@example.test")]) == ["ATP-90"])
    // He is nobody whom she could be taken for.
    #expect(
      Self.asked([Self.linus], shown: [other("Linus Pauling", "linus@example.test", phone: "12")])
        == ["ATP-90"])
    // Who is like whom she may have become.
    let next = Self.trip("G. Hopper-Murray", "G@example.test", phone: "7")
    let last = other("G. Hopper-Murray", "G@example.test", phone: "7")
    #expect(Self.asked([lost, next], shown: [last]) == [])
    #expect(Self.asked([next], shown: [last]) == ["ATP-90"])
  }

  @Test func `keep a phone that only a request without an answer may have named`() {
    func shown(phone: String?) -> [String] {
      Story.violated {
        $0.lose(
          .requestTrip(Self.trip("Grace Hopper", "grace@example.test", phone: "77")), as: "otto",
          nil)
        $0.now += .minutes(2)
        let accepted = TripAccepted(
          bookingID: "booking_d", customerID: "cust_1", isDeduplicated: true)
        $0.ask(
          .requestTrip(Self.trip("Grace Hopper", "grace@example.test")), as: "otto", nil,
          .replied(.accepted(accepted, isNew: true)))
        var grace = Office.fixture.customers[0]
        grace.phone = phone
        $0.ask(.customer(id: "cust_1"), as: "alma", .replied(.customer(grace)))
      }
    }
    #expect(shown(phone: nil) == [])
    #expect(shown(phone: "7 7") == [])
    #expect(shown(phone: "78") == ["ATP-90"])
  }

  @Test func `know whose a request is as long as none without an answer can have changed that`() {
    func asked(_ lost: TripRequest, at pause: Span) -> [String] {
      Story.violated {
        let begun = $0.now
        $0.lose(.requestTrip(lost), as: "otto", nil)
        for (pause, customer) in [(pause, "cust_1"), (.minutes(3), "cust_9")] {
          $0.now = begun + pause
          let accepted = TripAccepted(
            bookingID: "booking_\(customer)", customerID: customer,
            isDeduplicated: customer == "cust_1")
          $0.ask(
            .requestTrip(Self.trip("Grace Hopper", "grace@example.test", phone: "12")),
            as: "otto", nil, .replied(.accepted(accepted, isNew: true)))
        }
      }
    }
    // It may have worked after her first one, and called her otherwise.
    #expect(asked(Self.linus, at: .seconds(90)) == [])
    #expect(asked(Self.linus, at: .seconds(150)) == ["ATP-90"])
    let stranger = Self.trip("Ida Noddack", "ida@example.test")
    #expect(asked(stranger, at: .seconds(90)) == ["ATP-90"])
  }

  // MARK: Tours

  @Test func `take a tour that may have been made, and no other`() {
    let draft = TourDraft(title: "New", destinationCountries: ["Laos"], styles: ["Food"])
    func tour(_ id: String) -> Tour {
      Tour(id: id, title: "New", destinationCountries: ["Laos"], styles: ["Food"])
    }
    let options = TourOptions(destinations: ["Laos"], styles: ["Food"])
    func shown(_ ids: [String], lost: Request? = .addTour(draft)) -> [String] {
      Story.violated {
        if let lost { $0.lose(lost, as: "alma") }
        for id in ids {
          $0.ask(
            .tour(id: id), as: "alma",
            .replied(.tour(TourDetail(tour: tour(id), options: options))))
        }
      }
    }
    func changed(lost: Request?) -> [String] {
      Story.violated {
        if let lost { $0.lose(lost, as: "alma") }
        $0.ask(
          .changeTour(TourDraft(tour: "tour_9", priority: 50)), as: "alma",
          .replied(.tourWritten(tour("tour_9"), isNew: false)))
      }
    }
    #expect(shown(["tour_9", "tour_9"]) == [])
    #expect(shown(["tour_9"], lost: nil) == ["ATP-93"])
    #expect(shown(["tour_9", "tour_8"]) == ["ATP-93"])
    #expect(shown(["tour_9"], lost: .changeTour(TourDraft(tour: "tour_1"))) == ["ATP-93"])
    #expect(changed(lost: .addTour(draft)) == [])
    #expect(changed(lost: nil) == ["ATP-93"])
    func listed(_ total: Int) -> [String] {
      Story.violated {
        $0.lose(.addTour(draft), as: "alma")
        let tours = (0..<total).map { tour("tour_\($0 + 1)") }
        $0.ask(
          .tours(TourQuery()), as: "alma",
          .replied(
            .tours(
              TourList(
                Paged(tours, of: total, PageExtent(page: nil, size: nil)), options: options,
                sort: nil))))
      }
    }
    #expect([0, 1, 2, 3].map { listed($0) } == [["ATP-92"], [], [], ["ATP-92"]])
  }
}

extension AgencyStory {
  fileprivate mutating func lose(_ request: AsiaTravelPlan.Request, as user: String) {
    lose(request, as: user, Self.bearer(user))
  }

  /// The caller gives up after a minute.
  fileprivate mutating func lose(
    _ request: AsiaTravelPlan.Request, as user: String, _ credential: AsiaTravelPlan.Credential?
  ) {
    ask(request, as: user, credential, .unknown(.timedOut), lasting: .minutes(1))
  }
}
