import Contracts
import Foundation
import KilwinningContract
import Testing
import Timekeeping

/// A small history in which a rule decides, and what a client sees at its end.
struct Probe: Sendable, CustomTestStringConvertible {
  let rule: Kilwinning.Rule
  let expected: String
  let run: @Sendable (inout Lodge) -> String

  var testDescription: String { rule.id.text }

  init(
    _ rule: Kilwinning.Rule, _ expected: String, _ run: @escaping @Sendable (inout Lodge) -> String
  ) { (self.rule, self.expected, self.run) = (rule, expected, run) }

  func observe(off: Set<Kilwinning.Rule> = []) -> String {
    var lodge = Lodge(off: off)
    return run(&lodge)
  }

  static let all: [Probe] =
    login + administrators + fratelli + tornate + presenze + years + figures + others
}

@Suite struct `The rules of the lodge's twin` {
  @Test(arguments: Probe.all)
  func `a rule shows in what a client sees`(probe: Probe) {
    #expect(probe.observe() == probe.expected, "\(probe.rule.id): \(statement(probe.rule))")
  }

  @Test(arguments: Probe.all)
  func `without the rule a client sees something else`(probe: Probe) {
    #expect(probe.observe(off: [probe.rule]) != probe.expected)
  }

  @Test func `every rule that the twin keeps has its probe`() {
    let kept = Kilwinning.limits.filter { $0.keeper == .twin }.map(\.id)
    #expect(Set(kept) == Set(Probe.all.map(\.rule.id)))
  }

  private func statement(_ rule: Kilwinning.Rule) -> String {
    Kilwinning.limits.first { $0.id == rule.id }?.statement ?? ""
  }
}

private let me = Kilwinning.Request.me

extension Probe {
  static let login: [Probe] = [
    Probe(.kw001, "5") { "\($0.ask(.fratelli, with: nil)?.reply?.fratelli?.count ?? 0)" },
    Probe(.kw002, "ok") { $0.ask(.logIn(LogIn(Lodge.bruno)), with: nil).code },
    Probe(.kw003, "ok ok no no") { lodge in
      ["  Bruno D'Arpini\n", "Nicolo\u{300} Pero\u{300}", "bruno d'arpini", "Nicolo Pero"]
        .map { lodge.logIn($0) == nil ? "no" : "ok" }.joined(separator: " ")
    },
    Probe(.kw004, "CREDENZIALI_NON_VALIDE") { $0.ask(.logIn(LogIn("Nessuno")), with: nil).code },
    Probe(.kw005, "2026-01-10T17:00:00.000Z false false") {
      let login = $0.ask(.logIn(LogIn(Lodge.bruno)), with: nil)?.reply?.loggedIn
      return "\(login!.expiresAt) \(login!.user.adminAccess) \(login!.token.isEmpty)"
    },
    Probe(.kw006, "ok ok") { lodge in
      let phone = lodge.logIn(Lodge.bruno)
      let mac = lodge.logIn(Lodge.bruno)
      return lodge.ask(me, with: phone).code + " " + lodge.ask(me, with: mac).code
    },
    Probe(.kw010, "ok NON_AUTENTICATO NON_AUTENTICATO") { lodge in
      let token = lodge.token(Lodge.bruno)
      let headers = ["bEARER \(token)", "Token \(token)", "Bearer \(token) x"]
      return headers.map { lodge.ask(me, with: .init(authorization: Authorization($0))).code }
        .joined(separator: " ")
    },
    Probe(.kw011, "ok NON_AUTENTICATO") { lodge in
      let token = lodge.token(Lodge.bruno)
      let both = Kilwinning.Credential(authorization: .malformed("Bearer"), cookie: token)
      return lodge.ask(me, with: .init(cookie: token)).code + " " + lodge.ask(me, with: both).code
    },
    Probe(.kw012, "NON_AUTENTICATO") { $0.ask(.riepilogo(.tutti), with: nil).code },
    Probe(.kw013, "ok SESSIONE_SCADUTA") { lodge in
      lodge.logIn(Lodge.bruno)
      lodge.wait(.seconds(28_800))
      let exact = lodge.ask(.tornate(TornateQuery()), as: Lodge.bruno).code
      lodge.wait(.seconds(1))
      return exact + " " + lodge.ask(.tornate(TornateQuery()), as: Lodge.bruno).code
    },
    Probe(.kw014, "ok SESSIONE_SCADUTA") { lodge in
      lodge.logIn(Lodge.bruno)
      for _ in 1...8 {
        lodge.wait(.hours(1))
        _ = lodge.statistics(as: Lodge.bruno)
      }
      let last = lodge.ask(.riepilogo(.tutti), as: Lodge.bruno).code
      lodge.wait(.seconds(1))
      return last + " " + lodge.ask(.riepilogo(.tutti), as: Lodge.bruno).code
    },
    Probe(.kw015, "SESSIONE_SCADUTA SESSIONE_SCADUTA") { lodge in
      lodge.logIn(Lodge.bruno)
      lodge.wait(.hours(9))
      return lodge.ask(me, as: Lodge.bruno).code + " "
        + lodge.ask(.riepilogo(.tutti), as: Lodge.bruno).code
    },
    Probe(.kw016, "SESSIONE_SCADUTA NON_AUTENTICATO") { lodge in
      let ended = lodge.logIn(Lodge.bruno)
      let left = lodge.logIn(Lodge.bruno)
      _ = lodge.ask(.logOut, with: left)
      lodge.wait(.hours(9))
      return lodge.ask(me, with: ended).code + " " + lodge.ask(me, with: left).code
    },
    Probe(.kw017, "ok NON_AUTENTICATO ok") { lodge in
      let (phone, mac) = (lodge.logIn(Lodge.bruno), lodge.logIn(Lodge.bruno))
      return [
        lodge.ask(.logOut, with: phone).code, lodge.ask(.logOut, with: phone).code,
        lodge.ask(me, with: mac).code,
      ].joined(separator: " ")
    },
    Probe(.kw018, "true") { lodge in
      let before = lodge.inspection
      _ = lodge.ask(.logOut, as: Lodge.bruno)
      return "\(before?.presenze == lodge.inspection?.presenze)"
    },
    Probe(.kw019, "Maestro") { lodge in
      lodge.logIn(Lodge.nicola)
      _ = lodge.ask(.updateFratello(FratelloUpdate(4, .init(grado: .maestro))), as: Lodge.admin)
      return lodge.ask(me, as: Lodge.nicola)?.reply?.fratello?.grado.rawValue ?? ""
    },
  ]

  static let administrators: [Probe] = [
    Probe(.kw020, "true false") { lodge in
      lodge.tell(.configure(Adjustment { $0.adminNames = ["D'Arpini Bruno", Lodge.carlo] }))
      return "\(lodge.isAdmin(Lodge.carlo)) \(lodge.isAdmin(Lodge.bruno))"
    },
    Probe(.kw021, "ACCESSO_NEGATO") { $0.ask(.exportRiepilogo(.tutti), as: Lodge.bruno).code },
    Probe(.kw022, "false ACCESSO_NEGATO") { lodge in
      lodge.logIn(Lodge.bruno, claims: true)
      let isAdmin = lodge.ask(me, as: Lodge.bruno)?.reply?.fratello?.adminAccess
      return "\(isAdmin!) \(lodge.ask(.deleteTornata(9), as: Lodge.bruno).code)"
    },
    Probe(.kw023, "ACCESSO_NEGATO ACCESSO_NEGATO ACCESSO_NEGATO ok") { lodge in
      let new = NewTornata(data: lodge.now, discussione: "x")
      return [
        lodge.ask(.createTornata(new), as: Lodge.bruno).code,
        lodge.set(9, as: Lodge.bruno) { _ in }.code,
        lodge.ask(.deleteTornata(9), as: Lodge.bruno).code,
        lodge.ask(.createTornata(new), as: Lodge.admin).code,
      ].joined(separator: " ")
    },
    Probe(.kw024, "ACCESSO_NEGATO") {
      $0.ask(.updateFratello(FratelloUpdate(3, .init(grado: .maestro))), as: Lodge.bruno).code
    },
    Probe(.kw027, "false") { lodge in
      lodge.tell(.configure(Adjustment { $0.adminNames = ["Nessuno"] }))
      return "\(lodge.isAdmin(Lodge.admin))"
    },
  ]

  static let fratelli: [Probe] = [
    Probe(.kw030, "31") { lodge in
      let more = (100..<126).map {
        Lodge.brother(Serial($0), "Fratello \($0)", .maestro, since: nil)
      }
      lodge.tell(.load(Fixture(fratelli: more)))
      return "\(lodge.ask(.fratelli, with: nil)?.reply?.fratelli?.count ?? 0)"
    },
    Probe(.kw031, "[3, 1, 2, 5, 4]") {
      "\($0.ask(.fratelli, with: nil)!.reply!.fratelli!.map(\.id.number))"
    },
    Probe(.kw033, "true true true") { lodge in
      var seen: [Bool] = []
      let date = Instant("2021-03-01T12:00:00Z")!
      for change: Edit<Instant?> in [.to(date), .unchanged, .to(nil)] {
        let update = FratelloChange(grado: .maestro, dataPassaggio: change)
        _ = lodge.ask(.updateFratello(FratelloUpdate(3, update)), as: Lodge.admin)
        let stored = lodge.inspection?.fratelli[2].dataPassaggio
        seen.append(stored == (change == .to(nil) ? nil : date))
      }
      return seen.map(String.init).joined(separator: " ")
    },
    Probe(.kw034, "DATE_NON_COERENTI Maestro") { lodge in
      let change = FratelloChange(
        grado: .compagno, dataPassaggio: .to(Instant("2019-01-01T00:00:00Z")!))
      let code = lodge.ask(.updateFratello(FratelloUpdate(3, change)), as: Lodge.admin).code
      return code + " " + lodge.inspection!.fratelli[2].grado.rawValue
    },
    Probe(.kw035, "6 3") { lodge in
      let before = lodge.statistics()!.total
      let change = FratelloChange(
        grado: .maestro, dataIniziazione: .to(Instant("2025-12-25T00:00:00Z")!))
      _ = lodge.ask(.updateFratello(FratelloUpdate(3, change)), as: Lodge.admin)
      return "\(before) \(lodge.statistics()!.total)"
    },
    Probe(.kw036, "Bruno D'Arpini") { lodge in
      let change = FratelloChange(grado: .maestro, nome: "Altro", adminAccess: true)
      _ = lodge.ask(.updateFratello(FratelloUpdate(3, change)), as: Lodge.admin)
      return lodge.inspection!.fratelli[2].nome
    },
    Probe(.kw037, "CAMPO_NON_VALIDO fratelli[1].nome 5") { lodge in
      let twice = Fixture(fratelli: [
        Lodge.brother(7, "Ugo Neri", .maestro, since: nil),
        Lodge.brother(8, Lodge.bruno, .maestro, since: nil),
      ])
      let handled = lodge.line.twin.handle(.load(twice), from: .administration, at: lodge.now)
      guard case .now(.failure(let refusal)) = handled.answer else { return "loaded" }
      return "\(refusal.code) \(refusal.field ?? "") \(lodge.inspection!.fratelli.count)"
    },
  ]

  static let tornate: [Probe] = [
    Probe(.kw040, "[9, 8, 6] [9, 8, 6] [2025: 4] [4]") { lodge in
      let planned = lodge.tornate(.absent, .programmata).ids
      let ofYear = lodge.tornate(Anno(2026), .programmata).ids
      let cancelled = lodge.tornate(Anno(2025), .annullata).ids
      return "\(planned) \(ofYear) [2025: \(lodge.tornate(Anno(2025)).count)] \(cancelled)"
    },
    Probe(.kw041, "9") { "\($0.tornate(as: Lodge.nicola).count)" },
    Probe(.kw042, "[9, 8, 7, 6, 5, 4, 3, 2, 1]") { "\($0.tornate().ids)" },
    Probe(.kw043, "programmata") { lodge in
      let new = NewTornata(data: lodge.now, discussione: "x", stato: .annullata)
      return lodge.ask(.createTornata(new), as: Lodge.admin)!.reply!.tornata!.stato.rawValue
    },
    Probe(.kw044, "10") { lodge in
      let new = NewTornata(data: lodge.now, discussione: "x")
      _ = lodge.ask(.createTornata(new), as: Lodge.admin)
      return "\(lodge.tornate(as: Lodge.bruno).count)"
    },
    Probe(.kw045, "ok") { lodge in
      let new = NewTornata(data: lodge.now, discussione: "x", tipo: .cerimonia)
      return lodge.ask(.createTornata(new), as: Lodge.admin).code
    },
    Probe(.kw046, "true Rocca true") { lodge in
      lodge.set(8) { ($0.cena, $0.location) = (.to(true), .to("Rocca")) }
      lodge.set(8) { $0.notes = .to("x") }
      let before = lodge.inspection
      lodge.set(8) { _ in }
      let tornata = lodge.inspection!.tornate[7]
      return "\(tornata.cena) \(tornata.location) \(before?.tornate == lodge.inspection?.tornate)"
    },
    Probe(.kw048, "6 5 [8, 7, 6, 5, 4, 3, 2, 1]") { lodge in
      let before = lodge.statistics()!.total
      lodge.set(3) { $0.stato = .to(.annullata) }
      return "\(before) \(lodge.statistics()!.total) \(lodge.records().ids)"
    },
    Probe(.kw049, "ok ok ok ok ok ok") { lodge in
      let states: [Tornata.Stato] = [
        .completata, .programmata, .annullata, .completata, .annullata, .programmata,
      ]
      return states.map { state in lodge.set(8) { $0.stato = .to(state) }.code }
        .joined(separator: " ")
    },
    Probe(.kw050, "[9, 8, 6]") { lodge in
      lodge.wait(.days(365))
      return "\(lodge.tornate(.absent, .programmata).ids)"
    },
    Probe(.kw051, "ok TORNATA_NON_TROVATA [8, 7, 6, 5, 4, 2, 1]") { lodge in
      let first = lodge.ask(.deleteTornata(3), as: Lodge.admin).code
      let second = lodge.ask(.deleteTornata(3), as: Lodge.admin).code
      return "\(first) \(second) \(lodge.records().ids)"
    },
    Probe(.kw054, "TORNATA_NON_TROVATA TORNATA_NON_TROVATA") { lodge in
      lodge.set(99) { _ in }.code + " " + lodge.ask(.deleteTornata(99), as: Lodge.admin).code
    },
  ]

  static let presenze: [Probe] = [
    Probe(.kw060, "[9] [9]") { lodge in
      lodge.confirm(9, as: Lodge.carlo)
      lodge.confirm(9, as: Lodge.nicola)
      return "\(lodge.records(of: 5).ids) \(lodge.records(of: 4).filter { $0.tornataID > 3 }.ids)"
    },
    Probe(.kw061, "ok ACCESSO_NEGATO ok FRATELLO_NON_TROVATO") { lodge in
      [
        lodge.confirm(9, of: 3).code, lodge.confirm(9, of: 4).code,
        lodge.confirm(9, as: Lodge.admin, of: 4).code,
        lodge.confirm(9, as: Lodge.admin, of: 99).code,
      ].joined(separator: " ")
    },
    Probe(.kw062, "CAMPO_NON_VALIDO") { lodge in
      let operation = Kilwinning.operations.firstIndex { $0.name == "confirm" }!
      return lodge.ask(
        .unread(.malformed(operation: operation, .invalid("presente"))), as: Lodge.bruno
      ).code
    },
    Probe(.kw063, "1 true") { lodge in
      lodge.confirm(9, true)
      let first = lodge.records().first
      lodge.wait(.minutes(1))
      lodge.confirm(9, false)
      let last = lodge.records().filter { $0.tornataID == 9 }
      return "\(last.count) \(first?.id == last.first?.id)"
    },
    Probe(.kw064, "Presente 2026-01-10T09:01:00.000Z") { lodge in
      lodge.confirm(9)
      lodge.wait(.minutes(1))
      lodge.confirm(9)
      let stored = lodge.records().first
      return "\(stored!.status.rawValue) \(stored!.confirmedAt!)"
    },
    Probe(.kw065, "ok ok TORNATA_ANNULLATA") { lodge in
      [9, 2, 4].map { lodge.confirm(Serial($0)).code }.joined(separator: " ")
    },
    Probe(.kw066, "TORNATA_PRE_INIZIAZIONE ok") { lodge in
      lodge.confirm(2, as: Lodge.nicola).code + " " + lodge.confirm(3, as: Lodge.nicola).code
    },
    Probe(.kw067, "true") { lodge in
      lodge.confirm(6, true)
      return "\(lodge.statistics()!.presences == 4)"
    },
    Probe(.kw068, "[8, 7, 6, 5, 4, 3, 2, 1] [3]") { lodge in
      "\(lodge.records().ids) \(lodge.records(of: 4).ids)"
    },
    Probe(.kw069, "ok") { $0.ask(.presenze(PresenzeQuery(3)), as: Lodge.carlo).code },
    Probe(.kw070, "false true false") { lodge in
      // The tornata of 22 January: the 17th ends the time, in Rome.
      [("2026-01-17T22:59:59Z", 8), ("2026-01-17T23:00:00Z", 8), ("2026-01-22T18:30:00Z", 8)]
        .map { instant, tornata in
          lodge.now = Instant(instant)!
          lodge.logIn(Lodge.bruno)
          return "\(lodge.confirm(Serial(tornata))!.reply!.confirmed!.oltreTermine)"
        }.joined(separator: " ")
    },
    Probe(.kw071, "1 Assente") { lodge in
      for presente in [true, false, true, false] { lodge.confirm(9, presente) }
      let stored = lodge.records().filter { $0.tornataID == 9 }
      return "\(stored.count) \(stored[0].status.rawValue)"
    },
    Probe(.kw072, "true Assente CHIAVE_RIUSATA ok") { lodge in
      let first = lodge.confirm(9, true, key: "op")
      lodge.wait(.minutes(1))
      lodge.confirm(9, false)
      lodge.wait(.minutes(1))
      let again = lodge.confirm(9, true, key: "op")
      let stored = lodge.records().first!
      let other = lodge.confirm(9, false, key: "op").code
      return "\(first == again) \(stored.status.rawValue) \(other) "
        + lodge.confirm(9, false, as: Lodge.carlo, key: "op").code
    },
    Probe(.kw127, "Assente 2026-01-10T09:02:00.000Z") { lodge in
      lodge.confirm(9, true)
      lodge.wait(.minutes(2))
      lodge.confirm(9, false, key: "offline")
      return "\(lodge.records()[0].status.rawValue) \(lodge.records()[0].confirmedAt!)"
    },
  ]

  static let years: [Probe] = [
    Probe(.kw075, "9 9 9 9") { lodge in
      [Anno.absent, Anno(""), .tutti, Anno("TuTTi")].map { "\(lodge.tornate($0).count)" }
        .joined(separator: " ")
    },
    Probe(.kw076, "[4, 3, 2, 1] [9, 8, 7, 6, 5]") { lodge in
      "\(lodge.tornate(Anno(2025)).ids) \(lodge.tornate(Anno(2026)).ids)"
    },
    Probe(.kw077, "ANNO_NON_VALIDO ANNO_NON_VALIDO ANNO_NON_VALIDO 0") { lodge in
      let codes = [" 2025", "25", "２０２５"].map {
        lodge.ask(.riepilogo(Anno($0)), as: Lodge.bruno).code
      }
      return codes.joined(separator: " ") + " \(lodge.statistics(Anno(1999))!.total)"
    },
  ]

  static let figures: [Probe] = [
    Probe(.kw080, "[3] 4") { "\($0.records(of: 4).ids) \($0.statistics(of: 4)!.total)" },
    Probe(.kw081, "1") { "\($0.statistics(of: 4, Anno(2025))!.total)" },
    Probe(.kw082, "6") { "\($0.statistics(of: 5)!.total)" },
    Probe(.kw083, "6 7") { lodge in
      let now = lodge.statistics()!.total
      lodge.now = Instant("2026-01-22T18:30:00Z")!
      lodge.logIn(Lodge.admin)
      return "\(now) \(lodge.statistics()!.total)"
    },
    Probe(.kw084, "6 9") { lodge in
      let held = lodge.statistics()!.total
      lodge.tell(.configure(Adjustment { $0.conteggio = .tutte }))
      return "\(held) \(lodge.statistics()!.total)"
    },
    Probe(.kw085, "3") { "\($0.statistics()!.presences)" },
    Probe(.kw086, "1 3") { lodge in
      lodge.set(6) { $0.stato = .to(.annullata) }
      let streak = lodge.statistics()!.streak
      lodge.confirm(5)
      return "\(streak) \(lodge.statistics()!.streak)"
    },
    Probe(.kw087, "1") { "\($0.statistics()!.streak)" },
    Probe(.kw088, "0 1") { lodge in
      lodge.confirm(2)
      lodge.confirm(5, false)
      lodge.confirm(6)
      let all = lodge.statistics()!.streak
      return "\(all - 2) \(lodge.statistics(Anno(2025))!.streak - 2)"
    },
    Probe(.kw089, "3 1") { lodge in
      "\(lodge.statistics()!.presences) \(lodge.statistics(of: 4)!.presences)"
    },
    Probe(.kw090, "66") { "\($0.statistics(Anno(2025))!.percentage)" },
    Probe(.kw091, "true") { "\($0.statistics(Anno(2025))!.rate == 2.0 / 3)" },
    Probe(.kw092, "3") { "\($0.statistics()!.absences)" },
    Probe(.kw093, "2 0") { lodge in
      lodge.confirm(2)
      lodge.confirm(1, false)
      lodge.confirm(7, false)
      let of2026 = lodge.statistics(Anno(2026))!
      return "\(of2026.record) \(of2026.streak)"
    },
    Probe(.kw095, "[3, 1, 2, 5, 4]") { lodge in
      "\(lodge.ask(.riepilogo(.tutti), as: Lodge.bruno)!.reply!.riepilogo!.map(\.id.number))"
    },
  ]

  static let others: [Probe] = [
    Probe(.kw133, "ACCESSO_NEGATO ok") { lodge in
      [Lodge.carlo, Lodge.admin].map { lodge.ask(.exportRiepilogo(.tutti), as: $0).code }
        .joined(separator: " ")
    },
    Probe(
      .kw134,
      "id,nome,grado,presenze,tornate_disponibili,percentuale|3,Bruno D'Arpini,Maestro,3,6,50"
    ) { lodge in
      lodge.csv().csv.split(separator: "\r\n").prefix(2).joined(separator: "|")
    },
    Probe(.kw135, "6") { "\($0.csv().csv.components(separatedBy: "\r\n").count - 1)" },
    Probe(.kw136, "riepilogo-presenze-tutti.csv riepilogo-presenze-2025.csv") { lodge in
      "\(lodge.csv(Anno("TUTTI")).fileName) \(lodge.csv(Anno(2025)).fileName)"
    },
    Probe(.kw152, "CORPO_TROPPO_GRANDE JSON_NON_VALIDO") { lodge in
      [Unread.Fault.tooLarge, .noDocument].map {
        lodge.ask(.unread(.malformed(operation: 9, $0)), with: nil).code
      }.joined(separator: " ")
    },
    Probe(.kw153, "METODO_NON_CONSENTITO [\"PUT\"] ROTTA_NON_TROVATA") { lodge in
      let wrong = lodge.ask(
        .unread(.unrouted(.init("GET", "/api/fratelli/7", allowed: ["PUT"]))), with: nil)
      let nowhere = lodge.ask(.unread(.unrouted(.init("GET", "/api/tornate/7"))), with: nil)
      return "\(wrong.code) \(wrong?.refusal?.allowed ?? []) \(nowhere.code)"
    },
    Probe(.kw163, "ok 100 TROPPE_RICHIESTE 60 ok") { lodge in
      lodge.tell(.configure(Adjustment { $0.limitsRequests = true }))
      // The wire has no address of its own: the twin is asked as a server asks it.
      let phone = Kilwinning.Credential(peer: "phone")
      func ask(_ lodge: inout Lodge) -> Outcome<Kilwinning>? {
        let handled = lodge.line.twin.handle(.fratelli, from: .client(phone), at: lodge.now)
        if case .now(let result) = handled.answer { return Outcome(result) }
        return nil
      }
      var count = 0
      while count < 200, ask(&lodge).code == "ok" { count += 1 }
      let refused = ask(&lodge)
      lodge.wait(.minutes(1))
      return
        "ok \(count) \(refused.code) \(refused?.refusal?.retryAfterSeconds ?? 0) \(ask(&lodge).code)"
    },
  ]
}

extension Lodge {
  fileprivate mutating func token(_ nome: String) -> String {
    guard case .bearer(let token)? = logIn(nome)?.authorization else { return "" }
    return token
  }

  fileprivate mutating func isAdmin(_ nome: String) -> Bool {
    ask(.me, as: nome)?.reply?.fratello?.adminAccess ?? false
  }

  fileprivate mutating func csv(_ anno: Anno = .tutti) -> Esportazione {
    ask(.exportRiepilogo(anno), as: Self.admin)!.reply!.esportazione!
  }
}
