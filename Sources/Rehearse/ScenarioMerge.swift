import Observations
import PartFiles
import Reports
import Runs
import Scenarios
import Verdicts

/// Puts the parts of a run of a scenario together: what one machine's run would have made is taken from them, and judged as it would
/// have been.
struct ScenarioMerge {
  private var given: PartSet
  private let allowMissing: Bool
  private var work: ScenarioRun
  /// By number.
  private var results: [Int: ReplicationResult] = [:]

  /// Problems are printed and end the command with 65.
  init(_ given: consuming PartSet, allowMissing: Bool) throws {
    self.given = given
    self.allowMissing = allowMissing
    let first = self.given.parts[0]
    let task: ScenarioWork
    do throws(PackingProblem) {
      task = try ScenarioWork(first.part.work)
    } catch {
      throw Self.damaged(first.path)
    }
    do throws(ScenarioErrors) {
      work = try task.run()
    } catch {
      Console.error(error.description)
      Console.error(
        "\(first.path): this program cannot read the scenario of this part; merge with what made it"
      )
      throw ExitStatus.invalidInput.thrown
    }
    for index in self.given.parts.indices { try take(index) }
  }

  private static func damaged(_ path: String) -> any Error {
    Console.error("\(path): \(PartFileProblem.damaged)")
    return ExitStatus.invalidInput.thrown
  }

  private mutating func take(_ index: Int) throws {
    let named = given.parts[index]
    var outcome = ScenarioOutcome([], of: work)
    do throws(PackingProblem) {
      try outcome.unpack(given.takeOutcome(of: index))
    } catch {
      throw Self.damaged(named.path)
    }
    for result in outcome.results {
      guard named.part.share.takes(result.index), results[result.index] == nil,
        result.seed == work.scenario.seed(ofReplication: result.index)
      else { throw Self.damaged(named.path) }
      results[result.index] = result
    }
  }
}

extension ScenarioMerge {
  /// Judges the run, or says what is wanted first.
  ///
  /// - Parameter inputs: The files of the parts, which are not to be replaced.
  /// - Throws: The exit code, unless it is 0.
  func conclude(_ options: ResultOptions, reading inputs: [String]) throws {
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
    try ending.conclude(
      work.assemble(
        made.results, interrupted: false, looks: made.looks, machine: machine, lack: lack))
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

  /// Of the run: as long as its slowest part, round by round.
  private var machine: Machine {
    let makers = given.parts.map(\.part.maker)
    var cpus: [String] = []
    for maker in makers where !cpus.contains(maker.cpu) { cpus.append(maker.cpu) }
    let seconds = (1...rounds).reduce(0.0) { sum, round in
      sum + (given.parts(ofRound: round).map(\.part.maker.wallSeconds).max() ?? 0)
    }
    return Machine(
      wallSeconds: seconds, workers: makers.reduce(0) { $0 + $1.workers },
      cpu: cpus.joined(separator: "; "), version: Version.text, commit: Version.commit,
      inProcess: [])
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
