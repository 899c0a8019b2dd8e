import Contracts
import DomainList
import KilwinningDomain
import Replays
import Serving
import Testing
import Timekeeping

/// From an empty lodge to a CSV file, as a tester would write it down: who asks, how, and for what; a control command has no method.
private enum Evening {
  typealias Step = (as: String?, method: String, path: String, body: JSON?)

  static let admin = "Paolo Giulio Gazzano"
  static let fixture: JSON = [
    "fratelli": [
      ["nome": .string(admin), "grado": "Maestro"],
      ["nome": "Bruno D'Arpini", "grado": "Compagno", "data_iniziazione": "2026-03-10T20:00:00Z"],
    ],
    "tornate": [
      ["discussione": "Luce", "data": "2026-03-10T18:30:00Z", "stato": "completata"],
      ["discussione": "Ombra", "data": "2026-03-24T18:30:00Z"],
    ],
    "presenze": [["fratello_id": 2, "tornata_id": 1, "status": "Presente"]],
  ]

  static let steps: [Step] = [
    (nil, "", "load", fixture), (nil, "GET", "/api", nil), (nil, "GET", "/api/", nil),
    (nil, "GET", "/api/fratelli", nil), (nil, "GET", "/api/tornate", nil),
    (admin, "POST", "/api/fratelli/login", ["nome": .string(admin)]),
    ("Bruno", "POST", "/api/fratelli/login", ["nome": " Bruno D'Arpini "]),
    ("Bruno", "GET", "/api/presenze/fratello/2/statistiche?anno=Tutti", nil),
    ("Bruno", "POST", "/api/presenze", ["tornata_id": 2, "presente": true]),
    ("Bruno", "POST", "/api/presenze", ["tornata_id": "2", "presente": true]),
    ("Bruno", "POST", "/api/admin/tornate", [:]),
    (admin, "POST", "/api/admin/tornate", ["data": "2026-03-31T17:30:00Z"]),
    (
      admin, "POST", "/api/admin/tornate",
      [
        "data": "2026-03-31T19:30:00.9+02:00", "discussione": " Il viaggio ", "location": "Tolfa",
        "cena": true, "tipo": "straordinaria", "title": "ignored",
      ]
    ),
    (admin, "PUT", "/api/admin/tornate/3", ["cena": nil]),
    (admin, "PUT", "/api/admin/tornate/99", ["cena": nil]),
    (admin, "PUT", "/api/admin/tornate/3", ["notes": nil, "stato": "annullata"]),
    (nil, "", "advance", ["to": "2026-03-24T18:30:00Z"]),
    ("Bruno", "GET", "/api/fratelli/me", nil),
    ("Bruno", "POST", "/api/fratelli/login", ["nome": "Bruno D'Arpini"]),
    ("Bruno", "GET", "/api/presenze/fratello/2?anno=2026", nil),
    ("Bruno", "GET", "/api/presenze/fratello/2/statistiche", nil),
    ("Bruno", "GET", "/api/presenze/riepilogo-fratelli?anno=26", nil),
    ("Bruno", "GET", "/api/presenze/fratello/x", nil),
    ("Bruno", "GET", "/api/fratelli/2", nil), ("Bruno", "OPTIONS", "/api/nowhere", nil),
    ("Bruno", "PATCH", "/api/fratelli/2", nil), (nil, "GET", "/api/tornate/1", nil),
    ("Bruno", "POST", "/api/fratelli/logout", [:]), ("Bruno", "GET", "/api/tornate", nil),
    (nil, "", "inspect", nil),
  ]
  static let statuses = [
    200, 200, 200, 200, 401, 200, 200, 200, 200, 400, 403, 400, 201, 400, 404, 200, 200, 401, 200,
    200,
    200, 400, 400, 405, 200, 405, 404, 200, 401, 200,
  ]
}

@Suite struct `A served lodge` {
  @Test func `answers as replay does: KW-155`() async throws {
    let served = try await ServedDomain.with(KilwinningBackend()) { served in
      var tokens: [String: String] = [:]
      var answers: [JSON] = []
      for (caller, method, path, body) in Evening.steps {
        let answer =
          method.isEmpty
          ? try await served.command(path, (body ?? [:]).description)
          : try await Client.ask(
            method, served.url + path, body: body?.description, token: caller.flatMap { tokens[$0] }
          )
        if let caller, let token = answer.json?["token"]?.string { tokens[caller] = token }
        answers += [.number(answer.status), answer.json ?? nil]
      }
      return answers
    }
    var script = ReplayScript(
      SteppedTwin(KilwinningBackend(), setup: Domains.setup(), starts: Domains.epoch))
    var replayed: [JSON] = []
    for (caller, method, path, body) in Evening.steps {
      var line: JSONObject = [:]
      if method.isEmpty {
        line["control"] = .object(JSONObject([(path, body ?? [:])]))
      } else {
        if let caller { line["as"] = .string(caller) }
        line["method"] = .string(method)
        line["path"] = .string(path)
        line["body"] = body
      }
      let answer = try script.perform(line: JSON.object(line).description)
      replayed += [answer["status"] ?? nil, answer["body"] ?? nil]
    }
    // As text: a whole number with a fraction is read back as one without.
    #expect(served.map(\.description) == replayed.map(\.description))
    #expect(
      stride(from: 0, to: replayed.count, by: 2).map { replayed[$0] }
        == Evening.statuses.map(JSON.number))
    let created = replayed[25]
    #expect(created["data"] == "2026-03-31T17:30:00Z" && created["title"] == "Il viaggio")
    #expect(
      created["stato"] == "programmata" && created["location_enum"] == "Nostra Loggia - Tolfa")
    #expect(
      replayed[41].description
        == #"{"totali_tornate":2,"total_tornate":2,"presenze_count":2,"presences":2,"absences":0,"#
        + #""percentuale":100,"presenze_consecutive":2,"consecutive_presences":2,"personal_record":2,"attendance_rate":1}"#
    )
  }

  @Test
  func
    `sends the file, the cookie and the headers of every answer: KW-011, KW-135, KW-136, KW-160`()
    async throws
  {
    try await ServedDomain.with(KilwinningBackend()) { served in
      try await served.command("load", Evening.fixture.description)
      let login = try await Client.ask(
        "POST", served.url + "/api/fratelli/login", body: #"{"nome": "\#(Evening.admin)"}"#)
      let cookie = try #require(login.headers["set-cookie"])
      #expect(cookie.hasSuffix("; HttpOnly; Path=/api; SameSite=Strict"))
      let token = login.json?["token"]?.string
      let file = try await Client.ask(
        "GET", served.url + "/api/admin/presenze/riepilogo.csv?anno=tutti", token: token)
      #expect(file.headers["content-type"] == "text/csv; charset=utf-8")
      #expect(
        file.headers["content-disposition"]
          == #"attachment; filename="riepilogo-presenze-tutti.csv""#)
      #expect(
        file.text
          == "id,nome,grado,presenze,tornate_disponibili,percentuale\r\n"
          + "1,Paolo Giulio Gazzano,Maestro,0,1,0\r\n2,Bruno D'Arpini,Compagno,1,1,100\r\n")
      let preflight = try await Client.ask("OPTIONS", served.url + "/api/presenze")
      #expect(preflight.status == 200 && preflight.text.isEmpty)
      for answer in [login, file, preflight] {
        #expect(answer.headers["access-control-allow-origin"] == "*")
        #expect(
          answer.headers["access-control-allow-headers"]
            == "Content-Type, Authorization, Idempotency-Key")
      }
    }
  }
}
