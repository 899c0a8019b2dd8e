import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The latencies between two things of the domain, as the phones see them.
public enum KantineKoningBusiness {
  public static let all: [BusinessLatency<KantineKoning>] = [
    orphanRevoked, onboarding, leaderboardFreshness, globalLeaderboardFreshness,
  ]

  /// First foreground with a new identifier → the old enrollment's token is refused as unknown (KK-07). A phone
  /// that lost its data cannot name what it left behind: stranded, and no failure of the backend (§8, point 2).
  private static let orphanRevoked = BusinessLatency<KantineKoning>(
    "orphan-revoked", "Identifier changed → the old enrollment is revoked", bound: .hours(1),
    limit: .kk07, concerns: Set<Concern>.authenticated.union([.notes])
  ) { record in
    switch record.event {
    case .note(.firstForeground(_, _, let held)): held.map { .begins($0, record.time) }
    case .note(.reinstalled(let old, let new, let lost)) where old != new:
      lost.flatMap { [.begins($0, record.time), .abandoned($0)] }
    case .request(let exchange):
      if exchange.code == .deviceNotFound, let claims = exchange.claims {
        [.ends(claims.deviceID, exchange.answered)]
      } else {
        []
      }
    default: []
    }
  }

  /// A dienst ended → the first board of its club since then that shows its hours.
  private static let leaderboardFreshness = BusinessLatency<KantineKoning>(
    "leaderboard-freshness", "Dienst ended → seen on its club's leaderboard",
    concerns: BoardFreshness.concerns,
    watch: { BoardFreshness(ofAllClubs: false) })

  /// A dienst ended → the first board of all clubs that shows its hours to somebody of another club (§8, point 25).
  private static let globalLeaderboardFreshness = BusinessLatency<KantineKoning>(
    "global-leaderboard-freshness", "Dienst ended → seen on the global leaderboard elsewhere",
    concerns: BoardFreshness.concerns,
    watch: { BoardFreshness(ofAllClubs: true) })

  /// First step of the onboarding → registered (§5.2, §5.3).
  private static let onboarding = BusinessLatency<KantineKoning>(
    "onboarding", "First step of the onboarding → registered", concerns: [.notes]
  ) { record in
    guard case .note(let note) = record.event, let person = record.person else { return [] }
    let key = "\(person.index)"
    return switch note {
    case .phase(.onboarding): [.begins(key, record.time)]
    case .phase(.registered): [.ends(key, record.time)]
    case .gaveUpEnrolling: [.abandoned(key)]
    default: []
    }
  }
}
