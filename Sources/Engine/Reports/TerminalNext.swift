import Runs
import Verdicts

/// What somebody at a terminal can do after a run: one step, and the command for it where there is one.
struct TerminalNext {
  let words: String
  var command: String?

  /// - Parameter folder: Where the run's files lie.
  static func after(_ run: Run, folder: String?) -> TerminalNext? {
    let texts = Texts.english
    // How many replications it was to have, an interrupted run does not say; the scenario does.
    if run.interrupted {
      let file = Escaping.shell(run.scenario.file)
      return TerminalNext(
        words: texts.letItEnd,
        command: "rehearse run \(file) --seed \(run.seed)\(run.scenario.options)")
    }
    let accept = folder.map { "rehearse baseline accept \(Escaping.shell($0))" }
    switch run.exitCode {
    case 96: return TerminalNext(words: texts.relieveGenerator, command: run.command)
    case 69: return TerminalNext(words: texts.reachTarget, command: run.command)
    case 70: return TerminalNext(words: texts.reportCrash, command: run.command)
    case 97: return accept.map { TerminalNext(words: texts.acceptIt, command: $0) }
    default: break
    }
    switch run.verdict {
    case .fail: return afterFailure(run)
    case .inconclusive: return afterDoubt(run)
    case .notExercised: return TerminalNext(words: texts.tryRules)
    case .pass where run.isOpenAgainstBaseline:
      return run.canBeBaseline
        ? accept.map { TerminalNext(words: texts.compareMore, command: $0) } : moreForBaseline(run)
    case .pass:
      guard run.comparison == nil else { return nil }
      return run.canBeBaseline
        ? accept.map { TerminalNext(words: texts.compareNext, command: $0) } : moreForBaseline(run)
    }
  }

  private static func moreForBaseline(_ run: Run) -> TerminalNext {
    let need = ChangeJudgement.fewest
    return TerminalNext(
      words: Texts.english.repeatForBaseline(need), command: run.command(replications: need))
  }

  /// The command that shows a violation stands beside it already.
  private static func afterFailure(_ run: Run) -> TerminalNext {
    let texts = Texts.english
    if run.limits.contains(where: { $0.verdict == .fail && !$0.evidence.isEmpty }) {
      return TerminalNext(words: texts.repeatIt, command: run.command)
    }
    let isMissed = run.objectives.contains { $0.verdict == .fail }
    return TerminalNext(words: isMissed ? texts.seeWhen : texts.tryRules)
  }

  private static func afterDoubt(_ run: Run) -> TerminalNext {
    let texts = Texts.english
    let open = run.objectives.filter { $0.verdict == .inconclusive }
    if let all = run.replicationsToDecide {
      return TerminalNext(
        words: texts.moreWouldDecide, command: run.command(replications: all))
    }
    guard !open.isEmpty else { return TerminalNext(words: texts.openRules) }
    // Of what never happened, no other bound says more.
    return TerminalNext(
      words: open.contains(where: \.isMeasured) ? texts.nothingDecides : texts.tryRules)
  }
}

extension Run {
  /// Whether later runs can be held against it by more than its digest.
  var canBeBaseline: Bool { replications.count >= ChangeJudgement.fewest }

  /// Nothing failed, and yet the run is not green: what changed against the baseline cannot be told.
  var isOpenAgainstBaseline: Bool {
    exitCode == 98 && verdict == .pass && comparison?.isDoubtThatStops == true
  }
}
