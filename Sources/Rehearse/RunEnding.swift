import ArgumentParser
import Foundation
import Reports
import RunFolders
import Runs
import Scenarios
import Storage
import Verdicts

/// Where the result of a scenario's run goes, and what it is held against: options of `run` and `merge`.
struct ResultOptions: ParsableArguments {
  @Option(
    help:
      "The folder for the files (default: reports/<name>/<UTC time>-<seed>).",
    completion: .directory)
  var output: String?

  @Option(
    help: "Hold the run against this baseline or run; a regression exits with 97.",
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(help: Margin.beside("--baseline"), transform: Margin.parse)
  var margin: Margin?

  @Flag(help: "Do not record the run in \(RunStore.standardPath); with --output it never is.")
  var noStore = false

  @Flag(help: "Print nothing but problems.")
  var quiet = false

  @Flag(help: "Print the run's result.json to standard output in place of the summary.")
  var json = false

  func validate() throws {
    try Margin.check(margin, beside: "--baseline", baseline)
  }

  /// What a command that repeats the run has to say of them.
  var words: String {
    var words: [String] = []
    if let baseline { words += ["--baseline", baseline] }
    if let margin, margin.share != Margin.standard.share {
      words += ["--margin", "\(plain((margin.share * 1e8).rounded() / 1e6))%"]
    }
    return words.map { " " + Escaping.shell($0) }.joined()
  }

  /// The files that they name, which nothing of the run may replace.
  var inputs: [String] { baseline.map { [$0, $0 + "/result.json"] } ?? [] }
}

/// The end of a scenario's run, however its replications came about: compared, kept, shown, and told to the shell.
struct RunEnding {
  private let options: ResultOptions
  private let scenario: Scenario
  private let accepted: RunFigures?
  private let folder: RunFolder

  /// Made before the run starts, so that a wrong file or folder does not cost one.
  ///
  /// - Parameters:
  ///   - besides: Names of further files that may lie in the folder.
  ///   - inputs: Files that the run reads.
  init(
    _ options: ResultOptions, of scenario: Scenario, besides: Set<String> = [],
    reading inputs: [String]
  ) throws {
    self.options = options
    self.scenario = scenario
    accepted = try options.baseline.map { baseline in
      let figures = try RunSource(baseline, store: RunStore.standardPath).figures()
      guard figures.scenario.name == scenario.name else {
        Console.error(
          "\(baseline): this is a baseline of the scenario '\(figures.scenario.name)', not of '\(scenario.name)'"
        )
        throw ExitStatus.invalidInput.thrown
      }
      return figures
    }
    do throws(RunFolderError) {
      folder =
        if let output = options.output {
          try RunFolder.prepare(output, besides: besides, sparing: inputs + options.inputs)
        } else {
          try RunFolder.prepareDefault(name: scenario.name, seed: scenario.seed, at: Date())
        }
    } catch {
      Console.error(error.description)
      throw (error.isWrongUsage ? ExitStatus.wrongUsage : .cannotWrite).thrown
    }
  }

  /// - Parameter lostEvents: Why the file of events is not whole.
  /// - Throws: The exit code, unless it is 0.
  func conclude(_ run: Run, lostEvents: String? = nil) throws {
    var run = run
    if let accepted { try compare(&run, with: accepted) }
    run.folder = folder.path
    // What the terminal says of the run does not depend on what could be kept of it.
    let judged = run
    var keeping = Keeping(in: folder, isStored: options.output == nil && !options.noStore)
    if let lostEvents {
      keeping.lose(lostEvents)
      run.becomeUnwritten()
    }
    keeping.keep(files(of: run), of: run)
    if !keeping.losses.isEmpty { run.becomeUnwritten() }
    Console.conclude(Int32(run.exitCode), limits: run.limits.map(\.verdict))
    GitHub.report(judged, of: scenario, to: options.json ? STDERR_FILENO : STDOUT_FILENO)
    if options.json { Console.out(bytes: ResultDocument.bytes(for: run)) }
    if options.quiet || options.json {
      complain(of: judged, keeping)
    } else {
      show(judged, keeping)
    }
    keeping.tellLosses()
    if run.exitCode != 0 { throw ExitCode(Int32(run.exitCode)) }
  }

  private func show(_ run: Run, _ keeping: Keeping) {
    let colour = Console.wantsColour(STDOUT_FILENO)
    Console.out(
      TerminalSummary.text(
        run, width: Console.columns, colour: colour, reportAt: keeping.report))
    if let comparison = run.comparison {
      Console.out(
        TerminalComparison.text(
          comparison, names: (keeping.folder.path, options.baseline ?? ""),
          width: Console.columns, colour: colour, height: 15, below: run))
    }
  }

  /// What a quiet run says when it is not green, on standard error.
  private func complain(of run: Run, _ keeping: Keeping) {
    let width = Console.columns(of: STDERR_FILENO) ?? 100
    let colour = Console.wantsColour(STDERR_FILENO)
    guard let problems = TerminalSummary.problems(run, width: width, colour: colour) else { return }
    Console.write(problems)
    guard let comparison = run.comparison, comparison.verdict == .regression else { return }
    Console.write(
      TerminalComparison.text(
        comparison, names: (keeping.folder.path, options.baseline ?? ""), width: width,
        colour: colour, height: 15, below: run))
  }

  private func compare(_ run: inout Run, with accepted: RunFigures) throws {
    if run.interrupted { return }
    let comparison = try Comparing.compare(
      run.figures, with: accepted, names: (run.scenario.name, options.baseline ?? ""),
      margin: options.margin ?? .standard)
    run.comparison = comparison
    let exit = ExitStatus.of(
      interrupted: run.interrupted, limits: run.limits.map(\.verdict),
      objectives: run.objectives.map(\.verdict),
      inconclusiveStops: scenario.inconclusive == .fail, comparison: comparison.verdict,
      isGeneratorTheLimit: run.machine.punctuality?.breaches.isEmpty == false)
    run.exitCode = Int(exit.rawValue)
  }

  private func files(of run: Run) -> [(path: String, bytes: [UInt8])] {
    (run.comparison.map { [("comparison.json", ComparisonDocument.bytes(for: $0))] } ?? [])
      + Rendering.files(for: run)
  }
}
