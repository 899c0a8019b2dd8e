import Foundation
import Testing

@Suite struct `Serving from the command line` {
  /// The session with curl of the page about serving; `$SERVER` is where the server said that it listens.
  private static let session = `The documentation`.examples(in: "sh").first {
    $0.page == "ServingATwin.md" && $0.text.hasPrefix("SERVER=")
  }

  @Test func `the documentation's curl lines lead from an empty twin to a volunteer`() async throws
  {
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--control", "--clock", "manual"])
    let address = await server.address()
    try #require(address.hasPrefix("http://127.0.0.1:"))

    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let lines = try #require(Self.session).text.drop { $0 != "\n" }
    shell.arguments = ["-euc", String(lines)]
    shell.environment = ProcessInfo.processInfo.environment.merging(["SERVER": address]) { $1 }
    let pipe = Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)

    #expect(said.contains(#""status":"email_sent""#))
    #expect(said.contains(#""Fatima""#))
    #expect(said.contains(#"{"now":"2026-03-29T05:00:00.000Z"}"#))
    #expect(said.contains(#""error":"dienst_in_past""#))
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test func `an agency is served with its identity provider at the next port`() async throws {
    let scenario = try CommandLineRun.file(
      """
      rehearsal: 1
      name: office
      starts: 2026-03-02T08:00 Asia/Ho_Chi_Minh
      lasts: 1h
      worlds: [{domain: asia-travel-plan, population: {bookings: 3}}]
      """, named: "office.yaml")
    let server = try ServerProcess(
      "rehearse-serve",
      ["asia-travel-plan", "--scenario", scenario, "--port", "0", "--control", "--clock", "manual"])
    let (api, provider) = (await server.address(), await server.address())
    let agency = try #require(URL(string: api))
    let realm = try #require(URL(string: provider))
    #expect(api != provider)
    #expect(try await text(agency, "public/v1/mobile/bootstrap").contains("2026-03-01.1"))
    #expect(try await text(agency, "api/v1/bookings") == #"{"error":"Unauthorized"}"#)
    let discovery = try await text(realm, "realms/master/.well-known/openid-configuration")
    #expect(discovery.hasPrefix(#"{"issuer":"\#(provider)/realms/master","#))
    #expect(try await text(agency, "realms/master/protocol/openid-connect/certs").contains("found"))
    let command = "_rehearsal/asia-travel-plan/setUser"
    #expect(try await post(agency, command, #"{"username":"ada"}"#) == 200)
    #expect(try await post(realm, command, #"{"username":"ben"}"#) == 200)
    let described = try await text(agency, "_rehearsal/asia-travel-plan/openapi.json")
    #expect(described.contains("/api/v1/bookings"))
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends the server, whatever a client still waits for`(
    signal: Int32
  ) async throws {
    let server = try ServerProcess("rehearse-serve", ["--port", "0", "--control"])
    let address = await server.address()
    let url = try #require(URL(string: address))
    #expect(
      try await post(url, "_rehearsal/kantine-koning/setFault", #"{"kind":"requestLost"}"#) == 200)
    let waiting = Task { try? await post(url, "api/mobile/v1/enrollments/sync", "{}") }
    // An answer on a second connection shows that the first request has arrived, or that it never will.
    #expect(try await post(url, "_rehearsal/health", "") == 405)

    let end = await server.end(by: signal)

    #expect(end == 0)
    _ = await waiting.value
  }

  @Test(arguments: [(SIGILL, "signal 4"), (SIGTRAP, "signal 5"), (SIGSEGV, "signal 11")])
  func `a fault of the program's own ends the server at once, and it says so`(
    signal: Int32, words: String
  ) async throws {
    let server = try ServerProcess("rehearse", ["serve", "--port", "0", "--control"])
    #expect(await server.address().hasPrefix("http://127.0.0.1:"))

    let code = await server.end(by: signal)

    #expect(code == 70)
    let complaint = server.complaint()
    #expect(!complaint.contains("crashed"), "a backtrace takes ten seconds and more")
    #expect(complaint.contains(words) && complaint.contains("a fault of the program"))
  }

  @Test func `a taken port, a foreign address and an unknown domain are wrong usage`() async throws
  {
    let server = try ServerProcess("rehearse-serve", ["--port", "0"])
    let port = await server.address().split(separator: ":").last.map(String.init) ?? ""
    for (arguments, words) in [
      (["--port", port], "port \(port) of 127.0.0.1 is in use"),
      (["--host", "0.0.0.0"], "can be reached by others"),
      (["--domain", "nowhere"], "no domain 'nowhere'"),
      (["nowhere"], "no domain 'nowhere'"),
      (["toy", "--domain", "toy"], "a domain is named twice"),
      (["--port", "70000"], "from 0 to 65535"),
      (["toy", "kilwinning", "--port", "65535"], "kilwinning: its port would be 65536"),
    ] {
      let refused = try ServerProcess("rehearse-serve", arguments)
      #expect(await refused.code() == 64)
      #expect(refused.complaint().contains(words))
    }
    #expect(await server.end(by: SIGTERM) == 0)
  }

  @Test func `a scenario's population is loaded, and the clock begins at its start`() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("serve-\(ProcessInfo.processInfo.processIdentifier).yaml")
    try """
    rehearsal: 1
    name: served
    title: Served
    starts: 2026-03-21T06:00 Europe/Amsterdam
    lasts: 18h
    seed: 1
    worlds:
      - domain: kantine-koning
        regions: 2
        population: {clubs: 4}
    """.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }

    // Through the main executable, which hands everything on.
    let server = try ServerProcess(
      "rehearse",
      [
        "serve", "kantine-koning", "--scenario", file.path, "--port", "0", "--control", "--clock",
        "manual",
      ])
    let address = await server.address()
    let url = try #require(URL(string: address))
    let health = try await text(url, "_rehearsal/health")
    #expect(health.contains(#""now":"2026-03-21T05:00:00.000Z""#))
    let enrollments = try await text(url, "_rehearsal/kantine-koning/inspect", method: "POST")
    #expect(enrollments.contains("tenant_slug"))
    #expect(await server.end(by: SIGTERM) == 0)

    let wrong = try ServerProcess("rehearse-serve", ["--scenario", "/nowhere.yaml", "--port", "0"])
    #expect(await wrong.code() == 65)
  }

  @Test func `serve says how to build the server where there is none`() async throws {
    let alone = ServerProcess.folder.appendingPathComponent("alone-\(getpid())")
    try FileManager.default.createDirectory(at: alone, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: alone) }
    let name = "\(alone.lastPathComponent)/rehearse"
    try FileManager.default.linkItem(
      at: ServerProcess.folder.appendingPathComponent("rehearse"),
      to: ServerProcess.folder.appendingPathComponent(name))
    let refused = try ServerProcess(name, ["serve", "--help"])
    #expect(await refused.code() == 64)
    #expect(refused.complaint().contains("swift build -c release --product rehearse-serve"))
  }

  @Test func `quiet prints nothing`() async throws {
    let server = try ServerProcess(
      "rehearse-serve", ["--port", "0", "--quiet", "--domain", "kantine-koning"])
    // Signals are taken from the very start, so that an early one is not lost.
    let end = await server.end(by: SIGTERM)
    #expect([0, -SIGTERM].contains(end))
    #expect(server.rest() == "")
  }
}
