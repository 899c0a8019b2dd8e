import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What is known of a person; what only the app has, of those who started it.
struct PersonFacts {
  /// Who the token says they are that they showed last.
  var shown: CallerFacts?
  /// The provider's session of the tokens that they got last.
  var session: String?
  var app: AppFacts?
}

/// A class: each call of the app looks at it, and a copy of its tokens' claims would cost more than all that is judged by them.
final class AppFacts {
  var version: AppVersion
  var started: Instant
  var bootstrap = Bootstrapped.no
  /// The tokens that it got last, when that was, and when they expire by what it was told.
  var tokens: TokenSet?
  var received = Instant.distantPast
  var expires = Instant.distantFuture
  var roles: [Role] = []
  /// Something since then ends its session, whatever its user does: a refused refresh, a 401, a token without a role.
  var isSessionOver = false
  var isRefreshRefused = false
  var wasUnauthorized = false
  var refresh: ClosedRange<Instant>?
  /// When its user signed out, until the provider is told.
  var signedOut: Instant?

  init(version: AppVersion, started: Instant) { (self.version, self.started) = (version, started) }

  func learn(_ shown: Bootstrap, at now: Instant) {
    bootstrap = .known(shown, at: now, isOld: version.isOlder(than: shown.leastVersion))
  }

  enum Bootstrapped {
    case no, failed
    /// With whether the app is too old by it.
    case known(Bootstrap, at: Instant, isOld: Bool)
  }
}

/// What the app may do and in which order: ATP-01 to ATP-04, ATP-09, ATP-10, ATP-13, ATP-16, ATP-18 to ATP-23, ATP-28 to ATP-30, ATP-58
/// to ATP-63, ATP-67 to ATP-70, ATP-72.
extension AgencyChecks {
  static let appRules: [JudgedRule<AsiaTravelPlan>] = [
    .atp01, .atp02, .atp03, .atp04, .atp09, .atp10, .atp13, .atp16, .atp18, .atp19, .atp20, .atp21,
    .atp22, .atp23, .atp28, .atp29, .atp30, .atp58, .atp59, .atp60, .atp61, .atp62, .atp63, .atp67,
    .atp68, .atp69, .atp70, .atp72,
  ].map { JudgedRule($0, everything.union([.notes]), byPerson: true) }

  // MARK: Requests

  @inline(never)
  mutating func judgeApp(_ call: AgencyCall, by person: Int) {
    guard let app = people[person].app, call.sent >= app.started else { return }
    judgeStart(call, app)
    if call.request.isOfAPI {
      judgeSurface(call, app)
      judgeBearer(call, app)
      judgeRole(call, app)
    } else {
      judgeProvider(call, app)
    }
    learn(call, by: person)
  }

  /// Before anything else the bootstrap document, and nothing after one that stops the app.
  private func judgeStart(_ call: AgencyCall, _ app: AppFacts) {
    if case .bootstrap = call.request { return }
    // A name is looked up where it is told.
    var name: String { call.request.name }
    switch app.bootstrap {
    case .no: violated(.atp67, "the app asked \(name) before the bootstrap document")
    case .failed: violated(.atp72, "the app asked \(name) without a bootstrap document")
    case .known(let shown, let at, let isOld):
      expect(.atp67, call.sent >= at, "the app asked \(name) before it had the bootstrap document")
      held(.atp72)
      if shown.forcesUpdate {
        violated(.atp70, "the app asked \(name) although an update is forced")
      }
      expect(.atp68, !isOld, "version \(app.version.text) asked \(name), which is too old")
    }
  }

  private func judgeSurface(_ call: AgencyCall, _ app: AppFacts) {
    var name: String { call.request.name }
    switch call.request {
    case .tours, .tour, .customers, .customer:
      violated(.atp02, "the app asked \(name)")
      if case .known(let shown, _, _) = app.bootstrap {
        let isOfTours = call.request.right == .tours
        expect(
          .atp03, isOfTours ? shown.hasTours : shown.hasCustomers,
          "the app asked \(name), which the bootstrap document does not offer")
      }
    case .addStaff, .addTour, .changeTour, .addInvoice, .changeInvoice, .requestTrip:
      violated(.atp02, "the app asked \(name)")
    case .browserMe: violated(.atp04, "the app asked \(name), which is of the browser pages")
    case .health: violated(.atp28, "the app asked \(name), which is not in its contract")
    case .bookings(let query):
      expect(.atp30, query == .app, "the app asked another list than its own")
      held(.atp02)
      held(.atp28)
    default:
      held(.atp02)
      held(.atp28)
    }
    if case .cookies? = call.credential { violated(.atp04, "the app sent cookies to the API") }
    held(.atp04)
  }

  private func judgeBearer(_ call: AgencyCall, _ app: AppFacts) {
    guard call.request.needsToken else { return }
    guard case .bearer(let token)? = call.credential else {
      return violated(.atp29, "the app asked \(call.request.name) without a token")
    }
    held(.atp29)
    guard let tokens = app.tokens else { return }
    if case .text(let text) = token, text == tokens.refreshToken {
      return violated(.atp20, "the refresh token was sent to the API")
    }
    held(.atp20)
    if token == tokens.accessToken {
      expect(
        .atp21, call.sent < app.expires,
        "a token was sent \((call.sent - app.expires).description) after it had expired")
    }
  }

  private func judgeRole(_ call: AgencyCall, _ app: AppFacts) {
    guard call.request.needsToken, app.tokens != nil, call.sent >= app.received else { return }
    var name: String { call.request.name }
    guard !app.roles.isEmpty else {
      violated(.atp09, "the app asked \(name) without an allowed role")
      return violated(.atp10, "the app asked \(name) without an allowed role")
    }
    let mayAssign = app.roles.contains(.admin) || app.roles.contains(.manager)
    switch call.request {
    case .assign, .staff: expect(.atp01, mayAssign, "the app asked \(name) for \(app.roles)")
    case .addActivity:
      expect(
        .atp01, mayAssign || app.roles.contains(.staff), "the app asked \(name) for \(app.roles)")
    default: return
    }
    if app.roles == [.accountant] { violated(.atp61, "an accountant's app asked \(name)") }
  }

  private func judgeProvider(_ call: AgencyCall, _ app: AppFacts) {
    let client: String?
    switch call.request {
    case .authorize(let it): client = it.clientID
    case .token(let it): client = it.clientID
    case .endSession(let it): client = it.clientID
    default: return
    }
    expect(.atp13, client == ClientRegistration.app.clientID, "the app is \(client ?? "nobody")")
    guard case .token(let it) = call.request, it.grantType == "refresh_token" else { return }
    if let last = app.refresh {
      expect(.atp23, call.sent >= last.upperBound, "two refreshes ran at a time")
    }
    guard let tokens = app.tokens, !app.wasUnauthorized, app.refresh == nil else { return }
    let lifetime = Span.seconds(Int64(tokens.expiresInSeconds))
    let lead = min(.seconds(60), lifetime / 5)
    expect(
      .atp21, call.sent >= app.expires - lead - .seconds(1),
      "a refresh came \((app.expires - call.sent).description) before the token expires")
  }

  // MARK: Learning

  private mutating func learn(_ call: AgencyCall, by person: Int) {
    if call.request.isOfAPI, call.request.needsToken,
      case .refused(.api(.unauthorized, _)) = call.outcome
    {
      people[person].app?.wasUnauthorized = true
      people[person].app?.isSessionOver = true
    }
    switch call.request {
    case .bootstrap:
      if case .replied(.bootstrap(let shown)) = call.outcome {
        people[person].app?.learn(shown, at: call.answered)
      } else {
        people[person].app?.bootstrap = .failed
      }
    case .authorize, .logIn:
      judgeSignedOut(person)
      judgeRefused(person)
    case .endSession:
      if people[person].app?.signedOut != nil { held(.atp16) }
      people[person].app?.signedOut = nil
    case .token(let it): learn(it, call, by: person)
    default: break
    }
  }

  private mutating func learn(_ asked: TokenRequest, _ call: AgencyCall, by person: Int) {
    if case .replied(.tokens(let set)) = call.outcome {
      people[person].app?.tokens = set
      people[person].app?.received = call.answered
      people[person].app?.expires = call.answered + .seconds(Int64(set.expiresInSeconds))
      let roles = set.accessToken.claims.map(Self.rolesOfApp) ?? []
      people[person].app?.roles = roles
      people[person].app?.isSessionOver = roles.isEmpty
      people[person].app?.isRefreshRefused = false
      people[person].app?.wasUnauthorized = false
      people[person].app?.refresh = nil
    } else {
      people[person].app?.isSessionOver = true
    }
    guard asked.grantType == "refresh_token" else { return }
    people[person].app?.refresh = call.sent...call.answered
    if people[person].app?.isRefreshRefused == true { judgeRefused(person) }
    if case .refused(.token) = call.outcome { people[person].app?.isRefreshRefused = true }
  }

  /// As the app reads them (ATP-26).
  private static func rolesOfApp(_ claims: Claims) -> [Role] {
    let names =
      claims.realmRoles + (claims.clientRoles[ClientRegistration.app.clientID] ?? [])
      + (claims.clientRoles[ClientRegistration.backend.clientID] ?? [])
    return Role.allCases.filter { names.contains($0.rawValue) }
  }

  /// The provider must have been told of a sign-out before the next sign-in, and before an instant.
  mutating func judgeSignedOut(_ person: Int, before instant: Instant = .distantFuture) {
    guard let signedOut = people[person].app?.signedOut, signedOut < instant else { return }
    people[person].app?.signedOut = nil
    violated(.atp16, "the app signed out, and did not end the session at the provider")
  }

  /// After a refused refresh the store is emptied before anything else happens.
  private mutating func judgeRefused(_ person: Int) {
    guard people[person].app?.isRefreshRefused == true else { return }
    people[person].app?.isRefreshRefused = false
    violated(.atp22, "the app went on with its session after its refresh was refused")
  }

  // MARK: Notes

  @inline(never)
  mutating func judge(_ note: AsiaTravelPlan.Note, by person: Int) {
    if case .started(let version) = note {
      judgeSignedOut(person)
      judgeRefused(person)
      let app = people[person].app ?? AppFacts(version: version, started: verdicts.moment.time)
      (app.version, app.started, app.bootstrap) = (version, verdicts.moment.time, .no)
      people[person].app = app
      return
    }
    guard let app = people[person].app else { return }
    switch note {
    case .started, .callback: break
    case .secureStore(holdsSession: true): break
    case .secureStore(holdsSession: false):
      if app.isRefreshRefused { held(.atp22) }
      if !app.isSessionOver, app.tokens != nil {
        people[person].app?.signedOut = verdicts.moment.time
      }
      people[person].app?.isRefreshRefused = false
      people[person].app?.tokens = nil
      people[person].app?.refresh = nil
    case .plainStore: violated(.atp19, "tokens were kept outside the secure store")
    case .gateClosed:
      held(.atp09)
      held(.atp10)
    case .roles(let answers): judge(answers, app)
    case .screen(let screen):
      judge(screen, app)
      judgeRefused(person)
    case .controls(let booking, let controls): judge(controls, on: booking, app)
    case .browser(let isSystems):
      expect(.atp18, isSystems, "pages of the provider were shown in a view of the app's own")
    }
    if case .secureStore(holdsSession: true) = note { held(.atp19) }
  }

  private func judge(_ answers: AsiaTravelPlan.RoleAnswers, _ app: AppFacts) {
    expect(
      .atp63, answers == AsiaTravelPlan.RoleAnswers(app.roles),
      "the role service answers otherwise than \(app.roles.map(\.rawValue))")
  }

  private func judge(_ screen: AsiaTravelPlan.Screen, _ app: AppFacts) {
    expect(.atp62, screen != .tours, "the app shows a screen that its first version has not")
    switch (screen, app.bootstrap) {
    case (.updateRequired, .known(let shown, _, let isOld)):
      if shown.forcesUpdate { return held(.atp70) }
      expect(
        .atp69, isOld,
        "version \(app.version.text) is told to update, and \(shown.leastVersion.text) is enough")
      if isOld { held(.atp68) }
    case (.startupFailed, .failed): held(.atp72)
    case (.list, _), (.detail, _):
      if app.tokens != nil, app.roles.isEmpty {
        violated(.atp09, "the app shows bookings without an allowed role")
      }
      if case .known(_, _, isOld: false) = app.bootstrap { held(.atp69) }
    default: break
    }
  }

  private func judge(
    _ controls: [AsiaTravelPlan.Control], on booking: String, _ app: AppFacts
  ) {
    guard !app.roles.isEmpty else { return }
    var due: [AsiaTravelPlan.Control] = [.stage]
    if app.roles != [.accountant] { due.append(.note) }
    if app.roles.contains(.admin) || app.roles.contains(.manager) { due.append(.assign) }
    if case .known(let shown, _, _) = app.bootstrap, shown.hasTours,
      app.roles.contains(.admin) || app.roles.contains(.accountant)
    {
      due.append(.tours)
    }
    for role in app.roles {
      let rule: AsiaTravelPlan.Rule =
        switch role {
        case .staff: .atp58
        case .manager: .atp59
        case .admin: .atp60
        case .accountant: .atp61
        }
      expect(
        rule, Set(controls) == Set(due),
        "on \(booking) the app of \(role.rawValue) shows \(controls.map(\.rawValue))")
    }
  }
}
