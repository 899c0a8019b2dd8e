import Backends
import Observations
import Scenarios

/// A backend made ready for a timeline.
///
/// It is made once, where the backend's type is still known (the list of domains), because everything below it is
/// generic: from there the compiler specialises the whole kernel for the backend. A call through `any Backend` would
/// run it with every type looked up at run time, ten times slower.
public struct AnyDomain: Sendable {
  public let backend: any Backend
  let replicate:
    @Sendable ([RegionPlan], Scenario, Stopwatch?, Recording, WallTime?) ->
      WorldReplicating

  /// A tally of the domain's world in which nothing is counted yet, for one that was kept as bytes.
  public let emptyTally: @Sendable (Scenario) -> WorldTally

  public init<Domain: Backend>(_ backend: Domain) {
    self.backend = backend
    emptyTally = { scenario in
      Recorder<Domain.Checks>.emptyTally(
        business: backend.business, flow: backend.flow, access: backend.access,
        scenario: scenario, inRealTime: scenario.timeline.isWall)
    }
    replicate = { plans, scenario, stopwatch, recording, time in
      WorldReplication(
        backend, plans: plans, scenario: scenario, stopwatch: stopwatch, recording: recording,
        time: time
      ).erased
    }
  }
}
