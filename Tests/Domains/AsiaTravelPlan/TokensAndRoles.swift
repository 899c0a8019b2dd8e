import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping
import WireLine

@testable import AsiaTravelPlanTwin

private typealias Rule = AsiaTravelPlan.Rule

@Suite struct `The agency's door` {
  private static let read = AsiaTravelPlan.Request.booking(id: "booking_a")

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp24])
  func `takes only tokens of the published keys, of its issuer, in their time (ATP-24)`(
    rule: AsiaTravelPlan.Rule?
  ) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    let now = office.now.unixSeconds
    let wrong: [(String, AsiaTravelPlan.Credential)] = [
      ("expired", try office.forged(of: "alma") { $0["exp"] = .int(now) }),
      ("early", try office.forged(of: "alma") { $0["nbf"] = .int(now + 1) }),
      (
        "of another issuer",
        try office.forged(of: "alma") { $0["iss"] = "http://127.0.0.1:8788/realms/other" }
      ),
      ("of an unknown key", try office.forged(of: "alma", key: "unpublished") { _ in }),
      ("without a signature", try office.unsigned(of: "alma")),
    ]
    for (name, credential) in wrong {
      let outcome = try office.ask(Self.read, with: credential)
      #expect(outcome.isReplied == (rule != nil), "\(name)")
      if rule == nil { #expect(outcome.kind == .unauthorized, "\(name)") }
    }
    #expect(try office.ask(Self.read, with: .bearer(.text("no.to.ken"))).kind == .unauthorized)
    #expect(try office.ask(Self.read, with: .cookies([Cookie("a", "b")])).kind == .unauthorized)
    let right: [AsiaTravelPlan.Credential] = [
      try office.forged(of: "alma") {
        $0["exp"] = .int(now + 1)
        $0["nbf"] = .int(now)
      },
      // Audience and client are not examined.
      try office.forged(of: "alma") {
        $0["aud"] = "another"
        $0["azp"] = "another"
      },
    ]
    for credential in right { #expect(try office.ask(Self.read, with: credential).isReplied) }
  }

  @Test func `says to others whom it lets in, and nothing of callers who prove nothing`() throws {
    var office = try Office()
    let token = try office.token(of: "alma")
    let now = office.now.unixSeconds
    let facts = try #require(office.line.twin.facts(of: .bearer(token), at: office.now))
    #expect(Set(facts.keys) == Set(AgencyTwin.callerFacts))
    #expect(facts["username"] == "alma" && facts["subject"] == token.claims?.sub)
    #expect(facts["roles"]?.split(separator: ",").contains("atp_admin") == true, "\(facts)")
    let none: [AsiaTravelPlan.Credential] = [
      .bearer(.text("no.to.ken")), .otherScheme("Token " + token.text(codec)),
      try office.unsigned(of: "alma"), try office.forged(of: "alma", key: "unpublished") { _ in },
      try office.forged(of: "alma") { $0["exp"] = .int(now) },
    ]
    for credential in none {
      #expect(office.line.twin.facts(of: credential, at: office.now) == nil, "\(credential)")
    }
  }

  @Test func `goes by the issuer that the agency's operator names (ATP-24)`() throws {
    var office = try Office { $0.base = "https://id.example.test" }
    #expect(try office.ask(Self.read, as: "alma").isReplied)
    let other = try office.forged(of: "alma") { $0["iss"] = "http://127.0.0.1:8788/realms/agency" }
    #expect(try office.ask(Self.read, with: other).kind == .unauthorized)
    // Of another realm from now on: what was given before counts no more.
    try office.tell(.configure(Adjustment { $0.base = "https://other.example.test" }))
    #expect(try office.ask(Self.read, as: "alma").kind == .unauthorized)
  }

  @Test func `reads times that no clock reaches, and takes no token without an end (ATP-24)`()
    throws
  {
    var office = try Office()
    for (end, isTaken) in [(1e300, true), (-1e300, false), (nil, false)] as [(Double?, Bool)] {
      let credential = try office.forged(of: "alma") { $0["exp"] = end.map { .double($0) } }
      #expect(try office.ask(Self.read, with: credential).isReplied == isTaken)
    }
    let never = try office.forged(of: "alma") { $0["nbf"] = .double(1e300) }
    #expect(try office.ask(Self.read, with: never).kind == .unauthorized)
  }

  @Test func `goes by its own clock, whatever the provider's says (7.6)`() throws {
    var office = try Office {
      $0.accessTokenLifetime = .minutes(5)
      $0.clockOffset = -.minutes(5)
    }
    #expect(try office.ask(Self.read, as: "alma").kind == .unauthorized)
    office = try Office {
      $0.accessTokenLifetime = .minutes(5)
      $0.clockOffset = .minutes(5)
    }
    #expect(try office.ask(Self.read, as: "alma").isReplied)
    office.wait(.minutes(9))
    #expect(try office.ask(Self.read, as: "alma").isReplied)
    office.wait(.minutes(1))
    #expect(try office.ask(Self.read, as: "alma").kind == .unauthorized)
  }

  @Test func `takes a token until it expires, even after a logout (ATP-24, ATP-27)`() throws {
    var office = try Office { $0.accessTokenLifetime = .seconds(60) }
    #expect(try office.ask(Self.read, as: "alma").isReplied)
    try office.tell(.endSessions(username: "alma"))
    office.wait(.milliseconds(59_999))
    #expect(try office.ask(Self.read, as: "alma").isReplied)
    office.wait(.milliseconds(1))
    #expect(try office.ask(Self.read, as: "alma").kind == .unauthorized)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp25])
  func `knows only the scheme Bearer with a capital B (ATP-25)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    #expect(try office.ask(Self.read, as: "alma").isReplied)
    let text = try office.token(of: "alma").text(codec)
    for scheme in ["bearer", "BEARER", "Token"] {
      let outcome = try office.ask(Self.read, with: .otherScheme(scheme + " " + text))
      #expect(outcome.isReplied == (rule != nil), "\(scheme)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp26])
  func `reads roles in four places (ATP-26)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    let manager: JSON = ["atp_manager"]
    let places: [(String, JSON, isRead: Bool)] = [
      ("resource_access", ["asiatravelplan-backend": ["roles": manager]], true),
      ("resource_access", ["asiatravelplan-ios": ["roles": manager]], false),
      ("roles", manager, true), ("groups", manager, true),
      ("groups", ["/office/atp_manager"], true),
      ("groups", ["/office/atp_manager/x"], false), ("role", manager, false),
    ]
    for (name, value, isRead) in places {
      let credential = try office.forged(of: "otto") { $0[name] = value }
      let outcome = try office.ask(.booking(id: "booking_c"), with: credential)
      #expect(outcome.isReplied == (isRead && rule == nil), "\(name): \(value)")
    }
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp06])
  func `admits four roles by their exact names (ATP-06, ATP-08)`(rule: AsiaTravelPlan.Rule?) throws
  {
    var office = try Office(without: rule.map { [$0] } ?? [])
    for name in ["ATP_ADMIN", "atp_admins", "Atp_Manager"] {
      let credential = try office.forged(of: "otto") {
        $0["realm_access"] = ["roles": [.string(name)]]
      }
      #expect(try office.ask(Self.read, with: credential).isReplied == (rule != nil), "\(name)")
    }
    for name in ["atp", "admin", " atp_admin", "xatp_staff"] {
      let credential = try office.forged(of: "otto") {
        $0["realm_access"] = ["roles": [.string(name)]]
      }
      #expect(try office.ask(Self.read, with: credential).kind == .unauthorized, "\(name)")
    }
  }

  @Test func `asks for a token before anything else (3.3)`() throws {
    var office = try Office()
    let operations = AsiaTravelPlan.table
    let requests: [AsiaTravelPlan.Request] = [
      .unread(.unrouted(.init("GET", "/api/v1/nothing"))),
      .unread(.unrouted(.init("PUT", "/api/v1/bookings", allowed: ["GET"]))),
      .unread(
        .malformed(operation: operations.index(of: AsiaTravelPlan.changeStage), .noDocument)),
      .changeStage(StageChange(booking: "none", stage: "none")),
    ]
    for request in requests {
      #expect(try office.ask(request, as: "visitor").kind == .unauthorized)
      #expect(try office.ask(request, as: "otto").kind == .unauthorized)
    }
    #expect(
      try requests.map { try office.ask($0, as: "alma").kind }
        == [.notFound, .notFound, .invalidJSON, .invalidStage])
    for target in ["/nothing", "/apis"] {
      let outside = AsiaTravelPlan.Request.unread(.unrouted(.init("GET", target)))
      #expect(
        try office.ask(outside, as: "visitor").refusal == .page(status: 404, message: "Not found"))
    }
    #expect(
      try office.ask(.unread(.unrouted(.init("GET", "/api/x"))), as: "visitor").kind == .notFound)
  }

  @Test(arguments: [nil, AsiaTravelPlan.Rule.atp95])
  func `answers OPTIONS of any path without a token (ATP-95)`(rule: AsiaTravelPlan.Rule?) throws {
    var office = try Office(without: rule.map { [$0] } ?? [])
    for target in ["/api/v1/bookings", "/api/v1/nothing", "/"] {
      let request = AsiaTravelPlan.Request.unread(
        .unrouted(.init("OPTIONS", target, allowed: target.hasSuffix("s") ? ["GET"] : [])))
      #expect(try (office.ask(request, as: "visitor").reply == .options) == (rule == nil))
      // To a browser an answer without them says no.
      #expect(AsiaTravelPlan.read(WireResponse(204), to: request) == nil)
    }
    let answer = AsiaTravelPlan.write(
      .failure(.api(.unauthorized)), to: Self.read, tokens: codec)
    #expect(answer.header("Access-Control-Allow-Methods") == "GET,POST,PATCH,OPTIONS")
  }

  @Test func `misses each header that comes with every answer (ATP-95)`() {
    let whole = AsiaTravelPlan.write(.failure(.api(.unauthorized)), to: Self.read, tokens: codec)
    #expect(AsiaTravelPlan.missingHeader(in: whole, to: Self.read) == nil)
    let names = AsiaTravelPlan.headers(ofEveryAnswerOf: 0).map(\.name)
    #expect(names.count == 4)
    for (place, name) in names.enumerated() {
      var answer = whole
      answer.headers.removeAll { $0.name == name }
      #expect(AsiaTravelPlan.missingHeader(in: answer, to: Self.read) == place)
      answer.headers.append(WireHeader(name.lowercased(), "another"))
      #expect(AsiaTravelPlan.missingHeader(in: answer, to: Self.read) == place)
    }
    var longer = whole
    longer.headers.removeAll { $0.name == "Access-Control-Allow-Methods" }
    longer.headers.append(
      WireHeader("Access-Control-Allow-Methods", "options, patch, put, post, get"))
    #expect(AsiaTravelPlan.missingHeader(in: longer, to: Self.read) == nil)
  }

  @Test func `names the origin of a page that asks, and says that answers differ by it`() {
    let page = WireRequest(
      "GET", "/health", headers: [WireHeader("origin", "https://office.example.test")])
    let answer = AsiaTravelPlan.write(.failure(.api(.unauthorized)), to: Self.read, tokens: codec)
    let suited = AsiaTravelPlan.suited(answer, to: page)
    #expect(suited.header("Access-Control-Allow-Origin") == "https://office.example.test")
    #expect(suited.header("Vary") == "Origin")
    #expect(suited.headers.count == answer.headers.count + 1)
    #expect(AsiaTravelPlan.suited(answer, to: WireRequest("GET", "/health")) == answer)
  }
}

@Suite struct `The agency's keys` {
  private static let reads: [AsiaTravelPlan.Request] = [
    .booking(id: "booking_a"), .activities(booking: "booking_a"), .invoices(booking: "booking_a"),
  ]

  @Test func `are fetched once for three parallel reads, which their arrival answers (7.4)`() throws
  {
    var office = try Office()
    let token = AsiaTravelPlan.Credential.bearer(try office.token(of: "ada"))
    for read in Self.reads {
      #expect(office.line.ask(read, with: token, at: office.now) == nil)
    }
    #expect(office.line.signals.count == 1)
    guard case .keySetFetch(let realm, let keys)? = office.line.signals.first?.signal else {
      throw ControlProblem("no fetch")
    }
    office.wait(.milliseconds(40))
    try office.line.tell(
      .keySetArrived(realm: realm, keys.spelt), from: .environment, at: office.now)
    #expect(office.line.late.map(\.request) == Self.reads)
    #expect(office.line.late.allSatisfy { $0.outcome.isReplied })
    #expect(office.line.waiting.isEmpty && office.line.twin.nextDue == nil)
    #expect(office.line.ask(Self.reads[0], with: token, at: office.now)?.isReplied == true)
  }

  @Test func `are given up after 5 s, which is a 401 (7.4)`() throws {
    var office = try Office { $0.areKeysReachable = false }
    let token = AsiaTravelPlan.Credential.bearer(try office.token(of: "ada"))
    #expect(office.line.ask(Self.reads[0], with: token, at: office.now) == nil)
    #expect(office.line.signals.isEmpty)
    #expect(office.line.twin.nextDue == office.now + .seconds(5))
    office.wait(.milliseconds(4_999))
    #expect(office.line.late.isEmpty)
    office.wait(.milliseconds(1))
    #expect(office.line.late.map(\.outcome) == [.refused(.api(.unauthorized))])
  }

  @Test func `are good for 600 s, and looked for again at most every 30 s (7.4)`() throws {
    var office = try Office()
    #expect(try office.ask(Self.reads[0], as: "ada").isReplied)
    try office.tell(.rotateKeys(keepOld: false))
    // Of the new key, within 30 s of the last fetch: not known, and not looked for.
    let new = AsiaTravelPlan.Credential.bearer(try office.token(of: "ben"))
    office.wait(.milliseconds(29_999))
    #expect(office.line.ask(.me, with: new, at: office.now) == .refused(.api(.unauthorized)))
    #expect(try office.ask(Self.reads[0], as: "ada").isReplied)
    office.wait(.milliseconds(1))
    #expect(office.line.ask(.me, with: new, at: office.now) == nil)
    #expect(office.line.signals.count == 2)
    guard case .keySetFetch(let realm, let keys)? = office.line.signals.last?.signal else { return }
    try office.line.tell(
      .keySetArrived(realm: realm, keys.spelt), from: .environment, at: office.now)
    #expect(office.line.late.last?.outcome.isReplied == true)
    #expect(try office.ask(Self.reads[0], as: "ada").kind == .unauthorized, "the old key is gone")
    office.wait(.milliseconds(599_999))
    #expect(office.line.ask(.me, with: new, at: office.now)?.isReplied == true)
    office.wait(.milliseconds(1))
    #expect(office.line.ask(.me, with: new, at: office.now) == nil)
  }

  @Test func `count no more after 600 s, where the provider cannot be reached (7.4)`() throws {
    var office = try Office()
    #expect(try office.ask(Self.reads[0], as: "ada").isReplied)
    try office.tell(.configure(Adjustment { $0.areKeysReachable = false }))
    office.wait(.milliseconds(599_999))
    #expect(try office.ask(Self.reads[0], as: "ada").isReplied)
    let token = AsiaTravelPlan.Credential.bearer(try office.token(of: "ada"))
    for _ in 0..<2 {
      office.wait(.milliseconds(1))
      #expect(office.line.ask(Self.reads[0], with: token, at: office.now) == nil)
      office.wait(.seconds(5))
      #expect(office.line.late.last?.outcome == .refused(.api(.unauthorized)))
    }
  }

  @Test func `answer no call that was given up`() throws {
    var office = try Office()
    let token = AsiaTravelPlan.Credential.bearer(try office.token(of: "ada"))
    #expect(office.line.ask(.me, with: token, at: office.now) == nil)
    for ticket in office.line.waiting.keys { office.line.twin.abandon(ticket) }
    office.wait(.seconds(5))
    #expect(office.line.late.isEmpty)
  }
}

extension Office {
  /// The claims of a token under a header that names no algorithm.
  mutating func unsigned(of user: String) throws -> AsiaTravelPlan.Credential {
    let text = try token(of: user).text(codec)
    let parts = text.split(separator: ".")
    // {"alg":"none","typ":"JWT"}
    return .bearer(.text("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(parts[1])."))
  }
}
