import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// The riepilogo and its file: KW-095 and KW-134 to KW-136.
enum RiepilogoChecks {
  static let all: [KWCheck] = [
    .reading(.kw095, .asking(Kilwinning.riepilogo)) { it, judge in
      guard let anno = it.request.riepilogo, let shown = it.reply?.riepilogo else { return }
      it.lodge.judge(shown, anno, it.during, &judge)
    },
    .reading(.kw134, .asking(Kilwinning.exportRiepilogo)) { it, judge in
      guard let anno = it.request.exportRiepilogo, let file = it.reply?.esportazione else { return }
      let lines = CSV.records(file.csv)
      guard lines.first == CSV.header else { return judge.violated("the file has no header row") }
      let rows = lines.dropFirst().map(CSV.row)
      guard rows.allSatisfy({ $0 != nil }) else { return judge.violated("a row is none") }
      it.lodge.judge(rows.compactMap { $0 }, anno, it.during, &judge)
    },
    .reading(.kw135, .asking(Kilwinning.exportRiepilogo)) { it, judge in
      guard let file = it.reply?.esportazione else { return }
      let due = CSV.records(file.csv).map { $0.map(CSV.quoted).joined(separator: ",") + "\r\n" }
      judge.expect(
        file.csv.unicodeScalars.elementsEqual(due.joined().unicodeScalars),
        "a file that is not written by RFC 4180")
    },
    .reading(.kw136, .asking(Kilwinning.exportRiepilogo)) { it, judge in
      guard let anno = it.request.exportRiepilogo, let file = it.reply?.esportazione else { return }
      var text = "tutti"
      if case .year = anno.selection { text = anno.text ?? "" }
      judge.expect(
        file.fileName == "riepilogo-presenze-\(text).csv", "the file is called \(file.fileName)")
    },
  ]
}

extension LodgeFacts {
  /// One row for each fratello, in the order of the list, with his own statistics.
  func judge(
    _ shown: [RigaRiepilogo], _ anno: Anno, _ during: ClosedRange<Instant>, _ judge: inout Judge
  ) {
    guard let due = fratelli(during: during), table(during: during) != nil else { return }
    guard shown.count == due.count, zip(shown, due).allSatisfy({ $0.id == $1.id }) else {
      return judge.violated("\(shown.count) rows for \(due.count) fratelli, or in another order")
    }
    let selection = anno.selection
    for (row, fratello) in zip(shown, due) {
      guard let figures = statistics(of: row.id, selection, during: during)?.figures else {
        continue
      }
      guard row.nome == fratello.nome, row.grado == fratello.grado,
        row.presenze == figures.presences, row.tornateDisponibili == figures.total,
        row.percentuale == figures.percentage
      else {
        return judge.violated(
          "\(row.nome): \(row.presenze)/\(row.tornateDisponibili), \(row.percentuale) % instead of "
            + "\(figures.presences)/\(figures.total), \(figures.percentage) %")
      }
    }
    judge.held()
  }
}

/// A reader and a writer of RFC 4180.
enum CSV {
  static let header = ["id", "nome", "grado", "presenze", "tornate_disponibili", "percentuale"]

  static func records(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field = String.UnicodeScalarView()
    var isQuoted = false
    var wasQuote = false
    for scalar in text.unicodeScalars {
      if isQuoted {
        if wasQuote, scalar != "\"" {
          isQuoted = false
        } else if scalar == "\"" {
          if wasQuote { field.append(scalar) }
          wasQuote.toggle()
          continue
        } else {
          field.append(scalar)
          continue
        }
      }
      wasQuote = false
      switch scalar {
      case "\"" where field.isEmpty: isQuoted = true
      case ",":
        record.append(String(field))
        field = .init()
      case "\r": break
      case "\n":
        records.append(record + [String(field)])
        (record, field) = ([], .init())
      default: field.append(scalar)
      }
    }
    return record.isEmpty && field.isEmpty ? records : records + [record + [String(field)]]
  }

  static func row(_ fields: [String]) -> RigaRiepilogo? {
    guard fields.count == 6, let id = Int(fields[0]),
      let grado = Fratello.Grado(rawValue: fields[2]),
      let presenze = Int(fields[3]), let total = Int(fields[4]), let percentage = Int(fields[5])
    else { return nil }
    return RigaRiepilogo(
      id: Serial(id), nome: fields[1], grado: grado, presenze: presenze,
      tornateDisponibili: total, percentuale: percentage)
  }

  static func quoted(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return field
    }
    return "\"" + field.replacing(scalars: "\"", with: "\"\"") + "\""
  }
}
