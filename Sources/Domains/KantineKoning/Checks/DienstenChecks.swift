import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What O14 lists and what the phone shows of it: KK-45 to KK-50.
enum DienstenChecks {
  static let all: [KKCheck] = [
    .history(.kk44, [.notes, .asks(.diensten)], NamedTenants.init),
    .each(.kk45, .asking(.diensten)) { call, judge in
      guard case .diensten(let query) = call.request, query.pastDays == nil else { return }
      judgePast(.days(365), call, &judge)
    } + whole(.kk45) { $0.pastDays == nil ? $1.past : nil },
    .each(.kk46, .asking(.diensten)) { call, judge in
      guard case .diensten(let query) = call.request, query.futureDays == nil else { return }
      judgeFuture(.days(60), call, &judge)
    } + whole(.kk46) { $0.futureDays == nil ? $1.future : nil },
    .each(.kk47, .asking(.diensten)) { call, judge in judgeParameters(call, &judge) }
      + whole(.kk47) { $0.pastDays != nil ? $1.past : nil }
      + whole(.kk47) { $0.futureDays != nil ? $1.future : nil },
    .each(.kk48, .asking(.diensten)) { call, judge in
      guard let list = call.diensten, let claims = call.claims else { return }
      judge.expect(
        zip(list, list.dropFirst()).allSatisfy {
          $0.startTijd != $1.startTijd ? $0.startTijd < $1.startTijd : $0.id < $1.id
        }, "the diensten are out of order")
      let stray = list.first {
        !claims.teamCodes.contains($0.team?.code ?? "") || $0.notificationToken != nil
      }
      judge.expect(
        stray == nil,
        "a token of \(claims.teamCodes) saw a dienst of \(stray?.team?.code ?? "-")"
          + (stray?.notificationToken == nil ? "" : " with the right to take it over"))
    },
    .note(.kk49) { note, _, judge in
      guard case .listShown(let list) = note, !list.isEmpty else { return }
      // Most lists are short enough to be looked through.
      let isOnce =
        list.count > 16
        ? Set(list.map(\.id)).count == list.count
        : !list.indices.contains { place in list[..<place].contains { $0.id == list[place].id } }
      judge.expect(isOnce, "a dienst was shown twice")
    },
    .note(.kk50) { note, moment, judge in
      guard case .listShown(let list) = note, list.count > 1 else { return }
      judge.expect(
        isInOrder(list.map(\.startTijd), at: moment.time), "the list is not future first, then past"
      )
    },
  ]

  /// No dienst is left out of one side of the window.
  private static func whole(
    _ limit: KantineKoning.Rule,
    _ side: @escaping @Sendable (DienstenQuery, DienstenWindow) -> DienstenWindow.Part?
  ) -> KKCheck {
    .each(limit, .asking(.diensten), by: BoardFacts.self) { call, facts, judge in
      guard case .diensten(let query) = call.request, let window = facts.window(of: call),
        let part = side(query, window), part.expected > 0
      else { return }
      judge.expect(
        part.missing == 0,
        "\(part.missing) of \(part.expected) diensten in the window are not shown")
    }
  }

  /// The diensten of a list that the operator or a takeover ever changed.
  private static func shownShifts(
    _ call: KKCall, _ facts: BoardFacts
  ) -> [(shown: Dienst, known: BoardFacts.Shift)] {
    guard let list = call.diensten, let club = facts.unchangedClub(of: call) else { return [] }
    return list.compactMap { dienst in club.changed(dienst.id).map { (dienst, $0) } }
  }

  /// What the club changed looks newer in every list from then on.
  @Sendable static func judgeVersions(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    if let club = facts.unchangedClub(of: call),
      let cancelled = call.diensten?.first(where: {
        $0.status == .geannuleerd && club.changed($0.id) == nil
      }), club.diensten.contains(where: { $0.id == cancelled.id })
    {
      judge.violated("a dienst is cancelled that nobody cancelled")
    }
    for shift in shownShifts(call, facts) {
      guard let changed = shift.known.changedAt, changed + BoardFacts.slack < call.sent else {
        continue
      }
      if !shift.known.isDoubtful, shift.known.touchedUntil < call.sent {
        let words = facts.unchangedClub(of: call)?.words(of: shift.shown.id)
        judge.expect(
          shift.shown.startTijd.unixMilliseconds == shift.known.start.unixMilliseconds
            && shift.shown.eindTijd.unixMilliseconds == shift.known.end.unixMilliseconds
            && (shift.shown.status == .geannuleerd) == shift.known.isCancelled
            && shift.shown.status == shift.shown.impliedStatus
            && words.map { $0.isShown(by: shift.shown) } ?? true,
          "a dienst is not shown as the club changed it")
      }
      judge.expect(
        shift.shown.updatedAt >= changed - BoardFacts.slack,
        "updated_at did not increase when the club changed a dienst")
    }
  }

  private static func judgePast(_ span: Span, _ call: KKCall, _ judge: inout Judge) {
    guard let list = call.diensten else { return }
    let stray = list.first { $0.startTijd < call.sent - span }
    judge.expect(stray == nil, "shown a dienst that began more than \(span) ago")
  }

  private static func judgeFuture(_ span: Span, _ call: KKCall, _ judge: inout Judge) {
    guard let list = call.diensten else { return }
    let stray = list.first { $0.startTijd > call.answered + span }
    judge.expect(stray == nil, "shown a dienst that begins in more than \(span)")
  }

  /// KK-47: whole numbers from 0 to 1000 move the window, anything else is refused.
  private static func judgeParameters(_ call: KKCall, _ judge: inout Judge) {
    guard case .diensten(let query) = call.request, call.outcome.isAnswered else { return }
    let given = [query.pastDays, query.futureDays].compactMap { $0 }
    guard !given.isEmpty else { return }
    let days = given.map(accepted)
    guard days.allSatisfy({ $0 != nil }) else {
      if call.isReplied { judge.violated("\(given) was taken for days") }
      if call.code == .invalidParameter { judge.held() }
      return
    }
    if call.code == .invalidParameter { judge.violated("\(given) was refused") }
    if let past = query.pastDays.flatMap(accepted) {
      judgePast(.days(Int64(past)), call, &judge)
    }
    if let future = query.futureDays.flatMap(accepted) {
      judgeFuture(.days(Int64(future)), call, &judge)
    }
  }

  static func accepted(_ text: String) -> Int? {
    guard text.allSatisfy({ ("0"..."9").contains($0) }), let days = Int(text), days <= 1000 else {
      return nil
    }
    return days
  }

  /// No phone's clock is further off.
  private static let clockOffsetMost = Span.hours(1)

  /// Rising, then falling, everything in the first part later than everything in the second, and nothing that is
  /// past on every clock before something that is future on every clock.
  private static func isInOrder(_ starts: [Instant], at time: Instant) -> Bool {
    var turn = 1
    while turn < starts.count, starts[turn - 1] <= starts[turn] { turn += 1 }
    let rest = starts[turn...]
    guard zip(rest, rest.dropFirst()).allSatisfy({ $0 >= $1 }) else { return false }
    if let latestPast = rest.first, starts[0] <= latestPast { return false }
    let firstPast = starts.firstIndex { $0 < time - clockOffsetMost }
    let lastFuture = starts.lastIndex { $0 > time + clockOffsetMost }
    guard let firstPast, let lastFuture else { return true }
    return lastFuture < firstPast
  }
}
