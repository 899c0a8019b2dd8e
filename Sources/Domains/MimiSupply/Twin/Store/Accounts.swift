import MimiSupplyContract
import Timekeeping

/// Sessions, used nonces, and what is known of a user beside the profile (§3.8, MS-117).
struct Accounts: Sendable {
  struct Session: Sendable {
    let user: UserName
    let device: DeviceName
    var expiresAt: Instant
  }

  var sessions: [String: Session] = [:]
  /// Until when a nonce may not come again.
  var nonces: [String: Instant] = [:]
  /// Users who selected a role, at sign-in or later.
  var haveRole: Set<UserName> = []
  var locked: Set<UserName> = []
  var risk: [UserName: Double] = [:]
  /// Known applications; `nil`: every one but `unknown`.
  var apiTokens: Set<String>?

  func knows(apiToken: String) -> Bool {
    apiTokens.map { $0.contains(apiToken) } ?? (!apiToken.isEmpty && apiToken != "unknown")
  }

  mutating func endSessions(of user: UserName) {
    sessions = sessions.filter { $0.value.user != user }
  }
}

/// Who asks, once the tokens are read.
enum Identity: Hashable, Sendable {
  case anonymous
  case user(UserName, device: DeviceName, session: String)

  var user: UserName? {
    if case .user(let name, _, _) = self { name } else { nil }
  }

  var device: DeviceName? {
    if case .user(_, let device, _) = self { device } else { nil }
  }
}
