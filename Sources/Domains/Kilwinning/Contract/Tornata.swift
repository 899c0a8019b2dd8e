import Contracts
import Timekeeping

/// §2.2, with its English mirrors.
public struct Tornata: Hashable, Sendable {
  public typealias ID = Serial<Tornata>

  public enum Tipo: String, Hashable, Sendable, CaseIterable {
    case ordinaria, straordinaria, cerimonia
  }

  public enum Stato: String, Hashable, Sendable, CaseIterable {
    case programmata, completata, annullata
  }

  public static let ownLodge = "Nostra Loggia - Tolfa"

  public var id: ID
  /// The topic.
  public var discussione: String
  /// When it begins.
  public var data: Instant
  public var tipo: Tipo
  public var location: String
  /// Who presents.
  public var introducedBy: String
  /// Whether there is a dinner.
  public var cena: Bool
  public var stato: Stato
  public var notes: String?
  public var coverImageURL: String?

  public init(
    id: ID, discussione: String, data: Instant, tipo: Tipo = .ordinaria,
    location: String = Tornata.ownLodge, introducedBy: String = "", cena: Bool = false,
    stato: Stato = .programmata, notes: String? = nil, coverImageURL: String? = nil
  ) {
    (self.id, self.discussione, self.data, self.tipo) = (id, discussione, data, tipo)
    (self.location, self.introducedBy, self.cena) = (location, introducedBy, cena)
    (self.stato, self.notes, self.coverImageURL) = (stato, notes, coverImageURL)
  }

  public var isAtOwnLodge: Bool {
    let place = location.lowercased()
    return place.contains("tolfa") || place.contains("tofa")
  }

  /// Newest first, of two that begin together the one with the higher id (KW-042, KW-087).
  public static func isNewer(_ a: Tornata, than b: Tornata) -> Bool {
    (a.data, a.id) > (b.data, b.id)
  }

  static let shape: Shape<Tornata> = Shape(
    Tornata.init, Field("id", \.id, .tornata),
    Field("discussione", \.discussione, .text).also("title"),
    Field("data", \.data, .moment).also("date"), Field("tipo", \.tipo, .word).also("type"),
    Field("location", \.location, .text)
      .then("location_enum", .text) { $0.isAtOwnLodge ? ownLodge : "Loggia in Visita" },
    Field("introduced_by", \.introducedBy, .text), Field("cena", \.cena, .flag).also("has_dinner"),
    Field("stato", \.stato, .word).also("status"), Field("notes", \.notes, .optional(.text)),
    Field("cover_image_url", \.coverImageURL, .optional(.text)))

  /// As a fixture gives it (§2.9).
  static let given: Shape<Tornata> = Shape(
    Tornata.init, Field("id", \.id, .tornataGiven.otherwise(.none)),
    Field("discussione", \.discussione, .topic.demanded).or("title"),
    Field("data", \.data, .moment.demanded).or("date"),
    Field("tipo", \.tipo, .word.otherwise(.ordinaria)).or("type"),
    Field("location", \.location, .line.otherwise(ownLodge)),
    Field("introduced_by", \.introducedBy, .text.otherwise("")),
    Field("cena", \.cena, .flag.otherwise(false)).or("has_dinner"),
    Field("stato", \.stato, .word.otherwise(.programmata)).or("status"),
    Field("notes", \.notes, .omittable(.text)),
    Field("cover_image_url", \.coverImageURL, .omittable(.text)))
}

/// The body of O12 (KW-043).
public struct NewTornata: Hashable, Sendable {
  public var data: Instant
  public var discussione: String
  public var location: String
  public var cena: Bool
  public var tipo: Tornata.Tipo
  /// May be sent and changes nothing: a new tornata is planned.
  public var stato: Tornata.Stato?

  public init(
    data: Instant, discussione: String, location: String = Tornata.ownLodge, cena: Bool = false,
    tipo: Tornata.Tipo = .ordinaria, stato: Tornata.Stato? = nil
  ) {
    (self.data, self.discussione, self.location) = (data, discussione, location)
    (self.cena, self.tipo, self.stato) = (cena, tipo, stato)
  }

  static let shape: Shape<NewTornata> = Shape(
    NewTornata.init, Field("data", \.data, .moment.demanded),
    Field("discussione", \.discussione, .topic.demanded),
    Field("location", \.location, .line.demanded), Field("cena", \.cena, .flag),
    Field("tipo", \.tipo, .word.demanded), Field("stato", \.stato, .ignored(.word)))
}

/// The body of O13: what is named changes (KW-046).
public struct TornataChange: Hashable, Sendable {
  public var data: Edit<Instant> = .unchanged
  public var discussione: Edit<String> = .unchanged
  public var location: Edit<String> = .unchanged
  public var cena: Edit<Bool> = .unchanged
  public var tipo: Edit<Tornata.Tipo> = .unchanged
  public var stato: Edit<Tornata.Stato> = .unchanged
  public var introducedBy: Edit<String> = .unchanged
  public var notes: Edit<String?> = .unchanged
  public var coverImageURL: Edit<String?> = .unchanged

  public init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

  public func applied(to tornata: Tornata) -> Tornata {
    Tornata(
      id: tornata.id, discussione: discussione.applied(to: tornata.discussione),
      data: data.applied(to: tornata.data), tipo: tipo.applied(to: tornata.tipo),
      location: location.applied(to: tornata.location),
      introducedBy: introducedBy.applied(to: tornata.introducedBy),
      cena: cena.applied(to: tornata.cena), stato: stato.applied(to: tornata.stato),
      notes: notes.applied(to: tornata.notes),
      coverImageURL: coverImageURL.applied(to: tornata.coverImageURL))
  }

  static let shape = Shape(
    { data, topic, location, cena, tipo, stato, introducedBy, notes, cover in
      TornataChange {
        ($0.data, $0.discussione, $0.location, $0.cena, $0.tipo) = (
          data, topic, location, cena, tipo
        )
        ($0.stato, $0.introducedBy, $0.notes, $0.coverImageURL) = (
          stato, introducedBy, notes, cover
        )
      }
    },
    Field("data", \.data, .change(.moment)), Field("discussione", \.discussione, .change(.topic)),
    Field("location", \.location, .change(.line)), Field("cena", \.cena, .change(.flag)),
    Field("tipo", \.tipo, .change(.word)), Field("stato", \.stato, .change(.word)),
    Field("introduced_by", \.introducedBy, .change(.text)),
    Field("notes", \.notes, .change(.optional(.text))),
    Field("cover_image_url", \.coverImageURL, .change(.optional(.text))))
}

/// O13. Whether there is such a tornata is said before what is wrong with the body (§3.3).
public struct TornataUpdate: Hashable, Sendable {
  public var id: Tornata.ID
  public var change: Result<TornataChange, Unread.Fault>

  public init(_ id: Tornata.ID, _ change: Result<TornataChange, Unread.Fault>) {
    (self.id, self.change) = (id, change)
  }

  /// - Parameter change: Sets what is to change: `{ $0.stato = .to(.annullata) }`.
  public init(_ id: Tornata.ID, _ change: (inout TornataChange) -> Void) {
    self.init(id, .success(TornataChange(change)))
  }

  static let shape: Shape<TornataUpdate> = Shape(
    { TornataUpdate($0, $1) }, Field("tornataId", \.id, .tornataInPath, in: .path),
    Field(\.change, TornataChange.shape.orFault))
}

/// What a list of tornate is restricted to, however its anno is spelt (KW-075).
public struct TornateSelection: Hashable, Sendable {
  public let anno: Anno.Selection
  public let stato: Tornata.Stato?

  public init(_ anno: Anno.Selection, _ stato: Tornata.Stato? = nil) {
    (self.anno, self.stato) = (anno, stato)
  }
}

/// O11.
public struct TornateQuery: Hashable, Sendable {
  public var anno: Anno
  public var stato: Tornata.Stato?

  public init(anno: Anno = .absent, stato: Tornata.Stato? = nil) {
    (self.anno, self.stato) = (anno, stato)
  }

  public var selection: TornateSelection { TornateSelection(anno.selection, stato) }

  static let shape: Shape<TornateQuery> = Shape(
    TornateQuery.init, .anno(\.anno), Field("stato", \.stato, .omittable(.word), in: .query).single)
}
