import Contracts
import KilwinningContract
import KilwinningTwin
import Testing
import Timekeeping

@Suite struct `The lodge at its edges` {
  private func malformed(_ name: String, _ fault: Unread.Fault) -> Kilwinning.Request {
    .unread(
      .malformed(operation: Kilwinning.operations.firstIndex { $0.name == name }!, fault))
  }

  @Test func `the first check that fails decides: §3.3`() {
    var lodge = Lodge()
    let bad = FratelloUpdate(99, .failure(.missing("grado")))
    #expect(lodge.ask(.updateFratello(bad), with: nil).code == "NON_AUTENTICATO")
    #expect(lodge.ask(.updateFratello(bad), as: Lodge.bruno).code == "ACCESSO_NEGATO")
    #expect(lodge.ask(.updateFratello(bad), as: Lodge.admin).code == "FRATELLO_NON_TROVATO")
    let body = FratelloUpdate(3, .failure(.missing("grado")))
    #expect(lodge.ask(.updateFratello(body), as: Lodge.admin).code == "CAMPO_MANCANTE")
    let path = malformed("updateTornata", .invalid("tornataId"))
    #expect(lodge.ask(path, with: nil).code == "NON_AUTENTICATO")
    #expect(lodge.ask(path, as: Lodge.bruno).code == "ACCESSO_NEGATO")
    #expect(lodge.ask(path, as: Lodge.admin).code == "CAMPO_NON_VALIDO")
    let create = malformed("createTornata", .missing("data"))
    #expect(lodge.ask(create, as: Lodge.bruno).code == "ACCESSO_NEGATO")
    #expect(lodge.ask(create, as: Lodge.admin)?.refusal?.field == "data")
    let anno = Kilwinning.Request.presenze(PresenzeQuery(99, anno: Anno("x")))
    #expect(lodge.ask(anno, as: Lodge.bruno).code == "ANNO_NON_VALIDO")
    #expect(
      lodge.ask(malformed("tornate", .invalid("stato")), as: Lodge.bruno).code == "STATO_NON_VALIDO"
    )
    #expect(
      lodge.ask(malformed("tornate", .repeated("anno")), as: Lodge.bruno).code == "ANNO_NON_VALIDO")
    #expect(lodge.ask(malformed("logIn", .missing("nome")), with: nil)?.refusal?.field == "nome")
  }

  @Test func `an administrator's write asks for the fratello before the key and the tornata: §3.3`()
  {
    var lodge = Lodge()
    lodge.confirm(9, true, key: "k")
    #expect(lodge.confirm(99, of: 4, key: "k").code == "ACCESSO_NEGATO")
    #expect(lodge.confirm(99, as: Lodge.admin, of: 99).code == "FRATELLO_NON_TROVATO")
    #expect(lodge.confirm(99, key: "k").code == "CHIAVE_RIUSATA")
    #expect(lodge.confirm(99).code == "TORNATA_NON_TROVATA")
    // What was refused did not use up its key (KW-072).
    #expect(lodge.confirm(4, key: "n").code == "TORNATA_ANNULLATA")
    #expect(lodge.confirm(9, key: "n").code == "ok")
  }

  @Test func `a key lasts 24 hours: KW-072`() {
    var lodge = Lodge()
    lodge.confirm(9, true, key: "k")
    lodge.wait(.hours(24))
    lodge.logIn(Lodge.bruno)
    #expect(lodge.confirm(9, false, key: "k").code == "CHIAVE_RIUSATA")
    lodge.wait(.seconds(1))
    #expect(lodge.confirm(9, false, key: "k").code == "ok")
    lodge.wait(.hours(25))
    lodge.logIn(Lodge.bruno)
    for number in 0..<3_000 { lodge.confirm(9, key: "key \(number)") }
    #expect(lodge.confirm(9, false, key: "key 7").code == "CHIAVE_RIUSATA")
  }

  @Test
  func `a session lasts eight hours to the instant, from its last verification: KW-013, KW-014`() {
    var lodge = Lodge()
    lodge.now += .milliseconds(250)
    lodge.logIn(Lodge.bruno)
    lodge.wait(.hours(7))
    #expect(lodge.ask(.me, as: Lodge.bruno).code == "ok")
    lodge.wait(.hours(8))
    #expect(lodge.ask(.riepilogo(.tutti), as: Lodge.bruno).code == "ok")
    lodge.wait(.nanoseconds(1))
    #expect(lodge.ask(.riepilogo(.tutti), as: Lodge.bruno).code == "SESSIONE_SCADUTA")
    #expect(lodge.ask(.me, as: Lodge.bruno).code == "SESSIONE_SCADUTA")
    lodge.wait(.days(400))
    #expect(lodge.ask(.me, as: Lodge.bruno).code == "SESSIONE_SCADUTA", "KW-016")
  }

  @Test
  func
    `the clocks of Rome decide days and deadlines over the change of summer time: KW-070, KW-076`()
  {
    let zone = CivilZone.rome
    // Summer time begins on 29 March 2026; the fifth day before 2 April is the 28th.
    #expect(zone.deadline(of: Instant("2026-04-02T17:30:00Z")!) == Instant("2026-03-28T23:00:00Z")!)
    #expect(zone.deadline(of: Instant("2026-10-28T18:30:00Z")!) == Instant("2026-10-23T22:00:00Z")!)
    // Half past midnight of the 2nd in Rome, still the 1st in London.
    #expect(zone.deadline(of: Instant("2026-04-01T22:30:00Z")!) == Instant("2026-03-28T23:00:00Z")!)
    #expect(zone.year(2025).lowerBound == Instant("2024-12-31T23:00:00Z")!)
    #expect(zone.year(2025).upperBound == Instant("2025-12-31T23:00:00Z")!)
    #expect(zone.year(0).isEmpty && zone.year(9999).isEmpty)
    #expect(
      zone.startOfDay(of: Instant("2026-03-29T10:00:00Z")!) == Instant("2026-03-28T23:00:00Z")!)
    #expect(
      zone.startOfDay(of: Instant("2026-07-01T22:00:00Z")!) == Instant("2026-07-01T22:00:00Z")!)
  }

  @Test func `another zone tells other days and years: §2.9`() {
    var lodge = Lodge()
    #expect(lodge.tornate(Anno(2026)).count == 5)
    lodge.tell(.configure(Adjustment { $0.zone = .utc }))
    #expect(lodge.tornate(Anno(2026)).count == 4)
    #expect(lodge.statistics(of: 4)?.total == 4, "the iniziazione is on the same day in both")
  }

  @Test func `a moved tornata takes its presenze along and ties stay in order: KW-042, KW-087`() {
    var lodge = Lodge()
    lodge.set(1) { $0.data = .to(Instant("2026-01-08T18:30:00Z")!) }
    #expect(lodge.tornate().ids == [9, 8, 7, 6, 1, 5, 4, 3, 2])
    #expect(lodge.records().ids == [8, 7, 6, 1, 5, 4, 3, 2])
    #expect(lodge.records().first { $0.tornataID == 1 }?.status == .presente)
    lodge.set(9) { $0.data = .to(Instant("2020-06-01T18:30:00Z")!) }
    #expect(lodge.tornate().ids == [8, 7, 6, 1, 5, 4, 3, 2, 9])
    #expect(lodge.records().first { $0.tornataID == 1 }?.id == 1)
  }

  @Test func `identifiers are never given twice: §2.0, I13`() {
    var lodge = Lodge()
    let new = NewTornata(data: lodge.now, discussione: "x")
    #expect(lodge.ask(.createTornata(new), as: Lodge.admin)?.reply?.tornata?.id == 10)
    _ = lodge.ask(.deleteTornata(10), as: Lodge.admin)
    #expect(lodge.ask(.createTornata(new), as: Lodge.admin)?.reply?.tornata?.id == 11)
    lodge.confirm(11)
    let first = lodge.records().first { $0.tornataID == 11 }?.id
    _ = lodge.ask(.deleteTornata(11), as: Lodge.admin)
    lodge.confirm(9)
    #expect(first == 11 && lodge.records().first { $0.tornataID == 9 }?.id == 12)
  }

  @Test func `a fixture is loaded whole or not at all, whatever inherited presenze it holds: §2.9`()
  {
    var lodge = Lodge()
    func refusal(_ fixture: Fixture) -> Kilwinning.Refusal? {
      let handled = lodge.line.twin.handle(.load(fixture), from: .administration, at: lodge.now)
      if case .now(.failure(let refusal)) = handled.answer { return refusal }
      return nil
    }
    let ugo = Lodge.brother(.none, "Ugo Neri", .maestro, since: nil)
    let pair = Lodge.attendance(50, of: 3, at: 1, .presente)
    for (fixture, field) in [
      (Fixture(fratelli: [ugo], presenze: [pair]), "presenze[0].tornata_id"),
      (
        Fixture(presenze: [Lodge.attendance(50, of: 98, at: 1, .presente)]),
        "presenze[0].fratello_id"
      ),
      (
        Fixture(presenze: [Lodge.attendance(50, of: 5, at: 98, .presente)]),
        "presenze[0].tornata_id"
      ),
      (Fixture(fratelli: [Lodge.brother(3, "Ugo Neri", .maestro, since: nil)]), "fratelli[0].id"),
      (Fixture(tornate: [Lodge.meeting(9, "2026-01-01T00:00:00Z")]), "tornate[0].id"),
    ] { #expect(refusal(fixture)?.field == field) }
    #expect(lodge.inspection?.fratelli.count == 5)
    #expect(refusal(Fixture(fratelli: [ugo])) == nil)
    #expect(lodge.inspection?.fratelli.last?.id == 6)
  }

  @Test func `a lodge without its administrators' names is told of: KW-027`() {
    let fixture = Fixture(fratelli: [Lodge.brother(1, "Ugo Neri", .maestro, since: nil)])
    var twin = KilwinningTwin(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rules: Rules())
    let handled = twin.handle(.load(fixture), from: .administration, at: Lodge.epoch)
    guard case .now(.success(.loaded(let loaded))) = handled.answer else {
      Issue.record("not loaded")
      return
    }
    #expect(loaded.warning != nil && loaded.fratelli == 1)
  }

  @Test func `the default lodge is a lodge of section 5.4, the same for the same seed: §2.9`() {
    let lodge = DefaultLodge()
    let fixture = lodge.fixture(at: Lodge.epoch)
    #expect(fixture == lodge.fixture(at: Lodge.epoch))
    #expect(fixture.fratelli.count == 25 && Set(fixture.fratelli.map(\.nome)).count == 25)
    #expect(fixture.fratelli.prefix(2).map(\.nome) == Kilwinning.Deployment().adminNames)
    #expect((66...75).contains(fixture.tornate.count))
    #expect(Set(fixture.fratelli.compactMap(\.caricaFissa)).count == 10)
    #expect(!fixture.fratelli.contains { !$0.hasItsDatesInOrder })
    let evenings = fixture.tornate.map { CivilZone.rome.civil(at: $0.data).timeOfDay }
    #expect(Set(evenings) == [.minutes(19 * 60 + 30)])
    #expect(fixture != DefaultLodge(seed: 2).fixture(at: Lodge.epoch))
    #expect(Set((0..<200).map { DefaultLodge.name($0) }).count == 200)
    let twin = Lodge(fixture)
    #expect(twin.line.signals.isEmpty)
  }

  @Test func `nobody but the operator commands, and nobody's client looks inside: §2.9`() {
    var lodge = Lodge()
    for command in [Kilwinning.Request.inspect(since: 0), .load(Fixture())] {
      let handled = lodge.line.twin.handle(command, from: .client(nil), at: lodge.now)
      guard case .now(.failure(let refusal)) = handled.answer else {
        Issue.record("\(command) was obeyed")
        continue
      }
      #expect(refusal.kind == .rottaNonTrovata)
    }
  }

  @Test func `an answer does not depend on who else is logged in: I11`() {
    var (alone, among) = (Lodge(), Lodge())
    for name in [Lodge.nicola, Lodge.carlo] { among.logIn(name) }
    #expect(alone.records() == among.records())
    #expect(alone.statistics() == among.statistics())
  }

  @Test func `requests and answers stay small`() {
    #expect(MemoryLayout<Kilwinning.Request>.size <= 32)
    #expect(MemoryLayout<Kilwinning.Reply>.size <= 24)
    #expect(MemoryLayout<Kilwinning.Note>.size <= 32)
  }
}
