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
    } + whole(.kk45) { query, isPast in isPast && query.pastDays == nil },
    .each(.kk46, .asking(.diensten)) { call, judge in
      guard case .diensten(let query) = call.request, query.futureDays == nil else { return }
      judgeFuture(.days(60), call, &judge)
    } + whole(.kk46) { query, isPast in !isPast && query.futureDays == nil },
    .each(.kk47, .asking(.diensten)) { call, judge in judgeParameters(call, &judge) }
      + whole(.kk47) { query, isPast in (isPast ? query.pastDays : query.futureDays) != nil },
    .each(.kk48, .asking(.diensten)) { call, judge in
      guard let list = call.diensten, let claims = call.claims else { return }
      judge.expect(
        zip(list, list.dropFirst()).allSatisfy {
          $0.startTijd != $1.startTijd ? $0.startTijd < $1.startTijd : $0.id < $1.id
        }, "the diensten are out of order")
      let stray = list.first { !claims.teamCodes.contains($0.team?.code ?? "") }
      judge.expect(
        stray == nil, "a token of \(claims.teamCodes) saw a dienst of \(stray?.team?.code ?? "-")")
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

  /// KK-45 to KK-47: of a team of which the list shows a dienst, it shows every dienst that begins in the window throughout
  /// the call, cancelled ones included.
  private static func whole(
    _ limit: KantineKoning.Rule,
    _ isAsked: @escaping @Sendable (DienstenQuery, _ isPast: Bool) -> Bool
  ) -> KKCheck {
    .each(limit, .asking(.diensten), by: BoardFacts.self) { call, facts, judge in
      guard case .diensten(let query) = call.request, let list = call.diensten,
        let club = club(of: call, facts), let past = days(query.pastDays, otherwise: 365),
        let future = days(query.futureDays, otherwise: 60)
      else { return }
      let (first, last) = (call.answered - past, call.sent + future)
      let shown = Set(list.map(\.id))
      var (expected, missing) = (0, 0)
      for team in Set(list.compactMap { $0.team?.code }).sorted().compactMap(club.team) {
        for index in club.shifts(of: team) {
          let shift = club.shift(index)
          let isCertain = !shift.isDoubtful && shift.touchedUntil < call.sent
          guard isCertain, shift.start >= first, shift.start <= last,
            isAsked(query, shift.start < call.sent)
          else { continue }
          expected += 1
          if !shown.contains(club.diensten[index].id) { missing += 1 }
        }
      }
      if expected > 0 {
        judge.expect(missing == 0, "\(missing) of \(expected) diensten in the window are not shown")
      }
    }
  }

  /// The club whose diensten a list shows, when the operator changes nothing of it meanwhile.
  private static func club(of call: KKCall, _ facts: BoardFacts) -> BoardFacts.Club? {
    guard let club = (call.claims?.tenantSlug).flatMap(facts.club),
      club.changedAt + BoardFacts.slack < call.sent
    else { return nil }
    return club
  }

  /// The diensten of a list that the operator or a takeover ever changed.
  private static func shownShifts(
    _ call: KKCall, _ facts: BoardFacts
  ) -> [(shown: Dienst, known: BoardFacts.Shift)] {
    guard let list = call.diensten, let club = club(of: call, facts) else { return [] }
    return list.compactMap { dienst in club.changed(dienst.id).map { (dienst, $0) } }
  }

  private static func days(_ text: String?, otherwise most: Int64) -> Span? {
    guard let text else { return .days(most) }
    return accepted(text).map { .days(Int64($0)) }
  }

  /// What the club changed looks newer in every list from then on.
  @Sendable static func judgeVersions(
    _ call: KKCall, _ facts: BoardFacts, _ judge: inout Judge
  ) {
    for shift in shownShifts(call, facts) {
      guard let changed = shift.known.changedAt, changed + BoardFacts.slack < call.sent else {
        continue
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

  private static func accepted(_ text: String) -> Int? {
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
