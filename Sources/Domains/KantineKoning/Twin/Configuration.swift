import KantineKoningContract
import Timekeeping

/// What a backend is made with; the defaults are the specification's (§7.3).
public struct KantineKoningConfiguration: Hashable, Sendable {
  /// How APNs answers a push through the wrong service (§6.1).
  public enum WrongApnsEnvironment: Hashable, Sendable {
    /// As the documents describe the symptom.
    case timeout
    /// As the real service answers.
    case badDeviceToken
  }

  public var maxTeamsPerDevice = 5
  public var maxVolunteerName = KantineKoning.longestName.value
  public var pastDays = 365
  public var futureDays = 60
  /// What the operator may set while it runs.
  public var deployment = KantineKoning.Deployment()
  public var wrongApnsEnvironment = WrongApnsEnvironment.timeout
  /// Whether added and removed names are pushed to their team (§5.5).
  public var pushesVolunteerChanges = false
  /// How many records of pushes are kept; the oldest goes first.
  public var deliveryCapacity = 1_000
  /// How many rows a leaderboard has before the own team's.
  public var leaderboardTop = 10
  /// How many mails the outbox keeps; the oldest goes first.
  public var outboxCapacity = 1_000
  /// How many verified token texts are remembered, so that a caller's token is verified once.
  public var verifiedTokenCapacity = 65_536

  public init() {}
}
