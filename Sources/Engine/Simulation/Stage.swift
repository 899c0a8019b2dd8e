import Backends
import Scenarios

/// A backend made ready for a timeline.
///
/// It is made once, where the backend's type is still known (the list of domains), because everything below it is
/// generic: from there the compiler specialises the whole kernel for the backend. A call through `any Backend` would
/// run it with every type looked up at run time, ten times slower.
public struct Stage: Sendable {
  public let room: any Backend
  let replicate:
    @Sendable ([RegionPlan], Scenario, Stopwatch?, Recording, WallTime?) ->
      WorldReplicating

  public init<Room: Backend>(_ room: Room) {
    self.room = room
    replicate = { plans, scenario, stopwatch, recording, time in
      WorldReplication(
        room, plans: plans, scenario: scenario, stopwatch: stopwatch, recording: recording,
        time: time
      ).erased
    }
  }
}
