import Contracts
import Journeys
import KilwinningContract
import Timekeeping

// Launch, login, biometric and logout: KW-110 to KW-117 and KW-145 to KW-149.

extension Device {
  static let sessionLives = Span.seconds(28_800)

  /// - Returns: Whether a dashboard is shown.
  func launch(as me: Person<Kilwinning>) async throws(JourneyEnded) -> Bool {
    guard secure.userID != nil else { return try await showLogin(as: me) }
    guard isLive(at: me.now) else {
      if rules.binds(.kw148) { clearSession(because: .expired, as: me) }
      return try await showLogin(as: me)
    }
    guard me.isOnline else {
      // KW-115: nothing is cleared, the cache is shown.
      if rules.binds(.kw115) {
        try await showDashboard(.shown, as: me)
      } else {
        clearSession(because: .expired, as: me)
      }
      return rules.binds(.kw115)
    }
    if rules.binds(.kw114) {
      let outcome = try await verify(as: me)
      if outcome.refusal?.kind.status == 401 { return try await showLogin(as: me) }
    }
    if !queue.isEmpty { try await synchronise(as: me) }
    guard isLoggedIn else { return try await showLogin(as: me) }
    try await showDashboard(.shown, as: me)
    return isLoggedIn
  }

  /// KW-112; without a timestamp it is expired.
  func isLive(at now: Instant) -> Bool {
    guard let timestamp = secure.timestamp else { return false }
    return now - timestamp <= (rules.binds(.kw112) ? Self.sessionLives : .hours(20))
  }

  /// O4; success renews the timestamp (KW-114).
  func verify(as me: Person<Kilwinning>) async throws(JourneyEnded) -> Outcome<Kilwinning> {
    let outcome = try await ask(.me, as: me)
    if let fratello = outcome.reply?.fratello {
      user = fratello
      secure.timestamp = me.now
      me.note(.stored(secure, because: .verified))
    }
    return outcome
  }

  // MARK: Login

  /// The biometric first where somebody enrolled (KW-146), else, or when it is rejected, the list (KW-116).
  private func showLogin(as me: Person<Kilwinning>) async throws(JourneyEnded) -> Bool {
    if let name = enrolledName, rules.binds(.kw146), !hasPrompted {
      repeat {
        hasPrompted = true
        let isAccepted = chance(habits.promptSucceeds, me)
        me.note(.prompted(isAccepted: isAccepted))
        if isAccepted { return try await logIn(byBiometric: name, as: me) }
      } while !rules.binds(.kw147)
    }
    return try await pickAndLogIn(as: me)
  }

  /// KW-148: no network, no login.
  private func logIn(
    byBiometric name: String, as me: Person<Kilwinning>
  ) async throws(JourneyEnded) -> Bool {
    if !rules.binds(.kw148), secure.userID != nil {
      // The old session goes on as if the biometric had revived it.
      try await showDashboard(.shown, as: me)
      return isLoggedIn
    }
    let outcome = try await me.ask(
      .logIn(LogIn(name)), with: Kilwinning.Credential(peer: seed.name))
    if outcome.refusal?.kind.status == 401 {
      enrolledName = nil
      secure.enrolled = nil
      me.note(.stored(secure, because: .enrolled))
      return try await pickAndLogIn(as: me)
    }
    return try await enter(outcome.reply?.loggedIn, as: me)
  }

  private func pickAndLogIn(as me: Person<Kilwinning>) async throws(JourneyEnded) -> Bool {
    let owner = seed.owner.nome
    var chosen = owner
    // With KW-145 off it is offered to whoever never logged in.
    if !rules.binds(.kw145) { enroll(as: me) }
    if rules.binds(.kw116) {
      me.note(.opens(Kilwinning.Opening(.picker, .shown)))
      let outcome = try await me.ask(.fratelli, with: Kilwinning.Credential(peer: seed.name))
      guard let list = outcome.reply?.fratelli else { return false }
      me.note(.shows(.picker(list.map { Kilwinning.PickerRow($0.id, icon: icon($0.grado)) })))
      try await think(as: me)
      if chance(habits.guests, me) { chosen = me.draw(.habit) { $0.pick(list.items) }.nome }
    }
    let outcome = try await me.ask(
      .logIn(LogIn(chosen)), with: Kilwinning.Credential(peer: seed.name))
    guard try await enter(outcome.reply?.loggedIn, as: me) else { return false }
    // KW-145: offered after a normal login alone.
    if chosen == owner { enroll(as: me) }
    return isLoggedIn
  }

  private func enroll(as me: Person<Kilwinning>) {
    guard seed.wantsBiometric, enrolledName == nil else { return }
    enrolledName = seed.owner.nome
    secure.enrolled = seed.owner.id
    me.note(.stored(secure, because: .enrolled))
  }

  /// KW-116: id, token and timestamp are saved, then the dashboard opens.
  private func enter(_ login: Login?, as me: Person<Kilwinning>) async throws(JourneyEnded) -> Bool
  {
    guard let login else { return false }
    if user?.id != login.user.id { cache = Cache() }
    user = login.user
    if rules.binds(.kw110) || token == nil { token = login.token }
    (secure.userID, secure.hasToken, secure.timestamp) = (login.user.id, true, me.now)
    me.note(.stored(secure, because: .login))
    if queue.contains(where: { $0.fratelloID == login.user.id }) { try await synchronise(as: me) }
    guard isLoggedIn else { return false }
    try await showDashboard(.shown, as: me)
    return isLoggedIn
  }

  // MARK: Clearing

  /// KW-113: what proves the session goes, the enrolment stays.
  func clearSession(because change: Kilwinning.StoreChange, as me: Person<Kilwinning>) {
    if rules.binds(.kw110) { token = nil }
    (secure.userID, secure.hasToken, secure.timestamp) = (nil, false, nil)
    if !rules.binds(.kw113) { (secure.enrolled, enrolledName) = (nil, nil) }
    // With KW-129 off an expiry costs the queue.
    if !rules.binds(.kw129) { queue = [] }
    me.note(.stored(secure, because: change))
    sleepWidget(as: me)
  }

  /// KW-117: everything goes, whatever the backend says; KW-129: so do queue and cache, and their loss is told.
  func logOut(as me: Person<Kilwinning>) async throws(JourneyEnded) {
    guard let userID = secure.userID else { return }
    let outcome = try await me.ask(.logOut, with: credential)
    guard rules.binds(.kw117) || outcome.isReplied else { return }
    let own = queue.filter { $0.fratelloID == userID }
    if rules.binds(.kw129) {
      queue.removeAll { $0.fratelloID == userID }
      me.note(.discarded(fratelloID: userID, count: own.count))
    }
    cache = Cache()
    if rules.binds(.kw110) { token = nil }
    secure = Kilwinning.SecureStore()
    // KW-149.
    if rules.binds(.kw149) { enrolledName = nil } else { secure.enrolled = userID }
    user = nil
    me.note(.stored(secure, because: .logout))
    sleepWidget(as: me)
  }

  /// KW-032.
  func icon(_ grado: Fratello.Grado) -> String {
    rules.binds(.kw032) ? Badges.degreeIcon(grado.rawValue) : "◆"
  }
}
