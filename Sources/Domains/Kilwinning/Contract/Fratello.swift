import Contracts
import Timekeeping

/// §2.1, with its English mirrors.
public struct Fratello: Hashable, Sendable {
  public typealias ID = Serial<Fratello>

  public enum Grado: String, Hashable, Sendable, CaseIterable {
    case apprendista = "Apprendista"
    case compagno = "Compagno"
    case maestro = "Maestro"

    /// §2.6: the Maestri come first.
    public var rank: Int {
      switch self {
      case .maestro: 0
      case .compagno: 1
      case .apprendista: 2
      }
    }
  }

  /// The offices of §2.6.
  public enum Carica: String, Hashable, Sendable, CaseIterable {
    case venerabile = "Ven.mo Maestro"
    case primoSorvegliante = "1° Sorvegliante"
    case secondoSorvegliante = "2° Sorvegliante"
    case oratore = "Oratore"
    case segretario = "Segretario"
    case tesoriere = "Tesoriere"
    case ospitaliere = "Ospitaliere"
    case maestroDelleCerimonie = "Maestro delle Cerimonie"
    case copritoreInterno = "Copritore Interno"
    case copritoreEsterno = "Copritore Esterno"
  }

  public var id: ID
  public var nome: String
  public var firstName: String
  public var lastName: String
  /// May be empty; synthetic addresses only.
  public var email: String
  public var grado: Grado
  public var caricaFissa: Carica?
  public var adminAccess: Bool
  public var registrationDate: Instant
  public var dataIniziazione: Instant?
  public var dataPassaggio: Instant?
  public var dataElevazione: Instant?

  public init(
    id: ID, nome: String, firstName: String, lastName: String, email: String = "", grado: Grado,
    caricaFissa: Carica? = nil, adminAccess: Bool = false, registrationDate: Instant,
    dataIniziazione: Instant? = nil, dataPassaggio: Instant? = nil, dataElevazione: Instant? = nil
  ) {
    (self.id, self.nome, self.firstName, self.lastName) = (id, nome, firstName, lastName)
    (self.email, self.grado, self.caricaFissa) = (email, grado, caricaFissa)
    (self.adminAccess, self.registrationDate) = (adminAccess, registrationDate)
    (self.dataIniziazione, self.dataPassaggio, self.dataElevazione) = (
      dataIniziazione, dataPassaggio, dataElevazione
    )
  }

  /// Whether iniziazione, passaggio and elevazione come in this order, as far as they are known (§2.1).
  public var hasItsDatesInOrder: Bool {
    let dates = [dataIniziazione, dataPassaggio, dataElevazione].compactMap { $0 }
    return zip(dates, dates.dropFirst()).allSatisfy { $0 <= $1 }
  }

  static let shape: Shape<Fratello> = Shape(
    Fratello.init, Field("id", \.id, .fratello), Field("nome", \.nome, .text),
    Field("first_name", \.firstName, .text), Field("last_name", \.lastName, .text),
    Field("email", \.email, .text), Field("grado", \.grado, .word).also("degree"),
    Field("carica_fissa", \.caricaFissa, .optional(.word))
      .then("role", .text) { $0.caricaFissa?.rawValue ?? "Nessuno" },
    Field("admin_access", \.adminAccess, .flag),
    Field("registration_date", \.registrationDate, .moment),
    Field("data_iniziazione", \.dataIniziazione, .optional(.moment)),
    Field("data_passaggio", \.dataPassaggio, .optional(.moment)),
    Field("data_elevazione", \.dataElevazione, .optional(.moment)))

  /// As a fixture gives it (§2.9): what is left out follows from the name, or is the instant of loading.
  static let given: Shape<Fratello> = Shape(
    ofFixture,
    Field("id", \.id, .fratelloGiven.otherwise(.none)),
    Field("nome", \.nome, .text(1...120).demanded),
    Field("first_name", { $0.firstName }, .omittable(.text)),
    Field("last_name", { $0.lastName }, .omittable(.text)),
    Field("email", \.email, .text.otherwise("")),
    Field("grado", \.grado, .word.demanded).or("degree"),
    Field("carica_fissa", \.caricaFissa, .omittable(.word)),
    Field("registration_date", \.registeredWhenGiven, .omittable(.moment)),
    Field("data_iniziazione", \.dataIniziazione, .omittable(.moment)),
    Field("data_passaggio", \.dataPassaggio, .omittable(.moment)),
    Field("data_elevazione", \.dataElevazione, .omittable(.moment))
  ).checked {
    $0.hasItsDatesInOrder
      ? nil : Malformed(.invalid, "is before the one before", at: "data_passaggio")
  }

  private static func ofFixture(
    id: ID, nome: String, first: String?, last: String?, email: String, grado: Grado,
    carica: Carica?, registered: Instant?, iniziazione: Instant?, passaggio: Instant?,
    elevazione: Instant?
  ) -> Fratello {
    let words = nome.split(separator: " ")
    return Fratello(
      id: id, nome: nome, firstName: first ?? words.dropLast().joined(separator: " "),
      lastName: last ?? words.last.map(String.init) ?? "", email: email, grado: grado,
      caricaFissa: carica, registrationDate: registered ?? .distantPast,
      dataIniziazione: iniziazione, dataPassaggio: passaggio, dataElevazione: elevazione)
  }

  private var registeredWhenGiven: Instant? {
    registrationDate == .distantPast ? nil : registrationDate
  }
}

/// O3; no more than a name is asked for (KW-002).
public struct LogIn: Hashable, Sendable {
  public var nome: String
  /// What somebody claims of himself; nobody believes it (KW-022).
  public var adminAccess: Bool?

  public init(_ nome: String, adminAccess: Bool? = nil) {
    (self.nome, self.adminAccess) = (nome, adminAccess)
  }

  static let shape: Shape<LogIn> = Shape(
    { LogIn($0, adminAccess: $1) }, Field("nome", \.nome, .text.notBlank),
    Field("admin_access", \.adminAccess, .ignored(.flag)))
}

/// The answer of O3 (KW-005); the token travels as a member and as a cookie (KW-011).
public struct Login: Hashable, Sendable {
  public var user: Fratello
  public var token: String
  public var expiresAt: Instant

  public init(user: Fratello, token: String, expiresAt: Instant) {
    (self.user, self.token, self.expiresAt) = (user, token, expiresAt)
  }

  static let shape: Shape<Login> = Shape(
    Login.init,
    Field("user", \.user, Fratello.shape.coding)
      .then("admin_access", .flag) { $0.user.adminAccess },
    Field("token", \.token, .text.secret()), Field("expires_at", \.expiresAt, .moment))
}

/// The body of O6: a degree, and dates that are left alone, cleared or replaced (KW-033).
public struct FratelloChange: Hashable, Sendable {
  public var grado: Fratello.Grado
  public var dataIniziazione: Edit<Instant?>
  public var dataPassaggio: Edit<Instant?>
  public var dataElevazione: Edit<Instant?>
  /// What may be sent and changes nothing (KW-022, KW-036).
  public var nome: String?
  public var adminAccess: Bool?

  public init(
    grado: Fratello.Grado, dataIniziazione: Edit<Instant?> = .unchanged,
    dataPassaggio: Edit<Instant?> = .unchanged, dataElevazione: Edit<Instant?> = .unchanged,
    nome: String? = nil, adminAccess: Bool? = nil
  ) {
    (self.grado, self.dataIniziazione) = (grado, dataIniziazione)
    (self.dataPassaggio, self.dataElevazione) = (dataPassaggio, dataElevazione)
    (self.nome, self.adminAccess) = (nome, adminAccess)
  }

  static let shape: Shape<FratelloChange> = Shape(
    FratelloChange.init, Field("grado", \.grado, .word.demanded),
    Field("data_iniziazione", \.dataIniziazione, .change(.optional(.moment))),
    Field("data_passaggio", \.dataPassaggio, .change(.optional(.moment))),
    Field("data_elevazione", \.dataElevazione, .change(.optional(.moment))),
    Field("nome", \.nome, .ignored(.text)), Field("admin_access", \.adminAccess, .ignored(.flag)))
}

/// O6. Whether there is such a fratello is said before what is wrong with the body (§3.3).
public struct FratelloUpdate: Hashable, Sendable {
  public var id: Fratello.ID
  public var change: Result<FratelloChange, Unread.Fault>

  public init(_ id: Fratello.ID, _ change: Result<FratelloChange, Unread.Fault>) {
    (self.id, self.change) = (id, change)
  }

  public init(_ id: Fratello.ID, _ change: FratelloChange) { self.init(id, .success(change)) }

  static let shape: Shape<FratelloUpdate> = Shape(
    { FratelloUpdate($0, $1) }, Field("fratelloId", \.id, .fratelloInPath, in: .path),
    Field(\.change, FratelloChange.shape.orFault))
}
