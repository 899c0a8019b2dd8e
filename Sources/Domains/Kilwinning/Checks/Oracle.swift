import Contracts
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

  /// How many in a row he was there for, up to the last one that was counted over all years.
  private var run = 0

  /// Counts a tornata, the newest first.
  mutating func count(isIn anno: Bool, attended: Bool) {
    run = attended ? run + 1 : 0
    record = max(record, run)
    guard anno else { return }
    // The streak goes on while nothing was missed.
    if attended, absences == 0 { streak += 1 }
    total += 1
    if attended { presences += 1 } else { absences += 1 }
  }

  /// What follows, once all are counted.
  mutating func conclude() {
    run = 0
    guard total > 0 else { return }
    // By long division, so that no rounding can creep in.
    percentage = (presences * 100).quotientAndRemainder(dividingBy: total).quotient
    rate = Double(presences) / Double(total)
  }
}

/// A tornata among those that may count, with its calendar year in the lodge's zone (KW-076).
final class Held {
  let tornata: Tornata
  let year: Int

  init(tornata: Tornata, year: Int) { (self.tornata, self.year) = (tornata, year) }

  var id: Tornata.ID { tornata.id }
  var data: Instant { tornata.data }
  var stato: Tornata.Stato { tornata.stato }
}

/// A fratello's records beside the tornate that are his, the newest first.
final class Line {
  let tornate: ArraySlice<Held>
  /// `nil` where it is not certain, `.some(nil)` where there certainly is none.
  let marks: [LodgeFacts.Mark??]
  /// The same, as far as it is counted.
  let entries: [Entry]
  /// From when on tornate are his, and what it follows from.
  let start: Instant?
  let iniziazione: Instant?
  /// How many of all his records say that he was there, whether or not the tornata is his.
  let presences: Int

  init(
    tornate: ArraySlice<Held>, marks: [LodgeFacts.Mark??], start: Instant?, iniziazione: Instant?,
    presences: Int
  ) {
    (self.tornate, self.marks, self.start) = (tornate, marks, start)
    (self.iniziazione, self.presences) = (iniziazione, presences)
    entries = zip(tornate, marks).map { Entry($0, $1) }
  }

  struct Entry {
    let data: Instant
    let stato: Tornata.Stato
    let year: Int
    let isCertain: Bool
    let status: Presenza.Status?

    init(_ held: Held, _ mark: LodgeFacts.Mark??) {
      (data, stato, year) = (held.data, held.stato, held.year)
      (isCertain, status) = (mark != nil, mark??.status)
    }
  }
}

/// What was counted last, with what it was counted from.
struct Versions: Hashable {
  var tornate, fratelli, brother, deployment: Int
}

struct CachedCase {
  let found: Case
  let versions: Versions
  /// From when to when no meeting begins.
  let from: Instant
  let until: Instant
}

/// The tornate of a lodge from the newest on, and its fratelli in the order of the list, as they are since the last change.
struct TableCache {
  var tornate: (version: Int, deployment: Int, table: [Held]?) = (-1, -1, nil)
  var lists: [TornateSelection: SharedList<Tornata>] = [:]
  var fratelli: (version: Int, list: SharedList<Fratello>?) = (-1, nil)
  /// Lists that were shown, beside those that had to be, and whether they were the same.
  private var compared: [TornateSelection: Compared<Tornata>] = [:]
  private var comparedFratelli: Compared<Fratello>?

  struct Compared<Item: Hashable & Sendable> {
    let shown, due: SharedList<Item>
    let areSame: Bool
  }

  mutating func areSame(
    _ shown: SharedList<Tornata>, _ due: SharedList<Tornata>, _ selection: TornateSelection
  ) -> Bool {
    if let last = compared[selection], last.isOf(shown, due) { return last.areSame }
    let areSame = shown == due
    compared[selection] = Compared(shown: shown, due: due, areSame: areSame)
    return areSame
  }

  mutating func areSame(_ shown: SharedList<Fratello>, _ due: SharedList<Fratello>) -> Bool {
    if let last = comparedFratelli, last.isOf(shown, due) { return last.areSame }
    let areSame = shown.elementsEqual(due) { $0.isSame(as: $1) }
    comparedFratelli = Compared(shown: shown, due: due, areSame: areSame)
    return areSame
  }
}

extension TableCache.Compared {
  func isOf(_ shown: SharedList<Item>, _ due: SharedList<Item>) -> Bool {
    self.shown.isIdentical(to: shown) && self.due.isIdentical(to: due)
  }
}

extension LodgeFacts {
  func zone(during interval: ClosedRange<Instant>) -> CivilZone? {
    decided.value(\.zone, during: interval)
  }

  // MARK: Tornate

  /// All tornate that there certainly were throughout an interval, the newest first; `nil` when that is not certain.
  func table(during interval: ClosedRange<Instant>) -> [Held]? {
    guard !mayHideATornata(during: interval), let zone = zone(during: interval) else { return nil }
    let isCertain = tornateChanged <= interval.lowerBound
    if isCertain, tables.tornate.version == versions.tornate,
      tables.tornate.deployment == versions.deployment
    {
      return tables.tornate.table
    }
    let table = makeTable(during: interval, zone)
    if isCertain {
      tables.tornate = (versions.tornate, versions.deployment, table)
      tables.lists = [:]
    }
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
  func list(_ query: TornateQuery, during interval: ClosedRange<Instant>) -> SharedList<Tornata>? {
    guard let table = table(during: interval) else { return nil }
    let selection = query.selection
    let isCertain = tornateChanged <= interval.lowerBound
    if isCertain, let list = tables.lists[selection] { return list }
    let list = SharedList(
      table.filter {
        isIn($0, selection.anno) && (query.stato == nil || $0.stato == query.stato)
      }.map(\.tornata))
    if isCertain { tables.lists[selection] = list }
    return list
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

  func isIn(_ held: Held, _ anno: Anno.Selection) -> Bool { isIn(held.year, anno) }

  func isIn(_ year: Int, _ anno: Anno.Selection) -> Bool {
    switch anno {
    case .tutti: true
    case .year(let wanted): year == wanted
    case .unreadable: false
    }
  }

  // MARK: Fratelli

  func fratello(_ id: Fratello.ID, during interval: ClosedRange<Instant>) -> Fratello? {
    brothers[id]?.person.value(during: interval)
  }

  /// Everybody in the order of the list (KW-031).
  func fratelli(during interval: ClosedRange<Instant>) -> SharedList<Fratello>? {
    let isCertain = fratelliChanged <= interval.lowerBound
    if isCertain, tables.fratelli.version == versions.fratelli { return tables.fratelli.list }
    var found: [Fratello] = []
    for brother in brothers.values {
      guard let fratello = brother.person.value(during: interval) else { return nil }
      found.append(fratello)
    }
    found.sort(by: isListedBefore)
    let list = SharedList(found)
    if isCertain { tables.fratelli = (versions.fratelli, list) }
    return list
  }

  func isListedBefore(_ a: Fratello, _ b: Fratello) -> Bool {
    let (first, second) = (degree(a.grado), degree(b.grado))
    if first != second { return first < second }
    return spelling(of: a.nome).lexicographicallyPrecedes(spelling(of: b.nome))
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

  /// His records beside his tornate; `nil` when it is not certain which are his.
  func line(of id: Fratello.ID, during interval: ClosedRange<Instant>) -> Line? {
    guard let brother = brothers[id] else { return nil }
    let now = versions(of: brother)
    let isCertain = max(brother.changed, tornateChanged) <= interval.lowerBound
    if isCertain, let (versions, line) = brother.line, versions == now,
      decided.value(\.zone, during: interval) != nil, !mayHideATornata(during: interval)
    {
      return line
    }
    guard let fratello = fratello(id, during: interval),
      let start = start(of: fratello, during: interval), let table = table(during: interval)
    else { return nil }
    let first = start ?? .distantPast
    let own = table.prefix { $0.data >= first }
    let line = Line(
      tornate: own, marks: own.map { mark(of: brother, $0.id, during: interval) }, start: start,
      iniziazione: fratello.dataIniziazione,
      presences: brother.marks.values.count { ($0.latest ?? nil)?.status == .presente })
    if isCertain { brother.line = (now, line) }
    return line
  }

  private func versions(of brother: Brother) -> Versions {
    Versions(
      tornate: versions.tornate, fratelli: versions.fratelli, brother: brother.version,
      deployment: versions.deployment)
  }

  /// What O7 has to show, the newest tornata first (KW-068); `nil` when it is not certain.
  func presenze(
    of id: Fratello.ID, _ anno: Anno, during interval: ClosedRange<Instant>
  ) -> [(tornata: Held, mark: Mark)]? {
    guard let line = line(of: id, during: interval) else { return nil }
    let selection = anno.selection
    var found: [(tornata: Held, mark: Mark)] = []
    found.reserveCapacity(line.marks.count)
    for (held, mark) in zip(line.tornate, line.marks) where isIn(held, selection) {
      guard let mark else { return nil }
      if let mark { found.append((held, mark)) }
    }
    return found
  }

  // MARK: Statistics

  /// KW-083, KW-084; `nil` for one that begins meanwhile.
  func isHeld(
    _ tornata: Held, _ conteggio: Kilwinning.Conteggio, during interval: ClosedRange<Instant>
  ) -> Bool? {
    isHeld(tornata.data, tornata.stato, conteggio, during: interval)
  }

  func isHeld(
    _ data: Instant, _ stato: Tornata.Stato, _ conteggio: Kilwinning.Conteggio,
    during interval: ClosedRange<Instant>
  ) -> Bool? {
    if conteggio == .tutte || stato == .completata { return true }
    if stato == .annullata || data > interval.upperBound { return false }
    return data <= interval.lowerBound ? true : nil
  }

  /// What lies behind the statistics of one fratello; `nil` when it is not certain.
  func statistics(
    of id: Fratello.ID, _ anno: Anno, during interval: ClosedRange<Instant>
  ) -> Case? {
    statistics(of: id, anno.selection, during: interval)
  }

  func statistics(
    of id: Fratello.ID, _ key: Anno.Selection, during interval: ClosedRange<Instant>
  ) -> Case? {
    guard let brother = brothers[id] else { return nil }
    let now = versions(of: brother)
    let isCertain = max(brother.changed, tornateChanged) <= interval.lowerBound
    if isCertain, let cached = brother.cases[key], cached.versions == now,
      cached.from <= interval.lowerBound, interval.upperBound < cached.until
    {
      return cached.found
    }
    guard let found = Case(id, key, self, interval) else { return nil }
    if isCertain {
      let next = table(during: interval)?.last {
        $0.stato == .programmata && $0.data > interval.upperBound
      }
      brother.cases[key] = CachedCase(
        found: found, versions: now, from: interval.lowerBound,
        until: next?.data ?? .distantFuture)
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

  /// - Parameter since: From when on it may have been used already: its day may have begun then.
  mutating func take(
    _ asked: Confirmation, _ call: KWCall, by owner: Fratello.ID, since: Instant?
  ) {
    guard let text = asked.idempotencyKey else { return }
    let key = Key(owner: owner, text: text)
    let answer = call.outcome.reply?.confirmed
    entries[key] = Entry(
      asked: asked, answer: answer,
      during: (since ?? call.sent)...call.acting.upperBound)
  }
}
