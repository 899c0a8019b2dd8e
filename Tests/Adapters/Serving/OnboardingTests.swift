import Contracts
import DomainList
import Foundation
import KantineKoningDomain
import Replays
import Serving
import Testing
import Timekeeping
import ToyDomain

/// From an empty twin to a volunteer on a dienst, as a tester would write it down.
private struct Story {
  typealias Step = @Sendable ([JSON]) -> (method: String, path: String, token: String?, body: JSON?)

  static let base = "/api/mobile/v1"
  static let fixture: JSON = [
    "tenants": [["slug": "agovv", "name": "AGOVV"]],
    "teams": [["tenant_slug": "agovv", "id": "t-1", "code": "JO11-3", "naam": "JO11-3"]],
    "managers": [
      ["tenant_slug": "agovv", "email": "m@example.org", "team_codes": ["JO11-3"]]
    ],
    "diensten": [
      [
        "id": "d-1", "tenant_slug": "agovv", "team": "JO11-3",
        "start_tijd": "2026-03-28T09:00:00Z", "eind_tijd": "2026-03-28T12:00:00Z",
      ]
    ],
  ]

  /// A control command has no method.
  static let steps: [Step] = [
    { _ in ("", "load", nil, fixture) },
    { _ in ("GET", base + "/tenants", nil, nil) },
    { _ in ("POST", base + "/enrollments/request", nil, asked([])) },
    { _ in ("POST", base + "/enrollments/request", nil, asked(["JO11-3"])) },
    { _ in ("", "outbox", nil, nil) },
    { answers in
      let token = answers[4]["mails"]?[0]?["token"] ?? answers[4][0]?["token"] ?? nil
      return (
        "POST", base + "/enrollments/register", nil,
        [
          "enrollment_token": token, "hardware_identifier": "phone-1", "apns_device_token": "",
          "platform": "ios", "build_environment": "production",
        ]
      )
    },
    { _ in ("", "advance", nil, ["by": "1h"]) },
    { ("GET", base + "/diensten?tenant=agovv", token($0), nil) },
    { ("POST", base + "/diensten/d-1/volunteer?tenant=agovv", token($0), ["naam": "Fatima"]) },
    { ("POST", base + "/diensten/d-1/volunteer?tenant=agovv", token($0), ["naam": "Fatima"]) },
    { ("DELETE", base + "/diensten/d-1/volunteer?tenant=agovv&naam=Fatima", token($0), nil) },
    { ("GET", base + "/enrollments/status", token($0), nil) },
    { _ in ("PATCH", base + "/enrollments/status", nil, nil) },
    { _ in ("GET", base + "/nowhere", nil, nil) },
    { _ in ("", "inspect", nil, nil) },
  ]
  static let statuses = [200, 401, 200, 200, 200, 200, 200, 200, 200, 409, 200, 200, 405, 404, 200]

  private static func asked(_ codes: [String]) -> JSON {
    [
      "email": "m@example.org", "tenant_slug": "agovv", "team_codes": .strings(codes),
      "platform": "ios",
    ]
  }

  private static func token(_ answers: [JSON]) -> String? { answers[5]["api_token"]?.string }
}

@Suite struct `A served canteen` {
  @Test func `leads a manager from the magic link to a volunteer, exactly as replay does`()
    async throws
  {
    let served = try await ServedDomain.with(KantineKoningBackend()) { served in
      var answers: [(status: Int, body: JSON)] = []
      for step in Story.steps {
        let (method, path, token, body) = step(answers.map(\.body))
        let answer =
          method.isEmpty
          ? try await served.command(path, (body ?? [:]).description)
          : try await Client.ask(
            method, served.url + path, body: body?.description, token: token)
        answers.append((answer.status, answer.json ?? nil))
      }
      return answers.map(\.status).map(JSON.number) + answers.map(\.body)
    }

    var script = ReplayScript(
      SteppedTwin(KantineKoningBackend(), setup: Domains.setup(), starts: Domains.epoch))
    var bodies: [JSON] = []
    var statuses: [JSON] = []
    for step in Story.steps {
      let (method, path, token, body) = step(bodies)
      var line: JSONObject = [:]
      if method.isEmpty {
        line["control"] = .object(JSONObject([(path, body ?? [:])]))
      } else {
        line["method"] = .string(method)
        line["path"] = .string(path)
        line["body"] = body
        if let token { line["headers"] = ["Authorization": .string("Bearer \(token)")] }
      }
      let answer = try script.perform(line: JSON.object(line).description)
      statuses.append(answer["status"] ?? nil)
      bodies.append(answer["body"] ?? nil)
    }

    #expect(statuses == Story.statuses.map(JSON.number))
    #expect(served == statuses + bodies)
  }

  @Test func `gives exactly one of many simultaneous registrations the token`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      try await served.command("load", Story.fixture.description)
      let register = Story.base + "/enrollments/register"
      _ = try await Client.ask(
        "POST", served.url + Story.base + "/enrollments/request",
        body: JSON.description(of: Story.steps[3]([]).body))
      let outbox = try await served.command("outbox").json ?? nil
      let body = JSON.description(of: Story.steps[5]([nil, nil, nil, nil, outbox]).body)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...12 {
          group.addTask { try await Client.ask("POST", served.url + register, body: body).status }
        }
        return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [200: 1, 422: 11])
    }
  }

  @Test func `describes its interface from the contract, each operation with its path`()
    async throws
  {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let document = try await Client.ask("GET", served.control + "/openapi.json").json
      #expect(document?["openapi"] == "3.1.0")
      let paths = document?["paths"]?.object?.members ?? []
      let listed = paths.flatMap { path in
        (path.value.object?.members ?? []).map { "\($0.name.uppercased()) \(path.name)" }
      }
      #expect(listed.contains("DELETE /api/mobile/v1/diensten/{id}/volunteer"))
      let routes = KantineKoningBackend.Contract.operations.filter { $0.kind == .product }
        .map { ($0.name, KantineKoningBackend.Contract.route(of: $0)) }
      #expect(routes.filter { $0.1 == nil }.map(\.0) == ["unrouted"])
      #expect(Set(listed) == Set(routes.compactMap { $0.1.map { "\($0.method) \($0.path)" } }))
    }
  }

  @Test func `describes what a contract declares with schemas, statuses and ways to prove oneself`()
    async throws
  {
    try await ServedDomain.with(ToyBackend()) { served in
      let document = try await Client.ask("GET", served.control + "/openapi.json").json
      let borrow = document?["paths"]?["/tools/{tool}/loan"]?["put"]
      let schema = borrow?["requestBody"]?["content"]?["application/json"]?["schema"]
      #expect(schema?["required"] == ["hours", "key"])
      #expect(schema?["properties"]?["hours"]?["maximum"] == 8)
      #expect(borrow?["responses"]?["200"] != nil && borrow?["responses"]?["409"] != nil)
      #expect(borrow?["security"] == [["bearer": []]])
    }
  }

  @Test
  func `says of each operation of Kantine Koning what it takes, gives and refuses`()
    async throws
  {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let document = try await Client.ask("GET", served.control + "/openapi.json").json
      let paths = document?["paths"]?.object?.members ?? []
      let operations = paths.flatMap { path in
        (path.value.object?.members ?? []).map { ("\($0.name) \(path.name)", $0.value) }
      }
      #expect(operations.count == 24, "O1 and O2 are one by their path")
      for (name, operation) in operations {
        let answers = operation["responses"]?.object?.members ?? []
        let answered = answers.first { $0.name == "200" }?.value
        let schema = answered?["content"]?["application/json"]?["schema"]
        #expect(schema?["type"] == "object" || schema?["anyOf"] != nil, "\(name)")
        let refused = answers.filter { $0.name >= "400" }
        #expect(refused.contains { $0.value["description"]?.string?.contains("not_found") == true })
        for refusal in refused {
          let form = refusal.value["content"]?["application/json"]?["schema"]
          #expect(form?["required"] == ["error"], "\(name)")
        }
        if let body = operation["requestBody"]?["content"]?["application/json"]?["schema"] {
          #expect(body["properties"]?.object?.members.isEmpty == false, "\(name)")
        }
        #expect(operation["security"] != nil, "\(name)")
      }
      let add = document?["paths"]?["/api/mobile/v1/diensten/{id}/volunteer"]?["post"]
      #expect(add?["security"] == [["bearer": []]])
      #expect(
        add?["responses"]?["409"]?["description"] == "Refused: volunteer_exists")
      let body = add?["requestBody"]?["content"]?["application/json"]?["schema"]
      #expect(body?["required"] == ["naam"] && body?["properties"]?["naam"]?["type"] == "string")
      let preferences = document?["paths"]?["/api/mobile/v1/enrollment/email-preferences"]?["put"]
      let given = preferences?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
      let byCode = given?["properties"]?["team_email_preferences"]
      #expect(byCode?["additionalProperties"]?["type"] == "boolean")
      let search = document?["paths"]?["/api/mobile/v1/tenants/search"]?["get"]
      #expect(search?["security"] == [[:], ["bearer": []]])
    }
  }

  @Test func `switches a rule off and on by command`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      #expect(try await served.command("setRule", #"{"id":"KK-58","binds":false}"#).status == 200)
      let unknown = try await served.command("setRule", #"{"id":"KK-999","binds":false}"#)
      #expect(unknown.status == 400)
      #expect(unknown.json?["error"] == "invalid_command")
    }
  }
}

extension JSON {
  fileprivate static func description(of document: JSON?) -> String {
    (document ?? [:]).description
  }
}
