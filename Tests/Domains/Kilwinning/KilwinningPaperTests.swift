import Contracts
import KilwinningContract
import Testing
import Timekeeping
import WireLine

private let dawn = Instant(unixSeconds: 1_774_072_800)

private let bruno = Fratello(
  id: 7, nome: "Bruno D'Arpini", firstName: "Bruno", lastName: "D'Arpini", email: "b@example.test",
  grado: .maestro, caricaFissa: "Oratore", adminAccess: false, registrationDate: dawn,
  dataIniziazione: dawn - .days(900), dataElevazione: dawn - .days(90))

@Suite struct `Kilwinning on paper` {
  @Test func `every request survives the wire with its credential`() {
    let requests: [Kilwinning.Request] = [
      .logIn(nome: "Bruno D'Arpini"), .me, .presenze(.init(fratelloID: 7, anno: "Tutti")),
      .presenze(.init(fratelloID: 7)),
      .confirm(.init(tornataID: 3, presente: true, fratelloID: 7, idempotencyKey: "op-1")),
      .confirm(.init(tornataID: 0, presente: false)),
      malformed(Kilwinning.logIn, .missing("nome")), malformed(Kilwinning.logIn, .invalid("nome")),
      malformed(Kilwinning.confirm, .tooLarge), malformed(Kilwinning.confirm, .noDocument),
      malformed(Kilwinning.confirm, .missing("tornata_id")),
      malformed(Kilwinning.confirm, .invalid("presente")),
      malformed(Kilwinning.confirm, .invalid("fratello_id")),
      malformed(Kilwinning.confirm, .invalid("Idempotency-Key")),
      malformed(Kilwinning.presenze, .invalid("fratelloId")),
      malformed(Kilwinning.presenze, .repeated("anno")),
      .unread(.malformed(operation: Kilwinning.table.unrouted, .noDocument)),
      .unread(.unrouted(.init("GET", "/api/fratelli/7"))),
      .unread(.unrouted(.init("DELETE", "/api/presenze", allowed: ["POST"]))),
    ]
    let credentials: [Kilwinning.Credential?] = [
      nil, .init(peer: "phone"), .init(authorization: .bearer("t")),
      .init(peer: "mac", authorization: .malformed("Basic x y"), cookie: "c"), .init(cookie: "c"),
    ]
    for request in requests {
      for credential in credentials {
        expectRoundTrip(Kilwinning.self, request, with: credential)
      }
    }
    expectOperations(Kilwinning.self, requests)
  }

  @Test func `every answer survives the wire`() {
    let confirm = Kilwinning.Request.confirm(.init(tornataID: 3, presente: true))
    expectRoundTrip(
      Kilwinning.self,
      .success(.loggedIn(.init(user: bruno, token: "t", expiresAt: dawn + .hours(8)))),
      to: .logIn(nome: bruno.nome))
    expectRoundTrip(Kilwinning.self, .success(.fratello(bruno)), to: .me)
    let stored = Presenza(
      id: 1, fratelloID: 7, tornataID: 3, status: .assente, confirmedAt: dawn)
    let inherited = Presenza(
      id: nil, fratelloID: 7, tornataID: 4, status: .nonConfermato, confirmedAt: nil)
    expectRoundTrip(
      Kilwinning.self, .success(.presenze([stored, inherited])),
      to: .presenze(.init(fratelloID: 7)))
    expectRoundTrip(
      Kilwinning.self, .success(.confirmed(.init(message: nil, oltreTermine: true))), to: confirm)
    for code in Kilwinning.RefusalKind.allCases {
      let refusal = Kilwinning.Refusal(
        code, "no", field: code == .campoNonValido ? "presente" : nil,
        retryAfterSeconds: code == .troppeRichieste ? 12 : nil,
        allowed: code == .metodoNonConsentito ? ["GET", "PUT"] : [])
      expectRoundTrip(Kilwinning.self, .failure(refusal), to: confirm)
    }
  }

  @Test func `an answer that is no answer of ours is unknown`() {
    for response in [
      WireResponse(500, body: ["success": false, "code": "ERRORE_SERVER"]),
      WireResponse(200, content: WireResponse.page("<html></html>")),
      WireResponse(401, body: ["success": false, "code": "ACCESSO_NEGATO"]),
    ] {
      #expect(Kilwinning.read(response, to: .me) == nil)
    }
  }

  @Test
  func `two devices of one fratello have two sessions, and the last write wins (KW-006, KW-127)`()
    throws
  {
    var line = Line(LodgeMiniature(fratelli: [bruno], tornate: [3]))
    let phone = try session(on: "phone", &line)
    let mac = try session(on: "mac", &line)
    #expect(phone.authorization != mac.authorization)
    #expect(line.ask(.me, with: phone, at: dawn)?.reply == .fratello(bruno))
    #expect(line.ask(.me, with: mac, at: dawn)?.reply == .fratello(bruno))

    // Queued on the phone first, on the Mac later; the Mac is back on the network first.
    let queued = Confirmation(tornataID: 3, presente: true, idempotencyKey: "phone-op-1")
    let other = Confirmation(tornataID: 3, presente: false, idempotencyKey: "mac-op-1")
    _ = line.ask(.confirm(other), with: mac, at: dawn + .minutes(1))
    _ = line.ask(.confirm(queued), with: phone, at: dawn + .minutes(2))
    let both = line.ask(.presenze(.init(fratelloID: 7)), with: mac, at: dawn + .minutes(3))
    let expected = Presenza(
      id: 1, fratelloID: 7, tornataID: 3, status: .presente, confirmedAt: dawn + .minutes(2))
    #expect(both?.reply == .presenze([expected]))
  }

  @Test
  func
    `a repeat after a lost answer changes nothing, though the other device wrote since (KW-072)`()
    throws
  {
    var line = Line(LodgeMiniature(fratelli: [bruno], tornate: [3]))
    let phone = try session(on: "phone", &line)
    let mac = try session(on: "mac", &line)
    let queued = Confirmation(tornataID: 3, presente: true, idempotencyKey: "op-1")
    let first = line.ask(.confirm(queued), with: phone, at: dawn)
    _ = line.ask(
      .confirm(.init(tornataID: 3, presente: false)), with: mac, at: dawn + .minutes(1))

    #expect(line.ask(.confirm(queued), with: phone, at: dawn + .minutes(2)) == first)

    #expect(line.twin.presenze.values.map(\.status) == [.assente])
    let changed = Confirmation(tornataID: 3, presente: false, idempotencyKey: "op-1")
    let conflict = line.ask(.confirm(changed), with: mac, at: dawn + .minutes(3))
    #expect(
      conflict?.refusal?.code == "CHIAVE_RIUSATA", "keys are the fratello's, not the device's")
  }

  @Test func `a path outside these operations is answered as unrouted`() throws {
    var line = Line(LodgeMiniature(fratelli: [bruno], tornate: [3]))
    let phone = try session(on: "phone", &line)
    let request = Kilwinning.read(WireRequest("GET", "/api/tornate?anno=2025")).request
    #expect(request == .unread(.unrouted(.init("GET", "/api/tornate?anno=2025"))))
    #expect(line.ask(request, with: phone, at: dawn)?.refusal?.kind == .rottaNonTrovata)
  }

  private func malformed(
    _ endpoint: Endpoint<Kilwinning>, _ fault: Unread.Fault
  ) -> Kilwinning.Request {
    .unread(.malformed(operation: Kilwinning.table.index(of: endpoint), fault))
  }

  private func session(
    on device: String, _ line: inout Line<LodgeMiniature>
  ) throws -> Kilwinning.Credential {
    let outcome = line.ask(.logIn(nome: bruno.nome), with: .init(peer: device), at: dawn)
    guard case .loggedIn(let login) = try #require(outcome?.reply) else {
      throw ControlProblem("no login")
    }
    return .init(peer: device, authorization: .bearer(login.token))
  }
}
