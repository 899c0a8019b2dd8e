import Foundation
import Observations
import Reports
import Runs
import Simulation
import Timekeeping
import Verdicts

/// Computes one part of a run of a scenario and keeps it as a file, for `merge`.
struct PartRun {
  let work: ScenarioRun
  let share: Share
  let round: Int
  let workers: Int
  /// As the command line gives it.
  let output: String?
  let quiet: Bool

  func run() throws {
    let scenario = work.scenario
    let plan = ReplicationPlan(scenario)
    guard round <= plan.looks.count else {
      Console.error(
        "--round \(round): this run has \(Figures.count(plan.looks.count, "round")) at most; 'rehearse merge' says which is wanted"
      )
      throw ExitStatus.wrongUsage.thrown
    }
    let file = PartPlace(
      folder: output ?? PartPlace.folder(scenario.name, seed: scenario.seed), kind: .run,
      share: share, round: round, work: ScenarioWork(work).packed)
    if try file.isThere() {
      if !quiet { Console.out("\(file.path) is there already, whole and of this run") }
      return
    }
    try file.prepare()
    try checkAhead()
    let began = DispatchTime.now().uptimeNanoseconds
    // Against a server every part lives its share of one replication.
    let mine = plan.replications(ofRound: round).filter { work.division != nil || share.takes($0) }
    let results = try compute(mine)
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
    try file.write(
      ScenarioOutcome(results, of: work).packed, by: .here(workers: workers, wallSeconds: seconds))
    if !quiet {
      Console.out(
        "\(file.path): part \(share), \(Figures.count(results.count, "replication"))")
    }
  }

  private func checkAhead() throws {
    guard let starts = work.division?.starts else { return }
    let ahead = starts - ScenarioRun.realTime()
    guard ahead > .zero else {
      Console.error(
        "--start-at \(starts) has passed: give a moment that all generators are ready at, a minute from now"
      )
      throw ExitStatus.invalidInput.thrown
    }
    if !quiet { Console.error("Part \(share) begins at \(starts), in \(ahead).") }
  }

  private func compute(_ replications: [Int]) throws -> [ReplicationResult] {
    let line = ProgressLine(work.scenario, quiet: quiet)
    let interruption = Interruption(
      saying: "Stopping; this part will not be there. Once more ends at once.")
    let stop = interruption.flag
    let timeline = work.timelineRun(
      transcribing: .nobody, stopwatch: ScenarioRun.stopwatch, events: nil)
    let results = timeline.run(
      replications: replications, workers: workers, stopsEarly: work.scenario.stopEarly,
      progress: { line?.show($0) }, isStopped: { stop.isUp })
    line?.end()
    guard !stop.isUp else {
      Console.error("Interrupted; part \(share) is not there.")
      throw ExitStatus.interrupted.thrown
    }
    if results.isEmpty, let problem = work.targetProblem.written { throw problem.told() }
    return results
  }
}
