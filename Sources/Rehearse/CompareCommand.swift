import ArgumentParser
import Foundation
import Reports
import Runs
import Storage
import Verdicts

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare a run with a baseline: slower, faster, the same, or cannot tell.",
    discussion: """
      Both are a run's folder, its result.json, a file of 'rehearse baseline accept', or a number that \
      'rehearse runs list' shows. Runs with equal digests are the same to the bit. Others are compared replication by \
      replication where seeds agree, so give both the same seed: the noise then largely cancels.

      A figure is a regression when it surely grew by more than the margin, equivalent when it surely did not change by more; \
      a comparison of two runs that do not differ calls anything changed in at most 1 of 100 cases, however many figures \
      there are. Exits with 97 on a regression, and when a limit fails that did not fail before; with 98 when it cannot tell, \
      unless the run's scenario says 'inconclusive: warn'.

      Examples:
        rehearse compare reports/saturday/latest scenarios/baselines/saturday.json
        rehearse compare 12 11 --margin 2%
      """)

  @Argument(help: .init("The run to judge.", valueName: "run"), completion: .file())
  var judged: String

  @Argument(help: "The run that it is held against.", completion: .file())
  var baseline: String

  @Option(help: "The growth that is tolerated, e.g. 5%.", transform: Margin.parse)
  var margin: Margin = .standard

  @Option(help: "Write comparison.json to this folder.", completion: .directory)
  var output: String?

  @Flag(help: "Show every figure.")
  var all = false

  @Flag(help: "Print nothing but problems.")
  var quiet = false

  @OptionGroup var storage: StoreOptions

  func run() throws {
    let sources = (
      run: try RunSource(judged, store: storage.store),
      baseline: try RunSource(baseline, store: storage.store)
    )
    let names = (run: sources.run.name, baseline: sources.baseline.name)
    let comparison = try Comparing.compare(
      sources.run.figures(), with: sources.baseline.figures(), names: names, margin: margin)
    let isGreen = comparison.verdict != .regression && !comparison.isDoubtThatStops
    if !quiet {
      Console.out(
        TerminalComparison.text(
          comparison, names: names, width: Console.columns,
          colour: Console.wantsColour(STDOUT_FILENO), all: all))
    } else if !isGreen {
      Console.write(
        TerminalComparison.text(
          comparison, names: names, width: Console.columns(of: STDERR_FILENO) ?? 100,
          colour: Console.wantsColour(STDERR_FILENO), all: all))
    }
    if let output {
      try WholeFile.write(
        ComparisonDocument.bytes(for: comparison), to: output + "/comparison.json",
        sparing: [sources.run.name, sources.baseline.name])
    }
    if comparison.verdict == .regression { throw ExitStatus.regression.thrown }
    if !isGreen { throw ExitStatus.inconclusive.thrown }
  }
}
