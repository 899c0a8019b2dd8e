import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The latencies between two things of the domain, as the phones see them.
public enum KantineKoningBusiness {
  public static let all: [BusinessLatency<KantineKoning>] =
    [
      orphanRevoked, syncDistance, onboarding, magicLink, pushShown, pushRefreshed,
      leaderboardFreshness, globalLeaderboardFreshness,
    ] + unrepaired

  /// First foreground with a new identifier → the old enrollment's token is refused as unknown (KK-07). A phone
  /// that lost its data cannot name what it left behind: stranded, and no failure of the backend (§8, point 2).
  private static let orphanRevoked = BusinessLatency<KantineKoning>(
    "orphan-revoked", "Identifier changed → the old enrollment is revoked", bound: .hours(1),
    rule: .kk07,
    notes: BusinessNotes(
      abandoned: "enrollments of phones that lost their data and cannot name what they left behind",
      excuse:
        "it excuses phones that have not synced under their new identifier, which the backend cannot know of, and protected clubs"
    ), concerns: Set<Concern>.authenticated.union([.notes])
  ) { record in
    switch record.event {
    case .note(.firstForeground(_, _, let held)): held.map { .begins($0.text, record.time) }
    case .note(.reinstalled(let old, let new, let lost)) where old != new:
      lost.flatMap { [.begins($0.text, record.time), .abandoned($0.text)] }
    case .request(let call):
      if call.code == .deviceNotFound, let claims = call.claims {
        [.ends(claims.deviceID.text, call.answered)]
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
    watching: { BoardFreshness(by: $0.lender(of: BoardFacts.self)(0), ofAllClubs: false) })

  /// A dienst ended → the first board of all clubs that shows its hours to somebody of another club (§8, point 25).
  private static let globalLeaderboardFreshness = BusinessLatency<KantineKoning>(
    "global-leaderboard-freshness", "Dienst ended → seen on the global leaderboard elsewhere",
    concerns: BoardFreshness.concerns,
    watching: { BoardFreshness(by: $0.lender(of: BoardFacts.self)(0), ofAllClubs: true) })

  /// From one successful sync of a phone to its next: how far the throttle holds them apart (KK-74). Only the app says
  /// which version it is, so who syncs as they like is not counted.
  private static let syncDistance = BusinessLatency<KantineKoning>(
    "sync-distance", "A sync of a phone → its next", rule: .kk74,
    notes: BusinessNotes(
      weight: .last, abandoned: "syncs of phones that were replaced or forgot their last one"),
    concerns: [.notes, .asks(.sync)]
  ) { record in
    guard let key = key(record) else { return [] }
    switch record.event {
    case .note(.identifierChanged), .note(.reinstalled), .note(.throttleForgotten):
      return [.abandoned(key)]
    case .request(let call):
      guard case .sync(let list) = call.request, call.isReplied,
        list.items.contains(where: { $0.appVersion != nil })
      else { return [] }
      return [.ends(key, call.sent), .begins(key, call.sent)]
    default: return []
    }
  }

  /// First step of the onboarding → registered (§5.2, §5.3).
  private static let onboarding = BusinessLatency<KantineKoning>(
    "onboarding", "First step of the onboarding → registered",
    notes: BusinessNotes(
      weight: .first,
      abandoned: "people who gave up, got no answer or were refused by the club’s rules"),
    concerns: [.notes]
  ) { record in
    guard case .note(let note) = record.event, let key = key(record) else { return [] }
    return switch note {
    case .phase(.onboarding): [.begins(key, record.time)]
    case .phase(.registered): [.ends(key, record.time)]
    case .gaveUpEnrolling: [.abandoned(key)]
    default: []
    }
  }

  /// The manager's part of the funnel: the link was asked for → registered with it (§5.2). A mail that is never read
  /// leads nowhere.
  private static let magicLink = BusinessLatency<KantineKoning>(
    "magic-link", "Magic link requested → registered",
    notes: BusinessNotes(abandoned: "requests for a link that led to no registration"),
    concerns: [.notes]
  ) { record in
    guard case .note(let note) = record.event, let key = key(record) else { return [] }
    return switch note {
    case .phase(.enrollmentPending): [.begins(key, record.time)]
    case .phase(.registered): [.ends(key, record.time)]
    case .phase(.onboarding), .phase(.launching), .gaveUpEnrolling: [.abandoned(key)]
    default: []
    }
  }

  /// The backend sent a push → the phone has a fresh list; one that a phone could not refresh is left out.
  private static let pushShown = BusinessLatency<KantineKoning>(
    "push-shown", "Push sent → the refreshed list",
    notes: BusinessNotes(
      weight: .first, abandoned: "pushes after which a phone could not refresh its list"),
    concerns: [.notes, .signals]
  ) { record in
    switch record.event {
    case .signal(.push(let push)):
      key(record, push.eventNumber).map { [.begins($0, push.createdAt)] } ?? []
    case .note(.refreshedAfterPush(let event, let isFresh)):
      key(record, event).map { [isFresh ? .ends($0, record.time) : .abandoned($0)] } ?? []
    default: []
    }
  }

  /// The push is at the phone → O11 and O14 of all enrollments are answered, for which a tapped push waits at most 2 s
  /// (KK-97).
  private static let pushRefreshed = BusinessLatency<KantineKoning>(
    "push-refreshed", "Push at the phone → all enrollments refreshed", bound: .seconds(2),
    rule: .kk97,
    notes: BusinessNotes(
      excuse:
        "it bounds how long a tapped push waits before it shows what the phone has; the refresh itself may take longer"
    ), concerns: [.notes]
  ) { record in
    switch record.event {
    case .note(.pushArrived(let event)):
      key(record, event).map { [.begins($0, record.time)] } ?? []
    case .note(.refreshedAfterPush(let event, _)):
      key(record, event).map { [.ends($0, record.time)] } ?? []
    default: []
    }
  }

  private static func key(_ record: Record<KantineKoning>) -> String? {
    record.person.map { "\($0.index)" }
  }

  private static func key(_ record: Record<KantineKoning>, _ event: Int) -> String? {
    record.person.map { "\($0.index)/\(event)" }
  }
}
