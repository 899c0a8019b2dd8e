import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping
import WireLine

private typealias Request = AsiaTravelPlan.Request

private let epoch = Instant(unixMilliseconds: 1_774_072_800_123)

private let note = Activity(
  id: "act_1", bookingID: "booking_1", type: "NOTE", detail: "Called <the> customer",
  actor: "ada", createdAt: epoch)
private let booking = Booking(
  id: "booking_1", customerID: "cust_1", stage: .won, staff: "staff_a", staffName: "Ada Alpha",
  slaDueAt: epoch, destination: "Laos", style: "Food", travelMonth: "2026-11", travelers: 2,
  duration: "9-12 days", budget: "", notes: "", source: .init(pageURL: "/", referrer: "x"),
  idempotencyKey: nil, createdAt: epoch, updatedAt: epoch, activities: [note])
private let detail = BookingDetail(
  booking: booking,
  customer: Customer(id: "cust_1", name: "Grace", createdAt: epoch, tags: ["vip"]))
private let invoice = Invoice(
  id: "inv_1", bookingID: "booking_1", customerID: "cust_1", invoiceNumber: "ATP-000001",
  issueDate: "2026-03-01", sentToCustomer: true, sentToCustomerAt: epoch, totalAmountCents: 2_000,
  dueAmountCents: 500, pdfURL: "/api/v1/invoices/inv_1/pdf", createdAt: epoch, updatedAt: epoch,
  items: [
    .init(
      id: "inv_item_1", description: "Guide", quantity: 2, unitAmountCents: 1_000,
      totalAmountCents: 2_000)
  ])

private let authorization = AuthorizationRequest(
  state: "s&1 =", nonce: "n", challenge: .text("c"), prompt: "login", maxAge: "10",
  loginHint: "ada@example.test")

/// Of RFC 7636, appendix B.
private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

@Suite struct `AsiaTravelPlan on paper` {
  @Test func `every request survives the wire with its credential`() throws {
    let requests: [Request] = [
      .authorize(authorization),
      .authorize(
        AuthorizationRequest(
          realm: "atp", clientID: nil, redirectURI: nil, responseType: nil, scope: nil, state: nil,
          challenge: nil, challengeMethod: nil)),
      .logIn(
        LogIn(action: "/realms/m/login-actions/authenticate?a=1", username: "a b", password: "p+&")),
      .token(
        TokenRequest(
          grantType: "authorization_code", redirectURI: "x://y", code: "c", verifier: "v")),
      .token(TokenRequest(grantType: "refresh_token", clientSecret: "s", refreshToken: "r")),
      .token(TokenRequest(grantType: nil, clientID: nil, host: "localhost:9000")),
      .keySet(realm: "master"), .discovery(DiscoveryRequest()),
      .discovery(DiscoveryRequest(realm: "atp", host: "localhost:9000")),
      .logIn(
        LogIn(
          action: "/realms/m/login-actions/authenticate?b=c", username: "", password: "",
          isCancelled: true)),
      .endSession(EndSession(idTokenHint: .text("t"), state: "s", legacyRedirectURI: "x://y")),
      .confirmEndSession(
        action: "/realms/master/protocol/openid-connect/logout/logout-confirm?session_code=1"),
      .booking(id: "booking_1"), .activities(booking: "booking_1"), .invoices(booking: "b/1 ä"),
      .unread(.unrouted(.init("PUT", "/api/v1/bookings/b", allowed: ["GET"]))),
      .unread(.unrouted(.init("GET", "/realms/master/x", service: 1))),
    ]
    let credentials: [AsiaTravelPlan.Credential?] = [
      nil, .bearer(.text("t")), .otherScheme("bearer t"),
      .cookies([Cookie("AUTH_SESSION_ID", "a"), Cookie(Cookie.session, "b=")]),
    ]
    for request in requests {
      for credential in credentials {
        expectRoundTrip(AsiaTravelPlan.self, request, with: credential)
      }
    }
    let commands: [Request] = [
      .rotateKeys(keepOld: true), .keySetArrived(realm: "master", nil),
      .keySetArrived(realm: "master", KeySet([.init(kid: "k", n: .text("n"))])),
      .setUser(UserChange(username: "ada")),
      .setUser(
        UserChange(
          username: "ada", id: "1", email: "", password: "p", isEnabled: false,
          realmRoles: ["atp_staff"], clientRoles: ["b": ["c", "d"], "a": []], groups: ["/g"],
          topLevelRoles: [])),
      .setClient(
        ClientRegistration(
          "web", secret: "s", redirectURIs: ["http://127.0.0.1/"], postLogoutRedirectURIs: [],
          requiresPKCE: false)), .endSessions(username: "ada"),
      .setRule(RuleSwitch(.atp15, binds: false)),
      .configure(
        Adjustment {
          $0.realm = "atp"
          $0.base = "https://id.example.test"
          $0.accessTokenLifetime = .seconds(5)
          $0.clockOffset = -.minutes(1)
          $0.grantsRefusedFrom = epoch
        }),
    ]
    for command in commands {
      let wire = AsiaTravelPlan.write(command, credential: nil, tokens: codec)
      let name = try #require(WireTarget(parsing: wire.target).path.last)
      let body = try #require(JSON(parsing: wire.body))
      #expect(try AsiaTravelPlan.control(name, body) == command)
    }
    expectOperations(AsiaTravelPlan.self, requests + commands)
    #expect(AsiaTravelPlan.flaws == [])
  }

  @Test func `every answer survives the wire, pages and redirects included`() {
    let login = LoginPage(action: "http://localhost/realms/m/a?x=1&y=\"2\"")
    let logIn = Request.logIn(LogIn(action: "/realms/m/a", username: "", password: ""))
    let answers: [(Result<AsiaTravelPlan.Reply, AsiaTravelPlan.Refusal>, Request)] = [
      (.success(.loginPage(login)), .authorize(authorization)),
      (
        .success(
          .redirected(
            Redirect(
              to: "asiatravelplan://auth/callback", state: "s&", sessionState: "1", code: "c",
              cookies: [CookieChange(Cookie.session, "v"), CookieChange("OLD", nil)]))), logIn
      ),
      (
        .success(
          .tokens(
            TokenSet(
              accessToken: .text("a"), expiresInSeconds: 60, refreshToken: "r",
              refreshExpiresInSeconds: 1_800, idToken: .text("i"), sessionState: "1",
              scope: "openid"))), .token(TokenRequest(grantType: "authorization_code"))
      ),
      (.success(.keys(KeySet([.init(kid: "k", n: .text("n"))]))), .keySet(realm: "m")),
      (
        .success(.endSessionPage(action: "/realms/m/confirm?x=1&y=2")),
        .endSession(EndSession(idTokenHint: nil))
      ),
      (.success(.booking(detail)), .booking(id: "booking_1")),
      (
        .success(.booking(BookingDetail(booking: booking, customer: nil))),
        .booking(id: "booking_1")
      ), (.success(.activities([note])), .activities(booking: "booking_1")),
      (.success(.invoices([invoice])), .invoices(booking: "booking_1")),
      (.success(.done), .rotateKeys(keepOld: false)),
      (.failure(.page(status: 400, message: "no & never")), .authorize(authorization)),
      (
        .failure(.page(status: 404, message: "Not found")),
        .unread(.unrouted(.init("GET", "/", service: 0)))
      ),
      (.failure(.stayed(LoginPage(action: "/realms/m/a", message: "Wrong <password>"))), logIn),
      (
        .failure(
          .sentBack(.init(to: "asiatravelplan://auth/callback", "access_denied", state: "s"))),
        .authorize(authorization)
      ),
      (
        .failure(.token(status: 401, error: "invalid_client", description: nil)),
        .token(TokenRequest(grantType: nil))
      ),
    ]
    for (result, request) in answers { expectRoundTrip(AsiaTravelPlan.self, result, to: request) }
    for refusal in AsiaTravelPlan.APIRefusal.allCases {
      expectRoundTrip(AsiaTravelPlan.self, .failure(.api(refusal)), to: .booking(id: "b"))
    }
  }

  @Test func `a challenge is the one of RFC 7636, appendix B (ATP-12)`() {
    let challenge = Challenge.of(verifier: verifier)
    #expect(challenge.text(codec) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(Challenge.text(challenge.text(codec)).fits(verifier, codec))
    #expect(!Challenge.text(challenge.text(codec)).fits(verifier + "x", codec))
  }

  @Test func `three parallel reads wait for one fetch of the keys and are answered by its arrival`()
    throws
  {
    var line = Line(
      AgencyMiniature(detail: detail, invoices: [invoice], tokens: codec), hearsSignals: false)
    let token = try signIn(&line)
    let reads: [Request] = [
      .booking(id: "booking_1"), .activities(booking: "booking_1"), .invoices(booking: "booking_1"),
    ]
    for read in reads { #expect(line.ask(read, with: token, at: epoch) == nil) }
    #expect(line.signals.count == 1)

    // The environment brings back what the signal held.
    guard case .keySetFetch(let realm, let keys)? = line.signals.first?.signal else {
      throw ControlProblem("no fetch")
    }
    try line.tell(
      .keySetArrived(realm: realm, keys.spelt), from: .environment, at: epoch + .milliseconds(40))

    #expect(line.late.map(\.request) == reads)
    #expect(
      line.late.map(\.outcome) == [
        .replied(.booking(detail)), .replied(.activities([note])), .replied(.invoices([invoice])),
      ])
    #expect(line.waiting.isEmpty && line.twin.nextDue == nil)
    #expect(line.ask(reads[0], with: token, at: epoch)?.reply == .booking(detail))
  }

  @Test func `a fetch of the keys that nobody answers is given up after 5 s and refused (7.4)`()
    throws
  {
    var line = Line(
      AgencyMiniature(detail: detail, invoices: [], tokens: codec), hearsSignals: false)
    let token = try signIn(&line)
    _ = line.ask(.booking(id: "booking_1"), with: token, at: epoch)
    let due = try #require(line.twin.nextDue)
    #expect(due == epoch + .seconds(5))
    line.advance(to: due)
    #expect(line.late.map(\.outcome) == [.refused(.api(.unauthorized))])
  }

  @Test func `a token of a rotated key makes the API fetch again`() throws {
    var line = Line(
      AgencyMiniature(detail: detail, invoices: [], tokens: codec), hearsSignals: false)
    let old = try signIn(&line)
    _ = line.ask(.booking(id: "booking_1"), with: old, at: epoch)
    guard case .keySetFetch(_, let keys)? = line.signals.first?.signal else {
      throw ControlProblem("no fetch")
    }
    try line.tell(.keySetArrived(realm: "master", keys.spelt), from: .environment, at: epoch)
    try line.tell(.rotateKeys(keepOld: false), from: .administration, at: epoch)
    let new = try signIn(&line)
    #expect(line.ask(.booking(id: "booking_1"), with: new, at: epoch) == nil)
    #expect(line.signals.count == 2)
  }

  private func signIn(_ line: inout Line<AgencyMiniature>) throws -> AsiaTravelPlan.Credential {
    let asked = AuthorizationRequest(state: "s", challenge: .of(verifier: verifier))
    guard case .loginPage(let page) = line.ask(.authorize(asked), at: epoch)?.reply,
      case .redirected(let callback) = line.ask(
        .logIn(LogIn(action: page.action, username: "ada", password: "p")), at: epoch)?.reply
    else { throw ControlProblem("no login") }
    return .bearer(try tokens(for: callback, &line).accessToken)
  }

  private func tokens(
    for callback: Redirect, _ line: inout Line<AgencyMiniature>
  ) throws -> TokenSet {
    let asked = TokenRequest(
      grantType: "authorization_code", redirectURI: callback.target, code: callback.code,
      verifier: verifier)
    guard case .tokens(let set) = line.ask(.token(asked), at: epoch)?.reply else {
      throw ControlProblem("no tokens")
    }
    return set
  }
}

extension KeySet {
  /// As it comes over a wire.
  fileprivate var spelt: KeySet {
    KeySet(keys.map { Key(kid: $0.kid, n: .text(codec.modulus(of: $0.kid))) })
  }
}
