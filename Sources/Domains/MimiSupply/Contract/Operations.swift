import Contracts
import Timekeeping

extension MimiSupply {
  /// The operations, as the table below counts them; a switch finds a request's own, because a run asks for it with every request.
  public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
    case query, lookup, modify, changes
    case listZones, lookupZones, modifyZones, changedZones
    case listSubscriptions, lookupSubscriptions, modifySubscriptions
    case createToken, registerToken, requestUploads, currentUser
    case upload, download, poll
    case signIn, selectRole, refresh, signOut
    case exportAccount, deleteAccount, partnerStats
    /// Requests that no operation takes.
    case unrouted
    case control, inspect
  }

  public static func operation(of request: Request) -> Int { mobileOperation(of: request).rawValue }

  public static func mobileOperation(of request: Request) -> MobileOperation {
    switch request {
    case .query: .query
    case .lookup: .lookup
    case .modify: .modify
    case .changes: .changes
    case .listZones: .listZones
    case .lookupZones: .lookupZones
    case .modifyZones: .modifyZones
    case .changedZones: .changedZones
    case .listSubscriptions: .listSubscriptions
    case .lookupSubscriptions: .lookupSubscriptions
    case .modifySubscriptions: .modifySubscriptions
    case .createToken: .createToken
    case .registerToken: .registerToken
    case .requestUploads: .requestUploads
    case .currentUser: .currentUser
    case .upload: .upload
    case .download: .download
    case .poll: .poll
    case .signIn: .signIn
    case .selectRole: .selectRole
    case .refresh: .refresh
    case .signOut: .signOut
    case .exportAccount: .exportAccount
    case .deleteAccount: .deleteAccount
    case .partnerStats: .partnerStats
    case .unread(.malformed(let operation, _)): MobileOperation(rawValue: operation) ?? .unrouted
    case .unread(.unrouted): .unrouted
    case .control: .control
    case .inspect: .inspect
    }
  }

  public static let table = ContractTable<Self>(
    [
      query, lookup, modify, changes, listZones, lookupZones, modifyZones, changedZones,
      listSubscriptions, lookupSubscriptions, modifySubscriptions, createToken, registerToken,
      requestUploads, currentUser, upload, download, poll, signIn, selectRole, refresh, signOut,
      exportAccount, deleteAccount, partnerStats,
    ], commands: commands, unrouted: "§3.1", operator: "§11", refusalForms: [[.refused]],
    refusals: [.badRequest, .notFound], timeout: timeout,
    others: [Operation("inspect", "Look at the twin's state", kind: .inspection, source: "§11")])

  /// Clients poll for at most this long, so that their own time-out is never the first.
  public static let longestPollSeconds = 60
  private static let timeout: Span = .seconds(10)

  // MARK: Records

  static let query = database(
    "query", "Find records", "POST", "records/query", access: .optional, asks: Query.shape,
    Request.query, \.query, answers: [.found], refuses: [.zoneNotFound])

  static let lookup = database(
    "lookup", "Read records by name", "POST", "records/lookup", access: .optional,
    asks: Lookup.shape, Request.lookup, \.lookup, answers: [.items], refuses: [.zoneNotFound])

  static let modify = database(
    "modify", "Write a batch of records", "POST", "records/modify", asks: Modification.shape,
    Request.modify, \.modify, answers: [.items], refuses: [.zoneNotFound, .quotaExceeded])

  static let changes = database(
    "changes", "Read what changed in a zone", "POST", "records/changes", asks: FeedQuery.shape,
    Request.changes, \.changes, answers: [.feed], refuses: [.zoneNotFound])

  // MARK: Zones and subscriptions

  static let listZones = database(
    "listZones", "List zones", "GET", "zones/list", access: .optional, Request.listZones,
    \.listZones, answers: [.zones])

  static let lookupZones = database(
    "lookupZones", "Read zones by name", "POST", "zones/lookup", access: .optional,
    asks: .list("zones", Zone.shape.coding.wrapped(in: "zoneID", orBare: true)),
    Request.lookupZones, \.lookupZones, answers: [.zones])

  static let modifyZones = database(
    "modifyZones", "Create and delete zones", "POST", "zones/modify",
    asks: .list("operations", ZoneOperation.shape.coding), Request.modifyZones, \.modifyZones,
    answers: [.zones], refuses: [.quotaExceeded])

  static let changedZones = database(
    "changedZones", "Read which zones changed", "POST", "zones/changes", access: .optional,
    asks: Shape({ $0 }, Field("syncToken", \.self, .omittable(.text)).or("metaSyncToken")),
    Request.changedZones, \.changedZones,
    answers: [.zoneChanges]
  ).also(nil, home + "changes/database")

  static let listSubscriptions = database(
    "listSubscriptions", "List subscriptions", "GET", "subscriptions/list",
    Request.listSubscriptions, \.listSubscriptions, answers: [.subscriptions])

  static let lookupSubscriptions = database(
    "lookupSubscriptions", "Read subscriptions by name", "POST", "subscriptions/lookup",
    asks: .list("subscriptions", Coding.text.wrapped(in: "subscriptionID", orBare: true)),
    Request.lookupSubscriptions, \.lookupSubscriptions, answers: [.subscriptions])

  static let modifySubscriptions = database(
    "modifySubscriptions", "Write subscriptions", "POST", "subscriptions/modify",
    asks: .list("operations", SubscriptionOperation.shape.coding), Request.modifySubscriptions,
    \.modifySubscriptions, answers: [.subscriptions])

  // MARK: Tokens, files, users

  static let createToken = database(
    "createToken", "Create a push token", "POST", "tokens/create", isAnywhere: true,
    asks: Shape({ $0 }, Field("apnsEnvironment", \.self, .text.example("production"))),
    { .createToken($0, apnsEnvironment: $1) }, \.createToken,
    answers: [.answer(CourierToken.shape, ReplyContent.tokenCreated, \.tokenCreated)])

  static let registerToken = database(
    "registerToken", "Register a push token", "POST", "tokens/register", isAnywhere: true,
    asks: Shape(
      { (environment: $0, token: $1) },
      Field("apnsEnvironment", { $0.environment }, .text.example("production")),
      Field("apnsToken", { $0.token }, .text.hidden)),
    { .registerToken($0, apnsEnvironment: $1.environment, apnsToken: $1.token) }, \.registerToken,
    answers: [.done])

  static let requestUploads = database(
    "requestUploads", "Ask where files may be sent", "POST", "assets/upload",
    asks: UploadRequest.shape, Request.requestUploads, \.requestUploads,
    answers: [
      .answer("tokens", .list(UploadTarget.shape.coding), ReplyContent.uploads, \.uploads)
    ], refuses: [.zoneNotFound])

  static let currentUser = database(
    "currentUser", "Who is signed in", "GET", "users/current", Request.currentUser, \.currentUser,
    answers: [.answer(UserIdentity.shape, ReplyContent.user, \.user)])

  // MARK: Addresses that the twin gave out, their own credential

  static let upload = Endpoint<Self>(
    "upload", "Send a file", source: "§3.2 assets/upload", "POST", "/assets/1/upload/{ticket}",
    body: .bytes, access: .open, timeout: timeout, asks: Upload.shape, Request.upload, \.upload,
    answers: [.answer("singleFile", Asset.sealed.coding, ReplyContent.uploaded, \.uploaded)],
    refuses: [.quotaExceeded]
  ).also("PUT")

  static let download = Endpoint<Self>(
    "download", "Fetch a file", source: "MS-110", "GET", "/assets/1/file/{file}/{expires}/{key}",
    access: .open, timeout: timeout,
    asks: Shape({ $0 }, Field("path", \.self, .address, in: .target)),
    Request.download(path:), \.download, answers: [.file])

  static let poll = Endpoint<Self>(
    "poll", "Wait for notifications", source: "§3.5", "GET", "/courier/1/{token}", access: .open,
    timeout: .seconds(Int64(longestPollSeconds) + 15), isLongPoll: true, asks: Poll.shape,
    Request.poll, \.poll,
    answers: [.answer(.list(.notification), ReplyContent.notifications, \.notifications)])

  // MARK: Accounts

  static let signIn = Endpoint<Self>(
    "signIn", "Sign in with Apple", source: "§3.8", "POST", "/mimi/1/auth/apple", body: .json,
    access: .optional, timeout: timeout, asks: SignIn.shape, Request.signIn, \.signIn,
    answers: [.answer(SignInAnswer.shape, ReplyContent.signedIn, \.signedIn)],
    refuses: ofCallers + [.accessDenied])

  static let selectRole = Endpoint<Self>(
    "selectRole", "Select a role", source: "§3.4 selectRole", "POST", "/mimi/1/auth/role",
    body: .json, timeout: timeout, asks: Shape({ $0 }, Field("role", \.self, .text)),
    Request.selectRole, \.selectRole,
    answers: [
      .answer("userProfile", CloudRecord.shape.coding, ReplyContent.roleSelected, \.roleSelected)
    ], refuses: ofUsers)

  static let refresh = account(
    "refresh", "Extend the session", source: "§3.4 refreshCredentials", "auth/refresh",
    asks: .refresh, answers: [.refreshed])

  static let signOut = account(
    "signOut", "End the session", source: "§3.4 signOut", "auth/signout", asks: .signOut,
    answers: [.done])

  static let exportAccount = account(
    "exportAccount", "Export one's data", source: "MS-115", "account/export", asks: .exportAccount,
    answers: [.answer(.json, ReplyContent.exported, \.exported)])

  static let deleteAccount = account(
    "deleteAccount", "Delete one's account", source: "MS-116", "account/delete",
    asks: .deleteAccount, answers: [.done])

  static let partnerStats = Endpoint<Self>(
    "partnerStats", "Read a partner's figures", source: "§3.4 fetchPartnerStats", "GET",
    "/mimi/1/partners/{partner}/stats", timeout: timeout,
    asks: Shape({ $0 }, Field("partner", \.self, .name, in: .path)),
    Request.partnerStats(partner:), \.partnerStats,
    answers: [.answer(PartnerStats.shape, ReplyContent.stats, \.stats)], refuses: ofUsers)

  // MARK: What many have in common

  private static let ofCallers: [RefusalKind] = [
    .authenticationFailed, .throttled, .tryAgainLater, .internalError,
  ]
  private static let ofUsers = ofCallers + [.authenticationRequired, .accessDenied]

  private static let anywhere = "/database/1/{container}/{environment}/"
  private static let home = anywhere + "{database}/"

  /// An operation of a database (§3.2).
  /// - Parameter isAnywhere: Whether the database may be left out, as CloudKit does (§3.1).
  private static func database<Asked: Sendable>(
    _ name: String, _ title: String, _ method: String, _ path: String,
    access: Endpoint<Self>.Access = .required,
    isAnywhere: Bool = false, asks shape: Shape<Asked>,
    _ make: @escaping @Sendable (Location, Asked) -> Request,
    _ get: @escaping @Sendable (Request) -> (Location, Asked)?, answers: [ReplyForm<Self>],
    refuses: [RefusalKind] = []
  ) -> Endpoint<Self> {
    let endpoint = Endpoint<Self>(
      name, title, source: "§3.2 " + path, method, (isAnywhere ? anywhere : home) + path,
      body: method == "GET" ? .none : .json, access: access, timeout: timeout,
      asks: Shape({ ($0, $1) }, Field({ $0.0 }, Location.shape), Field({ $0.1 }, shape)),
      { make($0.0, $0.1) }, get, answers: answers, refuses: refuses + ofUsers)
    return isAnywhere ? endpoint.also(nil, home + path) : endpoint
  }

  /// One that asks with nothing else; it may be posted, too.
  private static func database(
    _ name: String, _ title: String, _ method: String, _ path: String,
    access: Endpoint<Self>.Access = .required, _ make: @escaping @Sendable (Location) -> Request,
    _ get: @escaping @Sendable (Request) -> Location?,
    answers: [ReplyForm<Self>]
  ) -> Endpoint<Self> {
    database(
      name, title, method, path, access: access, asks: .empty, { at, _ in make(at) },
      { get($0).map { ($0, NoMembers()) } }, answers: answers
    ).also("POST", body: .optionalJSON)
  }

  /// An operation of one's own account; its body may be empty.
  private static func account(
    _ name: String, _ title: String, source: String, _ path: String, asks request: Request,
    answers: [ReplyForm<Self>]
  ) -> Endpoint<Self> {
    Endpoint(
      name, title, source: source, "POST", "/mimi/1/" + path, body: .optionalJSON,
      timeout: timeout, asks: .empty, { _ in request }, { $0 == request ? NoMembers() : nil },
      answers: answers, refuses: ofUsers)
  }
}

extension Shape {
  /// One list.
  fileprivate static func list<Item>(_ name: String, _ coding: Coding<Item>) -> Shape
  where Value == [Item] { Shape({ $0 }, Field(name, \.self, .list(coding))) }
}
