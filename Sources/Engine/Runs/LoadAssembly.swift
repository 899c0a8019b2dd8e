import Contracts
import Observations
import Scenarios
import Statistics
import Timekeeping
import Verdicts

/// What is to be said of a load, or of a run against servers, that several generators made.
public struct Together: Sendable {
  public var generators: Int
  /// What is known of their clocks, as a sentence.
  public var clocks: String
  public var lack: Lack?
  /// What they were short of, each by its name.
  public var breaches: [String]

  public init(generators: Int, clocks: String, lack: Lack?, breaches: [String] = []) {
    (self.generators, self.clocks, self.lack) = (generators, clocks, lack)
    self.breaches = breaches
  }
}

/// Turns one load against a server into a run with its verdicts.
///
/// There is one run and no replications, so intervals come from its parts: equal stretches of time by when calls were due. Stretches next to
/// each other are alike more often than independent ones; where that shows, the method says so.
public struct LoadAssembly {
  private let scenario: Scenario
  private let declaration: WorldDeclaration
  private let parts: LoadParts
  private let generator: GeneratorResult
  private let wasStopped: Bool
  private let lasts: Span
  private let wanted: [Double]
  private let answered: [Int]
  private let together: Together?

  /// - Parameters:
  ///   - scenario: Its length is that of one part, what rates are over.
  ///   - operations: Those of the parts, in their order.
  ///   - parts: At least one, in the order of time.
  ///   - asks: Whether the plan asks for calls in each part; in all of them where left out.
  ///   - together: Of a load that several generators made.
  ///   - lasts: How long all of it took, the warm-up included.
  ///   - wanted: Calls that the plan asks for in each slice; empty of a closed workload.
  ///   - answered: Answers that came in each slice; empty where nobody counted.
  public init(
    _ scenario: Scenario, operations: [Operation], parts: [WorldTally], asks: [Bool]? = nil,
    generator: GeneratorResult, wasStopped: Bool = false, lasts: Span, wanted: [Double] = [],
    answered: [Int] = [], together: Together? = nil
  ) {
    self.scenario = scenario
    declaration = WorldDeclaration(
      domain: parts[0].domain, title: scenario.title, population: [], parameters: [], quirks: [],
      profiles: [], operations: operations, business: [], limits: [], controls: [])
    self.parts = LoadParts(parts, asks: asks ?? parts.map { _ in true })
    self.generator = generator
    self.wasStopped = wasStopped
    self.lasts = lasts
    self.wanted = wanted
    self.answered = answered
    self.together = together
  }

  public func run(on machine: Machine) -> Run {
    let merged = Merged(
      parts.kept.enumerated().map { ($0.offset, scenario.seed, $0.element) }, of: declaration,
      basis: .overHTTP, stretches: parts.all)
    let objectives =
      ObjectiveFamily(
        scenario, [merged], looks: 1, repetition: .part(most: parts.most)
      ).results + (together?.lack.map { [$0.result] } ?? [])
    let digests = parts.kept.map(Self.digest)
    var load = merged.load
    if !answered.isEmpty {
      load.pace = LoadPace(wanted: wanted, answered: answered, load: merged.whole.load)
    }
    let usable = merged.latencies.contains { $0.answered > 0 }
    return Run(
      scenario: summary, seed: scenario.seed, digest: Digest(folding: digests).hexadecimal,
      verdict: verdict(objectives), exitCode: Int(status(objectives, usable).rawValue),
      method: method(merged), interrupted: wasStopped, persons: 0,
      requests: merged.whole.requests, virtualSeconds: lasts.seconds,
      replications: parts.kept.indices.map { place in
        Replication(
          index: place, seed: scenario.seed, digest: digests[place].hexadecimal,
          requests: parts.kept[place].requests, persons: 0,
          latencies: merged.latencies(ofReplication: place))
      },
      limits: [], objectives: objectives, latencies: merged.latencies, business: [], refusals: [],
      unknowns: merged.unknowns, journeys: JourneyCounts(begun: 0, completed: 0, ended: 0),
      load: [load], machine: machine, unsents: merged.unsents, generator: generator)
  }

  private func verdict(_ objectives: [ObjectiveResult]) -> Verdict {
    let verdicts = objectives.map(\.verdict)
    if verdicts.contains(.fail) { return .fail }
    if verdicts.contains(.inconclusive) { return .inconclusive }
    return verdicts.isEmpty ? .notExercised : .pass
  }

  /// A load of which nothing was demanded is a measurement, and fine where it was possible.
  private func status(_ objectives: [ObjectiveResult], _ usable: Bool) -> ExitStatus {
    if wasStopped { return .interrupted }
    if !generator.breaches.isEmpty { return .generatorWasTheLimit }
    if objectives.isEmpty { return usable ? .allHeld : .inconclusive }
    return ExitStatus.of(
      interrupted: false, limits: [], objectives: objectives.map(\.verdict),
      inconclusiveStops: scenario.inconclusive == .fail)
  }

  /// Of what was measured: two loads are never the same.
  private static func digest(of part: WorldTally) -> Digest {
    var digest = Digest()
    for operation in part.operations {
      digest.mix(operation.name)
      for bucket in operation.latencies.buckets {
        digest.mix(UInt64(bitPattern: bucket.value.nanoseconds))
        digest.mix(bucket.count)
      }
      for (code, count) in operation.unknowns.sorted(by: { $0.key < $1.key }) {
        digest.mix(code)
        digest.mix(count)
      }
    }
    return digest
  }

  private var summary: ScenarioSummary {
    ScenarioSummary(
      name: scenario.name, title: scenario.title, digest: scenario.digest, file: "",
      starts: scenario.starts, zone: scenario.zone, lasts: lasts, worlds: [], events: [],
      faults: [], inconclusive: scenario.inconclusive)
  }

  private func method(_ merged: Merged) -> [String] {
    [
      "One load over HTTP (\(generator.pace)) \(makers), against the clock: a statement about this server, from here, at this time. Another run gives other figures.",
      generator.wantedPerSecond == nil
        ? "The workload is closed: each user waits for an answer before asking again, so that a slow server is asked less. Response times say how long these users waited, and not how long people would have waited who come whenever they like."
        : "The workload is open: calls are due by a schedule, whatever the server does, and a response time counts from when its call was due. Waiting for a connection is response time. Lateness, until a call is ready to be sent, is the generator's, is part of each response time, and is held against its limit.",
      "A quantile is over all calls that were due after the warm-up. A call without a usable answer is later than every bound; what the end cut off took longer than it had waited.",
      "The 95 % intervals come from \(parts.inWords(each: scenario.lasts)), taken as if they were independent: they say how steady the run was, and nothing about another day, another machine or another network."
        + correlation(merged)
        + (generator.phases.isEmpty
          ? ""
          : " The rate changes from part to part here, and the intervals hold that, too: the phases tell more."),
      "Times are kept in classes of a thousandth of their size (HdrHistogram, three digits). A call whose kept connection had ended when it came to it is sent again once, over a new one, where its method has the same effect twice as once; that time is in its response time, and how many there were stands with the generator.",
    ] + (together.map { [$0.clocks] } ?? [])
  }

  private var makers: String {
    together.map {
      "in \($0.generators) part\($0.generators == 1 ? "" : "s"), each from one thread of a machine, from one moment on"
    } ?? "from one thread of one machine"
  }

  /// Whether neighbouring parts were more alike than chance makes them.
  private func correlation(_ merged: Merged) -> String {
    let means = merged.each.map { part in
      Total.all(
        part.operations.map {
          Total(
            sum: ($0.latencies.mean ?? 0) * Double($0.latencies.count), count: $0.latencies.count)
        })
    }
    // Each part twice, so that batches are the parts themselves.
    guard case .success(let batches) = BatchMeans.of([means.flatMap { [$0, $0] }]),
      batches.isCorrelated
    else { return "" }
    return
      " Here neighbouring parts are more alike than independent ones would be (correlation \(Int((batches.correlation * 100).rounded())) %), so that these intervals are too narrow; a longer run would help."
  }
}
