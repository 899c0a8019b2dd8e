import ArgumentParser
import Contracts
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
        rehearse run scenarios/saturday.yaml --part 3/16 --output parts
        rehearse run evening.yaml --target kilwinning=http://host:3000 --part 1/2 --start-at 2026-03-21T06:00:00Z
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

  @Flag(
    help:
      "Before servers: a request leaves when the one before it is over, so that no fault of requests that overlap can show."
  )
  var oneAtATime = false

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
    help:
      "Write every record as a line of JSON to this file, as it happens; a FIFO or a device is written into as it is.",
    completion: .file())
  var events: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Compute only this part of the run, e.g. 3/16, as a file in --output (default: reports/<name>/parts-<seed>) for 'rehearse merge'.",
      valueName: "n/parts"), transform: PartOption.parse)
  var part: Share?

  @Option(
    parsing: .unconditional,
    help: "With --part: which round of a run that goes on until it is decided.")
  var round = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --part and --target: the moment at which the generators of all parts begin, e.g. 2026-03-21T06:00:00Z.",
      valueName: "instant"), transform: PartOption.moment)
  var startAt: Instant?

  @OptionGroup var results: ResultOptions

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
    if let speed, !(speed >= 0.001 && speed <= 1_000_000) {
      throw ValidationError("--speed must be a number from 0.001 to 1000000, not \(speed)")
    }
    guard events != "" else { throw ValidationError("--events needs the name of a file") }
    guard part == nil || (events == nil && results.baseline == nil && !results.json) else {
      throw ValidationError(
        "--events, --baseline and --json are of a whole run: leave them out with --part, and give the latter two to 'rehearse merge'"
      )
    }
    guard round >= 1, part != nil || round == 1 else {
      throw ValidationError("--round is a number from 1 on, and goes with --part")
    }
  }

  func run() throws {
    var work = try ScenarioRun(file: scenario)
    if let seed { work.scenario.seed = seed }
    let fewest = replications ?? work.scenario.replications
    if let maximumReplications, maximumReplications < fewest {
      throw ValidationError(
        "--maximum-replications \(maximumReplications) is less than the \(fewest) replications that the scenario begins with: give \(fewest) or more, or --replications with it"
      )
    }
    work.decide(
      replications: replications, maximum: maximumReplications, stopEarly: stopEarly)
    try chooseTimeline(&work)
    work.options = options
    try divide(&work)
    try work.checkMemory(workers: threads)
    try work.checkEvents()
    try work.checkLoad()
    try work.checkCells()
    if let part {
      return try PartRun(
        work: work, share: part, round: round, workers: threads, output: results.output,
        quiet: results.quiet
      ).run()
    }
    let inside = try results.output.map(eventsInside) ?? []
    let ending = try RunEnding(results, of: work.scenario, besides: inside, reading: [scenario])
    if let output = results.output, !inside.isEmpty { mkdir(output, 0o777) }
    let transcript = try events.map { try EventFile($0, sparing: [scenario] + results.inputs) }
    if !results.quiet, let words = work.scenario.realTimeInWords { Console.error(words) }
    let view = LiveView(work.scenario, quiet: results.quiet)
    let teller = LiveView.Teller()
    teller.view.withLock { $0 = view }
    let interruption = Interruption(by: { teller.say($0) })
    let stop = interruption.flag
    let line = view == nil ? ProgressLine(work.scenario, quiet: results.quiet) : nil
    let starts = work.scenario.starts
    let began = DispatchTime.now().uptimeNanoseconds
    let timeline = work.timelineRun(
      transcribing: transcript == nil ? .nobody : .everybody, stopwatch: ScenarioRun.stopwatch,
      events: transcript?.stream)
    let made = LookByLook(scenario: work.scenario) { wanted in
      timeline.run(
        replications: Array(wanted), workers: threads, stopsEarly: work.scenario.stopEarly,
        progress: {
          line?.show($0)
          view?.show($0, since: starts)
        }, isStopped: { stop.isUp })
    }.run(
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
    guard !made.results.isEmpty else {
      transcript?.discard()
      if let problem = work.targetProblem.written { throw fail(problem) }
      if let output = results.output { rmdir(output) }  // Refused unless it is empty.
      Console.error("Stopped before anything had happened; there is nothing to report.")
      throw ExitStatus.interrupted.thrown
    }
    let lostEvents = transcript?.close()
    let machine = Machine(
      wallSeconds: Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9, workers: threads,
      cpu: Self.cpu, version: Version.text, commit: Version.commit, inProcess: [])
    try ending.conclude(
      work.assemble(
        made.results, interrupted: stop.isUp, looks: made.looks, machine: machine),
      lostEvents: lostEvents)
  }

  /// A run against servers is divided by its people, and all generators begin at one moment.
  private func divide(_ work: inout ScenarioRun) throws {
    guard let part, !work.servers.domains.isEmpty else {
      guard startAt == nil else {
        throw ValidationError(
          "--start-at goes with --part and --target: other parts are computed whenever there is time"
        )
      }
      return
    }
    guard let startAt else {
      throw ValidationError(
        "--part of a run against a server needs --start-at, the moment at which all parts begin")
    }
    let twins = work.scenario.worlds.map(\.domain).filter { !work.servers.domains.contains($0) }
    guard twins.isEmpty else {
      throw ValidationError(
        "--part of a run against servers needs one for each world: add --target \(twins[0])=URL")
    }
    guard work.scenario.mostReplications == 1 else {
      throw ValidationError(
        "--part divides a run against a server by its people, in one replication: add --replications 1"
      )
    }
    work.division = WireTargets.Division(part, starts: startAt)
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
    if oneAtATime { words.append("--one-at-a-time") }
    if let timeline { words += ["--timeline", timeline.rawValue] }
    if let speed { words += ["--speed", plain(speed)] }
    if let stopEarly { words.append(stopEarly ? "--stop-early" : "--no-stop-early") }
    let own = words.map { " " + Escaping.shell($0) }.joined()
    return own + results.words
  }

  private func fail(_ problem: TargetProblem) -> ExitCode {
    if let output = results.output { rmdir(output) }  // Refused unless it is empty.
    return problem.told()
  }

  private func chooseTimeline(_ work: inout ScenarioRun) throws {
    if let timeline { work.scenario.timeline = timeline == .wall ? .wall(speed: 1) : .virtual }
    work.servers = try TargetServers(target, work.scenario)
    work.servers.tls = HTTPOptions.TLS(isInsecure: insecure, authorities: caFile)
    try work.dress()
    try HTTPOptions.TLS.check(
      [("--insecure", insecure), ("--ca-file", caFile != nil)], among: work.servers.schemes,
      needing: "an https target, e.g. --target DOMAIN=https://HOST:PORT")
    if oneAtATime {
      guard !work.servers.domains.isEmpty else {
        throw ValidationError(
          "--one-at-a-time is for servers: a twin in process answers each request before the next; give 'target' in the scenario, or --target DOMAIN=URL"
        )
      }
      guard part == nil else {
        throw ValidationError(
          "--one-at-a-time is for one generator, and --part divides the run among several")
      }
      work.scenario.isOneAtATime = true
    }
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

  /// The file of `--events` may lie in the folder of the run, which is then made for it.
  private func eventsInside(_ output: String) throws -> Set<String> {
    guard let events else { return [] }
    let file = URL(fileURLWithPath: events).standardizedFileURL
    let folder = URL(fileURLWithPath: output).standardizedFileURL
    guard file.path != folder.path else {
      throw ValidationError("--events and --output are both \(printable(events)): name a file")
    }
    guard file.deletingLastPathComponent().path == folder.path else { return [] }
    guard !RunFolder.holds(file.lastPathComponent) else {
      throw ValidationError(
        "--events \(printable(events)): the run writes a file of that name; name another one")
    }
    return [file.lastPathComponent]
  }

  static var cpu: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let name = text.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return "\(name ?? "unknown processor"), \(ProcessInfo.processInfo.activeProcessorCount) cores"
  }
}

extension TargetProblem {
  /// Prints it. - Returns: The exit code.
  func told() -> ExitCode {
    Console.error(words)
    switch self {
    case .unreachable: return ExitStatus.targetUnreachable.thrown
    case .unsuitable: return ExitStatus.invalidInput.thrown
    }
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
