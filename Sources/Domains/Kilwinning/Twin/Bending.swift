import Contracts
import KilwinningContract
import Timekeeping

/// What a backend remembers that breaks a rule.
struct BentState {
  struct Delayed {
    let due: Instant
    let brother: Int
    let tornata: Tornata.ID
    let status: Presenza.Status
  }

  /// Writes that are not seen yet (KW-067).
  var delayed: [Delayed] = []
  /// Who logged in, as he was then, by session (KW-019).
  var asLoggedIn: [Int: Fratello] = [:]
  /// Who alone sees a new tornata (KW-044).
  var creators: [Tornata.ID: Int] = [:]
}

/// How answers differ while a rule is switched off.
extension KilwinningTwin {
  /// What time alone does: nothing, while all rules bind.
  mutating func bendTime(at now: Instant) {
    guard !rules.off.isEmpty else { return }
    while let first = bent.delayed.first, first.due <= now {
      bent.delayed.removeFirst()
      guard let place = register.place(of: first.tornata) else { continue }
      register.record(
        first.status, of: first.brother, at: place, confirmedAt: first.due.inWholeSeconds)
    }
    guard !rules.binds(.kw050) else { return }
    for place in register.places(from: .distantPast, until: now - .days(1))
    where register.states[place] == .programmata {
      var tornata = register.tornate[place]
      tornata.stato = .completata
      register.change(place, to: tornata)
    }
  }

  func bentTornate(_ selection: TornateSelection, for session: Int) -> [Tornata] {
    let brother = sessions[session].brother
    var list = selected(selection)
    if !rules.binds(.kw041), let start = register.brothers[brother].start {
      list = PresenceCalculator.filterByIniziazione(list, start)
    }
    return list.filter { bent.creators[$0.id] ?? brother == brother }
  }

  /// Statistics as they are with the rules of §4.7 that are switched off.
  func bent(
    _ right: Statistiche, of brother: Int, _ year: Int?, _ counting: Counting
  ) -> Statistiche {
    var counted = places(of: year).filter { counts($0, counting) }
    if !rules.binds(.kw087) { counted = withTiesReversed(counted) }
    let line = counted.map { isPresent(brother, at: $0) }
    let presences = line.count { $0 }
    var it = right
    it.total = line.count
    it.presences = presences
    it.streak = line.reversed().prefix { $0 }.count
    it.record = right.record
    if !rules.binds(.kw083) || !rules.binds(.kw085) || !rules.binds(.kw087) {
      var whole = places(of: nil).filter { counts($0, counting) }
      if !rules.binds(.kw087) { whole = withTiesReversed(whole) }
      it.record =
        whole.reduce(into: Tally()) { $0.take(isPresent: isPresent(brother, at: $1)) }.record
    }
    if !rules.binds(.kw086) { it.streak = line.prefix { $0 }.count }
    if !rules.binds(.kw088) {
      let all = places(of: nil).filter { counts($0, counting) }
      it.streak = all.reversed().prefix { isPresent(brother, at: $0) }.count
    }
    if !rules.binds(.kw089) {
      it.presences = register.tornate.indices.count { isPresent(brother, at: $0) }
    }
    it.absences = it.total - it.presences
    if !rules.binds(.kw092) {
      let records = register.brothers[brother].attendance
      it.absences = counted.count { records[$0].isStored && records[$0].status == .assente }
    }
    let total = max(it.total, 1)
    it.percentage =
      rules.binds(.kw090)
      ? 100 * it.presences / total : (200 * it.presences + total) / (2 * total)
    it.rate =
      rules.binds(.kw091) ? Double(it.presences) / Double(total) : Double(it.percentage) / 100
    if !rules.binds(.kw093) { it.record = it.streak }
    return it
  }

  private func counts(_ place: Int, _ counting: Counting) -> Bool {
    let (data, stato) = (register.times[place], register.states[place])
    if counting.counts(data, stato) { return true }
    return !rules.binds(.kw083) && counting.isEligible(data) && stato == .annullata
      && data <= counting.now
  }

  private func isPresent(_ brother: Int, at place: Int) -> Bool {
    let stored = register.brothers[brother].attendance[place]
    guard stored.isStored else { return false }
    return stored.status == .presente || !rules.binds(.kw085) && stored.status == .nonConfermato
  }

  /// Of tornate that begin together the lower id last.
  private func withTiesReversed(_ places: [Int]) -> [Int] {
    places.sorted {
      let (a, b) = (register.times[$0], register.times[$1])
      return a == b ? $0 > $1 : a < b
    }
  }
}
