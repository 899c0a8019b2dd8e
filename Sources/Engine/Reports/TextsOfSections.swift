import Runs
import Verdicts

/// Words of the sections about a baseline, journeys, roles and the generator.
extension Texts {
  func moreFigures(_ count: Int) -> String {
    "\(many(count, "more figure", "more figures")) compared"
  }

  func smallestVisible(inHalf middle: String, inAll size: String, figure: String) -> String {
    "9 of 10 such comparisons would detect growth of \(middle) in half of the figures, and growth of \(size) in all of them (the least sensitive is \(figure))."
  }

  func changeSummary(_ change: String, interval: String?, margin: String) -> String {
    "Change \(change.isEmpty ? none : change)" + (interval.map { ", plausible \($0)" } ?? "")
      + "; up to \(margin) either way is allowed."
  }

  func allFigures(_ count: Int) -> String {
    "\(many(count, "figure", "figures")) with intervals, as a table"
  }
  func askedAndGot(_ asked: String, _ share: String) -> String {
    "\(asked) asked, \(share) got it"
  }
  /// The lines of bars in a row.
  func barsSummary(_ lines: [String]) -> String {
    lines.isEmpty ? none : lines.map { "\($0);" }.joined(separator: " ").dropLast() + "."
  }
  func pairsSummary(_ count: Int, low: String, high: String) -> String {
    "\(many(count, "figure", "figures")) before and now, between \(low) and \(high), those that moved most first. The table below has the figures."
  }
  func rarer(_ count: Int, _ one: String, _ several: String) -> String {
    "\(many(count, "rarer \(one)", "rarer \(several)"))"
  }
  func ofHeld(_ count: Int, of all: Int, reason: String) -> String {
    let which =
      count == all
      ? "All \(Figures.count(all)) objectives" : many(count, "objective", "objectives")
    return "\(which) held; \(reason)."
  }
  func whatIsIn(_ quantile: String) -> String { "What is in the \(quantile)" }
  func otherOperations(_ count: Int) -> String {
    "\(many(count, "operation", "operations")) that are seldom used"
  }
  func partsOfEstimate(_ parts: LatencyParts) -> String {
    "Of the estimate: \(partList(parts))"
  }
  func inWorld(_ world: String) -> String { "In \(world)" }
  func abandonedAre(_ what: String) -> String { "Abandoned: \(what)." }
  func role(_ role: String, of world: String) -> String { "\(world): \(role)" }

  func moreRoles(_ count: Int) -> String { "Steps of \(many(count, "more role", "more roles"))" }

  func stepsOf(_ persons: Int, more: Int) -> String {
    many(persons, "person", "people")
      + (more > 0 ? "; \(many(more, "more step", "more steps")) that fewer reached" : "")
  }

  /// What the documented rules say on the whole of it; which of them are about rights, only the documents know.
  func rightlyAnswered(_ counts: Story.Counts, adversaries: Bool) -> String {
    let tried = counts.tried + counts.open.count
    let whom = adversaries ? "anybody, adversaries among them," : "anybody"
    if tried == 0 {
      return "No documented rule was tried, so nothing says who should be allowed what."
    }
    if !counts.broken.isEmpty {
      let ids = counts.broken.prefix(5).map(\.id.excerpt).joined(separator: ", ")
      let more = counts.broken.count - 5
      return
        "\(many(counts.broken.count, "documented rule", "documented rules")) failed (\(ids)\(more > 0 ? " and \(Figures.count(more)) more" : "")): see there whether something was granted or refused wrongly."
    }
    let open =
      counts.open.isEmpty
      ? "" : " \(many(counts.open.count, "rule", "rules")) cannot be told."
    return
      "No request was seen that granted \(whom) what a documented rule forbids: \(many(tried, "rule was", "rules were")) tried, and none failed.\(open)"
  }

  /// How all requests were answered that tables of rights are about.
  func byTheTable(_ columns: [AccessResult]) -> [String] {
    let entries = columns.filter { !$0.isOutside }.flatMap(\.entries)
    let all = entries.reduce(0) { $0 + $1.granted + $1.refused }
    let wrong = entries.reduce(0) { $0 + $1.wrong }
    let places = entries.count { $0.wrong > 0 }
    let more = columns.filter(\.isOutside).map { column in
      (column.column, column.entries.reduce(0) { $0 + $1.granted + $1.refused })
    }
    if all == 0 { return [] }
    return [
      wrong == 0
        ? "All \(many(all, "request", "requests")) that the documents’ table of rights is about were answered as it says."
        : "\(Figures.count(wrong)) of \(many(all, "request", "requests")) that the documents’ table of rights is about were answered otherwise than it says, in \(many(places, "square", "squares"))."
    ] + outsideTheTable(more)
  }

  /// How many answers it does not judge, so that the columns together are all answers.
  private func outsideTheTable(_ columns: [(why: String, count: Int)]) -> [String] {
    let all = columns.reduce(0) { $0 + $1.count }
    guard all > 0 else { return [] }
    let reasons = columns.map { "\($0.why): \(Figures.count($0.count))" }.joined(separator: "; ")
    return [
      "\(many(all, "more answer is", "more answers are")) not judged by it and \(all == 1 ? "stands" : "stand") in the last columns (\(reasons))."
    ]
  }

  func entry(_ entry: AccessResult.Entry, isJudged: Bool) -> String {
    let wrong = isJudged ? "\(Figures.count(entry.wrong)) wrong" : "not judged"
    return "\(granted(entry.granted)), \(refusedTimes(entry.refused)), \(wrong)"
  }

  func oneRole(_ world: String) -> String { "\(world) has one role only, so it has no table here." }
  func granted(_ count: Int) -> String { "\(Figures.count(count)) granted" }
  func allRefused(_ count: Int) -> String {
    count == 1 ? "rightly refused" : "all \(Figures.count(count)) refused, rightly"
  }
  func refusedTimes(_ count: Int) -> String { "\(Figures.count(count)) refused" }

  func timesFaster(_ factor: String) -> String { "\(factor) times as fast as real time" }
  func perSecond(_ count: String) -> String { "\(count) per second" }

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

  func waitedLonger(
    _ title: String, share: Double, than figure: String, parts: String?
  ) -> String {
    "The slowest answers that people often meet are those of “\(title)”: \(oneIn(share)) took longer than \(figure)"
      + (parts.map { ", \($0)." } ?? ".")
  }

  /// What a figure is made of, as half a sentence after it.
  func parts(_ parts: LatencyParts) -> String { "of which " + partList(parts) }

  /// `network 250 ms, waiting 0, service 412 µs`.
  func partList(_ parts: LatencyParts) -> String {
    let whole = parts.seconds
    let named = [
      (networkPart, parts.network), (waitingPart, parts.waiting), (servicePart, parts.service),
    ]
    return (named + (parts.other > whole * 0.0005 ? [(otherPart, parts.other)] : []))
      .map { "\($0) \(Figures.part($1, of: whole))" }.joined(separator: ", ")
  }

  func neverCame(_ title: String, share: Double) -> String {
    "The slowest requests are those of “\(title)”: at least \(oneIn(share)) got no answer, or none while the run lasted."
  }

  func neverCame(
    in world: String, operations: Int, share: Double, range: String, most: String
  ) -> String {
    "In \(world), at least \(oneIn(share)) requests for each of \(operations) operations got no answer while the run lasted (\(range)); most often those for “\(most)”."
  }

  /// How a business latency went: what finished, what did not and why, and how long it took.
  func outcome(
    of title: String, finished: Int, abandoned: Int, whatIsAbandoned: String?, open: Int,
    times: [(q: Double, figure: String)]
  ) -> String {
    let begun = finished + abandoned + open
    var parts: [String] = []
    if abandoned > 0 {
      parts.append(
        "\(Figures.count(abandoned)) \(abandoned == 1 ? "was" : "were") abandoned"
          + (whatIsAbandoned.map { " (\($0))" } ?? ""))
    }
    if open > 0 {
      parts.append("\(Figures.count(open)) \(open == 1 ? "was" : "were") still open at the end")
    }
    let share = Figures.share(Double(finished) / Double(begun))
    let head =
      parts.isEmpty
      ? "all \(Figures.count(begun)) finished"
      : "\(Figures.count(finished)) of \(Figures.count(begun)) finished (\(share)), "
        + parts.joined(separator: ", ")
    guard !times.isEmpty else { return "“\(title)”: \(head)." }
    let took = times.map { "\(atMost($0.q)) \($0.figure)" }.joined(separator: ", ")
    let whose = abandoned > 0 ? "Of those not abandoned, " : ""
    return "“\(title)”: \(head). " + (whose + took).capitalizedFirst + "."
  }

  /// `half took at most`, `9 in 10 took at most`.
  private func atMost(_ q: Double) -> String {
    q == 0.5 ? "half took at most" : "\(Int((q * 10).rounded())) in 10 at most"
  }

  func late(
    _ late: Int, of known: Int, bound: String, limit: String, verdict: Verdict?, excuse: String?
  ) -> String {
    let share = Figures.share(Double(late) / Double(max(1, known)))
    let head =
      "\(Figures.count(late)) of \(Figures.count(known)) (\(share)) took longer than the \(bound) that \(limit) states"
    switch verdict {
    case .pass:
      let why = excuse ?? "its check found a permitted reason in each case"
      return "\(head). That is allowed, and the rule held: \(why)."
    case .inconclusive: return "\(head); whether the rule allows that stays open."
    case .notExercised: return "\(head); the rule itself was not tried."
    case .fail, nil: return "\(head)."
    }
  }

  func withoutAnswer(_ share: Double) -> String {
    "\(oneIn(share).capitalizedFirst) requests got no answer."
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
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
      ? "None of \(many(all, "figure", "figures")) moved to another level."
      : "\(Figures.count(changed)) of \(many(all, "figure", "figures")) moved to another level."
  }

  func tooShort(_ runs: Int, needed: Int) -> String {
    "\(many(runs, "run is", "runs are")) too few to tell a change from chance; \(needed) are needed."
  }

  func falseDiscoveries(of figures: Int, share: String) -> String {
    "\(many(figures, "figure was", "figures were")) searched for changes; of those that show one, about \(share) at most do so by chance alone (Benjamini and Hochberg)."
  }

  func leftOutOfHistory(_ count: Int) -> String {
    "\(many(count, "run is", "runs are")) left out: interrupted, or with a seed, number of replications or load that differs from the latest."
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
  /// What is worth a look although all held: the objective with the least room, what the backend itself ended, what was not tried.
  func lookAt(_ run: Run, _ counts: Story.Counts) -> [String] {
    let tight = run.objectives.filter { $0.verdict == .pass && $0.headroom.isFinite }
      .min { $0.headroom < $1.headroom }
    let losses = run.flows.flatMap { flow in flow.lossesOfBackend.map { (flow, $0) } }
      .enumerated().sorted {
        ($1.element.1.count, $0.offset) < ($0.element.1.count, $1.offset)
      }.map(\.element)
    return
      (tight.flatMap { $0.headroom < 0.25 ? [leastRoom($0)] : [] } ?? [])
      + losses.prefix(2).map { flow, loss in
        "\(flow.world.excerpt): \(Figures.count(loss.count)) of \(Figures.count(flow.steps[0].reached)) \(flow.things.excerpt) \(screen.ofBackend): \(loss.reason.excerpt)."
      }
      + (counts.untried > 0
        ? [
          "\(many(counts.untried, "documented rule was", "documented rules were")) not tried; “Documented rules” gives the reasons."
        ] : [])
  }

  private func leastRoom(_ objective: ObjectiveResult) -> String {
    "“\(objective.text.excerpt)” has the least room: \(objective.estimateInWords ?? none)"
      + (objective.range.map { " (\($0))" } ?? "") + "."
  }

  var runToItsEnd: String { "Let the same run finish:" }
  var relieveGenerator: String {
    "Repeat the run on a machine with nothing else to do, or with less load:"
  }
  var reachTarget: String { "Make sure that the target answers, and run again:" }
  var reportCrash: String { "Report the failure, together with the command that reproduces it:" }
  var tryMore: String {
    "Have the scenario try what it left out: more people, more time, or adversaries. “Documented rules” gives the reasons."
  }
  var findChange: String {
    "Look at the figures below that grew, and find out what changed in between."
  }
  func acceptChange(isKnown: Bool) -> String {
    "If the change is wanted, make this run the new baseline\(whereIs(isKnown)):"
  }
  func holdNextAgainst(isKnown: Bool) -> String {
    "Make this run the baseline that later ones are held against\(whereIs(isKnown)):"
  }
  func repeatForBaseline(_ need: Int) -> String {
    "A baseline that later runs are held against takes at least \(many(need, "replication", "replications")):"
  }
  private func whereIs(_ isKnown: Bool) -> String {
    isKnown ? "" : "; FOLDER stands for where its files lie"
  }
  var lookAtViolation: String { "See what happened when a rule first broke:" }
  var lookAtTimes: String {
    "See in “Objectives” by how much, in “Response times” of which operation, and in the picture on top when; then change the backend or the objective."
  }
  var repeatAfterChange: String { "After the change, repeat the very same run:" }
  var lookAtOpenRules: String { "“Documented rules” says why they stayed open." }
  var moveBound: String {
    "The true value lies so close to the bound that more replications would not decide: choose a bound that leaves room, or make it faster."
  }

  func replicationsWouldDecide(_ count: Int) -> String {
    "About \(Figures.count(count)) replications would probably decide:"
  }

  func stayOpen(_ subjects: [String], more: Int, reason: String?) -> String {
    let others = more > 0 ? ["\(Figures.count(more)) more"] : []
    let all = subjects + others
    let list =
      all.count > 1
      ? all.dropLast().joined(separator: ", ") + " and " + all[all.count - 1] : all[0]
    return "\(list) \(all.count > 1 ? "stay" : "stays") open"
      + (reason.map { ": \($0.excerpt)." } ?? ".")
  }

  func becameSlower(_ metric: RunComparison.Metric) -> String {
    let subject = "\(metric.name.world).\(metric.name.operation) \(metric.measure.inWords)".excerpt
    return
      "“\(subject)” grew from \(metric.figure(metric.before)) to \(metric.figure(metric.after)) (\(metric.changeInWords))."
  }
}

extension FlowResult {
  /// What the backend ended, by the reason, whatever step it had reached.
  fileprivate var lossesOfBackend: [Loss] {
    var found: [Loss] = []
    for loss in steps.flatMap(\.losses) where loss.cause == .backend {
      if let place = found.firstIndex(where: { $0.reason == loss.reason }) {
        found[place].count += loss.count
      } else {
        found.append(loss)
      }
    }
    return found
  }
}
