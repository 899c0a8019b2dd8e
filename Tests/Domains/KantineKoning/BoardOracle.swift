import Foundation
import KantineKoningContract
import Timekeeping

/// The boards by brute force from raw diensten: every sum is taken anew, every rank is counted, and the calendar is
/// Foundation's.
struct BoardOracle {
  struct Team {
    var id: TeamName
    var club: Slug
    var code: TeamName
    var naam: String
  }

  struct Dienst {
    var club: Slug
    /// The identifier of the team.
    var team: TeamName?
    var start: Instant
    var end: Instant
    var isCancelled = false
    var names = 0
  }

  struct Row {
    var team: Team
    var worked: Int64
    var former: Int64
    var minutes: Int64 { worked / 60_000 }
    var formerMinutes: Int64 { former / 60_000 }
  }

  var clubs: [Slug: String] = [:]
  var teams: [Team] = []
  var diensten: [DienstID: Dienst] = [:]
  var optedOut: Set<Slug> = []
  var requiresNames = false

  // MARK: Calendar

  static func start(of period: LeaderboardPeriod, at now: Instant) -> Instant {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: "Europe/Amsterdam")!
    let date = Date(timeIntervalSince1970: Double(now.unixMilliseconds) / 1_000)
    let begins: Date
    switch period {
    case .week: begins = calendar.dateInterval(of: .weekOfYear, for: date)!.start
    case .month: begins = calendar.dateInterval(of: .month, for: date)!.start
    case .season:
      var parts = calendar.dateComponents([.year, .month], from: date)
      parts.year = parts.month! < 8 ? parts.year! - 1 : parts.year!
      parts.month = 8
      parts.day = 1
      begins = calendar.date(from: parts)!
    }
    return Instant(unixSeconds: Int64(begins.timeIntervalSince1970))
  }

  // MARK: Sums

  func row(_ team: Team, from start: Instant, until now: Instant) -> Row {
    func sum(_ cut: Instant) -> Int64 {
      diensten.values.filter {
        $0.team == team.id && !$0.isCancelled && $0.end <= cut && $0.start >= start
          && (!requiresNames || $0.names > 0)
      }.map { ($0.end.nanoseconds - $0.start.nanoseconds) / 1_000_000 }.reduce(0, +)
    }
    return Row(team: team, worked: sum(now), former: sum(now - .days(7)))
  }

  func rows(of club: Slug?, from start: Instant, until now: Instant) -> [Row] {
    teams.filter { club == nil ? !optedOut.contains($0.club) : $0.club == club }
      .map { row($0, from: start, until: now) }
  }

  // MARK: Boards

  static func isBefore(_ a: Row, _ b: Row) -> Bool {
    if a.worked / 3_600_000 != b.worked / 3_600_000 {
      return a.worked / 3_600_000 > b.worked / 3_600_000
    }
    if a.minutes != b.minutes { return a.minutes > b.minutes }
    let (x, y) = (a.team.naam.lowercased(), b.team.naam.lowercased())
    if x != y { return x < y }
    return a.team.club != b.team.club ? a.team.club < b.team.club : a.team.code < b.team.code
  }

  /// The rows of a board, of clubs when `clubs` is given.
  static func board(
    _ rows: [Row], own: TeamName?, hasPast: Bool, clubs: [Slug: String]? = nil
  ) -> [LeaderboardEntry] {
    let ordered = rows.sorted(by: isBefore)
    var shown = Array(ordered.prefix(10))
    if let own, let row = ordered.dropFirst(10).first(where: { $0.team.id == own }) {
      shown.append(row)
    }
    return shown.map { row in
      let rank = 1 + rows.count { $0.minutes > row.minutes }
      let former = 1 + rows.count { $0.formerMinutes > row.formerMinutes }
      let team = row.team
      let hours = (Double(row.worked) / 36_000).rounded()
      return LeaderboardEntry(
        rank: rank, team: TeamInfo(id: team.id, code: team.code, naam: team.naam),
        club: clubs.map { .init(naam: $0[team.club]!, slug: team.club) },
        points: Int(row.worked / 3_600_000), totalHours: DecimalHours(hundredths: Int(hours)),
        recentChange: Int(row.worked / 3_600_000 - row.former / 3_600_000),
        positionChange: hasPast ? former - rank : 0, highlighted: team.id == own)
    }
  }
}
