import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

typealias Me = Person<AsiaTravelPlan>
typealias Asked = Outcome<AsiaTravelPlan>

/// The browser of a device: it keeps the provider's cookies, shows its login page, and stops where a redirect leaves it (5.1).
final class UserAgent {
  private var cookies: [Cookie] = []

  private var credential: AsiaTravelPlan.Credential? {
    cookies.isEmpty ? nil : .cookies(cookies)
  }

  /// Authorization code with PKCE (7.2, 7.3).
  ///
  /// - Parameter landed: Hears whether the redirect brought the state that was sent.
  /// - Returns: What became of the code; `nil` where none came.
  func signIn(
    _ account: Account, with client: ClientRegistration, as me: Me,
    landed: (Bool) -> Void = { _ in }
  ) async throws(JourneyEnded) -> Asked? {
    let (state, verifier) = (Self.secret(me), Self.secret(me))
    let address = client.redirectURIs[0]
    let asked = AuthorizationRequest(
      realm: account.realm, clientID: client.clientID, redirectURI: address, state: state,
      challenge: .of(verifier: verifier))
    var outcome = try await me.ask(.authorize(asked), with: credential)
    // One in thirty mistypes the password at first, one in a hundred thinks better of it.
    for attempt in 1...2 {
      guard let page = outcome.loginPage else { break }
      let (mistypes, cancels) = me.draw(.habit) { ($0.chance(0.03), $0.chance(0.01)) }
      try await me.think(.lognormal(median: .seconds(8), p95: .seconds(20)))
      outcome = try await me.ask(
        .logIn(
          LogIn(
            action: page.action, username: account.username,
            password: mistypes && attempt == 1 ? "?" : account.password, isCancelled: cancels)),
        with: credential)
    }
    if case .sentBack(let error)? = outcome.refusal { landed(error.state == state) }
    guard let redirect = outcome.reply?.redirected else { return nil }
    keep(redirect)
    landed(redirect.state == state)
    guard redirect.state == state, let code = redirect.code else { return nil }
    return try await me.ask(
      .token(
        TokenRequest(
          realm: account.realm, grantType: "authorization_code", clientID: client.clientID,
          clientSecret: client.secret, redirectURI: address, code: code, verifier: verifier)))
  }

  /// - Returns: Whether the provider sent it to the address after a logout.
  func endSession(_ asked: EndSession, as me: Me) async throws(JourneyEnded) -> Bool {
    var outcome = try await me.ask(.endSession(asked), with: credential)
    if let action = outcome.reply?.endSessionPage {
      outcome = try await me.ask(.confirmEndSession(action: action), with: credential)
    }
    guard let redirect = outcome.reply?.redirected else { return false }
    keep(redirect)
    return true
  }

  private func keep(_ redirect: Redirect) {
    for change in redirect.cookies {
      cookies.removeAll { $0.name == change.name }
      if let value = change.value { cookies.append(Cookie(change.name, value)) }
    }
  }

  /// 32 random bytes, base64url: 43 characters.
  static func secret(_ me: Me) -> String {
    me.draw(.secrets) { stream in
      let words = (0..<4).map { _ in stream.next() }
      return Base64URL.encode(
        words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }
  }
}

extension Asked {
  /// A login page, at first or once more.
  fileprivate var loginPage: LoginPage? {
    if case .stayed(let page)? = refusal { return page }
    return reply?.loginPage
  }

  var kind: AsiaTravelPlan.APIRefusal? {
    if case .api(let kind, _)? = refusal { kind } else { nil }
  }
}

/// What a client has of a user who is signed in (2.10).
struct Session {
  var access: SignedToken
  var id: SignedToken?
  var refresh: String
  var expires: Instant
  let lead: Span
  let roles: [Role]

  /// - Parameter old: Of which stays what the answer leaves out.
  init(_ set: TokenSet, after old: Session?, at now: Instant) {
    (access, id) = (set.accessToken, set.idToken ?? old?.id)
    refresh = set.refreshToken.isEmpty ? old?.refresh ?? "" : set.refreshToken
    let lifetime = Span.seconds(Int64(set.expiresInSeconds))
    expires = now + lifetime
    lead = min(.seconds(60), lifetime / 5)
    let claims = set.accessToken.claims
    let named =
      (claims?.realmRoles ?? [])
      + [ClientRegistration.app, .backend].flatMap { claims?.clientRoles[$0.clientID] ?? [] }
    roles = Role.allCases.filter { named.contains($0.rawValue) }
  }

  func isDue(at now: Instant) -> Bool { now >= expires - lead }

  func renewal(_ account: Account, _ client: ClientRegistration) -> AsiaTravelPlan.Request {
    .token(
      TokenRequest(
        realm: account.realm, grantType: "refresh_token", clientID: client.clientID,
        clientSecret: client.secret, refreshToken: refresh))
  }
}

/// A client that is no app: it has a token whenever it needs one, and nothing to show.
final class SignedIn {
  let account: Account
  private let client: ClientRegistration
  private let agent = UserAgent()
  private(set) var session: Session?

  init(_ account: Account, _ client: ClientRegistration) {
    (self.account, self.client) = (account, client)
  }

  /// - Returns: `nil` where the provider gives none.
  func token(as me: Me) async throws(JourneyEnded) -> SignedToken? {
    if let session, !session.isDue(at: me.now) { return session.access }
    var outcome: Asked?
    if let session { outcome = try await me.ask(session.renewal(account, client)) }
    if outcome?.reply?.tokens == nil {
      session = nil
      outcome = try await agent.signIn(account, with: client, as: me)
    }
    session = (outcome?.reply?.tokens).map { Session($0, after: session, at: me.now) }
    return session?.access
  }

  /// `nil` without a token.
  func ask(
    _ request: AsiaTravelPlan.Request, as me: Me
  ) async throws(JourneyEnded) -> Asked? {
    guard let token = try await token(as: me) else { return nil }
    let outcome = try await me.ask(request, with: .bearer(token))
    if outcome.kind == .unauthorized { session = nil }
    return outcome
  }

  func signOut(as me: Me) async throws(JourneyEnded) -> Bool {
    guard let hint = session?.id else { return false }
    session = nil
    return try await agent.endSession(
      EndSession(
        realm: account.realm, clientID: client.clientID,
        postLogoutRedirectURI: client.postLogoutRedirectURIs[0], idTokenHint: hint), as: me)
  }
}
