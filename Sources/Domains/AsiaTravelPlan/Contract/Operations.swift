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

  public static let booking = Endpoint<Self>(
    "booking", "One booking", source: "OP-03", "GET", "/api/v1/bookings/{id}", asks: bookingID,
    Request.booking(id:), \.booking,
    answers: [.json(BookingDetail.shape, Reply.booking, \.booking)],
    refuses: [.forbidden, .bookingNotFound])

  public static let activities = Endpoint<Self>(
    "activities", "Timeline of a booking", source: "OP-06", "GET",
    "/api/v1/bookings/{id}/activities", asks: bookingID, Request.activities(booking:),
    \.activities,
    answers: [
      .json(
        Shape(
          { $0 },
          Field("activities", \.self, .list(Activity.shape.coding)).also("items", isChecked: false)
            .then("total", .int, isChecked: false, \.count)), Reply.activities, \.activities)
    ], refuses: [.forbidden, .bookingNotFound])

  public static let invoices = Endpoint<Self>(
    "invoices", "Invoices of a booking", source: "OP-08", "GET",
    "/api/v1/bookings/{id}/invoices", asks: bookingID, Request.invoices(booking:), \.invoices,
    answers: [
      .json(
        Shape(
          { $0 },
          Field("items", \.self, .list(Invoice.shape.coding))
            .then("total", .int, isChecked: false, \.count)), Reply.invoices, \.invoices)
    ], refuses: [.forbidden, .bookingNotFound])

  private static let bookingID = Shape({ $0 }, Field("id", \.self, .text, in: .path))

  /// The provider's paths begin with the realm (§7).
  private static func path(_ rest: String) -> String { "/realms/{realm}" + rest }

  public static let table = ContractTable<Self>(
    [
      discovery, authorize, logIn, token, keySet, endSession, confirmEndSession, booking,
      activities, invoices,
    ],
    commands: [
      Command(
        "rotateKeys", "The provider signs with a new key from now on.",
        Request.rotateKeys(keepOld:),
        Field("keepOld", .flag, "whether the old key stays published")),
      Command(
        "keySetArrived", "The environment brings the keys that the API fetched.",
        Request.keySetArrived(realm:_:), Field("realm", .text, "the provider's realm"),
        Field("keys", .optional(KeySet.coding), "none when nobody answered")),
      Command(
        "setUser", "The provider has a user, or something of a user changes.", UserChange.shape,
        Request.setUser),
      Command(
        "setClient", "The provider has a client, or another registration of it.",
        ClientRegistration.shape, Request.setClient),
      Command(
        "endSessions", "An administrator of the provider ends a user's sessions.",
        Request.endSessions(username:), Field("username", .text, "whose they are")),
      .configure(Request.configure), .setRule(Request.setRule),
    ], unrouted: "§3.3", operator: "7.6", refusalForms: [[api, page], [page]],
    refusals: [.unauthorized, .notFound])

  /// ATP-95, Appendix A, for a request without `Origin`: simulated clients are no browsers. What the provider says is kept by nobody
  /// (RFC 6749 §5.1).
  public static func headers(ofEveryAnswerOf service: Int) -> [WireHeader] {
    guard service != provider else {
      return [WireHeader("Cache-Control", "no-store"), WireHeader("Pragma", "no-cache")]
    }
    return [
      WireHeader("Access-Control-Allow-Origin", "*"),
      WireHeader("Access-Control-Allow-Credentials", "true"),
      WireHeader(
        "Access-Control-Allow-Headers",
        "Content-Type, Idempotency-Key, Authorization, X-Requested-With"),
      WireHeader("Access-Control-Allow-Methods", "GET,POST,PATCH,OPTIONS"),
    ]
  }
}
