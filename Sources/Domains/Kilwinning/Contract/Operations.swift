import Contracts
import Timekeeping

extension Kilwinning {
  public static let logIn = Endpoint<Self>(
    "logIn", "Log in by name", source: "O3", "POST", "/api/fratelli/login", body: .json,
    access: .open, timeout: patience, asks: Shape({ $0 }, Field("nome", \.self, .text.notBlank)),
    Request.logIn(nome:), \.logIn,
    answers: [
      .json(Login.shape, Reply.loggedIn, \.loggedIn) {
        [WireHeader("Set-Cookie", cookie(of: $0.token))]
      }
    ], refuses: [.campoMancante, .campoNonValido, .credenzialiNonValide, .troppeRichieste])

  public static let me = Endpoint<Self>(
    "me", "Verify the session", source: "O4", "GET", "/api/fratelli/me", timeout: patience,
    asks: .me, answers: [.json(Fratello.shape, Reply.fratello, \.fratello)],
    refuses: RefusalKind.ofSessions)

  public static let presenze = Endpoint<Self>(
    "presenze", "Presenze of a fratello", source: "O7", "GET",
    "/api/presenze/fratello/{fratelloId}", timeout: patience, asks: PresenzeQuery.shape,
    Request.presenze, \.presenze,
    answers: [.json(.list(Presenza.shape.coding), Reply.presenze, \.presenze)],
    refuses: RefusalKind.ofSessions + [.campoNonValido, .annoNonValido, .accessoNegato])

  public static let confirm = Endpoint<Self>(
    "confirm", "Confirm or toggle a presenza", source: "O10", "POST", "/api/presenze",
    body: .json, timeout: patience, asks: Confirmation.shape, Request.confirm, \.confirm,
    answers: [.json(Acknowledgement.shape, Reply.confirmed, \.confirmed)],
    refuses: RefusalKind.ofSessions + [
      .campoMancante, .campoNonValido, .accessoNegato, .tornataNonTrovata, .tornataAnnullata,
      .chiaveRiusata, .tornataPreIniziazione,
    ])

  /// A device gives up after 30 s (KW-154).
  static let patience = Span.seconds(30)

  public static let table = ContractTable<Self>(
    [logIn, me, presenze, confirm], unrouted: "§3.3",
    refusalForms: [[.json(refusalShape) { $0.kind.status }]],
    refusals: [.rottaNonTrovata, .metodoNonConsentito, .jsonNonValido, .corpoTroppoGrande],
    // The body parser runs before any route (§3.3), but only for JSON, which clients claim even with `GET` (KW-151, KW-152).
    bodies: BodyRules(most: 102_400, isParsedFirst: true, isTypeAlwaysSent: true))

  /// KW-160.
  public static func headers(ofEveryAnswerOf service: Int) -> [WireHeader] {
    [
      WireHeader("Access-Control-Allow-Origin", "*"),
      WireHeader("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS"),
      WireHeader("Access-Control-Allow-Headers", "Content-Type, Authorization, Idempotency-Key"),
    ]
  }
}
