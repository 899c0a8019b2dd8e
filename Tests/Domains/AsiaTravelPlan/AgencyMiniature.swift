import AsiaTravelPlanContract
import Contracts
import Timekeeping
import WireLine

/// Just enough of an agency with its identity provider to sign in and to read one booking.
struct AgencyMiniature: Twin {
  typealias Contract = AsiaTravelPlan

  struct Grant { var challenge: Challenge, session: String }

  let base = "http://localhost:8788/realms/master"
  let callback = "asiatravelplan://auth/callback"
  let detail: BookingDetail
  let invoices: [Invoice]
  let tokens: any TokenCodec
  let passwords = ["ada": "p"]

  private var signingKey = "key-1"
  /// Login pages that are open, by their session code.
  private var pages: [String: AuthorizationRequest] = [:]
  private var sessions: Set<String> = []
  private var codes: [String: Grant] = [:]
  private var given = 0

  /// What the API knows of the provider's keys; `nil` before the first fetch.
  private var cached: KeySet?
  private var held: [(ticket: Ticket, request: AsiaTravelPlan.Request)] = []
  private var fetchGivenUp: Instant?

  init(detail: BookingDetail, invoices: [Invoice], tokens: any TokenCodec) {
    self.detail = detail
    self.invoices = invoices
    self.tokens = tokens
  }

  var nextDue: Instant? { fetchGivenUp }

  /// A fetch takes at most 5 s (7.4); whoever waited is refused.
  mutating func advance(to now: Instant) -> Effects<AsiaTravelPlan> {
    guard let due = fetchGivenUp, due <= now else { return Effects() }
    return settle(.unauthorized)
  }

  mutating func handle(
    _ request: AsiaTravelPlan.Request, from caller: Caller<AsiaTravelPlan>, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    switch request {
    case .authorize(let asked): authorize(asked, caller)
    case .logIn(let form): logIn(form)
    case .token(let asked): call(asked, at: now)
    case .keySet: .replied(.keys(published))
    case .endSession(let asked): endSession(asked)
    case .confirmEndSession: .refused(.page(status: 400, message: "Nothing to confirm"))
    case .booking, .activities, .invoices: read(request, caller, at: now)
    case .unread(.malformed): .refused(.page(status: 400, message: "Unreadable"))
    case .unread(.unrouted(let it)):
      .refused(it.service == 0 ? .api(.unauthorized) : .page(status: 404, message: "Not found"))
    case .keySetArrived(_, let keys): arrived(keys)
    case .rotateKeys:
      rotate()
    }
  }

  // MARK: The provider

  private var published: KeySet { KeySet([.init(kid: signingKey, n: "n-" + signingKey)]) }

  private mutating func rotate() -> Handled<AsiaTravelPlan> {
    signingKey += "'"
    return .replied(.done)
  }

  private mutating func authorize(
    _ asked: AuthorizationRequest, _ caller: Caller<AsiaTravelPlan>
  ) -> Handled<AsiaTravelPlan> {
    guard asked.redirectURI == callback else {
      return .refused(.page(status: 400, message: "Invalid parameter: redirect_uri"))
    }
    guard asked.challenge != nil, asked.challengeMethod == "S256" else {
      return .refused(
        .sentBack(.init(to: callback, "invalid_request", description: "PKCE", state: asked.state)))
    }
    if case .client(.cookies(let cookies)) = caller,
      let session = cookies.first(where: { sessions.contains($0.value) })
    {
      return .replied(.redirected(back(asked, in: session.value)))
    }
    let page = next("page")
    pages[page] = asked
    return .replied(.loginPage(LoginPage(action: action(page))))
  }

  private mutating func logIn(_ form: LogIn) -> Handled<AsiaTravelPlan> {
    guard let page = WireTarget(parsing: form.action).query["session_code"], let asked = pages[page]
    else { return .refused(.page(status: 400, message: "Page has expired")) }
    guard passwords[form.username] == form.password else {
      return .refused(.stayed(LoginPage(action: action(page), message: "Invalid \"password\"")))
    }
    pages[page] = nil
    let session = next("session")
    sessions.insert(session)
    var redirect = back(asked, in: session)
    redirect.cookies = [CookieChange(Cookie.session, session)]
    return .replied(.redirected(redirect))
  }

  private mutating func back(_ asked: AuthorizationRequest, in session: String) -> Redirect {
    let code = next("code")
    codes[code] = asked.challenge.map { Grant(challenge: $0, session: session) }
    return Redirect(to: callback, state: asked.state, sessionState: session, code: code)
  }

  private mutating func call(_ asked: TokenRequest, at now: Instant) -> Handled<AsiaTravelPlan> {
    guard let grant = asked.code.flatMap({ codes.removeValue(forKey: $0) }) else {
      return refusedGrant("Code not valid")
    }
    guard let verifier = asked.verifier, grant.challenge.fits(verifier, tokens) else {
      return refusedGrant("PKCE verification failed")
    }
    let claims = Claims(
      .bearer, iss: base, sub: "ada-id", azp: "asiatravelplan-ios", exp: now.unixSeconds + 60,
      iat: now.unixSeconds, jti: next("jti"), sid: grant.session, preferredUsername: "ada",
      realmRoles: ["atp_staff"])
    return .replied(
      .tokens(
        TokenSet(
          accessToken: .issued(claims, key: signingKey), expiresInSeconds: 60,
          refreshToken: next("refresh"), refreshExpiresInSeconds: 1_800, idToken: nil,
          sessionState: grant.session, scope: "openid profile email")))
  }

  private func refusedGrant(_ description: String) -> Handled<AsiaTravelPlan> {
    .refused(.token(status: 400, error: "invalid_grant", description: description))
  }

  private mutating func endSession(_ asked: EndSession) -> Handled<AsiaTravelPlan> {
    guard asked.postLogoutRedirectURI == callback else {
      return .refused(.page(status: 400, message: "Invalid redirect uri"))
    }
    sessions = []
    return .replied(
      .redirected(
        Redirect(to: callback, state: asked.state, cookies: [CookieChange(Cookie.session, nil)])))
  }

  private func action(_ page: String) -> String {
    "\(base)/login-actions/authenticate?session_code=\(page)&execution=a%26b"
  }

  private mutating func next(_ name: String) -> String {
    given += 1
    return "\(name)-\(given)"
  }

  // MARK: The API

  private mutating func read(
    _ request: AsiaTravelPlan.Request, _ caller: Caller<AsiaTravelPlan>, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    guard case .client(.bearer(let token)) = caller else { return .refused(.api(.unauthorized)) }
    let text = token.text(tokens)
    guard let cached, cached.keys.contains(where: { $0.kid == tokens.key(of: text) }) else {
      return hold(request, at: now)
    }
    guard let payload = tokens.verifiedPayload(of: text), let document = JSON(parsing: payload),
      let claims = Claims(document), claims.iss == base, claims.exp > now.unixSeconds
    else { return .refused(.api(.unauthorized)) }
    return Handled(.now(answer(request)))
  }

  private mutating func hold(
    _ request: AsiaTravelPlan.Request, at now: Instant
  ) -> Handled<AsiaTravelPlan> {
    let ticket = Ticket(UInt64(given))
    given += 1
    held.append((ticket, request))
    guard fetchGivenUp == nil else { return Handled(.later(ticket)) }
    fetchGivenUp = now + .seconds(5)
    let fetch = Addressed<AsiaTravelPlan>(
      to: .provider, .keySetFetch(realm: "master", published))
    return Handled(.later(ticket), effects: Effects(signals: [fetch]))
  }

  private mutating func arrived(_ keys: KeySet?) -> Handled<AsiaTravelPlan> {
    cached = keys
    return .replied(.done, effects: settle(keys == nil ? .unauthorized : nil))
  }

  /// Answers everybody who waited for the keys, with a refusal or as asked.
  private mutating func settle(_ refusal: AsiaTravelPlan.APIRefusal?) -> Effects<AsiaTravelPlan> {
    let waited = held
    held = []
    fetchGivenUp = nil
    return Effects(
      completions: waited.map { ticket, request in
        Completion(ticket, refusal.map { .failure(.api($0)) } ?? answer(request))
      })
  }

  private func answer(
    _ request: AsiaTravelPlan.Request
  ) -> Result<AsiaTravelPlan.Reply, AsiaTravelPlan.Refusal> {
    switch request {
    case .booking(detail.booking.id): .success(.booking(detail))
    case .activities(detail.booking.id): .success(.activities(detail.booking.activities ?? []))
    case .invoices(detail.booking.id): .success(.invoices(invoices))
    default: .failure(.api(.bookingNotFound))
    }
  }
}
