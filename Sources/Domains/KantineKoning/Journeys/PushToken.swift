import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

/// What a phone knows of its push token.
struct PushTokenState {
  /// As iOS gave it to this installation; `nil` before it did.
  private(set) var current: String?
  /// What the backend has taken, and when.
  private(set) var handedOver: (token: String, at: Instant)?
  /// The token of an installation that is gone; APNs is still to learn of it.
  private(set) var discarded: String?

  /// - Parameter token: What the backend knows from before the run.
  init(known token: String?) {
    current = token
    handedOver = token.map { ($0, .distantPast) }
  }

  var isNew: Bool { current != handedOver?.token }

  mutating func give(_ token: String) { current = token }
  mutating func take(_ token: String, at instant: Instant) { handedOver = (token, instant) }
  mutating func forgetDiscarded() { discarded = nil }

  /// Another installation gets another token.
  mutating func installAnew() {
    discarded = current ?? discarded
    current = nil
    handedOver = nil
  }
}

extension Phone {
  /// The app registers with APNs at its start and after an enrollment; when iOS has no token yet, it asks once more
  /// after 2 s (§5.2). A token that the backend does not know goes out with O10 (KK-88).
  func handOverPushToken(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard seed.allowsNotifications || !rules.binds(.kk137) else { return }
    if pushToken.current == nil {
      if isTokenLate(me) {
        try await me.think(.seconds(2))
        if isTokenLate(me) { return }
      }
      let home = rules.binds(.kk134) ? scheme.entitlement : scheme.other.entitlement
      let given = me.draw(.pushing) { ApnsToken.issue(for: home, drawing: &$0) }
      pushToken.give(given)
      me.listen(at: .push(given))
    }
    guard let token = pushToken.current, pushToken.isNew, let any = anyUsable(as: me) else {
      return
    }
    me.note(.pushTokenGiven(stableHash(token)))
    if rules.binds(.kk88) { try await update(token, with: any, as: me) }
  }

  private func isTokenLate(_ me: Person<KantineKoning>) -> Bool {
    me.draw(.pushing) { $0.chance(habits.pushTokenLate) }
  }

  /// O10 with build environment and version (KK-89), and its line in the log (KK-98).
  private func update(
    _ token: String, with enrollment: HeldEnrollment, as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    let tells = rules.binds(.kk89)
    let update = ApnsTokenUpdate(
      token: token, buildEnvironment: tells ? buildEnvironmentSent : nil,
      appVersion: tells ? "2.4.2" : nil, buildNumber: tells ? "1" : nil)
    let former = pushToken.handedOver
    let sent = me.now
    let answer = try await me.ask(.updateApnsToken(update), with: enrollment.credential)
    let isTaken = answer.reply != nil
    if isTaken { pushToken.take(token, at: sent) }
    let bearer = enrollment.token.text(signedBy: neighbourhood.tokens)
    me.note(
      .pushTokenLogged(
        TokenUpdateLine(
          token: rules.binds(.kk98) ? "\(token.prefix(8))…" : token,
          buildEnvironment: buildEnvironmentSent, detectedEnvironment: scheme.entitlement,
          isNew: former?.token != token,
          sinceLastUpdate: former.flatMap { $0.at > .distantPast ? sent - $0.at : nil },
          bearer: rules.binds(.kk43) ? String(bearer.prefix(20)) : bearer, isTaken: isTaken,
          duration: me.now - sent, finalEnvironment: scheme.entitlement, isKept: isTaken)))
  }

  /// The build environment as the app sends it (KK-93), by which the backend chooses the service (KK-92).
  var buildEnvironmentSent: String {
    rules.binds(.kk93) ? scheme.buildEnvironment : scheme.other.buildEnvironment
  }

  /// The environment's part: iOS and APNs learn that an installation is gone, so that pushes to its token end (§6.1).
  func discardPushToken(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard me.isOnline, let token = pushToken.discarded else { return }
    let answer = try await me.ask(.apns(.appDeleted(token: token)))
    if answer.reply != nil { pushToken.forgetDiscarded() }
  }
}

extension BuildScheme {
  fileprivate var other: BuildScheme {
    switch self {
    case .release: .releaseTesting
    case .releaseTesting: .release
    }
  }
}
