import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

/// What is known of one agency from what its people and its operator saw, and the checks that judge by it.
public struct AgencyChecks: CellChecks {
  public typealias Contract = AsiaTravelPlan
  public static let judged = AsiaTravelPlan.limits.filter { $0.unjudged == nil }
    .compactMap { AsiaTravelPlan.Rule($0.id) }.map { JudgedRule<AsiaTravelPlan>($0, [.controls]) }
  public let verdicts: RuleVerdicts<AsiaTravelPlan.Rule>

  public init(_ verdicts: RuleVerdicts<AsiaTravelPlan.Rule>) { self.verdicts = verdicts }

  public mutating func asked(_ call: Call<AsiaTravelPlan>, by person: Int) {}
}
