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
    abstract: "Run two builds in turn on this machine, and compare what is measured in real time.",
    discussion: """
      Wall time and the times that the twin's calls take belong to a machine and a moment: they are compared only between \
      runs that follow each other. Each pair runs both builds, in changing order. Both get the same scenario and seed, so \
      that they do the same work. A regression ends with 97. Do nothing else on the machine meanwhile.

      Examples:
        rehearse duel evening.yaml --baseline-binary ../main/.build/release/rehearse
        rehearse duel evening.yaml --baseline-binary old/rehearse --pairs 20
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: "The build that this one is held against.", completion: .file())
  var baselineBinary: String

  @Option(help: "The build that is judged (default: this program).", completion: .file())
  var binary: String?

  @Option(
    parsing: .unconditional, help: "How many runs on each side; at least \(Duel.fewestPairs).")
  var pairs: Int = Duel.standardPairs

  @Option(
    parsing: .unconditional,
    help: "About how many seconds one run should take; the number of replications follows from it.")
  var seconds: Double = 3

  @Option(
    parsing: .unconditional,
    help: "How many threads each run gets; with one, a run disturbs itself least.")
  var workers: Int = 1

  @Option(help: "The growth that is tolerated, e.g. 5%.")
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
    guard seconds > 0, seconds <= 3_600 else {
      throw ValidationError("--seconds must be a time above 0 and up to 3600, not \(seconds)")
    }
    guard (1...1_024).contains(workers) else {
      throw ValidationError("--workers must be a number of threads from 1 to 1024, not \(workers)")
    }
  }

  func run() throws {
    let work = try ScenarioRun(file: scenario)
    let own = binary ?? Self.ownPath
    let interruption = Interruption(
      saying:
        "Stopping; what has been measured so far is judged. Press Ctrl-C again to end at once.")
    let ring = DuelRing(
      scenario: scenario, seed: work.scenario.seed, workers: workers, stop: interruption.flag)
    let baseline = try ring.fighter(baselineBinary, named: "--baseline-binary")
    let challenger = try ring.fighter(own, named: "--binary")
    let replications = try ring.replications(for: seconds, of: baseline)
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
    if !quiet, Console.canRewrite { ProgressLine.write("", rewriting: true) }
    guard !old.isEmpty else {
      Console.error("Stopped before the first pair was done; there is nothing to judge.")
      throw ExitStatus.interrupted.thrown
    }
    return (old, new)
  }

  private func show(_ done: Int, since began: UInt64) {
    guard !quiet, done < pairs else { return }
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
    let left = elapsed / Double(done) * Double(pairs - done)
    let whole = "pair \(done) of \(pairs) done, about \(TerminalProgress.time(left)) left"
    let fits = (Console.columns(of: STDERR_FILENO) ?? .max) > whole.count
    ProgressLine.write(fits ? whole : "\(done)/\(pairs)", rewriting: Console.canRewrite)
  }

  private static var ownPath: String {
    (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).path
  }
}
