import Foundation
import HTTPLoad
import Observations
import PartFiles
import Runs
import Timekeeping
import Verdicts

/// Makes one part of a load, from an instant that all generators have in common, and keeps it as a file for `merge`.
struct LoadPart {
  let options: LoadOptions
  let plan: LoadPlan
  let name: String
  let share: Share
  let starts: Instant
  /// As the command line gives it.
  let output: String?
  let quiet: Bool

  /// So much time is needed before the first call.
  private static let leastAhead = Span.milliseconds(50)

  func run() throws {
    let file = PartPlace(
      folder: output ?? PartPlace.folder(name, seed: options.seed), kind: .load, share: share,
      round: 1, work: LoadWork(plan, options, name: name, starts: starts).packed)
    if try file.isThere() {
      if !quiet { Console.out("\(file.path) is there already, whole and of this load") }
      return
    }
    try file.prepare()
    var plan = plan
    plan.share = share
    plan.startsAt = starts
    let ahead = starts - Instant(unixMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    guard ahead >= Self.leastAhead else {
      Console.error(
        "--start-at \(starts) has passed: give a moment that all generators are ready at, a minute from now"
      )
      throw ExitStatus.invalidInput.thrown
    }
    let load = try LoadRun(plan, options: options.http(version: Version.text))
    if !quiet { Console.error("Part \(share) begins at \(starts), in \(ahead).") }
    let interruption = Interruption(
      saying: "Stopping; this part will not be there. Once more ends at once.")
    let outcome = load.run(isStopped: { interruption.flag.isUp })
    if case .stopped = outcome.ending {
      Console.error("Interrupted; part \(share) is not there.")
      throw ExitStatus.interrupted.thrown
    }
    try LoadStep.checkReached(outcome, plan)
    try file.write(
      LoadOutcome(outcome).packed, by: .here(workers: 1, wallSeconds: outcome.watch.lasted.seconds))
    if !quiet { Console.out("\(file.path): part \(share), \(outcome.tally.begun) calls") }
  }
}
