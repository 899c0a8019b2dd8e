import KantineKoningContract
import Timekeeping

/// What the leaderboards show, kept up as diensten end: a board is read off, never computed from the diensten.
///
/// A dienst counts from the instant of its end (KK-107) and, 7 × 24 h later, also in what was 7 × 24 h ago (KK-110).
/// Both instants wait in a queue; what a dienst has added is noted, so that any change of it can be taken back.
/// Memory: 24 bytes per dienst, 72 per team (two sums and two places in each of three periods), and 16 per dienst
/// that is still to end or ended in the last week.
struct Standings: Sendable {
  static let lookBack = Span.days(7)

  /// What a dienst adds, and how much of it has been added.
  struct Credit: Sendable {
    let start: Instant
    let team: Int32
    let milliseconds: Int32
    var age = Age.ahead

    var end: Instant { start + .milliseconds(Int64(milliseconds)) }

    func isSame(as other: Credit) -> Bool {
      start == other.start && team == other.team && milliseconds == other.milliseconds
    }
  }

  enum Age: UInt8, Sendable {
    /// It has not ended.
    case ahead
    /// It ended in the last 7 × 24 h.
    case ended
    /// It had ended 7 × 24 h ago.
    case aged
  }

  /// By period, in the order of `LeaderboardPeriod.allCases`.
  private(set) var boards = LeaderboardPeriod.allCases.map { _ in Board() }
  /// By row of the dienst; `nil` for one that counts for nobody.
  private var credits: [Credit?] = []
  private var due = DueQueue()
  /// The instant up to which everything has been counted.
  private var now = Instant.distantPast
  /// When something changes by itself.
  private(set) var nextChange = Instant.distantPast
  /// By team: whether it has a place in the global order.
  private var ranked: [Bool] = []
  /// Whether the global order has to be made anew before it is read.
  private(set) var mustSort = true

  // MARK: Time

  /// Counts everything that has ended.
  mutating func advance(
    to now: Instant, bounds: (LeaderboardPeriod) -> (starts: Instant, ends: Instant),
    names: NameOrder
  ) {
    self.now = max(self.now, now)
    for (index, period) in LeaderboardPeriod.allCases.enumerated()
    where now >= boards[index].ends {
      boards[index].begin(bounds(period))
      mustSort = true
    }
    while let entry = due.next(until: now) { settle(entry.row, names) }
    nextChange = boards.reduce(due.earliest ?? .distantFuture) { min($0, $1.ends) }
  }

  /// Adds of a dienst what is due by now; once added, nothing is added again.
  private mutating func settle(_ row: Int, _ names: NameOrder) {
    guard let credit = credits[row] else { return }
    let age = entry(of: credit)
    guard age.rawValue > credit.age.rawValue else { return }
    credits[row]!.age = age
    add(credit, +1, worked: credit.age == .ahead, formerly: age == .aged, names)
    if age == .ended { wait(for: row, until: credit.end + Self.lookBack) }
  }

  private func entry(of credit: Credit) -> Age {
    if credit.end > now { return .ahead }
    return credit.end + Self.lookBack > now ? .ended : .aged
  }

  private mutating func wait(for row: Int, until instant: Instant) {
    due.insert(DueQueue.Entry(at: instant, row: row))
    nextChange = min(nextChange, instant)
  }

  // MARK: Diensten

  /// States what a dienst counts for; `nil` for nobody.
  mutating func set(_ row: Int, _ credit: Credit?, names: NameOrder) {
    while credits.count <= row { credits.append(nil) }
    if let credit, let old = credits[row], old.isSame(as: credit) { return }
    if let old = credits[row] {
      add(old, -1, worked: old.age != .ahead, formerly: old.age == .aged, names)
    }
    credits[row] = credit
    guard let credit else { return }
    settle(row, names)
    if credits[row]!.age == .ahead { wait(for: row, until: credit.end) }
  }

  private mutating func add(
    _ credit: Credit, _ sign: Int64, worked: Bool, formerly: Bool, _ names: NameOrder
  ) {
    guard worked || formerly else { return }
    let team = Int(credit.team)
    let time = sign * Int64(credit.milliseconds)
    let isOrdered = !mustSort && ranked[team]
    for index in boards.indices where credit.start >= boards[index].starts {
      boards[index].add(
        worked ? time : 0, formerly: formerly ? time : 0, to: team,
        ordered: isOrdered ? names : nil)
    }
  }

  // MARK: Teams

  mutating func addTeam() {
    for index in boards.indices { boards[index].addTeam() }
    mustSort = true
  }

  /// Who takes part, or by which name, has changed.
  mutating func disorder() { mustSort = true }

  /// Makes the global order of the teams that take part.
  mutating func sort(_ teams: [Int32], _ names: NameOrder) {
    ranked = Array(repeating: false, count: names.teams.count)
    for team in teams { ranked[Int(team)] = true }
    for index in boards.indices { boards[index].sort(teams, names) }
    mustSort = false
  }
}

extension LeaderboardPeriod {
  /// Where its board stands.
  var index: Int {
    switch self {
    case .week: 0
    case .month: 1
    case .season: 2
    }
  }
}
