import Contracts
import KilwinningContract
import Timekeeping

extension KilwinningTwin {
  /// What counts for a fratello in all years (§6, 1 to 5).
  func counting(for brother: Int, at now: Instant) -> Counting {
    Counting(
      start: start(of: register.brothers[brother]), at: now,
      conteggio: rules.binds(.kw084) ? deployment.conteggio : .svolte)
  }

  /// KW-080 to KW-082.
  private func start(of brother: Brother) -> Instant? {
    guard !rules.off.isEmpty else { return brother.start }
    if !rules.binds(.kw080) { return nil }
    let iniziazione =
      rules.binds(.kw035) ? brother.fratello.dataIniziazione : brother.initialIniziazione
    if !rules.binds(.kw082), iniziazione == nil { return .distantFuture }
    return rules.binds(.kw081) ? iniziazione.map(deployment.zone.startOfDay) : iniziazione
  }

  // MARK: O8

  func statistics(of brother: Int, _ year: Int?, at now: Instant) -> Answer {
    let counting = counting(for: brother, at: now)
    let eligible = eligible(counting)
    let all = register.tally(brother, among: eligible, counting)
    let tally =
      year == nil
      ? all : register.tally(brother, among: places(of: year).clamped(to: eligible), counting)
    let statistics = tally.statistics(record: all.record)
    guard !rules.off.isEmpty else { return .success(.statistiche(statistics)) }
    return .success(.statistiche(bent(statistics, of: brother, year, counting)))
  }

  private func eligible(_ counting: Counting) -> Range<Int> {
    register.places(from: counting.start ?? .distantPast, until: .distantFuture)
  }

  // MARK: O9

  /// A row for each fratello, in the order of the list (KW-095).
  func riepilogo(_ year: Int?, at now: Instant) -> [RigaRiepilogo] {
    let places = places(of: year)
    let rows = listing.map { row(of: $0, year, among: places, at: now) }
    return rules.binds(.kw095) ? rows : rows.filter { $0.presenze > 0 }
  }

  private func row(
    of brother: Int, _ year: Int?, among places: Range<Int>, at now: Instant
  ) -> RigaRiepilogo {
    let counting = counting(for: brother, at: now)
    let tally = register.tally(brother, among: places.clamped(to: eligible(counting)), counting)
    let fratello = register.brothers[brother].fratello
    var row = RigaRiepilogo(
      id: fratello.id, nome: fratello.nome, grado: fratello.grado, presenze: tally.presences,
      tornateDisponibili: tally.total, percentuale: tally.percentage)
    if !rules.off.isEmpty {
      let bent = bent(tally.statistics(record: 0), of: brother, year, counting)
      (row.presenze, row.tornateDisponibili, row.percentuale) = (
        bent.presences, bent.total, bent.percentage
      )
    }
    return row
  }

  // MARK: O15

  /// KW-134 to KW-136.
  func export(_ anno: Anno, _ year: Int?, at now: Instant) -> Answer {
    var lines = ["id,nome,grado,presenze,tornate_disponibili,percentuale"]
    if !rules.binds(.kw134) { lines = [] }
    lines += riepilogo(year, at: now).map { row in
      "\(row.id),\(Self.quoted(row.nome)),\(row.grado.rawValue),\(row.presenze),"
        + "\(row.tornateDisponibili),\(row.percentuale)"
    }
    let end = rules.binds(.kw135) ? "\r\n" : "\n"
    let name = rules.binds(.kw136) ? "-" + (year.map { _ in anno.text ?? "" } ?? "tutti") : ""
    return .success(
      .esportazione(
        Esportazione(
          fileName: "riepilogo-presenze\(name).csv", csv: lines.map { $0 + end }.joined())))
  }

  /// RFC 4180: between quotes where a comma, a quote or the end of a line stands inside.
  private static func quoted(_ field: String) -> String {
    let isPlain = field.utf8.allSatisfy { !Array("\",\r\n".utf8).contains($0) }
    return isPlain ? field : "\"" + field.replacing(scalars: "\"", with: "\"\"") + "\""
  }

  // MARK: Whom and when

  /// A year's number, or none for all years (KW-075, KW-077).
  mutating func within(
    _ anno: Anno, _ body: (inout KilwinningTwin, Int?) -> Answer
  ) -> Answer {
    if !rules.binds(.kw075), let text = anno.text, anno.selection == .tutti, text != "tutti" {
      return .refused(.annoNonValido, field: "anno")
    }
    switch anno.selection {
    case .tutti: return body(&self, nil)
    case .year(let year): return body(&self, year)
    case .unreadable:
      return rules.binds(.kw077) ? .refused(.annoNonValido, field: "anno") : body(&self, nil)
    }
  }

  /// Anno first, then the fratello (§3.3, steps 7 and 8); anybody may ask about anybody (KW-069).
  mutating func ofBrother(
    _ asked: PresenzeQuery, as session: Int?, _ body: (inout KilwinningTwin, Int, Int?) -> Answer
  ) -> Answer {
    within(asked.anno) { twin, year in
      guard let brother = twin.register.brother(asked.fratelloID) else {
        return .refused(.fratelloNonTrovato)
      }
      if !twin.rules.binds(.kw069), let session, twin.sessions[session].brother != brother {
        return .refused(.accessoNegato)
      }
      return body(&twin, brother, year)
    }
  }
}
