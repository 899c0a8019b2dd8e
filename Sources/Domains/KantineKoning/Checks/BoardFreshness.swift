import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// How long after its end a dienst is seen on a leaderboard: the boards that people open are all that tells.
///
/// A dienst counts when a board of the season shows its team with all the hours that the team had worked by then. The
/// time until somebody looked is part of it, so it is an upper bound, and a close one where many look. A dienst whose
/// team no board showed for two hours is left out.
struct BoardFreshness: MilestoneWatch {
  typealias Contract = KantineKoning
  typealias Milestone = BusinessLatency<KantineKoning>.Milestone

  static let concerns = Set<Concern>.boards.union([.controls])
  private static let patience = Span.hours(2)

  /// A dienst that is to end.
  private struct Coming: Sendable {
    let end: Instant
    let club: Slug
    let id: DienstID
  }

  /// A dienst that has ended: its team, and the hours by which a board is known to count it.
  private struct Ended: Sendable {
    let end: Instant
    let club: Slug
    let id: DienstID
    let team: TeamName
    let hours: DecimalHours
  }

  private let isOfAllClubs: Bool
  private let facts: BoardFacts
  /// The last to end first.
  private var coming: [Coming] = []
  private var isSorted = true
  private var ended: [Ended] = []

  init(by facts: BoardFacts, ofAllClubs isOfAllClubs: Bool) {
    self.facts = facts
    self.isOfAllClubs = isOfAllClubs
  }

  mutating func see(_ record: KKRecord) -> [Milestone] {
    switch record.event {
    case .control(.control(let command), .replied):
      expect(command, at: record.time)
      return []
    case .request(let call):
      guard let rows = rows(of: call), let start = call.periodStart(.season) else {
        return []
      }
      finish(until: call.sent, from: start)
      return look(at: rows, call)
    case .control, .signal, .note, .inspection: return []
    }
  }

  /// The rows of a board of the kind that is watched, over the season.
  private func rows(of call: Call<KantineKoning>) -> [LeaderboardEntry]? {
    if isOfAllClubs {
      return call.globalBoard.flatMap { $0.period == .season ? $0.teams : nil }
    }
    return call.tenantBoard.flatMap { $0.period == .season ? $0.teams : nil }
  }

  // MARK: Diensten

  private mutating func expect(_ command: KantineKoning.Control, at now: Instant) {
    let entries: [Fixture.DienstEntry]
    switch command {
    case .load(let fixture): entries = fixture.diensten
    case .scheduleDienst(let entry): entries = [entry]
    default: return
    }
    for entry in entries where entry.eindTijd > now {
      coming.append(Coming(end: entry.eindTijd, club: entry.tenantSlug, id: entry.id))
      isSorted = false
    }
  }

  /// Takes over what has ended, with the hours that its team has worked by then.
  private mutating func finish(until now: Instant, from start: Instant) {
    if !isSorted {
      coming.sort { ($0.end, $0.id) > ($1.end, $1.id) }
      isSorted = true
    }
    while let next = coming.last, next.end <= now {
      coming.removeLast()
      guard let club = facts.club(next.club),
        let index = club.diensten.firstIndex(where: { $0.id == next.id })
      else { continue }
      let shift = club.counted(index)
      guard let team = shift.team, !shift.isCancelled, !shift.isDoubtful, shift.end == next.end,
        let sums = club.worked(from: start, certainBy: next.end, possibleBy: next.end)
      else { continue }
      ended.append(
        Ended(
          end: next.end, club: next.club, id: next.id, team: club.teams[team].id,
          hours: DecimalHours(.milliseconds(sums.least[team]))))
    }
    ended.removeAll { $0.end + Self.patience < now }
  }

  // MARK: Looks

  private mutating func look(
    at rows: [LeaderboardEntry], _ call: Call<KantineKoning>
  ) -> [Milestone] {
    guard !ended.isEmpty else { return [] }
    var milestones: [Milestone] = []
    ended.removeAll { dienst in
      if isOfAllClubs, call.claims?.tenantSlug == dienst.club { return false }
      guard let row = rows.first(where: { $0.team.id == dienst.team }) else { return false }
      milestones.append(.begins(dienst.id.text, dienst.end))
      guard row.totalHours >= dienst.hours else { return false }
      milestones.append(.ends(dienst.id.text, call.answered))
      return true
    }
    return milestones
  }
}
