import AsiaTravelPlanContract
import AsiaTravelPlanTwin
import Contracts
import Testing
import Timekeeping
import WireLine

/// A provider with one user, asked over the wire mapping by a user agent with its jar and by an app.
struct ProviderRealm {
  static let callback = "asiatravelplan://auth/callback"
  /// Of RFC 7636, appendix B.
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = Challenge.text("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")

  var line: Line<IdentityProvider>
  var now = Instant(unixMilliseconds: 1_774_072_800_123)
  var jar: [Cookie] = []
  var realm = "master"

  init(without rules: Set<AsiaTravelPlan.Rule> = [], seed: UInt64 = 1) throws {
    let provider = IdentityProvider(
      identifiers: RandomStream(seed: seed, owner: 1, purpose: 0), rules: Rules(off: rules),
      tokens: codec)
    line = Line(provider, hearsSignals: false)
    try tell(
      .setUser(
        UserChange(
          username: "Ada", id: "ada-id", email: "ada@example.test", password: "p",
          realmRoles: ["atp_staff", "offline_access"],
          clientRoles: ["asiatravelplan-backend": ["atp_manager"]])))
  }

  mutating func tell(_ command: AsiaTravelPlan.Request) throws {
    try line.tell(command, from: .administration, at: now)
  }

  mutating func configure(_ change: (inout AsiaTravelPlan.Deployment) -> Void) throws {
    try tell(.configure(Adjustment(change)))
  }

  /// As the user agent asks: with its cookies, which it keeps.
  mutating func ask(_ request: AsiaTravelPlan.Request) -> Outcome<AsiaTravelPlan>? {
    let outcome = line.ask(request, with: jar.isEmpty ? nil : .cookies(jar), at: now)
    for change in outcome?.reply?.redirect?.cookies ?? [] {
      jar.removeAll { $0.name == change.name }
      if let value = change.value { jar.append(Cookie(change.name, value)) }
    }
    return outcome
  }

  func authorization(state: String = "s", prompt: String? = nil) -> AuthorizationRequest {
    AuthorizationRequest(
      realm: realm, state: state, nonce: "n", challenge: Self.challenge, prompt: prompt)
  }

  /// The login page's action.
  mutating func page(_ asked: AuthorizationRequest? = nil) throws -> String {
    guard case .loginPage(let page) = ask(.authorize(asked ?? authorization()))?.reply else {
      throw ControlProblem("no login page")
    }
    return page.action
  }

  mutating func callback(
    as user: String = "ada", _ asked: AuthorizationRequest? = nil
  ) throws -> Redirect {
    let action = try page(asked)
    let answer = ask(.logIn(LogIn(action: action, username: user, password: "p")))
    return try #require(answer?.reply?.redirect, "\(String(describing: answer))")
  }

  func exchange(_ code: String?) -> TokenRequest {
    TokenRequest(
      realm: realm, grantType: "authorization_code", redirectURI: Self.callback, code: code,
      verifier: Self.verifier)
  }

  func renewal(_ token: String?) -> TokenRequest {
    TokenRequest(realm: realm, grantType: "refresh_token", refreshToken: token)
  }

  /// As the app asks: without the user agent's cookies.
  mutating func tokens(_ asked: TokenRequest) throws -> TokenSet {
    let answer = line.ask(.token(asked), at: now)
    return try #require(answer?.reply?.tokenSet, "\(String(describing: answer))")
  }

  mutating func refusal(
    _ asked: TokenRequest, with credential: AsiaTravelPlan.Credential? = nil
  ) -> AsiaTravelPlan.Refusal? { line.ask(.token(asked), with: credential, at: now)?.refusal }

  mutating func signIn(as user: String = "ada") throws -> TokenSet {
    try tokens(exchange(callback(as: user).code))
  }
}

extension AsiaTravelPlan.Reply {
  var redirect: Redirect? { if case .redirected(let it) = self { it } else { nil } }
  var tokenSet: TokenSet? { if case .tokens(let it) = self { it } else { nil } }
}

extension SignedToken {
  /// What it says, verified by the key that it names.
  var claims: Claims? {
    let text = text(codec)
    return codec.key(of: text).flatMap { codec.verifiedPayload(of: text, key: $0) }
      .flatMap { JSON(parsing: $0) }.flatMap { Claims($0) }
  }
}

func invalidGrant(_ description: String) -> AsiaTravelPlan.Refusal {
  .token(status: 400, error: "invalid_grant", description: description)
}
