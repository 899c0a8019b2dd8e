import Observations
import Runs

/// Words of a load's pictures, as templates read them.
struct LoadTexts: Sendable {
  let chart = "The load over its time"
  let phases = "Response times by phase"
  let failures = "Calls without a usable answer, by what failed"
  let partsShort = ["calls a second", "response time", "no answer"]
  let wantedLegend = "calls wanted"
  let answeredLegend = "usable answers that came"
  let heatLegend = "the darker, the more calls took so long"
  let lostLegend = "no usable answer, as a share of calls"
  let phaseLegend = "numbers: phases"
  let promise =
    "Another run gives other figures: compare several by turns on one machine, not one with one."
  let ninetyLegend = "9 in 10 took at most (p90)"

  func perSecondShort(_ rate: String) -> String { rate + "/s" }

  func phasesSummary(_ count: Int, low: String, high: String) -> String {
    "\(count) phases in the order of time, response times between \(low) and \(high)."
  }

  func slice(
    at time: String, wanted: String?, answered: String, lost: String, p50: String?, p99: String?
  ) -> String {
    let times = [p50.map { "p50 \($0)" }, p99.map { "p99 \($0)" }].compactMap(\.self)
    return
      ([time] + (wanted.map { ["\($0)/s wanted"] } ?? [])
      + ["\(answered)/s answered", "\(lost) without answer"] + times).joined(separator: " · ")
  }

  func chartSummary(
    wanted: String?, answered: String, p50: String?, p99: String?, errors: String
  ) -> String {
    let rate =
      (wanted.map { "At most \($0) calls a second wanted, " } ?? "At most ")
      + "\(answered) answers a second came"
    let times = [p50.map { "p50 at most \($0)" }, p99.map { "p99 at most \($0)" }]
      .compactMap(\.self)
    return ([rate] + times + ["at most \(errors) of calls without an answer"])
      .joined(separator: "; ") + "."
  }
}

/// The words of a load against a server.
extension Texts {
  var measured: String { "Measured" }
  var perSecondOfAnswers: String { "answers/s" }
  var lateness: String { "Lateness" }
  var serviceTime: String { "Service time of" }
  var core: String { "One core" }
  var requestsSent: String { "Requests sent" }
  var usersPauses: String { "Pauses of users" }
  var phase: String { "Phase" }
  var missedCalls: String { "Calls never begun" }
  var reasonInvalid: String { "Why the run does not count" }
  var generatorKept: String {
    """
    The generator kept up with its schedule: lateness, pauses and processor time stayed within their limits. Lateness is part of \
    each response time.
    """
  }
  var loadNothingDemanded: String {
    "Nothing was demanded, so there is no verdict: these are the figures."
  }
  var loadNothingUsable: String { "No call got a usable answer, so nothing was measured." }
  var demandSomething: String { "To get a verdict, demand something:" }
  var repeatLoad: String { "Change what made it slow, and repeat the same load:" }
  var loadLonger: String { "Load longer, so that the parts tell more:" }
  var lengthDoesNotDecide: String {
    "A longer load alone would not decide; the reason beside the objective says what would."
  }
  func errorsNotDemanded(_ share: Double, calls: Bool) -> String {
    "\(Figures.share(share)) of the \(calls ? "calls got no usable" : "requests got no") answer, and no objective is about errors."
  }
  func oneRunOf(parts: Int) -> String {
    "one run, its intervals from \(many(parts, "part", "parts"))"
  }
  /// - Parameter isOfSeveral: Whether the time is one of several replications.
  func outage(_ outage: Outage, isOfSeveral: Bool) -> String {
    let kinds = [(outage.refused, "refused"), (outage.ended, "ended without an answer")]
      .filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) \($0.1)" }
    let all = outage.refused + outage.ended
    let from = Figures.duration(outage.from)
    let to = Figures.duration(outage.to)
    let when = from == to ? "after \(from)" : "between \(from) and \(to)"
    return
      "The server may have been restarted, and have lost what it knew: after it had answered, \(many(all, "connection was", "connections were")) reset or refused (\(kinds.joined(separator: ", "))) \(when)\(isOfSeveral ? " of a replication" : "")."
  }
  func serverClockOff(_ seconds: Double) -> String {
    "The served twin was reset or started again during the run, and lost what it knew: at the end its clock is \(Figures.duration(seconds)) off the run's."
  }
  func pauses(_ count: Int) -> String {
    "\(many(count, "time", "times")) a user waited 100 ms, because its call had got no answer"
  }
  func littleTried(_ what: [String]) -> String {
    "Little was tried: \(what.joined(separator: ", "))."
  }
  var loadUnreachable: String { "The server was not reached, so nothing was measured." }
  var generatorNoKeeping: String {
    "The load generator could not keep up, so this run says nothing about the server."
  }

  func wanted(_ generator: GeneratorResult) -> String {
    let reached = perSecond(Figures.number(generator.reachedPerSecond))
    guard let wanted = generator.wantedPerSecond else {
      return
        "\(generator.pace) got \(reached) answers over \(many(generator.connections, "connection", "connections"))."
    }
    return
      "\(perSecond(Figures.number(wanted))) were wanted and \(reached) answered, over at most \(many(generator.connections, "connection", "connections"))."
  }

  /// `30 = 20 counted + 10 of the warm-up; 3 calls never sent`.
  func requests(_ calls: RequestTally) -> String {
    let parts = [
      (calls.counted, "counted"), (calls.ofWarmUp, "of the warm-up"),
      (calls.ofHarness, "of the harness itself"),
      (calls.repeated, "sent again (kept connection had ended)"), (calls.redirected, "redirected"),
      (calls.abandoned, "abandoned at the end"),
    ].filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) \($0.1)" }
    let sum =
      Figures.count(calls.sent)
      + (parts.isEmpty
        ? ""
        : calls.sent == calls.counted ? ", all counted" : " = " + parts.joined(separator: " + "))
    guard calls.unsent > 0 else { return sum }
    return sum + "; \(many(calls.unsent, "call", "calls")) never sent"
  }

  func withinLimit(_ value: String, _ limit: String) -> String { "\(value) (limit \(limit))" }

  func failing(_ share: Double, _ kinds: [String]) -> String {
    "\(Figures.share(share)) of the calls got no usable answer: \(kinds.joined(separator: ", "))."
  }
}

extension Run {
  /// Causes of calls without a usable answer, the most frequent first.
  var failures: [(code: String, count: Int)] {
    var sums: [(code: String, count: Int)] = []
    for tally in unknowns + unsents {
      if let place = sums.firstIndex(where: { $0.code == tally.code }) {
        sums[place].count += tally.count
      } else {
        sums.append((tally.code, tally.count))
      }
    }
    return sums.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
  }
}

extension Story {
  /// `15 × status 500`.
  static func words(_ failure: (code: String, count: Int)) -> String {
    "\(Figures.count(failure.count)) × \(name(failure.code))"
  }

  /// What a class of failure is called.
  static func name(_ code: String) -> String {
    code.hasPrefix("status") ? "status \(code.dropFirst(6))" : code.excerpt
  }

  /// The same for a load against a server, where no rule of a domain is judged.
  static func headline(ofLoad run: Run, _ counts: Counts) -> String {
    let texts = Texts.english
    switch run.exitCode {
    case _ where run.interrupted: return texts.runInterrupted
    case 96: return texts.generatorNoKeeping
    case 69: return texts.loadUnreachable
    default: break
    }
    switch run.verdict {
    case .fail:
      return texts.broke(
        rules: 0, tried: 0, untried: 0, objectives: counts.missed.count,
        objectiveCount: run.objectives.count)
    case .inconclusive: return texts.cannotTell(counts.doubtful)
    case .notExercised:
      return run.latencies.contains { $0.answered > 0 }
        ? texts.loadNothingDemanded : texts.loadNothingUsable
    case .pass:
      return ([texts.metOnly(objectives: counts.met)] + reservations(run)).joined(separator: " ")
    }
  }

  static func context(ofLoad run: Run, _ generator: GeneratorResult) -> [String] {
    let texts = Texts.english
    var sentences = [texts.wanted(generator)]
    let failures = run.failures
    if !failures.isEmpty, run.requests > 0 {
      let lost = failures.reduce(0) { $0 + $1.count }
      sentences.append(
        texts.failing(
          Double(lost) / Double(run.requests),
          failures.prefix(4).map { Story.words($0) }))
    }
    if let tail = run.tailSentence {
      sentences.append(tail)
    }
    return generator.breaches.map { $0 + "." } + sentences
  }
}

extension Story.Step {
  static func all(afterLoad run: Run, _ generator: GeneratorResult) -> [Story.Step] {
    let texts = Texts.english
    let again = generator.command
    switch run.exitCode {
    case _ where run.interrupted: return [.init(words: texts.runToItsEnd, command: again)]
    case 96: return [.init(words: texts.relieveGenerator, command: again)]
    case 69: return [.init(words: texts.reachTarget, command: again)]
    default: break
    }
    switch run.verdict {
    case .fail: return [.init(words: texts.repeatLoad, command: again)]
    case .inconclusive:
      return [
        generator.longerCommand.map { .init(words: texts.loadLonger, command: $0) }
          ?? .init(words: texts.lengthDoesNotDecide)
      ]
    case .notExercised:
      return [.init(words: texts.demandSomething, command: again + " --objective \"p99 < 200ms\"")]
    case .pass: return []
    }
  }
}
