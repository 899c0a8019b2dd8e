import Contracts
import Foundation
import HTTPLoad
import Observations
import PartFiles
import Reports
import RunFolders
import Runs
import Scenarios
import Timekeeping
import Verdicts

/// Puts the parts of a load together: what all generators counted is added up, and each of them is held against its own limits.
struct LoadMerge {
  private let given: PartSet
  private let work: LoadWork
  private let options: LoadOptions
  private var outcome: LoadOutcome
  /// Of each generator, in their order.
  private var watches: [(share: Share, watch: GeneratorWatch)] = []

  /// Problems are printed and end the command with 65.
  init(_ given: PartSet) throws {
    self.given = given
    do throws(PackingProblem) {
      work = try LoadWork(given.parts[0].part.work)
    } catch {
      throw Self.damaged(given.parts[0].path)
    }
    options = try LoadOptions.parse(work.arguments)
    let empty = LoadOutcome(
      tally: CallTally(
        work.operations, starts: work.starts, lasts: options.lasts, warmUp: options.warmup,
        phases: options.phase.map(\.lasts), rate: options.arrivals, expected: options.expect.ranges)
    )
    outcome = empty
    for named in given.parts {
      var own = empty
      do throws(PackingProblem) {
        try own.unpack(named.part.outcome)
      } catch {
        throw Self.damaged(named.path)
      }
      outcome.merge(own)
      watches.append((named.part.share, own.watch))
    }
  }

  private static func damaged(_ path: String) -> any Error {
    Console.error("\(path): \(PartFileProblem.damaged)")
    return ExitStatus.invalidInput.thrown
  }

  /// - Throws: The exit code, unless it is 0.
  func conclude(_ results: ResultOptions, reading inputs: [String], allowMissing: Bool) throws {
    guard results.baseline == nil else {
      throw Self.usage(
        "--baseline is of a scenario's run; compare loads with 'rehearse compare' or 'rehearse duel'"
      )
    }
    let missing = given.missing(fromRound: 1)
    guard missing.isEmpty || allowMissing else {
      for share in missing {
        Console.error(
          "part \(share) is missing: a load cannot be made again in part; make all of it anew, or judge the others with --allow-missing"
        )
      }
      throw ExitStatus.invalidInput.thrown
    }
    let lack =
      missing.isEmpty
      ? nil
      : Lack(
        there: given.parts.count, wanted: given.parts[0].part.share.parts, of: "generators",
        parts: missing.map(\.description))
    let ending = try LoadEnding(
      name: work.name, seed: options.seed, output: results.output, noStore: results.noStore,
      quiet: results.quiet, json: results.json, reading: inputs)
    try ending.conclude(run(lack), explanations: outcome.tally.explanations)
  }

  private static func usage(_ words: String) -> any Error {
    Console.error(words)
    return ExitStatus.wrongUsage.thrown
  }

  private func run(_ lack: Lack?) throws -> Run {
    let objectives = try options.objectives(among: work.operations.map(\.name))
    let scenario = Scenario(
      name: work.name, title: work.title, starts: work.starts, zone: .utc,
      lasts: outcome.tally.partLasts, seed: options.seed, worlds: [], objectives: objectives,
      digest: work.digest)
    return LoadResultMaking(
      options: options, outcome: outcome, wasStopped: false, command: work.command,
      operations: work.operations,
      breaches: breaches,
      together: Together(generators: watches.count, clocks: clocks.words, lack: lack)
    ).run(scenario)
  }

  private var breaches: [String] { options.limits.breaches(of: watches) + clocks.breaches }

  private var clocks: ClockJudgement {
    ClockJudgement(
      given.parts.map { ($0.part.share, $0.part.maker.clockOffset) }, limit: options.maxLateness)
  }
}
