/// What a swipe took from the phone.
public struct SwipedAway: Hashable, Sendable {
  public enum Level: String, Hashable, Sendable { case team, club }

  public var level: Level
  public var tenant: String
  /// The code of the team; `nil` for a club.
  public var code: String?
  /// The enrollments that lost something: one of a team, all of a club, the newest last.
  public var deviceIDs: [String]
  /// It was the last that the phone had.
  public var leavesNothing: Bool
  /// Whether the backend is to be told; client 2.4.2 keeps quiet about the very last one (Q2).
  public var isToCall: Bool

  public init(
    level: Level, tenant: String, code: String?, deviceIDs: [String], leavesNothing: Bool,
    isToCall: Bool
  ) {
    self.level = level
    self.tenant = tenant
    self.code = code
    self.deviceIDs = deviceIDs
    self.leavesNothing = leavesNothing
    self.isToCall = isToCall
  }
}
