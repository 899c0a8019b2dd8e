import Backends
import Contracts
import Scenarios
import Timekeeping

extension Mishaps {
  /// Those of a region.
  init(_ scenario: Scenario, in plan: RegionPlan) {
    self.init(
      faults: scenario.faults.enumerated().filter { $0.element.domain == Contract.domain }.map {
        (UInt32($0.offset), $0.element.kind, $0.element.selection(in: plan))
      },
      requestLost: plan.parameters.shareIfDeclared("requestLost") ?? 0,
      answerLost: plan.parameters.shareIfDeclared("answerLost") ?? 0)
  }
}

extension Fault {
  /// Which requests of one region it meets; what it counts in all is shared among the regions.
  fileprivate func selection(in plan: RegionPlan) -> FaultSelection {
    FaultSelection(
      share: share, operation: operation, from: from, until: to,
      count: count.map { plan.share(of: $0).count })
  }
}
