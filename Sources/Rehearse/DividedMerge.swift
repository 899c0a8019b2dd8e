import Observations
import Reports
import Runs
import Scenarios
import Timekeeping
import Verdicts

/// Puts the parts of a run together that several generators lived at once, against the same servers: what they counted is added up, and each
/// of them is held against its own limits.
struct DividedMerge {
  private let given: PartSet
  private let work: ScenarioRun
  private let generators: [(share: Share, saw: ReplicationResult)]

  init(_ given: PartSet, _ replications: MergedReplications) {
    self.given = given
    work = replications.work
    generators = given.parts.compactMap { named in
      replications.generators[named.part.share.number].map { (named.part.share, $0) }
    }
  }

  /// - Throws: The exit code, unless it is 0.
  func conclude(_ options: ResultOptions, reading inputs: [String], allowMissing: Bool) throws {
    var work = work
    work.options += options.words
    let missing = given.missing(fromRound: 1)
    guard missing.isEmpty || allowMissing else {
      for share in missing {
        Console.error(
          "part \(share) is missing: a run against a server cannot be made again in part; make all of it anew, or judge the others with --allow-missing"
        )
      }
      throw ExitStatus.invalidInput.thrown
    }
    let lack =
      missing.isEmpty
      ? nil
      : Lack(
        there: generators.count, wanted: given.parts[0].part.share.parts, of: "generators",
        parts: missing.map(\.description))
    let ending = try RunEnding(options, of: work.scenario, reading: inputs)
    var whole = generators[0].saw
    for other in generators.dropFirst() { whole.merge(other.saw) }
    try ending.conclude(
      work.assemble(
        [whole], interrupted: false, machine: given.machine,
        together: Together(
          generators: generators.count, clocks: clocks.words, lack: lack,
          breaches: breaches + clocks.breaches)))
  }

  private var breaches: [String] {
    generators.flatMap { share, saw in
      let run = work.assemble([saw], interrupted: false, machine: .unknown)
      return run.machine.punctuality?.breaches.map { "generator \(share): \($0)" } ?? []
    }
  }

  private var clocks: ClockJudgement {
    ClockJudgement(
      given.parts.map { ($0.part.share, $0.part.maker.clockOffset) },
      limit: work.scenario.workload?.lateness ?? Workload.standardLateness)
  }
}
