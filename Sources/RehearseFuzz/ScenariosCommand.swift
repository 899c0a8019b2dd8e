import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import Reports
import Runs
import ScenarioFiles
import Scenarios
import Simulation
import Verdicts

struct ScenariosCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenarios",
    abstract: "Read scenarios that nobody wrote, and live through those that are valid.",
    discussion: """
      Scenarios are written from the domains' declarations: sensible ones, ones at the edges of what is allowed, and broken \
      ones. Each is read and explained; each valid one lives for a virtual minute, every tenth for two hours, and its report \
      is rendered. One that ends the process, or takes longer than a minute, is a failure (exit code 99).

      A failure is repeated by
        rehearse-fuzz scenarios --seed 5 --only 4711
      """)

  @Option(help: "The seed; another one each time when left out, and printed.")
  var seed: UInt64?

  @Option(help: "How many scenarios.")
  var count = 5_000

  @Option(help: "This scenario alone; it is shown before it is read.")
  var only: Int?

  @Flag(help: "Print nothing but failures and the summary.")
  var quiet = false

  // What follows is how the processes speak to one another, and how tests see that a failure is found.
  @Option(help: .hidden) var journal: String?
  @Option(help: .hidden) var from = 0
  @Option(help: .hidden) var trapAt: Int?

  func validate() throws {
    guard count > 0, (only ?? 0) >= 0 else {
      throw ValidationError("--count is at least 1, --only is not negative")
    }
    if only != nil, seed == nil { throw ValidationError("--only needs the --seed of its failure") }
  }

  func run() throws {
    if let seed, let only {
      print(text(only, of: seed))
      fflush(nil)
      print(try live(only, of: seed).rawValue)
      return
    }
    if let seed, let journal { return try work(Journal(writing: journal), seed) }
    let seed = seed ?? .random(in: 0...999_999)
    print("seed \(seed)")
    guard try supervise(seed) == 0 else { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  // MARK: - In the process that reads

  private enum End: String, CaseIterable { case refused, unlocated, lived }

  private func work(_ journal: Journal, _ seed: UInt64) throws {
    for number in from..<count {
      journal.note(number)
      print(try live(number, of: seed).rawValue)
      fflush(nil)
    }
  }

  private func text(_ number: Int, of seed: UInt64) -> String {
    var making = ScenarioMaking(seed: seed, number: number, declarations: Domains.declarations)
    return making.text()
  }

  private func live(_ number: Int, of seed: UInt64) throws -> End {
    if number == trapAt { fatalError("planted by --trap-at") }
    let bytes = Array(text(number, of: seed).utf8)
    var scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try ScenarioFile.read(
        bytes, file: "fuzz.yaml", declarations: Domains.declarations
      ).scenario
    } catch {
      _ = error.description
      return .refused
    }
    let domains = scenario.worlds.map { Domains.entry(of: $0.domain)! }
    // What is written for a whole day must not need one.
    scenario.lasts = min(scenario.lasts, number % 10 == 0 ? .hours(2) : .minutes(1))
    scenario.barrierInterval = min(scenario.barrierInterval, .seconds(20))
    scenario.warmup = min(scenario.warmup, .seconds(20))
    for (world, domain) in zip(scenario.worlds, domains) {
      guard Self.isAssigned(scenario, world, in: domain.backend),
        domain.backend.persons(in: world.population) < 2_000
      else { return .unlocated }
    }
    let began = DispatchTime.now().uptimeNanoseconds
    let results = VirtualRun(scenario, domains: domains, tokens: Domains.tokens).run(
      replications: Array(0..<min(2, scenario.replications)), workers: 1,
      isStopped: { DispatchTime.now().uptimeNanoseconds - began > 4_000_000_000 })
    let run = RunAssembly(
      scenario, file: "fuzz.yaml", declarations: domains.map(\.backend.declaration),
      replications: results, interrupted: false
    ).run(on: .unknown)
    _ = Rendering.files(for: run)
    _ = TerminalSummary.text(run, width: 80, colour: true, reportAt: "index.html")
    return .lived
  }

  /// Whether the events name what there is, as every run asks before it begins.
  private static func isAssigned(
    _ scenario: Scenario, _ world: World, in backend: some Backend
  ) -> Bool {
    let plans = VirtualRun.plans(
      of: world, in: scenario, seed: scenario.seed(ofReplication: 0), tokens: Domains.tokens)
    return scenario.events.filter { $0.domain == world.domain }.allSatisfy { event in
      do throws(ControlProblem) {
        var isAssigned = false
        for plan in plans {
          if try !backend.assign(event.command, event.parameters, in: plan).isEmpty {
            isAssigned = true
          }
        }
        return isAssigned
      } catch {
        return false
      }
    }
  }

  // MARK: - In the process that watches

  private static let mostFailures = 20
  /// How long one scenario may take.
  private static let patience = 60.0

  /// - Returns: The number of failures.
  private func supervise(_ seed: UInt64) throws -> Int {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearse-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let journal = folder.appendingPathComponent("journal").path
    var ends: [String: Int] = [:]
    var failures = 0
    var first = 0
    while first < count, failures < Self.mostFailures {
      let process = try launch(seed, from: first, journal: journal, in: folder)
      let number = watch(process, journal)
      for line in Self.text(of: folder, "output").split(separator: "\n") {
        ends[String(line), default: 0] += 1
      }
      if process.terminationReason == .exit, process.terminationStatus == 0 { break }
      let failed = number ?? first
      failures += 1
      print(
        """
        FAILURE at scenario \(failed) of seed \(seed): the process ended with \(process.terminationStatus)
        \(Self.text(of: folder, "problems").prefix(2_000))
        repeat it with: rehearse-fuzz scenarios --seed \(seed) --only \(failed)

        """)
      first = failed + 1
    }
    let told = End.allCases.map { "\(ends[$0.rawValue, default: 0]) \($0.rawValue)" }
    print("\(count) scenarios: \(told.joined(separator: ", ")), \(failures) failures")
    return failures
  }

  private func launch(
    _ seed: UInt64, from first: Int, journal: String, in folder: URL
  ) throws -> Process {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments =
      ["scenarios", "--seed", "\(seed)", "--count", "\(count)", "--from", "\(first)"]
      + ["--journal", journal] + (trapAt.map { ["--trap-at", "\($0)"] } ?? [])
    // A backtrace takes longer than all the rest; whoever repeats the scenario gets it.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    for (name, stream) in [("output", \Process.standardOutput), ("problems", \.standardError)] {
      let file = folder.appendingPathComponent(name)
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      process[keyPath: stream] = try FileHandle(forWritingTo: file)
    }
    try process.run()
    return process
  }

  /// - Returns: The scenario at which the process was last.
  private func watch(_ process: Process, _ journal: String) -> Int? {
    var (number, moved, told) = (Journal.read(journal), Date(), Date())
    while process.isRunning {
      Thread.sleep(forTimeInterval: 0.02)
      let now = Journal.read(journal)
      if now != number { (number, moved) = (now, Date()) }
      if Date().timeIntervalSince(moved) > Self.patience {
        kill(process.processIdentifier, SIGKILL)
      }
      if !quiet, Date().timeIntervalSince(told) > 5, let number {
        told = Date()
        FileHandle.standardError.write(Data("scenario \(number) of \(count)\n".utf8))
      }
    }
    process.waitUntilExit()
    return Journal.read(journal)
  }

  private static func text(of folder: URL, _ name: String) -> String {
    let bytes = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }
}
