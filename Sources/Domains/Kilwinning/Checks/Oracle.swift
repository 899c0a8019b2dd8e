import Contracts
import Foundation
import KilwinningContract
import Observations
import Timekeeping

/// What one fratello's statistics have to be (§6), computed from tornate and records alone.
struct Figures: Hashable {
  var total = 0
  var presences = 0
  var absences = 0
  var percentage = 0
  var streak = 0
  var record = 0
  var rate = 0.0

  /// - Parameters:
  ///   - attended: For each tornata that counts in the anno, the newest first, whether he was there.
  ///   - everAttended: The same over all years.
  init(attended: [Bool], everAttended: [Bool]) {
    total = attended.count
    presences = attended.filter { $0 }.count
    absences = total - presences
    // By long division, so that no rounding can creep in.
    percentage = total == 0 ? 0 : (presences * 100).quotientAndRemainder(dividingBy: total).quotient
    rate = total == 0 ? 0 : Double(presences) / Double(total)
    streak = attended.firstIndex(of: false) ?? total
    record = everAttended.split(separator: false).map(\.count).max() ?? 0
  }
}

/// A tornata among those that may count, with its calendar year in the lodge's zone (KW-076).
struct Held {
  let tornata: Tornata
  let year: Int
}

struct CachedCase {
  let found: Case
  let versions: (tornate: Int, brother: Int, deployment: Int)
  /// From when to when no meeting begins.
  let from: Instant
  let until: Instant
}

/// The tornate of a lodge from the newest on, and its fratelli in the order of the list, as they are since the last change.
struct TableCache {
  var tornate: (version: Int, deployment: Int, table: [Held]?) = (-1, -1, nil)
  var fratelli: (version: Int, list: [Fratello]?) = (-1, nil)
}

extension LodgeFacts {
  func zone(during interval: ClosedRange<Instant>) -> CivilZone? {
    decided.value(\.zone, during: interval)
  }

  // MARK: Tornate

  /// All tornate that there certainly were throughout an interval, the newest first; `nil` when that is not certain.
  func table(during interval: ClosedRange<Instant>) -> [Held]? {
    guard !mayHideATornata(during: interval), let zone = zone(during: interval) else { return nil }
    let isSettled = tornateChanged <= interval.lowerBound
    if isSettled, tables.tornate.version == versions.tornate,
      tables.tornate.deployment == versions.deployment
    {
      return tables.tornate.table
    }
    let table = makeTable(during: interval, zone)
    if isSettled { tables.tornate = (versions.tornate, versions.deployment, table) }
    return table
  }

  private func makeTable(during interval: ClosedRange<Instant>, _ zone: CivilZone) -> [Held]? {
    var found: [Held] = []
    for register in tornate.values {
      guard let value = register.value(during: interval) else { return nil }
      guard let tornata = value else { continue }
      found.append(Held(tornata: tornata, year: zone.civil(at: tornata.data).date.year))
    }
    return found.sorted { isNewer($0.tornata, $1.tornata) }
  }

  /// What O11 has to list (KW-040, KW-042).
  func list(_ query: TornateQuery, during interval: ClosedRange<Instant>) -> [Tornata]? {
    table(during: interval)?.filter {
      isIn($0, query.anno) && (query.stato == nil || $0.tornata.stato == query.stato)
    }.map(\.tornata)
  }

  /// - Returns: `nil` when it is not certain; `.some(nil)` when there certainly is none.
  func tornata(_ id: Tornata.ID, during interval: ClosedRange<Instant>) -> Tornata?? {
    if let register = tornate[id] { return register.value(during: interval) }
    return mayHideATornata(during: interval) ? nil : .some(nil)
  }

  /// KW-042, KW-087.
  func isNewer(_ a: Tornata, _ b: Tornata) -> Bool {
    a.data != b.data ? a.data > b.data : a.id > b.id
  }

  func isIn(_ held: Held, _ anno: Anno) -> Bool {
    switch anno.selection {
    case .tutti: true
    case .year(let year): held.year == year
    case .unreadable: false
    }
  }

  // MARK: Fratelli

  func fratello(_ id: Fratello.ID, during interval: ClosedRange<Instant>) -> Fratello? {
    brothers[id]?.person.value(during: interval)
  }

  /// Everybody in the order of the list (KW-031).
  func fratelli(during interval: ClosedRange<Instant>) -> [Fratello]? {
    let changed = brothers.values.map(\.changed).max() ?? .distantPast
    let isSettled = changed <= interval.lowerBound
    if isSettled, tables.fratelli.version == versions.fratelli { return tables.fratelli.list }
    var found: [Fratello] = []
    for brother in brothers.values {
      guard let fratello = brother.person.value(during: interval) else { return nil }
      found.append(fratello)
    }
    found.sort(by: isListedBefore)
    if isSettled { tables.fratelli = (versions.fratelli, found) }
    return found
  }

  func isListedBefore(_ a: Fratello, _ b: Fratello) -> Bool {
    let (first, second) = (degree(a.grado), degree(b.grado))
    if first != second { return first < second }
    return Array(a.nome.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value))
      .lexicographicallyPrecedes(
        Array(b.nome.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)))
  }

  private func degree(_ grado: Fratello.Grado) -> Int {
    [.maestro, .compagno, .apprendista].firstIndex(of: grado) ?? 99
  }

  /// Whatever else changes, names do not (KW-036, KW-038).
  func brother(named nome: String) -> Fratello? {
    brothers.values.lazy.compactMap(\.person.latest).first { $0.nome == nome }
  }

  /// KW-020.
  func isAdmin(_ id: Fratello.ID, during interval: ClosedRange<Instant>) -> Bool? {
    guard let nome = brothers[id]?.person.latest?.nome,
      let names = decided.value(\.adminNames, during: interval)
    else { return nil }
    return names.contains(nome)
  }

  // MARK: Presenze

  /// From when on tornate are a fratello's (KW-081); `.some(nil)` for one without a date (KW-082).
  func start(of fratello: Fratello, during interval: ClosedRange<Instant>) -> Instant?? {
    guard let zone = zone(during: interval) else { return nil }
    guard let date = fratello.dataIniziazione else { return .some(nil) }
    let day = zone.civil(at: date).date
    return .some(zone.instant(CivilTime(date: day, timeOfDay: .zero)))
  }

  /// His certain record of a tornata; `.some(nil)` when there certainly is none.
  func mark(
    of brother: Brother, _ id: Tornata.ID, during interval: ClosedRange<Instant>
  ) -> Mark?? {
    guard let register = brother.marks[id] else { return .some(nil) }
    return register.value(during: interval)
  }

  /// What O7 has to show, the newest tornata first (KW-068); `nil` when it is not certain.
  func presenze(
    of id: Fratello.ID, _ anno: Anno, during interval: ClosedRange<Instant>
  ) -> [(tornata: Tornata, mark: Mark)]? {
    guard let brother = brothers[id], let fratello = fratello(id, during: interval),
      let start = start(of: fratello, during: interval), let table = table(during: interval)
    else { return nil }
    var found: [(tornata: Tornata, mark: Mark)] = []
    for held in table where isIn(held, anno) && held.tornata.data >= start ?? .distantPast {
      guard let mark = mark(of: brother, held.tornata.id, during: interval) else { return nil }
      if let mark { found.append((held.tornata, mark)) }
    }
    return found
  }

  // MARK: Statistics

  /// What counts for a fratello and whether he was there, the newest first; `nil` when it is not certain.
  func counted(
    for id: Fratello.ID, _ anno: Anno, during interval: ClosedRange<Instant>
  ) -> [(held: Held, mark: Mark?)]? {
    guard let brother = brothers[id], let fratello = fratello(id, during: interval),
      let start = start(of: fratello, during: interval), let table = table(during: interval),
      let conteggio = decided.value(\.conteggio, during: interval)
    else { return nil }
    var found: [(held: Held, mark: Mark?)] = []
    for held in table where held.tornata.data >= start ?? .distantPast && isIn(held, anno) {
      guard let isHeld = isHeld(held.tornata, conteggio, during: interval) else { return nil }
      guard isHeld else { continue }
      guard let mark = mark(of: brother, held.tornata.id, during: interval) else { return nil }
      found.append((held, mark))
    }
    return found
  }

  /// KW-083, KW-084; `nil` for one that begins meanwhile.
  func isHeld(
    _ tornata: Tornata, _ conteggio: Kilwinning.Conteggio, during interval: ClosedRange<Instant>
  ) -> Bool? {
    if conteggio == .tutte || tornata.stato == .completata { return true }
    if tornata.stato == .annullata || tornata.data > interval.upperBound { return false }
    return tornata.data <= interval.lowerBound ? true : nil
  }

  /// What lies behind the statistics of one fratello; `nil` when it is not certain.
  func statistics(
    of id: Fratello.ID, _ anno: Anno, during interval: ClosedRange<Instant>
  ) -> Case? {
    guard let brother = brothers[id] else { return nil }
    let key = anno.selection
    let now = (versions.tornate, brother.version, versions.deployment)
    let isSettled = max(brother.changed, tornateChanged) <= interval.lowerBound
    if isSettled, let cached = brother.cases[key], cached.versions == now,
      cached.from <= interval.lowerBound, interval.upperBound < cached.until
    {
      return cached.found
    }
    guard let found = Case(id, anno, self, interval) else { return nil }
    if isSettled {
      let next = table(during: interval)?.last {
        $0.tornata.stato == .programmata && $0.tornata.data > interval.upperBound
      }
      brother.cases[key] = CachedCase(
        found: found, versions: now, from: interval.lowerBound,
        until: next?.tornata.data ?? .distantFuture)
    }
    return found
  }
}

/// The answers to writes with a key (KW-072).
struct KeyBook {
  private struct Key: Hashable { let owner: Fratello.ID, text: String }

  private struct Entry {
    let asked: Confirmation
    let answer: Acknowledgement?
    let during: ClosedRange<Instant>
  }

  private var entries: [Key: Entry] = [:]
  static let lifetime = Span.hours(24)

  enum State {
    /// Nobody used the key, or so long ago that it is forgotten.
    case fresh
    case answered(Acknowledgement)
    /// For another body.
    case reused
    /// It may have been used since.
    case unclear(since: Instant)
  }

  func state(
    of asked: Confirmation, by owner: Fratello.ID, during interval: ClosedRange<Instant>
  ) -> State {
    guard let text = asked.idempotencyKey, let entry = entries[Key(owner: owner, text: text)] else {
      return .fresh
    }
    if interval.lowerBound - entry.during.upperBound > Self.lifetime { return .fresh }
    guard entry.during.upperBound <= interval.lowerBound,
      interval.upperBound - entry.during.lowerBound <= Self.lifetime, let answer = entry.answer
    else { return .unclear(since: entry.during.lowerBound) }
    return entry.asked == asked ? .answered(answer) : .reused
  }

  mutating func take(_ asked: Confirmation, _ exchange: KWExchange, by owner: Fratello.ID) {
    guard let text = asked.idempotencyKey else { return }
    let key = Key(owner: owner, text: text)
    let answer = exchange.outcome.reply?.confirmed
    guard answer != nil || entries[key]?.answer == nil else { return }
    let since = entries[key].map { $0.answer == nil ? $0.during.lowerBound : nil } ?? nil
    entries[key] = Entry(
      asked: asked, answer: answer,
      during: (since ?? exchange.sent)...(exchange.isUnknown
        ? exchange.answered + .minutes(1) : exchange.answered))
  }
}
