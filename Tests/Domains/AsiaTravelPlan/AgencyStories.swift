import AsiaTravelPlanChecks
import AsiaTravelPlanContract
import Contracts
import Observations
import Testing
import Timekeeping

/// Records by hand of an agency with three bookings: a is ada's, b is ben's, c is nobody's.
struct AgencyStory {
  typealias Agency = AsiaTravelPlan

  static let people = ["ada", "ben", "mia", "carl", "alma", "otto"]
  private static let roles = [
    "atp_staff", "atp_staff", "atp_manager", "atp_accountant", "atp_admin", "",
  ]

  var now = Office.start
  private var records: [Record<Agency>] = []

  init() {
    command(.load(Office.fixture))
    now += .seconds(10)
    for user in Self.people {
      ask(
        .token(TokenRequest(grantType: "authorization_code")), as: user, nil,
        .replied(.tokens(Self.tokens(of: user, at: now))))
    }
  }

  static func tokens(
    of user: String, at now: Instant, seconds: Int = 3_600, key: String = "key"
  ) -> TokenSet {
    let claims = claims(of: user, at: now, seconds: seconds)
    return TokenSet(
      accessToken: .issued(claims, key: key), expiresInSeconds: seconds,
      refreshToken: "refresh-\(user)", refreshExpiresInSeconds: 1_800, idToken: nil,
      sessionState: claims.sid, scope: "openid")
  }

  static func claims(of user: String, at now: Instant = Office.start, seconds: Int = 36_000)
    -> Claims
  {
    let role = people.firstIndex(of: user).map { roles[$0] } ?? ""
    return Claims(
      .bearer, iss: "http://127.0.0.1:8788/realms/master", sub: user, azp: "asiatravelplan-ios",
      exp: now.unixSeconds + Int64(seconds), iat: now.unixSeconds, jti: "jti", sid: "sid-\(user)",
      preferredUsername: user, realmRoles: [role])
  }

  static func bearer(_ user: String) -> Agency.Credential {
    .bearer(.issued(claims(of: user), key: "key"))
  }

  static func booking(_ id: String) -> Booking {
    var booking = Office.fixture.bookings.first { $0.id == id }!
    booking.activities = nil
    return booking
  }

  static func timeline(_ id: String) -> [Activity] {
    Office.fixture.bookings.first { $0.id == id }!.activities!
  }

  // MARK: Telling

  mutating func ask(
    _ request: Agency.Request, as user: String, _ outcome: Outcome<Agency>,
    lasting: Span = .seconds(1), meeting fault: FaultKind? = nil,
    with headers: CommonHeaders = .unseen
  ) {
    ask(
      request, as: user, Self.bearer(user), outcome, lasting: lasting, meeting: fault, with: headers
    )
  }

  mutating func ask(
    _ request: Agency.Request, as user: String, _ credential: Agency.Credential?,
    _ outcome: Outcome<Agency>, lasting: Span = .seconds(1), meeting fault: FaultKind? = nil,
    with headers: CommonHeaders = .unseen
  ) {
    let call = Call<Agency>(
      request: request, operation: Agency.operation(of: request), credential: credential,
      intended: now, sent: now, answered: now + lasting, outcome: outcome, attempt: 1)
    if let fault { call.met.add(fault) }
    call.headers = headers
    record(.request(call), as: user, at: now + lasting)
    now += lasting + .seconds(1)
  }

  mutating func note(_ note: Agency.Note, as user: String) {
    record(.note(note), as: user, at: now)
  }

  mutating func command(_ request: Agency.Request) {
    record(.control(request, .replied(.done)), as: nil, at: now)
  }

  private mutating func record(_ event: Record<Agency>.Event, as user: String?, at time: Instant) {
    records.append(
      Record(
        time: time, person: user.flatMap { Self.people.firstIndex(of: $0) }.map { PersonID($0) },
        sequence: UInt32(records.count), cell: 0, event: event))
  }

  // MARK: What comes again and again

  /// - Returns: The booking as it was answered.
  @discardableResult
  mutating func change(
    _ id: String, to stage: Booking.Stage, as user: String = "mia", lasting: Span = .seconds(1),
    answered: Bool = true
  ) -> Booking {
    var booking = Self.booking(id)
    booking.stage = stage
    booking.updatedAt = now + .milliseconds(500)
    booking.slaDueAt = stage.sla.map { booking.updatedAt + $0 }
    ask(
      .changeStage(StageChange(id, to: stage)), as: user,
      answered ? .replied(.changed(booking)) : .unknown(.timedOut), lasting: lasting)
    return booking
  }

  @discardableResult
  mutating func write(
    _ detail: String, on id: String, as user: String = "mia", lasting: Span = .seconds(1),
    answered: Bool = true,
    meeting fault: FaultKind? = nil
  ) -> Activity {
    let activity = Activity(
      id: "act_\(detail)", bookingID: id, type: "NOTE", detail: detail, actor: user,
      createdAt: now + .milliseconds(500))
    ask(
      .addActivity(.note(detail, on: id)), as: user,
      answered ? .replied(.activity(activity)) : .unknown(.timedOut), lasting: lasting,
      meeting: fault)
    return activity
  }

  mutating func show(_ timeline: [Activity], of id: String, as user: String = "alma") {
    ask(.activities(booking: id), as: user, .replied(.activities(timeline)))
  }

  mutating func show(_ booking: Booking, as user: String = "alma") {
    ask(
      .booking(id: booking.id), as: user,
      .replied(.booking(BookingDetail(booking: booking, customer: nil))))
  }

  mutating func list(
    _ bookings: [Booking], total: Int? = nil, query: BookingQuery = .app, as user: String = "alma"
  ) {
    let extent = PageExtent(page: query.page, size: query.pageSize)
    ask(
      .bookings(query), as: user,
      .replied(
        .bookings(
          BookingList(
            Paged(bookings, of: total ?? bookings.count, extent), filters: nil, sort: nil))))
  }

  func judges() -> [Agency.Rule: Judge] {
    let checks = checks()
    return Dictionary(
      uniqueKeysWithValues: zip(checks.limits, checks.judges).map { (Agency.Rule($0)!, $1) })
  }

  /// The same of two generators that each see some of the people; the first does what the operator does.
  func dividedJudges() -> [[Agency.Rule: Judge]] {
    (0..<2).map { generator in
      var part = self
      part.records.removeAll { Int($0.person?.index ?? 0) % 2 != generator }
      return part.judges()
    }
  }

  /// What the checks told of the matrix of rights.
  func entries() -> [AccessMatrix.Entry] {
    var checks = checks()
    return checks.takeEntries()
  }

  private func checks() -> CellCheckRuntime<AgencyChecks> {
    var checks = CellCheckRuntime<AgencyChecks>()
    for record in records.enumerated().sorted(by: {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }) {
      checks.see(record.element)
    }
    checks.end(at: now + .minutes(2))
    return checks
  }

  static func violated(_ tell: (inout AgencyStory) -> Void) -> [String] {
    var story = AgencyStory()
    tell(&story)
    return story.judges().filter { $0.value.violations > 0 }.map(\.key.id.text).sorted()
  }

  static func held(_ rule: Agency.Rule, _ tell: (inout AgencyStory) -> Void) -> Int {
    var story = AgencyStory()
    tell(&story)
    let judge = story.judges()[rule]!
    return judge.exercised - judge.violations
  }
}

@Suite struct `Checks of an agency` {
  private typealias Story = AgencyStory

  // MARK: Reads and writes

  @Test func `miss a confirmed change in every later read, and in none that overlaps it`() {
    let later = Story.violated {
      $0.change("booking_b", to: .won)
      $0.show(Story.booking("booking_b"))
    }
    #expect(Set(later).isSuperset(of: ["ATP-05", "ATP-96"]))
    let meanwhile = Story.violated {
      let begun = $0.now
      $0.change("booking_b", to: .won, lasting: .seconds(5))
      $0.now = begun + .seconds(1)
      $0.show(Story.booking("booking_b"))
    }
    #expect(meanwhile == [])
    let unanswered = Story.violated {
      $0.change("booking_b", to: .won, answered: false)
      $0.now += .minutes(3)
      $0.show(Story.booking("booking_b"))
    }
    #expect(unanswered == [])
  }

  @Test func `of two changes at once take either, of two one after the other the last`() {
    func told(lasting: Span, shown: Booking.Stage) -> [String] {
      Story.violated {
        let begun = $0.now
        let first = $0.change("booking_b", to: .won, lasting: lasting)
        if lasting > .seconds(1) { $0.now = begun + .milliseconds(200) }
        let second = $0.change("booking_b", to: .lost, lasting: lasting)
        $0.now += .minutes(1)
        $0.show(shown == .won ? first : second)
      }
    }
    #expect(told(lasting: .seconds(3), shown: .won) == [])
    #expect(told(lasting: .seconds(3), shown: .lost) == [])
    #expect(told(lasting: .seconds(1), shown: .lost) == [])
    #expect(told(lasting: .seconds(1), shown: .won).contains("ATP-98"))
    let lost = Story.violated {
      let begun = $0.now
      $0.change("booking_b", to: .won, lasting: .seconds(3))
      $0.now = begun
      $0.write("one", on: "booking_b", lasting: .seconds(2))
      $0.now = begun + .seconds(5)
      $0.show(Story.booking("booking_b"))
    }
    #expect(lost.contains("ATP-98"))
    let withoutEntry = Story.violated {
      let begun = $0.now
      let changed = $0.change("booking_b", to: .won, lasting: .seconds(3))
      $0.now = begun
      let note = $0.write("one", on: "booking_b", lasting: .seconds(2))
      $0.now = begun + .seconds(30)
      $0.show(changed)
      $0.show(Story.timeline("booking_b") + [note], of: "booking_b")
    }
    #expect(Set(withoutEntry).isSuperset(of: ["ATP-77", "ATP-98"]))
  }

  @Test func `miss a confirmed note, find it once, and take one without an answer or leave it`() {
    let timeline = Story.timeline("booking_b")
    let lost = Story.violated {
      $0.write("one", on: "booking_b")
      $0.now += .seconds(20)
      $0.show(timeline, of: "booking_b")
    }
    #expect(Set(lost).isSuperset(of: ["ATP-96", "ATP-97"]))
    let twice = Story.violated {
      let note = $0.write("one", on: "booking_b")
      $0.show(timeline + [note, note], of: "booking_b")
    }
    #expect(twice.contains("ATP-97"))
    let arrivedTwice = Story.violated {
      let note = $0.write("one", on: "booking_b", meeting: .duplicate)
      var other = note
      other.id = "act_other"
      $0.show(timeline + [note, other], of: "booking_b")
    }
    #expect(arrivedTwice == [])
    let another = Story.violated {
      let note = $0.write("one", on: "booking_b")
      var other = note
      other.id = "act_other"
      $0.show(timeline + [note, other], of: "booking_b")
    }
    #expect(another.contains("ATP-97"))
    for isThere in [true, false] {
      let doubtful = Story.violated {
        let note = $0.write("one", on: "booking_b", answered: false)
        $0.now += .minutes(3)
        $0.show(timeline + (isThere ? [note] : []), of: "booking_b")
      }
      #expect(doubtful == [])
    }
    let both = Story.violated {
      let begun = $0.now
      let one = $0.write("one", on: "booking_b", lasting: .seconds(3))
      $0.now = begun
      let two = $0.write("two", on: "booking_b", lasting: .seconds(3))
      $0.show(timeline + [two, one].sorted { $0.createdAt < $1.createdAt }, of: "booking_b")
    }
    #expect(both == [])
    #expect(
      Story.held(.atp97) {
        let note = $0.write("one", on: "booking_b")
        $0.show(timeline + [note], of: "booking_b")
      } > 1)
  }

  @Test func `of two equal changes give the entry to the one that was confirmed`() {
    let timeline = Story.timeline("booking_b")
    let told = Story.violated {
      $0.change("booking_b", to: .won, answered: false)
      let booking = $0.change("booking_b", to: .won)
      let entry = Activity(
        id: "act_9", bookingID: "booking_b", type: "STAGE_CHANGED", detail: "Stage updated to WON",
        actor: "mia", createdAt: booking.updatedAt)
      for _ in 0..<2 {
        $0.now += .seconds(20)
        $0.show(timeline + [entry], of: "booking_b")
      }
    }
    #expect(told == [])
  }

  @Test func `find entries and changes without a cause`() {
    let timeline = Story.timeline("booking_b")
    let invented = Story.violated {
      let note = Activity(
        id: "act_9", bookingID: "booking_b", type: "STAGE_CHANGED", detail: "Stage updated to WON",
        actor: "mia", createdAt: $0.now)
      $0.show(timeline + [note], of: "booking_b")
    }
    #expect(invented == ["ATP-77"])
    let touched = Story.violated {
      var booking = Story.booking("booking_b")
      booking.updatedAt = $0.now
      $0.show(booking)
    }
    #expect(touched == ["ATP-86"])
    let rewritten = Story.violated {
      var other = timeline
      other[0].detail = "another"
      $0.show(other, of: "booking_b")
    }
    #expect(rewritten == ["ATP-103", "ATP-85"])
    let moved = Story.violated {
      var booking = Story.booking("booking_b")
      booking.destination = "Vietnam"
      $0.show(booking)
    }
    #expect(moved == ["ATP-51"])
  }

  // MARK: Lists

  @Test func `miss what a list leaves out, and find what it should not show`() {
    let all = ["booking_c", "booking_b", "booking_a"].map { Story.booking($0) }
    #expect(Story.violated { $0.list(all) } == [])
    #expect(Story.violated { $0.list(all.reversed()) } == ["ATP-92"])
    #expect(Story.violated { $0.list(Array(all.dropFirst())) } == ["ATP-92"])
    #expect(Story.violated { $0.list(Array(all.dropFirst()), total: 3) } == ["ATP-92"])
    let two = BookingQuery(pageSize: 2)
    #expect(Story.violated { $0.list([all[0], all[1]], total: 3, query: two) } == [])
    #expect(Story.violated { $0.list([all[0], all[2]], total: 3, query: two) } == ["ATP-92"])
    #expect(Story.violated { $0.list([all[2]], as: "ada") } == [])
    #expect(Story.violated { $0.list([], as: "ada") } == ["ATP-92"])
    #expect(Story.violated { $0.list([all[1], all[2]], as: "ada") } == ["ATP-36", "ATP-92"])
    let laos = BookingQuery(stage: "WON", search: " lAOs ")
    #expect(Story.violated { $0.list([all[0]], query: laos) } == [])
    #expect(Story.violated { $0.list([], query: laos) } == ["ATP-92"])
    #expect(Story.violated { $0.list([all[1]], query: laos) } == ["ATP-92"])
    let none = BookingQuery(search: "nowhere")
    #expect(Story.violated { $0.list(all, query: none) } == ["ATP-92"])
  }

  @Test func `miss what lies between two pages, and find what stands on both`() {
    let (a, b, c) = (
      Story.booking("booking_a"), Story.booking("booking_b"), Story.booking("booking_c")
    )
    func page(_ number: Int, _ bookings: [Booking], _ sort: BookingOrder) -> [String] {
      let size = number == 1 ? 2 : 1
      return Story.violated {
        $0.list(
          bookings, total: 3,
          query: BookingQuery(page: number, pageSize: size, sort: sort.rawValue))
      }
    }
    #expect(page(2, [b], .newest) == [])
    #expect(page(2, [c], .newest) == ["ATP-92"])
    #expect(page(2, [a], .newest) == ["ATP-92"])
    #expect(page(3, [c], .oldest) == [])
    #expect(page(3, [b], .oldest) == ["ATP-92"])
    #expect(page(1, [a, b], .oldest) == [])
    #expect(page(1, [a, c], .oldest) == ["ATP-92"])
    #expect(page(1, [a, a], .oldest) == ["ATP-92"])
  }

  @Test func `find a token of who is disabled, of roles that were taken, and of an ended session`()
  {
    func refreshed(after command: AsiaTravelPlan.Request, at once: Bool = false) -> [String] {
      Story.violated {
        $0.command(.setUser(UserChange(username: "mia", realmRoles: ["atp_manager"])))
        $0.now += .minutes(2)
        $0.command(command)
        if !once { $0.now += .seconds(2) }
        let set = Story.tokens(of: "mia", at: $0.now)
        $0.ask(
          .token(TokenRequest(grantType: "refresh_token")), as: "mia", nil, .replied(.tokens(set)))
      }
    }
    let (no, roleless) = (
      UserChange(username: " MIA ", isEnabled: false), UserChange(username: "mia", realmRoles: [])
    )
    #expect(refreshed(after: .setUser(UserChange(username: "mia"))) == [])
    #expect(refreshed(after: .setUser(no)) == ["ATP-27"])
    #expect(refreshed(after: .setUser(roleless)) == ["ATP-06"])
    #expect(refreshed(after: .endSessions(username: "mia")) == ["ATP-27"])
    #expect(refreshed(after: .setUser(no), at: true) == [])
  }

  @Test func `take a list with or without what changes while it is read`() {
    let ada = Story.booking("booking_a")
    for shown in [[ada], []] {
      let meanwhile = Story.violated {
        let begun = $0.now
        var booking = ada
        booking.assign(nil, nil)
        booking.updatedAt = begun
        $0.ask(
          .assign(Assignment("booking_a", to: nil)), as: "mia", .replied(.changed(booking)),
          lasting: .seconds(5))
        $0.now = begun + .seconds(1)
        $0.list(shown, as: "ada")
      }
      #expect(meanwhile == [])
    }
    let after = Story.violated {
      var booking = ada
      booking.assign(nil, nil)
      booking.updatedAt = $0.now
      $0.ask(.assign(Assignment("booking_a", to: nil)), as: "mia", .replied(.changed(booking)))
      $0.list([ada], as: "ada")
    }
    #expect(after.contains("ATP-36") && after.contains("ATP-96"))
  }

  // MARK: Refusals

  @Test func `want a cause for each refusal, its code, and a refusal where there is a cause`() {
    let forbidden = Outcome<AsiaTravelPlan>.refused(.api(.forbidden))
    func asked(
      _ id: String, as user: String, _ outcome: Outcome<AsiaTravelPlan>
    ) -> [String] {
      Story.violated { $0.ask(.booking(id: id), as: user, outcome) }
    }
    let detail = Outcome<AsiaTravelPlan>.replied(
      .booking(BookingDetail(booking: Story.booking("booking_b"), customer: nil)))
    #expect(asked("booking_b", as: "mia", forbidden).contains("ATP-40"))
    #expect(asked("booking_b", as: "mia", detail) == [])
    #expect(asked("booking_b", as: "ada", forbidden) == [])
    #expect(asked("booking_b", as: "ada", detail) == ["ATP-36"])
    #expect(asked("booking_b", as: "ben", forbidden).contains("ATP-52"))
    #expect(asked("booking_x", as: "ada", forbidden) == ["ATP-93"])
    #expect(asked("booking_x", as: "ada", .refused(.api(.bookingNotFound))) == [])
    #expect(asked("booking_b", as: "mia", .refused(.api(.bookingNotFound))) == ["ATP-93"])
    #expect(asked("booking_b", as: "otto", .refused(.api(.unauthorized))) == [])
    #expect(asked("booking_b", as: "otto", detail) == ["ATP-08"])
    #expect(asked("booking_b", as: "mia", .unknown(.timedOut)) == [])
    #expect(asked("booking_b", as: "mia", .unknown(.serverError)) == ["ATP-99"])
    let byFault = Story.violated {
      $0.ask(
        .booking(id: "booking_b"), as: "mia", .unknown(.serverError),
        meeting: .status(503, retryAfter: nil))
    }
    #expect(byFault == [])
  }

  @Test func `know which tokens must be accepted, and which not`() {
    let me = Outcome<AsiaTravelPlan>.refused(.api(.unauthorized))
    func asked(
      _ change: (inout Claims) -> Void, key: String = "key", _ outcome: Outcome<AsiaTravelPlan>
    ) -> [String] {
      Story.violated {
        var claims = Story.claims(of: "mia")
        change(&claims)
        $0.ask(.bookings(.app), as: "mia", .bearer(.issued(claims, key: key)), outcome)
      }
    }
    #expect(asked({ _ in }, me) == ["ATP-24"])
    #expect(asked({ $0.aud = "another" }, me) == ["ATP-24"])
    #expect(asked({ $0.exp = Office.start.unixSeconds }, me) == [])
    #expect(asked({ $0.iss = "http://other/realms/master" }, me) == [])
    #expect(asked({ _ in }, key: "unknown", me) == [])
    let list = Outcome<AsiaTravelPlan>.replied(
      .bookings(
        BookingList(
          Paged(
            ["booking_c", "booking_b", "booking_a"].map { Story.booking($0) }, of: 3,
            PageExtent(page: 1, size: 20)), filters: nil, sort: nil)))
    #expect(asked({ $0.aud = "another" }, list) == [])
    #expect(asked({ $0.exp = Office.start.unixSeconds }, list) == ["ATP-24"])
    #expect(asked({ $0.iss = "http://other/realms/master" }, list) == ["ATP-24"])
    #expect(asked({ _ in }, key: "unknown", list) == ["ATP-24"])
    #expect(asked({ $0.realmRoles = ["ATP_ADMIN"] }, list) == ["ATP-06"])
    #expect(asked({ ($0.groups, $0.realmRoles) = (["/x/atp_admin"], []) }, me) == ["ATP-26"])
    let other = Story.violated {
      $0.ask(.bookings(.app), as: "mia", .otherScheme("bearer x"), list)
    }
    #expect(other == ["ATP-25"])
  }

  @Test func `miss the cross-origin headers of an answer that came over a wire (ATP-95)`() {
    func told(_ headers: CommonHeaders, _ outcome: Outcome<AsiaTravelPlan>) -> Int {
      Story.held(.atp95) { $0.ask(.me, as: "ada", outcome, with: headers) }
    }
    func violated(_ headers: CommonHeaders, _ outcome: Outcome<AsiaTravelPlan>) -> [String] {
      Story.violated { $0.ask(.booking(id: "x"), as: "alma", outcome, with: headers) }
    }
    let refused = Outcome<AsiaTravelPlan>.refused(.api(.bookingNotFound))
    #expect(violated(.lacking(0), refused) == ["ATP-95"])
    #expect(violated(.whole, refused) == [] && violated(.unseen, refused) == [])
    #expect(told(.whole, refused) == 1 && told(.unseen, refused) == 0)
    // A server's front knows nothing of them.
    #expect(!violated(.lacking(3), .unknown(.serverError)).contains("ATP-95"))
  }

  @Test func `find the write of each entry where one arrived twice among others like it`() {
    func shown(extra: Bool) -> [String] {
      Story.violated {
        let begun = $0.now
        var entries = Story.timeline("booking_a")
        func enter(_ after: Span) {
          entries.append(
            Activity(
              id: "act_\(entries.count)", bookingID: "booking_a", type: "STAGE_CHANGED",
              detail: "Stage updated to WON", actor: "mia", createdAt: begun + after))
        }
        for (place, seconds) in [0, 57, 85, 140].enumerated() {
          $0.now = begun + .seconds(Int64(seconds))
          var booking = Story.booking("booking_a")
          booking.stage = .won
          booking.updatedAt = $0.now + .milliseconds(500)
          booking.slaDueAt = Booking.Stage.won.sla.map { booking.updatedAt + $0 }
          $0.ask(
            .changeStage(StageChange("booking_a", to: .won)), as: "mia",
            .replied(.changed(booking)), meeting: place == 0 ? .duplicate : nil)
          enter(.seconds(Int64(seconds)) + .milliseconds(500))
          if place == 0 { enter(.milliseconds(501)) }
        }
        if extra { enter(.milliseconds(140_600)) }
        $0.show(entries, of: "booking_a")
      }
    }
    #expect(shown(extra: false) == [])
    #expect(shown(extra: true) == ["ATP-77"])
  }

  // MARK: The website

  @Test func `know that a request without an answer may have made a booking`() {
    let all = ["booking_c", "booking_b", "booking_a"].map { Story.booking($0) }
    let trip = TripRequest(
      idempotencyKey: "k", name: "Grace", email: "grace@example.test", destination: "Laos",
      style: "Food", travelMonth: "2026-11", travelers: 2, duration: "3-5 days")
    func told(_ outcome: Outcome<AsiaTravelPlan>, total: Int) -> [String] {
      Story.violated {
        $0.ask(.requestTrip(trip), as: "otto", nil, outcome)
        $0.list(
          all, total: total, query: BookingQuery(page: 1, pageSize: 3, sort: "updated_at_desc"))
      }
    }
    let booked = TripAccepted(bookingID: "booking_d", customerID: "cust_1", isDeduplicated: true)
    #expect(told(.unknown(.timedOut), total: 3) == [])
    #expect(told(.unknown(.timedOut), total: 4) == [])
    #expect(told(.unknown(.timedOut), total: 5) == ["ATP-92"])
    #expect(told(.replied(.accepted(booked, isNew: true)), total: 3).contains("ATP-92"))
    let twice = Story.violated {
      for id in ["booking_d", "booking_e"] {
        let accepted = TripAccepted(bookingID: id, customerID: "cust_1", isDeduplicated: true)
        $0.ask(.requestTrip(trip), as: "otto", nil, .replied(.accepted(accepted, isNew: true)))
      }
    }
    #expect(twice == ["ATP-103", "ATP-89"])
    let atOnce = Story.violated {
      let begun = $0.now
      for (isNew, lasting) in [(false, Span.seconds(1)), (true, .seconds(4))] {
        $0.now = begun
        let accepted = TripAccepted(
          bookingID: "booking_d", customerID: "cust_1", isDeduplicated: !isNew)
        $0.ask(
          .requestTrip(trip), as: "otto", nil, .replied(.accepted(accepted, isNew: isNew)),
          lasting: lasting)
      }
    }
    #expect(!atOnce.contains("ATP-89") && !atOnce.contains("ATP-103"))
    let stranger = Story.violated {
      let accepted = TripAccepted(bookingID: "d", customerID: "cust_2", isDeduplicated: false)
      $0.ask(.requestTrip(trip), as: "otto", nil, .replied(.accepted(accepted, isNew: true)))
    }
    #expect(stranger == ["ATP-90"])
  }
}
