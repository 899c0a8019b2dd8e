import AsiaTravelPlanContract
import AsiaTravelPlanTwin
import Backends
import Contracts
import Journeys
import Observations
import Timekeeping

/// The agency's identity provider, at the port where it listens beside the agency's own service, which is not there yet. It can be
/// served and nothing else: it has no people and no checks, and is no domain of a scenario.
struct IdentityProviderAlone: Backend {
  typealias Contract = AsiaTravelPlan

  static let services = 1..<2

  var declaration: WorldDeclaration {
    WorldDeclaration(
      domain: AsiaTravelPlan.domain, title: "AsiaTravelPlan: its identity provider",
      population: [], parameters: [], quirks: [], profiles: [],
      operations: AsiaTravelPlan.operations, business: [], limits: [],
      controls: AsiaTravelPlan.controls)
  }

  var port: Int { 8_787 }
  var checks: [Check<AsiaTravelPlan>] { [] }
  var business: [BusinessLatency<AsiaTravelPlan>] { [] }
  var provingScenario: String { "" }

  func twin(_ setup: TwinSetup) -> IdentityProvider {
    IdentityProvider(identifiers: setup.identifiers, rules: setup.rules(), tokens: setup.tokens)
  }

  func populate(_ region: RegionPlan) -> PopulationPlan<AsiaTravelPlan> {
    PopulationPlan(cells: 1, persons: [], controls: [])
  }

  func persons(in population: Settings) -> Int { 0 }
  func inspection(after last: AsiaTravelPlan.Reply?) -> AsiaTravelPlan.Request? { nil }

  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<AsiaTravelPlan>] { [] }

  func transit(of signal: AsiaTravelPlan.Signal, in plan: RegionPlan) -> Distribution {
    .constant(.zero)
  }
}
