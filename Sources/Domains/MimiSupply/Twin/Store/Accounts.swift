import MimiSupplyContract
import Timekeeping

/// Sessions, used nonces, and what is known of a user beside the profile (§3.8, MS-117).
struct Accounts: Sendable {
  struct Session: Sendable {
    let user: String
    let device: String
    var expiresAt: Instant
  }

  var sessions: [String: Session] = [:]
  /// Until when a nonce may not come again.
  var nonces: [String: Instant] = [:]
  /// Users who selected a role, at sign-in or later.
  var haveRole: Set<String> = []
  var locked: Set<String> = []
  var risk: [String: Double] = [:]
  /// Known applications; `nil`: every one but `unknown`.
  var apiTokens: Set<String>?

  func knows(apiToken: String) -> Bool {
    apiTokens.map { $0.contains(apiToken) } ?? (!apiToken.isEmpty && apiToken != "unknown")
  }

  mutating func endSessions(of user: String) {
    sessions = sessions.filter { $0.value.user != user }
  }
}

/// Who asks, once the tokens are read.
enum Identity: Hashable, Sendable {
  case anonymous
  case user(String, device: String, session: String)

  var user: String? {
    if case .user(let name, _, _) = self { name } else { nil }
  }

  var device: String? {
    if case .user(_, let device, _) = self { device } else { nil }
  }
}
