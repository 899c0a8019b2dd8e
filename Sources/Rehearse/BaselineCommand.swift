import ArgumentParser
import Contracts
import Foundation
import Reports
import Runs
import Storage
import Verdicts

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Accept runs as baselines, and show what was accepted.",
    discussion: """
      A baseline is compact JSON that can live in a repository, by default scenarios/baselines/<scenario>.json. \
      'rehearse run SCENARIO --baseline FILE' and 'rehearse compare' hold runs against it.

      Examples:
        rehearse baseline accept reports/saturday/latest
        rehearse baseline show saturday
        rehearse baseline list
      """,
    subcommands: [Accept.self, Show.self, List.self])

  static let folder = "scenarios/baselines"

  struct Accept: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "accept", abstract: "Make a run the baseline of its scenario.")

    @Argument(
      help: .init(
        "The run's folder, its result.json, or its number in the store.", valueName: "run"),
      completion: .file())
    var accepted: String

    @Option(
      help: "The file (default: \(BaselineCommand.folder)/<scenario>.json).",
      completion: .file(extensions: ["json"]))
    var output: String?

    @OptionGroup var storage: StoreOptions

    func run() throws {
      let source = try RunSource(accepted, store: storage.store)
      let figures = try source.figures()
      guard figures.pace == nil else {
        Console.error(
          "\(source.name): this is a single run of a load, which is no baseline; \(Comparing.loadAdvice)"
        )
        throw ExitStatus.invalidInput.thrown
      }
      guard !figures.interrupted, !figures.series.isEmpty else {
        Console.error(
          "\(source.name): "
            + (figures.interrupted
              ? "this run was interrupted; accept a whole one"
              : "this result has no figures for each replication; run the scenario again with this version")
        )
        throw ExitStatus.invalidInput.thrown
      }
      if figures.verdict == .fail {
        Console.error(
          "warning: this run failed; what fails in it will not count as a regression later")
      }
      if figures.replications.count < ChangeJudgement.fewest {
        Console.error(
          "warning: a baseline of \(Figures.count(figures.replications.count, "replication")) is good for comparing digests alone; use at least \(ChangeJudgement.fewest)"
        )
      }
      let path = try output ?? BaselineCommand.path(of: figures.scenario.name)
      try WholeFile.write(BaselineDocument.bytes(for: figures), to: path, sparing: [source.name])
      Console.out("\(path): \(BaselineCommand.summary(of: figures))")
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show what a baseline holds.")

    @Argument(
      help: "A baseline's file, or the name of a scenario.", completion: .file(extensions: ["json"])
    )
    var baseline: String

    func run() throws {
      let isFile = FileManager.default.fileExists(atPath: baseline)
      let path = isFile ? baseline : try BaselineCommand.path(of: baseline)
      let figures = try RunSource(path, store: RunStore.standardPath).figures()
      Console.out("\(path): \(BaselineCommand.summary(of: figures))")
      Console.out(TerminalFigures.text(figures, width: Console.columns))
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the baselines of a folder.")

    @Argument(help: "The folder.", completion: .directory)
    var folder: String = BaselineCommand.folder

    func run() throws {
      let files = try Self.files(in: folder)
      guard !files.isEmpty else {
        Console.error("\(folder): no baselines; 'rehearse baseline accept RUN' makes one")
        return
      }
      var isFine = true
      for file in files {
        do {
          let path = folder + "/" + file
          let figures = try RunSource(path, store: RunStore.standardPath).figures()
          Console.out("\(path): \(BaselineCommand.summary(of: figures))")
        } catch is ExitCode {
          isFine = false
        }
      }
      if !isFine { throw ExitStatus.invalidInput.thrown }
    }

    /// Those of baselines by their names. Before the first is accepted, there is no standard folder.
    private static func files(in folder: String) throws -> [String] {
      guard FileManager.default.fileExists(atPath: folder) || folder != BaselineCommand.folder
      else { return [] }
      do {
        return try FileManager.default.contentsOfDirectory(atPath: folder)
          .filter { $0.hasSuffix(".json") }.sorted()
      } catch {
        Console.error("\(printable(folder, limit: 1_000)): this is no folder that can be read")
        throw ExitStatus.invalidInput.thrown
      }
    }
  }

  /// The default file of a scenario, whose name may not lead elsewhere.
  static func path(of scenario: String) throws -> String {
    "\(folder)/\(Escaping.fileName(scenario)).json"
  }

  static func summary(of figures: RunFigures) -> String {
    let name = Escaping.visible(figures.scenario.name)
    let count = Figures.count(figures.replications.count, "replication")
    return
      "\(name), \(count) from seed \(figures.seed), digest \(Escaping.visible(String(figures.digest.prefix(8)))), \(figures.verdict.rawValue), by \(Escaping.visible(figures.version)) (\(Escaping.visible(figures.commit)))"
  }
}
