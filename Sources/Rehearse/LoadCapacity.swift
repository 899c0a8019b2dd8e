import Contracts
import Foundation
import HTTPLoad
import Observations
import Reports
import Runs
import Timekeeping
import Verdicts

/// Loads step by step until an objective breaks, and finds between which rates that happens.
struct LoadCapacity {
  /// How the search ended, and the last run at the highest rate that held.
  struct Found {
    var search: CapacitySearch
    var best: LoadStep.Ended?
    /// Of all steps.
    var calls = GeneratorResult.Calls()
    /// Of the generator's, where it was the limit.
    var breaches: [String] = []
    var wasStopped = false
    /// Steps at the end in which no connection was accepted any more.
    var stepsUnreached = 0
    /// Whether the server went away meanwhile.
    var isGone: Bool { stepsUnreached >= 2 }

    var exitCode: ExitStatus {
      if wasStopped { return .interrupted }
      if isGone { return .targetUnreachable }
      if !breaches.isEmpty { return .generatorWasTheLimit }
      return switch search.result {
      case .found: .allHeld
      case .notReached, .cannotTell, .unfinished: .inconclusive
      case .neverHeld: .failed
      }
    }
  }

  let options: LoadOptions
  let step: (LoadOptions) throws -> LoadStep.Ended
  let isStopped: () -> Bool
  let say: (String) -> Void

  func find() throws -> Found {
    var found = Found(
      search: CapacitySearch(from: options.rate.perSecond, most: LoadOptions.ratesMost))
    var bestRate = 0.0
    while !found.isGone, let rate = found.search.next {
      var own = options
      own.capacity = false
      own.givenRate = Rate(perSecond: Self.rounded(rate))
      own.time = lasts(at: rate, after: found.search.steps)
      let ended = try step(own)
      let calls = ended.run.generator?.calls ?? GeneratorResult.Calls()
      found.calls = found.calls + calls
      found.stepsUnreached = calls.sent == 0 && calls.unsent > 0 ? found.stepsUnreached + 1 : 0
      found.wasStopped = ended.run.interrupted || isStopped()
      if found.wasStopped { return found }
      found.breaches = ended.run.generator?.breaches ?? []
      let outcome = Self.outcome(of: ended.run)
      say(Self.line(own.rate, found.breaches.isEmpty ? Self.words(outcome) : "invalid", ended.run))
      if !found.breaches.isEmpty { return found }
      found.search.note(outcome, at: rate)
      if outcome == .held, rate >= bestRate { (bestRate, found.best) = (rate, ended) }
      // What an overloaded server still has to do is not the next step's.
      if outcome == .broke { usleep(1_000_000) }
    }
    return found
  }

  /// What could not be told is tried again for longer.
  private func lasts(at rate: Double, after steps: [CapacitySearch.Step]) -> Span {
    let undecided = steps.count { $0.perSecond == rate && $0.outcome == .undecided }
    return min(options.lasts * Int64(1 << min(undecided, 2)), LoadOptions.longest)
  }

  /// Rates that people read; no two steps of a search come to one.
  private static func rounded(_ rate: Double) -> Double {
    let digits = rate >= 1_000 ? 1.0 : rate >= 100 ? 10 : 1_000
    return (rate * digits).rounded() / digits
  }

  private static func outcome(of run: Run) -> CapacitySearch.Outcome {
    let verdicts = run.objectives.map(\.verdict)
    if verdicts.contains(.fail) || run.latencies.allSatisfy({ $0.answered == 0 }) { return .broke }
    return verdicts.allSatisfy { $0 == .pass } ? .held : .undecided
  }

  private static func words(_ outcome: CapacitySearch.Outcome) -> String {
    switch outcome {
    case .held: "held"
    case .broke: "broke"
    case .undecided: "cannot tell"
    }
  }

  private static func line(_ rate: Rate, _ word: String, _ run: Run) -> String {
    "  \(pad(rate.text, 12)) \(pad(word, 12)) \(TerminalLoad.objectivesInALine(run))"
  }

  private static func pad(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - text.count))
  }

  // MARK: - What is said at the end

  static func summary(_ found: Found, _ objectives: [String]) -> String {
    let demanded = objectives.joined(separator: ", ")
    func ends(_ held: Double, _ broke: Double) -> String {
      "between \(text(held)) (\(times(.held, at: held, found.search))) and \(text(broke)) (\(times(.broke, at: broke, found.search)))"
    }
    if found.wasStopped {
      return "Stopped before the capacity was found, after \(found.search.steps.count) steps."
    }
    if found.isGone {
      return
        "The server went away: it accepted no connection in the last \(found.stepsUnreached) of \(found.search.steps.count) steps."
    }
    let limit = found.breaches.map { "\n  \(Escaping.visible($0, limit: 300))" }.joined()
    switch found.search.result {
    case .found(let held, let broke) where found.breaches.isEmpty:
      return "Capacity for \(demanded): \(ends(held, broke))."
    case .unfinished(let held, let broke) where found.breaches.isEmpty:
      return
        "Capacity for \(demanded): cannot tell after \(found.search.steps.count) steps; it lies \(ends(held, broke)); longer steps (--for) tell more."
    case .found(let held, _), .unfinished(let held, _), .notReached(let held):
      return
        "Capacity for \(demanded): not reached; it held at \(text(held))"
        + (limit.isEmpty ? ", the most that is tried." : ", then the generator was the limit:")
        + limit
    case .neverHeld(let lowest):
      return limit.isEmpty
        ? "Capacity for \(demanded): none; nothing held, and it broke at \(text(lowest)), the lowest rate that could be told."
        : "Capacity for \(demanded): not found; the generator was the limit:" + limit
    case .cannotTell(let rate):
      return limit.isEmpty
        ? "Capacity for \(demanded): cannot tell, not even at \(text(rate)); longer steps (--for) tell more."
        : "Capacity for \(demanded): not found; the generator was the limit:" + limit
    }
  }

  /// `held 3 of 4 times, 1 cannot tell`: what happened at one rate.
  private static func times(
    _ outcome: CapacitySearch.Outcome, at rate: Double, _ search: CapacitySearch
  ) -> String {
    let (count, undecided) = (search.count(outcome, at: rate), search.count(.undecided, at: rate))
    return "\(words(outcome)) \(count) of \(count + undecided) times"
      + (undecided > 0 ? ", \(undecided) cannot tell" : "")
  }

  private static func text(_ rate: Double) -> String { Rate(perSecond: rounded(rate)).text }

  /// `capacity.json`: the answer and every step, in the order in which they were tried.
  static func document(_ found: Found, _ objectives: [String], command: String) -> JSON {
    var object: JSONObject = [
      "calls": GeneratorDocument.json(found.calls),
      "command": .string(command), "objectives": .strings(objectives),
      "exitCode": .number(Int(found.exitCode.rawValue)), "breaches": .strings(found.breaches),
      "steps": .array(
        found.search.steps.map {
          ["perSecond": .double(rounded($0.perSecond)), "outcome": .string(words($0.outcome))]
        }),
    ]
    switch found.search.result {
    case .found(let held, let broke), .unfinished(let held, let broke):
      object["heldPerSecond"] = .double(rounded(held))
      object["brokePerSecond"] = .double(rounded(broke))
    case .notReached(let held): object["heldPerSecond"] = .double(rounded(held))
    case .cannotTell: break
    case .neverHeld(let lowest): object["brokePerSecond"] = .double(rounded(lowest))
    }
    return .object(object)
  }
}
