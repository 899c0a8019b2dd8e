import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Push tokens on their way to the backend: KK-88 to KK-90, KK-93, KK-98, KK-134, KK-137.
enum PushTokenChecks {
  private static let handing: Set<Concern> = [.notes, .asks(.register), .asks(.apnsToken)]

  static let all: [KKCheck] = [
    .history(.kk88, handing) {
      Promises(noted: { if case .pushTokenGiven(let hash) = $0 { [.handOver(hash)] } else { [] } })
    },
    ofPhone(.kk89) { call, _, judge in
      guard case .updateApnsToken(let update) = call.request else { return }
      judge.expect(
        update.buildEnvironment?.isEmpty == false && update.appVersion?.isEmpty == false,
        "a token update says nothing of build and version")
    },
    .inCell(.kk90, also: .asking(.apnsToken)) { call, facts, judge in
      guard case .replied(.apnsTokenUpdated(let count)) = call.outcome,
        let known = facts.caller(of: call)
      else { return }
      let active = known.phone.rights.count(where: \.isActive)
      guard active > 1 else { return }
      judge.expect(
        count == active, "a token update reached \(count) of the phone's \(active) enrollments")
    }
      + .each(.kk90, .asking(.register)) { call, judge in
        guard let answer = call.registered, let told = call.registration?.buildEnvironment else {
          return
        }
        judge.expect(
          answer.buildEnvironment == told,
          "a registration of build '\(told)' shows '\(answer.buildEnvironment ?? "")'")
      }
      + .each(.kk90, .asking(.status), by: PushFacts.self) { call, facts, judge in
        guard let status = call.status,
          let told = facts.told(of: status.deviceID, during: call.during)
        else { return }
        judge.expect(
          status.buildEnvironment == told.build && (!told.token.isEmpty || !status.hasApnsToken),
          "a token update of build '\(told.build ?? "")' left '\(status.buildEnvironment ?? "")'")
      },
    ofPhone(.kk93) { call, scheme, judge in
      guard let told = call.pushToken else { return }
      judge.expect(
        told.buildEnvironment == scheme.buildEnvironment,
        "a \(scheme.rawValue) build called itself '\(told.buildEnvironment ?? "")'")
    },
    .history(.kk98, [.notes, .asks(.apnsToken)], LoggedUpdates.init),
    ofPhone(.kk134) { call, scheme, judge in
      guard let told = call.pushToken, !told.token.isEmpty else { return }
      judge.expect(
        ApnsToken.environment(of: told.token) == scheme.entitlement,
        "a \(scheme.rawValue) build has a token of another environment")
    },
    .history(.kk137, handing, RefusedNotifications.init),
  ]

  /// Judges what a phone tells of its push token, in the light of how its app was built.
  private static func ofPhone(
    _ limit: KantineKoning.Rule,
    _ judge: @escaping @Sendable (KKCall, BuildScheme, inout Judge) -> Void
  ) -> KKCheck {
    .history(limit, handing) { BuiltPhone(judge: judge) }
  }
}

private struct BuiltPhone: History {
  static let scope = Scope<KantineKoning>.person
  let judge: @Sendable (KKCall, BuildScheme, inout Judge) -> Void
  private var scheme: BuildScheme?

  init(judge: @escaping @Sendable (KKCall, BuildScheme, inout Judge) -> Void) {
    self.judge = judge
  }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ verdict: inout Judge) {
    if case .installed(let installed) = note { scheme = installed }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ verdict: inout Judge) {
    if let scheme { judge(call, scheme, &verdict) }
  }
}

/// KK-98: every update leaves its line, with a shortened token and what really came of it.
private struct LoggedUpdates: History {
  static let scope = Scope<KantineKoning>.person
  private var isPhone = false
  private var update: KKCall?

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard isPhone else { return }
    if update != nil { judge.violated("a token update left no line in the log") }
    update = call
  }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    isPhone = isPhone || note.isOfPhone
    guard case .pushTokenLogged(let line) = note else { return }
    guard let made = update, case .updateApnsToken(let sent) = made.request else {
      return judge.violated("a line in the log about an update that nobody made")
    }
    update = nil
    judge.expect(
      isShortened(line.token, of: sent.token) && line.isTaken == made.isReplied
        && line.isKept == line.isTaken && line.finalEnvironment == line.detectedEnvironment
        && line.duration >= made.answered - made.sent,
      "the log's line '\(line.token.prefix(12))' does not tell what happened")
  }

  private func isShortened(_ shown: String, of token: String) -> Bool {
    shown.count < token.count && token.hasPrefix(shown.prefix(8))
  }
}

/// KK-137: who refuses notifications has no push token to hand over.
private struct RefusedNotifications: History {
  static let scope = Scope<KantineKoning>.person
  private var hasRefused = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    if case .notificationsRefused = note { hasRefused = true }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard hasRefused, let told = call.pushToken else { return }
    judge.expect(told.token.isEmpty, "a push token although notifications were refused")
  }
}
