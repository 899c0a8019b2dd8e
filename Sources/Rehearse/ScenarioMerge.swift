import Contracts
import Observations
import PartFiles
import Reports
import Runs
import Scenarios
import Verdicts

/// Replications of the parts of one run. Each part gives its own as soon as it is read, so that only one is there with its bytes.
struct MergedReplications {
  /// The run that the first part is of.
  let work: ScenarioRun
  private let bytes: [UInt8]
  private let empty: ScenarioOutcome
  /// By round.
  private var rounds: [Int: ScenarioOutcome] = [:]
  private var seen: Set<Int> = []
  /// Of a run that several generators lived at once: what each of them saw of its only replication, by the numbers of the parts.
  private(set) var generators: [Int: ReplicationResult] = [:]
  /// What the first one judged in each of its worlds; the others judged the same.
  private var limits: [[LimitID]]?

  /// - Throws: The exit code, where the scenario cannot be read; problems are printed.
  init(_ part: Part, path: String) throws {
    bytes = part.work
    let task: ScenarioWork
    do throws(PackingProblem) {
      task = try ScenarioWork(part.work)
    } catch {
      throw PartFileProblem.damaged
    }
    do throws(ScenarioErrors) {
      work = try task.run()
    } catch {
      Console.error(error.description)
      Console.error(
        "\(path): this program cannot read the scenario of this part; merge with what made it")
      throw ExitStatus.invalidInput.thrown
    }
    empty = ScenarioOutcome(of: work)
  }

  /// Takes what a part of the same run came to; one that is there twice is for others to name.
  mutating func take(_ part: inout Part) throws(PartFileProblem) {
    guard part.work == bytes else { return }
    var outcome = empty
    do throws(PackingProblem) {
      try outcome.unpack(part.outcome)
    } catch {
      throw .damaged
    }
    let (share, numbers) = (part.share, outcome.results.map(\.index))
    for result in outcome.results {
      let judged = result.worlds.map { $0.limits.map(\.id) }
      limits = limits ?? judged
      guard result.seed == work.scenario.seed(ofReplication: result.index), judged == limits else {
        throw .damaged
      }
    }
    part.outcome = []
    guard work.division == nil else {
      guard numbers == [0] else { throw .damaged }
      generators[share.number] = outcome.results[0]
      return
    }
    guard numbers.allSatisfy(share.takes), Set(numbers).count == numbers.count else {
      throw .damaged
    }
    guard seen.isDisjoint(with: numbers) else { return }
    seen.formUnion(numbers)
    rounds[part.round, default: empty].merge(outcome)
  }

  /// By number.
  var results: [Int: ReplicationResult] {
    Dictionary(uniqueKeysWithValues: rounds.values.flatMap(\.results).map { ($0.index, $0) })
  }
}

/// Puts the parts of a run of a scenario together: what one machine's run would have made is taken from them, and judged as it would
/// have been.
struct ScenarioMerge {
  private let given: PartSet
  private let allowMissing: Bool
  private let work: ScenarioRun
  /// By number.
  private let results: [Int: ReplicationResult]

  init(_ given: PartSet, _ replications: MergedReplications, allowMissing: Bool) {
    self.given = given
    self.allowMissing = allowMissing
    work = replications.work
    results = replications.results
  }

  private static func damaged(_ path: String) -> any Error {
    Console.error("\(path): \(PartFileProblem.damaged)")
    return ExitStatus.invalidInput.thrown
  }
}

extension ScenarioMerge {
  /// Judges the run, or says what is wanted first.
  ///
  /// - Parameter inputs: The files of the parts, which are not to be replaced.
  /// - Throws: The exit code, unless it is 0.
  func judged(_ options: ResultOptions, reading inputs: [String]) throws -> (RunEnding, Run) {
    var work = work
    work.options += options.words
    let ending = try RunEnding(options, of: work.scenario, reading: inputs)
    let missing = try missing()
    let made: LookByLook.Made
    if missing.isEmpty {
      var round = 0
      let lookByLook = LookByLook(scenario: work.scenario) { wanted in
        round += 1
        return given.parts(ofRound: round).isEmpty ? nil : replications(wanted)
      }
      made = lookByLook.run(
        look: { _, _ in }, isStopped: { false },
        judge: { results, looks in
          Sufficiency(work.assemble(results, interrupted: false, looks: looks, machine: .unknown))
        })
    } else {
      made = what(isThereOf: rounds)
    }
    if let wanted = made.wanted {
      Console.error(words(of: wanted, round: rounds + 1))
      throw ExitStatus.anotherRound.thrown
    }
    guard !made.results.isEmpty else {
      Console.error("these parts hold no replication; there is nothing to report")
      throw ExitStatus.invalidInput.thrown
    }
    let lack = missing.isEmpty ? nil : lack(missing, made.results.count)
    return (
      ending,
      work.assemble(
        made.results, interrupted: false, looks: made.looks, machine: given.machine, lack: lack)
    )
  }

  private var plan: ReplicationPlan { ReplicationPlan(work.scenario) }
  private var rounds: Int { given.parts.last?.part.round ?? 0 }

  /// The replications of a range, up to the one that ends a run which is to stop early.
  private func replications(_ wanted: Range<Int>) -> [ReplicationResult] {
    var found: [ReplicationResult] = []
    for index in wanted {
      guard let result = results[index] else { break }
      found.append(result)
      if work.scenario.stopEarly, result.isViolated { break }
    }
    return found
  }

  /// All replications of rounds of which parts are missing.
  private func what(isThereOf rounds: Int) -> LookByLook.Made {
    var found = results.values.sorted { $0.index < $1.index }
    if work.scenario.stopEarly, let last = found.firstIndex(where: \.isViolated) {
      found.removeSubrange((last + 1)...)
    }
    let looks =
      plan.looks.count == 1
      ? nil : Looks(made: [found.count], planned: plan.looks.count, ended: .maximum)
    return LookByLook.Made(results: found, looks: looks)
  }

  /// The parts that are not there, by round; problems are printed and end the command with 65, unless parts may be missing.
  private func missing() throws -> [(round: Int, shares: [Share])] {
    guard rounds <= plan.looks.count else { throw Self.damaged(given.parts.last?.path ?? "") }
    let missing = (1...rounds).map { round in
      (
        round: round,
        shares: given.parts(ofRound: round).isEmpty ? [] : given.missing(fromRound: round)
      )
    }
    let absent = (1...rounds).filter { given.parts(ofRound: $0).isEmpty }
    if let round = absent.first {
      Console.error("all parts of round \(round) are missing, and parts of a later one are there")
      throw ExitStatus.invalidInput.thrown
    }
    try checkWhole()
    let found = missing.filter { !$0.shares.isEmpty }
    guard !found.isEmpty, !allowMissing else { return found }
    for (round, shares) in found {
      for share in shares {
        Console.error(
          "part \(share)\(round > 1 ? " of round \(round)" : "") is missing; make it:  \(command(share, round: round))"
        )
      }
    }
    Console.error("With --allow-missing the others are judged by themselves.")
    throw ExitStatus.invalidInput.thrown
  }

  /// Each part has all replications that it is dealt, but for those after the one that ends a run which is to stop early.
  private func checkWhole() throws {
    for named in given.parts {
      let (share, round) = (named.part.share, named.part.round)
      let dealt = plan.replications(ofRound: round).filter(share.takes)
      let there = dealt.prefix { results[$0] != nil }
      let isCut = work.scenario.stopEarly && there.last.flatMap { results[$0] }?.isViolated == true
      guard there.count == dealt.count || isCut else { throw Self.damaged(named.path) }
    }
  }

  private func lack(_ missing: [(round: Int, shares: [Share])], _ there: Int) -> Lack {
    let names = missing.flatMap { round, shares in
      shares.map { "\($0)" + (rounds > 1 ? " of round \(round)" : "") }
    }
    return Lack(
      there: there, wanted: plan.looks[rounds - 1], of: "replications", parts: names)
  }

  private func words(of wanted: Range<Int>, round: Int) -> String {
    let parts = given.parts.last?.part.share.parts ?? 1
    return
      "Still open after \(Figures.count(wanted.lowerBound, "replication")): round \(round) is wanted, replications \(wanted.lowerBound + 1) to \(wanted.upperBound). Make its parts, 1/\(parts) to \(parts)/\(parts), and merge all of them again:\n  \(command(Share(1, of: parts), round: round))"
  }

  private func command(_ share: Share, round: Int) -> String {
    let task = work.scenario
    let fixed =
      task.mostReplications > task.replications
      ? " --maximum-replications \(task.mostReplications)" : ""
    return
      "rehearse run \(Escaping.shell(work.file)) --seed \(task.seed) --replications \(task.replications)\(fixed)\(work.options) --part \(share)"
      + (round > 1 ? " --round \(round)" : "")
  }
}

extension PartSet {
  /// What made a run: as slow as its slowest part, round by round.
  var machine: Machine {
    let makers = parts.map(\.part.maker)
    var cpus: [String] = []
    for maker in makers where !cpus.contains(maker.cpu) { cpus.append(maker.cpu) }
    let rounds = parts.last?.part.round ?? 0
    let seconds = (1...max(1, rounds)).reduce(0.0) { sum, round in
      sum + (parts(ofRound: round).map(\.part.maker.wallSeconds).max() ?? 0)
    }
    return Machine(
      wallSeconds: seconds, workers: makers.reduce(0) { $0 + $1.workers },
      cpu: cpus.joined(separator: "; "), version: Version.text, commit: Version.commit,
      inProcess: [])
  }
}
