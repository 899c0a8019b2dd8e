import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// What is certain about the teams of a club and the diensten they do.
struct Roster {
  var teams: ContiguousArray<TeamName> = []
  /// By id and by code.
  var places: [TeamName: Int] = [:]
  var changedAt: Instant
  var requiresNames: Bool
  var shifts: ContiguousArray<Shift> = []
  var placesOfShifts: [DienstID: Int] = [:]
  /// What the operator changed of diensten that counts for nothing.
  var words: [DienstID: Words] = [:]
  var hasChanges = false
  /// By team, in order of their starts; gathered when the first is asked for.
  private var byTeam: [ContiguousArray<Shift>?] = []

  init(at instant: Instant, requiresNames: Bool) {
    (changedAt, self.requiresNames) = (instant, requiresNames)
  }

  mutating func add(_ team: Fixture.Team) {
    for name in [team.id, team.code] where places[name] == nil { places[name] = teams.count }
    teams.append(team.id)
    byTeam.append(nil)
  }

  mutating func add(_ entry: Fixture.DienstEntry) {
    let team = entry.team.flatMap { places[$0] } ?? nobody
    if placesOfShifts[entry.id] == nil { placesOfShifts[entry.id] = shifts.count }
    shifts.append(
      Shift(
        id: entry.id, team: team, start: entry.startTijd, end: entry.eindTijd,
        loaded: Words(place: entry.locatieNaam, minimum: entry.minimumBemanning)))
    if team != nobody { byTeam[team] = nil }
  }

  mutating func change(_ shift: Int, _ change: (inout Shift, Roster) -> Void) {
    var changed = shifts[shift]
    change(&changed, self)
    changed.isChanged = true
    hasChanges = true
    for team in [shifts[shift].team, changed.team] where team != nobody { byTeam[team] = nil }
    shifts[shift] = changed
  }

  mutating func shifts(of team: Int) -> ContiguousArray<Shift> {
    guard team < byTeam.count else { return [] }
    if byTeam[team] == nil { gather(team) }
    return byTeam[team]!
  }

  private mutating func gather(_ team: Int) {
    var gathered: ContiguousArray<Shift> = []
    for shift in shifts where shift.team == team { gathered.append(shift) }
    gathered.sort { $0.start < $1.start }
    byTeam[team] = gathered
  }
}

struct Shift {
  let id: DienstID
  var team: Int
  var start: Instant
  var end: Instant
  let loaded: Words
  var isChanged = false
  var isCancelled = false
  var changedAt: Instant?
  var isDoubtful = false
  var touchedUntil = Instant.distantPast
  var claimedUntil = Instant.distantPast
}

/// What a list shows of a dienst.
struct ShownDienst {
  let id: DienstID
  let start: Instant
  let team: TeamName?
}

extension CanteenChecks {
  mutating func learnDiensten(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .load(let fixture):
      for tenant in fixture.tenants { begin(tenant.slug, at: instant) }
      // A club that comes whole is told at once, so nothing of it changes then.
      let isWhole =
        fixture.tenants.count == 1 && roster(fixture.tenants[0].slug)?.teams.isEmpty == true
        && roster(fixture.tenants[0].slug)?.shifts.isEmpty == true
        && fixture.teams.allSatisfy { $0.tenantSlug == fixture.tenants[0].slug }
        && fixture.diensten.allSatisfy { $0.tenantSlug == fixture.tenants[0].slug }
      for team in fixture.teams {
        inClub(team.tenantSlug, at: isWhole ? nil : instant) { $0.add(team) }
      }
      for entry in fixture.diensten {
        inClub(entry.tenantSlug, at: isWhole ? nil : instant) { $0.add(entry) }
      }
    case .createTenant(let tenant): begin(tenant.slug, at: instant)
    case .createTeam(let team): inClub(team.tenantSlug, at: instant) { $0.add(team) }
    case .changeTeam(let tenant, _, _): inClub(tenant, at: instant) { _ in }
    case .scheduleDienst(let entry): inClub(entry.tenantSlug, at: instant) { $0.add(entry) }
    case .changeDienst(let change):
      onShift(change.id, at: instant) { shift, _ in
        shift.start = change.startTijd ?? shift.start
        shift.end = change.eindTijd ?? shift.end
      }
      reword(change)
    case .cancelDienst(let id): onShift(id, at: instant) { shift, _ in shift.isCancelled = true }
    case .assignDienst(let id, let team):
      onShift(id, at: instant) { shift, roster in
        shift.team = team.flatMap { roster.places[$0] } ?? nobody
      }
    case .resetSeason(let tenant):
      inClub(tenant, at: instant) {
        $0 = Roster(at: instant, requiresNames: $0.requiresNames)
      }
    case .configure:
      let requiresNames = decided.newest.leaderboardRequiresNames
      for club in clubs.indices {
        guard clubs[club].roster?.requiresNames == !requiresNames else { continue }
        clubs[club].roster?.requiresNames = requiresNames
        clubs[club].roster?.changedAt = instant
      }
    case .reset: for club in clubs.indices { clubs[club].roster = nil }
    default: break
    }
  }

  private func roster(_ tenant: Slug) -> Roster? {
    clubs.known(tenant).flatMap { clubs[$0].roster }
  }

  private mutating func begin(_ tenant: Slug, at instant: Instant) {
    let club = clubs.number(of: tenant)
    guard clubs[club].roster == nil else { return }
    clubs[club].roster = Roster(
      at: instant, requiresNames: decided.newest.leaderboardRequiresNames)
  }

  private mutating func inClub(
    _ tenant: Slug, at instant: Instant?, _ change: (inout Roster) -> Void
  ) {
    guard let club = clubs.known(tenant), clubs[club].roster != nil else { return }
    change(&clubs[club].roster!)
    if let instant { clubs[club].roster!.changedAt = instant }
  }

  private mutating func onShift(
    _ id: DienstID, at instant: Instant, _ change: (inout Shift, Roster) -> Void
  ) {
    for club in clubs.indices {
      guard let place = clubs[club].roster?.placesOfShifts[id] else { continue }
      clubs[club].roster!.change(place) { shift, roster in
        // The operator's commands follow each other as they are told; a takeover may come before or after one.
        if shift.claimedUntil >= instant - slack { shift.isDoubtful = true }
        shift.touchedUntil = max(shift.touchedUntil, instant + slack)
        shift.changedAt = instant
        change(&shift, roster)
      }
      clubs[club].roster!.changedAt = instant
      return
    }
  }

  /// What the operator says stays until it is said otherwise.
  private mutating func reword(_ change: KantineKoning.DienstChange) {
    for club in clubs.indices {
      guard let place = clubs[club].roster?.placesOfShifts[change.id] else { continue }
      var now =
        clubs[club].roster!.words[change.id] ?? clubs[club].roster!.shifts[place].loaded
      if let place = change.locatieNaam { now.place = place.isEmpty ? nil : place }
      now.minimum = change.minimumBemanning ?? now.minimum
      clubs[club].roster!.words[change.id] = now
      return
    }
  }

  /// A dienst goes to another team, certainly or perhaps.
  mutating func learnTakeover(_ claim: DienstClaim, _ asked: Asked) {
    guard asked.isReplied || asked.isUnknown, asked.club != nobody,
      let place = clubs[asked.club].roster?.placesOfShifts[claim.dienstID]
    else { return }
    clubs[asked.club].roster!.change(place) { shift, roster in
      if asked.isUnknown || shift.touchedUntil >= asked.call.sent { shift.isDoubtful = true }
      shift.touchedUntil = max(shift.touchedUntil, asked.during.upperBound)
      shift.claimedUntil = shift.touchedUntil
      if case .replied(.transfer(let transfer)) = asked.call.outcome,
        let team = transfer.dienst.team
      {
        shift.team = roster.teams.firstIndex(of: team.id) ?? nobody
      }
    }
  }
}

/// What O14 lists: KK-45 to KK-48.
extension CanteenChecks {
  /// How many diensten of one side of the window have to be shown, and how many of them are not.
  private struct Part {
    var expected = 0
    var missing = 0

    mutating func count(_ isShown: Bool) {
      expected += 1
      if !isShown { missing += 1 }
    }
  }

  @inline(never)
  mutating func judgeList(_ query: DienstenQuery, _ asked: Asked) {
    guard case .replied(.diensten(let list)) = asked.call.outcome else {
      return judgeParameters(query, asked, nil)
    }
    let isInOrder = look(at: list)
    if let claims = asked.claims { judgeOrder(list, isInOrder, claims) }
    judgeVersions(list, asked)
    let ends = shown.isEmpty ? nil : self.ends(isInOrder)
    if query.pastDays == nil { judgePast(.kk45, .days(365), asked, ends) }
    if query.futureDays == nil { judgeFuture(.kk46, .days(60), asked, ends) }
    judgeParameters(query, asked, ends)
    guard !list.isEmpty, let (past, future) = window(query, asked, isInOrder) else { return }
    judge(past, query.pastDays == nil ? .kk45 : .kk47)
    judge(future, query.futureDays == nil ? .kk46 : .kk47)
  }

  /// Takes out of a list what checks look at; whether it is in order of start, then identifier.
  private mutating func look(at list: [Dienst]) -> Bool {
    shown.removeAll(keepingCapacity: true)
    var isInOrder = true
    for dienst in list {
      let (id, start) = (dienst.columns.id, dienst.columns.startTijd)
      if let last = shown.last, last.start >= start, last.start > start || last.id >= id {
        isInOrder = false
      }
      shown.append(ShownDienst(id: id, start: start, team: dienst.columns.team?.code))
    }
    return isInOrder
  }

  private func ends(_ isInOrder: Bool) -> ClosedRange<Instant> {
    if isInOrder { return shown[0].start...shown[shown.count - 1].start }
    return shown.lazy.map(\.start).min()!...shown.lazy.map(\.start).max()!
  }

  @inline(never)
  private func judgeOrder(_ list: [Dienst], _ isInOrder: Bool, _ claims: DeviceClaims) {
    expect(.kk48, isInOrder, "the diensten are out of order")
    let stray = list.indices.first { place in
      !claims.teamCodes.contains(shown[place].team ?? "")
        || list[place].columns.notificationToken != nil
    }.map { list[$0] }
    expect(
      .kk48, stray == nil,
      "a token of \(claims.teamCodes) saw a dienst of \(stray?.team?.code ?? "-")"
        + (stray?.notificationToken == nil ? "" : " with the right to take it over"))
  }

  private func judgePast(
    _ rule: KKRule, _ span: Span, _ asked: Asked, _ ends: ClosedRange<Instant>?
  ) {
    let isStray = ends.map { $0.lowerBound < asked.call.sent - span } ?? false
    expect(rule, !isStray, "shown a dienst that began more than \(span) ago")
  }

  private func judgeFuture(
    _ rule: KKRule, _ span: Span, _ asked: Asked, _ ends: ClosedRange<Instant>?
  ) {
    let isStray = ends.map { $0.upperBound > asked.call.answered + span } ?? false
    expect(rule, !isStray, "shown a dienst that begins in more than \(span)")
  }

  /// KK-47: whole numbers from 0 to 1000 move the window, anything else is refused.
  private func judgeParameters(
    _ query: DienstenQuery, _ asked: Asked, _ ends: ClosedRange<Instant>?
  ) {
    guard query.pastDays != nil || query.futureDays != nil, asked.isAnswered else { return }
    let given = [query.pastDays, query.futureDays].compactMap { $0 }
    guard given.allSatisfy({ acceptedDays($0) != nil }) else {
      if asked.isReplied { violated(.kk47, "\(given) was taken for days") }
      if asked.code == .invalidParameter { held(.kk47) }
      return
    }
    if asked.code == .invalidParameter { violated(.kk47, "\(given) was refused") }
    guard asked.diensten != nil else { return }
    if let past = query.pastDays.flatMap(acceptedDays) {
      judgePast(.kk47, .days(Int64(past)), asked, ends)
    }
    if let future = query.futureDays.flatMap(acceptedDays) {
      judgeFuture(.kk47, .days(Int64(future)), asked, ends)
    }
  }

  private func judge(_ part: Part, _ rule: KKRule) {
    guard part.expected > 0 else { return }
    expect(
      rule, part.missing == 0,
      "\(part.missing) of \(part.expected) diensten in the window are not shown")
  }

  /// Of a team of which a list shows a dienst it shows every dienst that begins in the window throughout the call; `nil` where that is
  /// not certain.
  @inline(never)
  private mutating func window(
    _ query: DienstenQuery, _ asked: Asked, _ isInOrder: Bool
  ) -> (past: Part, future: Part)? {
    let sent = asked.call.sent
    guard asked.club != nobody, let changedAt = clubs[asked.club].roster?.changedAt,
      changedAt + slack < sent, let before = days(query.pastDays, usually: 365),
      let ahead = days(query.futureDays, usually: 60)
    else { return nil }
    let from = asked.call.answered - before
    let to = max(sent + ahead, from)
    var (past, future) = (Part(), Part())
    for first in shown.indices {
      guard let code = shown[first].team,
        !shown[..<first].contains(where: { $0.team == code }),
        let team = clubs[asked.club].roster!.places[code]
      else { continue }
      let shifts = clubs[asked.club].roster!.shifts(of: team)
      // Both are in order of their starts.
      var place = 0
      for next in shifts.lowerBound({ $0.start < from })..<shifts.count {
        let start = shifts[next].start
        if start > to { break }
        if shifts[next].isDoubtful || shifts[next].touchedUntil >= sent { continue }
        if isInOrder { while place < shown.count, shown[place].start < start { place += 1 } }
        let isShown = isShown(shifts[next].id, start, from: place)
        if start < sent { past.count(isShown) } else { future.count(isShown) }
      }
    }
    return (past, future)
  }

  private func isShown(_ id: DienstID, _ start: Instant, from first: Int) -> Bool {
    var place = first
    while place < shown.count, shown[place].start == start {
      if shown[place].id == id { return true }
      place += 1
    }
    return shown.contains { $0.id == id }
  }

  private func days(_ text: String?, usually most: Int64) -> Span? {
    guard let text else { return .days(most) }
    return acceptedDays(text).map { .days(Int64($0)) }
  }
}

func acceptedDays(_ text: String) -> Int? {
  guard text.allSatisfy({ ("0"..."9").contains($0) }), let days = Int(text), days <= 1000 else {
    return nil
  }
  return days
}

extension ContiguousArray {
  /// The first place of those for which something no longer holds.
  @inline(__always)
  func lowerBound(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
