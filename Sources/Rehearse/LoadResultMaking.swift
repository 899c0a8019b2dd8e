import Contracts
import HTTPLoad
import Observations
import Runs
import Scenarios
import Timekeeping

/// What a load measured, as a run with its verdicts.
struct LoadResultMaking {
  let options: LoadOptions
  let outcome: LoadOutcome
  let wasStopped: Bool
  let command: String
  let operations: [Contracts.Operation]
  /// Why the load does not count.
  let breaches: [String]
  /// Of several generators.
  var together: Together?

  private var tally: CallTally { outcome.tally }
  private var watch: GeneratorWatch { outcome.watch }
  private var took: Span { outcome.took }

  func run(_ scenario: Scenario) -> Run {
    LoadAssembly(
      scenario, operations: operations, parts: tally.worlds, asks: asks,
      generator: generator, wasStopped: wasStopped, lasts: took, wanted: tally.wanted,
      answered: tally.answersInSlices, together: together
    ).run(
      on: Machine(
        wallSeconds: watch.lasted.seconds, workers: together?.generators ?? 1, cpu: RunCommand.cpu,
        version: Version.text, commit: Version.commit, inProcess: []))
  }

  /// Whether the plan asks for calls in each part, as far as the load went.
  private var asks: [Bool] {
    tally.worlds.indices.map { place in
      let from = options.warmup + tally.partLasts * Int64(place)
      return from < watch.lasted
        && options.phase.asks(from: from, to: from + tally.partLasts)
    }
  }

  private static let quantiles = [0.5, 0.9, 0.99, 0.999]

  private func points(_ histogram: LatencyHistogram) -> [CurvePoint] {
    Self.quantiles.compactMap { q in
      guard LatencyHistogram.tells(q, of: histogram.count) else { return nil }
      return histogram.quantile(q).map { CurvePoint(share: q, seconds: $0.seconds) }
    }
  }

  private var generator: GeneratorResult {
    GeneratorResult(
      command: command, pace: options.paceInWords,
      wantedPerSecond: options.wantedPerSecond,
      reachedPerSecond: Double(tally.answered) / took.seconds,
      connections: options.userCount?.most ?? options.connections, bytes: tally.bytes,
      lateness: points(watch.lateness), latenessLimit: options.maxLateness.seconds,
      facts: facts(watch), threadShare: watch.threadShare,
      threadShareLimit: options.limits.threadShare, missed: watch.missed,
      service: zip(operations, tally.service).filter { $0.1.count > 0 }.map {
        GeneratorResult.Service(operation: $0.0.name, quantiles: points($0.1))
      }, breaches: breaches,
      calls: GeneratorResult.Calls(
        counted: tally.counted, ofWarmUp: tally.ofWarmUp, repeated: tally.repeated,
        redirected: tally.redirected, abandoned: tally.abandoned, unsent: tally.unsent),
      outage: Outage(outcome.outages), pauses: outcome.pauses,
      phases: zip(options.phase, tally.phases).map { phase, sample in
        GeneratorResult.Phase(
          pace: phase.description, calls: Int(sample.count),
          failed: Int(sample.endless) + Int(sample.cutOff.count),
          quantiles: Self.quantiles.compactMap { q in
            guard LatencyHistogram.tells(q, of: sample.count) else { return nil }
            return sample.quantile(q).map { CurvePoint(share: q, seconds: $0.seconds) }
          }, lastsSeconds: phase.lasts.seconds)
      })
  }

  private func facts(_ watch: GeneratorWatch) -> [GeneratorResult.Fact] {
    typealias Fact = GeneratorResult.Fact
    return [
      Fact(
        name: "Longest lateness", seconds: (watch.lateness.maximum ?? .zero).seconds),
      Fact(
        name: "Longest pause of the generator", seconds: watch.longestStall.seconds,
        limitSeconds: options.maxStall.seconds),
      Fact(name: "Processor time of its thread", seconds: watch.threadTime.seconds),
      Fact(name: "Processor time of the program", seconds: watch.processTime.seconds),
      Fact(name: "Waited for a processor", seconds: watch.starved.seconds),
      Fact(name: "The clock was set by", seconds: watch.clockSet.seconds),
      Fact(name: "The machine slept for", seconds: watch.slept.seconds, limitSeconds: 0.1),
    ]
  }
}
