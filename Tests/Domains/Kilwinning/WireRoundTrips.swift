import Contracts
import KilwinningContract
import Testing
import Timekeeping
import WireLine

private let epoch = Instant(unixSeconds: 1_774_072_800)

private let bruno = Fratello(
  id: 7, nome: "Bruno D'Arpini", firstName: "Bruno", lastName: "D'Arpini", email: "b@example.test",
  grado: .maestro, caricaFissa: .oratore, adminAccess: false, registrationDate: epoch,
  dataIniziazione: epoch - .days(900), dataElevazione: epoch - .days(90))

private let tornata = Tornata(
  id: 3, discussione: "Luce e \"ombra\"", data: epoch, tipo: .cerimonia, location: "Rocca di Tofa",
  introducedBy: "Bruno", cena: true, stato: .annullata, notes: nil, coverImageURL: "https://x.test")

private let statistics = Statistiche(
  total: 24, presences: 17, absences: 7, percentage: 70, streak: 3, record: 9, rate: 17.0 / 24)

private let renamed = FratelloChange(
  grado: .compagno, dataIniziazione: .to(epoch), dataPassaggio: .to(nil), nome: "Altro",
  adminAccess: true)

@Suite struct `The lodge over the wire` {
  static let requests: [Kilwinning.Request] = [
    .welcome, .fratelli, .logIn(LogIn("Bruno D'Arpini")), .logIn(LogIn("x", adminAccess: true)),
    .me, .logOut, .updateFratello(FratelloUpdate(7, renamed)),
    .updateFratello(FratelloUpdate(7, .failure(.missing("grado")))),
    .updateFratello(FratelloUpdate(0, .failure(.invalid("grado")))),
    .updateFratello(FratelloUpdate(7, .failure(.invalid("data_iniziazione")))),
    .presenze(PresenzeQuery(7, anno: Anno("Tutti"))), .presenze(PresenzeQuery(7)),
    .statistiche(PresenzeQuery(7, anno: Anno(2025))),
    .statistiche(PresenzeQuery(7, anno: Anno(" 2025 "))), .riepilogo(.absent),
    .riepilogo(Anno("")), .riepilogo(.tutti),
    .confirm(Confirmation(tornataID: 3, presente: true, fratelloID: 7, idempotencyKey: "op-1")),
    .confirm(Confirmation(tornataID: 0, presente: false)), .tornate(TornateQuery()),
    .tornate(TornateQuery(anno: .tutti, stato: .programmata)),
    .createTornata(NewTornata(data: epoch, discussione: "Il silenzio", cena: true)),
    .createTornata(
      NewTornata(
        data: epoch, discussione: "Il viaggio", location: "Civitavecchia", tipo: .cerimonia,
        stato: .completata)),
    .updateTornata(TornataUpdate(3) { _ in }),
    .updateTornata(
      TornataUpdate(3) {
        ($0.stato, $0.notes, $0.coverImageURL) = (.to(.annullata), .to(nil), .to("https://y.test"))
        ($0.data, $0.cena, $0.introducedBy) = (.to(epoch), .to(false), .to(""))
      }),
    .updateTornata(TornataUpdate(3, .failure(.invalid("discussione")))),
    .updateTornata(TornataUpdate(3, .failure(.invalid("cena")))), .deleteTornata(3),
    .exportRiepilogo(.absent), .exportRiepilogo(Anno(2025)),
    malformed("logIn", .missing("nome")), malformed("logIn", .invalid("nome")),
    malformed("confirm", .tooLarge), malformed("confirm", .noDocument),
    malformed("confirm", .missing("tornata_id")), malformed("confirm", .invalid("presente")),
    malformed("confirm", .invalid("fratello_id")),
    malformed("confirm", .invalid("Idempotency-Key")),
    malformed("presenze", .invalid("fratelloId")), malformed("presenze", .repeated("anno")),
    malformed("tornate", .invalid("stato")), malformed("tornate", .repeated("stato")),
    malformed("createTornata", .missing("data")), malformed("createTornata", .invalid("data")),
    malformed("createTornata", .missing("discussione")),
    malformed("updateTornata", .invalid("tornataId")),
    .unread(.malformed(operation: Kilwinning.table.unrouted, .noDocument)),
    .unread(.unrouted(.init("GET", "/api/biblioteca"))),
    .unread(.unrouted(.init("GET", "/api/fratelli/7", allowed: ["PUT"]))),
    .unread(.unrouted(.init("OPTIONS", "/api/presenze", allowed: ["POST"]))),
  ]

  static let commands: [Kilwinning.Request] = [
    .load(
      Fixture(
        fratelli: [bruno], tornate: [tornata],
        presenze: [
          Presenza(id: 1, fratelloID: 7, tornataID: 3, status: .nonConfermato, confirmedAt: nil)
        ])), .load(Fixture()), .populate(DefaultLodge(fratelli: 12, seasons: 1, seed: 9)),
    .configure(
      Adjustment {
        ($0.conteggio, $0.adminNames, $0.zone) = (.tutte, ["A", "B"], .amsterdam)
      }), .setRule(RuleSwitch(.kw013, binds: false)), .inspect(since: 0), .inspect(since: 7),
  ]

  @Test func `every request survives the wire with its credential`() {
    let credentials: [Kilwinning.Credential?] = [
      nil, .init(authorization: .bearer("t")), .init(cookie: "c"),
      .init(peer: "mac", authorization: .malformed("Basic x y"), cookie: "c"),
    ]
    for request in Self.requests {
      for credential in credentials {
        expectRoundTrip(Kilwinning.self, request, with: credential)
      }
    }
    expectOperations(Kilwinning.self, Self.requests + Self.commands)
  }

  @Test func `every command comes back from its document`() throws {
    for command in Self.commands {
      let (name, parameters) = try #require(
        Kilwinning.table.command(of: command, .wire(codec)))
      let sent = try #require(JSON(parsing: JSON.object(parameters).bytes))
      #expect(try Kilwinning.control(name, sent) == command)
    }
  }

  @Test func `every answer survives the wire`() {
    let admin = Kilwinning.Reply.tornata(tornata)
    let answers: [(Kilwinning.Reply, Kilwinning.Request)] = [
      (.welcome("Benvenuto"), .welcome), (.fratelli([bruno]), .fratelli),
      (.fratelli([]), .fratelli),
      (
        .loggedIn(Login(user: bruno, token: "t", expiresAt: epoch + .hours(8))),
        .logIn(LogIn(bruno.nome))
      ), (.fratello(bruno), .me), (.loggedOut, .logOut),
      (.fratello(bruno), .updateFratello(FratelloUpdate(7, renamed))),
      (
        .presenze([
          Presenza(id: 1, fratelloID: 7, tornataID: 3, status: .assente, confirmedAt: epoch),
          Presenza(id: nil, fratelloID: 7, tornataID: 4, status: .nonConfermato, confirmedAt: nil),
        ]), .presenze(PresenzeQuery(7))
      ), (.statistiche(statistics), .statistiche(PresenzeQuery(7))),
      (
        .riepilogo([
          RigaRiepilogo(
            id: 7, nome: bruno.nome, grado: .maestro, presenze: 17, tornateDisponibili: 24,
            percentuale: 70)
        ]), .riepilogo(.tutti)
      ),
      (
        .confirmed(Acknowledgement(message: "Registrata", oltreTermine: true)),
        .confirm(Confirmation(tornataID: 3, presente: true))
      ), (.tornate([tornata]), .tornate(TornateQuery())),
      (admin, .createTornata(NewTornata(data: epoch, discussione: "x"))),
      (admin, .updateTornata(TornataUpdate(3) { _ in })),
      (.deleted(message: "ok"), .deleteTornata(3)),
      (
        .esportazione(Esportazione(fileName: "riepilogo-presenze-tutti.csv", csv: "id,nome\r\n")),
        .exportRiepilogo(.tutti)
      ), (.preflight, .unread(.unrouted(.init("OPTIONS", "/api/presenze", allowed: ["POST"])))),
      (.done, .setRule(RuleSwitch(.kw013, binds: true))),
      (.loaded(Loaded(Fixture(fratelli: [bruno]), warning: "x")), .load(Fixture())),
      (
        .inspection(
          Inspection(
            fratelli: [bruno], tornate: [tornata], presenze: [],
            sessions: [
              .init(fratelloID: 7, createdAt: epoch, lastVerifiedAt: epoch, isRevoked: true)
            ])), .inspect(since: 0)
      ),
    ]
    for (answer, request) in answers {
      expectRoundTrip(Kilwinning.self, .success(answer), to: request)
      _ = Kilwinning.show(answer)
    }
    for code in Kilwinning.RefusalKind.allCases {
      let refusal = Kilwinning.Refusal(
        code, "no", field: code == .campoNonValido ? "presente" : nil,
        retryAfterSeconds: code == .troppeRichieste ? 12 : nil,
        allowed: code == .metodoNonConsentito ? ["GET", "PUT"] : [])
      expectRoundTrip(Kilwinning.self, .failure(refusal), to: .me)
    }
  }

  @Test
  func `an answer that is no answer of ours is unknown, one of another success status is one`() {
    for response in [
      WireResponse(500, body: ["success": false, "code": "ERRORE_SERVER"]),
      WireResponse(200, content: WireResponse.page("<html></html>")),
      WireResponse(401, body: ["success": false, "code": "ACCESSO_NEGATO"]),
    ] {
      #expect(Kilwinning.read(response, to: .me) == nil)
    }
    let stored = Kilwinning.write(
      .success(.tornata(tornata)), to: .updateTornata(TornataUpdate(3) { _ in }), tokens: codec)
    var created = sent(stored)
    created.status = 202
    let read = Kilwinning.read(created, to: .updateTornata(TornataUpdate(3) { _ in }))
    #expect(read.map { Outcome<Kilwinning>($0) } == .replied(.tornata(tornata)))
  }

  private static func malformed(_ name: String, _ fault: Unread.Fault) -> Kilwinning.Request {
    let operation = Kilwinning.operations.firstIndex { $0.name == name }!
    return .unread(.malformed(operation: operation, fault))
  }
}
