import Contracts

extension AsiaTravelPlan {
  public static let discovery = Endpoint<Self>(
    "discovery", "The provider's own description", source: "7.1", "GET",
    "/realms/{realm}/.well-known/openid-configuration", service: provider, access: .open,
    asks: DiscoveryRequest.shape, Request.discovery, \.discovery,
    answers: [.json(Discovery.shape, Reply.discovery, \.discovery)])

  public static let authorize = Endpoint<Self>(
    "authorize", "Begin a login", source: "7.2", "GET", path("/protocol/openid-connect/auth"),
    service: provider, access: .open, asks: AuthorizationRequest.shape, Request.authorize,
    \.authorize, answers: [loginPage, redirected], refusalForms: [sentBack])

  public static let logIn = Endpoint<Self>(
    "logIn", "Send user name and password", source: "7.2", "POST",
    path("/login-actions/authenticate"), service: provider, body: .form, access: .open,
    asks: LogIn.shape, Request.logIn, \.logIn, answers: [redirected],
    refusalForms: [stayed, sentBack])

  public static let token = Endpoint<Self>(
    "token", "Exchange a code, refresh a session", source: "7.3", "POST",
    path("/protocol/openid-connect/token"), service: provider, body: .form, access: .open,
    asks: TokenRequest.shape, Request.token, \.token,
    answers: [.json(TokenSet.shape, Reply.tokens, \.tokens)], refusalForms: [tokenError])

  public static let keySet = Endpoint<Self>(
    "keySet", "Published keys", source: "7.1", "GET", path("/protocol/openid-connect/certs"),
    service: provider, access: .open, asks: Shape({ $0 }, Field("realm", \.self, .text, in: .path)),
    Request.keySet(realm:), \.keySet, answers: [.json(KeySet.shape, Reply.keys, \.keys)])

  public static let endSession = Endpoint<Self>(
    "endSession", "End the provider's session", source: "7.5", "GET",
    path("/protocol/openid-connect/logout"), service: provider, access: .open,
    asks: EndSession.shape, Request.endSession, \.endSession,
    answers: [
      redirected,
      .page(
        Reply.endSessionPage(action:), \.endSessionPage, html: Page.endSession(action:),
        reading: Page.endSession(reading:)), signedOut,
    ], refusalForms: [sentBack])

  public static let confirmEndSession = Endpoint<Self>(
    "confirmEndSession", "Confirm the end of the session", source: "7.5", "POST",
    path("/protocol/openid-connect/logout/logout-confirm"), service: provider, body: .form,
    access: .open,
    asks: Shape(
      { action, _ in action }, Field("action", \.self, .text.secret(), in: .target),
      Field("confirmLogout", { _ in "Logout" }, .text.otherwise("Logout"))),
    Request.confirmEndSession(action:), \.confirmation, answers: [redirected, signedOut],
    refusalForms: [sentBack])

  /// The provider's paths begin with the realm (§7).
  private static func path(_ rest: String) -> String { "/realms/{realm}" + rest }
}
