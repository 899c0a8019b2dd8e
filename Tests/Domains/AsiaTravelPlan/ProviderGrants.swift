import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping
import WireLine

@testable import AsiaTravelPlanTwin

@Suite struct `The identity provider's token endpoint` {
  @Test func `refuses the confidential client without its secret (ATP-13)`() throws {
    var realm = try ProviderRealm()
    var asked = realm.exchange("no code")
    asked.clientID = "asiatravelplan-backend"
    for secret in [nil, "", "wrong", "backend-secret "] {
      asked.clientSecret = secret
      let refusal = realm.refusal(asked)
      #expect(refusal?.code == "unauthorized_client" && refusal?.status == 401)
    }
    asked.clientSecret = "backend-secret"
    #expect(realm.refusal(asked)?.code == "invalid_grant", "the client is right, the code is none")
    asked.clientSecret = nil
    // asiatravelplan-backend:backend-secret
    let basic = "Basic YXNpYXRyYXZlbHBsYW4tYmFja2VuZDpiYWNrZW5kLXNlY3JldA=="
    #expect(realm.refusal(asked, with: .otherScheme(basic))?.code == "invalid_grant")
    asked.clientSecret = "backend-secret"
    #expect(realm.refusal(asked, with: .otherScheme(basic))?.code == "invalid_request")
    (asked.clientSecret, asked.clientID) = (nil, "asiatravelplan-ios")
    #expect(realm.refusal(asked, with: .otherScheme(basic))?.code == "invalid_request")
    asked.clientID = nil
    #expect(realm.refusal(asked, with: .otherScheme(basic))?.code == "invalid_grant")
    for header in ["Basic", "Basic ", "Basic %", "Basic bm8gY29sb24=", "Digest x", ""] {
      let refusal = realm.refusal(asked, with: .otherScheme(header))
      #expect(refusal?.code == "invalid_client" && refusal?.status == 401)
    }
    asked.clientID = "visitor"
    #expect(realm.refusal(asked)?.code == "invalid_client")
  }

  @Test func `names what is missing (7.3)`() throws {
    var realm = try ProviderRealm()
    var asked = realm.exchange(nil)
    #expect(realm.refusal(asked)?.code == "invalid_request")
    asked.grantType = nil
    #expect(realm.refusal(asked)?.code == "invalid_request")
    for grant in ["", "password", "client_credentials", "Refresh_token"] {
      asked.grantType = grant
      #expect(realm.refusal(asked)?.code == "unsupported_grant_type")
    }
    #expect(realm.refusal(realm.renewal(nil))?.code == "invalid_request")
    asked.realm = "other"
    #expect(realm.refusal(asked)?.code == "page_404")
  }

  @Test func `takes a code once, for a minute, from who it was given to (7.3)`() throws {
    var realm = try ProviderRealm()
    let code = try realm.callback().code
    let set = try realm.tokens(realm.exchange(code))
    let renewed = try realm.tokens(realm.renewal(set.refreshToken))
    #expect(realm.refusal(realm.exchange(code)) == invalidGrant("Code not valid"))
    #expect(
      realm.refusal(realm.renewal(renewed.refreshToken)) == invalidGrant("Session not active"),
      "a code that is used again ends what came of it")

    let asked = realm.authorization()
    let next = try #require(realm.ask(.authorize(asked))?.reply?.redirect?.code)
    var other = realm.exchange(next)
    other.redirectURI = "asiatravelplan://auth/other"
    #expect(realm.refusal(other) == invalidGrant("Incorrect redirect_uri"))
    #expect(realm.refusal(realm.exchange(next)) == invalidGrant("Code not valid"))
    #expect(
      realm.refusal(realm.renewal(renewed.refreshToken)) == invalidGrant("Session not active"),
      "what has ended does not come back with the next login")

    let third = try #require(realm.ask(.authorize(asked))?.reply?.redirect?.code)
    var foreign = realm.exchange(third)
    (foreign.clientID, foreign.clientSecret) = ("asiatravelplan-backend", "backend-secret")
    #expect(realm.refusal(foreign)?.code == "invalid_grant")

    for (seconds, isGood) in [(59, true), (60, false), (61, false)] {
      let code = try #require(realm.ask(.authorize(asked))?.reply?.redirect?.code)
      realm.now += .seconds(Int64(seconds))
      let refusal = realm.refusal(realm.exchange(code))
      #expect(refusal == (isGood ? nil : invalidGrant("Code is expired")), "\(seconds) s")
    }
    #expect(realm.refusal(realm.exchange("garbage")) == invalidGrant("Code not valid"))
  }

  @Test func `refreshes until a session idles for half an hour, and for ten hours at most (7.3)`()
    throws
  {
    var realm = try ProviderRealm()
    var set = try realm.signIn()
    let first = set
    for _ in 0..<20 {
      realm.now += .seconds(1_799)
      set = try realm.tokens(realm.renewal(set.refreshToken))
    }
    // 35,980 s of 36,000 s have passed.
    #expect(set.refreshExpiresInSeconds == 20)
    #expect(realm.refusal(realm.renewal(first.refreshToken)) == invalidGrant("Token is not active"))
    realm.now += .seconds(20)
    #expect(realm.refusal(realm.renewal(set.refreshToken)) == invalidGrant("Token is not active"))
    #expect(realm.ask(.authorize(realm.authorization()))?.reply?.redirect == nil)

    var idle = try ProviderRealm()
    set = try idle.signIn()
    idle.now += .seconds(1_800)
    #expect(idle.refusal(idle.renewal(set.refreshToken)) == invalidGrant("Token is not active"))
  }

  @Test func `lets a refresh token be used again, unless it rotates them (7.3)`() throws {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    let renewed = try realm.tokens(realm.renewal(set.refreshToken))
    #expect(renewed.refreshToken != set.refreshToken)
    #expect(try realm.tokens(realm.renewal(set.refreshToken)).sessionState == set.sessionState)

    try realm.configure { $0.rotatesRefreshTokens = true }
    let single = try realm.tokens(realm.renewal(renewed.refreshToken))
    #expect(
      realm.refusal(realm.renewal(renewed.refreshToken))
        == invalidGrant("Maximum allowed refresh token reuse exceeded"))
    #expect(
      realm.refusal(realm.renewal(single.refreshToken)) == invalidGrant("Session not active"),
      "whoever has the other one is out as well")
  }

  @Test func `refreshes for the client that a token was given to (7.3)`() throws {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    var asked = realm.renewal(set.refreshToken)
    (asked.clientID, asked.clientSecret) = ("asiatravelplan-backend", "backend-secret")
    #expect(realm.refusal(asked) == invalidGrant("Invalid refresh token"))
    for text in ["", "garbage", set.accessToken.text(codec)] {
      #expect(realm.refusal(realm.renewal(text)) == invalidGrant("Invalid refresh token"))
    }
  }

  @Test func `reads roles anew with each refresh, and refuses who was disabled (7.3, 7.6)`() throws
  {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    try realm.tell(
      .setUser(
        UserChange(
          username: "ada", email: "", realmRoles: [], clientRoles: [:], groups: ["/atp_admin"],
          topLevelRoles: ["atp_staff"])))
    #expect(set.accessToken.claims?.realmRoles == ["atp_staff", "offline_access"])
    let next = try realm.tokens(realm.renewal(set.refreshToken))
    let claims = next.accessToken.claims
    #expect(claims?.realmRoles == [] && claims?.clientRoles == [:] && claims?.email == nil)
    #expect(claims?.groups == ["/atp_admin"] && claims?.topLevelRoles == ["atp_staff"])
    #expect(claims?.sub == "ada-id", "the id is who it is")

    try realm.tell(.setUser(UserChange(username: "ADA", isEnabled: false)))
    #expect(realm.refusal(realm.renewal(next.refreshToken)) == invalidGrant("User disabled"))
    let action = try realm.page()
    let form = LogIn(action: action, username: "ada", password: "p")
    #expect(realm.ask(.logIn(form))?.refusal?.code == "login_stayed")
    try realm.tell(.setUser(UserChange(username: "ada", isEnabled: true)))
    #expect(throws: Never.self) { try realm.tokens(realm.renewal(next.refreshToken)) }
  }

  @Test func `gives an identity token with the scope openid, and a lifetime by the realm (7.3)`()
    throws
  {
    var realm = try ProviderRealm()
    var asked = realm.authorization()
    for (scope, granted, hasID) in [
      ("openid", "openid", true), ("email openid email", "openid email", true),
      ("profile", "profile", false), ("OPENID", "profile email", false),
      ("", "profile email", false),
    ] {
      asked.scope = scope
      realm.jar = []
      let set = try realm.tokens(realm.exchange(realm.callback(asked).code))
      #expect(set.scope == granted && (set.idToken != nil) == hasID, "\(scope)")
    }
    try realm.configure { $0.realm = "atp" }
    realm.realm = "atp"
    realm.jar = []
    let set = try realm.signIn()
    #expect(set.expiresInSeconds == 300)
    #expect(set.accessToken.claims?.iss == "http://127.0.0.1:8788/realms/atp")
    try realm.configure { $0.accessTokenLifetime = .seconds(5) }
    #expect(try realm.tokens(realm.renewal(set.refreshToken)).expiresInSeconds == 5)
  }

  @Test func `forgets what is over, and nothing else`() throws {
    var realm = try ProviderRealm()
    var last: TokenSet?
    for _ in 0..<500 {
      realm.jar = []
      last = try realm.signIn()
      realm.jar = []
      _ = try realm.page()
      realm.now += .minutes(10)
    }
    let provider = realm.line.twin
    #expect(provider.steps.count + provider.sessions.count < 300)
    #expect(provider.codes.count < 300 && provider.refreshTokens.count < 300)
    #expect(provider.sessionsByCookie.count == provider.sessions.count)
    #expect(throws: Never.self) {
      try realm.tokens(realm.renewal(last?.refreshToken))
    }
  }

  @Test func `keeps the last pages when somebody opens more than anybody needs`() throws {
    var realm = try ProviderRealm()
    let early = try realm.page()
    var provider = realm.line.twin
    var most = 0
    for _ in 0..<25_000 {
      realm.now += .milliseconds(1)
      _ = provider.handle(
        .authorize(realm.authorization()), from: .client(nil), at: realm.now)
      most = max(most, provider.steps.count)
    }
    #expect(most <= IdentityProvider.mostSteps)
    realm.line.twin = provider
    let form = LogIn(action: early, username: "ada", password: "p")
    #expect(realm.ask(.logIn(form))?.refusal?.code == "page_400")
    #expect(throws: Never.self) { try realm.signIn() }
  }
}

extension AsiaTravelPlan.Refusal {
  fileprivate var status: Int? { if case .token(let status, _, _) = self { status } else { nil } }
}
