import ArgumentParser
import Foundation
import Reports
import RunFolders
import Runs
import Storage
import Verdicts

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Render a run again from its result.json or the run store.",
    discussion: """
      Writes index.html, summary.md with summary.svg, junit.xml, latencies.csv and metrics.txt, by default into the run's folder, whose other \
      files stay as they are. --only prints one of them instead.

      Examples:
        rehearse report reports/saturday/latest
        rehearse report 12 --output saturday-12
        rehearse report 12 --baseline scenarios/baselines/saturday.json
        rehearse report reports/saturday/latest --only summary
      """)

  /// The views of a run by short names.
  enum View: String, ExpressibleByArgument, CaseIterable {
    case html, summary, junit, csv, metrics

    var file: String {
      switch self {
      case .html: "index.html"
      case .summary: "summary.md"
      case .junit: "junit.xml"
      case .csv: "latencies.csv"
      case .metrics: "metrics.txt"
      }
    }
  }

  @Argument(
    help: .init("The run's folder, its result.json, or its number in the store.", valueName: "run"),
    completion: .file())
  var rendered: String

  @Option(help: "The folder for the files (default: the run's own).", completion: .directory)
  var output: String?

  @Option(help: "Print one view instead of writing files: html, summary, junit, csv or metrics.")
  var only: View?

  @Option(help: "Show what changed against this baseline or run.", completion: .file())
  var baseline: String?

  @Option(help: Margin.beside("--baseline"), transform: Margin.parse)
  var margin: Margin?

  @OptionGroup var storage: StoreOptions

  func validate() throws {
    try Margin.check(margin, beside: "--baseline", baseline)
    guard only == nil || output == nil else {
      throw ValidationError("--only prints a view in place of writing files: leave out --output")
    }
  }

  func run() throws {
    let source = try RunSource(rendered, store: storage.store)
    var run: Run
    do throws(ReadingProblem) {
      run = try RunReading.run(of: source.bytes, file: source.name)
    } catch {
      Console.error(error.description)
      throw ExitStatus.invalidInput.thrown
    }
    if let baseline {
      let accepted = try RunSource(baseline, store: storage.store)
      run.comparison = try Comparing.compare(
        run.figures, with: accepted.figures(), names: (source.name, accepted.name),
        margin: margin ?? .standard)
    }
    run.folder = source.name == "run \(rendered)" ? rendered : Self.sourceFolder(of: source)
    let views = Rendering.views(of: run)
    if let only {
      for view in views where view.path == only.file {
        Console.out(bytes: view.bytes)
      }
      return
    }
    let folder = try output ?? self.folder(of: source)
    for view in views {
      try WholeFile.write(
        view.bytes, to: folder + "/" + view.path, sparing: [source.name, baseline ?? source.name])
    }
    Console.out("\(folder)/index.html")
  }

  /// Where the run's files lie, if they still do.
  private func folder(of source: RunSource) throws -> String {
    if let id = Int64(rendered), source.name == "run \(id)" {
      let store = try storage.open()
      let run = try RunStore.orExit { () throws(RunStoreError) in try store.run(id) }
      guard FileManager.default.fileExists(atPath: run.record.folder + "/result.json") else {
        Console.error("run \(id): its files are gone; name a folder with --output")
        throw ExitStatus.wrongUsage.thrown
      }
      return run.record.folder
    }
    return Self.sourceFolder(of: source)
  }

  private static func sourceFolder(of source: RunSource) -> String {
    let folder = Path.folder(of: source.name)
    return folder.isEmpty ? "." : folder
  }
}
