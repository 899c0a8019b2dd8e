import Contracts

/// §2.4, with its mirrors; computed, never stored.
public struct Statistiche: Hashable, Sendable {
  public var total: Int
  public var presences: Int
  public var absences: Int
  /// Whole per cent (KW-090).
  public var percentage: Int
  /// Of the anno (KW-086, KW-088).
  public var streak: Int
  /// Over all years (KW-093).
  public var record: Int
  /// In 0...1 (KW-091).
  public var rate: Double

  public init(
    total: Int, presences: Int, absences: Int, percentage: Int, streak: Int, record: Int,
    rate: Double
  ) {
    (self.total, self.presences, self.absences) = (total, presences, absences)
    (self.percentage, self.streak, self.record, self.rate) = (percentage, streak, record, rate)
  }

  static let shape: Shape<Statistiche> = Shape(
    Statistiche.init, Field("totali_tornate", \.total, .int).also("total_tornate"),
    Field("presenze_count", \.presences, .int).also("presences"),
    Field("absences", \.absences, .int), Field("percentuale", \.percentage, .int),
    Field("presenze_consecutive", \.streak, .int).also("consecutive_presences"),
    Field("personal_record", \.record, .int), Field("attendance_rate", \.rate, .number))
}

/// §2.5: one fratello in the overview of all.
public struct RigaRiepilogo: Hashable, Sendable {
  public var id: Fratello.ID
  public var nome: String
  public var grado: Fratello.Grado
  public var presenze: Int
  public var tornateDisponibili: Int
  public var percentuale: Int

  public init(
    id: Fratello.ID, nome: String, grado: Fratello.Grado, presenze: Int, tornateDisponibili: Int,
    percentuale: Int
  ) {
    (self.id, self.nome, self.grado) = (id, nome, grado)
    (self.presenze, self.tornateDisponibili) = (presenze, tornateDisponibili)
    self.percentuale = percentuale
  }

  static let shape: Shape<RigaRiepilogo> = Shape(
    RigaRiepilogo.init, Field("id", \.id, .fratello), Field("nome", \.nome, .text),
    Field("grado", \.grado, .word), Field("presenze", \.presenze, .int),
    Field("tornate_disponibili", \.tornateDisponibili, .int),
    Field("percentuale", \.percentuale, .int))
}

/// O15: the riepilogo as a file (KW-133 to KW-136).
public struct Esportazione: Hashable, Sendable {
  public var fileName: String
  public var csv: String

  public init(fileName: String, csv: String) { (self.fileName, self.csv) = (fileName, csv) }
}

extension ReplyForm<Kilwinning> {
  /// The attachment of O15.
  static let esportazione = ReplyForm(
    status: 200, mediaType: "text/csv", schema: ["type": "string"],
    headers: ["Content-Disposition": ["type": "string"]],
    write: { reply, _, spelling in
      guard let it = reply.esportazione else { return nil }
      if case .redacted = spelling {
        return WireResponse(200, body: ["file": .string(it.fileName), "csv": .string(it.csv)])
      }
      return WireResponse(
        200, headers: [WireHeader("Content-Disposition", prefix + it.fileName + "\"")],
        content: .bytes(Array(it.csv.utf8), mediaType: "text/csv; charset=utf-8"))
    },
    read: { response, _ in
      guard (200..<300).contains(response.status), let csv = response.text,
        let disposition = response.header("Content-Disposition"), disposition.hasPrefix(prefix)
      else { return nil }
      let name = disposition.dropFirst(prefix.count).dropLast()
      return .esportazione(Esportazione(fileName: String(name), csv: csv))
    },
    mix: { reply, digest in
      guard let it = reply.esportazione else { return false }
      digest.mix(it.fileName)
      digest.mix(it.csv)
      return true
    })

  private static let prefix = "attachment; filename=\""

  /// O16: nothing but the headers of KW-160.
  static let preflight = ReplyForm(
    status: 200, mediaType: nil,
    write: { reply, _, _ in reply == .preflight ? WireResponse(200) : nil },
    read: { response, _ in response.status == 200 ? .preflight : nil },
    mix: { reply, _ in reply == .preflight })
}
