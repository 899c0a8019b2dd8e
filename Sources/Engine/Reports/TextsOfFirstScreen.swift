import Runs
import Verdicts

/// Words of the first screen and of its pictures, as templates read them.
struct FirstScreenTexts: Sendable {
  let ribbon = "The run over its clock"
  let responseTimesShort = "response time"
  let requestsShort = "requests"
  let errorsShort = "no answer"
  let unsentShort = "never sent"
  let halfLegend = "half took at most (p50)"
  let tailLegend = "19 in 20 took at most (p95)"
  let intervalLegend = "shaded around them: 95% interval"
  let requestsLegend = "replied"
  let refusedLegend = "refused"
  let room = "Objectives, least room first"
  let roomLegend =
    "dot: estimate; short strokes: 95% interval; long one: bound; grey: not allowed"
  let map = "Rules, by theme"
  let mapHint = "Each square is a documented rule, and leads to it."
  /// What the page's script adds.
  let keysHint = "Point at a square, tap it or go there with the arrow keys."
  let triedLegend = "held; the fuller, the more often tried"
  let thinLegend = "held, tried too seldom"
  let openLegend = "cannot tell"
  let brokenLegend = "failed"
  let untriedLegend = "not tried"
  let dots = "Response times of operations on one axis"
  let endLegend = "99 in 100 took at most (p99)"
  let lineLegend = "lines through them: 95% intervals; an arrow: some got no answer"
  let shareFaster = "of 100 requests, so many took at most that long"
  let timeSince = "time since it began; up: share still open"
  let pairs = "Before and now, on one axis"
  let grantedLegend = "granted every time"
  let partlyLegend = "granted at times: in so many percent, as far as the square is filled"
  let rightlyLegend = "granted every time to adversaries, as to anybody"
  let wrongLegend = "answered against the documents’ table of rights"
  let refusedAllLegend = "refused every time"
  let refusedRightlyLegend = "refused every time, rightly"
  let seeRule = "Details"
  let stories = "How far it came, and why not further"
  let wentOn = "went on"
  let ofBackend = "ended by the backend"
  let ofModel = "outside it, as modelled"
  let ofPeople = "by people"
}

extension FirstScreenTexts {
  /// Lines beside the share of requests that ended badly.
  func errorsShort(unsent: Bool) -> [String] { [errorsShort] + (unsent ? ["or never sent"] : []) }

  /// - Parameter cutOff: How many were under way when the run ended.
  func lostLegend(unsent: Bool, cutOff: Int) -> String {
    errorsShort(unsent: unsent).joined(separator: " ")
      + (unsent ? ", below their share" : ", below as their share of requests")
      + (cutOff > 0 ? " (\(Figures.count(cutOff)) cut off by the end)" : "")
  }
}

/// What joins them with figures.
extension Texts {
  func ribbonCaption(slice: String, replications: Int, zone: String) -> String {
    "\(slice) a step, \(zone)"
      + (replications > 1 ? "; requests: mean of \(replications) replications" : "")
  }

  func moreHappenings(_ count: Int) -> String {
    many(count, "more event or fault", "more events and faults")
  }

  /// - Parameters:
  ///   - slowest: When it was slowest; `nil` where it was alike all the time.
  ///   - p95: That of then, in words; `.some(nil)` where more got no answer than it leaves.
  func ribbonSummary(
    _ world: String, busiest: String, slowest: String?, p95: String??, errors: String,
    worst: String, unsent: Bool
  ) -> String {
    let times = p95.map { p95 in
      let what =
        p95.map { "1 in 20 took longer than \($0)" } ?? noAnswer(ofMoreThan: 0.05, unsent: unsent)
      return slowest.map { "; slowest at \($0), when \(what)" } ?? "; all the time, \(what)"
    }
    return "\(world): busiest at \(busiest)\(times ?? "")"
      + "; at most \(errors) of requests \(withoutAnswer(unsent: unsent)), at \(worst)."
  }

  /// What a quantile is that lies among the requests without an answer.
  func noAnswer(ofMoreThan share: Double, unsent: Bool) -> String {
    "more than \(oneIn(share)) got no answer" + (unsent ? " or were never sent" : "")
  }

  func beyondLegend(unsent: Bool) -> String {
    noAnswer(ofMoreThan: 0.05, unsent: unsent) + ": there is no p95"
  }

  private func withoutAnswer(unsent: Bool) -> String {
    "without an answer" + (unsent ? " or never sent" : "")
  }

  func slice(
    at time: String, requests: String, refused: String, lost: String, onAverage: Bool,
    unsent: Bool, p50: String?, p95: String?
  ) -> String {
    "\(time) · \(onAverage ? "on average " : "")\(requests) requests, \(refused) refused, \(lost) \(withoutAnswer(unsent: unsent))"
      + (p50.map { " · p50 \($0)" } ?? "") + (p95.map { ", p95 \($0)" } ?? "")
  }

  /// `20 replications of 18 h, 114,565 people, 5,823,682 requests`.
  func size(of run: Run) -> String {
    let length = Figures.duration(run.virtualSeconds)
    let requests = many(run.requests, "request", "requests")
    if let generator = run.generator {
      return
        "\(length), \(requests), \(Figures.number(generator.reachedPerSecond)) \(perSecondOfAnswers)"
    }
    let count = run.replications.count
    return "\(repeated(count)) of \(length), \(many(run.persons, "person", "people")), \(requests)"
  }

  func stillOpen(_ count: String) -> String { "\(count) still open at the end" }

  func inAll(_ replications: Int) -> String {
    "all \(Figures.count(replications)) replications together"
  }

  func flowSummary(_ step: FlowResult.Step, of all: Int, went: Int?) -> String {
    let losses = step.losses.map { "\(Figures.count($0.count)) \($0.reason.excerpt)" }
    let parts =
      (went.map { ["\(Figures.count($0)) went on"] } ?? []) + losses
      + (went != nil && step.open > 0 ? [stillOpen(Figures.count(step.open))] : [])
    return "\(Figures.count(step.reached)) of \(Figures.count(all))"
      + (parts.isEmpty ? "." : ": " + parts.joined(separator: ", ") + ".")
  }

  func dotsSummary(_ count: Int, low: String, high: String, slowest: String) -> String {
    "\(many(count, "operation", "operations")) between \(low) and \(high), the slowest first: \(slowest.excerpt). The table below has the figures."
  }

  /// A square of the map in words.
  func square(_ limit: LimitResult) -> String {
    let tries = many(limit.exercised, "try", "tries")
    let id = limit.id.excerpt
    switch limit.verdict {
    case .pass where limit.openShare != nil: return "\(id): held, but only \(tries)"
    case .pass: return "\(id): held, \(tries)"
    case .fail: return "\(id): failed in \(outOf(limit.violations, limit.exercised))"
    case .inconclusive: return "\(id): cannot tell, \(tries)"
    case .notExercised: return "\(id): not tried"
    }
  }

  /// What follows the verdict's word: `337 of 337 tried rules, 7 of 7 objectives; latencies modelled`.
  func verdictLine(_ run: Run, _ counts: Story.Counts, _ story: Story) -> String {
    guard story.word == word(run.verdict), run.generator == nil else { return story.headline }
    var parts: [String] = []
    let tried = counts.tried + counts.open.count
    if !counts.broken.isEmpty {
      parts.append("\(part(counts.broken.count, of: tried)) tried rules failed")
    } else if tried > 0 {
      parts.append(
        "\(part(counts.held.count, of: tried)) tried rules"
          + (run.verdict == .pass ? "" : " held"))
    }
    let objectives = run.objectives.count
    if !counts.missed.isEmpty {
      parts.append("\(part(counts.missed.count, of: objectives)) objectives failed")
    } else if !counts.undecided.isEmpty, run.verdict != .pass {
      parts.append("\(part(counts.undecided.count, of: objectives)) objectives cannot be told")
    } else if objectives > 0 {
      parts.append(
        "\(part(counts.met, of: objectives)) objectives" + (run.verdict == .pass ? "" : " held"))
    }
    guard !parts.isEmpty else { return story.headline }
    var bases: [String] = []
    for latency in run.latencies where !bases.contains(name(latency.basis)) {
      bases.append(name(latency.basis))
    }
    return parts.joined(separator: ", ")
      + (bases.isEmpty ? "" : "; latencies \(bases.joined(separator: " and "))")
  }

  private func part(_ some: Int, of all: Int) -> String {
    "\(Figures.count(some)) of \(Figures.count(all))"
  }

  /// How the run compares, and which rules' verdicts changed.
  func againstBaseline(_ comparison: RunComparison) -> String {
    let shown = 3
    let changed = comparison.limits.prefix(shown).map {
      "\($0.id.excerpt) \(word($0.before).lowercased()) → \(word($0.after).lowercased())"
    }
    let more = comparison.limits.count - changed.count
    let rules =
      changed.joined(separator: ", ") + (more > 0 ? " and \(Figures.count(more)) more" : "")
    return "\(self.comparison): \(TerminalComparison.sentence(comparison))"
      + (changed.isEmpty ? "" : " Rules: \(rules).")
  }

  /// What an objective's errors are made of.
  func errorParts(_ parts: (lost: Double, offline: Double)) -> String {
    "\(Figures.share(parts.lost)) no answer, \(Figures.share(parts.offline)) never sent: the device was offline"
  }

  func staysOpen(_ doubts: [String]) -> String {
    "What stays open: " + doubts.joined(separator: "; ") + "."
  }

  /// How sure the verdict is, and what it does not cover.
  func doubts(_ run: Run, _ counts: Story.Counts) -> [String] {
    var parts: [String] = []
    let open =
      (counts.undecided.isEmpty
        ? [] : [many(counts.undecided.count, "objective", "objectives")])
      + (counts.open.isEmpty ? [] : [many(counts.open.count, "rule", "rules")])
    if !open.isEmpty { parts.append("\(open.joined(separator: " and ")) that cannot be told") }
    if !counts.seldomTried.isEmpty {
      parts.append(
        "\(many(counts.seldomTried.count, "rule", "rules")) tried too seldom to be sure")
    }
    if counts.untried > 0 {
      parts.append("\(part(counts.untried, of: run.limits.count)) documented rules not tried")
    }
    let lost = run.withoutAnswer
    if lost > 0, run.requests > 0 {
      parts.append(
        "\(oneIn(Double(lost) / Double(run.requests))) requests without an answer"
          + (run.wereOffline ? " (offline aside)" : ""))
    }
    if run.latencies.contains(where: { $0.basis == .modelled }) {
      parts.append("no real server has confirmed the response times")
    }
    return parts
  }
}
