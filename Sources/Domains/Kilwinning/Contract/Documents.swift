import Contracts
import Timekeeping

/// §2.1, with its English mirrors.
public struct Fratello: Hashable, Sendable {
  public enum Grado: String, Hashable, Sendable, CaseIterable {
    case apprendista = "Apprendista"
    case compagno = "Compagno"
    case maestro = "Maestro"
  }

  public var id: Int
  public var nome: String
  public var firstName: String
  public var lastName: String
  public var email: String
  public var grado: Grado
  public var caricaFissa: String?
  public var adminAccess: Bool
  public var registrationDate: Instant
  public var dataIniziazione: Instant?
  public var dataPassaggio: Instant?
  public var dataElevazione: Instant?

  public init(
    id: Int, nome: String, firstName: String, lastName: String, email: String = "", grado: Grado,
    caricaFissa: String? = nil, adminAccess: Bool = false, registrationDate: Instant,
    dataIniziazione: Instant? = nil, dataPassaggio: Instant? = nil, dataElevazione: Instant? = nil
  ) {
    (
      self.id, self.nome, self.firstName, self.lastName, self.email, self.grado, self.caricaFissa,
      self.adminAccess, self.registrationDate, self.dataIniziazione, self.dataPassaggio,
      self.dataElevazione
    ) = (
      id, nome, firstName, lastName, email, grado, caricaFissa, adminAccess, registrationDate,
      dataIniziazione, dataPassaggio, dataElevazione
    )
  }

  static let shape = Shape(
    Fratello.init, Field("id", \.id, .int), Field("nome", \.nome, .text),
    Field("first_name", \.firstName, .text), Field("last_name", \.lastName, .text),
    Field("email", \.email, .text), Field("grado", \.grado, .word).also("degree"),
    Field("carica_fissa", \.caricaFissa, .optional(.text))
      .then("role", .text) { $0.caricaFissa ?? "Nessuno" },
    Field("admin_access", \.adminAccess, .flag),
    Field("registration_date", \.registrationDate, .secondsInstant),
    Field("data_iniziazione", \.dataIniziazione, .optional(.secondsInstant)),
    Field("data_passaggio", \.dataPassaggio, .optional(.secondsInstant)),
    Field("data_elevazione", \.dataElevazione, .optional(.secondsInstant)))
}

/// The answer of O3 (KW-005); the token travels as a member and as a cookie (KW-011).
public struct Login: Hashable, Sendable {
  public var user: Fratello
  public var token: String
  public var expiresAt: Instant

  public init(user: Fratello, token: String, expiresAt: Instant) {
    (self.user, self.token, self.expiresAt) = (
      user, token, expiresAt
    )
  }

  static let shape = Shape(
    Login.init,
    Field("user", \.user, Fratello.shape.coding).then("admin_access", .flag) {
      $0.user.adminAccess
    },
    Field("token", \.token, .text.secret()), Field("expires_at", \.expiresAt, .secondsInstant))
}

/// §2.3; `presente` follows from the status.
public struct Presenza: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case presente = "Presente"
    case assente = "Assente"
    case nonConfermato = "Non Confermato"
  }

  public var id: Int?
  public var fratelloID: Int
  public var tornataID: Int
  public var status: Status
  /// Server time of the last write.
  public var confirmedAt: Instant?

  public init(id: Int?, fratelloID: Int, tornataID: Int, status: Status, confirmedAt: Instant?) {
    (self.id, self.fratelloID, self.tornataID, self.status, self.confirmedAt) = (
      id, fratelloID, tornataID, status, confirmedAt
    )
  }

  static let shape = Shape(
    Presenza.init, Field("id", \.id, .optional(.int)),
    Field("fratello_id", \.fratelloID, .int).also("brother_id"),
    Field("tornata_id", \.tornataID, .int)
      .then("presente", .flag) { $0.status == .presente },
    Field("status", \.status, .word),
    Field("confirmed_at", \.confirmedAt, .optional(.secondsInstant)))
}

/// O7: whose presenze, and of which anno.
public struct PresenzeQuery: Hashable, Sendable {
  public var fratelloID: Int
  /// As sent: `tutti` in any case, four digits, or nothing (§3.2); what else is sent is for the backend to refuse.
  public var anno: String?

  public init(fratelloID: Int, anno: String? = nil) {
    (self.fratelloID, self.anno) = (
      fratelloID, anno
    )
  }

  static let shape = Shape(
    PresenzeQuery.init, Field("fratelloId", \.fratelloID, .decimal, in: .path),
    Field("anno", \.anno, .omittable(.text), in: .query).single)
}

/// O10: one attendance, from the screen or from the offline queue.
public struct Confirmation: Hashable, Sendable {
  public var tornataID: Int
  public var presente: Bool
  /// For whom; an administrator's alone may differ from the caller (KW-061).
  public var fratelloID: Int?
  /// The `op_id` of a queue entry: 1 to 64 characters (KW-072, KW-125).
  public var idempotencyKey: String?

  public init(
    tornataID: Int, presente: Bool, fratelloID: Int? = nil, idempotencyKey: String? = nil
  ) {
    (self.tornataID, self.presente, self.fratelloID, self.idempotencyKey) = (
      tornataID, presente, fratelloID, idempotencyKey
    )
  }

  static let shape = Shape(
    Confirmation.init, Field("tornata_id", \.tornataID, .int), Field("presente", \.presente, .flag),
    Field("fratello_id", \.fratelloID, .omittable(.int)),
    Field("Idempotency-Key", \.idempotencyKey, .omittable(.text(1...64)), in: .header))
}

/// The answer of O10.
public struct Acknowledgement: Hashable, Sendable {
  public var message: String?
  /// The write came after the fifth civil day before the tornata (KW-070).
  public var oltreTermine: Bool

  public init(message: String? = nil, oltreTermine: Bool) {
    (self.message, self.oltreTermine) = (
      message, oltreTermine
    )
  }

  static let shape = Shape(
    { _, message, late in Acknowledgement(message: message, oltreTermine: late) },
    Field("success", { _ in true }, .flag.only(true)),
    Field("message", \.message, .optional(.text).undigested),
    Field("oltre_termine", \.oltreTermine, .flag.otherwise(false)))
}
