import Contracts
import KantineKoningContract
import Observations
import Timekeeping

extension Set<Concern> {
  static let boards: Self = .asking(.leaderboard, .globalLeaderboard)
}

extension Check<KantineKoning> {
  /// Judges each call about a board in the light of what is certain about the clubs of the region before it.
  static func onBoards(
    _ limit: KantineKoning.Rule, _ operations: Set<Concern> = .asking(.leaderboard),
    _ judge: @escaping @Sendable (KKCall, BoardFacts, inout Judge) -> Void
  ) -> KKCheck {
    .each(limit, operations, by: BoardFacts.self, judge)
  }
}

extension Asking {
  /// What a request about either board asked for.
  var boardQuery: LeaderboardQuery? {
    switch request {
    case .leaderboard(let query), .globalLeaderboard(let query): query
    default: nil
    }
  }

  var tenantBoard: TenantBoard? {
    if case .replied(.leaderboard(let board)) = outcome { board } else { nil }
  }

  var globalBoard: GlobalBoard? {
    if case .replied(.globalLeaderboard(let board)) = outcome { board } else { nil }
  }

  /// The rows of either board.
  var rows: [LeaderboardEntry]? { tenantBoard?.teams ?? globalBoard?.teams }

  /// When the period of a board began; `nil` when another began while the board was under way.
  func periodStart(_ period: LeaderboardPeriod) -> Instant? {
    let bounds = period.bounds(around: sent)
    return bounds.ends > answered ? bounds.starts : nil
  }
}
