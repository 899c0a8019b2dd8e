import Timekeeping

/// What a deployment may set (§7.3); the defaults are the specification's.
package struct KantineKoningConfiguration: Hashable, Sendable {
  /// How long a device token lives.
  package enum DeviceTokenLifetime: Hashable, Sendable {
    /// Up to the coming 31 July 23:59:59 Europe/Amsterdam.
    case seasonEnd
    /// Tokens never expire.
    case none
    case seconds(Int64)
  }

  /// What registering again for a team does that the device already follows in the same role.
  package enum Reenroll: Hashable, Sendable { case supersede, reject }

  package var maxTeamsPerDevice = 5
  /// In characters as people count them: extended grapheme clusters.
  package var maxVolunteerName = 15
  package var pastDays = 365
  package var futureDays = 60
  package var memberTokenLifetime = Span.seconds(600)
  /// What a phone's clock may be ahead.
  package var memberTokenLeeway = Span.seconds(120)
  package var magicLinkLifetime = Span.seconds(86_400)
  package var deviceTokenLifetime = DeviceTokenLifetime.seasonEnd
  package var searchMaxResults = 50
  package var reenroll = Reenroll.supersede
  package var syncProtectsClosedTenants = true
  /// How many rows a leaderboard has before the own team's.
  package var leaderboardTop = 10
  /// Whether a dienst that nobody is on counts for nobody (§8, point 8).
  package var leaderboardRequiresNames = false
  /// How many mails the outbox keeps; the oldest goes first.
  package var outboxCapacity = 1_000
  /// How many verified token texts are remembered, so that a caller's token is verified once.
  package var verifiedTokenCapacity = 65_536

  package init() {}
}
