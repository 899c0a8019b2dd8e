import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// A user of the agency before they live.
public struct UserSeed: Sendable {
  public let account: Account
  /// `nil` for an outsider.
  public let role: Role?
  public let version: AppVersion
  public let begins: Instant
  let habits: AgencyHabits

  var assigns: Bool { role == .manager || role == .admin }
  /// Whether the app lets them add notes.
  var notes: Bool { role != .accountant }
}
