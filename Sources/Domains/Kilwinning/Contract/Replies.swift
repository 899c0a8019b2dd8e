import Timekeeping

/// §2.1; the English mirrors are the mapping's.
package struct Fratello: Hashable, Sendable {
  package enum Grado: String, Hashable, Sendable {
    case apprendista = "Apprendista"
    case compagno = "Compagno"
    case maestro = "Maestro"
  }

  package var id: Int
  package var nome: String
  package var firstName: String
  package var lastName: String
  package var email: String
  package var grado: Grado
  package var caricaFissa: String?
  package var adminAccess: Bool
  package var registrationDate: Instant
  package var dataIniziazione: Instant?
  package var dataPassaggio: Instant?
  package var dataElevazione: Instant?

  package init(
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
package struct Login: Hashable, Sendable {
  package var user: Fratello
  package var token: String
  package var expiresAt: Instant

  package init(user: Fratello, token: String, expiresAt: Instant) {
    self.user = user
    self.token = token
    self.expiresAt = expiresAt
  }
}

/// §2.3; `presente` follows from the status.
package struct Presenza: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case presente = "Presente"
    case assente = "Assente"
    case nonConfermato = "Non Confermato"
  }

  package var id: Int?
  package var fratelloID: Int
  package var tornataID: Int
  package var status: Status
  /// Server time of the last write.
  package var confirmedAt: Instant?

  package init(id: Int?, fratelloID: Int, tornataID: Int, status: Status, confirmedAt: Instant?) {
    self.id = id
    self.fratelloID = fratelloID
    self.tornataID = tornataID
    self.status = status
    self.confirmedAt = confirmedAt
  }
}

/// The answer of O10.
package struct Acknowledgement: Hashable, Sendable {
  package var message: String?
  /// The write came after the fifth civil day before the tornata (KW-070).
  package var oltreTermine: Bool

  package init(message: String? = nil, oltreTermine: Bool) {
    self.message = message
    self.oltreTermine = oltreTermine
  }
}
