import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-99: what happens to a dienst reaches those who follow its team, when it happens (§5.5): what the club changes and a
/// takeover at once, reminders seven days and a day before the start, wherever that was moved, while people are missing;
/// and nothing else does.
///
/// Inspection shows who was to be told, at barriers; a team counts whose followers are certain.
struct TimelyPushes: History {
  static let scope = Scope<KantineKoning>.cell
  static let concerns = Set<Concern>.asking(
    .addVolunteer, .removeVolunteer, .shiftVolunteer, .claimDienst
  ).union([.controls, .inspections])

  /// A dienst of which something may be told during the run.
  private struct Plan {
    let tenant: Slug
    /// By code or id: of what is loaded with its team nobody knows the code yet.
    var team: TeamName?
    var start: Register<Instant>
    var now: Fixture.DienstEntry
    var isCancelled = false
    var cancelledAt = Instant.distantFuture
    /// When it changed hands last.
    var handedOver = Instant.distantPast
    /// Nobody knows whose it is.
    var isDoubtful = false
    var added = 0
    var removed = 0

    var isCertainlyShort: Bool { now.aanmeldingen.count + added < now.minimumBemanning }
    var isCertainlyStaffed: Bool { now.aanmeldingen.count - removed >= now.minimumBemanning }
  }

  /// Something that has to be told, or may be.
  private struct Occasion {
    /// While a request was under way, or at one instant.
    let at: ClosedRange<Instant>
    let dienst: DienstID
    let event: PushEvent
    /// Whose followers; `nil`: of the team that has the dienst then.
    var team: TeamName?
  }

  private let facts: CellFacts
  private var plans: [DienstID: Plan] = [:]
  private var due: [Occasion] = []
  /// What was told lately.
  private var told: [PushDelivery] = []
  private var next = 0
  /// From when on no record was dropped before it was shown: the backend keeps the newest ones.
  private var wholeFrom = Instant.distantPast
  private var judgedUntil = Instant.distantPast

  private static let leads: [(event: PushEvent, lead: Span)] = [
    (.reminderWeek, .days(7)), (.reminderDay, .hours(24)),
  ]
  private static let slack = Span.seconds(1)
  /// By then every request has its outcome that may have caused something.
  private static let patience = Span.minutes(2)
  /// No run is so long that it reminds of a dienst further away, unless somebody moves that.
  private static let horizon = Span.days(16)

  init(_ facts: CellFacts) { self.facts = facts }

  // MARK: Occasions

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) {
    let instant = moment.time
    switch command {
    case .load(let fixture): for entry in fixture.diensten { take(entry, at: instant) }
    case .scheduleDienst(let entry):
      take(entry, at: instant)
      tell(
        .dienstAssigned, of: entry.id, to: code(of: entry.team, in: entry.tenantSlug), at: instant)
    case .changeDienst(let change): take(change, at: instant)
    case .cancelDienst(let id):
      guard let plan = plans[id], !plan.isCancelled else { return }
      tell(.dienstCancelled, of: id, at: instant)
      plans[id]?.isCancelled = true
      plans[id]?.cancelledAt = instant
    case .assignDienst(let id, let named):
      guard let plan = plans[id] else { return }
      let team = code(of: named, in: plan.tenant)
      guard team != code(of: plan.team, in: plan.tenant) else { return }
      if plan.handedOver + Self.slack >= instant { plans[id]?.isDoubtful = true }
      plans[id]?.team = team
      plans[id]?.handedOver = instant
      tell(.dienstAssigned, of: id, to: team, at: instant)
    case .resetSeason(let tenant): plans = plans.filter { $0.value.tenant != tenant }
    case .reset: (plans, due) = ([:], [])
    default: break
    }
  }

  private func code(of team: TeamName?, in tenant: Slug) -> TeamName? {
    team.flatMap { facts.clubs[tenant]?.code(of: $0) }
  }

  private mutating func take(_ entry: Fixture.DienstEntry, at instant: Instant) {
    guard entry.startTijd >= instant, entry.startTijd < instant + Self.horizon else { return }
    var start = Register<Instant>()
    start.follow(entry.startTijd, at: instant - Self.slack - Self.slack)
    plans[entry.id] = Plan(tenant: entry.tenantSlug, team: entry.team, start: start, now: entry)
    remind(of: entry.id, startingAt: entry.startTijd, from: instant)
  }

  private mutating func take(_ change: KantineKoning.DienstChange, at instant: Instant) {
    guard var plan = plans[change.id] else { return }
    let before = plan.now
    plan.now.startTijd = change.startTijd ?? before.startTijd
    plan.now.eindTijd = change.eindTijd ?? before.eindTijd
    plan.now.minimumBemanning = change.minimumBemanning ?? before.minimumBemanning
    plan.now.locatieNaam = change.locatieNaam ?? before.locatieNaam
    plan.start.follow(plan.now.startTijd, at: instant)
    plans[change.id] = plan
    if plan.now != before, plan.now.startTijd >= instant {
      tell(.dienstChanged, of: change.id, at: instant)
    }
    if plan.now.startTijd != before.startTijd {
      remind(of: change.id, startingAt: plan.now.startTijd, from: instant)
    }
  }

  private mutating func remind(of id: DienstID, startingAt start: Instant, from now: Instant) {
    for (event, lead) in Self.leads where start - lead > now + Self.slack {
      tell(event, of: id, at: start - lead)
    }
  }

  private mutating func tell(
    _ event: PushEvent, of id: DienstID, to team: TeamName? = nil, at instant: Instant
  ) {
    due.append(Occasion(at: instant...instant, dienst: id, event: event, team: team))
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard call.isReplied || call.isUnknown, let id = call.dienstID, plans[id] != nil else { return }
    switch call.request {
    case .addVolunteer: plans[id]?.added += 1
    case .removeVolunteer: plans[id]?.removed += 1
    case .answerCallToAction(let action): plans[id]?.added += action.names.count
    case .claimDienst: takeOver(id, by: call)
    default: break
    }
  }

  /// The former team and the new one are told.
  private mutating func takeOver(_ id: DienstID, by call: KKCall) {
    guard var plan = plans[id] else { return }
    if !call.isReplied || plan.handedOver + Self.slack >= call.sent { plan.isDoubtful = true }
    let former = plan.isDoubtful ? nil : code(of: plan.team, in: plan.tenant)
    (plan.team, plan.handedOver) = (call.dienst?.team?.code, call.during.upperBound)
    plan.now.aanmeldingen = []
    plans[id] = plan
    due.append(Occasion(at: call.during, dienst: id, event: .dienstAssigned, team: plan.team))
    guard former != nil || plan.isDoubtful else { return }
    due.append(Occasion(at: call.during, dienst: id, event: .dienstTakenOver, team: former))
  }

  // MARK: What was told

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    for delivery in inspection.deliveries where delivery.number >= next {
      if delivery.number > next { wholeFrom = delivery.sentAt + Self.slack }
      next = delivery.number + 1
      guard delivery.dienstID != nil else { continue }
      look(at: delivery, &judge)
      told.append(delivery)
    }
    let now = moment.time - Self.patience
    for delivery in told where delivery.sentAt > judgedUntil && delivery.sentAt <= now {
      lookForCause(of: delivery, &judge)
    }
    for occasion in due
    where occasion.at.upperBound > judgedUntil && occasion.at.upperBound <= now
      && occasion.at.lowerBound > wholeFrom
    { look(for: occasion, &judge) }
    judgedUntil = now
    // Both may belong to something that is still to be judged.
    due.removeAll { $0.at.upperBound <= now - Self.patience }
    told.removeAll { $0.sentAt <= now - Self.patience }
  }

  /// Whether a reminder came of which there was nothing to remind.
  private func look(at delivery: PushDelivery, _ judge: inout Judge) {
    guard let plan = delivery.dienstID.flatMap({ plans[$0] }),
      let lead = Self.leads.first(where: { $0.event == delivery.event })?.lead
    else { return }
    let at = delivery.sentAt
    if let start = plan.start.value(during: at...at), !isNear(start - lead, at...at) {
      judge.violated("a reminder came at another time than \(lead) before the start")
    }
    if plan.cancelledAt + Self.slack < at || (plan.isCertainlyStaffed && !plan.isDoubtful) {
      judge.violated("a reminder of a dienst for which nobody is missing")
    }
  }

  /// Whether something else was told of which there was nothing to tell, or to others.
  private func lookForCause(of delivery: PushDelivery, _ judge: inout Judge) {
    guard let id = delivery.dienstID, plans[id] != nil,
      !Self.leads.contains(where: { $0.event == delivery.event })
    else { return }
    if !due.contains(where: { isTold($0, by: delivery) }) {
      judge.violated("\(delivery.event.rawValue) was told without a change, or to another team")
    }
  }

  private func isTold(_ occasion: Occasion, by delivery: PushDelivery) -> Bool {
    occasion.dienst == delivery.dienstID && occasion.event == delivery.event
      && isNear(delivery.sentAt, occasion.at)
      && occasion.team.map { $0 == delivery.teamCode } ?? true
  }

  private func isNear(_ instant: Instant, _ interval: ClosedRange<Instant>) -> Bool {
    interval.lowerBound <= instant + Self.slack && instant <= interval.upperBound + Self.slack
  }

  /// Whether what had to be told was.
  private func look(for occasion: Occasion, _ judge: inout Judge) {
    let (begun, ended) = (occasion.at.lowerBound, occasion.at.upperBound)
    guard let plan = plans[occasion.dienst], !plan.isDoubtful,
      facts.clubs[plan.tenant]?.endedAt == nil,
      occasion.event == .dienstCancelled || plan.cancelledAt > ended + Self.slack,
      let team = occasion.team
        ?? (plan.handedOver + Self.slack < begun ? code(of: plan.team, in: plan.tenant) : nil)
    else { return }
    if let lead = Self.leads.first(where: { $0.event == occasion.event })?.lead {
      guard plan.start.value(during: occasion.at) == begun + lead, plan.isCertainlyShort
      else { return }
    }
    let devices = told.filter { isTold(occasion, by: $0) }.map(\.deviceID)
    let followers = facts.certainFollowers(of: team, in: plan.tenant, at: begun)
    guard !followers.isEmpty else { return }
    // Phones that share a push token, as after a change of the identifier, are told once.
    let untold = followers.count { $0.isDisjoint(with: devices) }
    judge.expect(
      untold * 2 <= followers.count,
      "\(untold) of \(followers.count) who follow \(team) were not told \(occasion.event.rawValue)")
  }
}

extension CellFacts {
  /// The enrollments of each phone that certainly follows a team at an instant and has for a second.
  fileprivate func certainFollowers(
    of team: TeamName, in tenant: Slug, at instant: Instant
  ) -> [Set<EnrollmentID>] {
    guard operatorIntervened == nil else { return [] }
    return phones.values.compactMap { phone in
      guard phone.cloudedFrom == nil, phone.changedAt + .seconds(1) < instant,
        phone.rights.contains(where: {
          $0.isActive && $0.tenant == tenant && $0.codes.contains(team)
        })
      else { return nil }
      return Set(phone.rights.map(\.deviceID))
    }
  }
}
