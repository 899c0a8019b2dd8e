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
private let bare = Booking(
  id: "booking_2", customerID: "cust_1",
  source: .init(utmSource: "a", utmMedium: "b", utmCampaign: "c"), idempotencyKey: "k",
  createdAt: epoch, updatedAt: epoch, bookingHash: "h")
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

private let trip = TripRequest(
  idempotencyKey: "k 1", name: "Grace", email: "grace@example.test", destination: "Laos",
  style: "Food", travelMonth: "2026-11", travelers: 2, duration: "9-12 days", phone: "+1 2",
  language: "English", budget: "$500-$900", notes: "n",
  source: .init(pageURL: "/", utmSource: "a", utmMedium: "b", utmCampaign: "c", referrer: "d"))
private let record = StaffRecord(
  id: "staff_a", name: "Ada Alpha", isActive: false, usernames: ["ada"], destinations: ["Laos"])
private let tour = Tour(
  id: "tour_1", title: "T", destinationCountries: ["Laos"], styles: ["Food"], rating: 4.5,
  createdAt: epoch, updatedAt: epoch)

private let authorization = AuthorizationRequest(
  state: "s&1 =", nonce: "n", challenge: .text("c"), prompt: "login", maxAge: "10",
  loginHint: "ada@example.test")

/// Of RFC 7636, appendix B.
private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

@Suite struct `The wire of the agency` {
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
      .bootstrap, .bookings(BookingQuery()), .bookings(.app),
      .bookings(
        BookingQuery(
          page: -1, pageSize: 0, stage: " won", ownerID: "staff_a", search: "ä b&c", sort: "x")),
      .booking(id: "booking_1"), .activities(booking: "booking_1"), .invoices(booking: "b/1 ä"),
      .changeStage(StageChange("booking_1", to: .won)),
      .changeStage(
        StageChange(booking: "b", stage: nil, hash: "h", staff: "staff_a", notes: "n")),
      .changeStage(StageChange(booking: "b", stage: nil, isNull: true)),
      .assign(Assignment("booking_1", to: "staff_a")), .assign(Assignment("booking_1", to: nil)),
      .assign(Assignment(booking: "b", ownerID: .to("staff_b"), hash: "h", stage: "WON")),
      .assign(Assignment(booking: "b", isNull: true)),
      .addActivity(.note("Called <the> customer", on: "booking_1")),
      .addActivity(NewActivity(booking: "b", type: nil, detail: nil, actor: "eve")),
      .addActivity(NewActivity(booking: "b", type: nil, detail: nil, isNull: true)),
      .staff(withInactive: true), .staff(withInactive: false),
      .addStaff(
        NewStaff(
          name: "Ada", usernames: ["ada", "a,b"], destinations: [], languages: ["English"],
          isActive: false)), .addStaff(NewStaff(name: nil, usernames: nil)),
      .addStaff(NewStaff(name: nil, usernames: nil, isNull: true)), .me, .browserMe,
      .tours(
        TourQuery(page: 1, search: "s", destination: "Laos", style: "Food", sort: "title_asc")),
      .tour(id: "tour_1"), .addTour(TourDraft(title: "T", destinationCountries: ["Laos"])),
      .changeTour(TourDraft(tour: "tour_1", id: "tour_2", priority: 1, rating: 4.5)),
      .customers(CustomerQuery(page: 2, pageSize: 5, search: "x")), .customer(id: "cust_1"),
      .addInvoice(
        InvoiceDraft(
          booking: "b", number: "1", currency: "EUR", issueDate: "2026-03-01", dueDate: "x",
          title: "t", notes: "n", dueAmountCents: 5, isSent: true,
          items: [.init("Guide", quantity: 2, unitAmountCents: 1_000)])),
      .changeInvoice(InvoiceDraft(booking: "b", invoice: "inv_1", isSent: false)),
      .requestTrip(trip),
      .requestTrip(
        TripRequest(
          name: nil, email: nil, destination: nil, style: nil, travelMonth: nil, travelers: nil,
          duration: nil, isNull: true)), .health,
      .unread(.malformed(operation: 10, .noDocument)),
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
      .setRule(RuleSwitch(.atp104, binds: false)), .setStaff(record),
      .setDifference(AsiaTravelPlan.DifferenceSwitch(.lostUpdates, isOn: true)),
      .inspect(since: 3), .load(Fixture()),
      .load(
        Fixture(
          staff: [record], customers: [Customer(id: "cust_1")], bookings: [booking],
          invoices: [invoice], tours: [tour])),
      .configure(
        Adjustment {
          $0.realm = "atp"
          $0.base = "https://id.example.test"
          $0.accessTokenLifetime = .seconds(5)
          $0.clockOffset = -.minutes(1)
          $0.grantsRefusedFrom = epoch
          $0.leastVersion = AppVersion("2.0")
          $0.latestVersion = AppVersion("2.1")
          $0.transitions = .older
          $0.writeTakes = .zero
        }),
    ]
    for command in commands {
      let wire = AsiaTravelPlan.write(command, credential: nil, tokens: codec)
      let name = try #require(WireTarget(parsing: wire.target).path.last)
      let body = try #require(JSON(parsing: wire.body))
      #expect(try AsiaTravelPlan.control(name, body) == command)
    }
    expectOperations(AsiaTravelPlan.self, requests + commands)
    for request in requests + commands {
      #expect(
        AsiaTravelPlan.operation(of: request) == AsiaTravelPlan.table.operation(of: request))
    }
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
      (
        .success(
          .bootstrap(
            Bootstrap(
              leastVersion: AppVersion("1.0"), latestVersion: AppVersion("1.2"), forcesUpdate: true)
          )),
        .bootstrap
      ),
      (
        .success(
          .bookings(
            BookingList(
              Paged([booking], of: 26, PageExtent(page: 1, size: nil)),
              filters: .init(stage: .won, search: "x"), sort: "y"))), .bookings(.app)
      ), (.success(.changed(booking)), .changeStage(StageChange("booking_1", to: .won))),
      (.success(.changed(booking)), .assign(Assignment("booking_1", to: "staff_a"))),
      (.success(.changed(bare)), .assign(Assignment("booking_2", to: "staff_a"))),
      (
        .success(
          .bookings(
            BookingList(
              Paged([bare, booking], of: 2, PageExtent(page: 1, size: 5)), filters: nil, sort: nil))
        ), .bookings(.app)
      ),
      (
        .success(
          .booking(
            BookingDetail(
              booking: bare,
              customer: Customer(
                id: "cust_1", email: "e", phone: "1", language: "English", updatedAt: epoch)))),
        .booking(id: "booking_2")
      ),
      (.success(.activity(note)), .addActivity(.note("x", on: "booking_1"))),
      (.success(.staff([record])), .staff(withInactive: true)),
      (.success(.staffRecord(record)), .addStaff(NewStaff(name: "Ada", usernames: ["ada"]))),
      (.success(.identity(Identity(nil))), .browserMe),
      (
        .success(
          .identity(
            Identity(
              .init(
                sub: "1", preferredUsername: "ada", email: nil, roles: [.admin, .staff],
                staffID: "staff_a")))), .me
      ),
      (
        .success(
          .tours(
            TourList(
              Paged([tour], of: 1, PageExtent(page: 1, size: 5)),
              options: TourOptions(destinations: ["Laos"], styles: ["Food"]), sort: "title_asc"))),
        .tours(TourQuery())
      ),
      (
        .success(
          .tour(TourDetail(tour: tour, options: TourOptions(destinations: ["Laos"], styles: [])))),
        .tour(id: "tour_1")
      ), (.success(.tourWritten(tour, isNew: true)), .addTour(TourDraft())),
      (.success(.tourWritten(tour, isNew: false)), .changeTour(TourDraft(tour: "tour_1"))),
      (
        .success(
          .customers(Paged([Customer(id: "cust_1")], of: 1, PageExtent(page: 1, size: 5)))),
        .customers(CustomerQuery())
      ), (.success(.customer(Customer(id: "cust_1", name: "G"))), .customer(id: "cust_1")),
      (.success(.invoice(invoice, isNew: true)), .addInvoice(InvoiceDraft(booking: "b"))),
      (
        .success(.invoice(invoice, isNew: false)),
        .changeInvoice(InvoiceDraft(booking: "b", invoice: "inv_1"))
      ),
      (
        .success(
          .accepted(
            TripAccepted(bookingID: "b", customerID: "c", isDeduplicated: true), isNew: true)),
        .requestTrip(trip)
      ),
      (
        .success(
          .accepted(
            TripAccepted(bookingID: "b", customerID: "c", isDeduplicated: true), isNew: false)),
        .requestTrip(trip)
      ), (.success(.health(Health(timestamp: "2026-03-01T06:00:00.000Z"))), .health),
      (
        .success(.options),
        .unread(.unrouted(.init("OPTIONS", "/api/v1/bookings", allowed: ["GET"])))
      ),
      (
        .success(
          .inspection(
            Inspection(extent: LookExtent(since: 1, look: 2), staff: [record], bookings: [booking]))
        ),
        .inspect(since: 1)
      ),
      (.failure(.bookingChanged(booking)), .changeStage(StageChange("booking_1", to: .won))),
      (
        .failure(.api(.transitionNotAllowed, about: "NEW -> WON")),
        .changeStage(StageChange("booking_1", to: .won))
      ),
      (
        .failure(.api(.usernameInUse, about: "Ada Alpha")),
        .addStaff(NewStaff(name: "Ada", usernames: ["ada"]))
      ), (.failure(.api(.missingFields, about: "name, email")), .requestTrip(trip)),
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
    for (result, request) in answers {
      expectRoundTrip(AsiaTravelPlan.self, result, to: request)
      // What is written out takes in what the declarations say.
      guard case .success(let reply) = result else { continue }
      var (declared, known) = (Digest(), Digest())
      AsiaTravelPlan.fingerprint(of: reply, into: &declared)
      AsiaTravelPlan.fingerprint(
        of: reply, to: AsiaTravelPlan.operation(of: request), into: &known)
      #expect(known == declared, "\(reply)")
    }
    for refusal in AsiaTravelPlan.APIRefusal.allCases where refusal.status < 500 {
      expectRoundTrip(AsiaTravelPlan.self, .failure(.api(refusal)), to: .booking(id: "b"))
    }
  }

  @Test func `a challenge is the one of RFC 7636, appendix B (ATP-12)`() {
    let challenge = Challenge.of(verifier: verifier)
    #expect(challenge.text(codec) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(Challenge.text(challenge.text(codec)).fits(verifier, codec))
    #expect(!Challenge.text(challenge.text(codec)).fits(verifier + "x", codec))
  }

  /// 3.1 as the specification prints it: each operation with its statuses; 409 of an assignment is that of O-01.
  private static let printed: [(source: String, method: String, path: String, statuses: [Int])] = [
    ("OP-01", "GET", "/public/v1/mobile/bootstrap", [200]),
    ("OP-02", "GET", "/api/v1/bookings", [200, 403]),
    ("OP-03", "GET", "/api/v1/bookings/{bookingId}", [200, 403, 404]),
    ("OP-04", "PATCH", "/api/v1/bookings/{bookingId}/stage", [200, 400, 403, 404, 409, 422]),
    ("OP-05", "PATCH", "/api/v1/bookings/{bookingId}/owner", [200, 400, 403, 404, 409, 422]),
    ("OP-06", "GET", "/api/v1/bookings/{bookingId}/activities", [200, 403, 404]),
    ("OP-07", "POST", "/api/v1/bookings/{bookingId}/activities", [201, 400, 403, 404, 422]),
    ("OP-08", "GET", "/api/v1/bookings/{bookingId}/invoices", [200, 403, 404]),
    ("OP-09", "GET", "/api/v1/staff", [200, 403]),
    ("OP-10", "POST", "/api/v1/staff", [201, 400, 403, 409, 422]),
    ("OP-11", "GET", "/api/v1/me", [200]), ("OP-12", "GET", "/auth/me", [200]),
    ("OP-13", "GET", "/api/v1/tours", [200, 403]),
    ("OP-13", "GET", "/api/v1/tours/{tourId}", [200, 403, 404]),
    ("OP-14", "POST", "/api/v1/tours", [201, 400, 403, 422]),
    ("OP-14", "PATCH", "/api/v1/tours/{tourId}", [200, 400, 403, 404, 422]),
    ("OP-15", "GET", "/api/v1/customers", [200, 403]),
    ("OP-15", "GET", "/api/v1/customers/{customerId}", [200, 403, 404]),
    ("OP-16", "POST", "/api/v1/bookings/{bookingId}/invoices", [201, 400, 403, 404, 422]),
    (
      "OP-16", "PATCH", "/api/v1/bookings/{bookingId}/invoices/{invoiceId}",
      [200, 400, 403, 404, 422]
    ), ("OP-17", "POST", "/public/v1/bookings", [200, 201, 400, 422]),
    ("OP-18", "GET", "/health", [200]),
  ]

  @Test func `describes the operations of 3.1, each with its method, path and statuses`() throws {
    let paths = try #require(AsiaTravelPlan.openAPI?["paths"])
    for (source, method, path, statuses) in Self.printed {
      let item = try #require(paths[path]?[method.lowercased()], "\(method) \(path)")
      #expect(item["description"] == .string(source) && item["tags"] == ["api"])
      let described = item["responses"]?.object?.members.compactMap { Int($0.name) } ?? []
      // All may answer 401 and 404, those with a body 413 for one that is too large.
      let common: Set = [401, 404, 413]
      #expect(
        Set(described).subtracting(common) == Set(statuses).subtracting(common), "\(method) \(path)"
      )
    }
    let ofAPI = AsiaTravelPlan.table.endpoints.filter { $0.route.service == 0 }
    #expect(ofAPI.map(\.operation.source) == Self.printed.map(\.source))
  }
}
