import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// The timelines of bookings: every entry has a cause, every confirmed write its entry, once: ATP-34, ATP-77, ATP-79, ATP-84, ATP-85,
/// ATP-88, ATP-97, ATP-98 and ATP-103.
extension AgencyChecks {
  static let timelineRules: [JudgedRule<AsiaTravelPlan>] = [.atp34, .atp84, .atp85, .atp97]
    .map { JudgedRule($0, everything) }

  /// - Parameter isInspection: Whether the harness looked at the store itself.
  @inline(never)
  mutating func read(
    _ timeline: [Activity], of id: String, by look: Look, isInspection: Bool = false
  ) {
    let number = bookings.number(of: id)
    let known = bookings[number].timeline
    if timeline.isEmpty, !known.isEmpty {
      return violated(.atp34, "the activities of \(id) are not to be had, and there are some")
    }
    if !timeline.isEmpty { held(.atp34) }
    guard judgePrefix(timeline, known, id) else { return }
    let isWhole = bookings[number].isTimelineWhole || !known.isEmpty
    if bookings[number].timelineShown <= look.during.lowerBound, timeline.count < known.count {
      judgeSeen(
        "\(id) shows \(timeline.count) activities after it had shown \(known.count)",
        bookings[number].lastWrite ?? Written(writer: nobody, actor: "", end: .distantPast),
        by: look)
    }
    for entry in timeline.dropFirst(known.count) {
      judgeNew(entry, in: number, isFirst: entry == timeline.first, isWhole: isWhole)
    }
    if timeline.count > known.count {
      bookings[number].timeline = timeline
      bookings[number].timelineShown = look.during.upperBound
    }
    judgeMissing(in: number, by: look, isInspection: isInspection)
  }

  /// Append-only, oldest first.
  private func judgePrefix(_ timeline: [Activity], _ known: [Activity], _ id: String) -> Bool {
    // Nearly always it is the very same.
    if timeline == known {
      if !known.isEmpty { held(.atp85) }
      return true
    }
    let isExtended = zip(timeline, known).allSatisfy { $0 == $1 }
    let isOrdered = zip(timeline, timeline.dropFirst()).allSatisfy { $0.createdAt <= $1.createdAt }
    expect(
      .atp85, isExtended && isOrdered,
      "the timeline of \(id) is not the former one with more at its end, oldest first")
    if isExtended {
      if !known.isEmpty { held(.atp103) }
      return true
    }
    let lost = known.first { former in !timeline.contains { $0.id == former.id } }
    if let lost, timeline.count >= known.count || timeline.last != known[timeline.count - 1] {
      violated(.atp97, "\(lost.type) \(lost.id) is in the timeline of \(id) no more")
    }
    let isChanged = known.contains { former in
      timeline.contains { $0.id == former.id && $0 != former }
    }
    if isChanged { violated(.atp103, "an entry of \(id) became another") }
    return false
  }

  private mutating func judgeNew(_ entry: Activity, in number: Int, isFirst: Bool, isWhole: Bool) {
    if entry.type == "BOOKING_CREATED" {
      let isCreation = isFirst && entry.actor == "public_api"
      return isWhole ? expect(.atp88, isCreation, "\(entry.bookingID) was made again") : ()
    }
    let rule = Self.rule(of: entry.type)
    // Of two alike one may have got no answer: the entry is that of the other then.
    guard let place = cause(of: entry, in: bookings[number].writes) else {
      guard isWhole else { return }
      if bookings[number].writes.contains(where: { $0.isCause(of: entry, by: entry.actor, staff) })
      {
        return violated(
          .atp84, "\(entry.type) on \(entry.bookingID) says that \(entry.actor) made it")
      }
      violated(
        bookings[number].refused != nil && rule != .atp97 ? .atp86 : rule,
        "\(entry.type) \(entry.id) on \(entry.bookingID) has no cause")
      return
    }
    held(rule)
    held(.atp84)
    if rule != .atp97, bookings[number].writes[place].isParallel { held(.atp98) }
    bookings[number].writes.remove(at: place)
  }

  /// The write that an entry is of. One that lies further away would be missed where its own entry is looked for.
  private func cause(of entry: Activity, in writes: [Write]) -> Int? {
    for (slack, isCertain) in Self.causes {
      let place = writes.firstIndex {
        $0.isCertain == isCertain && $0.isCause(of: entry, by: $0.actor, staff, within: slack)
      }
      if let place { return place }
    }
    return nil
  }

  /// How far the clocks of client and server may be apart, the likely first.
  private static let causes: [(slack: Span, isCertain: Bool)] = [
    (.zero, true), (.seconds(5), true), (.seconds(5), false), (.minutes(1), true),
    (.minutes(1), false),
  ]

  static func rule(of type: String) -> AsiaTravelPlan.Rule {
    switch type {
    case "STAGE_CHANGED": .atp77
    case "STAFF_CHANGED": .atp79
    default: .atp97
    }
  }

  /// What was confirmed before a look must be there.
  private mutating func judgeMissing(in number: Int, by look: Look, isInspection: Bool) {
    let writes = bookings[number].writes
    if writes.isEmpty { return }
    let since = look.during.lowerBound
    for write in writes where write.isCertain && write.during.upperBound <= since {
      judgeSeen(
        "\(write.what.words) of \(bookings.names[number]) is not to be seen",
        Written(writer: write.writer, actor: write.actor, end: write.during.upperBound), by: look)
      if isInspection || write.during.upperBound + .seconds(10) <= since {
        violated(
          write.what.rule, "\(write.what.words) of \(bookings.names[number]) has no entry")
        if write.isParallel, write.what.rule != .atp97 {
          violated(
            .atp98,
            "\(write.what.words) of \(bookings.names[number]), beside another, did not survive")
        }
      }
    }
    bookings[number].writes.removeAll {
      $0.during.upperBound + (isInspection && $0.isCertain ? .zero : .seconds(10)) <= since
        && ($0.isCertain || $0.during.upperBound + .minutes(5) <= since)
    }
  }
}

extension Write {
  /// Whether it wrote an entry, by what it was and by whom.
  func isCause(
    of entry: Activity, by actor: String, _ staff: Rows<String, StaffFacts>,
    within slack: Span = .minutes(1)
  ) -> Bool {
    guard entry.createdAt >= during.lowerBound - slack,
      entry.createdAt <= during.upperBound + slack
    else { return false }
    switch what {
    case .activity(let activity): return activity == entry
    case .stage(let stage):
      return entry.type == "STAGE_CHANGED" && entry.detail == "Stage updated to \(stage.rawValue)"
        && entry.actor == actor
    case .staff(let record, let name):
      guard entry.type == "STAFF_CHANGED", entry.actor == actor else { return false }
      if record == nobody { return entry.detail == "Staff unassigned" }
      let (set, names) = ("Staff set to ", name.map { [$0] } ?? staff[record].names)
      return names.isEmpty
        ? entry.detail.hasPrefix(set) : names.contains { entry.detail == set + $0 }
    case .lostActivity(let type, let detail):
      return entry.type == type && entry.detail == detail && entry.actor == actor
    }
  }
}

extension Write.What {
  var words: String {
    switch self {
    case .stage(let stage): "the change to \(stage.rawValue)"
    case .staff(_, let name): "the assignment to \(name ?? "nobody")"
    case .activity(let activity): "\(activity.type) \(activity.id)"
    case .lostActivity(let type, _): type
    }
  }

  var rule: AsiaTravelPlan.Rule {
    switch self {
    case .stage: .atp77
    case .staff: .atp79
    case .activity, .lostActivity: .atp97
    }
  }
}
