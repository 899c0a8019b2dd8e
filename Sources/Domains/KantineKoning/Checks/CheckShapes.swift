import Contracts
import KantineKoningContract
import Observations
import Timekeeping

typealias KKRecord = Record<KantineKoning>
typealias KKCheck = Check<KantineKoning>

extension Concern {
  static func asks(_ operation: MobileOperation) -> Concern { .operation(operation.rawValue) }
}

extension Set<Concern> {
  static func asking(_ operations: MobileOperation...) -> Self {
    Set(operations.map { Concern.asks($0) })
  }

  /// Every operation that carries a device token.
  static let authenticated: Self = .asking(
    .sync, .status, .tenants, .diensten, .addVolunteer, .removeVolunteer, .leaderboard,
    .globalLeaderboard, .availableDiensten, .takeover, .claimDienst, .transferOffer, .removeTeams,
    .removeTenant, .removeAll, .emailPreferences, .apnsToken)

  /// Every operation that changes or shows a dienst for those who may change it (KK-55).
  static let managing: Self = .asking(
    .addVolunteer, .removeVolunteer, .availableDiensten, .takeover, .claimDienst, .transferOffer)
}

extension Check<KantineKoning> {
  /// Judges each call of some operations, and of those that change what a phone holds, in the light of what is certain
  /// about its cell before it.
  static func inCell(
    _ limit: KantineKoning.Rule, also operations: Set<Concern> = [],
    _ judge: @escaping @Sendable (KKCall, CellFacts, inout Judge) -> Void
  ) -> KKCheck {
    .each(limit, operations.union(CellFacts.changing), by: CellFacts.self, judge)
  }

  /// Judges each call of some operations by the values of §7.3 that were in force throughout it.
  static func deployed(
    _ limit: KantineKoning.Rule, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (KKCall, KantineKoning.Deployment, inout Judge) -> Void
  ) -> KKCheck {
    .each(limit, operations, by: DeploymentFacts.self) { call, facts, verdict in
      if let deployment = facts.inForce(during: call.during) {
        judge(call, deployment, &verdict)
      }
    }
  }
}
