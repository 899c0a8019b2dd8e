import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping
import WireLine

private typealias Rule = AsiaTravelPlan.Rule

/// With the rule in force, and without it.
private func office(_ rule: AsiaTravelPlan.Rule?) throws -> Office {
  try Office(without: rule.map { [$0] } ?? [])
}

@Suite struct `A change of stage` {
  private static let hours: [Booking.Stage: Int64?] = [
    .new: 2, .qualified: 8, .proposalSent: 24, .negotiation: 48, .invoiceSent: 24,
    .paymentReceived: nil, .won: 24, .lost: nil, .postTrip: nil,
  ]

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp76])
  func `is accepted from each stage to each, the same included (ATP-76)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    var accepted = 0
    for from in Booking.Stage.allCases {
      for to in Booking.Stage.allCases {
        let id = "booking_\(from)_\(to)"
        try office.tell(
          .load(Fixture(bookings: [Office.booking(id, nil, nil, at: 0, from)])))
        let outcome = try office.ask(.changeStage(StageChange(id, to: to)), as: "mia")
        if outcome.isReplied { accepted += 1 }
        if rule != nil, !outcome.isReplied {
          #expect(
            outcome.refusal
              == .api(.transitionNotAllowed, about: "\(from.rawValue) -> \(to.rawValue)"))
        }
      }
    }
    #expect(accepted == (rule == nil ? 81 : 10))
  }

  @Test func `goes by the older table where the agency says so (O-02)`() throws {
    var office = try Office { $0.transitions = .older }
    #expect(
      try office.ask(.changeStage(StageChange("booking_b", to: .qualified)), as: "mia").isReplied)
    let back = try office.ask(.changeStage(StageChange("booking_b", to: .new)), as: "mia")
    #expect(back.refusal == .api(.transitionNotAllowed, about: "QUALIFIED -> NEW"))
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp77])
  func `sets stage and updated_at and appends one entry (ATP-77)`(rule: AsiaTravelPlan.Rule?) throws
  {
    var office = try office(rule)
    office.wait(.milliseconds(1_500))
    let before = try office.timeline("booking_a")
    let request = AsiaTravelPlan.Request.changeStage(
      StageChange(booking: "booking_a", stage: " won "))
    let changed = try office.ask(request, as: "ada").reply?.changed
    #expect(changed?.stage == .won && changed?.updatedAt == office.now)
    let after = try office.timeline("booking_a")
    #expect(Array(after.prefix(before.count)) == before)
    let new = after.dropFirst(before.count)
    #expect(new.count == (rule == nil ? 1 : 0))
    if let entry = new.first {
      #expect(entry.type == "STAGE_CHANGED" && entry.detail == "Stage updated to WON")
      #expect(entry.actor == "ada" && entry.createdAt == office.now)
    }
    #expect(try office.booking("booking_a").stage == .won)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp78])
  func `is due after the hours of its stage, to the millisecond (ATP-78)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    for stage in Booking.Stage.allCases {
      office.now = office.now + .nanoseconds(1_234_567)
      let changed = try #require(
        try office.ask(.changeStage(StageChange("booking_c", to: stage)), as: "mia").reply?.changed)
      #expect(changed.updatedAt == Instant(unixMilliseconds: office.now.unixMilliseconds))
      let due = try #require(Self.hours[stage]).map { changed.updatedAt + .hours($0) }
      #expect((changed.slaDueAt == due) == (rule == nil), "\(stage)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp75])
  func `refuses what is none of the nine (ATP-75)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    for word in [nil, "", "WONDERFUL", "WON LOST"] {
      let outcome = try office.ask(
        .changeStage(StageChange(booking: "booking_a", stage: word)), as: "mia")
      #expect(outcome.isReplied == (rule != nil))
      if rule == nil { #expect(outcome.kind == .invalidStage) }
    }
    #expect(try office.booking("booking_a").stage == .negotiation)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp87, .atp51])
  func `changes nothing else, whatever the body says (ATP-51, ATP-87)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    var expected = try office.booking("booking_b")
    let asked = StageChange(
      booking: "booking_b", stage: "LOST", staff: "staff_a", notes: "overwritten")
    _ = try office.ask(.changeStage(asked), as: "mia")
    let after = try office.booking("booking_b")
    expected.stage = .lost
    (expected.slaDueAt, expected.updatedAt, expected.activities) = (
      nil, after.updatedAt, after.activities
    )
    if rule == .atp87 { expected.assign("staff_a", "Ada Alpha") }
    if rule == .atp51 { expected.notes = "overwritten" }
    #expect(after == expected)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp91])
  func `leaves created_at and never takes updated_at back (ATP-91)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    let before = try office.booking("booking_a")
    _ = try office.ask(.changeStage(StageChange("booking_a", to: .won)), as: "mia")
    let after = try office.booking("booking_a")
    #expect((after.createdAt == before.createdAt) == (rule == nil))
    #expect(after.id == before.id && after.customerID == before.customerID)
    #expect(after.updatedAt >= after.createdAt)
    var later = Office.booking("booking_l", nil, nil, at: 0, .new)
    later.updatedAt = Office.start + .days(1)
    try office.tell(.load(Fixture(bookings: [later])))
    _ = try office.ask(.changeStage(StageChange("booking_l", to: .won)), as: "mia")
    #expect(try (office.booking("booking_l").updatedAt == later.updatedAt) == (rule == nil))
  }

  @Test func `needs the booking's hash where hashes are used (O-01)`() throws {
    var office = try Office { $0.usesHashes = true }
    let hash = try #require(try office.booking("booking_a").bookingHash)
    let missing = try office.ask(.changeStage(StageChange("booking_a", to: .won)), as: "mia")
    #expect(
      missing.refusal
        == .bookingChanged(try office.list(.app).page.items.first { $0.id == "booking_a" }!))
    let right = StageChange(booking: "booking_a", stage: "WON", hash: hash)
    #expect(try office.ask(.changeStage(right), as: "mia").isReplied)
    let again = try office.ask(.changeStage(right), as: "mia")
    #expect(again.refusal?.code == "booking_hash_mismatch")
    let assignment = Assignment(booking: "booking_a", staff: .to("staff_b"), hash: hash)
    #expect(try office.ask(.assign(assignment), as: "mia").refusal?.code == "booking_hash_mismatch")
  }
}

@Suite struct `An assignment` {
  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp79, .atp35])
  func `sets four fields and appends one entry (ATP-79, ATP-35)`(rule: AsiaTravelPlan.Rule?) throws
  {
    var office = try office(rule)
    let before = try office.booking("booking_b")
    let changed = try #require(
      try office.ask(.assign(Assignment("booking_b", to: "staff_a")), as: "mia").reply?.changed)
    #expect(changed.staff == "staff_a" && changed.staffName == "Ada Alpha")
    #expect(
      (changed.ownerID == changed.staff && changed.ownerName == changed.staffName)
        == (rule != .atp35))
    #expect(changed.updatedAt == office.now)
    #expect(changed.stage == before.stage && changed.slaDueAt == before.slaDueAt)
    let new = try office.timeline("booking_b").dropFirst(1)
    #expect(new.map(\.type) == (rule == .atp79 ? [] : ["STAFF_CHANGED"]))
    if let entry = new.first {
      #expect(entry.detail == "Staff set to Ada Alpha" && entry.actor == "mia")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp80])
  func `takes only active records, by their exact ids (ATP-80)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let before = try office.booking("booking_c")
    for id in ["staff_z", "staff_x", "STAFF_A"] {
      let outcome = try office.ask(.assign(Assignment("booking_c", to: id)), as: "mia")
      #expect(outcome.isReplied == (rule != nil), "\(id)")
      if rule == nil {
        #expect(outcome.kind == .staffNotFoundOrInactive)
        #expect(try office.booking("booking_c") == before)
      }
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp81])
  func `of null, of nothing and of an empty text takes the booking back (ATP-81)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    for asked in [
      Assignment("booking_a", to: nil), Assignment("booking_a", to: ""),
      Assignment(booking: "booking_a", ownerID: .to(nil)), Assignment(booking: "booking_a"),
      Assignment(booking: "booking_a", isNull: true),
    ] {
      var office = try office(rule)
      let changed = try #require(try office.ask(.assign(asked), as: "mia").reply?.changed)
      let fields = [changed.staff, changed.staffName, changed.ownerID, changed.ownerName]
      #expect(fields.allSatisfy { $0 == nil } == (rule == nil))
      #expect(try office.timeline("booking_a").last?.detail == "Staff unassigned")
      // Who had it has no access any more, with the same token.
      #expect(try office.status(.booking(id: "booking_a"), as: "ada") == (rule == nil ? 403 : 200))
      #expect(try office.list(.app, as: "ada").page.total == (rule == nil ? 0 : 1))
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp33])
  func `has one meaning under both names (ATP-33)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let newer = Assignment("booking_c", to: "staff_a")
    let older = Assignment(booking: "booking_c", ownerID: .to("staff_b"))
    #expect(try office.ask(.assign(newer), as: "mia").reply?.changed?.staff == "staff_a")
    #expect(
      try office.ask(.assign(older), as: "mia").reply?.changed?.staff
        == (rule == nil ? "staff_b" : nil))
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp82])
  func `goes by owner_id where both are given (ATP-82)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let both = Assignment(booking: "booking_c", staff: .to("staff_a"), ownerID: .to("staff_b"))
    #expect(
      try office.ask(.assign(both), as: "mia").reply?.changed?.staff
        == (rule == nil ? "staff_b" : "staff_a"))
    let empty = Assignment(booking: "booking_c", staff: .to("staff_a"), ownerID: .to(""))
    #expect(try office.ask(.assign(empty), as: "mia").reply?.changed?.staff == "staff_a")
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp87])
  func `leaves the stage alone, whatever the body says (ATP-87)`(rule: AsiaTravelPlan.Rule?) throws
  {
    var office = try office(rule)
    let asked = Assignment(booking: "booking_b", staff: .to("staff_a"), stage: "WON", notes: "x")
    let changed = try office.ask(.assign(asked), as: "mia").reply?.changed
    #expect(changed?.stage == (rule == nil ? .new : .won) && changed?.notes == "none")
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp32])
  func `is found under /owner (ATP-32)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let request = AsiaTravelPlan.Request.assign(Assignment("booking_c", to: "staff_a"))
    let wire = AsiaTravelPlan.write(request, credential: nil, tokens: codec)
    #expect(wire.method == "PATCH" && wire.target == "/api/v1/bookings/booking_c/owner")
    #expect(try office.status(request, as: "mia") == (rule == nil ? 200 : 404))
  }
}

@Suite struct `A note` {
  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp83])
  func `comes back upper-cased and trimmed, and touches its booking (ATP-83)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    office.wait(.seconds(1))
    let asked = NewActivity(booking: "booking_a", type: " note ", detail: " Called the customer ")
    let entry = try #require(try office.ask(.addActivity(asked), as: "ada").reply?.activity)
    #expect((entry.type == "NOTE" && entry.detail == "Called the customer") == (rule == nil))
    #expect(entry.bookingID == "booking_a" && entry.id.hasPrefix("act_"))
    #expect(try office.booking("booking_a").updatedAt == office.now)
    #expect(try office.timeline("booking_a").last == entry)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp84])
  func `is by whom the token names, never by whom the body names (ATP-84)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    let asked = NewActivity(booking: "booking_a", type: "NOTE", detail: "x", actor: "eve")
    let entry = try office.ask(.addActivity(asked), as: "ada").reply?.activity
    #expect(entry?.actor == (rule == nil ? "ada" : "eve"))
    let nameless = try office.forged(of: "alma") { $0["preferred_username"] = nil }
    #expect(
      try office.ask(.addActivity(.note("x", on: "booking_a")), with: nameless).reply?.activity?
        .actor
        == "alma@example.test")
    let bare = try office.forged(of: "alma") {
      $0["preferred_username"] = nil
      $0["email"] = nil
    }
    #expect(
      try office.ask(.addActivity(.note("x", on: "booking_a")), with: bare).reply?.activity?.actor
        == "alma-id")
  }

  @Test func `needs a type, and no detail (O-07)`() throws {
    var office = try Office()
    for type in [nil, "", "  "] {
      let asked = NewActivity(booking: "booking_a", type: type, detail: "x")
      #expect(try office.ask(.addActivity(asked), as: "mia").kind == .typeRequired)
    }
    let bare = NewActivity(booking: "booking_a", type: "NOTE", detail: nil)
    #expect(try office.ask(.addActivity(bare), as: "mia").reply?.activity?.detail == "")
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp85, .atp34])
  func `stands last in a timeline that only grows (ATP-85, ATP-34)`(rule: AsiaTravelPlan.Rule?)
    throws
  {
    var office = try office(rule)
    for text in ["one", "two", "three"] {
      _ = try office.ask(.addActivity(.note(text, on: "booking_a")), as: "ada")
      office.wait(.seconds(1))
    }
    let details = ["x", "one", "two", "three"]
    let expected =
      switch rule {
      case .atp34?: [String]()
      case .atp85?: Array(details.reversed())
      default: details
      }
    #expect(try office.timeline("booking_a").map(\.detail) == expected)
    #expect(try office.booking("booking_a").activities?.map(\.detail) == expected)
    #expect(try office.list(.app).page.items.allSatisfy { $0.activities == nil })
    let detail = try office.ask(.booking(id: "booking_a"), as: "ada").reply?.booking
    #expect(detail?.customer?.name == "Grace Hopper")
  }
}

@Suite struct `A refused request` {
  private static let refused: [(AsiaTravelPlan.Request, user: String, AsiaTravelPlan.APIRefusal)] =
    [
      (.changeStage(StageChange("booking_b", to: .won)), "ada", .forbidden),
      (.changeStage(StageChange(booking: "booking_b", stage: "x")), "mia", .invalidStage),
      (.assign(Assignment("booking_b", to: "staff_z")), "mia", .staffNotFoundOrInactive),
      (.assign(Assignment("booking_b", to: "staff_b")), "ben", .forbidden),
      (.addActivity(.note("x", on: "booking_b")), "carl", .forbidden),
      (
        .addActivity(NewActivity(booking: "booking_b", type: nil, detail: "x")), "mia",
        .typeRequired
      ),
    ]

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp86])
  func `changes nothing (ATP-86)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    for (request, user, kind) in Self.refused {
      let before = try office.booking("booking_b")
      office.wait(.seconds(1))
      #expect(try office.ask(request, as: user).kind == kind)
      #expect(try (office.booking("booking_b") == before) == (rule == nil), "\(request)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp93])
  func `is refused for the first of several reasons (ATP-93)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let missing: AsiaTravelPlan.APIRefusal = rule == nil ? .bookingNotFound : .forbidden
    let both: [(AsiaTravelPlan.Request, user: String, AsiaTravelPlan.APIRefusal)] = [
      // What is wrong with the body comes before the booking, which comes before the right.
      (.changeStage(StageChange(booking: "none", stage: "x")), "ada", .invalidStage),
      (.changeStage(StageChange("none", to: .won)), "ada", missing),
      (.assign(Assignment("none", to: "staff_x")), "ada", missing),
      (.assign(Assignment("booking_b", to: "staff_x")), "ada", .forbidden),
      (.addActivity(NewActivity(booking: "none", type: nil, detail: nil)), "ada", .typeRequired),
      (.addActivity(.note("x", on: "none")), "carl", missing),
      (.booking(id: "none"), "una", missing), (.activities(booking: "none"), "una", missing),
      (.invoices(booking: "none"), "una", missing),
      // Where a right is about no booking, it comes first.
      (.addStaff(NewStaff(name: nil, usernames: nil)), "carl", .forbidden),
      (.addTour(TourDraft()), "mia", .forbidden),
      (.changeTour(TourDraft(tour: "none")), "carl", .forbidden),
      (.changeTour(TourDraft(tour: "none", id: "x")), "alma", .tourNotFound),
      (.tour(id: "none"), "ada", .forbidden), (.customer(id: "none"), "ada", .forbidden),
      (.customer(id: "none"), "mia", .customerNotFound),
      (.addInvoice(InvoiceDraft(booking: "none")), "carl", missing),
      (.addInvoice(InvoiceDraft(booking: "booking_b")), "carl", .forbidden),
      (
        .changeInvoice(InvoiceDraft(booking: "booking_b", invoice: "x", items: [])), "mia",
        .invoiceNotFound
      ),
    ]
    for (request, user, kind) in both {
      #expect(try office.ask(request, as: user).kind == kind, "\(request) of \(user)")
    }
  }

  @Test
  func
    `of a body that is no JSON is refused before the booking is looked for, staff and tours after the right (3.3)`()
    throws
  {
    var office = try Office()
    let table = AsiaTravelPlan.table
    func broken(_ endpoint: Endpoint<AsiaTravelPlan>) -> AsiaTravelPlan.Request {
      .unread(.malformed(operation: table.index(of: endpoint), .noDocument))
    }
    for endpoint in [
      AsiaTravelPlan.changeStage, AsiaTravelPlan.assign, AsiaTravelPlan.addActivity,
      AsiaTravelPlan.addInvoice, AsiaTravelPlan.changeInvoice,
    ] { #expect(try office.ask(broken(endpoint), as: "una").kind == .invalidJSON) }
    for endpoint in [AsiaTravelPlan.addStaff, AsiaTravelPlan.addTour, AsiaTravelPlan.changeTour] {
      #expect(try office.ask(broken(endpoint), as: "una").kind == .forbidden)
      #expect(try office.ask(broken(endpoint), as: "alma").kind == .invalidJSON)
    }
    #expect(try office.ask(broken(AsiaTravelPlan.requestTrip), as: "visitor").kind == .invalidJSON)
  }

  @Test func `is none where a body is null, a list or of other types (O-24)`() throws {
    for (body, kind) in [
      ("null", AsiaTravelPlan.APIRefusal.invalidStage), ("[]", .invalidStage), ("7", .invalidStage),
      ("", .invalidStage), ("{\"stage\": 7}", .invalidStage), ("{", .invalidJSON),
      ("{\"stage\": \"won\", \"more\": {}}", nil),
    ] as [(String, AsiaTravelPlan.APIRefusal?)] {
      var office = try Office()
      let wire = WireRequest(
        "PATCH", "/api/v1/bookings/booking_a/stage", body: Array(body.utf8))
      #expect(try office.ask(AsiaTravelPlan.read(wire).request, as: "mia").kind == kind, "\(body)")
    }
    var office = try Office()
    let wire = WireRequest(
      "POST", "/api/v1/bookings/booking_a/activities",
      body: Array("{\"type\": 1.5, \"detail\": true}".utf8))
    let entry = try office.ask(AsiaTravelPlan.read(wire).request, as: "mia").reply?.activity
    #expect(entry?.type == "1.5" && entry?.detail == "true")
  }
}
