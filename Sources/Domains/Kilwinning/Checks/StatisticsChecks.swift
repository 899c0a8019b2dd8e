import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Statistics: KW-080 to KW-093.
enum StatisticsChecks {
  static let all: [KWCheck] = [
    figures(.kw080, total, where: { $0.isWithEarlier })
      + .reading(.kw080) { it, judge in
        guard let (id, shown, due) = it.presenze else { return }
        let own = Set(due.map(\.tornata.id))
        guard let all = it.lodge.brothers[id]?.marks.count, all > due.count else { return }
        judge.expect(
          own.isSuperset(of: shown.map(\.tornataID)), "\(id) was shown what is not his")
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
    .reading(rule) { it, judge in
      guard case .statistiche(let query) = it.request, let shown = it.reply?.statistiche,
        let found = it.lodge.statistics(of: query.fratelloID, query.anno, during: it.during),
        matters(found)
      else { return }
      let (id, due) = (query.fratelloID, found.figures)
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

  init?(_ id: Fratello.ID, _ anno: Anno, _ lodge: LodgeFacts, _ during: ClosedRange<Instant>) {
    guard let ever = lodge.counted(for: id, .tutti, during: during),
      let fratello = lodge.fratello(id, during: during),
      let start = lodge.start(of: fratello, during: during),
      let conteggio = lodge.decided.value(\.conteggio, during: during),
      let table = lodge.table(during: during), let brother = lodge.brothers[id]
    else { return nil }
    let since = start ?? .distantPast
    let here = ever.filter { lodge.isIn($0.held, anno) }
    func attended(_ line: [(held: Held, mark: LodgeFacts.Mark?)]) -> [Bool] {
      line.map { $0.mark?.status == .presente }
    }
    figures = Figures(attended: attended(here), everAttended: attended(ever))
    (self.start, self.conteggio) = (start, conteggio)
    isWithinAYear = anno.selection != .tutti && !here.isEmpty
    let inYear = table.lazy.filter { lodge.isIn($0, anno) }.map(\.tornata)
    isWithEarlier = inYear.contains { $0.data < since }
    let date = fratello.dataIniziazione ?? .distantPast
    isOnTheEvening = inYear.contains { $0.data >= since && $0.data < date }
    leavesOut = inYear.contains {
      $0.data >= since && lodge.isHeld($0, .svolte, during: during) == false
    }
    hasTies = zip(ever, ever.dropFirst()).contains {
      $0.held.tornata.data == $1.held.tornata.data && $0.mark?.status != $1.mark?.status
    }
    let ids = Set(here.map(\.held.tornata.id))
    hasRecordsBeside = brother.marks.contains {
      !ids.contains($0) && ($1.latest ?? nil)?.status == .presente
    }
  }
}
