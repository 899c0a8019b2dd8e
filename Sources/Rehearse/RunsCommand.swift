import ArgumentParser
import Contracts
import Foundation
import Reports
import RunFolders
import Runs
import Storage
import Verdicts

struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List, show, export and delete recorded runs.",
    discussion: """
      'rehearse run' and 'rehearse load' record each run whose files land below reports/ in \(RunStore.standardPath); with \
      --output or --no-store they do not.

      Examples:
        rehearse runs list saturday --last 5
        rehearse runs show 12
        rehearse runs export 12 --output result.json
        rehearse runs delete 11 12
      """,
    subcommands: [List.self, Show.self, Export.self, Delete.self, Clean.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List recorded runs, the latest last.")

    @Argument(help: "Only runs of the scenario of this name.")
    var scenario: String?

    @Option(parsing: .unconditional, help: "At most this many of the latest.")
    var last: Int = 20

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    @OptionGroup var storage: StoreOptions

    func validate() throws {
      guard last >= 1 else { throw ValidationError("--last must be at least 1, not \(last)") }
    }

    func run() throws {
      let store = try storage.open()
      let runs = try RunStore.orExit { () throws(RunStoreError) in
        try store.runs(of: scenario, last: last)
      }
      switch format {
      case .json: Console.out(JSON.array(runs.map(RunsCommand.json)).pretty())
      case .text:
        for run in runs { Console.out(RunsCommand.line(run)) }
        if runs.isEmpty { Console.error("no runs" + (scenario.map { " of '\($0)'" } ?? "")) }
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a recorded run.")

    @Argument(help: "Its number.")
    var id: Int64

    @OptionGroup var storage: StoreOptions

    func run() throws {
      let store = try storage.open()
      let run = try RunStore.orExit { () throws(RunStoreError) in try store.run(id) }
      let bytes = try RunStore.orExit { () throws(RunStoreError) in try store.result(of: id) }
      Console.out(RunsCommand.line(run))
      let record = run.record
      Console.out("\(Escaping.visible(record.scenario.title))")
      Console.out(
        "digest \(record.digest) · \(Figures.count(record.persons)) persons · \(Figures.count(record.requests)) requests · \(Figures.duration(record.wallSeconds)) · \(record.version) (\(record.commit))"
      )
      Console.out("files  \(Escaping.visible(record.folder, limit: 4_000))")
      do throws(ReadingProblem) {
        let figures = try ResultReading.figures(of: bytes, file: "run \(id)")
        Console.out("\n" + TerminalFigures.text(figures, width: Console.columns))
      } catch {
        Console.error(error.description)
        throw ExitStatus.invalidInput.thrown
      }
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a recorded run's result.json.")

    @Argument(help: "Its number.")
    var id: Int64

    @Option(help: "The file (default: standard output).", completion: .file(extensions: ["json"]))
    var output: String?

    @OptionGroup var storage: StoreOptions

    func run() throws {
      let store = try storage.open()
      let bytes = try RunStore.orExit { () throws(RunStoreError) in try store.result(of: id) }
      if let output {
        try WholeFile.write(bytes, to: output)
      } else {
        Console.out(bytes: bytes)
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete recorded runs with their files.")

    @Argument(help: "Their numbers.")
    var ids: [Int64]

    @Flag(help: "Leave the files of the runs where they are.")
    var keepFiles = false

    @OptionGroup var storage: StoreOptions

    func run() throws {
      let store = try storage.open()
      let runs = try RunStore.orExit { () throws(RunStoreError) in
        var runs: [StoredRun] = []
        for id in ids { runs.append(try store.run(id)) }
        return runs
      }
      try RunsCommand.delete(runs, from: store, keepFiles: keepFiles)
    }
  }

  struct Clean: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clean",
      abstract: "Delete all but the latest runs of each scenario, with their files.")

    @Argument(help: "Only runs of the scenario of this name.")
    var scenario: String?

    @Option(parsing: .unconditional, help: "How many runs of each scenario to keep.")
    var keep: Int

    @Flag(help: "Leave the files of the runs where they are.")
    var keepFiles = false

    @OptionGroup var storage: StoreOptions

    func validate() throws {
      guard keep >= 0 else { throw ValidationError("--keep must not be negative, but is \(keep)") }
    }

    func run() throws {
      let store = try storage.open()
      let runs = try RunStore.orExit { () throws(RunStoreError) in try store.runs(of: scenario) }
      let groups = Dictionary(grouping: runs, by: \.record.scenario.name)
      let old = groups.values.flatMap { $0.dropLast(keep) }.sorted { $0.id < $1.id }
      try RunsCommand.delete(old, from: store, keepFiles: keepFiles)
    }
  }

  /// Records first: a run without its files is a gap, files without their run are rubbish that nobody finds.
  private static func delete(_ runs: [StoredRun], from store: RunStore, keepFiles: Bool) throws {
    if !keepFiles {
      for run in runs {
        do throws(RunFolderError) {
          try RunFolder.remove(run.record.folder)
        } catch {
          Console.error("warning: run \(run.id): \(error.description)")
        }
      }
    }
    try RunStore.orExit { () throws(RunStoreError) in try store.delete(runs.map(\.id)) }
    Console.out("deleted \(runs.count) run\(runs.count == 1 ? "" : "s")")
  }

  private static func line(_ run: StoredRun) -> String {
    let record = run.record
    let id = String(run.id)
    let verdict = record.interrupted ? "interrupted" : record.verdict.rawValue
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return String(repeating: " ", count: max(0, 5 - id.count)) + id + "  "
      + padded(record.recordedAt, 20) + "  " + padded(verdict, 12) + "  "
      + padded(Escaping.visible(record.scenario.name, limit: 40), 20)
      + "  seed \(record.seed) × \(record.replications)  \(record.digest.prefix(8))  \(Escaping.visible(record.commit, limit: 12))"
  }

  private static func json(_ run: StoredRun) -> JSON {
    let record = run.record
    return [
      "id": .int(run.id), "recordedAt": .string(record.recordedAt),
      "scenario": .string(record.scenario.name), "seed": .string(String(record.seed)),
      "replications": .number(record.replications), "digest": .string(record.digest),
      "verdict": .string(record.verdict.rawValue), "exitCode": .number(record.exitCode),
      "interrupted": .bool(record.interrupted), "requests": .number(record.requests),
      "persons": .number(record.persons), "wallSeconds": .double(record.wallSeconds),
      "version": .string(record.version), "commit": .string(record.commit),
      "folder": .string(record.folder),
    ]
  }
}
