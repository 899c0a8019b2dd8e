import Observations
import Runs
import Scenarios
import Simulation
import Synchronization

/// Makes a scenario's replications, and more of them for as long as its objectives stay open and the scenario allows it.
///
/// Whether there is another look depends on the replications before it alone. A run that is to stop early consists of the replications up
/// to the first one with a violated limit, by number, not by the clock: so its digest is the same on any number of workers.
struct LookByLook {
  let work: ScenarioRun
  let workers: Int
  let stopwatch: Stopwatch?
  let transcribing: Transcribing
  let events: EventStream?

  /// - Parameters:
  ///   - progress: Told how far the present look is.
  ///   - look: Told before another look how many replications it makes.
  ///   - judge: Judges what there is after a look.
  /// - Returns: All replications in order, and the looks where there could be more than one.
  func run(
    progress: @escaping @Sendable (RunProgress) -> Void,
    look: (_ from: Int, _ to: Int) -> Void,
    isStopped: @escaping @Sendable () -> Bool,
    judge: ([ReplicationResult], Looks) -> Sufficiency
  ) -> (results: [ReplicationResult], looks: Looks?) {
    let scenario = work.scenario
    let plan = ReplicationPlan(scenario)
    let timeline = work.timelineRun(
      transcribing: transcribing, stopwatch: stopwatch, events: events)
    var results: [ReplicationResult] = []
    var looks = Looks(made: [], planned: plan.looks.count, ended: .maximum)
    for next in plan.looks {
      if !looks.made.isEmpty { look(results.count, next) }
      results += timeline.run(
        replications: results.count..<next, workers: workers, stopsEarly: scenario.stopEarly,
        progress: progress, isStopped: isStopped)
      looks.made.append(results.count)
      if isStopped() {
        looks.ended = .interrupted
        break
      }
      if results.count < next {
        looks.ended = .cannotPass
        break
      }
      guard next != plan.looks.last else { break }
      let found = judge(results, looks)
      if found == .cannotPass, next >= plan.wanted || scenario.stopEarly {
        looks.ended = .cannotPass
        break
      }
      if found == .enough, next >= plan.wanted {
        looks.ended = .decided
        break
      }
    }
    let isPlain = plan.looks.count == 1 && looks.ended != .cannotPass
    return (results, isPlain ? nil : looks)
  }
}
