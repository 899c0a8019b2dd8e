import AsiaTravelPlanContract
import AsiaTravelPlanTwin
import Contracts
import Testing
import Timekeeping
import WireLine

@Suite struct `Bad input to the identity provider` {
  private static let names = [
    "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
    "code_challenge_method", "prompt", "max_age", "login_hint", "grant_type", "client_secret",
    "code", "code_verifier", "refresh_token", "post_logout_redirect_uri", "id_token_hint",
    "username", "password", "cancel", "session_code", "confirmLogout",
  ]
  private static let paths = [
    "/.well-known/openid-configuration", "/protocol/openid-connect/auth",
    "/protocol/openid-connect/token", "/protocol/openid-connect/logout",
    "/protocol/openid-connect/certs", "/protocol/openid-connect/logout/logout-confirm",
    "/login-actions/authenticate", "/protocol/openid-connect/userinfo", "",
  ]
  /// RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core 1.0 §3.1.2.6.
  private static let errors: Set = [
    "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
    "unsupported_grant_type", "unsupported_response_type", "access_denied", "login_required",
  ]

  @Test func `is answered by the codes of the standards, and ends nothing`() throws {
    let seed = UInt64.random(in: 1...1_000_000)
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    var realm = try ProviderRealm()
    let set = try realm.signIn()
    let code = try realm.callback(realm.authorization(prompt: "login")).code ?? ""
    let values = [
      "asiatravelplan-ios", "asiatravelplan-backend", "backend-secret", ProviderRealm.callback,
      "code", "openid", "S256", "authorization_code", "refresh_token", ProviderRealm.verifier,
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code, set.refreshToken,
      set.idToken?.text(codec) ?? "", set.accessToken.text(codec), "ada", "p", "none", "login",
      "0", "-1", "18446744073709551616", "", " ", "\0", "\u{FFFD}", "é", "e\u{301}", "<script>",
      "a.b.c", "..", "%", "%00", "[]", "{}", "null", String(repeating: "a", count: 70_000),
    ]
    for _ in 0..<4_000 {
      let target =
        "/realms/" + stream.pick(["master", "master", "master", "", "other", "%00"])
        + stream.pick(Self.paths)
      var form = WireForm()
      for _ in 0..<stream.pick(0..<9) { form.append(stream.pick(Self.names), stream.pick(values)) }
      let isForm = stream.chance(0.5)
      var wire = WireRequest(
        isForm ? "POST" : stream.pick(["GET", "GET", "GET", "PUT"]),
        isForm || form.items.isEmpty ? target : target + "?" + form.text,
        body: isForm ? Array(form.text.utf8) : [], service: 1)
      if stream.chance(0.2) {
        wire.headers = [
          WireHeader(
            stream.pick(["Authorization", "Cookie", "Host"]),
            stream.pick(["Basic ", "Basic Og==", "Bearer ", "=", ";;", "a=b"] + values))
        ]
      }
      let (request, credential) = AsiaTravelPlan.read(wire)
      let handled = realm.line.twin.handle(request, from: .client(credential), at: realm.now)
      guard case .now(let result) = handled.answer else { throw ControlProblem("no answer") }
      let response = AsiaTravelPlan.write(result, to: request, tokens: codec)
      let context = Comment(rawValue: "seed \(seed): \(wire.method) \(wire.target.prefix(300))")
      #expect([200, 302, 400, 401, 404, 405].contains(response.status), context)
      #expect(response.header("Cache-Control") == "no-store", context)
      let error = response.body?["error"]?.string ?? Self.error(in: response.header("Location"))
      if let error { #expect(Self.errors.contains(error), context) }
      if response.status == 401 { #expect(response.header("WWW-Authenticate") != nil, context) }
      if let page = response.text { #expect(!page.contains("<script>"), context) }
    }
  }

  private static func error(in location: String?) -> String? {
    guard let location, let query = location.split(separator: "?").dropFirst().first else {
      return nil
    }
    return WireForm(parsing: String(query))["error"]
  }
}
