import KantineKoningContract
import Timekeeping

/// The sums of one period by team, now and 7 × 24 h ago, and the teams that take part globally in their order.
struct Board: Sendable {
  /// The period, in which a dienst must start to count.
  private(set) var starts = Instant.distantPast
  private(set) var ends = Instant.distantPast
  /// Worked milliseconds by team.
  private(set) var worked: [Int64] = []
  /// The same as it was 7 × 24 h ago.
  private(set) var formerly: [Int64] = []
  /// The teams of the global board in the order of KK-108.
  private(set) var order: [Int32] = []
  /// What those teams had 7 × 24 h ago in whole minutes, most first.
  private(set) var former: [Int32] = []

  // Four thousand years of work are as many minutes as are told apart.
  func minutes(_ team: Int32) -> Int32 { Int32(clamping: worked[Int(team)] / 60_000) }
  func formerMinutes(_ team: Int32) -> Int32 { Int32(clamping: formerly[Int(team)] / 60_000) }

  /// Whether a team stands before another: more minutes, then by name (KK-108).
  func precedes(_ a: Int32, _ b: Int32, _ names: NameOrder) -> Bool {
    let (x, y) = (minutes(a), minutes(b))
    return x != y ? x > y : names.precedes(a, b)
  }

  // MARK: Ranks

  /// How many teams of the global board have more minutes.
  /// - Complexity: O(log n).
  func count(above minutes: Int32) -> Int {
    firstIndex(of: order) { self.minutes($0) <= minutes }
  }

  /// How many teams of the global board had more minutes 7 × 24 h ago.
  func formerCount(above minutes: Int32) -> Int { firstIndex(of: former) { $0 <= minutes } }

  // MARK: Changing

  mutating func addTeam() {
    worked.append(0)
    formerly.append(0)
  }

  /// Begins a period: nobody has worked in it.
  mutating func begin(_ bounds: (starts: Instant, ends: Instant)) {
    (starts, ends) = bounds
    for team in worked.indices {
      worked[team] = 0
      formerly[team] = 0
    }
  }

  /// Changes what a team has worked and, when the dienst ended that long ago, had worked 7 × 24 h ago.
  mutating func add(
    _ milliseconds: Int64, formerly old: Int64, to team: Int, ordered names: NameOrder?
  ) {
    guard let names else {
      worked[team] += milliseconds
      formerly[team] += old
      return
    }
    let number = Int32(team)
    let place = firstIndex(of: order) { !precedes($0, number, names) }
    order.remove(at: place)
    former.remove(at: formerCount(above: formerMinutes(number)))
    worked[team] += milliseconds
    formerly[team] += old
    order.insert(number, at: firstIndex(of: order) { !precedes($0, number, names) })
    former.insert(formerMinutes(number), at: formerCount(above: formerMinutes(number)))
  }

  /// Orders the teams that take part anew.
  /// - Complexity: O(n log n).
  mutating func sort(_ teams: [Int32], _ names: NameOrder) {
    order = teams.sorted { precedes($0, $1, names) }
    former = teams.map(formerMinutes).sorted(by: >)
  }

  /// The first index for which a condition holds that, once true, stays true.
  private func firstIndex(of list: [Int32], where holds: (Int32) -> Bool) -> Int {
    var lower = 0
    var upper = list.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if holds(list[middle]) { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }
}

/// The order among teams with equal minutes: name whatever its case, then slug, then code (KK-108).
struct NameOrder {
  let teams: [Team]
  let clubs: [Club]

  func precedes(_ a: Int32, _ b: Int32) -> Bool { key(a) < key(b) }

  func key(_ team: Int32) -> NameKey {
    let team = teams[Int(team)]
    return NameKey(naam: team.folded.naam, slug: clubs[team.club].slug, code: team.code)
  }
}

struct NameKey: Comparable, Sendable {
  let naam: [UInt8]
  let slug: Slug
  let code: TeamName

  static func < (a: Self, b: Self) -> Bool {
    if a.naam != b.naam { return a.naam.lexicographicallyPrecedes(b.naam) }
    return a.slug != b.slug ? a.slug < b.slug : a.code < b.code
  }
}
