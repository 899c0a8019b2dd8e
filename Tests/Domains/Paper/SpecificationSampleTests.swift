import AsiaTravelPlanContract
import Contracts
import KilwinningContract
import MimiSupplyContract
import Testing
import Timekeeping

/// What the specifications print, read and written by the mappings: a mistake that reading and writing share would
/// survive every round trip.
@Suite struct `Samples of the specifications` {
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
    #expect(detail.activities == nil && detail.customer == nil)
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
    let exchange = AsiaTravelPlan.write(
      .token(
        TokenRequest(
          grantType: "authorization_code", redirectURI: "asiatravelplan://auth/callback", code: "1",
          verifier: "v")), credential: nil, tokens: codec)
    #expect(exchange.method == "POST")
    #expect(exchange.target == "/realms/master/protocol/openid-connect/token")
    #expect(exchange.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      String(decoding: exchange.body, as: UTF8.self)
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
    let payload = try #require(codec.verifiedPayload(of: text))
    let document = try #require(JSON(parsing: payload))
    #expect(document["realm_access"] == ["roles": ["atp_staff"]])
    #expect(Claims(document) == claims)
    #expect(body?["token_type"] == "Bearer" && body?["not-before-policy"] == 0)
    #expect(codec.key(of: "no token") == nil)
  }

  @Test func `the status change of MS 3.9 is read, and its answer written as it stands there`()
    throws
  {
    let asked = """
      {"operations":[{"operationType":"update","record":{"recordType":"Order","recordName":"o-7",\
      "recordChangeTag":"4k","fields":{"status":{"value":"preparing"}}}}]}
      """
    let wire = WireRequest(
      "POST",
      "/database/1/iCloud.com.mimisupply.app/production/private/records/modify"
        + "?ckAPIToken=a&ckWebAuthToken=u", headers: [WireHeader("X-Mimi-Device-Id", "d-4")],
      body: Array(asked.utf8))
    let (request, credential) = MimiSupply.read(wire)
    let draft = RecordDraft(
      name: "o-7", type: "Order", changeTag: "4k", fields: ["status": .untyped("\"preparing\"")])
    #expect(
      request
        == .modify(Location(database: "private"), Modification([.init(.update, draft)])))
    #expect(credential == .init(apiToken: "a", userToken: "u", deviceID: "d-4"))
    let written = MimiSupply.write(request, credential: credential, tokens: codec)
    #expect(written.target == wire.target && JSON(parsing: written.body) == JSON(parsing: asked))

    let answer = """
      {"records":[{"recordName":"o-7","recordType":"Order","recordChangeTag":"4t",\
      "zoneID":{"zoneName":"_defaultZone","ownerRecordName":"u-3"},\
      "fields":{"status":{"value":"preparing","type":"STRING"}},\
      "created":{"timestamp":1755000000000,"userRecordName":"u-3","deviceID":"d-1"},\
      "modified":{"timestamp":1755000300000,"userRecordName":"u-9","deviceID":"d-4"}}]}
      """
    let document = try #require(JSON(parsing: answer))
    let read = try #require(MimiSupply.read(WireResponse(200, body: document), to: request))
    guard case .success(let reply) = read, case .items(let items) = reply.content,
      case .saved(let record)? = items.first
    else { throw ControlProblem("not saved") }
    #expect(record.modified.timestamp - record.created.timestamp == .seconds(300))
    #expect(MimiSupply.write(read, to: request, tokens: codec).body == document)
  }

  @Test func `both errors of MS 3.9 are read and written as they stand there`() throws {
    let request = MimiSupply.Request.modify(Location(database: "private"), Modification([]))
    let item = """
      {"records":[{"recordName":"o-7","serverErrorCode":"BAD_REQUEST","reason":"…",\
      "ckErrorCode":"CKErrorConstraintViolation","ckErrorNumber":19,"mimiReason":"illegal_transition"}]}
      """
    let partial = try #require(
      MimiSupply.read(WireResponse(200, body: JSON(parsing: item)), to: request))
    guard case .success(let reply) = partial, case .items(let items) = reply.content,
      case .failed(let failed)? = items.first
    else { throw ControlProblem("no failure of an item") }
    #expect(failed.failure.mimiReason == "illegal_transition")
    #expect(MimiSupply.write(partial, to: request, tokens: codec).body == JSON(parsing: item))

    let whole = """
      {"uuid":"1","serverErrorCode":"TRY_AGAIN_LATER","reason":"…","retryAfter":2.5,\
      "ckErrorCode":"CKErrorZoneBusy","ckErrorNumber":23}
      """
    let busy = try #require(
      MimiSupply.read(WireResponse(503, body: JSON(parsing: whole)), to: request))
    guard case .failure(let refusal) = busy else { throw ControlProblem("no refusal") }
    #expect(refusal.failure.retryAfter == .milliseconds(2_500))
    let written = MimiSupply.write(busy, to: request, tokens: codec)
    #expect(written.body == JSON(parsing: whole))
    #expect(written.header("Retry-After") == "3", "whole seconds, rounded up")
  }

  @Test func `a confirmation of Kilwinning has the keys, headers and answers of section 3`() {
    let request = Kilwinning.Request.confirm(
      .init(tornataID: 3, presente: true, idempotencyKey: "op-1"))
    let wire = Kilwinning.write(
      request, credential: .init(authorization: .bearer("t")), tokens: codec)
    #expect(wire.method == "POST" && wire.target == "/api/presenze")
    #expect(String(decoding: wire.body, as: UTF8.self) == #"{"tornata_id":3,"presente":true}"#)
    #expect(wire.header("Idempotency-Key") == "op-1")
    #expect(wire.header("Authorization") == "Bearer t")

    let refused = Kilwinning.write(
      .failure(.init(.campoMancante, "manca", field: "nome")), to: .logIn(nome: ""), tokens: codec)
    #expect(refused.status == 400)
    #expect(
      refused.body?.description
        == #"{"success":false,"error":"manca","code":"CAMPO_MANCANTE","field":"nome"}"#)
    let stored = Presenza(
      id: 1, fratelloID: 7, tornataID: 3, status: .presente,
      confirmedAt: Instant(unixMilliseconds: 1_774_072_800_999))
    let list = Kilwinning.write(
      .success(.presenze([stored])), to: .presenze(.init(fratelloID: 7)), tokens: codec)
    #expect(
      list.body?.description
        == #"[{"id":1,"fratello_id":7,"brother_id":7,"tornata_id":3,"presente":true,"#
        + #""status":"Presente","confirmed_at":"2026-03-21T06:00:00Z"}]"#)
  }

  @Test(arguments: ["Bearer", "bearer t extra", "Bearer  t", "Token t", "Bearer "])
  func
    `a malformed Authorization header stays malformed, and a cookie does not help (KW-010, KW-011)`(
      header: String
    )
  {
    let wire = WireRequest(
      "GET", "/api/fratelli/me",
      headers: [
        WireHeader("Authorization", header), WireHeader("Cookie", "a=b; kilwinning_session=good"),
      ])
    let (request, credential) = Kilwinning.read(wire)
    #expect(request == .me)
    #expect(credential == .init(authorization: .malformed(header), cookie: "good"))
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
      MimiSupply.show(.poll(Poll(following: "/courier/1/SECRET"))),
      MimiSupply.show(.control(.delivered(token: "SECRET", notification: "n"))),
      MimiSupply.show(.signIn(SignIn(identityToken: "SECRET", nonce: "SECRET", deviceID: "d"))),
      MimiSupply.show(
        MimiSupply.read(WireRequest("GET", "/x?ckAPIToken=SECRET&ckWebAuthToken=SECRET")).request),
    ]
    for document in shown { #expect(!document.description.contains("SECRET")) }
  }

  @Test func `a token does not change a fingerprint, an item's result does`() {
    let record = { (tag: String) in
      ItemResult.failed(ItemFailure("o", Failure(.conflict, .serverRecordChanged, mimiReason: tag)))
    }
    var digests: [Digest] = []
    for tag in ["a", "b"] {
      var digest = Digest()
      MimiSupply.fingerprint(of: MimiSupply.Reply(.items([record(tag)]), csn: 1), into: &digest)
      digests.append(digest)
    }
    #expect(digests[0] != digests[1])
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
