import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping
import WireLine

/// What the specification prints, read and written by the mapping: a mistake that reading and writing share would
/// survive every round trip.
@Suite struct `Samples of the agency's specification` {
  @Test func `the booking of ATP appendix A is read, and written as it stands there`() throws {
    let text = """
      {"id":"booking_1","customer_id":"cust_1","stage":"NEW","staff":"staff_a","staff_name":"Ada Alpha",\
      "owner_id":"staff_a","owner_name":"Ada Alpha","sla_due_at":"2026-03-01T08:01:00.000Z",\
      "destination":"Laos","style":"Food","travel_month":"2026-11","travelers":2,"duration":"9-12 days",\
      "budget":"","notes":"","source":{"page_url":"","utm_source":"","utm_medium":"","utm_campaign":"",\
      "referrer":""},"idempotency_key":null,"created_at":"2026-03-01T06:00:00.000Z",\
      "updated_at":"2026-03-01T06:01:00.000Z"}
      """
    let request = AsiaTravelPlan.Request.booking(id: "booking_1")
    let sample = try #require(JSON(parsing: #"{"booking":\#(text),"customer":null}"#))
    let read = try #require(AsiaTravelPlan.read(WireResponse(200, body: sample), to: request))
    guard case .success(.booking(let detail)) = read else { throw ControlProblem("no booking") }
    #expect(detail.booking.stage == .new)
    #expect(detail.booking.staff == "staff_a" && detail.booking.travelers == 2)
    #expect(detail.booking.updatedAt - detail.booking.createdAt == .minutes(1))
    #expect(detail.booking.activities == nil && detail.customer == nil)
    let written = AsiaTravelPlan.write(read, to: request, tokens: codec)
    #expect(written.body == sample)
    #expect(written.body?["booking"]?.description == text)
    #expect(written.header("access-control-allow-origin") == "*")
  }

  @Test func `an activity and an error of ATP appendix A are read`() throws {
    let request = AsiaTravelPlan.Request.activities(booking: "booking_1")
    let entry = """
      {"id":"act_1","booking_id":"booking_1","type":"NOTE","actor":"ada","detail":"Called the customer",\
      "created_at":"2026-03-01T06:02:00.000Z"}
      """
    let body = JSON(parsing: #"{"activities":[\#(entry)],"items":[\#(entry)],"total":1}"#)
    let answer = AsiaTravelPlan.read(WireResponse(200, body: body), to: request)
    guard case .success(.activities(let activities))? = answer, let first = activities.first else {
      throw ControlProblem("no activities")
    }
    #expect(first.actor == "ada" && first.type == "NOTE")
    let written = AsiaTravelPlan.write(.success(.activities([first])), to: request, tokens: codec)
    #expect(written.body == body)
    let forbidden = WireResponse(403, body: ["error": "Forbidden"])
    #expect(AsiaTravelPlan.read(forbidden, to: request) == .failure(.api(.forbidden)))
  }

  @Test func `sign-in uses the paths, parameters and form of ATP section 7`() {
    let asked = AuthorizationRequest(state: "s", challenge: .text("c"))
    let authorize = AsiaTravelPlan.write(.authorize(asked), credential: nil, tokens: codec)
    #expect(authorize.method == "GET" && authorize.service == 1)
    #expect(
      authorize.target == "/realms/master/protocol/openid-connect/auth?client_id=asiatravelplan-ios"
        + "&redirect_uri=asiatravelplan%3A%2F%2Fauth%2Fcallback&response_type=code"
        + "&scope=openid%20profile%20email&state=s&code_challenge=c&code_challenge_method=S256")
    let call = AsiaTravelPlan.write(
      .token(
        TokenRequest(
          grantType: "authorization_code", redirectURI: "asiatravelplan://auth/callback", code: "1",
          verifier: "v")), credential: nil, tokens: codec)
    #expect(call.method == "POST")
    #expect(call.target == "/realms/master/protocol/openid-connect/token")
    #expect(call.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      String(decoding: call.body, as: UTF8.self)
        == "grant_type=authorization_code&client_id=asiatravelplan-ios"
        + "&redirect_uri=asiatravelplan%3A%2F%2Fauth%2Fcallback&code=1&code_verifier=v")
    let back = AsiaTravelPlan.write(
      .success(
        .redirected(
          Redirect(
            to: "asiatravelplan://auth/callback", state: "s", sessionState: "1", code: "2",
            cookies: [CookieChange(Cookie.session, "v")]))), to: .authorize(asked), tokens: codec)
    #expect(back.status == 302 && back.content == .empty)
    #expect(
      back.header("Location") == "asiatravelplan://auth/callback?state=s&session_state=1&code=2")
    #expect(
      back.header("Set-Cookie") == "KEYCLOAK_IDENTITY=v; Path=/realms/master/; HttpOnly")
  }

  @Test func `the token answer carries a JWT that names its key (7.3, 7.4)`() throws {
    let claims = Claims(
      .bearer, iss: "http://localhost:8788/realms/master", sub: "1", azp: "asiatravelplan-ios",
      exp: 60, iat: 0, jti: "j", sid: "s", scope: "openid", preferredUsername: "ada",
      realmRoles: ["atp_staff"], clientRoles: ["asiatravelplan-backend": ["atp_manager"]])
    let set = TokenSet(
      accessToken: .issued(claims, key: "key-1"), expiresInSeconds: 60, refreshToken: "r",
      refreshExpiresInSeconds: 1_800, idToken: nil, sessionState: "s", scope: "openid")
    let body = AsiaTravelPlan.write(
      .success(.tokens(set)), to: .token(TokenRequest(grantType: nil)), tokens: codec
    ).body
    let text = try #require(body?["access_token"]?.string)
    #expect(codec.key(of: text) == "key-1")
    let payload = try #require(codec.verifiedPayload(of: text, key: "key-1"))
    let document = try #require(JSON(parsing: payload))
    #expect(document["realm_access"] == ["roles": ["atp_staff"]])
    #expect(Claims(document) == claims)
    #expect(body?["token_type"] == "Bearer" && body?["not-before-policy"] == 0)
    #expect(codec.key(of: "no token") == nil)
  }

  @Test
  func `tokens of the harness's own keys become again what they say, others stay as they are`() {
    let claims = Claims(
      .bearer, iss: "i", sub: "1", azp: "app", exp: 60, iat: 0, jti: "j", sid: "s", authTime: 5,
      nonce: "n", preferredUsername: nil, groups: ["/g"])
    let own = SignedToken.issued(claims, key: "key-1")
    // Something that no claim of ours says.
    let other = codec.sign(payload: Array(#"{"typ":"Bearer","sub":"1"}"#.utf8), key: "key-1")
    let set = TokenSet(
      accessToken: .text(own.text(codec)), expiresInSeconds: 60, refreshToken: "r",
      refreshExpiresInSeconds: 1, idToken: .text(other), sessionState: "s", scope: "openid")
    var expected = set
    expected.accessToken = own
    #expect(AsiaTravelPlan.recognised(.tokens(set), by: codec) == .tokens(expected))
    #expect(AsiaTravelPlan.recognised(.done, by: codec) == .done)
  }

  @Test func `what is shown of requests and answers holds no secret`() {
    let shown = [
      AsiaTravelPlan.show(
        .logIn(LogIn(action: "/x?session_code=SECRET", username: "ada", password: "SECRET"))),
      AsiaTravelPlan.show(
        .token(
          TokenRequest(grantType: "g", code: "SECRET", verifier: "SECRET", refreshToken: "SECRET"))),
      AsiaTravelPlan.show(
        .authorize(AuthorizationRequest(state: "SECRET", challenge: .text("SECRET")))),
    ]
    for document in shown { #expect(!document.description.contains("SECRET")) }
  }

  @Test func `a token does not change a fingerprint`() {
    var tokens: Set<Digest> = []
    for token in ["a", "b"] {
      var digest = Digest()
      AsiaTravelPlan.fingerprint(
        of: .tokens(
          TokenSet(
            accessToken: .text(token), expiresInSeconds: 60, refreshToken: token,
            refreshExpiresInSeconds: 1, idToken: nil, sessionState: token, scope: "")),
        into: &digest)
      tokens.insert(digest)
    }
    #expect(tokens.count == 1)
  }
}
