import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// Changes of bookings and what they answer: ATP-33, ATP-77 to ATP-84, ATP-87.
extension AgencyChecks {
  static let changingRules: [JudgedRule<AsiaTravelPlan>] = [
    JudgedRule(.atp33, [.asks(AsiaTravelPlan.assign)]),
    JudgedRule(.atp75, everything), JudgedRule(.atp76, everything),
    JudgedRule(.atp77, everything),
    JudgedRule(.atp78, [.asks(AsiaTravelPlan.changeStage)]), JudgedRule(.atp80, everything),
    JudgedRule(.atp81, [.asks(AsiaTravelPlan.assign)]),
    JudgedRule(.atp82, [.asks(AsiaTravelPlan.assign)]), JudgedRule(.atp83, everything),
    JudgedRule(.atp87, everything),
  ]

  // MARK: Learning, at once

  mutating func learn(_ asking: StageChange, _ asked: Asked) {
    guard asked.call.mayHaveWorked, let stage = asking.stage.flatMap({ Booking.Stage(said: $0) })
    else {
      return noteRefused(asked)
    }
    let shown = asked.reply?.changed
    var staged = Staged(stage: stage, due: nil)
    if let shown { staged.due = .some(shown.slaDueAt) }
    bookings[asked.booking].staged.set(
      staged, during: asked.call.working, isCertain: asked.isReplied)
    noteWrite(.stage(stage), asked, updated: shown?.updatedAt)
  }

  mutating func learn(_ asking: Assignment, _ asked: Asked) {
    guard asked.call.mayHaveWorked else { return noteRefused(asked) }
    let named = asking.ownerID.named ?? asking.staff.named
    let record = named.map { staff.number(of: $0) } ?? nobody
    let shown = asked.reply?.changed
    if let name = shown?.staffName, shown?.staff == named, record != nobody {
      learn(name: name, of: record)
    }
    bookings[asked.booking].staff.set(
      record, during: asked.call.working, isCertain: asked.isReplied)
    noteWrite(.staff(record, shown?.staffName), asked, updated: shown?.updatedAt)
  }

  mutating func learn(_ asking: NewActivity, _ asked: Asked) {
    guard asked.call.mayHaveWorked else { return noteRefused(asked) }
    if let activity = asked.reply?.activity {
      return noteWrite(.activity(activity), asked, updated: activity.createdAt)
    }
    let type = asking.type?.trimmed.uppercased() ?? ""
    noteWrite(
      .lostActivity(type: type, detail: asking.detail?.trimmed ?? ""), asked, updated: nil)
  }

  private mutating func noteWrite(_ what: Write.What, _ asked: Asked, updated: Instant?) {
    let number = asked.booking
    bookings[number].updated.set(
      updated ?? .distantFuture, during: asked.call.working, isCertain: updated != nil)
    let isParallel = bookings[number].lastWrite.map { asked.call.sent < $0.end } ?? false
    for place in bookings[number].writes.indices
    where asked.call.sent < bookings[number].writes[place].during.upperBound {
      bookings[number].writes[place].isParallel = true
    }
    bookings[number].writes.append(
      Write(
        what: what, actor: asked.caller?.actor ?? "anonymous", writer: asked.person,
        during: asked.call.working, isCertain: asked.isReplied, moment: asked.moment,
        isParallel: isParallel))
    bookings[number].lastWrite = Written(
      writer: asked.person, actor: asked.caller?.actor ?? "anonymous",
      end: asked.call.working.upperBound, isParallel: isParallel)
    touch(number)
    count(number)
    let old = asked.call.sent - .minutes(10)
    bookings[number].staff.forget(before: old)
    bookings[number].staged.forget(before: old)
    bookings[number].updated.forget(before: old)
  }

  private mutating func noteRefused(_ asked: Asked) {
    guard asked.isAnswered, asked.refusal != .unauthorized else { return }
    bookings[asked.booking].refused = asked.call.answered
  }

  // MARK: Judging, once all is known that may have happened meanwhile

  @inline(never)
  mutating func judgeChange(_ asking: StageChange, _ asked: Asked) {
    guard let shown = asked.reply?.changed else { return }
    see(shown, by: asked.look)
    let stage = asking.stage.flatMap { Booking.Stage(said: $0) }
    held(.atp76)
    if let stage {
      held(.atp75)
      expect(
        .atp77, shown.stage == stage && isTimely(shown.updatedAt, asked),
        "the change of \(shown.id) to \(stage.rawValue) left it in \(shown.stage.rawValue), changed at \(shown.updatedAt)"
      )
    }
    let due = shown.stage.sla.map { shown.updatedAt + $0 }
    expect(
      .atp78, Self.isNear(shown.slaDueAt, due),
      "\(shown.id) in \(shown.stage.rawValue) is due \(shown.slaDueAt?.description ?? "never"), and not \(due?.description ?? "never")"
    )
    guard asking.staff != nil,
      let record = bookings[asked.booking].staff.value(during: asked.during)
    else { return }
    expect(
      .atp87, shown.staff == (record == nobody ? nil : staff.names[record]),
      "a change of stage gave \(shown.id) to \(shown.staff ?? "nobody")")
  }

  @inline(never)
  mutating func judgeChange(_ asking: Assignment, _ asked: Asked) {
    guard let shown = asked.reply?.changed else { return }
    see(shown, by: asked.look)
    let (owner, member) = (asking.ownerID.named, asking.staff.named)
    let named = owner ?? member
    let rule: AsiaTravelPlan.Rule =
      named == nil ? .atp81 : owner != nil && member != nil ? .atp82 : .atp33
    expect(
      rule,
      shown.staff == named && shown.ownerID == named
        && (named != nil || shown.staffName == nil && shown.ownerName == nil),
      "\(shown.id) was given to \(named ?? "nobody"), and \(shown.staff ?? "nobody") has it")
    if named != nil { held(.atp80) }
    expect(.atp79, isTimely(shown.updatedAt, asked), "\(shown.id) changed at \(shown.updatedAt)")
    guard let staged = bookings[asked.booking].staged.value(during: asked.during) else { return }
    let isSame = shown.stage == staged.stage && (staged.due.map { $0 == shown.slaDueAt } ?? true)
    expect(.atp79, isSame, "an assignment of \(shown.id) changed its stage, or when it is due")
    if asking.stage != nil {
      expect(.atp87, isSame, "an assignment put \(shown.id) into \(shown.stage.rawValue)")
    }
  }

  @inline(never)
  func judgeActivity(_ asking: NewActivity, _ asked: Asked) {
    guard let activity = asked.reply?.activity else { return }
    expect(
      .atp83,
      activity.type == asking.type?.trimmed.uppercased()
        && activity.detail == asking.detail?.trimmed ?? "" && activity.bookingID == asking.booking
        && isTimely(activity.createdAt, asked),
      "an activity of \(asking.booking) became \(activity.type) with a detail of \(activity.detail.count) characters at \(activity.createdAt)"
    )
    if let actor = asked.caller?.actor {
      expect(
        .atp84, activity.actor == actor, "\(actor) wrote an activity, and \(activity.actor) made it"
      )
    }
    let isTwice =
      bookings[asked.booking].writes.count {
        if case .activity(let other) = $0.what { other.id == activity.id } else { false }
      } > 1
    expect(.atp97, !isTwice, "two activities have the id \(activity.id)")
  }

  func isTimely(_ instant: Instant, _ asked: Asked) -> Bool {
    instant >= asked.call.sent - .minutes(1) && instant <= asked.call.answered + .minutes(1)
  }

  /// Within 5 ms, as far as HTTP's milliseconds tell (ATP-78).
  static func isNear(_ one: Instant?, _ other: Instant?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs((one - other).seconds) < 0.006
  }

  func name(_ record: Int) -> String { record < 0 ? "nobody" : staff.names[record] }
}
