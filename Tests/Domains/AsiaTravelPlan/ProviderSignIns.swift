import AsiaTravelPlanContract
import AsiaTravelPlanTwin
import Contracts
import Testing
import Timekeeping
import WireLine

@Suite struct `Signing in at the identity provider` {
  @Test func `takes a page, a password, a code and its verifier (ATP-12)`() throws {
    var realm = try ProviderRealm()
    let action = try realm.page()
    let wrong = LogIn(action: action, username: "ada", password: "P")
    guard case .stayed(let again) = realm.ask(.logIn(wrong))?.refusal else {
      throw ControlProblem("a wrong password left the page")
    }
    #expect(again.action == action && again.message != nil && realm.jar.isEmpty)
    let back = realm.ask(.logIn(LogIn(action: action, username: "ADA", password: "p")))?.reply
    let callback = try #require(back?.redirect)
    #expect(callback.target == ProviderRealm.callback && callback.state == "s")
    #expect(realm.jar.map(\.name) == [Cookie.session])

    let set = try realm.tokens(realm.exchange(callback.code))
    #expect(set.sessionState == callback.sessionState && set.scope == "openid profile email")
    #expect(set.expiresInSeconds == 60 && set.refreshExpiresInSeconds == 1_800)
    let (access, id) = (set.accessToken.claims, set.idToken?.claims)
    #expect(access?.kind == .bearer && access?.aud == "account" && access?.nonce == nil)
    #expect(id?.kind == .id && id?.aud == "asiatravelplan-ios" && id?.nonce == "n")
    for claims in [access, id] {
      #expect(claims?.iss == "http://127.0.0.1:8788/realms/master")
      #expect(claims?.sub == "ada-id" && claims?.azp == "asiatravelplan-ios")
      #expect(claims?.preferredUsername == "ada" && claims?.email == "ada@example.test")
      #expect(claims?.realmRoles == ["atp_staff", "offline_access"])
      #expect(claims?.clientRoles == ["asiatravelplan-backend": ["atp_manager"]])
      #expect(claims?.iat == realm.now.unixSeconds && claims?.exp == realm.now.unixSeconds + 60)
      #expect(claims?.sid == set.sessionState)
    }
    #expect(access?.jti != id?.jti)
  }

  @Test func `sends back whoever leaves out or spoils the challenge (ATP-12)`() throws {
    var realm = try ProviderRealm()
    var spoilt: [AuthorizationRequest] = []
    func spoil(_ change: (inout AuthorizationRequest) -> Void) {
      var asked = realm.authorization()
      change(&asked)
      spoilt.append(asked)
    }
    spoil { $0.challenge = nil }
    spoil { $0.challengeMethod = nil }
    spoil { $0.challengeMethod = "plain" }
    spoil { $0.challengeMethod = "s256" }
    for text in ["", "short", ProviderRealm.verifier + "A", String(repeating: "+", count: 43)] {
      spoil { $0.challenge = .text(text) }
    }
    for asked in spoilt {
      let error = realm.ask(.authorize(asked))?.refusal?.sentBack
      #expect(error?.error == "invalid_request" && error?.target == ProviderRealm.callback)
      #expect(error?.state == "s" && error?.description != nil)
    }
    var open = try ProviderRealm(without: [.atp12])
    for asked in spoilt { #expect(throws: Never.self) { try open.page(asked) } }
  }

  @Test(arguments: [
    nil, "", "wrong", String(repeating: "a", count: 42), String(repeating: "a", count: 43),
    String(repeating: "a", count: 129), ProviderRealm.verifier + "=",
    ProviderRealm.verifier.lowercased(), "dBjftJeZ4CVP+mB92K27uhbUJU1p1r/wW1gFWFOEjXk",
    ProviderRealm.verifier + "\u{301}",
  ])
  func `gives no tokens for another verifier (ATP-12)`(verifier: String?) throws {
    var realm = try ProviderRealm()
    var asked = realm.exchange(try realm.callback().code)
    asked.verifier = verifier
    #expect(realm.refusal(asked)?.code == "invalid_grant")
    var open = try ProviderRealm(without: [.atp12])
    asked.code = try open.callback().code
    #expect(throws: Never.self) { try open.tokens(asked) }
  }

  @Test func `redirects nowhere but to the one address of the app (ATP-15)`() throws {
    var realm = try ProviderRealm()
    let foreign: [String?] = [
      nil, "", "asiatravelplan://auth/callback/", "asiatravelplan://auth/callbac",
      "asiatravelplan://auth/callback?x=1", "asiatravelplan://auth/callback#x",
      "AsiaTravelPlan://auth/callback", "asiatravelplan://auth/callback ",
      "asiatravelplan://auth/../auth/callback", "asiatravelplan:/auth/callback",
      "https://evil.example.test/auth/callback", "asiatravelplan://auth@evil/callback",
      "asiatravelplan://auth/call\u{200B}back", "*",
    ]
    for address in foreign {
      var asked = realm.authorization()
      asked.redirectURI = address
      #expect(realm.ask(.authorize(asked))?.refusal?.code == "page_400", "\(address ?? "none")")
    }
    var other = realm.authorization()
    other.clientID = "asiatravelplan-IOS"
    #expect(realm.ask(.authorize(other))?.refusal?.code == "page_400")

    var open = try ProviderRealm(without: [.atp15])
    other = open.authorization()
    other.redirectURI = "https://evil.example.test/auth/callback"
    #expect(try open.callback(other).target == other.redirectURI)
  }

  @Test func `needs no password while the browser's session lasts, unless it is asked for (7.2)`()
    throws
  {
    var realm = try ProviderRealm()
    let first = try realm.callback()
    let second = realm.ask(.authorize(realm.authorization(state: "t")))?.reply?.redirect
    #expect(second?.code != nil && second?.code != first.code && second?.state == "t")
    #expect(second?.sessionState == first.sessionState && second?.cookies == [])

    var asked = realm.authorization()
    asked.prompt = "login"
    let again = try realm.callback(asked)
    #expect(again.sessionState == first.sessionState, "the same user goes on in the same session")

    realm.now += .seconds(10)
    (asked.prompt, asked.maxAge) = (nil, "10")
    #expect(realm.ask(.authorize(asked))?.reply?.redirect != nil)
    asked.maxAge = "9"
    #expect(throws: Never.self) { try realm.page(asked) }
    asked.prompt = "none"
    #expect(realm.ask(.authorize(asked))?.refusal?.code == "login_required")
    asked.maxAge = nil
    #expect(realm.ask(.authorize(asked))?.reply?.redirect != nil)
    realm.jar = []
    #expect(realm.ask(.authorize(asked))?.refusal?.code == "login_required")
  }

  @Test func `tells what is wrong with a request by its code (7.2)`() throws {
    var realm = try ProviderRealm()
    let cases: [(String, (inout AuthorizationRequest) -> Void)] = [
      ("unsupported_response_type", { $0.responseType = "token" }),
      ("unsupported_response_type", { $0.responseType = "" }),
      ("unsupported_response_type", { $0.responseType = "code id_token" }),
      ("invalid_request", { $0.responseType = nil }),
      ("invalid_request", { $0.prompt = "none login" }),
      ("invalid_request", { $0.maxAge = "-1" }), ("invalid_request", { $0.maxAge = "ten" }),
      ("invalid_request", { $0.maxAge = "" }), ("page_404", { $0.realm = "other" }),
      ("page_400", { $0.clientID = nil }), ("page_400", { $0.clientID = "" }),
    ]
    for (code, change) in cases {
      var asked = realm.authorization()
      change(&asked)
      #expect(realm.ask(.authorize(asked))?.refusal?.code == code)
    }
    var endless = realm.authorization()
    endless.maxAge = String(repeating: "9", count: 400)
    #expect(throws: Never.self) { try realm.page(endless) }
  }

  @Test func `stays on the page for nobody, and is refused by who cancels (7.2)`() throws {
    var realm = try ProviderRealm()
    try realm.tell(.setUser(UserChange(username: "new")))
    let action = try realm.page()
    for (user, password) in [
      ("", ""), ("eve", "p"), ("new", ""), ("new", "p"), ("ada", ""), ("ada ", "p"), ("ada", "p "),
    ] {
      let form = LogIn(action: action, username: user, password: password)
      #expect(realm.ask(.logIn(form))?.refusal?.code == "login_stayed", "\(user)")
    }
    let cancelled = LogIn(action: action, username: "", password: "", isCancelled: true)
    let error = realm.ask(.logIn(cancelled))?.refusal?.sentBack
    #expect(error?.error == "access_denied" && error?.state == "s")
    let late = LogIn(action: action, username: "ada", password: "p")
    #expect(realm.ask(.logIn(late))?.refusal?.code == "page_400", "the page is used up")
    for action in ["/realms/master/login-actions/authenticate", "/realms/x/login-actions/a?b", ""] {
      let form = LogIn(action: action, username: "ada", password: "p")
      #expect(realm.line.ask(.logIn(form), at: realm.now)?.refusal != nil)
    }
  }

  @Test func `is over when the page is half an hour old, and one browser is one user (7.2)`() throws
  {
    var realm = try ProviderRealm()
    let action = try realm.page()
    realm.now += .seconds(1_800)
    let form = LogIn(action: action, username: "ada", password: "p")
    #expect(realm.ask(.logIn(form))?.refusal?.code == "page_400")

    try realm.tell(.setUser(UserChange(username: "bob", password: "p")))
    _ = try realm.callback()
    var asked = realm.authorization()
    asked.prompt = "login"
    let other = LogIn(action: try realm.page(asked), username: "bob", password: "p")
    #expect(realm.ask(.logIn(other))?.refusal?.code == "page_400")
  }

  @Test func `keeps the query that a registered address has of its own (7.1)`() throws {
    var realm = try ProviderRealm()
    let address = "http://127.0.0.1:8787/back?from=1"
    try realm.tell(
      .setClient(ClientRegistration("web", redirectURIs: [address], postLogoutRedirectURIs: [])))
    var asked = realm.authorization()
    (asked.clientID, asked.redirectURI, asked.prompt) = ("web", address, "none")
    let answer = realm.line.twin.handle(.authorize(asked), from: .client(nil), at: realm.now).answer
    guard case .now(let result) = answer else { throw ControlProblem("no answer") }
    let wire = AsiaTravelPlan.write(result, to: .authorize(asked), tokens: codec)
    #expect(wire.header("Location")?.hasPrefix(address + "&error=login_required&") == true)
  }
}

extension AsiaTravelPlan.Refusal {
  var sentBack: AsiaTravelPlan.AuthorizationError? {
    if case .sentBack(let error) = self { error } else { nil }
  }
}
