import Contracts
import KantineKoningContract
import Timekeeping

/// What the people of one cell share: its clubs, the habits of the time, and how the app is built. It never changes.
public final class Neighbourhood: Sendable {
  public let clubs: [Club]
  let habits: Habits
  /// Deviations of the client that are switched on (§5.11).
  let quirks: Set<String>
  let rules: Rules<KantineKoning.Rule>
  let tokens: any TokenCodec
  let starts: Instant
  let ends: Instant

  init(clubs: [Club], plan: CanteenPlan) {
    self.clubs = clubs
    habits = Habits(plan.parameters)
    quirks = plan.quirks
    rules = plan.rules
    tokens = plan.tokens
    starts = plan.starts
    ends = plan.ends
  }

  func club(_ slug: Slug) -> Club? { clubs.first { $0.slug == slug } }
}
