import Timekeeping

/// What a deployment may set (§7.3); the defaults are the specification's.
public struct KantineKoningConfiguration: Hashable, Sendable {
  /// How long a device token lives.
  public enum DeviceTokenLifetime: Hashable, Sendable {
    /// Up to the coming 31 July 23:59:59 Europe/Amsterdam.
    case seasonEnd
    /// Tokens never expire.
    case none
    case seconds(Int64)
  }

  /// What registering again for a team does that the device already follows in the same role.
  public enum Reenroll: Hashable, Sendable { case supersede, reject }

  /// Whether removing teams understands their ids (§5.11 Q4).
  public enum RemoveTeamsMatch: Hashable, Sendable { case codeOrId, codeOnly }

  /// How APNs answers a push through the wrong service (§6.1).
  public enum WrongApnsEnvironment: Hashable, Sendable {
    /// As the documents describe the symptom.
    case timeout
    /// As the real service answers.
    case badDeviceToken
  }

  public var maxTeamsPerDevice = 5
  /// In characters as people count them: extended grapheme clusters.
  public var maxVolunteerName = 15
  public var pastDays = 365
  public var futureDays = 60
  public var memberTokenLifetime = Span.seconds(600)
  /// What a phone's clock may be ahead.
  public var memberTokenLeeway = Span.seconds(120)
  public var magicLinkLifetime = Span.seconds(86_400)
  public var deviceTokenLifetime = DeviceTokenLifetime.seasonEnd
  public var searchMaxResults = 50
  public var reenroll = Reenroll.supersede
  public var syncProtectsClosedTenants = true
  public var removeTeamsMatch = RemoveTeamsMatch.codeOrId
  public var wrongApnsEnvironment = WrongApnsEnvironment.timeout
  /// Whether added and removed names are pushed to their team (§5.5).
  public var pushesVolunteerChanges = false
  /// How many records of pushes are kept; the oldest goes first.
  public var deliveryCapacity = 1_000
  /// How many rows a leaderboard has before the own team's.
  public var leaderboardTop = 10
  /// Whether a dienst that nobody is on counts for nobody (§8, point 8).
  public var leaderboardRequiresNames = false
  /// How many mails the outbox keeps; the oldest goes first.
  public var outboxCapacity = 1_000
  /// How many verified token texts are remembered, so that a caller's token is verified once.
  public var verifiedTokenCapacity = 65_536

  public init() {}
}
