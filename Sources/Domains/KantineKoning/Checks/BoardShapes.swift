import Contracts
import KantineKoningContract
import Observations
import Timekeeping

extension Set<Concern> {
  static let boards: Self = .asking(.leaderboard, .globalLeaderboard)
}

extension Check<KantineKoning> {
  /// Judges each exchange about a board in the light of what is certain about the clubs of the region before it.
  static func onBoards(
    _ limit: LimitID, _ operations: Set<Concern> = .asking(.leaderboard),
    _ judge: @escaping @Sendable (KKExchange, BoardFacts, inout Judge) -> Void
  ) -> KKCheck {
    Check(
      limit, concerns: operations.union([.asks(.claimDienst), .controls]),
      .history(keys: { _ in [.number(0)] }, start: { _ in BoardsSeen(judge: judge) }))
  }
}

private struct BoardsSeen: History {
  typealias Agreement = KantineKoning
  let judge: @Sendable (KKExchange, BoardFacts, inout Judge) -> Void
  private var facts = BoardFacts()

  init(judge: @escaping @Sendable (KKExchange, BoardFacts, inout Judge) -> Void) {
    self.judge = judge
  }

  mutating func see(_ record: KKRecord, _ verdict: inout Judge) {
    switch record.event {
    case .request(let exchange):
      if case .claimDienst = exchange.request {
        facts.see(exchange)
      } else {
        judge(exchange, facts, &verdict)
      }
    case .control(.control(let command), let outcome):
      if case .refused = outcome { return }
      facts.see(command, at: record.time)
    case .control, .signal, .note, .inspection: break
    }
  }
}

extension Exchange<KantineKoning> {
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
