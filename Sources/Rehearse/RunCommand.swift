import ArgumentParser
import Foundation
import HTTPLoad
import MachineShare
import Observations
import Reports
import RunFolders
import Runs
import Scenarios
import Simulation
import Storage
import Timekeeping
import Verdicts

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a scenario and write its report.",
    discussion: """
      The result depends on scenario and seed alone, whatever the number of workers: the same digest means the same \
      run. The exit code says what came of it; 'rehearse exit-codes' lists them. Ctrl-C ends it with a partial report.

      On the wall timeline the same scenario lives in real time: what it tells of latencies is then this machine's. With \
      --target DOMAIN=URL it lives against a server, which it empties and loads with its population first.

      Examples:
        rehearse run scenarios/saturday.yaml
        rehearse run scenarios/saturday.yaml --replications 2 --seed 7
        rehearse run scenarios/saturday.yaml --output out --events out.jsonl
        rehearse run evening.yaml --baseline scenarios/baselines/evening.json
        rehearse run scenarios/load/clubs-constant.yaml --timeline wall
        rehearse run scenarios/load/clubs-constant.yaml --target kantine-koning=http://127.0.0.1:4000

      A scenario may name environment variables in its values: ${NAME}, or ${NAME:-default} for when it is unset or empty. \
      What they hold is part of the scenario's text, and so of its digest.

      Under GitHub Actions failures become annotations, and the summary is appended to $GITHUB_STEP_SUMMARY.
      """)

  @Argument(
    help: "The scenario file, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(parsing: .unconditional, help: Seed.help, transform: Seed.parse)
  var seed: UInt64?

  @Option(
    parsing: .unconditional,
    help:
      "How many replications, in place of the scenario's; exactly so many, unless --maximum-replications allows more."
  )
  var replications: Int?

  @Option(
    parsing: .unconditional,
    help: "How many replications open objectives may cost, in place of the scenario's maximum.")
  var maximumReplications: Int?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "End as soon as a limit is violated or an objective has failed, as scenarios' stopEarly.")
  var stopEarly: Bool?

  @Option(
    parsing: .unconditional,
    help:
      "How many threads (default: one for each processor that the machine, its container or its scheduler grants)."
  )
  var workers: Int?

  private var threads: Int { workers ?? MachineShare.current.processors }

  @Option(
    help:
      "What answers: 'twin', the backend in process, or DOMAIN[.SERVICE]=URL, a server that 'rehearse serve --control --scenario' started; may be given several times."
  )
  var target: [Target] = [.twin]

  @Option(
    help: "Certificates to trust in place of the system's, in PEM, for https targets.",
    completion: .file(extensions: ["pem", "crt"]))
  var caFile: String?

  @Flag(help: "Skip TLS certificate verification of https targets (testing only).")
  var insecure = false

  @Option(
    help:
      "virtual (as fast as the machine allows) or wall (real time), in place of the scenario's.")
  var timeline: TimelineChoice?

  @Option(
    parsing: .unconditional,
    help: "On the wall timeline: how many seconds of the scenario pass in one, e.g. 60.")
  var speed: Double?

  @Option(
    help: "The folder for the files (default: reports/<name>/<UTC time>-<seed>).",
    completion: .directory)
  var output: String?

  @Option(
    help:
      "Write every record as a line of JSON to this file, as it happens; a FIFO or a device is written into as it is.",
    completion: .file())
  var events: String?

  @Option(
    help: "Hold the run against this baseline or run; a regression exits with 97.",
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(help: Margin.beside("--baseline"))
  var margin: Margin?

  @Flag(help: "Do not record the run in \(RunStore.standardPath); with --output it never is.")
  var noStore = false

  @Flag(help: "Print nothing but problems.")
  var quiet = false

  @Flag(help: "Print the run's result.json to standard output in place of the summary.")
  var json = false

  func validate() throws {
    if let workers, !(1...1_024).contains(workers) {
      throw ValidationError("--workers must be a number of threads from 1 to 1024, not \(workers)")
    }
    if let replications, !(1...10_000).contains(replications) {
      throw ValidationError("--replications must be a number from 1 to 10000, not \(replications)")
    }
    if let maximumReplications, !((replications ?? 1)...10_000).contains(maximumReplications) {
      throw ValidationError(
        "--maximum-replications must be a number from \(replications ?? 1), the replications, to 10000, not \(maximumReplications)"
      )
    }
    try HTTPOptions.TLS.check(insecure: insecure, authorities: caFile)
    try Margin.check(margin, beside: "--baseline", baseline)
    if let speed, !(speed >= 0.001 && speed <= 1_000_000) {
      throw ValidationError("--speed must be a number from 0.001 to 1000000, not \(speed)")
    }
  }

  func run() throws {
    var work = try ScenarioRun(file: scenario)
    if let seed { work.scenario.seed = seed }
    work.decide(
      replications: replications, maximum: maximumReplications, stopEarly: stopEarly)
    try chooseTimeline(&work)
    work.options = options
    try work.checkMemory(workers: threads)
    try work.checkEvents()
    try work.checkLoad()
    try work.checkCells()
    let accepted = try acceptedBaseline(for: work.scenario)
    let folder = try prepareFolder(for: work.scenario)
    if let output, !eventsInside(output).isEmpty { mkdir(output, 0o777) }
    let transcript = try events.map { try EventFile($0, sparing: inputs) }
    if !quiet, let words = work.scenario.realTimeInWords { Console.error(words) }
    let view = LiveView(work.scenario, quiet: quiet)
    let teller = LiveView.Teller()
    teller.view.withLock { $0 = view }
    let interruption = Interruption(by: { teller.say($0) })
    let stop = interruption.flag
    let line = view == nil ? ProgressLine(work.scenario, quiet: quiet) : nil
    let starts = work.scenario.starts
    let began = DispatchTime.now().uptimeNanoseconds
    let lookByLook = LookByLook(
      work: work, workers: threads, stopwatch: ScenarioRun.stopwatch,
      transcribing: transcript == nil ? .nobody : .everybody, events: transcript?.stream)
    let (results, looks) = lookByLook.run(
      progress: {
        line?.show($0)
        view?.show($0, since: starts)
      },
      look: { from, to in
        line?.announce(from: from, to: to)
        view?.say(ProgressLine.announcement(from: from, to: to))
      }, isStopped: { stop.isUp },
      judge: { results, looks in
        Sufficiency(
          work.assemble(results, interrupted: false, looks: looks, machine: .unknown))
      })
    line?.end()
    teller.view.withLock { $0 = nil }
    view?.end()
    guard !results.isEmpty else {
      transcript?.discard()
      if let problem = work.targetProblem.written { throw fail(problem) }
      if let output { rmdir(output) }  // Refused unless it is empty.
      Console.error("Stopped before anything had happened; there is nothing to report.")
      throw ExitStatus.interrupted.thrown
    }
    let lostEvents = transcript?.close()
    let machine = Machine(
      wallSeconds: Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9, workers: threads,
      cpu: Self.cpu, version: Version.text, commit: Version.commit, inProcess: [])
    var run = work.assemble(results, interrupted: stop.isUp, looks: looks, machine: machine)
    if let accepted {
      try compare(&run, with: accepted, stops: work.scenario.inconclusive == .fail)
    }
    run.folder = folder.path
    // What the terminal says of the run does not depend on what could be kept of it.
    let judged = run
    var keeping = Keeping(in: folder, isStored: output == nil && !noStore)
    if let lostEvents {
      keeping.lose(lostEvents)
      run.becomeUnwritten()
    }
    keeping.keep(files(of: run), of: run)
    if !keeping.losses.isEmpty { run.becomeUnwritten() }
    Console.conclude(Int32(run.exitCode), limits: run.limits.map(\.verdict))
    GitHub.report(judged, of: work.scenario, to: json ? STDERR_FILENO : STDOUT_FILENO)
    if json { Console.out(bytes: ResultDocument.bytes(for: run)) }
    if quiet || json { complain(of: judged, keeping) } else { show(judged, keeping) }
    keeping.tellLosses()
    if run.exitCode != 0 { throw ExitCode(Int32(run.exitCode)) }
  }

  /// What a command that repeats the run has to say beside file, seed and replications; a user and password of a URL are left out.
  private var options: String {
    var words: [String] = []
    for case .server(let domain, let service, let url) in target {
      let name = service.map { "\(domain).\($0)" } ?? domain
      words += ["--target", "\(name)=\(url.withoutUser)"]
    }
    if let caFile { words += ["--ca-file", caFile] }
    if insecure { words.append("--insecure") }
    if let timeline { words += ["--timeline", timeline.rawValue] }
    if let speed { words += ["--speed", plain(speed)] }
    if let stopEarly { words.append(stopEarly ? "--stop-early" : "--no-stop-early") }
    if let baseline { words += ["--baseline", baseline] }
    if let margin, margin.share != Margin.standard.share {
      words += ["--margin", "\(plain((margin.share * 1e8).rounded() / 1e6))%"]
    }
    return words.map { " " + Escaping.shell($0) }.joined()
  }

  private func fail(_ problem: TargetProblem) -> ExitCode {
    if let output { rmdir(output) }  // Refused unless it is empty.
    Console.error(problem.words)
    switch problem {
    case .unreachable: return ExitStatus.targetUnreachable.thrown
    case .unsuitable: return ExitStatus.invalidInput.thrown
    }
  }

  private func chooseTimeline(_ work: inout ScenarioRun) throws {
    if let timeline { work.scenario.timeline = timeline == .wall ? .wall(speed: 1) : .virtual }
    work.servers = try TargetServers(target, work.scenario)
    work.servers.tls = HTTPOptions.TLS(isInsecure: insecure, authorities: caFile)
    try work.dress()
    try HTTPOptions.TLS.check(
      [("--insecure", insecure), ("--ca-file", caFile != nil)], among: work.servers.schemes,
      needing: "an https target, e.g. --target DOMAIN=https://HOST:PORT")
    if !work.servers.domains.isEmpty {
      guard timeline != .virtual, speed == nil else {
        throw ValidationError(
          "a server lives in real time: --timeline virtual and --speed are for twins in process")
      }
      work.scenario.timeline = .wall(speed: 1)
    }
    guard let speed else { return }
    guard work.scenario.timeline.isWall else {
      Console.error(
        "--speed is for the wall timeline: virtual time is as fast as the machine allows")
      throw ExitStatus.wrongUsage.thrown
    }
    work.scenario.timeline = .wall(speed: speed)
  }

  private func show(_ run: Run, _ keeping: Keeping) {
    let colour = Console.wantsColour(STDOUT_FILENO)
    Console.out(
      TerminalSummary.text(
        run, width: Console.columns, colour: colour, reportAt: keeping.report))
    if let comparison = run.comparison {
      Console.out(
        TerminalComparison.text(
          comparison, names: (keeping.folder.path, baseline ?? ""), width: Console.columns,
          colour: colour, height: 15, below: run))
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
        comparison, names: (keeping.folder.path, baseline ?? ""), width: width, colour: colour,
        height: 15, below: run))
  }

  private func prepareFolder(for scenario: Scenario) throws -> RunFolder {
    do throws(RunFolderError) {
      if let output {
        return try RunFolder.prepare(output, besides: eventsInside(output), sparing: inputs)
      }
      return try RunFolder.prepareDefault(
        name: scenario.name, seed: scenario.seed, at: Date())
    } catch {
      Console.error(error.description)
      throw (error.isWrongUsage ? ExitStatus.wrongUsage : .cannotWrite).thrown
    }
  }

  /// The files that the run reads, which nothing of it may replace.
  private var inputs: [String] {
    [scenario] + (baseline.map { [$0, $0 + "/result.json"] } ?? [])
  }

  /// The file of `--events` may lie in the folder of the run, which is then made for it.
  private func eventsInside(_ output: String) -> Set<String> {
    guard let events else { return [] }
    let file = URL(fileURLWithPath: events).standardizedFileURL
    let folder = URL(fileURLWithPath: output).standardizedFileURL
    guard file.deletingLastPathComponent().path == folder.path else { return [] }
    return [file.lastPathComponent]
  }

  /// Read before the run starts, so that a wrong file does not cost one.
  private func acceptedBaseline(for scenario: Scenario) throws -> RunFigures? {
    guard let baseline else { return nil }
    let figures = try RunSource(baseline, store: RunStore.standardPath).figures()
    guard figures.scenario.name == scenario.name else {
      Console.error(
        "\(baseline): this is a baseline of the scenario '\(figures.scenario.name)', not of '\(scenario.name)'"
      )
      throw ExitStatus.invalidInput.thrown
    }
    return figures
  }

  private func compare(_ run: inout Run, with accepted: RunFigures, stops: Bool) throws {
    if run.interrupted { return }
    let comparison = try Comparing.compare(
      run.figures, with: accepted, names: (run.scenario.name, baseline ?? ""),
      margin: margin ?? .standard)
    run.comparison = comparison
    let exit = ExitStatus.of(
      interrupted: run.interrupted, limits: run.limits.map(\.verdict),
      objectives: run.objectives.map(\.verdict), inconclusiveStops: stops,
      comparison: comparison.verdict,
      isGeneratorTheLimit: run.machine.punctuality?.breaches.isEmpty == false)
    run.exitCode = Int(exit.rawValue)
  }

  private func files(of run: Run) -> [(path: String, bytes: [UInt8])] {
    (run.comparison.map { [("comparison.json", ComparisonDocument.bytes(for: $0))] } ?? [])
      + Rendering.files(for: run)
  }

  static var cpu: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let name = text.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return "\(name ?? "unknown processor"), \(ProcessInfo.processInfo.activeProcessorCount) cores"
  }
}

extension URL {
  /// The same without user and password, which are secrets.
  var withoutUser: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return "" }
    (parts.user, parts.password) = (nil, nil)
    return parts.string ?? ""
  }
}
