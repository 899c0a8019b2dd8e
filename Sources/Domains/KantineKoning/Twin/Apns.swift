import KantineKoningContract
import Timekeeping

/// Apple's push service as the twin knows it (§6.1): the environment's part, deterministic, without a list of phones.
///
/// Where a token is valid stands in its own text (`ApnsToken`) or was reported by a tester; that an app is gone is
/// reported by its phone. The answer to a push is decided when it is sent and comes back as feedback of the
/// environment when the push has travelled.
struct Apns: Sendable {
  /// `APNS_FORCE_ENV` and `APNS_ENV` of the backend.
  var variables = ApnsVariables()
  /// While true, APNs answers nothing.
  var isOut = false
  /// Tokens of a tester's choosing, by text.
  private var issued: [String: ApnsEnvironment] = [:]
  /// Tokens whose app was deleted. One a deletion: bounded by the installations of a cell.
  private var deleted: Set<String> = []

  mutating func issue(_ token: String, for environment: ApnsEnvironment) {
    issued[token] = environment
    deleted.remove(token)
  }

  mutating func delete(_ token: String) { deleted.insert(token) }
  func isDeleted(_ token: String) -> Bool { deleted.contains(token) }

  /// The environment in which a token is valid; `nil` for text that is no token and for tokens never issued.
  func home(of token: String) -> ApnsEnvironment? {
    if let environment = issued[token] { return environment }
    return ApnsToken.environment(of: token)
  }
}

extension KantineKoningTwin {
  /// What APNs answers to a push through one of its services.
  func apnsAnswer(to token: String, through environment: ApnsEnvironment) -> PushDelivery.Result {
    if apns.isOut { return .timeout }
    if apns.isDeleted(token) { return .unregistered }
    guard let home = apns.home(of: token) else {
      return rules.binds(.kk95) ? .badDeviceToken : .delivered  // KK-95
    }
    guard home == environment || !rules.binds(.kk94) else {
      return configuration.wrongApnsEnvironment == .timeout ? .timeout : .badDeviceToken  // KK-94
    }
    return .delivered
  }

  /// The service through which an enrollment is pushed to (KK-92).
  func apnsEnvironment(of row: Int) -> ApnsEnvironment {
    guard rules.binds(.kk92) else { return .production }
    return ApnsEnvironment.chosen(
      apns.variables, isTestUser: enrollments[row].isTestUser,
      buildEnvironment: enrollments[row].buildEnvironment)
  }

  /// What Apple's side of the world tells (§6.1).
  mutating func hear(_ report: ApnsReport, at now: Instant) -> Answer {
    work.rowsWritten += 1
    switch report {
    case .issued(let token, let environment):
      guard ApnsToken.isWellFormed(token) else {
        return .refused(.invalidParameter, "a push token is 64 lower-case hexadecimal digits")
      }
      apns.issue(token, for: environment)
    case .appDeleted(let token): apns.delete(token)
    case .feedback(let number, let result):
      guard let dispatch = deliveries.answer(number, result, at: now) else { break }
      // 410: the token is of no use to anybody any more.
      if result == .unregistered { forget(token: dispatch.token) }
    }
    return .success(.done)
  }

  /// Clears a token on every enrollment that has it.
  private mutating func forget(token: String) {
    let rows = enrollments.rows(withToken: token)
    work.rowsWritten += rows.count
    for row in rows { enrollments.setToken(nil, on: row) }
  }
}
