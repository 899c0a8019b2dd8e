import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// What was written last, with what it replaced: a store that loses updates goes back to it when the next write began before this one
/// was stored (DIF-05).
struct Undo: Sendable {
  let number: Int
  let before: BookingRow
  let until: Instant
}

/// A booking as it was before its last write, which is not seen at once with ATP-96 off, or by others than its writer with ATP-05 off.
struct Unseen: Sendable {
  static let staleness = Span.seconds(2)

  let booking: Booking
  let timeline: [Activity]
  let until: Instant
  let writer: String?
}

/// Changes of bookings: stage, assignment, activity (OP-04, OP-05, OP-07).
extension AgencyTwin {
  static let ofChanges = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp05, .atp33, .atp35, .atp51, .atp75, .atp76, .atp77, .atp78, .atp79, .atp80, .atp81, .atp82,
    .atp83, .atp84, .atp87, .atp91, .atp96, .atp97, .atp98, .atp99)

  mutating func changeStage(
    _ asked: StageChange, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try requireBody(isNull: asked.isNull)
    let wanted = asked.stage.flatMap { Booking.Stage(said: $0) }
    try require(.atp75, wanted != nil, or: .invalidStage)
    let number = try booking(asked.booking)
    try require(allows(.stage, caller, booking: number), or: .forbidden)
    try requireHash(asked.hash, of: number)
    let present = bookings[number].booking.stage
    let stage = wanted ?? present
    let table = rules.binds(.atp76) ? deployment.transitions : .older
    guard table.allow(present, stage) else {
      throw .api(.transitionNotAllowed, about: "\(present.rawValue) -> \(stage.rawValue)")
    }
    let staff = rules.binds(.atp87) ? nil : asked.staff.flatMap { active($0) }
    let said = wanted?.rawValue ?? asked.stage?.trimmed ?? ""
    write(
      number, rules.binds(.atp77) ? ("STAGE_CHANGED", "Stage updated to \(said)") : nil,
      as: caller, losing: .atp98, at: now
    ) { booking, moment, rules in
      booking.stage = stage
      if rules.binds(.atp78) { booking.slaDueAt = stage.sla.map { moment + $0 } }
      if let staff { booking.assign(staff.id, staff.name) }
      if !rules.binds(.atp51), let notes = asked.notes { booking.notes = notes }
      if !rules.binds(.atp91) { booking.createdAt = moment }
    }
    return .changed(shown(bookings[number].booking))
  }

  mutating func assign(
    _ asked: Assignment, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try requireBody(isNull: asked.isNull)
    let number = try booking(asked.booking)
    try require(allows(.assign, caller, booking: number), or: .forbidden)
    let id = assignee(asked)
    let record = id.flatMap { active($0) }
    try require(.atp80, id == nil || record != nil, or: .staffNotFoundOrInactive)
    try requireHash(asked.hash, of: number)
    let name = record?.name ?? id
    let isIgnored =
      id == nil && (differences.contains(.unassignIgnored) || !rules.binds(.atp81))
    let stage = rules.binds(.atp87) ? nil : asked.stage.flatMap { Booking.Stage(said: $0) }
    let entry = ("STAFF_CHANGED", name.map { "Staff set to \($0)" } ?? "Staff unassigned")
    write(number, rules.binds(.atp79) ? entry : nil, as: caller, losing: .atp98, at: now) {
      booking, moment, rules in
      if !isIgnored {
        let (ownerID, ownerName) = (booking.ownerID, booking.ownerName)
        booking.assign(id, name)
        if !rules.binds(.atp35) { (booking.ownerID, booking.ownerName) = (ownerID, ownerName) }
      }
      if let stage { booking.stage = stage }
      if !rules.binds(.atp51), let notes = asked.notes { booking.notes = notes }
    }
    describe(number)
    return .changed(shown(bookings[number].booking))
  }

  /// The staff record that an assignment names; `nil` takes the booking back.
  private func assignee(_ asked: Assignment) -> String? {
    let (staff, owner) = (asked.staff.named, asked.ownerID.named)
    guard rules.binds(.atp33) else { return staff }
    return rules.binds(.atp82) ? owner ?? staff : staff ?? owner
  }

  /// A record that can be assigned; ids are case-sensitive.
  private func active(_ id: String) -> StaffRecord? {
    staff.known(id).map { staff.records[$0] }.flatMap { $0.isActive ? $0 : nil }
  }

  mutating func addActivity(
    _ asked: NewActivity, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try requireBody(isNull: asked.isNull)
    let type = asked.type?.trimmed ?? ""
    try require(!type.isEmpty, or: .typeRequired)
    let number = try booking(asked.booking)
    try require(allows(.addActivity, caller, booking: number), or: .forbidden)
    let isShaped = rules.binds(.atp83)
    let detail = asked.detail ?? ""
    let actor = rules.binds(.atp84) ? nil : asked.actor
    write(
      number, (isShaped ? type.uppercased() : type, isShaped ? detail.trimmed : detail),
      as: caller, actor: actor, losing: .atp97, at: now
    ) { _, _, _ in }
    return .activity(bookings[number].timeline.last!)
  }

  // MARK: Writing

  /// Changes a booking and appends an entry to its timeline.
  /// - Parameter rule: Which one is broken where the store loses what was written beside this.
  private mutating func write(
    _ number: Int, _ entry: (type: String, detail: String)?, as caller: Principal?,
    actor: String? = nil, losing rule: AsiaTravelPlan.Rule, at now: Instant,
    _ change: (inout Booking, Instant, Rules<AsiaTravelPlan.Rule>) -> Void
  ) {
    let loses = differences.contains(.lostUpdates) || !rules.binds(rule)
    if loses, let undo, now < undo.until {
      bookings.change(undo.number) { $0 = undo.before }
      changes.note(undo.number)
    }
    let before = bookings[number]
    if loses { undo = Undo(number: number, before: before, until: now + deployment.writeTakes) }
    if differences.contains(.tornReads) || !rules.binds(.atp99) {
      busyUntil = now + deployment.writeTakes
    }
    let moment = now.inMilliseconds
    let activity = entry.map {
      Activity(
        id: "act_" + identifiers.text(), bookingID: before.booking.id, type: $0.type,
        detail: $0.detail, actor: actor ?? caller?.actor ?? "anonymous", createdAt: moment)
    }
    let rules = rules
    bookings.change(number) { row in
      change(&row.booking, moment, rules)
      row.booking.updatedAt =
        rules.binds(.atp91) ? max(row.booking.updatedAt, moment) : row.booking.createdAt
      if let activity { row.timeline.append(activity) }
    }
    if !rules.binds(.atp96) || !rules.binds(.atp05) {
      unseen[number] = Unseen(
        booking: before.booking, timeline: before.timeline, until: now + Unseen.staleness,
        writer: caller?.sub)
    }
    changes.note(number)
    work.rowsWritten += activity == nil ? 1 : 2
  }

  // MARK: Hashes (O-01)

  func hash(of booking: Booking) -> String {
    let state = "\(booking.stage.rawValue) \(booking.staff ?? "") \(booking.updatedAt.nanoseconds)"
    return String(stableHash(booking.id + " " + state), radix: 16)
  }

  private func requireHash(_ hash: String?, of number: Int) throws(AsiaTravelPlan.Refusal) {
    guard deployment.usesHashes else { return }
    let booking = bookings[number].booking
    if hash != self.hash(of: booking) { throw .bookingChanged(shown(booking)) }
  }
}

extension Edit<String?> {
  /// The text that it holds, if it is one.
  fileprivate var named: String? {
    guard case .to(let text?) = self, !text.trimmed.isEmpty else { return nil }
    return text.trimmed
  }
}
