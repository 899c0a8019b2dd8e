import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-99: what happens to a dienst reaches those who follow its team, when it happens (§5.5): what the club changes at
/// once, reminders seven days and a day before the start, wherever that was moved, while people are missing; and nothing
/// else does.
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
    var team: TeamName?
    var start: Register<Instant>
    var now: Fixture.DienstEntry
    var isCancelled = false
    var cancelledAt = Instant.distantFuture
    /// Somebody may have taken it over.
    var isDoubtful = false
    var added = 0
    var removed = 0

    var isCertainlyShort: Bool { now.aanmeldingen.count + added < now.minimumBemanning }
    var isCertainlyStaffed: Bool { now.aanmeldingen.count - removed >= now.minimumBemanning }
  }

  /// Something that has to be told, or may be.
  private struct Occasion {
    let at: Instant
    let dienst: DienstID
    let event: PushEvent
  }

  private let facts: CellFacts
  private var plans: [DienstID: Plan] = [:]
  private var due: [Occasion] = []
  /// What was told since the last look but one, and to which enrollment.
  private var told: [(what: Occasion, to: EnrollmentID)] = []
  private var next = 0

  private static let leads: [(event: PushEvent, lead: Span)] = [
    (.reminderWeek, .days(7)), (.reminderDay, .hours(24)),
  ]
  private static let slack = Span.seconds(1)
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
      tell(.dienstAssigned, of: entry.id, at: instant)
    case .changeDienst(let change): take(change, at: instant)
    case .cancelDienst(let id):
      guard let plan = plans[id], !plan.isCancelled else { return }
      tell(.dienstCancelled, of: id, at: instant)
      plans[id]?.isCancelled = true
      plans[id]?.cancelledAt = instant
    case .assignDienst(let id, let named):
      guard let plan = plans[id] else { return }
      let team = named.flatMap { facts.clubs[plan.tenant]?.code(of: $0) }
      guard team != plan.team else { return }
      plans[id]?.team = team
      tell(.dienstAssigned, of: id, at: instant)
    case .resetSeason(let tenant): plans = plans.filter { $0.value.tenant != tenant }
    case .reset: (plans, due) = ([:], [])
    default: break
    }
  }

  private mutating func take(_ entry: Fixture.DienstEntry, at instant: Instant) {
    guard entry.startTijd >= instant, entry.startTijd < instant + Self.horizon else { return }
    var start = Register<Instant>()
    start.follow(entry.startTijd, at: instant - Self.slack - Self.slack)
    let team = entry.team.flatMap { facts.clubs[entry.tenantSlug]?.code(of: $0) }
    plans[entry.id] = Plan(tenant: entry.tenantSlug, team: team, start: start, now: entry)
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
      due.append(Occasion(at: start - lead, dienst: id, event: event))
    }
  }

  private mutating func tell(_ event: PushEvent, of id: DienstID, at instant: Instant) {
    due.append(Occasion(at: instant, dienst: id, event: event))
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard call.isReplied || call.isUnknown, let id = call.dienstID, plans[id] != nil else { return }
    switch call.request {
    case .addVolunteer: plans[id]?.added += 1
    case .removeVolunteer: plans[id]?.removed += 1
    case .answerCallToAction(let action): plans[id]?.added += action.names.count
    case .claimDienst: plans[id]?.isDoubtful = true
    default: break
    }
  }

  // MARK: What was told

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    // The backend keeps the newest records: what was before them may have been told.
    var isWholeFrom = Instant.distantPast
    for delivery in inspection.deliveries where delivery.number >= next {
      if delivery.number > next { isWholeFrom = delivery.sentAt + Self.slack }
      next = delivery.number + 1
      guard let dienst = delivery.dienstID else { continue }
      look(at: delivery, &judge)
      let what = Occasion(at: delivery.sentAt, dienst: dienst, event: delivery.event)
      told.append((what, delivery.deviceID))
    }
    let now = moment.time - .minutes(1)
    let ripe = due.filter { $0.at <= now }
    due.removeAll { $0.at <= now }
    for occasion in ripe where occasion.at > isWholeFrom { look(for: occasion, &judge) }
    told.removeAll { $0.what.at <= now }
  }

  /// Whether something was told of which there was nothing to tell.
  private func look(at delivery: PushDelivery, _ judge: inout Judge) {
    guard let plan = delivery.dienstID.flatMap({ plans[$0] }) else { return }
    let at = delivery.sentAt
    if let lead = Self.leads.first(where: { $0.event == delivery.event })?.lead {
      if let start = plan.start.value(during: at...at), !isNear(start - lead, at) {
        judge.violated("a reminder came at another time than \(lead) before the start")
      }
      if plan.cancelledAt + Self.slack < at || (plan.isCertainlyStaffed && !plan.isDoubtful) {
        judge.violated("a reminder of a dienst for which nobody is missing")
      }
      return
    }
    guard delivery.event == .dienstChanged || delivery.event == .dienstCancelled else { return }
    let isCaused = due.contains {
      $0.dienst == delivery.dienstID && $0.event == delivery.event && isNear($0.at, at)
    }
    if !isCaused { judge.violated("\(delivery.event.rawValue) was told without a change") }
  }

  private func isNear(_ a: Instant, _ b: Instant) -> Bool {
    a <= b + Self.slack && b <= a + Self.slack
  }

  /// Whether what had to be told was.
  private func look(for occasion: Occasion, _ judge: inout Judge) {
    guard let plan = plans[occasion.dienst], let team = plan.team, !plan.isDoubtful,
      facts.clubs[plan.tenant]?.endedAt == nil
    else { return }
    if let lead = Self.leads.first(where: { $0.event == occasion.event })?.lead {
      guard plan.start.value(during: occasion.at...occasion.at) == occasion.at + lead,
        !plan.isCancelled, plan.isCertainlyShort
      else { return }
    }
    let devices = told.filter { told in
      told.what.dienst == occasion.dienst && told.what.event == occasion.event
        && isNear(told.what.at, occasion.at)
    }.map(\.to)
    let followers = facts.certainFollowers(of: team, in: plan.tenant, at: occasion.at)
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
