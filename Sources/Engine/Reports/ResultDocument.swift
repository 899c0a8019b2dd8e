import Contracts
import Runs
import Verdicts

/// `result.json`, version 1: what other programs read of a run.
///
/// Durations are decimal seconds, shares lie in 0...1, and nothing outside `machine` depends on the machine. A
/// replication's seed is a string of decimal digits, because it uses all 64 bits and most readers of JSON do not.
public enum ResultDocument {
  public static let version = 1

  public static func bytes(for run: Run) -> [UInt8] {
    Array((Escaping.json(json(for: run).pretty()) + "\n").utf8)
  }

  public static func json(for run: Run) -> JSON {
    guard var object = members(of: run).object else { return members(of: run) }
    if let looks = run.looks {
      object["looks"] = [
        "replications": .array(looks.made.map { .number($0) }), "planned": .number(looks.planned),
        "ended": .string(looks.ended.rawValue),
      ]
    }
    if let generator = run.generator { object["generator"] = GeneratorDocument.json(generator) }
    if let settling = run.settling {
      object["warmUp"] = warmUp(settling)
      object["steadyStates"] = .array(settling.steadyStates.map(steadyState))
    }
    return .object(object)
  }

  private static func warmUp(_ settling: Settling) -> JSON {
    var object: JSONObject = [
      "automatic": .bool(settling.isAutomatic), "leftOutSeconds": .double(settling.leftOut),
      "advisedSeconds": number(settling.advised),
    ]
    if let reason = settling.reason { object["reason"] = .string(reason) }
    if let bias = settling.bias { object["bias"] = .double(bias) }
    return .object(object)
  }

  private static func steadyState(_ state: SteadyState) -> JSON {
    [
      "world": .string(state.world), "meanSeconds": .double(state.seconds),
      "interval": interval(state.interval), "batches": .number(state.batches),
      "correlation": .double(state.correlation), "correlated": .bool(state.isCorrelated),
    ]
  }

  private static func members(of run: Run) -> JSON {
    [
      "version": .number(version),
      "scenario": scenario(run.scenario),
      "seed": seed(run.seed),
      "digest": .string(run.digest),
      "verdict": .string(run.verdict.rawValue),
      "exitCode": .number(run.exitCode),
      "interrupted": .bool(run.interrupted),
      "method": .strings(run.method),
      "persons": .number(run.persons),
      "requests": .number(run.requests),
      "virtualSeconds": .double(run.virtualSeconds),
      "replications": .array(run.replications.map(replication)),
      "limits": .array(run.limits.map(limit)),
      "objectives": .array(run.objectives.map(objective)),
      "latencies": .array(run.latencies.filter { $0.basis != .inProcess }.map(latency)),
      "business": .array(run.business.map(business)), "flows": .array(run.flows.map(flow)),
      "access": .array(run.access.map(access)),
      "refusals": .array(run.refusals.map(tally)),
      "unknowns": .array(run.unknowns.map(tally)),
      "unsent": .array(run.unsents.map(tally)),
      "journeys": [
        "begun": .number(run.journeys.begun), "completed": .number(run.journeys.completed),
        "ended": .number(run.journeys.ended),
      ],
      "load": .array(run.load.map(load)),
      "reach": .array(run.funnel.map(funnel)), "searches": .array(run.searches.map(search)),
      "machine": machine(run),
    ]
  }

  /// A number while readers with 64-bit signed integers can hold it.
  private static func seed(_ seed: UInt64) -> JSON {
    Int64(exactly: seed).map(JSON.int) ?? .string(String(seed))
  }

  private static func replication(_ replication: Replication) -> JSON {
    var object: JSONObject = [
      "index": .number(replication.index), "seed": .string(String(replication.seed)),
      "digest": .string(replication.digest), "requests": .number(replication.requests),
      "persons": .number(replication.persons),
    ]
    if !replication.latencies.isEmpty {
      object["latencies"] = .array(replication.latencies.map(replicationLatency))
    }
    return .object(object)
  }

  private static func replicationLatency(_ latency: ReplicationLatency) -> JSON {
    [
      "world": .string(latency.name.world), "operation": .string(latency.name.operation),
      "basis": .string(latency.name.basis.rawValue), "count": .number(latency.figures.count),
      "mean": number(latency.figures.mean), "p50": number(latency.figures.p50),
      "p95": number(latency.figures.p95), "p99": number(latency.figures.p99),
      "unanswered": latency.figures.unanswered.map(JSON.number) ?? .null,
    ]
  }

  private static func limit(_ limit: LimitResult) -> JSON {
    var object: JSONObject = [
      "id": .string(limit.id), "domain": .string(limit.domain), "theme": .string(limit.theme),
      "statement": .string(limit.statement), "source": .string(limit.source),
      "exercised": .number(limit.exercised), "undecided": .number(limit.undecided),
      "violations": .number(limit.violations), "verdict": .string(limit.verdict.rawValue),
    ]
    if let reason = limit.reason { object["reason"] = .string(reason) }
    if let bound = limit.upperBound { object["upperBound"] = .double(bound) }
    if !limit.evidence.isEmpty { object["evidence"] = .array(limit.evidence.map(evidence)) }
    return .object(object)
  }

  private static func evidence(_ evidence: LimitResult.Evidence) -> JSON {
    [
      "what": .string(evidence.what), "who": .string(evidence.who),
      "time": .string(evidence.time.description), "replication": .number(evidence.replication),
      "seed": .string(String(evidence.seed)), "command": .string(evidence.command),
    ]
  }

  private static func objective(_ objective: ObjectiveResult) -> JSON {
    var object: JSONObject = [
      "text": .string(objective.text), "verdict": .string(objective.verdict.rawValue),
    ]
    if let reason = objective.reason { object["reason"] = .string(reason) }
    object["estimate"] = number(objective.estimate)
    if let longer = objective.longerThan { object["longerThan"] = .double(longer) }
    object["interval"] = interval(objective.interval)
    object["bound"] = .double(objective.bound)
    object["unit"] = .string(objective.unit.rawValue)
    if let more = objective.moreReplications { object["moreReplications"] = .number(more) }
    if let found = objective.parts { object["parts"] = .object(parts(found)) }
    return .object(object)
  }

  private static func latency(_ latency: LatencyResult) -> JSON {
    var object: JSONObject = [
      "world": .string(latency.world), "operation": .string(latency.operation),
      "title": .string(latency.title), "basis": .string(latency.basis.rawValue),
      "count": .number(latency.count), "unanswered": .number(latency.unanswered),
      "withoutAnswer": .double(latency.withoutAnswer), "cutOff": .number(latency.cutOff),
      "quantiles": quantiles(latency.quantiles, of: latency.count),
      "answered": [
        "count": .number(latency.answered),
        "quantiles": quantiles(latency.answeredQuantiles, of: latency.answered),
      ], "curve": curve(latency.curve),
    ]
    if !latency.parts.isEmpty {
      object["parts"] = .array(
        latency.parts.map { found in
          var each = parts(found.parts)
          each["q"] = .double(found.q)
          return .object(each)
        })
    }
    return .object(object)
  }

  private static func parts(_ parts: LatencyParts) -> JSONObject {
    [
      "network": .double(parts.network), "waiting": .double(parts.waiting),
      "service": .double(parts.service), "other": .double(parts.other),
    ]
  }

  /// Pairs of a share and the seconds that it took at most.
  private static func curve(_ points: [CurvePoint]) -> JSON {
    .array(points.map { [.double($0.share), .double($0.seconds)] })
  }

  /// No number stands for what so many observations do not tell.
  private static func quantiles(_ quantiles: [Quantile], of count: Int) -> JSON {
    .array(
      quantiles.map { quantile in
        guard quantile.isTold(by: count) else {
          return ["q": .double(quantile.q), "seconds": .null, "interval": .null, "tooFew": true]
        }
        var object: JSONObject = [
          "q": .double(quantile.q), "seconds": number(quantile.seconds),
          "interval": interval(quantile.interval),
        ]
        if let longer = quantile.longerThan { object["longerThan"] = .double(longer) }
        return .object(object)
      })
  }

  private static func business(_ business: BusinessResult) -> JSON {
    var object: JSONObject = [
      "world": .string(business.world), "name": .string(business.name),
      "title": .string(business.title), "count": .number(business.count),
      "unfinished": .number(business.unfinished), "abandoned": .number(business.abandoned),
      "minimumSeconds": number(business.minimumSeconds),
      "meanSeconds": number(business.meanSeconds),
      "maximumSeconds": number(business.maximumSeconds),
      "quantiles": quantiles(business.quantiles, of: business.count + business.unfinished),
    ]
    if let limit = business.limit { object["limit"] = .string(limit) }
    if let bound = business.boundSeconds { object["boundSeconds"] = .double(bound) }
    if let verdict = business.verdict { object["verdict"] = .string(verdict.rawValue) }
    if let late = business.late { object["late"] = .number(late) }
    object["weight"] = .string(business.notes.weight.rawValue)
    if let abandoned = business.notes.abandoned { object["whatIsAbandoned"] = .string(abandoned) }
    if let excuse = business.notes.excuse { object["excuse"] = .string(excuse) }
    object["survival"] = curve(business.survival)
    if !business.openSince.isEmpty {
      object["openSince"] = .array(
        business.openSince.map { [.double($0.seconds), .number($0.count)] })
    }
    return .object(object)
  }

  private static func flow(_ flow: FlowResult) -> JSON {
    [
      "world": .string(flow.world), "things": .string(flow.things),
      "steps": .array(
        flow.steps.map { step in
          [
            "title": .string(step.title), "reached": .number(step.reached),
            "open": .number(step.open),
            "losses": .array(
              step.losses.map {
                [
                  "reason": .string($0.reason), "cause": .string($0.cause.rawValue),
                  "count": .number($0.count),
                ]
              }),
          ]
        }),
    ]
  }

  private static func tally(_ tally: Tally) -> JSON {
    [
      "world": .string(tally.world), "operation": .string(tally.operation),
      "code": .string(tally.code), "count": .number(tally.count),
    ]
  }

  private static func load(_ series: LoadSeries) -> JSON {
    var object: JSONObject = [
      "world": .string(series.world), "sliceSeconds": .double(series.slice.seconds),
      "requests": .array(series.requests.map(JSON.number)),
      "refused": .array(series.refused.map(JSON.number)),
      "lost": .array(series.lost.map(JSON.number)),
      "p50Seconds": .array(series.p50.map(number)), "p95Seconds": .array(series.p95.map(number)),
      "p99Seconds": .array(series.p99.map(number)),
      "p50Intervals": .array(series.p50Intervals.map(interval)),
      "p95Intervals": .array(series.p95Intervals.map(interval)),
    ]
    if let pace = series.pace { object["pace"] = PaceDocument.json(pace) }
    return .object(object)
  }

  private static func machine(_ run: Run) -> JSON {
    let machine = run.machine
    let measured = run.latencies.filter { $0.basis == .inProcess }.map(latency)
    let calls: [JSON] = machine.inProcess.map { latency in
      [
        "world": .string(latency.world), "operation": .string(latency.operation),
        "basis": .string(Basis.inProcess.rawValue), "count": .number(latency.count),
        "quantiles": .array(
          latency.quantiles.map { ["q": .double($0.q), "seconds": number($0.seconds)] }),
      ]
    }
    var object: JSONObject = [
      "wallSeconds": .double(machine.wallSeconds), "workers": .number(machine.workers),
      "cpu": .string(machine.cpu), "inProcess": .array(measured + calls),
      "version": .string(machine.version), "commit": .string(machine.commit),
      "scenarioFile": .string(run.scenario.file),
    ]
    if !run.scenario.options.isEmpty { object["options"] = .string(run.scenario.options) }
    if let punctuality = machine.punctuality {
      object["punctuality"] = PunctualityDocument.json(punctuality)
    }
    return .object(object)
  }

  static func number(_ value: Double?) -> JSON { value.map(JSON.double) ?? .null }

  private static func interval(_ bounds: Bounds?) -> JSON {
    bounds.map { [.double($0.low), .double($0.high)] } ?? .null
  }
}
