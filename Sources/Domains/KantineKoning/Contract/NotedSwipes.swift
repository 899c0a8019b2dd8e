/// What a swipe took from the phone.
public struct SwipedAway: Hashable, Sendable {
  public enum Level: String, Hashable, Sendable { case team, club }

  public var level: Level
  public var tenant: Slug
  /// The code of the team; `nil` for a club.
  public var code: TeamName?
  /// The enrollments that lost something: one of a team, all of a club, the newest last.
  public var deviceIDs: [EnrollmentID]
  /// It was the last that the phone had.
  public var leavesNothing: Bool
  /// Whether the backend is to be told; client 2.4.2 keeps quiet about the very last one (Q2).
  public var isToCall: Bool

  public init(
    level: Level, tenant: Slug, code: TeamName?, deviceIDs: [EnrollmentID], leavesNothing: Bool,
    isToCall: Bool
  ) {
    (self.level, self.tenant, self.code, self.deviceIDs) = (level, tenant, code, deviceIDs)
    (self.leavesNothing, self.isToCall) = (leavesNothing, isToCall)
  }
}
