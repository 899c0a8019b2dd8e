import Contracts
import KilwinningContract
import KilwinningTwin
import Testing
import Timekeeping
import WireLine

@Suite struct `Numbers and texts at their edges` {
  /// What a body is refused for, as code and field; `ok` where it is taken.
  private func send(
    _ method: String, _ target: String, _ body: String, to lodge: inout Lodge
  ) -> String {
    let admin = lodge.credentials[Lodge.admin] ?? lodge.logIn(Lodge.admin)
    guard case .bearer(let token)? = admin?.authorization else { return "no session" }
    let wire = WireRequest(
      method, target,
      headers: [
        WireHeader("Authorization", "Bearer " + token),
        WireHeader("Content-Type", "application/json"),
      ], body: Array(body.utf8))
    let (request, credential) = Kilwinning.read(wire)
    let handled = lodge.line.twin.handle(request, from: .client(credential), at: lodge.now)
    guard case .now(let answer) = handled.answer else { return "later" }
    switch answer {
    case .success: return "ok"
    case .failure(let refusal):
      return [refusal.kind.rawValue, refusal.field].compactMap { $0 }.joined(separator: " ")
    }
  }

  @Test(
    arguments: [
      ("99", "TORNATA_NON_TROVATA"), ("0", "TORNATA_NON_TROVATA"), ("-3", "TORNATA_NON_TROVATA"),
      ("9223372036854775807", "TORNATA_NON_TROVATA"),
      ("9223372036854775808", "TORNATA_NON_TROVATA"),
      ("-9223372036854775809", "TORNATA_NON_TROVATA"), ("1e30", "TORNATA_NON_TROVATA"),
      ("1.5", "CAMPO_NON_VALIDO tornata_id"), ("\"9\"", "CAMPO_NON_VALIDO tornata_id"),
      ("true", "CAMPO_NON_VALIDO tornata_id"),
    ])
  func `an identifier that is too large for one is nobody's, in a body as in a path: KW-062`(
    id: String, due: String
  ) {
    var lodge = Lodge()
    #expect(
      send("POST", "/api/presenze", "{\"tornata_id\": \(id), \"presente\": true}", to: &lodge)
        == due)
    guard !due.hasSuffix("tornata_id"), !id.contains("e") else { return }
    #expect(send("PUT", "/api/admin/tornate/\(id)", "{}", to: &lodge) == due)
    let forAnother = "{\"tornata_id\": 9, \"presente\": true, \"fratello_id\": \(id)}"
    #expect(send("POST", "/api/presenze", forAnother, to: &lodge) == "FRATELLO_NON_TROVATO")
  }

  @Test(
    arguments: [
      ("1677-12-31T23:59:59Z", false), ("1678-01-01T00:00:00Z", true),
      ("2261-12-31T23:59:59Z", true), ("2261-12-31T23:59:59.999Z", true),
      ("2262-01-01T00:00:00Z", false), ("2262-01-01T00:30:00+01:00", true),
      ("0001-01-01T00:00:00Z", false), ("9999-12-31T00:00:00Z", false),
    ])
  func `a tornata takes place between 1678 and 2261: KW-043, KW-046`(data: String, isKept: Bool) {
    var lodge = Lodge()
    let made = """
      {"data": "\(data)", "discussione": "x", "location": "y", "cena": false, "tipo": "ordinaria"}
      """
    let due = isKept ? "ok" : "CAMPO_NON_VALIDO data"
    #expect(send("POST", "/api/admin/tornate", made, to: &lodge) == due)
    #expect(send("PUT", "/api/admin/tornate/9", "{\"data\": \"\(data)\"}", to: &lodge) == due)
    let loaded = try? Kilwinning.control(
      "load", ["tornate": [["discussione": "x", "data": .string(data)]]])
    #expect((loaded != nil) == isKept)
  }

  @Test func `every year in which a tornata may lie selects its own: KW-076`() {
    var lodge = Lodge()
    for data in [
      "1678-01-01T12:00:00Z", "1685-06-01T12:00:00Z", "2255-06-01T12:00:00Z",
      "2261-12-31T12:00:00Z",
      // Rome is in the next year already.
      "2261-12-31T23:30:00Z",
    ] {
      let begins = Instant(data, years: 1_678...2_261)!
      let made = lodge.ask(
        .createTornata(NewTornata(data: begins, discussione: data)), as: Lodge.admin)
      let year = CivilZone.rome.civil(at: begins).date.year
      #expect(lodge.tornate(Anno(year)).map(\.id).contains(made?.reply?.tornata?.id ?? 0))
      #expect(!lodge.tornate(Anno(year - 1)).map(\.discussione).contains(data))
    }
    #expect(lodge.tornate(Anno(2263)) == [] && lodge.tornate(Anno(0)) == [])
  }

  @Test func `no fixture gives an identifier that somebody has or had: §2.0, §2.9`() {
    var lodge = Lodge()
    func refusal(_ fixture: Fixture) -> String? {
      let handled = lodge.line.twin.handle(.load(fixture), from: .administration, at: lodge.now)
      guard case .now(.failure(let refusal)) = handled.answer else { return nil }
      return refusal.field
    }
    let free = Lodge.attendance(1, of: 5, at: 1, .presente)
    #expect(refusal(Fixture(presenze: [free])) == "presenze[0].id")
    // The first one takes the next identifier, which the second one gives.
    var unnamed = Lodge.attendance(1, of: 5, at: 2, .presente)
    unnamed.id = nil
    let next = Lodge.attendance(11, of: 5, at: 3, .presente)
    #expect(refusal(Fixture(presenze: [unnamed, next])) == "presenze[1].id")
    _ = lodge.ask(.deleteTornata(9), as: Lodge.admin)
    let gone = Lodge.meeting(9, "2026-01-01T00:00:00Z")
    #expect(refusal(Fixture(tornate: [gone])) == "tornate[0].id")
    #expect(refusal(Fixture(presenze: [next])) == nil)
    for id in ["0", "-1", "9007199254740992", "1e19"] {
      for entity in [
        "{\"fratelli\": [{\"id\": \(id), \"nome\": \"Ugo Neri\", \"grado\": \"Maestro\"}]}",
        "{\"tornate\": [{\"id\": \(id), \"discussione\": \"x\", \"data\": \"2026-01-01T00:00:00Z\"}]}",
        "{\"presenze\": [{\"id\": \(id), \"fratello_id\": 3, \"tornata_id\": 9}]}",
      ] {
        #expect(throws: ControlProblem.self, "\(entity)") {
          _ = try Kilwinning.control("load", try #require(JSON(parsing: entity)))
        }
      }
    }
  }

  @Test func `a quote before a combining mark is doubled in the file: KW-135`() {
    let name = "Anselmo \"\u{301}Nino\"\u{308} Rossi"
    var fixture = Lodge.fixture
    fixture.fratelli.append(Lodge.brother(6, name, .maestro, since: nil))
    var lodge = Lodge(fixture)
    let file = lodge.ask(.exportRiepilogo(.absent), as: Lodge.admin)?.reply?.esportazione?.csv
    let due = "6,\"Anselmo \"\"\u{301}Nino\"\"\u{308} Rossi\",Maestro,"
    #expect(
      file.map { Array($0.utf8).split(separator: 10).contains { $0.starts(with: due.utf8) } }
        == true)
  }

  @Test func `the dashboard's card multiplies in doubles and rounds halves to even: KW-091`() {
    func shown(_ presences: Int, of total: Int) -> String {
      Badges.shownPercentage(Double(presences) / Double(total))
    }
    #expect(shown(23, of: 40) == "57%" && shown(7, of: 8) == "88%")
    #expect(shown(1, of: 8) == "12%" && shown(29, of: 50) == "58%" && shown(0, of: 3) == "0%")
  }
}
