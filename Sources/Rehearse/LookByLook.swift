import Observations
import Runs
import Scenarios

/// Makes a scenario's replications, and more of them for as long as its objectives stay open and the scenario allows it.
///
/// Whether there is another look depends on the replications before it alone. A run that is to stop early consists of the replications up
/// to the first one with a violated limit, by number, not by the clock: so its digest is the same on any number of workers, and on
/// any number of machines.
struct LookByLook {
  let scenario: Scenario
  /// Makes replications: fewer than asked for where the run ends early, `nil` where others have to make them first.
  let make: (Range<Int>) -> [ReplicationResult]?

  struct Made {
    /// All replications in order.
    var results: [ReplicationResult] = []
    /// Where there could be more than one.
    var looks: Looks?
    /// What the next look lacks.
    var wanted: Range<Int>?
  }

  /// - Parameters:
  ///   - look: Told before another look how many replications it makes.
  ///   - judge: Judges what there is after a look.
  func run(
    look: (_ from: Int, _ to: Int) -> Void, isStopped: () -> Bool,
    judge: ([ReplicationResult], Looks) -> Sufficiency
  ) -> Made {
    let plan = ReplicationPlan(scenario)
    var made = Made()
    var looks = Looks(made: [], planned: plan.looks.count, ended: .maximum)
    for next in plan.looks {
      let wanted = made.results.count..<next
      if !looks.made.isEmpty { look(wanted.lowerBound, next) }
      guard let more = make(wanted) else {
        made.wanted = wanted
        break
      }
      made.results += more
      looks.made.append(made.results.count)
      if isStopped() {
        looks.ended = .interrupted
        break
      }
      if made.results.count < next {
        looks.ended = .cannotPass
        break
      }
      guard next != plan.looks.last else { break }
      let found = judge(made.results, looks)
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
    made.looks = isPlain ? nil : looks
    return made
  }
}
