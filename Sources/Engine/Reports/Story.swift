import Runs
import Verdicts

/// The verdict in the words that every kind of report shares: one sentence, and what it means.
public struct Story: Sendable {
  /// One sentence that a product owner understands.
  public let headline: String
  /// What it means for people, a sentence each.
  public let meaning: [String]
  /// `Held`, `Failed`, `Cannot tell` … as the first word shows it.
  public let word: String

  public init(of run: Run) {
    let counts = Counts(run)
    word = Self.word(run)
    headline = Self.headline(run, counts)
    meaning = Self.meaning(run, counts)
  }

  /// What the sentences count.
  struct Counts {
    let broken: [LimitResult]
    let held: [LimitResult]
    let doubtful: Int
    let untried: Int
    let missed: [ObjectiveResult]
    let tries: Int

    var tried: Int { broken.count + held.count }

    init(_ run: Run) {
      broken = run.limits.filter { $0.verdict == .fail }
      held = run.limits.filter { $0.verdict == .pass }
      let openLimits = run.limits.count { $0.verdict == .inconclusive }
      doubtful = openLimits + run.objectives.count { $0.verdict == .inconclusive }
      untried = run.limits.count { $0.verdict == .notExercised }
      missed = run.objectives.filter { $0.verdict == .fail }
      tries = held.reduce(0) { $0 + $1.exercised }
    }
  }

  private static func word(_ run: Run) -> String {
    let texts = Texts.english
    if run.interrupted { return texts.interrupted }
    if [96, 69, 70].contains(run.exitCode) { return texts.invalid }
    return texts.word(run.verdict)
  }

  private static func headline(_ run: Run, _ counts: Counts) -> String {
    let texts = Texts.english
    switch run.exitCode {
    case _ where run.interrupted: return texts.runInterrupted
    case 96: return texts.runInvalid
    case 69: return texts.runUnreachable
    case 70: return texts.runCrashed
    default: break
    }
    let several = run.scenario.worlds.count > 1
    switch run.verdict {
    case .fail:
      return texts.broke(
        rules: counts.broken.count, tried: counts.tried, untried: counts.untried,
        objectives: counts.missed.count, objectiveCount: run.objectives.count, several: several)
    case .inconclusive: return texts.cannotTell(counts.doubtful)
    case .notExercised: return texts.nothingTried
    case .pass:
      let met = run.objectives.count { $0.verdict == .pass }
      if counts.held.isEmpty {
        return met > 0 ? texts.metOnly(objectives: met) : texts.nothingTried
      }
      return texts.kept(
        rules: counts.held.count, objectives: met, objectiveCount: met, several: several)
    }
  }

  private static func meaning(_ run: Run, _ counts: Counts) -> [String] {
    let texts = Texts.english
    var sentences: [String] = []
    let shown = 3
    for limit in counts.broken.prefix(shown) {
      sentences.append(
        texts.didNotHold(
          limit.statement.withoutStop, id: limit.id, violations: limit.violations,
          tries: limit.exercised))
    }
    for objective in counts.missed.prefix(max(1, shown - counts.broken.count)) {
      sentences.append(
        texts.missed(objective.text, figure: objective.estimate.map(objective.figure)))
    }
    let failures = counts.broken.count + counts.missed.count
    if failures > sentences.count { sentences.append(texts.notShown(failures - sentences.count)) }
    sentences.append(
      texts.lived(
        persons: run.persons, requests: run.requests, replications: run.replications.count,
        each: Figures.duration(run.virtualSeconds)))
    if failures == 0, !counts.held.isEmpty {
      sentences.append(texts.triedAndHeld(counts.tries, rules: counts.held.count))
    }
    if let slowest = run.slowestFirst.first, let tail = slowest.tailSentence {
      sentences.append(tail)
      if slowest.basis == .modelled { sentences.append(texts.timesAreModelled) }
    }
    if counts.doubtful > 0, run.verdict == .pass {
      sentences.append(texts.allowedDoubt(counts.doubtful))
    } else if counts.doubtful > 0, run.verdict == .fail {
      sentences.append(texts.alsoDoubtful(counts.doubtful))
    }
    if counts.untried > 0 { sentences.append(texts.untried(counts.untried)) }
    return sentences
  }
}

extension LatencyResult {
  fileprivate var tailSentence: String? {
    guard let last = quantiles.last(where: { $0.q <= 0.99 + 1e-9 }) else { return nil }
    let share = Figures.percent(last.q)
    guard let seconds = last.seconds else { return Texts.english.slowestNever(title, share: share) }
    return Texts.english.slowestOperation(title, figure: Figures.duration(seconds), share: share)
  }
}

extension String {
  /// Without the full stop that would stand inside a longer sentence.
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Texts {
  public func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: pass
    case .fail: fail
    case .inconclusive: inconclusive
    case .notExercised: notExercised
    }
  }

  func name(_ basis: Basis) -> String {
    switch basis {
    case .modelled: modelled
    case .inProcess: inProcess
    case .overHTTP: overHTTP
    }
  }
}
