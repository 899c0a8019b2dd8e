import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// Somebody of the office with the app: field staff, a manager, an accountant, an administrator, or an outsider who is shown the door
/// (5.3 to 5.7).
public final class AppUser: Behaviour {
  public typealias Contract = AsiaTravelPlan
  public static let enforced =
    [
      RulesOfFile<AsiaTravelPlan.Rule>(
        .atp01, .atp30, .atp58, .atp59, .atp60, .atp61, .atp62), App.enforced,
    ]
  public static let tried = [App.tried, ofUsers]
  private static let ofUsers = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp01, .atp02, .atp03, .atp04, .atp05, .atp08, .atp09, .atp10, .atp12, .atp13, .atp15, .atp16,
    .atp18, .atp19, .atp20, .atp21, .atp22, .atp23, .atp28, .atp29, .atp30, .atp31, .atp32, .atp34,
    .atp35, .atp36, .atp37, .atp40, .atp41, .atp44, .atp46, .atp48, .atp52, .atp58, .atp59, .atp60,
    .atp61, .atp62, .atp63, .atp66, .atp67, .atp68, .atp69, .atp70, .atp72, .atp73, .atp74, .atp76,
    .atp77, .atp78, .atp79, .atp83, .atp84, .atp85, .atp91, .atp94, .atp96, .atp99)

  private let seed: UserSeed
  private let app: App
  private var hours: WorkingHours
  private var isLastOfDay = false
  private var notes = 0
  private var list: [Booking] = []
  /// Bookings that were on a list once, the latest last.
  private var seen: [String] = []

  public init(_ seed: UserSeed) {
    self.seed = seed
    app = App(seed.account, version: seed.version, seed.habits)
    hours = WorkingHours(seed.habits)
  }

  public var begins: Instant? { seed.begins }
  private var rules: Rules<AsiaTravelPlan.Rule> { seed.habits.rules }

  /// The first one only looks at the calendar.
  public func session(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) -> Instant? {
    if me.now > seed.begins { try await visit(as: me) }
    let mean = seed.role == .admin ? 2 : seed.habits.sessionsPerDay
    let next = me.draw(.agenda) { hours.next(after: me.now, perDay: mean, least: 2, drawing: &$0) }
    isLastOfDay = next.isLast
    return next.at
  }

  public func visit(as me: Person<AsiaTravelPlan>) async throws(JourneyEnded) {
    let isCold = chance(0.25, me)
    if isCold || !app.isBootstrapped {
      guard try await app.start(as: me) else { return }
    }
    guard try await app.enter(as: me) else { return }
    let ends = me.now + me.draw(.habit) { $0.seconds(median: 150, sigma: 0.8) }
    for _ in 0...me.draw(.habit, { $0.poisson(mean: 0.6) }) {
      guard try await showList(as: me) else { return }
      try await think(6, 0.6, me)
    }
    try await app.stray(as: me)
    if seed.assigns { try await triage(as: me) }
    for _ in 0..<me.draw(.habit, { $0.poisson(mean: 2.2) }) {
      guard me.now < ends, let id = choose(as: me) else { break }
      guard try await open(id, as: me) else { return }
    }
    if isLastOfDay, chance(seed.habits.signsOut, me) { try await app.signOut(as: me) }
  }

  // MARK: The list

  private func showList(as me: Me) async throws(JourneyEnded) -> Bool {
    var query = BookingQuery.app
    if !rules.binds(.atp30) { query.pageSize = 50 }
    guard let outcome = try await app.ask(.bookings(query), as: me) else { return false }
    me.note(.screen(.list))
    if !rules.binds(.atp62) { me.note(.screen(.tours)) }
    list = outcome.reply?.bookings?.page.items ?? []
    seen = (seen + list.map { $0.id }.filter { !seen.contains($0) }).suffix(40)
    return true
  }

  /// Most often one of the ten newest, else what is due first; now and then one of an older list (5.3).
  private func choose(as me: Me) -> String? {
    let isStale = chance(seed.habits.staleScreens, me)
    if isStale, !seen.isEmpty { return me.draw(.habit) { $0.pick(seen) } }
    guard !list.isEmpty else { return nil }
    if chance(0.6, me) { return me.draw(.habit) { $0.pick(Array(list.prefix(10))) }.id }
    return list.min { ($0.slaDueAt ?? .distantFuture) < ($1.slaDueAt ?? .distantFuture) }?.id
  }

  // MARK: A booking

  /// - Returns: Whether somebody is still signed in.
  private func open(_ id: String, as me: Me) async throws(JourneyEnded) -> Bool {
    var calls: [AsiaTravelPlan.Request] = [
      .booking(id: id), .activities(booking: id), .invoices(booking: id),
    ]
    if seed.assigns { calls.append(.staff(withInactive: false)) }
    guard let outcomes = try await app.ask(all: calls, as: me) else { return false }
    guard let booking = outcomes[0].reply?.booking?.booking else {
      return try await showList(as: me)
    }
    me.note(.screen(.detail))
    me.note(.controls(booking: id, controls))
    try await think(20, 0.7, me)
    if seed.notes || !rules.binds(.atp01), chance(noteShare, me) {
      let text = note(as: me)
      try await me.think(.milliseconds(250) * Int64(text.utf8.count))
      guard try await app.ask(.addActivity(.note(text, on: id)), as: me) != nil else {
        return false
      }
    }
    if chance(seed.role == .manager ? 0.1 : seed.habits.stageChanges, me),
      let next = me.draw(.habit, { NextStage.of(booking.stage, drawing: &$0) })
    {
      guard try await app.ask(.changeStage(StageChange(id, to: next)), as: me) != nil else {
        return false
      }
    }
    if seed.assigns, let directory = outcomes.last?.reply?.staff {
      let (again, takenBack) = me.draw(.habit) { ($0.chance(0.04), $0.chance(0.01)) }
      if takenBack, booking.staff != nil {
        return try await app.ask(.assign(Assignment(id, to: nil)), as: me) != nil
      }
      if again || booking.staff == nil {
        return try await assign(booking, directory, as: me)
      }
    }
    return true
  }

  private var noteShare: Double { seed.role == .manager ? 0.1 : seed.habits.notes }

  /// What 4.11 lets each role do; the backend sees to it in any case.
  private var controls: [AsiaTravelPlan.Control] {
    var shown: Set<AsiaTravelPlan.Control> = [.stage]
    if seed.notes { shown.insert(.note) }
    if seed.assigns { shown.insert(.assign) }
    switch seed.role {
    case .staff: if !rules.binds(.atp58) { shown.insert(.assign) }
    case .manager: if !rules.binds(.atp59) { shown.remove(.assign) }
    case .admin: if !rules.binds(.atp60) { shown.insert(.tours) }
    case .accountant: if !rules.binds(.atp61) { shown.insert(.note) }
    case nil: break
    }
    return AsiaTravelPlan.Control.allCases.filter { shown.contains($0) }
  }

  private func note(as me: Me) -> String {
    notes += 1
    let length = me.draw(.habit) { min(2_000, max(10, Int($0.lognormal(median: 90, sigma: 0.9)))) }
    let begin = "Note \(notes) of \(seed.account.username): the customer called "
    let words = String(repeating: "and asked for another day by the river ", count: 55)
    return String((begin + words).prefix(max(length, begin.count))).trimmed
  }

  // MARK: Assignment (5.4)

  /// What has come since, one after the other; some of it waits for the next time.
  private func triage(as me: Me) async throws(JourneyEnded) {
    let open = list.filter { $0.staff == nil }
    guard !open.isEmpty, seed.role == .manager || chance(0.1, me) else { return }
    for booking in open where chance(0.7, me) {
      guard try await self.open(booking.id, as: me) else { return }
      me.note(.screen(.list))
    }
  }

  /// Mostly whoever knows the country and has least to do, else anybody; once more where the record has become inactive.
  private func assign(
    _ booking: Booking, _ directory: [StaffRecord], as me: Me
  ) async throws(JourneyEnded) -> Bool {
    var directory = directory
    for _ in 0..<2 {
      guard !directory.isEmpty else { return true }
      let fitting = directory.filter { $0.destinations.contains(booking.destination ?? "") }
      let isPicked = !fitting.isEmpty && chance(0.8, me)
      let load = { [list] (id: String) in list.count { $0.staff == id } }
      let chosen =
        isPicked
        ? fitting.min { (load($0.id), $0.id) < (load($1.id), $1.id) }!
        : me.draw(.habit) { $0.pick(directory) }
      guard let outcome = try await app.ask(.assign(Assignment(booking.id, to: chosen.id)), as: me)
      else { return false }
      guard outcome.kind == .staffNotFoundOrInactive else { return true }
      directory = try await app.ask(.staff(withInactive: false), as: me)?.reply?.staff ?? []
    }
    return true
  }

  private func think(_ median: Double, _ sigma: Double, _ me: Me) async throws(JourneyEnded) {
    try await me.think(me.draw(.thinking) { $0.seconds(median: median, sigma: sigma) })
  }

  private func chance(_ share: Double, _ me: Me) -> Bool { me.draw(.habit) { $0.chance(share) } }
}

/// The next-stage table of 5.3.
enum NextStage {
  private static let table: [Booking.Stage: [(value: Booking.Stage, weight: Double)]] = [
    .new: [(.qualified, 0.7), (.lost, 0.25), (.proposalSent, 0.05)],
    .qualified: [(.proposalSent, 0.75), (.lost, 0.2), (.new, 0.05)],
    .proposalSent: [(.negotiation, 0.55), (.won, 0.1), (.lost, 0.3), (.qualified, 0.05)],
    .negotiation: [(.invoiceSent, 0.45), (.won, 0.15), (.lost, 0.3), (.proposalSent, 0.1)],
    .invoiceSent: [(.paymentReceived, 0.8), (.lost, 0.1), (.negotiation, 0.1)],
    .paymentReceived: [(.won, 0.95), (.invoiceSent, 0.05)],
    .won: [(.postTrip, 0.95), (.lost, 0.05)],
    .lost: [(.new, 0.7), (.qualified, 0.3)],
    .postTrip: [(.new, 1)],
  ]

  /// `nil` where one is left as it is: what is lost or over is seldom opened again.
  static func of(_ stage: Booking.Stage, drawing stream: inout RandomStream) -> Booking.Stage? {
    let isTaken = stream.chance(stage == .lost ? 0.02 : stage == .postTrip ? 0.005 : 1)
    let next = stream.choose(table[stage]!)
    return isTaken ? next : nil
  }
}
