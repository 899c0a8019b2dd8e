import AsiaTravelPlanContract
import AsiaTravelPlanTwin
import Contracts
import Testing
import Timekeeping
import WireLine

@Suite struct `Ending a session at the identity provider` {
  private func logout(_ set: TokenSet?, state: String? = "s") -> EndSession {
    EndSession(idTokenHint: set?.idToken.map { .text($0.text(codec)) }, state: state)
  }

  @Test func `goes back to the app and forgets the browser (ATP-16)`() throws {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    let back = realm.ask(.endSession(logout(set)))?.reply?.redirect
    #expect(back?.target == ProviderRealm.callback && back?.state == "s")
    #expect(realm.jar.isEmpty)
    #expect(throws: Never.self) { try realm.page() }
    #expect(realm.ask(.endSession(logout(set)))?.reply?.redirect != nil, "it is gone already")
  }

  @Test func `fails for an address that is not registered, and keeps the session (ATP-17)`() throws
  {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    let foreign: [(inout EndSession) -> Void] = [
      { $0.postLogoutRedirectURI = "asiatravelplan://auth/callback/" },
      { $0.postLogoutRedirectURI = "https://evil.example.test/" },
      { $0.postLogoutRedirectURI = "" }, { $0.clientID = "visitor" },
      { $0.clientID = "asiatravelplan-backend" }, { $0.idTokenHint = .text("garbage") },
      { $0.idTokenHint = .text("") }, { $0.idTokenHint = .text(set.accessToken.text(codec)) },
      { $0.idTokenHint = .text((set.idToken?.text(codec) ?? "").dropLast(6) + "AAAAAA") },
      {
        ($0.postLogoutRedirectURI, $0.legacyRedirectURI) = (nil, "https://evil.example.test/")
      },
      { ($0.clientID, $0.idTokenHint) = (nil, nil) },
    ]
    for change in foreign {
      var asked = logout(set)
      change(&asked)
      #expect(realm.ask(.endSession(asked))?.refusal?.code == "page_400", "\(asked)")
    }
    try realm.tell(
      .setClient(
        ClientRegistration(
          "asiatravelplan-ios", redirectURIs: [ProviderRealm.callback], postLogoutRedirectURIs: []))
    )
    #expect(realm.ask(.endSession(logout(set)))?.refusal?.code == "page_400")
    #expect(throws: Never.self) { try realm.tokens(realm.renewal(set.refreshToken)) }
    #expect(realm.ask(.authorize(realm.authorization()))?.reply?.redirect != nil)

    var open = try ProviderRealm(without: [.atp17])
    var asked = logout(try open.signIn())
    asked.postLogoutRedirectURI = "https://evil.example.test/"
    #expect(open.ask(.endSession(asked))?.reply?.redirect?.target == asked.postLogoutRedirectURI)
  }

  @Test func `outlives no refresh token, and is outlived by an access token (ATP-27)`() throws {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    _ = realm.ask(.endSession(logout(set)))
    #expect(realm.refusal(realm.renewal(set.refreshToken)) == invalidGrant("Session not active"))
    #expect(set.accessToken.claims?.exp == realm.now.unixSeconds + 60)

    var open = try ProviderRealm(without: [.atp27])
    let kept = try open.signIn()
    _ = open.ask(.endSession(logout(kept)))
    #expect(throws: Never.self) { try open.tokens(open.renewal(kept.refreshToken)) }
  }

  @Test func `asks without a hint, and shows a page without an address (7.5)`() throws {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    guard case .endSessionPage(let action) = realm.ask(.endSession(logout(nil)))?.reply else {
      throw ControlProblem("no question")
    }
    #expect(throws: Never.self) { try realm.tokens(realm.renewal(set.refreshToken)) }
    let confirmed = realm.ask(.confirmEndSession(action: action))?.reply?.redirect
    #expect(confirmed?.target == ProviderRealm.callback && realm.jar.isEmpty)
    #expect(realm.refusal(realm.renewal(set.refreshToken))?.code == "invalid_grant")
    #expect(realm.ask(.confirmEndSession(action: action))?.refusal?.code == "page_400")

    let next = try realm.signIn()
    var asked = logout(next)
    asked.postLogoutRedirectURI = nil
    #expect(realm.ask(.endSession(asked))?.reply == .signedOut)
    #expect(realm.refusal(realm.renewal(next.refreshToken))?.code == "invalid_grant")
  }

  @Test func `takes an old identity token as a hint, and the legacy parameter if it likes (O-12)`()
    throws
  {
    var realm = try ProviderRealm()
    var set = try realm.signIn()
    realm.now += .hours(3)
    var asked = logout(set)
    (asked.postLogoutRedirectURI, asked.legacyRedirectURI) = (nil, ProviderRealm.callback)
    #expect(realm.ask(.endSession(asked))?.reply?.redirect?.target == ProviderRealm.callback)

    set = try realm.signIn()
    try realm.configure { $0.rejectsLegacyLogoutParameter = true }
    asked = logout(set)
    asked.legacyRedirectURI = ProviderRealm.callback
    #expect(realm.ask(.endSession(asked))?.refusal?.code == "page_400")
    #expect(throws: Never.self) { try realm.tokens(realm.renewal(set.refreshToken)) }
  }
}

@Suite struct `Faults and keys of the identity provider` {
  private func keys(_ realm: inout ProviderRealm) -> [KeySet.Key] {
    guard case .keys(let set) = realm.line.ask(.keySet(realm: "master"), at: realm.now)?.reply
    else { return [] }
    return set.keys
  }

  @Test func `publish what verifies their tokens, before and after a rotation (7.1, 7.6)`() throws {
    var realm = try ProviderRealm()
    let before = keys(&realm)
    let set = try realm.signIn()
    let old = set.accessToken.text(codec)
    try #require(before.count == 1 && before[0].kid == codec.key(of: old))
    #expect(before.map(\.n) == [.text(codec.modulus(of: before[0].kid))])

    try realm.tell(.rotateKeys(keepOld: true))
    let both = keys(&realm)
    try #require(both.count == 2)
    #expect(both[1] == before[0] && both[0].n != both[1].n)
    let next = try realm.tokens(realm.renewal(set.refreshToken))
    #expect(codec.key(of: next.accessToken.text(codec)) == both[0].kid)
    #expect(codec.verifiedPayload(of: old, key: both[0].kid) == nil)
    #expect(codec.verifiedPayload(of: old, key: both[1].kid) != nil)

    try realm.tell(.rotateKeys(keepOld: false))
    let last = keys(&realm)
    #expect(last.count == 1 && Set(last).isDisjoint(with: both))
    let hint = EndSession(idTokenHint: set.idToken)
    #expect(realm.ask(.endSession(hint))?.refusal?.code == "page_400", "its key is gone")
  }

  @Test func `repeat to the byte with a seed, and differ with another`() throws {
    func lived(seed: UInt64) throws -> [String] {
      var realm = try ProviderRealm(seed: seed)
      let set = try realm.signIn()
      return [set.accessToken.text(codec), set.refreshToken] + realm.jar.map(\.value)
    }
    let once = try lived(seed: 7)
    #expect(try lived(seed: 7) == once)
    #expect(Set(try lived(seed: 8)).isDisjoint(with: once))
  }

  @Test func `say where they are, by the host that was asked (7.1)`() throws {
    var realm = try ProviderRealm()
    func discovery(_ host: String?) -> Discovery? {
      let asked = DiscoveryRequest(host: host)
      guard case .discovery(let it) = realm.line.ask(.discovery(asked), at: realm.now)?.reply
      else { return nil }
      return it
    }
    #expect(discovery(nil) == Discovery(issuer: "http://127.0.0.1:8788/realms/master"))
    let local = try #require(discovery("localhost:9000"))
    #expect(local.issuer == "http://localhost:9000/realms/master")
    #expect(
      local.tokenEndpoint
        == "http://localhost:9000/realms/master/protocol/openid-connect/token")
    var asked = realm.exchange(try realm.callback().code)
    asked.host = "localhost:9000"
    #expect(try realm.tokens(asked).accessToken.claims?.iss == local.issuer)
    try realm.configure { $0.base = "https://id.example.test" }
    #expect(discovery("localhost:9000")?.issuer == "https://id.example.test/realms/master")
  }

  @Test func `are what the operator says: clock, reach, grants, sessions (7.6)`() throws {
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    try realm.configure { $0.clockOffset = -.minutes(5) }
    let early = try realm.tokens(realm.renewal(set.refreshToken)).accessToken.claims
    #expect(early?.iat == realm.now.unixSeconds - 300 && early?.exp == realm.now.unixSeconds - 240)
    try realm.configure { $0.clockOffset = .seconds(10) }
    #expect(
      try realm.tokens(realm.renewal(set.refreshToken)).accessToken.claims?.iat
        == realm.now.unixSeconds + 10)

    try realm.configure { $0.areKeysReachable = false }
    #expect(keys(&realm) == [] && realm.line.twin.publishedKeys == nil)
    try realm.configure { $0.isDiscoveryReachable = false }
    #expect(
      realm.line.ask(.discovery(DiscoveryRequest()), at: realm.now) == .unknown(.unparsable))
    try realm.tell(restored())
    #expect(keys(&realm).count == 1)

    let from = realm.now + .seconds(30)
    try realm.configure { $0.grantsRefusedFrom = from }
    realm.now += .seconds(29)
    #expect(throws: Never.self) { try realm.tokens(realm.renewal(set.refreshToken)) }
    realm.now += .seconds(1)
    #expect(realm.refusal(realm.renewal(set.refreshToken))?.code == "invalid_grant")
    try realm.tell(restored())

    try realm.tell(.endSessions(username: "Ada"))
    #expect(realm.refusal(realm.renewal(set.refreshToken)) == invalidGrant("Session not active"))
    #expect(throws: Never.self) { try realm.page() }
  }

  /// What a change from the specification's values could not say: that they hold again.
  private func restored() throws -> AsiaTravelPlan.Request {
    try AsiaTravelPlan.control("configure", ["keysReachable": true, "grantsRefusedFrom": nil])
  }
}
