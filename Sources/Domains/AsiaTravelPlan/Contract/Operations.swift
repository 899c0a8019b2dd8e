import Contracts

extension AsiaTravelPlan {
  public static let table = ContractTable<Self>(
    [
      discovery, authorize, logIn, token, keySet, endSession, confirmEndSession,
      bootstrap, bookings, booking, changeStage, assign, activities, addActivity, invoices, staff,
      addStaff, me, browserMe, tours, tour, addTour, changeTour, customers, customer, addInvoice,
      changeInvoice, requestTrip, health,
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
      Command("load", "Adds to what the agency has.", Fixture.shape, Request.load),
      Command(
        "setStaff", "The agency has a staff record, or the record of that id becomes another.",
        StaffRecord.shape, Request.setStaff),
      Command(
        "setDifference", "The agency behaves as the project's own backend in one way, or no more.",
        DifferenceSwitch.shape, Request.setDifference),
      Command(
        "inspect", "Every booking with its timeline, and every staff record.", LookExtent.asked,
        Request.inspect(since:),
        answers: [.json(Inspection.shape, Reply.inspection, \.inspection)]),
      .configure(Request.configure), .setRule(Request.setRule),
    ], unrouted: "§3.3", operator: "7.6, 8.2",
    refusalForms: [[api, changedMeanwhile, page], [page]],
    refusals: [.unauthorized, .notFound], unroutedAnswers: [options],
    bodies: BodyRules(most: 1 << 20))

  /// ATP-95.
  private static let options = ReplyForm<Self>(
    status: 204, mediaType: nil,
    write: { reply, _, _ in reply == .options ? WireResponse(204, content: .empty) : nil },
    read: { response, _ in
      response.status == 204 && response.header("Access-Control-Allow-Methods") != nil
        ? .options : nil
    },
    mix: { reply, _ in reply == .options })

  /// Appendix A: to the API it is a method that no path has.
  public static func answersHead(service: Int) -> Bool { service == provider }

  /// Appendix A: an answer to a page of another origin names that origin.
  public static func suited(_ response: WireResponse, to wire: WireRequest) -> WireResponse {
    guard wire.service != provider, let origin = wire.header("Origin") else { return response }
    var suited = response
    suited.headers.removeAll { $0.name == allowOrigin }
    suited.headers += [WireHeader(allowOrigin, origin), WireHeader("Vary", "Origin")]
    return suited
  }

  private static let allowOrigin = "Access-Control-Allow-Origin"

  /// ATP-95, Appendix A, for a request without `Origin`: simulated clients are no browsers. What the provider says is kept by nobody
  /// (RFC 6749 §5.1).
  public static func headers(ofEveryAnswerOf service: Int) -> [WireHeader] {
    guard service != provider else {
      return [WireHeader("Cache-Control", "no-store"), WireHeader("Pragma", "no-cache")]
    }
    return [
      WireHeader(allowOrigin, "*"),
      WireHeader("Access-Control-Allow-Credentials", "true"),
      WireHeader(
        "Access-Control-Allow-Headers",
        "Content-Type, Idempotency-Key, Authorization, X-Requested-With"),
      WireHeader("Access-Control-Allow-Methods", "GET,POST,PATCH,OPTIONS"),
    ]
  }
}
