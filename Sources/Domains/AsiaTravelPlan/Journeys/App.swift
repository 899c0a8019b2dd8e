import AsiaTravelPlanContract
import Contracts
import Journeys
import Timekeeping

/// The iPhone app as a state machine: start, sign-in, session, sign-out (5.1).
final class App {
  static let enforced = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp02, .atp03, .atp04, .atp09, .atp10, .atp13, .atp16, .atp18, .atp19, .atp20, .atp21, .atp22,
    .atp23, .atp28, .atp29, .atp63, .atp67, .atp68, .atp69, .atp70, .atp72)
  static let tried = enforced

  let version: AppVersion
  let account: Account
  let habits: AgencyHabits
  private(set) var session: Session?
  /// Whether it may go on, since it was started.
  private(set) var isBootstrapped = false
  private let agent = UserAgent()

  init(_ account: Account, version: AppVersion, _ habits: AgencyHabits) {
    (self.account, self.version, self.habits) = (account, version, habits)
  }

  var rules: Rules<AsiaTravelPlan.Rule> { habits.rules }

  private var client: ClientRegistration { rules.binds(.atp13) ? .app : .backend }

  // MARK: Start

  /// - Returns: Whether the app goes on.
  func start(as me: Me) async throws(JourneyEnded) -> Bool {
    isBootstrapped = false
    me.note(.started(version))
    if !rules.binds(.atp67) { _ = try await me.ask(.bookings(.app), with: credential) }
    for attempt in 1...3 {
      let outcome = try await me.ask(.bootstrap, attempt: attempt)
      if let document = outcome.reply?.bootstrap {
        isBootstrapped = admits(document)
        if !isBootstrapped { me.note(.screen(.updateRequired)) }
        return isBootstrapped
      }
      me.note(.screen(.startupFailed))
      if !rules.binds(.atp72) {
        isBootstrapped = true
        return true
      }
      // Whoever sees the failure taps retry, and gives up in the end.
      try await me.think(.lognormal(median: .seconds(10), p95: .minutes(1)))
    }
    return false
  }

  private func admits(_ document: Bootstrap) -> Bool {
    let isTooOld =
      rules.binds(.atp69)
      ? version.isOlder(than: document.leastVersion) : version.text < document.leastVersion.text
    return (!isTooOld || !rules.binds(.atp68))
      && (!document.forcesUpdate || !rules.binds(.atp70))
  }

  // MARK: Signing in and out

  /// Restores what is stored, or has the user sign in.
  ///
  /// - Returns: Whether somebody with a role is signed in.
  func enter(as me: Me) async throws(JourneyEnded) -> Bool {
    if session != nil, try await renewed(isStart: true, as: me) { return true }
    me.note(.screen(.signedOut))
    try await me.think(.lognormal(median: .seconds(3), p95: .seconds(10)))
    me.note(.screen(.authorizing))
    me.note(.browser(isSystems: rules.binds(.atp18)))
    let outcome = try await agent.signIn(account, with: client, as: me) {
      me.note(.callback(stateMatches: $0))
    }
    guard let set = outcome?.reply?.tokens else {
      me.note(.screen(.signedOut))
      return false
    }
    return try await admit(set, as: me)
  }

  /// The app's own gate, after login and refresh (ATP-09).
  private func admit(_ set: TokenSet, as me: Me) async throws(JourneyEnded) -> Bool {
    let next = Session(set, after: session, at: me.now)
    var answers = AsiaTravelPlan.RoleAnswers(next.roles)
    if !rules.binds(.atp63) { answers.isStaff.toggle() }
    me.note(.roles(answers))
    if next.roles.isEmpty {
      if !rules.binds(.atp10) {
        _ = try await me.ask(.bookings(.app), with: .bearer(next.access))
      }
      if rules.binds(.atp09) {
        me.note(.gateClosed)
        forget(as: me)
        return false
      }
    }
    session = next
    me.note(.secureStore(holdsSession: true))
    if !rules.binds(.atp19) { me.note(.plainStore) }
    return true
  }

  /// The store is emptied first, then the provider's session ends (ATP-16).
  func signOut(as me: Me) async throws(JourneyEnded) {
    guard let hint = session?.id else { return }
    me.note(.screen(.settings))
    forget(as: me)
    guard rules.binds(.atp16) else { return }
    me.note(.browser(isSystems: rules.binds(.atp18)))
    let isLegacy = habits.deviations.contains(.legacyLogoutParameter)
    _ = try await agent.endSession(
      EndSession(
        realm: account.realm, clientID: client.clientID,
        postLogoutRedirectURI: client.postLogoutRedirectURIs[0], idTokenHint: hint,
        legacyRedirectURI: isLegacy ? client.postLogoutRedirectURIs[0] : nil), as: me)
    me.note(.screen(.signedOut))
  }

  private func forget(as me: Me) {
    session = nil
    me.note(.secureStore(holdsSession: false))
    me.note(.screen(.signedOut))
  }

  // MARK: The session

  /// A session whose access token is good for a while: refreshed shortly before it expires (ATP-21, O-03).
  private func renewed(
    isStart: Bool = false, as me: Me
  ) async throws(JourneyEnded) -> Bool {
    guard let session else { return false }
    let isLazy = habits.deviations.contains(.refreshOnlyAtStart) || !rules.binds(.atp21)
    if isLazy, !isStart || me.now < session.expires { return true }
    return session.isDue(at: me.now) ? try await refresh(as: me) : true
  }

  /// Once; without any answer twice more, as long as the access token is good. Then the user is signed out (ATP-22, O-04).
  private func refresh(as me: Me) async throws(JourneyEnded) -> Bool {
    guard let session else { return false }
    let renewal = session.renewal(account, client)
    for pause in [Span.zero, .seconds(1), .seconds(3)] {
      if pause > .zero, me.now + pause >= session.expires { break }
      try await me.think(pause)
      // With ATP-23 off two calls refresh side by side.
      let outcomes = try await me.ask(
        all: (rules.binds(.atp23) ? [renewal] : [renewal, renewal]).map { Ask($0) })
      if let set = outcomes.compactMap({ $0.reply?.tokens }).last {
        return try await admit(set, as: me)
      }
      if outcomes.contains(where: \.isAnswered) { break }
    }
    let keeps = habits.deviations.contains(.keepTokensOnFailure) || !rules.binds(.atp22)
    if !keeps { forget(as: me) }
    return false
  }

  private var credential: AsiaTravelPlan.Credential? { (session?.access).map { .bearer($0) } }

  /// The calls of one screen at once. A 401 leads to one refresh and one repeat, a second one to a sign-out (O-05).
  ///
  /// - Returns: `nil` where nobody is signed in, or no more.
  func ask(
    all requests: [AsiaTravelPlan.Request], as me: Me
  ) async throws(JourneyEnded) -> [Asked]? {
    guard try await renewed(as: me) else { return nil }
    var outcomes = try await me.ask(all: requests.map { Ask($0, with: credential) })
    guard !habits.deviations.contains(.ignore401) else { return outcomes }
    let refused = outcomes.indices.filter { outcomes[$0].kind == .unauthorized }
    guard !refused.isEmpty, session != nil else { return outcomes }
    guard try await refresh(as: me) else { return nil }
    let repeated = try await me.ask(
      all: refused.map { Ask(requests[$0], with: credential, attempt: 2) })
    for (place, outcome) in zip(refused, repeated) { outcomes[place] = outcome }
    guard repeated.contains(where: { $0.kind == .unauthorized }) else { return outcomes }
    forget(as: me)
    return nil
  }

  func ask(
    _ request: AsiaTravelPlan.Request, as me: Me
  ) async throws(JourneyEnded) -> Asked? {
    try await ask(all: [request], as: me)?.first
  }

  /// What no app of this version does: each with its rule off.
  func stray(as me: Me) async throws(JourneyEnded) {
    if !rules.binds(.atp02) { _ = try await ask(.tours(TourQuery()), as: me) }
    if !rules.binds(.atp03) { _ = try await ask(.customers(CustomerQuery()), as: me) }
    if !rules.binds(.atp04) { _ = try await ask(.browserMe, as: me) }
    if !rules.binds(.atp28) { _ = try await ask(.health, as: me) }
    if !rules.binds(.atp29) { _ = try await me.ask(.bookings(.app)) }
    if !rules.binds(.atp20), let refresh = session?.refresh {
      _ = try await me.ask(.bookings(.app), with: .bearer(.text(refresh)))
    }
  }
}
