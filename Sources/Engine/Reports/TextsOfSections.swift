import Runs

/// Words of the sections about a baseline, journeys, roles and the generator.
extension Texts {
  func moreFigures(_ count: Int) -> String {
    "\(many(count, "more figure", "more figures")) compared"
  }

  func smallestVisible(_ size: String, figure: String) -> String {
    "Growth of \(size) or more would have been seen in nine of ten such comparisons in every figure (last of them \(figure))."
  }

  func changeSummary(_ change: String, interval: String?, margin: String) -> String {
    "Change \(change.isEmpty ? none : change)" + (interval.map { ", plausible \($0)" } ?? "")
      + "; up to \(margin) either way is allowed."
  }

  func moreRoles(_ count: Int) -> String { "Steps of \(many(count, "more role", "more roles"))" }

  func stepsOf(_ role: String, persons: Int) -> String {
    "\(role): \(Figures.count(persons)) people, by how many reached each step"
  }

  func granted(_ count: Int) -> String { "\(Figures.count(count)) granted" }
  func refusedTimes(_ count: Int) -> String { "\(Figures.count(count)) refused" }

  func timesFaster(_ factor: String) -> String { "\(factor) times as fast as the clock" }
  func perSecond(_ count: String) -> String { "\(count) a second" }

  func latencyPerSlice(_ slice: String) -> String {
    "Response times of requests sent in each \(slice), all replications together, to about a tenth"
  }

  func noTailOverTime(world: String) -> String {
    "\(world): no slice has requests and answers enough for a 99th percentile."
  }

  func latencyTimeSummary(world: String, at: String, p99: String) -> String {
    "\(world): the 99th percentile was longest, \(p99), at \(at)."
  }

  /// A share as people say it: `1 in 200`, `3 in 10`.
  func oneIn(_ share: Double) -> String {
    guard share > 0 else { return "none" }
    guard share < 0.95 else { return "nearly all" }
    if share >= 0.2 { return "\(max(2, Int((share * 10).rounded()))) in 10" }
    var unit = 1.0
    while 1 / share / unit >= 100 { unit *= 10 }
    return "1 in \(Figures.count(Int((1 / share / unit).rounded() * unit)))"
  }

  func slowerThanBaseline(_ sentence: String) -> String {
    "What was tried held, but the run is worse than its baseline: \(sentence)"
  }

  func waitedLonger(_ title: String, share: Double, than figure: String) -> String {
    "The slowest answers are those of “\(title)”: \(oneIn(share)) took longer than \(figure)."
  }

  func neverCame(_ title: String, share: Double) -> String {
    "The slowest requests are those of “\(title)”: at least \(oneIn(share)) got no answer, or none while the run lasted."
  }

  func tookLongerThanStated(
    _ title: String, share: Double, bound: String, limit: String, isHeld: Bool
  ) -> String {
    guard share > 0 else {
      return "“\(title)” never took longer than the \(bound) that \(limit) allows."
    }
    let excuse = isHeld ? ", each for a reason that the rule excuses" : ""
    return
      "“\(title)” took longer than the \(bound) that \(limit) allows: \(oneIn(share)) times\(excuse)."
  }

  func withoutAnswer(_ share: Double) -> String {
    "\(oneIn(share).capitalizedFirst) requests got no usable answer."
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// Words of a scenario's history.
extension Texts {
  func historyOf(_ scenario: String, runs: Int, from: String?, to: String?) -> String {
    let days = from == to ? from : from.flatMap { from in to.map { "\(from) to \($0)" } }
    return (["\(history) · \(scenario) · \(many(runs, "run", "runs"))"] + (days.map { [$0] } ?? []))
      .joined(separator: " · ")
  }

  func changedFigures(_ changed: Int, of all: Int) -> String {
    changed == 0
      ? "No figure of \(Figures.count(all)) came to another level."
      : "\(Figures.count(changed)) of \(many(all, "figure", "figures")) came to another level."
  }

  func tooShort(_ runs: Int, needed: Int) -> String {
    "\(many(runs, "run is", "runs are")) too few to tell a change from chance; \(needed) are needed."
  }

  func expectedByChance(_ expected: String, level: String) -> String {
    "Each figure was searched at \(level): by chance alone about \(expected) of them would show a change."
  }

  func leftOutOfHistory(_ count: Int) -> String {
    "\(many(count, "run is", "runs are")) left out: interrupted, or with another seed or number of replications than the latest."
  }

  func changedSince(
    _ size: String, run: Int64, day: String, commit: String, before: String, after: String
  ) -> String {
    "\(size) since run \(run) (\(day), \(commit)): \(before) → \(after)"
  }

  func courseSummary(runs: Int, low: String, high: String, changes: Int) -> String {
    "Over \(many(runs, "run", "runs")) between \(low) and \(high), with \(many(changes, "change", "changes")) of level."
  }
}

/// What to do next, and what stays open.
extension Texts {
  var accept: String { "rehearse baseline accept FOLDER" }
  var runToItsEnd: String { "Let the same run come to its end:" }
  var relieveGenerator: String {
    "Repeat the run on a machine that has nothing else to do, or with less load:"
  }
  var reachTarget: String { "See that the target answers, and run again:" }
  var reportCrash: String { "Report the failure together with the command that repeats it:" }
  var tryMore: String {
    "Let the scenario try what it left out: more people, a longer time, or adversaries. “Documented rules” gives the reasons."
  }
  var findChange: String {
    "Look at the figures below that grew, and find what changed in between."
  }
  var acceptChange: String {
    "If the change is wanted, make this run the new baseline, FOLDER being where this report lies:"
  }
  var holdNextAgainst: String {
    "Make this run the baseline of the next ones, FOLDER being where this report lies:"
  }
  var lookAtViolation: String { "See what happened when a rule first broke:" }
  var lookAtTimes: String {
    "See in “Objectives” by how much, and in “Response times” and “Requests over time” where and when; then change the backend or the objective."
  }
  var repeatAfterChange: String { "After the change, repeat the very same run:" }
  var lookAtOpenRules: String { "“Documented rules” says what kept them open." }
  var moveBound: String {
    "The truth lies so near the bound that more replications would not decide: choose a bound that leaves room, or make it faster."
  }

  func replicationsWouldDecide(_ count: Int) -> String {
    "About \(Figures.count(count)) replications would probably decide:"
  }

  func staysOpen(_ subject: String, reason: String?) -> String {
    "\(subject) stays open" + (reason.map { ": \($0.excerpt)." } ?? ".")
  }

  func becameSlower(_ metric: RunComparison.Metric) -> String {
    let subject = "\(metric.name.world).\(metric.name.operation) \(metric.measure.inWords)".excerpt
    return
      "“\(subject)” grew from \(metric.figure(metric.before)) to \(metric.figure(metric.after)) (\(metric.changeInWords))."
  }
}
