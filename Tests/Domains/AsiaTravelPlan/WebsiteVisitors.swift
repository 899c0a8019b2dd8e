import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@testable import AsiaTravelPlanTwin

@Suite struct `A booking from the website` {
  private func office(_ rule: AsiaTravelPlan.Rule?) throws -> Office {
    try Office(without: rule.map { [$0] } ?? [])
  }

  private func request(
    _ trip: TripRequest, _ office: inout Office
  ) throws -> (accepted: TripAccepted, isNew: Bool) {
    let reply = try office.ask(.requestTrip(trip), as: "visitor").reply
    if let accepted = reply?.accepted(isNew: true) { return (accepted, true) }
    return (try #require(reply?.accepted(isNew: false)), false)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp88])
  func `is new, unassigned, due in 2 h, with one entry (ATP-88)`(rule: AsiaTravelPlan.Rule?) throws
  {
    var office = try office(rule)
    var trip = TripRequest.sample("  Linus Pauling ")
    trip.notes = " by train "
    let (accepted, isNew) = try request(trip, &office)
    #expect(isNew && !accepted.isDeduplicated)
    let booking = try office.booking(accepted.bookingID)
    #expect(booking.stage == .new && booking.staff == nil && booking.ownerID == nil)
    #expect((booking.slaDueAt == office.now + .hours(2)) == (rule == nil))
    #expect(booking.createdAt == office.now && booking.updatedAt == office.now)
    #expect(booking.notes == "by train" && booking.budget == "" && booking.idempotencyKey == nil)
    let timeline = try office.timeline(accepted.bookingID)
    #expect(timeline.map(\.type) == (rule == nil ? ["BOOKING_CREATED"] : []))
    if let entry = timeline.first {
      #expect(entry.detail == "Booking created from website form" && entry.actor == "public_api")
    }
    let customer = try office.ask(.customer(id: accepted.customerID), as: "mia").reply?.customer
    #expect(customer?.name == "Linus Pauling")
    #expect(try office.list(.app).page.items.first?.id == booking.id)
    #expect(try office.status(.booking(id: booking.id), as: "ada") == 403)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp89, .atp103])
  func `is created once under a key (ATP-89, ATP-103)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try office(rule)
    let first = try request(.sample(key: "k"), &office)
    let total = try office.list(.app).page.total
    let again = try request(.sample("Somebody Else", key: "k"), &office)
    #expect((again.accepted.bookingID == first.accepted.bookingID) == (rule == nil))
    #expect(again.isNew == (rule != nil))
    #expect(try office.list(.app).page.total == total + (rule == nil ? 0 : 1))
    if rule == nil {
      #expect(
        again.accepted.isDeduplicated && again.accepted.customerID == first.accepted.customerID)
    }
    #expect(try request(.sample(key: "l"), &office).isNew)
    // What is wrong is refused before the key is looked up.
    var wrong = TripRequest.sample(key: "k")
    wrong.email = "nowhere"
    #expect(try office.ask(.requestTrip(wrong), as: "visitor").kind == .invalidEmail)
  }

  @Test func `needs its fields, in their order (3.3)`() throws {
    var office = try Office()
    var trip = TripRequest.sample()
    (trip.name, trip.travelers, trip.travelMonth) = (" ", 0, nil)
    #expect(
      try office.ask(.requestTrip(trip), as: "visitor").refusal
        == .api(.missingFields, about: "name, travelMonth, travelers"))
    for address in ["a", "a@b", "a@b.", "@b.c", "a b@c.d", "a@b@c.d", "a@b.c@d", "a@.c"] {
      var trip = TripRequest.sample()
      trip.email = address
      #expect(try office.ask(.requestTrip(trip), as: "visitor").kind == .invalidEmail, "\(address)")
    }
    for (count, isFine) in [(-1, false), (1, true), (30, true), (31, false)] {
      var trip = TripRequest.sample()
      trip.travelers = count
      #expect(try office.ask(.requestTrip(trip), as: "visitor").isReplied == isFine, "\(count)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp90])
  func `finds its customer by e-mail, phone or nearly the same name (ATP-90)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try office(rule)
    var first = TripRequest.sample("Marie Curie")
    first.phone = "+48 (22) 123-456"
    let known = try request(first, &office).accepted.customerID
    var byEmail = TripRequest.sample("Entirely Different")
    byEmail.email = " MarieCurie@Example.Test"
    var byPhone = TripRequest.sample("Quite Another One")
    byPhone.phone = "4822123456"
    for trip in [byEmail, byPhone, .sample("Quite Another Ones")] {
      let accepted = try request(trip, &office).accepted
      #expect((accepted.customerID == known) == (rule == nil), "\(trip)")
      #expect(accepted.isDeduplicated == (rule == nil))
    }
    guard rule == nil else { return }
    let customer = try office.ask(.customer(id: known), as: "mia").reply?.customer
    #expect(customer?.name == "Quite Another Ones" && customer?.phone == "4822123456")
    // What its bookings are found by is its new name.
    #expect(try office.list(BookingQuery(search: "quite another")).page.total == 4)
  }

  @Test
  func `takes names two edits apart for one, and none that are short or further apart (ATP-90)`()
    throws
  {
    let cases: [(String, String, isSame: Bool)] = [
      ("Ada Lovelace", "ada lovelace", true), ("Ada Lovelace", "Ada Lovlace", true),
      ("Ada Lovelace", "da Lovelac", true), ("Ada Lovelace", "Adam Lovelaces", true),
      ("Ada Lovelace", "Adda Luvelacc", false), ("Anna", "Anno", true), ("Ann", "Anno", false),
      ("Anna", "Ann", false), ("Lise Meitner", "Lisa Maitner", true),
      ("Lise Meitner", "xyLise Meitner", true), ("Lise Meitner", "Lise Meitnerxyz", false),
    ]
    for (one, other, isSame) in cases {
      var office = try Office()
      var (first, second) = (TripRequest.sample(one), TripRequest.sample(other))
      (first.email, second.email) = ("one@example.test", "other@example.test")
      let known = try request(first, &office).accepted.customerID
      #expect(
        try (request(second, &office).accepted.customerID == known) == isSame, "\(one), \(other)")
    }
  }

  @Test func `finds the first of all customers whose names are near (ATP-90)`() {
    let seed: UInt64 = 90
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    var book = CustomerBook()
    var names: [String] = []
    for step in 0..<400 {
      let name = String((0..<stream.pick(3..<9)).map { _ in stream.pick(Array("abc")) })
      let near = names.firstIndex { min($0.count, name.count) >= 4 && distance($0, name) <= 2 }
      #expect(
        book.match(Customer(id: "x", name: name)) == near, "seed \(seed), step \(step): \(name)")
      // Few near names, so that many are first ones.
      guard near == nil || stream.chance(0.1) else { continue }
      names.append(name)
      book.set(Customer(id: "c\(names.count)", name: name))
    }
  }

  /// By the definition: the fewest edits that make one text of another.
  private func distance(_ a: String, _ b: String) -> Int {
    var known: [[Int]: Int] = [:]
    let (a, b) = (Array(a), Array(b))
    func edits(_ i: Int, _ j: Int) -> Int {
      if i == 0 || j == 0 { return i + j }
      if let edits = known[[i, j]] { return edits }
      let same = edits(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1)
      let fewest = min(same, edits(i - 1, j) + 1, edits(i, j - 1) + 1)
      known[[i, j]] = fewest
      return fewest
    }
    return edits(a.count, b.count)
  }
}
