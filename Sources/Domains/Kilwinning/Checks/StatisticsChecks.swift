import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Statistics: KW-080 to KW-093.
enum StatisticsChecks {
  static let all: [KWCheck] = [
    figures(.kw080, total, where: { $0.isWithEarlier })
      + .reading(.kw080, .asking(Kilwinning.presenze)) { it, judge in
        guard let (id, shown, due) = it.presenze else { return }
        guard let all = it.lodge.brothers[id]?.marks.count, all > due.count else { return }
        judge.expect(
          it.arePresenzeDue || Set(due.map(\.tornata.id)).isSuperset(of: shown.map(\.tornataID)),
          "\(id) was shown what is not his")
      },
    figures(.kw081, total, where: { $0.isOnTheEvening }),
    figures(.kw082, total, where: { $0.start == nil }),
    figures(.kw083, total, where: { $0.conteggio == .svolte && $0.leavesOut }),
    figures(.kw084, total, where: { $0.conteggio == .tutte && $0.leavesOut }),
    figures(
      .kw085, { $0.presences == $1.presences && $0.streak == $1.streak && $0.record == $1.record },
      where: { $0.figures.absences > 0 }),
    figures(.kw086, { $0.streak == $1.streak }, where: { $0.figures.total > 0 }),
    figures(.kw087, { $0.streak == $1.streak && $0.record == $1.record }, where: { $0.hasTies }),
    figures(.kw088, { $0.streak == $1.streak }, where: { $0.isWithinAYear }),
    figures(.kw089, { $0.presences == $1.presences }, where: { $0.hasRecordsBeside }),
    figures(.kw090, { $0.percentage == $1.percentage }, where: { _ in true }),
    figures(.kw091, { abs($0.rate - $1.rate) < 1e-12 }, where: { _ in true }),
    figures(
      .kw092, { $0.absences == $1.absences && $0.absences == $0.total - $0.presences },
      where: { _ in true }),
    figures(.kw093, { $0.record == $1.record }, where: { $0.figures.record > 0 }),
  ]

  private static let total: @Sendable (Statistiche, Figures) -> Bool = {
    $0.total == $1.total && $0.presences == $1.presences
  }

  /// Judges those statistics in which a rule makes a difference.
  private static func figures(
    _ rule: Kilwinning.Rule, _ agree: @escaping @Sendable (Statistiche, Figures) -> Bool,
    where matters: @escaping @Sendable (Case) -> Bool
  ) -> KWCheck {
    .reading(rule, .asking(Kilwinning.statistiche)) { it, judge in
      guard let (id, shown, due) = it.statistiche, let found = it.behind, matters(found) else {
        return
      }
      judge.expect(
        agree(shown, due),
        "\(shown.presences)/\(shown.total), \(shown.percentage) %, streak \(shown.streak), record "
          + "\(shown.record) instead of \(due.presences)/\(due.total), \(due.percentage) %, "
          + "\(due.streak), \(due.record) for \(id) in \(it.anno?.text ?? "all years")")
    }
  }
}

/// The tornate and records behind one fratello's statistics.
final class Case {
  let figures: Figures
  let start: Instant?
  let conteggio: Kilwinning.Conteggio
  let isWithinAYear: Bool
  /// Whether tornate before his time lie in the anno (KW-080).
  let isWithEarlier: Bool
  /// Whether his iniziazione is stored later than a tornata of its day (KW-081).
  let isOnTheEvening: Bool
  /// Whether there are tornate of his that were not held (KW-083, KW-084).
  let leavesOut: Bool
  /// Whether two began together, and he was at one of them (KW-087).
  let hasTies: Bool
  /// Whether he has presences that do not count (KW-089).
  let hasRecordsBeside: Bool

  init?(
    _ id: Fratello.ID, _ anno: Anno.Selection, _ lodge: LodgeFacts, _ during: ClosedRange<Instant>
  ) {
    guard let line = lodge.line(of: id, during: during),
      let conteggio = lodge.decided.value(\.conteggio, during: during),
      let table = lodge.table(during: during)
    else { return nil }
    let date = line.iniziazione ?? .distantPast
    var figures = Figures()
    var (isOnTheEvening, leavesOut, hasTies) = (false, false, false)
    var newer: (data: Instant, status: Presenza.Status?)?
    for it in line.entries {
      let isHere = lodge.isIn(it.year, anno)
      if isHere {
        isOnTheEvening = isOnTheEvening || it.data < date
        leavesOut = leavesOut || lodge.isHeld(it.data, it.stato, .svolte, during: during) == false
      }
      guard let counts = lodge.isHeld(it.data, it.stato, conteggio, during: during) else {
        return nil
      }
      guard counts else { continue }
      guard it.isCertain else { return nil }
      hasTies = hasTies || newer.map { $0.data == it.data && $0.status != it.status } ?? false
      newer = (it.data, it.status)
      figures.count(isIn: isHere, attended: it.status == .presente)
    }
    figures.conclude()
    self.figures = figures
    (start, self.conteggio) = (line.start, conteggio)
    isWithinAYear = anno != .tutti && figures.total > 0
    isWithEarlier = table[line.tornate.endIndex...].contains { lodge.isIn($0, anno) }
    (self.isOnTheEvening, self.leavesOut, self.hasTies) = (isOnTheEvening, leavesOut, hasTies)
    hasRecordsBeside = line.presences > figures.presences
  }
}
