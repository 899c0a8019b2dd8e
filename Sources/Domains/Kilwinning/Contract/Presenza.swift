import Contracts
import Timekeeping

/// §2.3; `presente` follows from the status.
public struct Presenza: Hashable, Sendable {
  public typealias ID = Serial<Presenza>

  public enum Status: String, Hashable, Sendable, CaseIterable {
    case presente = "Presente"
    case assente = "Assente"
    case nonConfermato = "Non Confermato"
  }

  /// `nil` for what is stored on a device alone.
  public var id: ID?
  public var fratelloID: Fratello.ID
  public var tornataID: Tornata.ID
  public var status: Status
  /// Server time of the last write.
  public var confirmedAt: Instant?

  public init(
    id: ID?, fratelloID: Fratello.ID, tornataID: Tornata.ID, status: Status, confirmedAt: Instant?
  ) {
    (self.id, self.fratelloID, self.tornataID) = (id, fratelloID, tornataID)
    (self.status, self.confirmedAt) = (status, confirmedAt)
  }

  /// Whose it is, and of which tornata: there is at most one (KW-063).
  public struct Place: Hashable, Sendable {
    public let fratelloID: Fratello.ID
    public let tornataID: Tornata.ID

    public init(fratelloID: Fratello.ID, tornataID: Tornata.ID) {
      (self.fratelloID, self.tornataID) = (fratelloID, tornataID)
    }

    static let shape: Shape<Place> = Shape(
      Place.init, Field("fratello_id", \.fratelloID, .fratello),
      Field("tornata_id", \.tornataID, .tornata))
  }

  public var place: Place { Place(fratelloID: fratelloID, tornataID: tornataID) }

  static let shape: Shape<Presenza> = Shape(
    Presenza.init, Field("id", \.id, .optional(.presenza)),
    Field("fratello_id", \.fratelloID, .fratello).also("brother_id"),
    Field("tornata_id", \.tornataID, .tornata)
      .then("presente", .flag) { $0.status == .presente },
    Field("status", \.status, .word), Field("confirmed_at", \.confirmedAt, .optional(.moment)))

  /// As a fixture gives it (§2.9): by status, or by `presente`.
  static let given: Shape<Presenza> = Shape(
    ofFixture,
    Field("id", \.id, .omittable(.presenzaGiven)),
    Field("fratello_id", \.fratelloID, .fratello).or("brother_id"),
    Field("tornata_id", \.tornataID, .tornata), Field("status", { $0.status }, .omittable(.word)),
    Field("presente", { $0.status == .presente }, .omittable(.flag)),
    Field("confirmed_at", \.confirmedAt, .omittable(.moment)))

  private static func ofFixture(
    id: ID?, fratello: Fratello.ID, tornata: Tornata.ID, status: Status?, presente: Bool?,
    confirmedAt: Instant?
  ) -> Presenza {
    let answer: Status? = presente.map { $0 ? .presente : .assente }
    return Presenza(
      id: id, fratelloID: fratello, tornataID: tornata,
      status: status ?? answer ?? .nonConfermato, confirmedAt: confirmedAt)
  }
}

/// O7 and O8: whose presenze, and of which anno.
public struct PresenzeQuery: Hashable, Sendable {
  public var fratelloID: Fratello.ID
  public var anno: Anno

  public init(_ fratelloID: Fratello.ID, anno: Anno = .absent) {
    (self.fratelloID, self.anno) = (fratelloID, anno)
  }

  static let shape: Shape<PresenzeQuery> = Shape(
    { PresenzeQuery($0, anno: $1) },
    Field("fratelloId", \.fratelloID, .fratelloInPath, in: .path), .anno(\.anno))
}

/// O10: one attendance, from the screen or from the offline queue.
public struct Confirmation: Hashable, Sendable {
  public var tornataID: Tornata.ID
  public var presente: Bool
  /// For whom; an administrator's alone may differ from the caller (KW-061).
  public var fratelloID: Fratello.ID?
  /// The `op_id` of a queue entry: 1 to 64 characters (KW-072, KW-125).
  public var idempotencyKey: String?

  public init(
    tornataID: Tornata.ID, presente: Bool, fratelloID: Fratello.ID? = nil,
    idempotencyKey: String? = nil
  ) {
    (self.tornataID, self.presente) = (tornataID, presente)
    (self.fratelloID, self.idempotencyKey) = (fratelloID, idempotencyKey)
  }

  static let shape: Shape<Confirmation> = Shape(
    Confirmation.init, Field("tornata_id", \.tornataID, .tornata),
    Field("presente", \.presente, .flag), Field("fratello_id", \.fratelloID, .omittable(.fratello)),
    Field("Idempotency-Key", \.idempotencyKey, .omittable(.text(1...64)), in: .header))
}

/// The answer of O10.
public struct Acknowledgement: Hashable, Sendable {
  public var message: String?
  /// The write came after the fifth civil day before the tornata (KW-070).
  public var oltreTermine: Bool

  public init(message: String? = nil, oltreTermine: Bool) {
    (self.message, self.oltreTermine) = (message, oltreTermine)
  }

  static let shape = Shape(
    { _, message, late in Acknowledgement(message: message, oltreTermine: late) },
    Field("success", { _ in true }, .flag.only(true)),
    Field("message", \.message, .optional(.text).undigested),
    Field("oltre_termine", \.oltreTermine, .flag.otherwise(false)))
}
