import Timekeeping

/// §2.1; the English mirrors are the mapping's.
public struct Fratello: Hashable, Sendable {
  public enum Grado: String, Hashable, Sendable {
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
    self.id = id
    self.nome = nome
    self.firstName = firstName
    self.lastName = lastName
    self.email = email
    self.grado = grado
    self.caricaFissa = caricaFissa
    self.adminAccess = adminAccess
    self.registrationDate = registrationDate
    self.dataIniziazione = dataIniziazione
    self.dataPassaggio = dataPassaggio
    self.dataElevazione = dataElevazione
  }
}

/// The answer of O3 (KW-005); the token travels as a member and as a cookie (KW-011).
public struct Login: Hashable, Sendable {
  public var user: Fratello
  public var token: String
  public var expiresAt: Instant

  public init(user: Fratello, token: String, expiresAt: Instant) {
    self.user = user
    self.token = token
    self.expiresAt = expiresAt
  }
}

/// §2.3; `presente` follows from the status.
public struct Presenza: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable {
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
    self.id = id
    self.fratelloID = fratelloID
    self.tornataID = tornataID
    self.status = status
    self.confirmedAt = confirmedAt
  }
}

/// The answer of O10.
public struct Acknowledgement: Hashable, Sendable {
  public var message: String?
  /// The write came after the fifth civil day before the tornata (KW-070).
  public var oltreTermine: Bool

  public init(message: String? = nil, oltreTermine: Bool) {
    self.message = message
    self.oltreTermine = oltreTermine
  }
}
