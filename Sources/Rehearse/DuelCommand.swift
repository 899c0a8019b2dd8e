import ArgumentParser
import Foundation
import Reports
import Runs
import ScenarioFiles
import Scenarios
import Verdicts

struct DuelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duel",
    abstract:
      "Run two builds, or load two servers, by turns on this machine, and compare what is measured in real time.",
    discussion: """
      Wall time and the times that the twin's calls take belong to a machine and a moment: they are compared only between \
      runs that follow each other. Each pair runs both builds, in changing order. Both get the same scenario and seed, so \
      that they do the same work. A regression ends with 97. Do nothing else on the machine meanwhile.

      With the file of a load ('rehearse load URL --write load.yaml') it loads two servers by turns: each side is a URL, or a \
      command that starts its server for each run and is ended after it. How long one run lasts says the file. Response \
      times and shares without an answer are compared run by run.

      Examples:
        rehearse duel evening.yaml --baseline-binary ../main/.build/release/rehearse
        rehearse duel evening.yaml --baseline-binary old/rehearse --pairs 20
        rehearse duel load.yaml --baseline-url http://127.0.0.1:8080 --url http://127.0.0.1:8081
        rehearse duel load.yaml --baseline-command 'old/server --port 8080' --command 'new/server --port 8080'
      """)

  @Argument(
    help: "The file of a scenario or of a load.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: "The build that this one is held against.", completion: .file())
  var baselineBinary: String?

  @Option(help: "The build that is judged (default: this program).", completion: .file())
  var binary: String?

  @Option(help: "Of a load: the server that the other is held against (default: the file's URLs).")
  var baselineUrl: String?

  @Option(help: "Of a load: the server that is judged (default: the file's URLs).")
  var url: String?

  @Option(help: "Of a load: starts the baseline's server for each run, through sh.")
  var baselineCommand: String?

  @Option(help: "Of a load: starts the server that is judged for each run, through sh.")
  var command: String?

  @Option(
    parsing: .unconditional, help: "How many runs on each side; at least \(Duel.fewestPairs).")
  var pairs: Int = Duel.standardPairs

  @Option(
    parsing: .unconditional,
    help:
      "About how many seconds one run of a scenario should take; the number of replications follows from it (default: 3)."
  )
  var seconds: Double?

  @Option(
    parsing: .unconditional,
    help:
      "How many threads each run of a scenario gets (default: 1); with one, a run disturbs itself least."
  )
  var workers: Int?

  @Option(help: "The growth that is tolerated, e.g. 5%.", transform: Margin.parse)
  var margin: Margin = .standard

  @Option(help: "Write duel.json to this folder.", completion: .directory)
  var output: String?

  @Flag(help: "Print nothing but problems.")
  var quiet = false

  func validate() throws {
    guard scenario != ScenarioFile.standardInput else {
      throw ValidationError(
        "both builds read the scenario themselves; give a file, not standard input")
    }
    guard (Duel.fewestPairs...1_000).contains(pairs) else {
      throw ValidationError(
        "--pairs must be a number of runs on each side from \(Duel.fewestPairs) to 1000, not \(pairs)"
      )
    }
    if let seconds, !(seconds > 0 && seconds <= 3_600) {
      throw ValidationError("--seconds must be a time above 0 and up to 3600, not \(seconds)")
    }
    if let workers, !(1...1_024).contains(workers) {
      throw ValidationError("--workers must be a number of threads from 1 to 1024, not \(workers)")
    }
  }

  func run() throws {
    if LoadFile.isLoad(scenario) { return try runLoads() }
    let ofLoads = [
      ("--baseline-url", baselineUrl), ("--url", url), ("--baseline-command", baselineCommand),
      ("--command", command),
    ]
    if let given = ofLoads.first(where: { $0.1 != nil })?.0 {
      throw ValidationError(
        "\(given) is for the file of a load, which 'rehearse load URL --write FILE' writes; builds of a scenario are --baseline-binary and --binary"
      )
    }
    guard let baselineBinary else {
      throw ValidationError("name the build that this one is held against: --baseline-binary PATH")
    }
    let work = try ScenarioRun(file: scenario)
    let own = binary ?? Self.ownPath
    let interruption = Self.interruption
    let ring = DuelRing(
      scenario: scenario, seed: work.scenario.seed, workers: workers ?? 1, stop: interruption.flag)
    let baseline = try ring.fighter(baselineBinary, named: "--baseline-binary")
    let challenger = try ring.fighter(own, named: "--binary")
    let replications = try ring.replications(for: seconds ?? 3, of: baseline)
    if !quiet {
      Console.error(
        "\(pairs) pairs of runs with \(replications) replication\(replications == 1 ? "" : "s") each."
      )
    }
    let (old, new) = try fight(ring, baseline, challenger, replications)
    let duel = Duel(baseline: old, challenger: new, margin: margin.share)
    if !quiet {
      Console.out(
        TerminalDuel.text(
          duel, names: (baseline.title, challenger.title), width: Console.columns,
          colour: Console.wantsColour(STDOUT_FILENO)))
    }
    if let output {
      try WholeFile.write(
        DuelDocument.bytes(for: duel), to: output + "/duel.json", sparing: [scenario])
    }
    if interruption.flag.isUp { throw ExitStatus.interrupted.thrown }
    if duel.verdict == .regression { throw ExitStatus.regression.thrown }
  }

  /// Until all pairs are done or somebody stops it; a pair counts as a whole or not at all.
  private func fight(
    _ ring: DuelRing, _ baseline: DuelRing.Fighter, _ challenger: DuelRing.Fighter,
    _ replications: Int
  ) throws -> (old: [Duel.Bout], new: [Duel.Bout]) {
    var (old, new): ([Duel.Bout], [Duel.Bout]) = ([], [])
    let began = DispatchTime.now().uptimeNanoseconds
    for pair in 0..<pairs {
      let order = pair % 2 == 0 ? [baseline, challenger] : [challenger, baseline]
      let bouts = try order.compactMap { try ring.bout(of: $0, replications: replications) }
      guard bouts.count == 2 else { break }
      old.append(bouts[pair % 2])
      new.append(bouts[1 - pair % 2])
      show(pair + 1, since: began)
    }
    try endProgress(done: old.count)
    return (old, new)
  }

  private func endProgress(done: Int) throws {
    if !quiet, Console.canRewrite { ProgressLine.write("", rewriting: true) }
    guard done > 0 else {
      Console.error("Stopped before the first pair was done; there is nothing to judge.")
      throw ExitStatus.interrupted.thrown
    }
  }

  private func show(_ done: Int, since began: UInt64) {
    guard !quiet, done < pairs else { return }
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
    let left = elapsed / Double(done) * Double(pairs - done)
    let whole = "pair \(done) of \(pairs) done, about \(TerminalProgress.time(left)) left"
    let fits = (Console.columns(of: STDERR_FILENO) ?? .max) > whole.count
    ProgressLine.write(fits ? whole : "\(done)/\(pairs)", rewriting: Console.canRewrite)
  }

  private static var interruption: Interruption {
    Interruption(
      saying:
        "Stopping; what has been measured so far is judged. Press Ctrl-C again to end at once.")
  }

  private static var ownPath: String {
    (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).path
  }
}

// MARK: - Loads

extension DuelCommand {
  private func runLoads() throws {
    let options = try loadOptions()
    let baseline = LoadDuel.Side(
      title: baselineCommand ?? baselineUrl.map(Self.shown) ?? "as the file says",
      options: try LoadDuel.options(options, at: baselineUrl, named: "--baseline-url"),
      command: baselineCommand)
    let challenger = LoadDuel.Side(
      title: command ?? url.map(Self.shown) ?? "as the file says",
      options: try LoadDuel.options(options, at: url, named: "--url"), command: command)
    let interruption = Self.interruption
    let duel = LoadDuel(
      baseline: baseline, challenger: challenger, pairs: pairs, quiet: quiet,
      interruption: interruption)
    if !quiet {
      let whole = options.lasts.seconds * Double(2 * pairs)
      Console.error(
        "\(pairs) pairs of runs of \(options.lasts) each, at least \(TerminalProgress.time(whole)) in all."
      )
    }
    let began = DispatchTime.now().uptimeNanoseconds
    let fought = try duel.fight { show($0, since: began) }
    try endProgress(done: fought.baseline.count)
    let comparison = duel.comparison(fought, margin: margin)
    if let output {
      try WholeFile.write(
        LoadDuelDocument.bytes(for: comparison, repeatedPairs: fought.repeated),
        to: output + "/duel.json", sparing: [scenario])
    }
    if !quiet {
      if fought.repeated > 0 {
        Console.error(
          "\(Figures.count(fought.repeated, "pair")) did not count and came again: the load generator was the limit."
        )
      }
      Console.out(
        TerminalComparison.text(
          comparison, names: (challenger.title, baseline.title), width: Console.columns,
          colour: Console.wantsColour(STDOUT_FILENO), all: true))
      for doubt in duel.doubts(fought) { Console.out(doubt) }
    }
    if interruption.flag.isUp { throw ExitStatus.interrupted.thrown }
    if comparison.verdict == .regression { throw ExitStatus.regression.thrown }
  }

  private static func shown(_ url: String) -> String { URL(string: url)?.withoutUser ?? "a URL" }

  /// The file's load; what is of builds, or says nothing of the sides, is refused.
  private func loadOptions() throws -> LoadOptions {
    let ofBuilds = [
      ("--baseline-binary", baselineBinary != nil), ("--binary", binary != nil),
      ("--seconds", seconds != nil), ("--workers", workers != nil),
    ]
    if let given = ofBuilds.first(where: \.1)?.0 {
      throw ValidationError("\(given) is for duels of builds with a scenario, and this is a load")
    }
    guard baselineUrl ?? url ?? baselineCommand ?? command != nil else {
      throw ValidationError(
        "say what the two sides are: --baseline-url and --url, or --baseline-command and --command")
    }
    let arguments: [String]
    do throws(ScenarioErrors) {
      arguments = try LoadFile.arguments(scenario)
    } catch {
      Console.error(error.description)
      throw ExitStatus.invalidInput.thrown
    }
    let options = try LoadOptions.parse(arguments)
    guard !options.capacity else {
      throw ValidationError("a search for a capacity is no load to compare: leave out 'capacity'")
    }
    return options
  }
}
