import KantineKoningContract
import Timekeeping

/// A dienst as it is stored: as phones see it, with the indexes of its club and its team.
struct StoredDienst: Sendable {
  var shown: Dienst
  let club: Int
  var team: Int?
  /// Which offer of it runs: takeovers, withdrawals and assignments count up (§3.4, O22–O24).
  var round = 0
  var reminders = ReminderDues()
}

/// All diensten of a cell, found by identifier; a team's and a club's rosters give them by start.
struct Diensten: Sendable {
  private(set) var rows: [StoredDienst?] = []
  private var free: [Int] = []
  private var byID: [DienstID: Int] = [:]

  subscript(row: Int) -> StoredDienst {
    get { rows[row]! }
    _modify { yield &rows[row]! }
  }

  var inUse: some Sequence<Int> { rows.indices.lazy.filter { rows[$0] != nil } }

  func row(id: DienstID) -> Int? { byID[id] }
  func isInUse(_ row: Int) -> Bool { rows.indices.contains(row) && rows[row] != nil }
  func shown(_ row: Int) -> Dienst { rows[row]!.shown }

  mutating func insert(_ dienst: StoredDienst) -> Int {
    let row: Int
    if let reused = free.popLast() {
      row = reused
      rows[row] = dienst
    } else {
      row = rows.count
      rows.append(dienst)
    }
    byID[dienst.shown.id] = row
    return row
  }

  mutating func delete(_ row: Int) {
    byID[self[row].shown.id] = nil
    rows[row] = nil
    free.append(row)
  }
}

extension Dienst {
  /// The status that the names imply (§2.6); a cancelled dienst stays cancelled.
  var derivedStatus: Status {
    if status == .geannuleerd { return .geannuleerd }
    if aanmeldingen.isEmpty { return .onbemand }
    return aanmeldingen.count < minimumBemanning ? .gedeeltelijk : .volledig
  }
}
