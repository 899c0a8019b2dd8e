import Timekeeping

/// How many of a fratello's tornate he attended, fed one by one from the oldest to the newest (§6).
public struct Tally: Hashable, Sendable {
  public private(set) var total = 0
  public private(set) var presences = 0
  /// The presences since the last absence: the streak of what was fed so far (KW-086).
  public private(set) var streak = 0
  /// The longest such run (KW-093).
  public private(set) var record = 0

  @inlinable public init() {}

  @inline(__always)
  public mutating func take(isPresent: Bool) {
    total += 1
    guard isPresent else {
      streak = 0
      return
    }
    presences += 1
    streak += 1
    record = max(record, streak)
  }

  public var absences: Int { total - presences }
  /// The whole part, in integer arithmetic (KW-090).
  public var percentage: Int { total == 0 ? 0 : 100 * presences / total }
  public var rate: Double { total == 0 ? 0 : Double(presences) / Double(total) }

  /// - Parameter record: Over all years.
  public func statistics(record: Int) -> Statistiche {
    Statistiche(
      total: total, presences: presences, absences: absences, percentage: percentage,
      streak: streak, record: record, rate: rate)
  }
}

/// Which tornate count for a fratello (§6, 1 to 5).
public struct Counting: Hashable, Sendable {
  /// From when on: the start of the civil day of the iniziazione (KW-081); `nil`: from the beginning (KW-082).
  public var start: Instant?
  /// The anno, from its first instant to before the next one's; `nil`: all years.
  public var year: Range<Instant>?
  public var now: Instant
  public var conteggio: Kilwinning.Conteggio

  public init(
    start: Instant? = nil, year: Range<Instant>? = nil, at now: Instant,
    conteggio: Kilwinning.Conteggio = .svolte
  ) { (self.start, self.year, self.now, self.conteggio) = (start, year, now, conteggio) }

  @inline(__always)
  public func isEligible(_ data: Instant) -> Bool { data >= start ?? .distantPast }

  @inline(__always)
  public func isInYear(_ data: Instant) -> Bool { year?.contains(data) ?? true }

  /// KW-083, KW-084.
  @inline(__always)
  public func isHeld(_ data: Instant, _ stato: Tornata.Stato) -> Bool {
    if conteggio == .tutte { return true }
    return switch stato {
    case .completata: true
    case .programmata: data <= now
    case .annullata: false
    }
  }

  /// In all years.
  @inline(__always)
  public func counts(_ data: Instant, _ stato: Tornata.Stato) -> Bool {
    isEligible(data) && isHeld(data, stato)
  }
}

extension CivilZone {
  /// The first instant of the civil day in which one lies.
  public func startOfDay(of instant: Instant) -> Instant { self.instant(civil(at: instant).date) }

  /// The instants of a calendar year (KW-076).
  public func year(_ number: Int) -> Range<Instant> {
    // Instants reach from 1677 to 2262, and so do civil years of what begins between 1678 and 2261 (KW-043).
    func begin(_ year: Int) -> Instant {
      year < 1_678
        ? .distantPast
        : year > 2_262 ? .distantFuture : instant(CivilDate(year: year, month: 1, day: 1))
    }
    return begin(number)..<begin(number + 1)
  }

  /// From when on a confirmation is late: the fifth civil day before the tornata is over (KW-070).
  public func deadline(of tornata: Instant) -> Instant {
    instant(CivilDate(daysSinceEpoch: civil(at: tornata).date.daysSinceEpoch - 4))
  }
}

/// The pure functions of KW-099, for devices and servers alike: none of them minds order, doubles or nothing at all.
public enum PresenceCalculator {
  /// KW-086: the presences from the newest tornata on without a gap.
  public static func streak(_ presenze: [Presenza], _ tornate: [Tornata]) -> Int {
    tally(presenze, tornate).streak
  }

  /// Those from an instant on, that instant included; without one all of them.
  public static func filterByIniziazione(_ tornate: [Tornata], _ start: Instant?) -> [Tornata] {
    guard let start else { return tornate }
    return tornate.filter { $0.data >= start }
  }

  /// KW-020: exactly one of the names.
  public static func isAdmin(
    _ nome: String, among names: [String] = Kilwinning.Deployment().adminNames
  ) -> Bool {
    names.contains(nome)
  }

  /// Both lists restricted to a year; unchanged for all years and for what is no year.
  public static func filterByYear(
    _ presenze: [Presenza], _ tornate: [Tornata], _ anno: Anno, in zone: CivilZone = .rome
  ) -> (presenze: [Presenza], tornate: [Tornata]) {
    guard case .year(let number) = anno.selection else { return (presenze, tornate) }
    let year = zone.year(number)
    let kept = tornate.filter { year.contains($0.data) }
    let ids = Set(kept.map(\.id))
    return (presenze.filter { ids.contains($0.tornataID) }, kept)
  }

  /// The years in which tornate lie, newest first.
  public static func availableYears(_ tornate: [Tornata], in zone: CivilZone = .rome) -> [String] {
    Set(tornate.map { zone.civil(at: $0.data).date.year }).sorted(by: >).map(String.init)
  }

  /// The statistics of one fratello, whose presenze and whose lodge's tornate these are (§6).
  public static func statistics(
    _ presenze: [Presenza], _ tornate: [Tornata], _ counting: Counting
  ) -> Statistiche {
    let counted = tornate.filter { counting.counts($0.data, $0.stato) }
    let record = tally(presenze, counted).record
    return tally(presenze, counted.filter { counting.isInYear($0.data) }).statistics(record: record)
  }

  private static func tally(_ presenze: [Presenza], _ tornate: [Tornata]) -> Tally {
    let last = Dictionary(presenze.map { ($0.tornataID, $0.status) }, uniquingKeysWith: { $1 })
    var tally = Tally()
    for tornata in tornate.sorted(by: { Tornata.isNewer($1, than: $0) }) {
      tally.take(isPresent: last[tornata.id] == .presente)
    }
    return tally
  }
}
