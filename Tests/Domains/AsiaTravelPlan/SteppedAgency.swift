import AsiaTravelPlanContract
import AsiaTravelPlanDomain
import Backends
import Contracts
import Replays
import Testing
import Timekeeping
import WireLine

@Suite struct `An agency whose clock a user moves` {
  private var twin = SteppedTwin(
    AsiaTravelPlanBackend(),
    setup: TwinSetup(
      identifiers: RandomStream(seed: 1, owner: 1, purpose: 0), rulesOff: [], tokens: codec),
    starts: Office.start)

  private mutating func ask(
    _ request: AsiaTravelPlan.Request, with credential: AsiaTravelPlan.Credential? = nil
  ) -> WireResponse {
    twin.answer(AsiaTravelPlan.write(request, credential: credential, tokens: codec)).response
  }

  private mutating func reply(_ request: AsiaTravelPlan.Request) throws -> AsiaTravelPlan.Reply {
    try #require(AsiaTravelPlan.read(ask(request), to: request)).get()
  }

  /// Signs a manager in, over the wire.
  private mutating func signIn() throws -> AsiaTravelPlan.Credential {
    let set = twin.obey(
      "setUser", ["username": "mia", "password": "p", "realmRoles": ["atp_manager"]])
    #expect(set.response.status == 200)
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let page = try reply(
      .authorize(AuthorizationRequest(state: "s", challenge: .of(verifier: verifier))))
    let action = try #require(page.loginPage?.action)
    let landed = try reply(.logIn(LogIn(action: action, username: "mia", password: "p")))
    let redirect = try #require(landed.redirected)
    let tokens = try reply(
      .token(
        TokenRequest(
          grantType: "authorization_code", redirectURI: redirect.target, code: redirect.code,
          verifier: verifier)))
    return .bearer(try #require(tokens.tokens).accessToken)
  }

  @Test mutating func `fetches the keys of its own provider, and lets its users in`() throws {
    let credential = try signIn()
    #expect(ask(.bookings(.app), with: credential).status == 200)
    _ = twin.obey("rotateKeys", ["keepOld": false])
    #expect(ask(.bookings(.app), with: credential).status == 200)
    #expect(ask(.bookings(.app), with: .bearer(.text("x.y.z"))).status == 401)
  }

  @Test mutating func `gives up after five seconds where no keys come`() throws {
    let credential = try signIn()
    _ = twin.obey("configure", ["keysReachable": false])
    let before = twin.now
    #expect(ask(.me, with: credential).status == 401)
    #expect(twin.now - before == .seconds(5))
  }

  @Test func `answers a fetch with the keys as they were when it began`() {
    let keys = KeySet([KeySet.Key(kid: "k", n: .of(key: "k"))])
    let answers = AsiaTravelPlanBackend().environment(
      on: .keySetFetch(realm: "master", keys), at: .provider)
    #expect(answers == [.keySetArrived(realm: "master", keys)])
  }
}
