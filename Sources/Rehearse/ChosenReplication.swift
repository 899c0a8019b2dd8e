import ArgumentParser
import Scenarios

/// One replication of a scenario, by its number as runs and reports count them.
struct ChosenReplication: ParsableArguments {
  @Option(
    name: .customLong("replication"), parsing: .unconditional,
    help: "Which replication, counted from 1.")
  var number: Int = 1

  @Option(
    parsing: .unconditional,
    help:
      "How many replications the run had, where it was given another number than the scenario's."
  )
  var replications: Int?

  func validate() throws {
    if let replications, !(1...10_000).contains(replications) {
      throw ValidationError("--replications must be a number from 1 to 10000, not \(replications)")
    }
  }

  /// Counted from 0, as records count them.
  func index(in scenario: Scenario) throws -> Int {
    let most = replications ?? scenario.mostReplications
    guard (1...most).contains(number) else {
      let why = replications == nil ? "the scenario" : "the run"
      throw ValidationError(
        "--replication must be a number from 1 to \(most), not \(number): \(why) has so many"
          + (replications == nil ? "; of a run with more, say --replications as well" : ""))
    }
    return number - 1
  }
}
