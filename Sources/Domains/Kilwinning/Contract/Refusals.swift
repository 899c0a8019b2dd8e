import Contracts

extension Kilwinning {
  public typealias Refusal = CodedRefusal<RefusalKind>

  /// Why the backend refuses (§3.3).
  public enum RefusalKind: String, Contracts.RefusalKind {
    case jsonNonValido = "JSON_NON_VALIDO"
    case campoMancante = "CAMPO_MANCANTE"
    case campoNonValido = "CAMPO_NON_VALIDO"
    case annoNonValido = "ANNO_NON_VALIDO"
    case statoNonValido = "STATO_NON_VALIDO"
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
    case dateNonCoerenti = "DATE_NON_COERENTI"
    case troppeRichieste = "TROPPE_RICHIESTE"

    public var status: Int {
      switch self {
      case .jsonNonValido, .campoMancante, .campoNonValido, .annoNonValido, .statoNonValido: 400
      case .nonAutenticato, .sessioneScaduta, .credenzialiNonValide: 401
      case .accessoNegato: 403
      case .fratelloNonTrovato, .tornataNonTrovata, .rottaNonTrovata: 404
      case .metodoNonConsentito: 405
      case .tornataAnnullata, .chiaveRiusata: 409
      case .corpoTroppoGrande: 413
      case .tornataPreIniziazione, .dateNonCoerenti: 422
      case .troppeRichieste: 429
      }
    }

    /// For people (§3.3).
    public var message: String {
      switch self {
      case .jsonNonValido: "Il corpo della richiesta non è JSON valido"
      case .campoMancante: "Manca un campo obbligatorio"
      case .campoNonValido: "Un campo non è valido"
      case .annoNonValido: "L'anno non è valido: quattro cifre o tutti"
      case .statoNonValido: "Lo stato non è valido"
      case .nonAutenticato: "Autenticazione richiesta"
      case .sessioneScaduta: "La sessione è scaduta"
      case .credenzialiNonValide: "Nessun fratello con questo nome"
      case .accessoNegato: "Accesso negato"
      case .fratelloNonTrovato: "Fratello non trovato"
      case .tornataNonTrovata: "Tornata non trovata"
      case .rottaNonTrovata: "Percorso non trovato"
      case .metodoNonConsentito: "Metodo non consentito"
      case .tornataAnnullata: "La tornata è annullata"
      case .chiaveRiusata: "La chiave è già stata usata per un'altra richiesta"
      case .corpoTroppoGrande: "Il corpo della richiesta è troppo grande"
      case .tornataPreIniziazione: "La tornata precede l'iniziazione"
      case .dateNonCoerenti: "Le date delle cerimonie non sono in ordine"
      case .troppeRichieste: "Troppe richieste"
      }
    }

    /// Of every operation that needs a session.
    static let ofSessions: [Self] = [.nonAutenticato, .sessioneScaduta]
    static let ofAdministrators = ofSessions + [.accessoNegato]
    static let ofBodies: [Self] = [.campoMancante, .campoNonValido]
  }

  static let refusalShape = Shape(
    { _, message, kind, field, seconds, allowed in
      Refusal(kind, message, field: field, retryAfterSeconds: seconds, allowed: allowed ?? [])
    },
    Field("success", { _ in false }, .flag.only(false)), Field("error", \.message, .text),
    Field("code", \.kind, .word), Field("field", \.field, .omittable(.text)), .retryAfter(),
    .allow())
}
