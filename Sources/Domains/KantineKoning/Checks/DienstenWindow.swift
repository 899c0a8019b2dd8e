import Contracts
import KantineKoningContract
import Timekeeping

/// What a list of O14 has to show (KK-45 to KK-47): of a team of which it shows a dienst every dienst that begins in the window
/// throughout the call, cancelled ones included.
struct DienstenWindow {
  /// How many that is, and how many of them are not shown.
  struct Part {
    fileprivate(set) var expected = 0
    fileprivate(set) var missing = 0

    fileprivate mutating func count(_ isShown: Bool) {
      expected += 1
      if !isShown { missing += 1 }
    }
  }

  private(set) var past = Part()
  private(set) var future = Part()

  /// `nil` where that is not certain.
  init?(_ call: KKCall, by facts: BoardFacts) {
    guard case .diensten(let query) = call.request, let list = call.diensten, !list.isEmpty,
      let club = facts.unchangedClub(of: call),
      let before = Self.days(query.pastDays, usually: 365),
      let ahead = Self.days(query.futureDays, usually: 60)
    else { return nil }
    let window = (call.answered - before)...max(call.sent + ahead, call.answered - before)
    let ids = list.map(\.columns.id)
    // Most lists are short enough to be looked through.
    let shown = ids.count > 16 ? Set(ids) : []
    for team in Self.teams(in: list) {
      guard let team = club.team(team) else { continue }
      for (id, shift) in club.shifts(of: team) where window.contains(shift.start) {
        guard !shift.isDoubtful, shift.touchedUntil < call.sent else { continue }
        let isShown = shown.isEmpty ? ids.contains(id) : shown.contains(id)
        if shift.start < call.sent { past.count(isShown) } else { future.count(isShown) }
      }
    }
  }

  private static func teams(in list: [Dienst]) -> [TeamName] {
    var teams: [TeamName] = []
    for dienst in list {
      guard let code = dienst.columns.team?.code, !teams.contains(code) else { continue }
      teams.append(code)
    }
    return teams
  }

  private static func days(_ text: String?, usually most: Int64) -> Span? {
    guard let text else { return .days(most) }
    return DienstenChecks.accepted(text).map { .days(Int64($0)) }
  }
}
