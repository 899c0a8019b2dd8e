import Contracts
import KantineKoningContract
import Timekeeping

/// A tenant with what belongs to it (§2.1).
struct Club: Sendable {
  /// A revocation of all of a tenant's device tokens that were issued before it (§2.8).
  struct Revocation: Sendable {
    let at: Instant
    let reason: KantineKoning.RevocationReason
  }

  let slug: Slug
  var name: String { didSet { folded.name = foldedForSearch(name) } }
  var logoURL: String?
  var isOpen = true
  var message: String?
  var seasonEndedAt: Instant?
  /// How many seasons have ended here.
  var seasonsEnded = 0
  var seasonResetAt: Instant?
  var revocations: [Revocation] = []
  /// Indexes into the twin's teams, in natural order of their codes.
  var teams: [Int] = []
  var teamByCode: [TeamName: Int] = [:]
  /// Codes by the address that manages them, in natural order.
  var managers: [String: [TeamName]] = [:]
  /// Diensten without a team.
  var open = Roster()
  /// Rows of the diensten that their team offers to the others.
  var offered: [Int] = []
  /// Whether the club has left the global leaderboard.
  var leaderboardOptOut = false
  var dienstTypes: [DienstType] = []
  var locations: [String] = []
  /// In order of their places.
  var banners: [Banner] = []
  /// Codes and identifiers of the teams that resets have deleted.
  var formerTeams: Set<TeamName> = []
  /// Name and slug as searches compare them.
  private(set) var folded: (name: [UInt8], slug: [UInt8])

  init(slug: Slug, name: String, logoURL: String?) {
    self.slug = slug
    self.name = name
    self.logoURL = logoURL
    folded = (foldedForSearch(name), foldedForSearch(slug.text))
  }

  var hasSeasonEnded: Bool { seasonEndedAt != nil }

  /// The latest revocation that reaches a token of this issue time, in seconds since 1970.
  ///
  /// Compared in whole seconds, as tokens are dated (§2.8): what the club gives out anew in the second of the
  /// revocation works, and what it gave out before it in that second is refused by its own row.
  func revocation(after iat: Int64) -> Revocation? {
    guard !revocations.isEmpty else { return nil }
    return revocations.last { $0.at.unixSeconds > iat }
  }
}

/// A team (§2.2) with its diensten.
struct Team: Sendable {
  let id: TeamName
  let club: Int
  let code: TeamName
  var naam: String
  /// Code and name as searches compare them.
  var folded: (code: [UInt8], naam: [UInt8])
  var roster = Roster()

  init(id: TeamName, club: Int, code: TeamName, naam: String) {
    self.id = id
    self.club = club
    self.code = code
    self.naam = naam
    folded = (foldedForSearch(code.text), foldedForSearch(naam))
  }

  var info: TeamInfo { TeamInfo(id: id, code: code, naam: naam) }
}

/// The diensten of one team in order of start, then identifier.
struct Roster: Sendable {
  struct Entry: Sendable {
    let start: Instant
    let row: Int
  }

  private(set) var entries: [Entry] = []

  /// The entries that start inside a window, both ends included.
  /// - Complexity: O(log n).
  func within(_ from: Instant, _ to: Instant) -> ArraySlice<Entry> {
    let lower = firstIndex { $0.start >= from }
    let upper = firstIndex { $0.start > to }
    return lower < upper ? entries[lower..<upper] : []
  }

  mutating func insert(_ entry: Entry, before isLater: (Entry) -> Bool) {
    entries.insert(entry, at: firstIndex(isLater))
  }

  mutating func remove(row: Int, start: Instant) {
    var index = firstIndex { $0.start >= start }
    while entries[index].row != row { index += 1 }
    entries.remove(at: index)
  }

  /// The first entry for which a condition holds that, once true, stays true.
  private func firstIndex(_ holds: (Entry) -> Bool) -> Int {
    var lower = 0
    var upper = entries.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if holds(entries[middle]) { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }
}
