import Contracts
import Timekeeping

extension Kilwinning {
  public static let welcome = Endpoint<Self>(
    "welcome", "Welcome", source: "O1", "GET", "/api", access: .open, timeout: patience,
    asks: .welcome,
    answers: [.json(Shape({ $0 }, Field("message", \.self, .text)), Reply.welcome, \.welcome)]
  ).also(nil, "/api/")

  public static let fratelli = Endpoint<Self>(
    "fratelli", "All fratelli", source: "O2", "GET", "/api/fratelli", access: .open,
    timeout: patience, asks: .fratelli,
    answers: [.answer(.sharedList(Fratello.shape.coding), Reply.fratelli, \.fratelli)])

  public static let logIn = Endpoint<Self>(
    "logIn", "Log in by name", source: "O3", "POST", "/api/fratelli/login", body: .json,
    access: .open, timeout: patience, asks: LogIn.shape, Request.logIn, \.logIn,
    answers: [
      .answer(Login.shape.coding, Reply.loggedIn, \.loggedIn) {
        [WireHeader("Set-Cookie", cookie(of: $0.token))]
      }
    ], refuses: [.campoMancante, .campoNonValido, .credenzialiNonValide, .troppeRichieste])

  public static let me = Endpoint<Self>(
    "me", "Verify the session", source: "O4", "GET", "/api/fratelli/me", timeout: patience,
    asks: .me, answers: [.fratello], refuses: RefusalKind.ofSessions)

  public static let logOut = Endpoint<Self>(
    "logOut", "Log out", source: "O5", "POST", "/api/fratelli/logout", timeout: patience,
    asks: .logOut,
    answers: [
      .answer(
        Shape({ $0 }, Field("success", \.self, .flag.only(true))).coding, { _ in .loggedOut },
        { $0 == .loggedOut ? true : nil })
    ], refuses: RefusalKind.ofSessions)

  public static let updateFratello = Endpoint<Self>(
    "updateFratello", "Change a degree", source: "O6", "PUT", "/api/fratelli/{fratelloId}",
    body: .json, timeout: patience, asks: FratelloUpdate.shape, Request.updateFratello,
    \.updateFratello, answers: [.fratello],
    refuses: RefusalKind.ofAdministrators + RefusalKind.ofBodies + [
      .fratelloNonTrovato, .dateNonCoerenti,
    ])

  public static let presenze = Endpoint<Self>(
    "presenze", "Presenze of a fratello", source: "O7", "GET",
    "/api/presenze/fratello/{fratelloId}", timeout: patience, asks: PresenzeQuery.shape,
    Request.presenze, \.presenze,
    answers: [.answer(.list(Presenza.shape.coding), Reply.presenze, \.presenze)],
    refuses: RefusalKind.ofSessions + [.campoNonValido, .annoNonValido, .fratelloNonTrovato])

  public static let statistiche = Endpoint<Self>(
    "statistiche", "Statistics of a fratello", source: "O8", "GET",
    "/api/presenze/fratello/{fratelloId}/statistiche", timeout: patience,
    asks: PresenzeQuery.shape, Request.statistiche, \.statistiche,
    answers: [.answer(Statistiche.shape.coding, Reply.statistiche, \.statistiche)],
    refuses: RefusalKind.ofSessions + [.campoNonValido, .annoNonValido, .fratelloNonTrovato])

  public static let riepilogo = Endpoint<Self>(
    "riepilogo", "Overview of all fratelli", source: "O9", "GET",
    "/api/presenze/riepilogo-fratelli", timeout: patience, asks: ofAnno, Request.riepilogo,
    \.riepilogo,
    answers: [.answer(.list(RigaRiepilogo.shape.coding), Reply.riepilogo, \.riepilogo)],
    refuses: RefusalKind.ofSessions + [.annoNonValido])

  public static let confirm = Endpoint<Self>(
    "confirm", "Confirm or toggle a presenza", source: "O10", "POST", "/api/presenze",
    body: .json, timeout: patience, asks: Confirmation.shape, Request.confirm, \.confirm,
    answers: [.answer(Acknowledgement.shape.coding, Reply.confirmed, \.confirmed)],
    refuses: RefusalKind.ofSessions + RefusalKind.ofBodies + [
      .accessoNegato, .fratelloNonTrovato, .tornataNonTrovata, .chiaveRiusata, .tornataAnnullata,
      .tornataPreIniziazione,
    ])

  public static let tornate = Endpoint<Self>(
    "tornate", "Tornate", source: "O11", "GET", "/api/tornate", timeout: patience,
    asks: TornateQuery.shape, Request.tornate, \.tornate,
    answers: [.answer(.sharedList(Tornata.shape.coding), Reply.tornate, \.tornate)],
    refuses: RefusalKind.ofSessions + [.annoNonValido, .statoNonValido])

  public static let createTornata = Endpoint<Self>(
    "createTornata", "Plan a tornata", source: "O12", "POST", "/api/admin/tornate", body: .json,
    timeout: patience, asks: NewTornata.shape, Request.createTornata, \.createTornata,
    answers: [.tornata(status: 201)], refuses: RefusalKind.ofAdministrators + RefusalKind.ofBodies)

  public static let updateTornata = Endpoint<Self>(
    "updateTornata", "Change a tornata", source: "O13", "PUT", "/api/admin/tornate/{tornataId}",
    body: .json, timeout: patience, asks: TornataUpdate.shape, Request.updateTornata,
    \.updateTornata, answers: [.tornata(status: 200)],
    refuses: RefusalKind.ofAdministrators + [.campoNonValido, .tornataNonTrovata])

  public static let deleteTornata = Endpoint<Self>(
    "deleteTornata", "Delete a tornata", source: "O14", "DELETE",
    "/api/admin/tornate/{tornataId}", timeout: patience,
    asks: Shape({ $0 }, Field("tornataId", \.self, .tornataInPath, in: .path)),
    Request.deleteTornata, \.deleteTornata,
    answers: [
      .answer(
        Shape(
          { $1 }, Field("success", { _ in true }, .flag.only(true)),
          Field("message", \.self, .text.undigested)
        ).coding, Reply.deleted, \.deleted)
    ], refuses: RefusalKind.ofAdministrators + [.campoNonValido, .tornataNonTrovata])

  public static let exportRiepilogo = Endpoint<Self>(
    "exportRiepilogo", "Overview as CSV", source: "O15", "GET",
    "/api/admin/presenze/riepilogo.csv", timeout: patience, asks: ofAnno, Request.exportRiepilogo,
    \.exportRiepilogo, answers: [.esportazione],
    refuses: RefusalKind.ofAdministrators + [.annoNonValido])

  /// What an operation asks of its caller (KW-012, KW-023, KW-024, KW-133).
  public enum Right: Hashable, Sendable {
    case none, session
    /// By this rule.
    case administrator(Rule)
  }

  public static func right(of operation: Int) -> Right { rights[operation] }

  private static let rights = table.operations.indices.map { operation -> Right in
    guard table.needsCredential(operation) else { return .none }
    switch table.endpoints[operation].operation {
    case updateFratello.operation: return .administrator(.kw024)
    case createTornata.operation, updateTornata.operation, deleteTornata.operation:
      return .administrator(.kw023)
    case exportRiepilogo.operation: return .administrator(.kw133)
    default: return .session
    }
  }

  private static let ofAnno = Shape<Anno>({ $0 }, Field<Anno, Anno>.anno { anno in anno })

  /// How long a device waits for an answer (KW-154).
  public static let patience = Span.seconds(30)

  public static let table = ContractTable<Self>(
    [
      welcome, fratelli, logIn, me, logOut, updateFratello, presenze, statistiche, riepilogo,
      confirm, tornate, createTornata, updateTornata, deleteTornata, exportRiepilogo,
    ], commands: commands, unrouted: "§3.3, O16", operator: "§2.9",
    refusalForms: [[.json(refusalShape) { $0.kind.status }]],
    refusals: [
      .rottaNonTrovata, .metodoNonConsentito, .jsonNonValido, .corpoTroppoGrande, .troppeRichieste,
    ],
    unroutedAnswers: [.preflight],
    // The body parser runs before any route (§3.3), but only for JSON, which clients claim even with `GET` (KW-151, KW-152).
    bodies: BodyRules(most: 102_400, isParsedFirst: true, isTypeAlwaysSent: true),
    timeout: patience)

  /// KW-160.
  public static func headers(ofEveryAnswerOf service: Int) -> [WireHeader] {
    [
      WireHeader("Access-Control-Allow-Origin", "*"),
      WireHeader("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS"),
      WireHeader("Access-Control-Allow-Headers", "Content-Type, Authorization, Idempotency-Key"),
    ]
  }
}

extension ReplyForm<Kilwinning> {
  /// A client takes any success for the answer (§3.3).
  static func answer<Value: Sendable>(
    _ coding: Coding<Value>, _ make: @escaping @Sendable (Value) -> Reply,
    _ get: @escaping @Sendable (Reply) -> Value?, status: Int = 200,
    headers: @escaping @Sendable (Value) -> [WireHeader] = { _ in [] }
  ) -> Self {
    .json(coding, make, get, status: status, readUnder: 200..<300, headers: headers)
  }

  static let fratello = answer(Fratello.shape.coding, Reply.fratello, \.fratello)
  static func tornata(status: Int) -> Self {
    answer(Tornata.shape.coding, Reply.tornata, \.tornata, status: status)
  }
}
