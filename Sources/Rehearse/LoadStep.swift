import Contracts
import Foundation
import HTTPLoad
import Observations
import Reports
import Runs
import Scenarios
import Synchronization
import Timekeeping
import Verdicts

/// One load from its first call to its judged run.
struct LoadStep {
  let options: LoadOptions
  let objectives: [Objective]
  let name: String
  let title: String
  let quiet: Bool
  /// Whether the server was reached before.
  var isKnown = false

  struct Ended {
    var run: Run
    var explanations: [String: String]
  }

  /// - Throws: `HTTPProblem`, or an exit code where nobody was reached.
  func go(
    _ plan: LoadPlan, isStopped: Interruption.Flag, telling teller: LiveView.Teller
  ) throws -> Ended {
    let words = LoadWords(options, plan.routes)
    let load = try LoadRun(plan, options: options.http(version: Version.text), isKnown: isKnown)
    let view = LiveView(
      TerminalLoadProgress(title: title, rate: plan.rate, lastsSeconds: options.lasts.seconds),
      quiet: quiet)
    teller.view.withLock { $0 = view }
    let starts = Instant(unixMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    let outcome = load.run(
      isStopped: { isStopped.isUp }, progress: { view?.show(LiveView.Reading($0)) })
    teller.view.withLock { $0 = nil }
    view?.end()
    try Self.checkReached(outcome, plan)
    let scenario = Scenario(
      name: name, title: title, starts: starts, zone: .utc, lasts: outcome.tally.partLasts,
      seed: options.seed, worlds: [], objectives: objectives,
      digest: Self.digest(of: words.workload))
    let making = LoadResultMaking(
      options: options, outcome: LoadOutcome(outcome),
      wasStopped: outcome.ending == .stopped, command: words.command,
      operations: CallTally.operations(plan), breaches: options.limits.breaches(of: outcome.watch))
    var run = making.run(scenario)
    let longer = run.timesAsLong.flatMap(options.lasting)
    run.generator?.longerCommand = longer.map { LoadWords($0, plan.routes).command }
    return Ended(run: run, explanations: outcome.tally.explanations)
  }

  /// Where no connection ever came about that is said, and ends the command with 69.
  static func checkReached(_ outcome: LoadRun.Outcome, _ plan: LoadPlan) throws {
    guard case .unreachable(let failure, let route, let explanation) = outcome.ending else {
      return
    }
    Console.error(
      "\(plan.routes[route].shownURL): \(failure.words) (\(printable(explanation, limit: 200))); nothing was measured"
    )
    throw ExitStatus.targetUnreachable.thrown
  }

  /// Loads with equal digests ask for the same, and their runs are comparable.
  static func digest(of workload: String) -> String {
    var digest = Digest()
    digest.mix(workload)
    return digest.hexadecimal
  }
}

extension LiveView.Reading {
  fileprivate init(_ progress: LoadRun.Progress) {
    self.init(
      elapsed: progress.elapsed, whole: progress.tally.whole, answered: progress.tally.answered,
      ended: progress.tally.answered + progress.tally.failed, inFlight: progress.inFlight,
      waiting: progress.waiting, users: progress.users,
      failures: Dictionary(
        progress.failures.map { ($0.key.words, $0.value) }, uniquingKeysWith: +),
      lateness: progress.watch.lateness)
  }
}
