import AsiaTravelPlanContract
import AsiaTravelPlanDomain
import Contracts
import DomainList
import Foundation
import KantineKoningDomain
import Serving
import Testing
import Timekeeping

@Suite struct `A server of twins` {
  private static let path = "/api/mobile/v1/enrollments/register"

  @Test func `knows no control commands unless they are asked for`() async throws {
    try await ServedDomain.with(KantineKoningBackend(), options: ServingOptions()) { served in
      for path in ["health", "kantine-koning/load", "kantine-koning/openapi.json", ""] {
        let answer = try await Client.ask("POST", "\(served.url)/_rehearsal/\(path)", body: "{}")
        #expect(answer.status == 404)
        #expect(answer.json == ["error": "not_found"])
      }
    }
  }

  @Test func `answers its health, its commands, and what is no command`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let health = try await Client.ask("GET", served.url + "/_rehearsal/health")
      #expect(
        health.json == [
          "status": "ok", "domain": "kantine-koning", "now": "2026-03-21T05:00:00.000Z",
          "clock": .null, "commands": .string(Digest().hexadecimal),
        ])
      let commands = try await Client.ask("GET", served.control + "/commands").json?.array
      let names = commands?.compactMap { $0["name"]?.string } ?? []
      for name in ["load", "advance", "setRule", "outbox", "inspect", "reset", "setFault"] {
        #expect(names.contains(name))
      }
      #expect(try await served.command("fly").status == 404)
      #expect(try await Client.ask("GET", served.control + "/load").status == 405)
      #expect(try await served.command("load", "{").status == 400)
      #expect(try await served.command("load", "[]").status == 400)
      let elsewhere = served.url + "/_rehearsal/kilwinning/load"
      #expect(try await Client.ask("POST", elsewhere, body: "{}").status == 404)
    }
  }

  @Test func `refuses a body of more than a megabyte and survives it`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let declared = try Connection(port: served.port)
      await declared.send(
        "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n")
      let early = await declared.receive()
      #expect(early?.status == 413)
      #expect(early?.headers["connection"] == "close")

      let chunked = try Connection(port: served.port)
      await chunked.send(
        "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n" + String(repeating: "a", count: 65_536) + "\r\n"
      for _ in 1...17 { await chunked.send(chunk) }
      #expect(await chunked.receive()?.status == 413)

      let allowed = String(repeating: " ", count: 1_048_574) + "{}"
      let answer = try await Client.ask("POST", served.url + Self.path, body: allowed)
      #expect(answer.status == 400)
      #expect(answer.json?["error"] == "invalid_request")
    }
  }

  @Test(arguments: ["{", "", "[]", "\u{0}", "{\"enrollment_token\":1}"])
  func `answers a malformed body with the contract's own refusal`(body: String) async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let answer = try await Client.ask("POST", served.url + Self.path, body: body)
      #expect(answer.status == 400)
      #expect(answer.json?["error"] == "invalid_request")
      #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
      #expect(answer.headers["server"] == "rehearsal")
    }
  }

  private static let broken: [String: (bytes: String, status: Int, words: String)] = [
    "nonsense": ("NONSENSE\r\n\r\n", 501, "no method"),
    "an unknown method": ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501, "no method"),
    "a version of the future": ("GET / HTTP/9.9\r\n\r\n", 505, "HTTP/1.1"),
    "no host": ("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "one Host header"),
    "two hosts": ("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400, "one Host header"),
    "a host that is none": ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "one Host header"),
    "a control character in the target": ("GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""),
    "a length that is no number": (
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: minus\r\n\r\n", 400, "Content-Length"
    ),
    "a negative length": (
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400, "Content-Length"
    ),
    "a length beyond all numbers": (
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n", 400,
      "Content-Length"
    ),
    "a header of 100 kB": (
      "GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 100_000))\r\n\r\n", 431,
      "16384"
    ),
    "two hundred headers": (
      "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: a\r\n", count: 200) + "\r\n", 431,
      "100"
    ),
    "a target of 100 kB": (
      "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414, "16384"
    ),
    "headers of 100 kB together": (
      "GET / HTTP/1.1\r\nHost: x\r\n"
        + String(repeating: "A: \(String(repeating: "a", count: 10_000))\r\n", count: 10) + "\r\n",
      431,
      "65536"
    ),
    "a header that never ends": (
      "GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 300_000))", 431, "16384"
    ),
    "a header without a name": ("GET / HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n", 400, ""),
    "two lengths": (
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400,
      "Content-Length"
    ),
    "a chunk of no size": (
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400, ""
    ),
  ]

  @Test(arguments: broken.keys.sorted())
  func `answers what is no request as JSON, closes, and serves the next client`(
    what: String
  ) async throws {
    let (bytes, status, words) = try #require(Self.broken[what])
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let broken = try Connection(port: served.port)
      await broken.send(bytes)
      let answer = await broken.receive()
      #expect(answer?.status == status)
      #expect(answer?.headers["content-type"] == "application/json; charset=utf-8")
      #expect(answer?.headers["connection"] == "close")
      #expect(answer?.json?["error"] == "bad_request")
      let message = try #require(answer?.json?["message"]?.string)
      #expect(!message.isEmpty && (words.isEmpty || message.contains(words)))
      #expect(await broken.isClosed())
      #expect(try await Client.ask("GET", served.url + "/nowhere").status == 404)
    }
  }

  @Test func `names the methods of a path that was asked by another`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let api = served.url + "/api/mobile/v1"
      for (method, path, allowed) in [
        ("PATCH", api + "/enrollments/status", "GET, HEAD"),
        ("GET", api + "/enrollments/register", "POST"),
        ("PUT", api + "/diensten/d-1/volunteer?tenant=a", "DELETE, POST"),
        ("GET", served.control + "/load", "POST"),
        ("POST", served.control + "/commands", "GET, HEAD"),
      ] {
        let answer = try await Client.ask(method, path)
        #expect(answer.status == 405, "\(method) \(path)")
        #expect(answer.headers["allow"] == allowed)
        #expect(answer.json?["error"] == "method_not_allowed")
        let options = try await Client.ask("OPTIONS", path)
        #expect(options.status == 204 && options.body.isEmpty)
        #expect(options.headers["allow"] == allowed + ", OPTIONS")
      }
      #expect(try await Client.ask("OPTIONS", served.url + "/nowhere").status == 404)
    }
  }

  @Test(arguments: [
    ("advance", #"{"by":"1h","to":"2026-04-01T00:00:00Z"}"#, "not both"),
    ("advance", #"{"by":"90000d"}"#, "where every clock ends"), ("advance", "{}", "advance needs"),
    ("advance", #"{"by":"2m"}"#, "2min"), ("advance", #"{"by":"1h","at":"x"}"#, "'at'"),
    ("setFault", #"{"kind":"latency","delay":"2m"}"#, "2min"),
  ])
  func `refuses a command that cannot be carried out, and does nothing`(
    name: String, parameters: String, words: String
  ) async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let refused = try await served.command(name, parameters)
      #expect(refused.status == 400)
      #expect(refused.json?["message"]?.string?.contains(words) == true, "\(refused.text)")
      #expect(served.twin.now == Domains.epoch)
    }
  }

  @Test(arguments: ["abc", "", "1.5", "-1", "99999999999999999999"])
  func `refuses signals after what is no number`(after: String) async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let answer = try await Client.ask("GET", served.control + "/signals?after=" + after)
      #expect(answer.status == 400)
      #expect(answer.json?["error"] == "invalid_request")
      #expect(try await Client.ask("GET", served.control + "/signals").json == [])
    }
  }

  @Test func `goes on near the end of the clock, whatever is registered there`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      #expect(try await served.command("advance", #"{"to":"2199-12-31T23:59:59Z"}"#).status == 200)
      try await served.command(
        "load",
        #"{"tenants":[{"slug":"a","name":"A"}],"teams":[{"tenant_slug":"a","id":"t","code":"J1","naam":"J1"}],"managers":[{"tenant_slug":"a","email":"m@b.nl","team_codes":["J1"]}]}"#
      )
      let asked = try await Client.ask(
        "POST", served.url + "/api/mobile/v1/enrollments/request",
        body: #"{"email":"m@b.nl","tenant_slug":"a","team_codes":["J1"],"platform":"ios"}"#)
      #expect(asked.status == 200, "\(asked.text)")
      let token = try await served.command("outbox").json?["mails"]?[0]?["token"]?.string ?? ""
      let registered = try await Client.ask(
        "POST", served.url + Self.path,
        body:
          #"{"enrollment_token":"\#(token)","hardware_identifier":"p","apns_device_token":"","platform":"ios","build_environment":"production"}"#
      )
      #expect(registered.status == 200, "\(registered.text)")
    }
  }

  @Test func `begins again at a reset, and so does its clock but for real time`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      try await served.command("advance", #"{"by":"3d"}"#)
      #expect(try await served.command("reset").status == 200)
      #expect(served.twin.now == Domains.epoch)
      #expect(try await served.command("advance", #"{"by":"1h"}"#).status == 200)
    }
    for restarts in [true, false] {
      let anHourAgo = ContinuousClock.now - .seconds(3_600)
      let clock = ServedClock.wall(anchor: Domains.epoch, since: anHourAgo, restarts: restarts)
      try await ServedDomain.with(KantineKoningBackend(), clock: clock) { served in
        #expect(served.twin.now >= Domains.epoch + .hours(1))
        try await served.command("reset")
        #expect((served.twin.now < Domains.epoch + .minutes(30)) == restarts)
      }
    }
  }

  @Test
  func `keeps a connection alive, answers HEAD without a body and requests in a row in order`()
    async throws
  {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let connection = try Connection(port: served.port)
      await connection.send("HEAD /_rehearsal/health HTTP/1.1\r\nHost: x\r\n\r\n")
      await connection.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")
      await connection.send("GET http://x/_rehearsal/health?a=b HTTP/1.1\r\nHost: x\r\n\r\n")
      // The client cannot know a body's length from a HEAD answer: it reads the head alone.
      let head = await connection.receiveHead()
      #expect(head?.status == 200)
      #expect((head?.headers["content-length"].flatMap { Int($0) } ?? 0) > 0)
      let options = await connection.receiveHead()
      #expect(options?.status == 204 && options?.headers["allow"]?.hasSuffix("OPTIONS") == true)
      let health = await connection.receive()
      #expect(health?.status == 200)
      #expect(health?.json?["status"] == "ok")
    }
  }

  @Test func `does not find what HEAD asks for where the contract has no such method`() async throws
  {
    try await ServedDomain.with(AsiaTravelPlanBackend()) { served in
      let provider = served.server.addresses[1].url
      let (api, own) = ("/api/v1/bookings", "/_rehearsal/health")
      let discovery = "/realms/master/.well-known/openid-configuration"
      for (url, method, status) in [
        (served.url + "/health", "GET", 200), (served.url + "/health", "HEAD", 404),
        (served.url + "/public/v1/mobile/bootstrap", "HEAD", 404),
        (served.url + "/api/x", "HEAD", 404), (served.url + api, "HEAD", 401),
        (served.url + own, "HEAD", 200), (provider + discovery, "HEAD", 200),
      ] {
        let answer = try await Client.ask(method, url)
        #expect(answer.status == status && (method == "GET" || answer.body.isEmpty), "\(url)")
      }
      #expect(AsiaTravelPlan.methods(at: api) == "GET")
      #expect(AsiaTravelPlan.methods(at: discovery, service: 1) == "GET, HEAD")
    }
  }

  @Test func `tells a client that asks first to go on`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let connection = try Connection(port: served.port)
      let head = "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
      await connection.send(head + "2\r\n\r\n")
      #expect(await connection.receive()?.status == 100)
      await connection.send("{}")
      #expect(await connection.receive()?.status == 400)
      await connection.send(head + "2000000\r\n\r\n")
      #expect(await connection.receive()?.status == 413)
    }
  }

  @Test func `closes a connection whose client takes too long for its request`() async throws {
    var options = ServingOptions.open
    options.readTimeout = .milliseconds(300)
    try await ServedDomain.with(KantineKoningBackend(), options: options) { served in
      let head = try Connection(port: served.port)
      await head.send("GET /nowhere HTTP/1.1\r\nHost:")
      let body = try Connection(port: served.port)
      await body.send("POST \(Self.path) HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
      #expect(await head.isClosed())
      #expect(await body.isClosed())
    }
  }

  @Test func `lets further connections wait when too many are open`() async throws {
    var options = ServingOptions.open
    options.mostConnections = 2
    try await ServedDomain.with(KantineKoningBackend(), options: options) { served in
      let request = "GET /_rehearsal/health HTTP/1.1\r\nHost: x\r\n\r\n"
      let first = try Connection(port: served.port)
      let second = try Connection(port: served.port)
      for connection in [first, second] {
        await connection.send(request)
        #expect(await connection.receive()?.status == 200)
      }
      let third = try Connection(port: served.port)
      await third.send(request)
      first.hangUp()
      #expect(await third.receive()?.status == 200)
    }
  }

  @Test func `listens on this machine alone and says when a port is taken`() async throws {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      #expect(
        await problem(of: served.twin, port: served.port)?
          .contains("port \(served.port) of 127.0.0.1 is in use") == true)
      #expect(
        await problem(of: served.twin, port: 0, host: "0.0.0.0")?.contains("by others") == true)
    }
    for host in ["127.0.0.1", "127.8.8.8", "::1", "localhost"] {
      #expect(ServingOptions.isLoopback(host))
    }
    for host in ["0.0.0.0", "::", "127.0.0.1.example.org", "127.1", "192.168.0.1", ""] {
      #expect(!ServingOptions.isLoopback(host))
    }
  }

  private func problem(
    of twin: ServedTwin<KantineKoningBackend>, port: Int, host: String = "127.0.0.1"
  ) async -> String? {
    var options = ServingOptions()
    options.host = host
    do throws(ServingProblem) {
      _ = try await TwinServer(twin, port: port, options: options)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `moves a manual clock by command, forward only, and never a running one`()
    async throws
  {
    try await ServedDomain.with(KantineKoningBackend()) { served in
      let moved = try await served.command("advance", #"{"by":"90min"}"#)
      #expect(moved.json == ["now": "2026-03-21T06:30:00.000Z"])
      let back = try await served.command("advance", #"{"to":"2026-03-21T06:00:00Z"}"#)
      #expect(back.status == 400)
    }
    try await ServedDomain.with(KantineKoningBackend(), clock: .running(from: Domains.epoch)) {
      served in
      let refused = try await served.command("advance", #"{"by":"1h"}"#)
      #expect(refused.status == 400)
      #expect(refused.json?["message"]?.string?.contains("--clock manual") == true)
      let before = served.twin.now
      #expect(await served.until { served.twin.now > before })
    }
  }
}
