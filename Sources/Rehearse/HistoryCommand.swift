import ArgumentParser
import Contracts
import Foundation
import Reports
import Runs
import Scenarios
import Storage
import Verdicts

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show how a scenario's figures moved over the recorded runs.",
    discussion: """
      Each line shows a figure's course, its latest value, and the run since which it has been at another level. Of the \
      figures reported as changed, at most 10 % did not change, on average. Only runs with the seed and the number of replications of \
      the latest are followed, because they differ by the program alone; --any-seed follows all.

      Examples:
        rehearse history saturday
        rehearse history saturday --page history.html
      """)

  @Argument(
    help: "The scenario's name, or its file (default: that of the latest run).", completion: .file()
  )
  var scenario: String?

  @Option(parsing: .unconditional, help: "At most this many of the latest runs.")
  var last: Int = 200

  @Flag(help: "Follow runs with other seeds too.")
  var anySeed = false

  @Option(
    help: "Write the history to this file too, as a page.", completion: .file(extensions: ["html"]))
  var page: String?

  @Flag(help: "Show every figure.")
  var all = false

  @OptionGroup var storage: StoreOptions

  func validate() throws {
    guard (1...10_000).contains(last) else {
      throw ValidationError("--last must be a number from 1 to 10000, not \(last)")
    }
  }

  func run() throws {
    let store = try storage.open()
    let name = try chosen(in: store)
    let entries = try RunStore.orExit { () throws(RunStoreError) in
      var entries: [(run: StoredRun, measurements: [RunMeasurement])] = []
      for run in try store.runs(of: name, last: last) {
        entries.append((run, try store.measurements(of: run.id)))
      }
      return entries
    }
    let history = RunHistory(entries, anySeed: anySeed)
    Console.out(
      TerminalHistory.text(
        history, scenario: name, width: Console.columns,
        colour: Console.wantsColour(STDOUT_FILENO), all: all))
    if let page {
      try WholeFile.write(
        HistoryPage.bytes(for: history, scenario: name), to: page, sparing: [storage.store])
      Console.out("Page: \(printable(page, limit: 4_000))")
    }
  }

  private func chosen(in store: RunStore) throws -> String {
    let runs = try RunStore.orExit { () throws(RunStoreError) in try store.runs() }
    let known = Set(runs.map(\.record.scenario.name))
    guard let scenario else {
      guard let latest = runs.last else {
        Console.error(
          "\(storage.store): no runs are recorded here yet; 'rehearse run SCENARIO' records one")
        throw ExitStatus.invalidInput.thrown
      }
      return latest.record.scenario.name
    }
    if known.contains(scenario) { return scenario }
    let stem = URL(fileURLWithPath: scenario).deletingPathExtension().lastPathComponent
    if known.contains(stem) { return stem }
    let near = nearest(stem, among: known.sorted()).map { "; did you mean '\($0)'?" } ?? ""
    Console.error(
      "no runs of '\(scenario)' are recorded in \(storage.store)\(near); recorded are: \(known.sorted().joined(separator: ", "))"
    )
    throw ExitStatus.invalidInput.thrown
  }
}
