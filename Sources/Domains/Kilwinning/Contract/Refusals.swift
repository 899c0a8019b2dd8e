import Contracts

extension Kilwinning {
  /// Why the backend refuses (§3.3).
  public struct Refusal: RefusalCode {
    public enum Code: String, Hashable, Sendable, CaseIterable {
      case jsonNonValido = "JSON_NON_VALIDO"
      case campoMancante = "CAMPO_MANCANTE"
      case campoNonValido = "CAMPO_NON_VALIDO"
      case annoNonValido = "ANNO_NON_VALIDO"
      case nonAutenticato = "NON_AUTENTICATO"
      case sessioneScaduta = "SESSIONE_SCADUTA"
      case credenzialiNonValide = "CREDENZIALI_NON_VALIDE"
      case accessoNegato = "ACCESSO_NEGATO"
      case fratelloNonTrovato = "FRATELLO_NON_TROVATO"
      case tornataNonTrovata = "TORNATA_NON_TROVATA"
      case rottaNonTrovata = "ROTTA_NON_TROVATA"
      case metodoNonConsentito = "METODO_NON_CONSENTITO"
      case tornataAnnullata = "TORNATA_ANNULLATA"
      case chiaveRiusata = "CHIAVE_RIUSATA"
      case corpoTroppoGrande = "CORPO_TROPPO_GRANDE"
      case tornataPreIniziazione = "TORNATA_PRE_INIZIAZIONE"
      case troppeRichieste = "TROPPE_RICHIESTE"

      public var status: Int {
        switch self {
        case .jsonNonValido, .campoMancante, .campoNonValido, .annoNonValido: 400
        case .nonAutenticato, .sessioneScaduta, .credenzialiNonValide: 401
        case .accessoNegato: 403
        case .fratelloNonTrovato, .tornataNonTrovata, .rottaNonTrovata: 404
        case .metodoNonConsentito: 405
        case .tornataAnnullata, .chiaveRiusata: 409
        case .corpoTroppoGrande: 413
        case .tornataPreIniziazione: 422
        case .troppeRichieste: 429
        }
      }
    }

    public var kind: Code
    /// The text for humans; its wording is free and nobody branches on it.
    public var message: String
    /// The field that a 400 names.
    public var field: String?
    /// Header `Retry-After` of a 429, in seconds.
    public var retryAfterSeconds: Int?
    /// Header `Allow` of a 405.
    public var allowed: [String]

    public init(
      _ kind: Code, _ message: String = "", field: String? = nil, retryAfterSeconds: Int? = nil,
      allowed: [String] = []
    ) {
      self.kind = kind
      self.message = message
      self.field = field
      self.retryAfterSeconds = retryAfterSeconds
      self.allowed = allowed
    }

    public var code: String { kind.rawValue }
  }
}
