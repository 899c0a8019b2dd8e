import Contracts
import Runs
import Verdicts

/// The verdict in the words that every kind of report shares: one sentence, and what it means.
public struct Story: Sendable {
  /// One sentence that a product owner understands.
  public let headline: String
  /// What did not hold, became slower or stays open, a sentence each; empty when all is well.
  public let findings: [String]
  /// What was lived through, how slow it was and what stays unknown, a sentence each.
  public let context: [String]
  /// What to do now, the most urgent first.
  let next: [Step]
  /// `Held`, `Failed`, `Cannot tell` … as the first word shows it.
  public let word: String
  /// The verdict whose sign and colour go with the word: what is no statement about the backend is never green.
  let shown: Verdict

  public init(of run: Run) {
    let counts = Counts(run)
    word = Self.word(run)
    shown =
      run.exitCode == 97
      ? .fail
      : word == Texts.english.measured
        ? .notExercised : word == Texts.english.word(run.verdict) ? run.verdict : .inconclusive
    findings = Self.findings(run, counts)
    let said =
      run.generator == nil ? Self.headline(run, counts) : Self.headline(ofLoad: run, counts)
    headline = ([said] + Self.restarts(run)).joined(separator: " ")
    if let generator = run.generator {
      context = Self.context(ofLoad: run, generator)
      next = Step.all(afterLoad: run, generator)
    } else {
      context = Self.context(run, counts)
      next = Step.all(after: run, counts)
    }
  }

  /// What the sentences count.
  struct Counts {
    let broken: [LimitResult]
    let held: [LimitResult]
    let open: [LimitResult]
    let undecided: [ObjectiveResult]
    let untried: Int
    let missed: [ObjectiveResult]
    let met: Int
    let tries: Int

    var tried: Int { broken.count + held.count }
    var doubtful: Int { open.count + undecided.count }
    /// What came to a verdict either way.
    var judged: Int { tried + missed.count + met }
    /// Rules that held in so few tries that one in twenty may break them.
    var seldomTried: [LimitResult] { held.filter { $0.openShare != nil } }

    init(_ run: Run) {
      broken = run.limits.filter { $0.verdict == .fail }
      held = run.limits.filter { $0.verdict == .pass }
      open = run.limits.filter { $0.verdict == .inconclusive }
      undecided = run.objectives.filter { $0.verdict == .inconclusive }
      untried = run.limits.count { $0.verdict == .notExercised }
      missed = run.objectives.filter { $0.verdict == .fail }
      met = run.objectives.count { $0.verdict == .pass }
      tries = held.reduce(0) { $0 + $1.exercised }
    }
  }

  private static func word(_ run: Run) -> String {
    let texts = Texts.english
    if run.interrupted { return texts.interrupted }
    if [96, 69, 70].contains(run.exitCode) { return texts.invalid }
    if run.exitCode == 97 { return texts.regression }
    if run.isOpenAgainstBaseline { return texts.inconclusive }
    if run.generator != nil, run.verdict == .notExercised { return texts.measured }
    return texts.word(run.verdict)
  }

  private static func headline(_ run: Run, _ counts: Counts) -> String {
    let texts = Texts.english
    switch run.exitCode {
    case _ where run.interrupted: return texts.runInterrupted
    case 96: return texts.runInvalid
    case 69: return texts.runUnreachable
    case 70: return texts.runCrashed
    case 97:
      if let comparison = run.comparison {
        return texts.slowerThanBaseline(TerminalComparison.sentence(comparison))
      }
    case 98 where run.isOpenAgainstBaseline:
      if let comparison = run.comparison {
        return texts.comparisonCannotTell(TerminalComparison.sentence(comparison))
      }
    default: break
    }
    switch run.verdict {
    case .fail:
      return texts.broke(
        rules: counts.broken.count, tried: counts.tried, untried: counts.untried,
        objectives: counts.missed.count, objectiveCount: run.objectives.count)
    case .inconclusive where counts.judged == 0: return texts.nothingJudged
    case .inconclusive: return texts.cannotTell(counts.doubtful)
    case .notExercised: return run.objectives.isEmpty ? texts.nothingTried : texts.nothingJudged
    case .pass:
      let met = counts.met
      if counts.held.isEmpty, met == 0 { return texts.nothingTried }
      let held =
        counts.held.isEmpty
        ? texts.metOnly(objectives: met)
        : texts.kept(
          rules: counts.held.count, objectives: met, objectiveCount: met,
          seldom: counts.seldomTried.count)
      return ([held] + reservations(run)).joined(separator: " ")
    }
  }

  /// What a green verdict does not say: failures of which nothing was demanded, and how little was tried.
  static func reservations(_ run: Run) -> [String] {
    let texts = Texts.english
    let isLoad = run.generator != nil
    var sentences: [String] = []
    let share = run.requests > 0 ? Double(run.withoutAnswer) / Double(run.requests) : 0
    // A scenario loses requests by its own faults and its network; over HTTP it is the server that loses them.
    let isOverHTTP = run.latencies.contains { $0.basis == .overHTTP }
    if share >= (isOverHTTP ? 0.000_1 : 0.05), !run.demandsErrors {
      sentences.append(texts.errorsNotDemanded(share, calls: isLoad))
    }
    if isLoad {
      guard run.requests < fewCalls else { return sentences }
      return sentences + [texts.littleTried([texts.many(run.requests, "call", "calls")])]
    }
    guard run.replications.count < fewReplications else { return sentences }
    let little: [String?] = [
      texts.repeated(run.replications.count),
      run.limits.isEmpty || run.hasAdversaries ? nil : texts.noAdversaries,
      run.objectives.isEmpty ? texts.noObjective : nil,
    ]
    return sentences + [texts.littleTried(little.compactMap(\.self))]
  }

  /// What is seen of a server that did not stay the same during the run.
  private static func restarts(_ run: Run) -> [String] {
    let texts = Texts.english
    return [
      run.machine.punctuality?.serverClockOff.map(texts.serverClockOff),
      run.outage.map {
        texts.outage($0, isOfSeveral: run.generator == nil && run.replications.count > 1)
      },
    ].compactMap(\.self)
  }

  /// With fewer there is no interval of anything.
  private static let fewReplications = 10
  /// With fewer one failure in a hundred is missed in more than a third of all loads.
  private static let fewCalls = 100

  /// More than three sentences are not read.
  private static let shown = 3

  private static func findings(_ run: Run, _ counts: Counts) -> [String] {
    let texts = Texts.english
    let failures = failures(counts)
    if !failures.isEmpty { return failures }
    if run.exitCode == 96, let punctuality = run.machine.punctuality { return punctuality.breaches }
    if run.exitCode == 97, let comparison = run.comparison {
      let slower = comparison.metrics.filter { $0.change.verdict == .regression }
      return slower.prefix(shown).map(texts.becameSlower)
    }
    guard run.verdict == .inconclusive else { return [] }
    let open =
      counts.undecided.map { ("“\($0.text.excerpt)”", $0.reason) }
      + counts.open.map {
        ("“\($0.statement.withoutStop.excerpt)” (\($0.id.excerpt))", $0.reason)
      }
    return Array(together(open).prefix(shown))
  }

  /// What stays open for the same reason stands in one sentence.
  private static func together(_ open: [(subject: String, reason: String?)]) -> [String] {
    var reasons: [String?] = []
    for item in open where !reasons.contains(item.reason) { reasons.append(item.reason) }
    return reasons.map { reason in
      let alike = open.filter { $0.reason == reason }.map(\.subject)
      let more = alike.count - shown
      return Texts.english.stayOpen(
        more > 0 ? Array(alike.prefix(shown)) : alike, more: max(0, more), reason: reason)
    }
  }

  private static func failures(_ counts: Counts) -> [String] {
    let texts = Texts.english
    var sentences: [String] = []
    for limit in counts.broken.prefix(shown) {
      sentences.append(
        texts.didNotHold(
          limit.statement.withoutStop.excerpt, id: limit.id.excerpt, violations: limit.violations,
          tries: limit.exercised))
    }
    for objective in counts.missed.prefix(max(1, shown - counts.broken.count)) {
      sentences.append(
        texts.missed(
          objective.text.excerpt, figure: objective.estimateInWords,
          reason: objective.reason?.excerpt))
    }
    let failures = counts.broken.count + counts.missed.count
    if failures > sentences.count { sentences.append(texts.notShown(failures - sentences.count)) }
    return sentences
  }

  private static func context(_ run: Run, _ counts: Counts) -> [String] {
    let texts = Texts.english
    var sentences = [
      texts.lived(
        persons: run.persons, requests: run.requests, replications: run.replications.count,
        each: Figures.duration(run.virtualSeconds))
    ]
    sentences += run.centralBusiness.prefix(shown).compactMap(\.outcomeInWords)
    sentences += run.lateBusiness.prefix(shown).compactMap { late in
      late.latenessInWords.map { "“\(late.title.excerpt)”: \($0)" }
    }
    if counts.broken.isEmpty, !counts.held.isEmpty {
      sentences.append(texts.triedAndHeld(counts.tries, rules: counts.held.count))
    }
    if let least = counts.seldomTried.min(by: { $0.exercised < $1.exercised }),
      let bound = least.openShare
    {
      sentences.append(
        texts.triedSeldom(
          counts.seldomTried.count, fewest: least.id.excerpt,
          statement: least.statement.withoutStop.excerpt, tries: least.exercised, bound: bound))
    }
    let lost = run.withoutAnswer
    if lost > 0, run.requests > 0 {
      sentences.append(texts.withoutAnswer(Double(lost) / Double(run.requests)))
    }
    if let comparison = run.comparison, run.exitCode != 97, !run.isOpenAgainstBaseline {
      sentences.append(texts.comparison + ": " + TerminalComparison.sentence(comparison))
    }
    if let slowest = run.notableOperations.first, let tail = run.tailSentence {
      sentences.append(tail)
      if slowest.basis == .modelled {
        sentences.append(texts.timesAreModelled(isNetwork: slowest.isNetwork))
      }
    }
    sentences += run.settling?.sentences ?? []
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
  /// Whether its tail says next to nothing about the backend.
  fileprivate var isNetwork: Bool {
    guard let q = tailQuantile?.q, let parts = parts(forQuantile: q) else { return false }
    return parts.network >= 0.9 * parts.seconds
  }

  fileprivate var tailSentence: String? {
    guard let last = tailQuantile else { return nil }
    guard let seconds = last.seconds else {
      return Texts.english.neverCame(title.excerpt, share: 1 - last.q)
    }
    return Texts.english.waitedLonger(
      "\(title) (\(world))".excerpt, share: 1 - last.q, than: Figures.duration(seconds),
      parts: parts(forQuantile: last.q).map(Texts.english.parts))
  }
}

extension Run {
  /// Requests without a usable answer, other than those of which no server was asked; of those that its end cut off nobody knows.
  var withoutAnswer: Int { withoutAnswer { _ in true } }

  private func withoutAnswer(where isMeant: (Tally) -> Bool) -> Int {
    let lost = unknowns.filter { $0.code != UnknownCause.runEnded.rawValue }
    let refused = unsents.filter { !$0.isNotAsked }
    return (lost + refused).filter(isMeant).reduce(0) { $0 + $1.count }
  }

  var wereOffline: Bool { unsents.contains { $0.code == UnsentCause.offline.rawValue } }
}

extension Tally {
  /// Of calls that were never sent: whether no server is to blame.
  var isNotAsked: Bool { UnsentCause(rawValue: code)?.isNotAsked ?? false }
}

extension Run {
  /// An objective's errors by whether a request was sent at all; `nil` where its figures cannot be told from those of the whole run.
  func errorParts(of objective: ObjectiveResult) -> (lost: Double, offline: Double)? {
    let words = objective.text.split(separator: " ")
    guard let estimate = objective.estimate, words.first == "errors", words.count > 1 else {
      return nil
    }
    let subject = words[1] == "of" && words.count > 2 ? String(words[2]) : nil
    let rest = words.dropFirst(subject == nil ? 1 : 3)
    guard let sign = rest.first?.first, "<>=≤≥".contains(sign), !rest.contains("in"),
      !rest.contains("from")
    else { return nil }
    func isMeant(_ tally: Tally) -> Bool {
      subject.map { $0 == tally.world || $0 == tally.world + "." + tally.operation } ?? true
    }
    let own = unsents.filter { $0.code == UnsentCause.offline.rawValue && isMeant($0) }
    let offline = own.reduce(0) { $0 + $1.count }
    let lost = withoutAnswer(where: isMeant)
    guard offline > 0, lost > 0 else { return nil }
    let share = estimate * Double(offline) / Double(offline + lost)
    return (estimate - share, share)
  }

  /// On the slowest operation that people meet; of a backend's that lie beyond what was answered, none is slower than the others.
  var tailSentence: String? {
    let notable = notableOperations
    guard let slowest = notable.first, let last = slowest.tailQuantile else { return nil }
    let alike = notable.filter { other in
      other.world == slowest.world && other.tailQuantile?.q == last.q && other.tail == .infinity
    }
    guard let least = alike.last, alike.count > 1 else { return slowest.tailSentence }
    return Texts.english.neverCame(
      in: slowest.world.excerpt, operations: alike.count, share: 1 - last.q,
      range: Figures.shares(least.withoutAnswer, slowest.withoutAnswer),
      most: slowest.title.excerpt)
  }

  fileprivate var demandsErrors: Bool { objectives.contains { $0.text.hasPrefix("errors") } }
  /// Whether anybody broke rules on purpose.
  var hasAdversaries: Bool {
    funnel.contains { JourneysModel.MatrixCell.isAdversary($0.role) && $0.persons > 0 }
  }
}

extension String {
  /// Short enough to leave the rest of a sentence in sight.
  var excerpt: String { Escaping.visible(self, limit: 200) }

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
