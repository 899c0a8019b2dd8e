import Contracts
import Observations
import Scenarios
import Statistics
import Timekeeping
import Verdicts

/// Turns what the replications came to into a run with its verdicts.
public struct RunAssembly {
  private let scenario: Scenario
  private let file: String
  private let declarations: [WorldDeclaration]
  private let replications: [ReplicationResult]
  private let interrupted: Bool
  private let looks: Looks?
  private let settling: SettlingAnalysis
  private let overHTTP: Set<String>
  private let planned: Int
  private let options: String
  private let lack: Lack?
  private let together: Together?

  static let quantiles = [0.5, 0.9, 0.95, 0.99, 0.999]

  /// - Parameters:
  ///   - file: The scenario's file as the user named it.
  ///   - declarations: Those of the scenario's worlds, in its order.
  ///   - interrupted: Whether the run was stopped before its end.
  ///   - looks: Those made so far, where there may be more than one.
  ///   - overHTTP: Domains whose backend was a server.
  ///   - planned: The replications that the scenario's file has at most; of those beyond, commands say how many there were.
  ///   - lack: What is missing of it, if anything.
  ///   - together: Of a run that several generators lived at once.
  ///   - options: What the command line says beside file, seed and replications, with a blank before each word.
  public init(
    _ scenario: Scenario, file: String, declarations: [WorldDeclaration],
    replications: [ReplicationResult], interrupted: Bool, looks: Looks? = nil,
    overHTTP: Set<String> = [], planned: Int = .max, options: String = "", lack: Lack? = nil,
    together: Together? = nil
  ) {
    self.lack = lack ?? together?.lack
    self.together = together
    self.options = options
    self.overHTTP = overHTTP
    self.planned = planned
    self.scenario = scenario
    self.file = file
    self.declarations = declarations
    self.replications = replications
    self.interrupted = interrupted
    self.looks = looks
    settling = SettlingAnalysis(scenario, replications, interrupted: interrupted)
  }

  public func run(on machine: Machine) -> Run {
    let leftOut = settling.partsToLeaveOut
    let tallies = declarations.indices.map { world in
      Merged(
        replications.map { replication in
          var tally = replication.worlds[world]
          tally.leaveOut(parts: leftOut)
          return (replication.index, replication.seed, tally)
        }, of: declarations[world], basis: basis(of: declarations[world].domain))
    }
    let limits = tallies.flatMap { limitResults(of: $0) }
    let objectives = objectiveResults(tallies)
    var machine = machine
    if case .wall(let speed) = scenario.timeline {
      machine.punctuality = Punctuality(
        tallies, scenario, speed: speed, traffic: replications.compactMap(\.traffic))
      machine.punctuality?.breachesOfGenerators = together?.breaches
    }
    let exit = ExitStatus.of(
      interrupted: interrupted, limits: limits.map(\.verdict),
      objectives: objectives.map(\.verdict), inconclusiveStops: scenario.inconclusive == .fail,
      isGeneratorTheLimit: machine.punctuality?.breaches.isEmpty == false)
    let digest = Digest(folding: replications.map(\.digest))
    machine.inProcess = tallies.flatMap(\.inProcess)
    return Run(
      scenario: summary, seed: scenario.seed, digest: digest.hexadecimal,
      verdict: overall(limits, objectives), exitCode: Int(exit.rawValue), method: method,
      interrupted: interrupted, persons: tallies.reduce(0) { $0 + $1.whole.persons },
      requests: tallies.reduce(0) { $0 + $1.whole.requests },
      virtualSeconds: scenario.lasts.seconds,
      replications: replications.enumerated().map { place, replication in
        Replication(
          index: replication.index, seed: replication.seed,
          digest: replication.digest.hexadecimal,
          requests: replication.worlds.reduce(0) { $0 + $1.requests },
          persons: replication.worlds.reduce(0) { $0 + $1.persons },
          latencies: tallies.flatMap { $0.latencies(ofReplication: place) })
      },
      limits: limits, objectives: objectives, latencies: tallies.flatMap(\.latencies),
      business: tallies.flatMap { $0.business(judgedBy: limits) },
      refusals: tallies.flatMap { $0.refusals }, unknowns: tallies.flatMap { $0.unknowns },
      journeys: JourneyCounts(
        begun: tallies.reduce(0) { $0 + $1.whole.sessionsBegun },
        completed: tallies.reduce(0) { $0 + $1.whole.sessionsCompleted },
        ended: tallies.reduce(0) {
          $0 + $1.whole.sessionsBegun - $1.whole.sessionsCompleted
        }),
      load: tallies.map(\.load), machine: machine, looks: looks, funnel: tallies.flatMap(\.funnel),
      searches: tallies.compactMap(\.search), unsents: tallies.flatMap(\.unsents),
      settling: settling.settling, flows: tallies.compactMap(\.flow),
      access: tallies.flatMap(\.access))
  }

  private func basis(of domain: String) -> Basis {
    overHTTP.contains(domain) ? .overHTTP : scenario.timeline.isWall ? .inProcess : .modelled
  }

  /// What is demanded, and last the precision that is wanted.
  private func objectiveResults(_ tallies: [Merged]) -> [ObjectiveResult] {
    let planned = looks?.planned ?? 1
    let results = ObjectiveFamily(scenario, tallies, looks: planned).results
    return zip(scenario.objectives, results).map { objective, result in
      var result = result
      result.parts = objective.parts(of: result.estimate, in: tallies)
      return result
    }
      + capacity(tallies) + (lack.map { [$0.result] } ?? [])
      + (scenario.precision.map {
        [PrecisionJudgement($0, scenario, tallies, looks: planned).result]
      } ?? [])
  }

  private func capacity(_ tallies: [Merged]) -> [ObjectiveResult] {
    guard let workload = scenario.workload, let sought = workload.capacity else { return [] }
    return [CapacityJudgement(sought, workload, scenario, tallies).result]
  }

  private var summary: ScenarioSummary {
    ScenarioSummary(
      name: scenario.name, title: scenario.title, digest: scenario.digest, file: file,
      options: options, starts: scenario.starts, zone: scenario.zone, lasts: scenario.lasts,
      worlds: scenario.worlds, events: scenario.events, faults: scenario.faults,
      documented: scenario.documented, inconclusive: scenario.inconclusive)
  }

  private func overall(_ limits: [LimitResult], _ objectives: [ObjectiveResult]) -> Verdict {
    let verdicts = limits.map(\.verdict) + objectives.map(\.verdict)
    if verdicts.contains(.fail) { return .fail }
    if verdicts.contains(.inconclusive) { return .inconclusive }
    return verdicts.contains(.pass) ? .pass : .notExercised
  }

  private func limitResults(of tally: Merged) -> [LimitResult] {
    let judged = Dictionary(
      tally.limits.map { ($0.tally.id, $0) }, uniquingKeysWith: { first, _ in first })
    let limits =
      tally.declaration.limits
      + (judged[Limit.contractOverHTTP.id] == nil ? [] : [Limit.contractOverHTTP])
    return limits.map { limit in
      let found = judged[limit.id]
      var said = LimitVerdict(
        found?.tally, unjudged: limit.unjudged ?? tally.whole.unseen[limit.id])
      if said.verdict == .notExercised, scenario.documented == .all, limit.unjudged == nil {
        said = LimitVerdict(
          failing: "not exercised, and the scenario demands every documented limit")
      }
      return LimitResult(
        id: limit.id.text, domain: tally.declaration.domain, statement: limit.statement,
        source: limit.source, exercised: found?.tally.exercised ?? 0,
        undecided: found?.tally.undecided ?? 0,
        violations: found?.tally.violations ?? 0, verdict: said.verdict, reason: said.reason,
        theme: limit.theme,
        evidence: evidence(found?.evidence ?? [], of: limit.id, said),
        upperBound: said.verdict == .pass ? found.map { Self.upperBound(of: $0.tally) } : nil)
    }
  }

  /// What so many tries without a violation leave possible.
  private static func upperBound(of tally: LimitTally) -> Double {
    Ratio.upperBound(of: 0, in: tally.exercised - tally.undecided)
  }

  private func evidence(
    _ found: [Merged.Evidence], of limit: LimitID, _ said: LimitVerdict
  ) -> [LimitResult.Evidence] {
    if found.isEmpty, said.verdict == .fail {
      return [
        LimitResult.Evidence(
          what: said.reason ?? "", replication: 0, seed: scenario.seed, time: scenario.ends,
          who: scenario.name, command: "rehearse run \(file) --seed \(scenario.seed)\(options)")
      ]
    }
    return found.map { item in
      let replay = item.evidence.who.split(separator: "/").count > 2
      return LimitResult.Evidence(
        what: item.evidence.what, replication: item.replication, seed: item.seed,
        time: item.evidence.time, who: item.evidence.who,
        command: scenario.timeline.isWall
          ? "rehearse run \(file) --seed \(scenario.seed)\(options) --events events.jsonl"
          : "rehearse trace \(file) --seed \(scenario.seed) --replication \(item.replication + 1)"
            + (item.replication >= planned ? " --replications \(replications.count)" : "")
            + (replay ? " --person \(item.evidence.who) --violation \(limit)" : ""))
    }
  }

  private var method: [String] {
    let count = replications.count
    return [
      scenario.timeline.isWall
        ? realTime
        : "Virtual time: \(count) replication\(count == 1 ? "" : "s") of \(scenario.lasts) each, with seeds derived from seed \(scenario.seed); the result depends on scenario and seed alone.",
      scenario.timeline.isWall
        ? overHTTP.isEmpty ? Self.measured : Self.measuredOverHTTP
        : "Latencies are modelled: the twin reports the work of a request, and the scenario's service model (\(servers)) and network turn it into time. They are statements about that model until a real server has confirmed them.",
      "A quantile is taken over the requests of all replications. Who got no usable answer (timed out, reset, server error, refused connection) is later than every bound; what the end cut off took longer than it had waited, as does what had not finished; who was offline asked nobody, and long polls are long on purpose. Where a quantile lies beyond what was answered, the time that it exceeds for certain stands in its place, and beside it the quantile of the answered alone. With fewer requests than one beyond the quantile it is not given. A mean is over the answered.",
      "The 95 % interval of a quantile holds the values that the shares of the replications above them do not exclude: three tests have to agree on that, Student's t, its skewness-adjusted form, and one with the variance that a value itself implies for requests correlated as those seen were. With fewer than \(Interval.fewestReplications) replications, or too few requests beyond the quantile, there is none.",
      warmUp,
    ] + (scenario.objectives.isEmpty ? [] : [Self.family])
      + (looks.map { [Self.words(for: $0)] } ?? [])
      + (together.map { [Self.words(for: $0)] } ?? [])
  }

  private var realTime: String {
    let count = replications.count
    let speed =
      scenario.timeline == .wall(speed: 1)
      ? "" : ", \(scenario.timeline.speedInWords) of the scenario in each"
    return
      "Real time\(speed): \(count) replication\(count == 1 ? "" : "s") of \(scenario.lasts) each, with seeds derived from seed \(scenario.seed); what happens depends on the machine, too, so that another run has another digest."
  }

  private static let measured =
    "Latencies are what calls of the backend took in this process, in the scenario's time. A response counts from when its request was meant to leave; how late it left, and what it took from then on, stand beside it. Nothing is modelled but the scenario's faults."

  private static let measuredOverHTTP =
    "Latencies are what this client saw of a server over HTTP. A response counts from when its request was meant to leave; how late it left, and what it took from then on, stand beside it."

  /// What objectives promise together.
  private static let family =
    "Objectives are one family: one fails where it would fail among all of them, by Holm's procedure, and all that pass do so in one look, the last, over the same replications."

  private var servers: String {
    let service = scenario.service
    let order =
      service.prioritiesInWords.map { "free ones taking \($0) first or last" }
      ?? "first come, first served"
    return "\(service.servers) servers in each region, \(order)"
      + (service.capacity.map { ", with room for \($0) requests" } ?? "")
      + (service.failures.map { ", each failing after \($0.up) for \($0.down) on average" } ?? "")
  }

  private var warmUp: String {
    let found = settling.settling
    let left = Span(seconds: found.leftOut)
    let what =
      "What was meant to be sent, or began, in the first \(left) of each replication is left out of all latencies"
    guard scenario.isWarmUpAutomatic else {
      return left > .zero ? "\(what)." : "No warm-up is left out."
    }
    if let reason = found.reason {
      return "No warm-up is left out, although one was asked for: \(reason)."
    }
    let how =
      "by MSER-5 from the mean response times of all replications over time, before anything was judged"
    return left > .zero
      ? "\(what): so long they took to settle, \(how)."
      : "No warm-up is left out: response times were settled from the beginning, \(how)."
  }

  private static func words(for together: Together) -> String {
    "\(together.generators) generators made it, each with its share of the people and of what the load asks for, from one moment on. None of them sees what all people do together: limits that go by that are not judged, and business latencies are not measured. \(together.clocks)"
  }

  private static func words(for looks: Looks) -> String {
    let made = looks.made.map(String.init).joined(separator: ", ")
    let why =
      switch looks.ended {
      case .decided: "Then everything was decided."
      case .cannotPass: "Then the run could not pass any more."
      case .maximum: "More replications are not allowed by the scenario."
      case .interrupted: "Then it was interrupted."
      }
    return
      "The run was judged after \(made) replications, \(looks.made.count) of \(looks.planned) planned looks that share the error of 5 %. \(why)"
  }
}
