import Runs
import Verdicts

extension Story {
  /// Something that a reader can do now, and the command that does it where there is one.
  struct Step: Sendable {
    let words: String
    var command: String?

    static func all(after run: Run, _ counts: Counts) -> [Step] {
      let texts = Texts.english
      if run.interrupted { return [Step(words: texts.runToItsEnd, command: run.command)] }
      switch run.exitCode {
      case 96: return [Step(words: texts.relieveGenerator, command: run.command)]
      case 69: return [Step(words: texts.reachTarget, command: run.command)]
      case 70: return [Step(words: texts.reportCrash, command: run.command)]
      default: break
      }
      switch run.verdict {
      case .fail: return failed(run, counts)
      case .inconclusive: return [undecided(run, counts)]
      case .notExercised: return [Step(words: texts.tryMore)]
      case .pass where run.exitCode == 97:
        return [
          Step(words: texts.findChange),
          Step(words: texts.acceptChange(isKnown: !run.folder.isEmpty), command: accept(run)),
        ]
      case .pass:
        let doubt = counts.undecided.isEmpty ? [] : [undecided(run, counts)]
        let look = texts.lookAt(run, counts).map { Step(words: $0) }
        return look + doubt + (run.comparison == nil ? [keep(run)] : [])
      }
    }

    /// What later runs can be held against: this one, where it has the replications for that.
    private static func keep(_ run: Run) -> Step {
      let texts = Texts.english
      guard run.canBeBaseline else {
        let need = ChangeJudgement.fewest
        return Step(
          words: texts.repeatForBaseline(need), command: run.command(replications: need))
      }
      return Step(
        words: texts.holdNextAgainst(isKnown: !run.folder.isEmpty), command: accept(run))
    }

    /// With the run's own folder wherever that is known.
    private static func accept(_ run: Run) -> String {
      "rehearse baseline accept " + (run.folder.isEmpty ? "FOLDER" : Escaping.shell(run.folder))
    }

    private static func failed(_ run: Run, _ counts: Counts) -> [Step] {
      let texts = Texts.english
      var steps: [Step] = []
      if let evidence = counts.broken.lazy.compactMap(\.evidence.first).first {
        steps.append(Step(words: texts.lookAtViolation, command: evidence.command))
      }
      if !counts.missed.isEmpty { steps.append(Step(words: texts.lookAtTimes)) }
      if counts.broken.isEmpty, counts.missed.isEmpty { steps.append(Step(words: texts.tryMore)) }
      return steps + [Step(words: texts.repeatAfterChange, command: run.command)]
    }

    /// More replications, as many as the most demanding result asks for; where none helps, another bound.
    private static func undecided(_ run: Run, _ counts: Counts) -> Step {
      let texts = Texts.english
      guard let all = run.replicationsToDecide else {
        guard !counts.undecided.isEmpty else { return Step(words: texts.lookAtOpenRules) }
        return Step(
          words: counts.undecided.contains(where: \.isMeasured) ? texts.moveBound : texts.tryMore)
      }
      return Step(
        words: texts.replicationsWouldDecide(all), command: run.command(replications: all))
    }
  }
}
