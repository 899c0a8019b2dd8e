import ArgumentParser
import Contracts
import Foundation
import Observations
import Simulation
import Verdicts

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show what one person did and saw in a run.",
    discussion: """
      Runs one replication again, with the same seed, and prints the records of one person in order: what broke in a \
      report can be looked at here. Without --person everybody's records are printed.

      Example:
        rehearse trace scenarios/saturday.yaml --person kantine-koning/2/phone-0417
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: "The person's path, e.g. kantine-koning/2/phone-0417.")
  var person: String?

  @Option(help: "Which replication, counted from 0.")
  var replication: Int = 0

  @Option(help: "The seed, in place of the scenario's.")
  var seed: UInt64?

  @Option(help: "text, or json as --events writes it.")
  var format: OutputFormat = .text

  func validate() throws {
    guard (0..<10_000).contains(replication) else {
      throw ValidationError("--replication is counted from 0, not \(replication)")
    }
  }

  func run() throws {
    var work = try ScenarioRun(file: scenario)
    if let seed { work.scenario.seed = seed }
    let results = work.virtualRun(transcribing: person.map(Transcribing.person) ?? .everybody)
      .run(
        replications: replication..<(replication + 1),
        workers: ProcessInfo.processInfo.activeProcessorCount)
    let lines = results.flatMap(\.lines)
    guard !lines.isEmpty else {
      Console.error(
        "nobody called '\(person ?? "")' did anything; persons are named like kantine-koning/1/phone-0001"
      )
      throw ExitStatus.invalidInput.thrown
    }
    for line in lines { Console.out(format == .json ? line : Self.text(of: line)) }
  }

  /// A record as people read it: when, what, and what came of it.
  private static func text(of line: String) -> String {
    guard let record = JSON(parsing: line) else { return line }
    let time = record["sent"]?.string ?? record["answered"]?.string ?? ""
    let kind = record["kind"]?.string ?? ""
    let what = record["operation"]?.string ?? record["action"]?.description ?? ""
    let outcome = [record["outcome"]?.string, record["code"]?.string].compactMap(\.self)
      .joined(separator: " ")
    let details = [record["request"], record["reply"]].compactMap { $0?.description }
      .map { $0.count > 240 ? $0.prefix(240) + "…" : $0 }.joined(separator: " → ")
    return "\(time)  \(kind) \(what)  \(outcome)  \(details)"
  }
}
