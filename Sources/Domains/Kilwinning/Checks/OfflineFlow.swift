import Contracts
import KilwinningContract
import Observations

/// A presence that is confirmed without network, until the backend has it (KW-123 to KW-126).
public enum OfflineFlow {
  public static let flow = Flow<Kilwinning>(
    Course(
      of: "presences set without network", steps: ["confirmed", "synchronised"],
      reasons: [
        Course.Reason("changed again before that", .population),
        Course.Reason("thrown away by a logout", .population),
        Course.Reason("refused by the backend as in conflict", .backend),
      ]),
    concerns: [.notes], watching: { _ in OfflineWatch() })
}

private struct OfflineWatch: FlowWatch {
  /// The entries of each device's queue.
  private var open: [PersonID: [(opID: String, owner: Fratello.ID)]] = [:]

  mutating func see(_ record: Record<Kilwinning>) -> [Flow<Kilwinning>.Move] {
    guard case .note(let note) = record.event, let device = record.person else { return [] }
    switch note {
    case .queued(let opID, let owner, _, _, let replaced):
      open[device]?.removeAll { $0.opID == replaced }
      open[device, default: []].append((opID, owner))
      return (replaced.map { [.left($0, reason: 0)] } ?? []) + [.reached(opID, step: 0)]
    case .settled(let opID, _, let conflict):
      open[device]?.removeAll { $0.opID == opID }
      return [conflict == nil ? .reached(opID, step: 1) : .left(opID, reason: 2)]
    case .discarded(let owner, _):
      let gone = (open[device] ?? []).filter { $0.owner == owner }
      open[device]?.removeAll { $0.owner == owner }
      return gone.map { .left($0.opID, reason: 1) }
    default: return []
    }
  }
}
