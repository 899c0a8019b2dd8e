import Runs
import Verdicts

/// `metrics.txt`: the figures of a run in the OpenMetrics text format, version 1.0.0, for pushing to a monitoring system.
///
/// Each family is declared once, with its unit where it has one. A quantile beyond what was answered is `+Inf`, with what it exceeds for
/// certain in a family of its own; one that too few requests tell is left out.
public enum MetricsDocument {
  public static func bytes(for run: Run) -> [UInt8] {
    var text = Text()
    let scenario = [("scenario", run.scenario.name)]
    text.family("rehearsal_run", "info", "The run that these figures are of.") { family in
      family.sample(
        "_info",
        scenario + [
          ("digest", run.digest), ("seed", String(run.seed)), ("version", run.machine.version),
          ("commit", run.machine.commit),
        ], 1)
    }
    text.family("rehearsal_verdict", "stateset", "What came of the run.") { family in
      for verdict in verdicts {
        family.sample(
          "", scenario + [("rehearsal_verdict", verdict.rawValue)], run.verdict == verdict ? 1 : 0)
      }
    }
    text.family("rehearsal_exit_code", "gauge", "What the command ended with.") { family in
      family.sample("", scenario, Double(run.exitCode))
    }
    counts(of: run, scenario, &text)
    limits(of: run, scenario, &text)
    objectives(of: run, scenario, &text)
    latencies(of: run, scenario, &text)
    outcomes(of: run, scenario, &text)
    return Array((text.written + "# EOF\n").utf8)
  }

  private typealias Labels = [(String, String)]
  private static let verdicts: [Verdict] = [.pass, .fail, .inconclusive, .notExercised]

  private static func counts(of run: Run, _ scenario: Labels, _ text: inout Text) {
    let counts: [(String, String, Int)] = [
      ("rehearsal_persons", "People who lived, over all replications.", run.persons),
      ("rehearsal_requests", "Requests sent, over all replications.", run.requests),
    ]
    for (name, help, count) in counts {
      text.family(name, "counter", help) { $0.sample("_total", scenario, Double(count)) }
    }
    text.family("rehearsal_replications", "gauge", "How often the scenario was lived through.") {
      $0.sample("", scenario, Double(run.repetitions))
    }
    text.family("rehearsal_wall_seconds", "gauge", "How long the run took.", unit: "seconds") {
      $0.sample("", scenario, run.machine.wallSeconds)
    }
  }

  private static func limits(of run: Run, _ scenario: Labels, _ text: inout Text) {
    func labels(_ limit: LimitResult) -> Labels {
      scenario + [("domain", limit.domain), ("limit", limit.id)]
    }
    text.family("rehearsal_limit_tries", "counter", "How often a documented limit was tried.") {
      for limit in run.limits { $0.sample("_total", labels(limit), Double(limit.exercised)) }
    }
    text.family(
      "rehearsal_limit_undecided", "counter", "How many of these tries could not be decided."
    ) {
      for limit in run.limits { $0.sample("_total", labels(limit), Double(limit.undecided)) }
    }
    text.family("rehearsal_limit_violations", "counter", "How often a limit was violated.") {
      for limit in run.limits { $0.sample("_total", labels(limit), Double(limit.violations)) }
    }
  }

  private static func objectives(of run: Run, _ scenario: Labels, _ text: inout Text) {
    text.family(
      "rehearsal_objective_held", "gauge", "1 where an objective held, 0 where it failed, else NaN."
    ) { family in
      for objective in run.objectives {
        let value: Double =
          switch objective.verdict {
          case .pass: 1
          case .fail: 0
          case .inconclusive, .notExercised: .nan
          }
        family.sample("", scenario + [("objective", objective.text)], value)
      }
    }
  }

  private static func latencies(of run: Run, _ scenario: Labels, _ text: inout Text) {
    func labels(_ latency: LatencyResult) -> Labels {
      scenario + [
        ("world", latency.world), ("operation", latency.operation),
        ("basis", latency.basis.rawValue),
      ]
    }
    func told(_ quantiles: [Quantile], _ count: Int) -> [Quantile] {
      quantiles.filter { $0.isTold(by: count) }
    }
    text.family(
      "rehearsal_latency_seconds", "summary",
      "Response times of all requests; those without a usable answer are the slowest.",
      unit: "seconds"
    ) { family in
      for latency in run.latencies {
        for quantile in told(latency.quantiles, latency.count) {
          family.sample(
            "", labels(latency) + [("quantile", Text.number(quantile.q))],
            quantile.seconds ?? .infinity)
        }
        family.sample("_count", labels(latency), Double(latency.count))
      }
    }
    text.family(
      "rehearsal_latency_longer_than_seconds", "gauge",
      "What a quantile beyond what was answered exceeds for certain.", unit: "seconds"
    ) { family in
      for latency in run.latencies {
        for quantile in told(latency.quantiles, latency.count) {
          guard let longer = quantile.longerThan else { continue }
          family.sample("", labels(latency) + [("q", Text.number(quantile.q))], longer)
        }
      }
    }
    text.family(
      "rehearsal_answered_latency_seconds", "summary", "Response times of the answered alone.",
      unit: "seconds"
    ) { family in
      for latency in run.latencies {
        for quantile in told(latency.answeredQuantiles, latency.answered) {
          guard let seconds = quantile.seconds else { continue }
          family.sample("", labels(latency) + [("quantile", Text.number(quantile.q))], seconds)
        }
        family.sample("_count", labels(latency), Double(latency.answered))
      }
    }
    text.family(
      "rehearsal_without_answer_ratio", "gauge", "The share of requests without a usable answer.",
      unit: "ratio"
    ) { family in
      for latency in run.latencies { family.sample("", labels(latency), latency.withoutAnswer) }
    }
    text.family(
      "rehearsal_latency_interval_seconds", "gauge",
      "Ends of the 95 % intervals of response time quantiles.", unit: "seconds"
    ) { family in
      for latency in run.latencies {
        for quantile in told(latency.quantiles, latency.count) {
          guard let interval = quantile.interval else { continue }
          let named = labels(latency) + [("q", Text.number(quantile.q))]
          family.sample("", named + [("end", "low")], interval.low)
          family.sample("", named + [("end", "high")], interval.high)
        }
      }
    }
  }

  private static func outcomes(of run: Run, _ scenario: Labels, _ text: inout Text) {
    let kinds: [(String, String, [Tally])] = [
      ("rehearsal_refusals", "Requests that were refused.", run.refusals),
      ("rehearsal_unknown_outcomes", "Requests without a usable answer.", run.unknowns),
      ("rehearsal_unsent", "Requests that never left.", run.unsents),
    ]
    for (name, help, tallies) in kinds {
      text.family(name, "counter", help) { family in
        for tally in tallies {
          family.sample(
            "_total",
            scenario + [
              ("world", tally.world), ("operation", tally.operation), ("code", tally.code),
            ], Double(tally.count))
        }
      }
    }
  }

  /// Families with their samples; one whose samples share all labels would be refused, so the later one is left out.
  private struct Text {
    private(set) var written = ""
    private var name = ""
    private var seen: Set<String> = []

    mutating func family(
      _ name: String, _ type: String, _ help: String, unit: String? = nil,
      _ samples: (inout Text) -> Void
    ) {
      self.name = name
      seen = []
      written += "# TYPE \(name) \(type)\n"
      if let unit { written += "# UNIT \(name) \(unit)\n" }
      written += "# HELP \(name) \(help)\n"
      samples(&self)
    }

    mutating func sample(_ suffix: String, _ labels: [(String, String)], _ value: Double) {
      let named = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
      let series = "\(name)\(suffix){\(named)}"
      guard seen.insert(series).inserted else { return }
      written += "\(series) \(Self.number(value))\n"
    }

    static func number(_ value: Double) -> String {
      if value.isNaN { return "NaN" }
      guard value.isFinite else { return value > 0 ? "+Inf" : "-Inf" }
      return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
      var result = ""
      for scalar in Escaping.visible(text, limit: 500).unicodeScalars {
        switch scalar {
        case "\\": result += "\\\\"
        case "\"": result += "\\\""
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
  }
}
