import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What is known of one agency from what its people, its visitors and its operator saw, and the checks that judge by it.
///
/// Requests overlap and outcomes may be unknown; so checks judge by what was certainly so throughout a call, once all is known that may
/// have happened meanwhile: a minute later no call is open that was open then. What was said before (tokens, sign-ins, repeats of one key)
/// is judged at once.
public struct AgencyChecks: CellChecks {
  public static let judged: [JudgedRule<AsiaTravelPlan>] =
    (refusingRules + bookingRules + timelineRules + changingRules + listingRules + websiteRules
      + customerRules + officeRules + providerRules + appRules)
  public let verdicts: RuleVerdicts<AsiaTravelPlan.Rule>

  /// Whatever clients ask. Commands and inspections tell more, and nothing is judged by them that is not certain without.
  static let everything = Set(AsiaTravelPlan.operations.indices.map { Concern.operation($0) })
  static let ofAPI = everything

  /// The operator has loaded the agency: what nobody knows is not there.
  var isLoaded = false
  var decided = InForce<AsiaTravelPlan.Deployment>()
  var people: ContiguousArray<PersonFacts> = []
  var keys = ProviderKeys()
  var provider = ProviderFacts()

  var staff = Rows<String, StaffFacts> { StaffFacts() }
  /// By usernames as they are compared.
  var usernames = Rows<String, UsernameFacts> { UsernameFacts() }
  var perhapsStaff = PerhapsMade<NewStaff>()
  var tours = Rows<String, TourFacts> { TourFacts() }
  var perhapsTours = PerhapsMade<TourDraft>()

  var customers = Rows<String, CustomerFacts> { CustomerFacts() }
  /// Whose an address is.
  var emails: [String: Int] = [:]
  /// Requests without an answer, each of which may have made a customer, or changed one.
  var perhapsCustomers = PerhapsMade<TripRequest>()
  /// When requests from the website were under way, lately.
  var requests: [ClosedRange<Instant>] = []
  /// By idempotency keys the first answer.
  var trips: [String: (accepted: TripAccepted, at: Instant)] = [:]
  /// Those that the fixture and the backend itself gave invoices.
  var invoiceNumbers: Set<String> = []

  var bookings = Rows<String, BookingFacts> { BookingFacts() }
  /// In the order in which they were made.
  var newest: ContiguousArray<Int> = []
  /// How many bookings are known of which nobody said when they were made, in relation to others.
  var unordered = 0
  var perhapsBookings = PerhapsMade<TripRequest>()
  var counts = BookingCounts()
  /// Those that were changed lately, each at its newest place.
  var touched: ContiguousArray<Int> = []
  var touchedAtMost = 64

  private var seen = Ripening<Seen>()

  private enum Seen {
    case asked(Asked)
    case inspected(Inspection, Moment)
    case matched(Match)
    case given(Claims, sent: Instant, Moment)
  }

  mutating func keep(_ match: Match) {
    seen.keep(.matched(match), until: match.during.upperBound + Self.patience)
  }

  /// An access token that the provider gave out.
  mutating func keep(given claims: Claims, _ call: AgencyCall) {
    seen.keep(
      .given(claims, sent: call.sent, verdicts.moment), until: call.answered + Self.patience)
  }

  public init(_ verdicts: RuleVerdicts<AsiaTravelPlan.Rule>) { self.verdicts = verdicts }

  private static let patience = Span.seconds(61)

  public mutating func ripen(at now: Instant) {
    while let next = seen.next(at: now) {
      switch next {
      case .asked(let asked): judge(asked)
      case .inspected(let inspection, let moment): judge(inspection, moment)
      case .matched(let match): judge(match)
      case .given(let claims, let sent, let moment):
        verdicts.moment = moment
        judgeUser(of: claims, askedAt: sent)
      }
    }
  }

  public mutating func ended(at now: Instant) {
    ripen(at: .distantFuture)
    for person in people.indices { judgeSignedOut(person, before: now - .minutes(10)) }
  }

  // MARK: Records

  public mutating func asked(_ call: Call<AsiaTravelPlan>, by person: Int) {
    while people.count <= person { people.append(PersonFacts()) }
    judgeServerError(call)
    judgeApp(call, by: person)
    guard call.request.isOfAPI else { return askedProvider(call, by: person) }
    judgeHeaders(call)
    let asked = taken(call, by: person)
    learnKeys(asked)
    switch call.request {
    case .bootstrap: return judgeBootstrap(asked)
    case .requestTrip(let it): judgeTrip(it, asked)
    case .tour(let id): judgeTour(id, asked)
    default: break
    }
    learn(asked)
    if asked.isAnswered {
      seen.keep(.asked(asked), until: call.answered + Self.patience)
    } else if call.outcome.isAnswered, call.request.needsToken {
      answered(call, outside: .otherReason)
    }
  }

  public mutating func askedAgain(_ unheard: Call<AsiaTravelPlan>, by person: Int) {
    guard unheard.request.isOfAPI else { return }
    while people.count <= person { people.append(PersonFacts()) }
    learn(taken(unheard, by: person))
  }

  private mutating func taken(_ call: AgencyCall, by person: Int) -> Asked {
    let booking = call.request.aboutBooking.map { bookings.number(of: $0) } ?? nobody
    return Asked(call, by: person, caller(of: call, by: person), booking: booking, verdicts.moment)
  }

  /// What a request changed, or may have changed.
  private mutating func learn(_ asked: Asked) {
    switch asked.call.request {
    case .changeStage(let it): learn(it, asked)
    case .assign(let it): learn(it, asked)
    case .addActivity(let it): learn(it, asked)
    case .requestTrip(let it): learn(it, asked)
    case .addStaff(let it): learn(it, asked)
    case .addTour, .changeTour: learnTour(asked)
    case .addInvoice(let it), .changeInvoice(let it): learn(it, asked)
    default: break
    }
  }

  public mutating func noted(_ note: AsiaTravelPlan.Note, by person: Int) {
    while people.count <= person { people.append(PersonFacts()) }
    judge(note, by: person)
  }

  public mutating func commanded(
    _ command: AsiaTravelPlan.Request, _ outcome: Outcome<AsiaTravelPlan>
  ) {
    guard outcome.isReplied else { return }
    let now = verdicts.moment.time
    switch command {
    case .load(let it): learn(it, at: now)
    case .setStaff(let record): learn(record, during: now...now, isFirst: false)
    case .configure(let it):
      let (realm, base) = (decided.newest.realm, decided.newest.base)
      decided.adjust(it, at: now)
      if decided.newest.realm != realm || decided.newest.base != base { keys.issuers = [] }
    case .rotateKeys(let keepOld): keys.rotate(keepingOld: keepOld, at: now)
    case .setUser(let change): provider.learn(change, at: now)
    case .endSessions(let username): provider.end(sessionsOf: username, at: now)
    case .setClient(let client):
      provider.clients[client.clientID] = client
      provider.clientsChanged = now
    default: break
    }
  }

  public mutating func inspected(_ reply: AsiaTravelPlan.Reply) {
    guard case .inspection(let shown) = reply else { return }
    let moment = verdicts.moment
    seen.keep(.inspected(shown, moment), until: moment.time + Self.patience)
  }

  private mutating func learn(_ fixture: Fixture, at now: Instant) {
    isLoaded = true
    let always = Instant.distantPast...Instant.distantPast
    for record in fixture.staff { learn(record, during: always, isFirst: true) }
    for customer in fixture.customers { loaded(customer) }
    for booking in fixture.bookings { loaded(booking, at: now) }
    for invoice in fixture.invoices { loaded(invoice) }
    for tour in fixture.tours { learn(tour, during: always) }
    newest.sort {
      (bookings[$0].first?.createdAt ?? .distantPast, $0)
        < (bookings[$1].first?.createdAt ?? .distantPast, $1)
    }
  }

  // MARK: Once all is known that may have happened meanwhile

  private mutating func judge(_ asked: Asked) {
    verdicts.moment = asked.moment
    settleTouched(before: asked.call.sent)
    judgeAnswer(asked)
    guard let reply = asked.reply else { return }
    switch asked.call.request {
    case .bookings(let it): judgeList(it, asked)
    case .booking(let id):
      guard let detail = reply.booking else { return }
      let shown = detail.booking
      see(shown, by: asked.look)
      if let customer = detail.customer { see(customer, as: shown.customerID, asked) }
      if let timeline = shown.activities {
        read(timeline, of: id, by: asked.look)
      }
    case .activities(let id):
      guard let timeline = reply.activities else { return }
      read(timeline, of: id, by: asked.look)
    case .changeStage(let it): judgeChange(it, asked)
    case .assign(let it): judgeChange(it, asked)
    case .addActivity(let it): judgeActivity(it, asked)
    case .invoices(let id): judgeInvoices(id, asked)
    case .addInvoice(let it), .changeInvoice(let it): judgeInvoice(it, asked)
    case .staff(let withInactive): judgeDirectory(withInactive, asked)
    case .addStaff(let it): judgeNewStaff(it, asked)
    case .me: judgeIdentity(asked)
    case .tours(let it): judgeTours(it, asked)
    case .tour: if let tour = reply.tour?.tour { name(tour, asked) }
    case .addTour(let it), .changeTour(let it): judgeWritten(it, asked)
    case .customers(let it): judgeCustomers(it, asked)
    case .customer(let id): if let customer = reply.customer { see(customer, as: id, asked) }
    default: break
    }
  }

  private mutating func judge(_ inspection: Inspection, _ moment: Moment) {
    verdicts.moment = moment
    let look = Look(during: moment.time...moment.time, reader: nobody, actor: nil)
    for booking in inspection.bookings {
      see(booking, by: look)
      read(booking.activities ?? [], of: booking.id, by: look, isInspection: true)
    }
  }
}
