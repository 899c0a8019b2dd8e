import AsiaTravelPlanChecks
import AsiaTravelPlanContract
import Contracts
import Observations
import Testing
import Timekeeping
import WireLine

@testable import AsiaTravelPlanTwin

/// People and adversaries who ask an agency at random, several at a time, some answers lost; and what was seen of that.
struct BusyAgency {
  typealias Agency = AsiaTravelPlan

  private var twin: AgencyTwin
  private var now = Office.start
  private var random: RandomStream
  private(set) var records: [Record<Agency>] = []
  private var tokens: [String: TokenSet] = [:]
  private var bookings = ["booking_a", "booking_b", "booking_c"]
  private var tours = ["tour_1"]
  private var trips: [TripRequest] = []
  private var invoices: [(booking: String, id: String)] = []

  init(
    seed: UInt64, without rules: [Agency.Rule] = [], with difference: Agency.Difference? = nil
  ) {
    twin = AgencyTwin(
      identifiers: RandomStream(seed: seed, owner: 1, purpose: 0), rules: Rules(off: Set(rules)),
      tokens: codec)
    random = RandomStream(seed: seed, owner: 2, purpose: 0)
    command(
      .configure(
        Adjustment {
          $0.realm = "agency"
          $0.accessTokenLifetime = .hours(9)
          $0.latestVersion = AppVersion("0.9")
          $0.writeTakes = .milliseconds(300)
        }))
    command(.load(Office.fixture))
    if let difference { command(.setDifference(.init(difference, isOn: true))) }
    for user in Office.users {
      command(
        .setUser(
          UserChange(
            username: user.name, id: user.name + "-id", email: user.name + "@example.test",
            password: "p", realmRoles: user.roles)))
    }
    wait(.seconds(2))
    for (number, user) in Office.users.enumerated() { signIn(user.name, as: number) }
  }

  mutating func live(steps: Int) {
    for step in 0..<steps {
      wait(.milliseconds(Int64(500 + random.pick(0..<3_000))))
      if step % 97 == 50 { inspect() }
      if step % 211 == 100 { remap(step) }
      if step == steps / 2 {
        command(.rotateKeys(keepOld: true))
        wait(.seconds(45))
        for (number, user) in Office.users.enumerated() { signIn(user.name, as: number) }
      }
      if step % 53 == 20 { endAndAsk() }
      let batch = (0..<(random.chance(0.3) ? 4 : 1)).map { _ in draw() }
      exchange(batch)
    }
    wait(.minutes(3))
    inspect()
    records.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
  }

  func judged() -> [Agency.Rule: Judge] {
    var checks = CellCheckRuntime<AgencyChecks>()
    for record in records { checks.see(record) }
    checks.end(at: now + .minutes(5))
    return Dictionary(
      uniqueKeysWithValues: zip(checks.limits, checks.judges).compactMap { limit, judge in
        Agency.Rule(limit).map { ($0, judge) }
      })
  }

  // MARK: Asking

  private struct Asking {
    var request: Agency.Request
    var credential: Agency.Credential?
    var person: Int
  }

  private mutating func wait(_ span: Span) {
    now += span
    _ = twin.advance(to: now)
  }

  private mutating func record(_ event: Record<Agency>.Event, by person: Int?, at time: Instant) {
    records.append(
      Record(
        time: time, person: person.map { PersonID($0) }, sequence: UInt32(records.count),
        cell: 0, event: event))
  }

  private mutating func command(_ request: Agency.Request) {
    guard case .now(let result) = twin.handle(request, from: .administration, at: now).answer
    else { return }
    record(.control(request, Outcome(result)), by: nil, at: now)
  }

  private mutating func inspect() {
    guard
      case .now(.success(let reply)) = twin.handle(.inspect(since: 0), from: .harness, at: now)
        .answer
    else { return }
    record(.inspection(reply), by: nil, at: now)
  }

  /// Keys that have to be fetched first arrive at once.
  private mutating func answer(
    _ asking: Asking, at time: Instant
  ) -> Result<Agency.Reply, Agency.Refusal> {
    let handled = twin.handle(asking.request, from: .client(asking.credential), at: time)
    if case .now(let result) = handled.answer { return result }
    guard case .keySetFetch(let realm, let keys)? = handled.effects.signals.first?.signal else {
      return .failure(.api(.internalServerError))
    }
    let arrived = twin.handle(.keySetArrived(realm: realm, keys), from: .environment, at: time)
    return arrived.effects.completions[0].result
  }

  @discardableResult
  private mutating func exchange(_ batch: [Asking]) -> [Outcome<Agency>] {
    let sent = batch.map { _ in now + .milliseconds(Int64(random.pick(0..<100))) }
    let arrived = sent.map { $0 + .milliseconds(Int64(5 + random.pick(0..<200))) }
    var outcomes = batch.map { _ in Outcome<Agency>.unknown(.timedOut) }
    for place in batch.indices.sorted(by: { arrived[$0] < arrived[$1] }) {
      let asking = batch[place]
      let isLost = asking.request.isLosable && random.chance(0.01)
      let result = answer(asking, at: arrived[place])
      if !isLost { outcomes[place] = Outcome(result) }
      let answered =
        isLost
        ? sent[place] + .seconds(60)
        : arrived[place] + .milliseconds(Int64(5 + random.pick(0..<150)))
      let call = Call<Agency>(
        request: asking.request, operation: Agency.operation(of: asking.request),
        credential: asking.credential, intended: sent[place], sent: sent[place],
        answered: answered, outcome: outcomes[place], attempt: 1)
      record(.request(call), by: asking.person, at: answered)
      learn(asking.request, outcomes[place])
    }
    wait(.milliseconds(500))
    return outcomes
  }

  private mutating func ask(
    _ request: Agency.Request, _ credential: Agency.Credential? = nil, by person: Int
  ) -> Agency.Reply? {
    exchange([Asking(request: request, credential: credential, person: person)])[0].reply
  }

  private mutating func learn(_ request: Agency.Request, _ outcome: Outcome<Agency>) {
    switch outcome {
    case .replied(.accepted(let it, true)): bookings.append(it.bookingID)
    case .replied(.tourWritten(let tour, true)): tours.append(tour.id)
    case .replied(.invoice(let invoice, true)): invoices.append((invoice.bookingID, invoice.id))
    default: break
    }
  }

  // MARK: Signing in

  private mutating func signIn(_ user: String, as person: Int) {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let asked = AuthorizationRequest(
      realm: "agency", state: "s", challenge: .of(verifier: verifier))
    guard case .loginPage(let page)? = ask(.authorize(asked), by: person),
      case .redirected(let back)? = ask(
        .logIn(LogIn(action: page.action, username: user, password: "p")), by: person),
      case .tokens(let set)? = ask(
        .token(
          TokenRequest(
            realm: "agency", grantType: "authorization_code", redirectURI: back.target,
            code: back.code, verifier: verifier)), by: person)
    else { return }
    tokens[user] = set
  }

  /// Somebody signs in, ends the session, and asks with what they still have.
  private mutating func endAndAsk() {
    let person = random.pick(0..<Office.users.count)
    let user = Office.users[person].name
    signIn(user, as: person)
    guard let set = tokens[user] else { return }
    _ = ask(.endSession(EndSession(realm: "agency", idTokenHint: set.idToken)), by: person)
    _ = ask(.me, .bearer(set.accessToken), by: person)
    _ = ask(.bookings(.app), .bearer(set.accessToken), by: person)
    _ = ask(
      .token(
        TokenRequest(
          realm: "agency", grantType: "refresh_token", refreshToken: set.refreshToken)),
      by: person)
    _ = ask(
      .endSession(
        EndSession(
          realm: "agency", postLogoutRedirectURI: "https://evil.test/", idTokenHint: set.idToken)),
      by: person)
    _ = ask(
      .authorize(
        AuthorizationRequest(
          realm: "agency", redirectURI: "https://evil.test/", state: "s",
          challenge: .of(verifier: "v"))), by: person)
    _ = ask(
      .authorize(AuthorizationRequest(realm: "agency", state: "s", challenge: nil)), by: person)
    signIn(user, as: person)
  }

  private mutating func remap(_ step: Int) {
    let names = step % 2 == 0 ? ["ben", "una"] : ["ben"]
    command(.setStaff(StaffRecord(id: "staff_b", name: "ben Beta", usernames: names)))
    wait(.seconds(3))
    for query in [BookingQuery.app, BookingQuery(ownerID: "staff_b")] {
      _ = ask(.bookings(query), tokens["una"].map { .bearer($0.accessToken) }, by: 2)
    }
    _ = ask(.me, tokens["una"].map { .bearer($0.accessToken) }, by: 2)
  }

  // MARK: Drawing

  private mutating func draw() -> Asking {
    let person = random.pick(0..<Office.users.count)
    let credential = credential(of: Office.users[person].name)
    return Asking(request: request(), credential: credential, person: person)
  }

  private mutating func credential(of user: String) -> Agency.Credential? {
    guard let token = tokens[user]?.accessToken, case .issued(var claims, var key) = token else {
      return nil
    }
    guard random.chance(0.15) else { return .bearer(token) }
    switch random.pick(0..<14) {
    case 0: return nil
    case 1: return .otherScheme("bearer " + token.text(codec))
    case 2: claims.exp = claims.iat - 100
    case 3: claims.iss = "http://127.0.0.1:8788/realms/other"
    case 4: key = "unknown-key"
    case 5:
      let header = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
      return .bearer(.text(header + "." + Base64URL.encode(claims.document.bytes) + "."))
    case 6: claims.aud = "another"
    case 7: (claims.groups, claims.realmRoles) = (["/office/atp_manager"], [])
    case 8: claims.realmRoles = ["ATP_ADMIN", "atp_admins"]
    case 9: claims.preferredUsername = " Ada "
    case 10: (claims.preferredUsername, claims.realmRoles) = ("adam", ["atp_staff"])
    case 11:
      (claims.preferredUsername, claims.realmRoles, claims.email) = (
        "xaver", ["atp_staff"], "ben"
      )
    case 12: claims.realmRoles = ["atp_staff", "atp_manager"]
    default: claims.realmRoles = ["offline_access"]
    }
    return .bearer(.issued(claims, key: key))
  }

  private mutating func request() -> Agency.Request {
    let booking = random.chance(0.03) ? "booking_none" : random.pick(bookings)
    switch random.pick(0..<31) {
    case 0...3: return .bookings(query())
    case 4...6: return .booking(id: booking)
    case 7, 8: return .activities(booking: booking)
    case 9...11:
      let stage = random.pick(Booking.Stage.allCases).rawValue.lowercased()
      if random.chance(0.05) {
        return .changeStage(StageChange(booking: booking, stage: nil, isNull: true))
      }
      return .changeStage(
        StageChange(
          booking: booking, stage: random.chance(0.1) ? "NOWHERE" : " \(stage) ",
          staff: random.chance(0.2) ? "staff_a" : nil, notes: random.chance(0.2) ? "mine" : nil))
    case 12...15: return .assign(assignment(booking))
    case 16...18:
      return .addActivity(
        NewActivity(
          booking: booking, type: random.chance(0.05) ? " " : " note ", detail: " called them ",
          actor: random.chance(0.3) ? "somebody else" : nil, isNull: false))
    case 19: return .invoices(booking: booking)
    case 20: return .staff(withInactive: random.chance(0.3))
    case 21:
      return .addStaff(
        NewStaff(
          name: "New", usernames: [random.chance(0.4) ? "BEN" : "new-\(random.pick(0..<9_999))"]))
    case 22: return .me
    case 23: return random.chance(0.5) ? .tours(TourQuery()) : .tour(id: random.pick(tours))
    case 24:
      var draft = TourDraft(
        title: random.chance(0.1) ? "" : "T\(random.pick(0..<99))",
        destinationCountries: ["Laos"], styles: ["Food"])
      if random.chance(0.5) { draft.tour = random.pick(tours) }
      return draft.tour == nil ? .addTour(draft) : .changeTour(draft)
    case 25: return random.chance(0.5) ? .customers(CustomerQuery()) : .customer(id: "cust_1")
    case 26:
      if let known = invoices.last, random.chance(0.4) {
        return .changeInvoice(InvoiceDraft(booking: known.booking, invoice: known.id, title: "t"))
      }
      return .addInvoice(
        InvoiceDraft(
          booking: booking,
          items: [InvoiceDraft.Item("a", unitAmountCents: random.chance(0.1) ? nil : 900)]))
    case 27: return .requestTrip(trip())
    case 28: return .bootstrap
    case 29: return .unread(.unrouted(.init("OPTIONS", "/api/v1/bookings")))
    default:
      if random.chance(0.5) { return .unread(.unrouted(.init("GET", "/api/v1/nothing"))) }
      return .unread(
        .malformed(operation: Agency.table.index(of: Agency.changeStage), .noDocument))
    }
  }

  private mutating func query() -> BookingQuery {
    if random.chance(0.3) { return .app }
    return BookingQuery(
      page: random.pick([nil, 1, 2, -3, 0]), pageSize: random.pick([nil, 2, 20, 500, -1]),
      stage: random.chance(0.3) ? random.pick(Booking.Stage.allCases).rawValue : nil,
      ownerID: random.chance(0.2) ? random.pick(["staff_a", "staff_b"]) : nil,
      search: random.chance(0.2) ? random.pick(["laos", "ada", "grace", "xyz", "food"]) : nil,
      sort: random.pick(BookingOrder.allCases).rawValue)
  }

  private mutating func assignment(_ booking: String) -> Assignment {
    let ids: [String?] = ["staff_a", "staff_b", "staff_z", "staff_none", nil]
    var asked = Assignment(booking: booking)
    switch random.pick(0..<4) {
    case 0: asked.staff = .to(random.pick(ids))
    case 1: asked.ownerID = .to(random.pick(ids))
    case 2: (asked.staff, asked.ownerID) = (.to("staff_a"), .to("staff_b"))
    default: break
    }
    if random.chance(0.2) { (asked.stage, asked.notes) = ("WON", "mine") }
    return asked
  }

  private mutating func trip() -> TripRequest {
    if let last = trips.last, random.chance(0.3) { return last }
    let number = random.pick(0..<40)
    let trip = TripRequest(
      idempotencyKey: random.chance(0.7) ? "key-\(random.pick(0..<10_000))" : nil,
      name: "Visitor \(number * 7_919)",
      email: random.chance(0.1) ? "nowhere" : "visitor\(number)@example.test",
      destination: " Laos ", style: "Food", travelMonth: "2026-11",
      travelers: random.chance(0.1) ? 31 : 2, duration: "3-5 days")
    trips.append(trip)
    return trip
  }
}

extension AsiaTravelPlan.Request {
  fileprivate var isLosable: Bool {
    switch self {
    case .authorize, .logIn, .token, .endSession: false
    default: true
    }
  }
}

@Suite struct `What the checks make of a busy agency` {
  private typealias Rule = AsiaTravelPlan.Rule

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `that keeps every rule is nothing`(seed: UInt64) {
    var agency = BusyAgency(seed: seed)
    agency.live(steps: 600)
    for (rule, judge) in agency.judged().sorted(by: { $0.key < $1.key }) where judge.violations > 0
    {
      Issue.record("seed \(seed): \(rule.id) \(judge.violations): \(judge.evidence.map(\.what))")
    }
  }

  @Test func `is a try of every rule that a backend keeps`() {
    var agency = BusyAgency(seed: 7)
    agency.live(steps: 1_500)
    let judged = agency.judged()
    let untried = AgencyTwin.enforced.flatMap(\.rules).filter { judged[$0]?.exercised ?? 0 == 0 }
    #expect(untried.map(\.id) == [])
  }

  @Test(arguments: AgencyTwin.enforced.flatMap(\.rules))
  func `that keeps all rules but one is a violation of that one`(rule: AsiaTravelPlan.Rule) {
    var agency = BusyAgency(seed: 7, without: [rule])
    agency.live(steps: 1_500)
    let judged = agency.judged()
    let found = judged.filter { $0.value.violations > 0 }.map(\.key.id).sorted()
    #expect(judged[rule]?.violations ?? 0 > 0, "found: \(found)")
  }

  @Test(arguments: AsiaTravelPlan.Difference.allCases)
  func `that differs as the project's own does is a violation of the rules that it breaks`(
    difference: AsiaTravelPlan.Difference
  ) {
    var agency = BusyAgency(seed: 7, with: difference)
    agency.live(steps: 1_500)
    let judged = agency.judged()
    let found = judged.filter { $0.value.violations > 0 }.map(\.key.id).sorted()
    for rule in difference.violates {
      #expect(judged[rule]?.violations ?? 0 > 0, "\(rule.id), found: \(found)")
    }
    if difference.violates.isEmpty { #expect(found == []) }
  }
}
