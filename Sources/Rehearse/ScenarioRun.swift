import ArgumentParser
import Backends
import Contracts
import Foundation
import Observations
import Reports
import Rooms
import Runs
import ScenarioFiles
import Scenarios
import Simulation
import Verdicts

/// Loads a scenario and runs it: what `run`, `trace` and `prove` share.
struct ScenarioRun {
  var scenario: Scenario
  let file: String

  init(scenario: Scenario, file: String) {
    self.scenario = scenario
    self.file = file
  }

  /// Reads and validates a file; problems are printed and end the command with 65.
  init(file: String) throws {
    self.file = file
    do throws(ScenarioErrors) {
      let loaded = try ScenarioFile.load(file, declarations: Rooms.declarations)
      scenario = loaded.scenario
      for warning in loaded.warnings { Console.error("warning: \(warning)") }
    } catch {
      throw Self.fail(error)
    }
  }

  /// Takes over what the command line says about replications. A number given there is meant exactly, so that the command of a report
  /// repeats its run.
  mutating func settle(replications: Int?, maximum: Int?, stopEarly: Bool?) {
    if let replications {
      scenario.replications = replications
      scenario.maximumReplications = replications
    }
    if let maximum { scenario.maximumReplications = max(maximum, scenario.replications) }
    if let stopEarly { scenario.stopEarly = stopEarly }
  }

  var stages: [Stage] {
    scenario.worlds.map { world in
      guard let stage = Rooms.stage(of: world.domain) else {
        preconditionFailure("the scenario was validated against the rooms")
      }
      return stage
    }
  }

  var rooms: [any Backend] { stages.map(\.room) }

  /// Control commands of the scenario must name things that its population has; problems are printed all at once and end the
  /// command with 65.
  func checkEvents() throws {
    var problems: [ScenarioProblem] = []
    for event in scenario.events {
      guard let index = scenario.worlds.firstIndex(where: { $0.domain == event.domain }) else {
        continue
      }
      let plans = VirtualRun.plans(
        of: scenario.worlds[index], in: scenario, seed: scenario.seed(ofReplication: 0),
        tokens: Rooms.tokens)
      do throws(ControlProblem) {
        var isPlaced = false
        for plan in plans where !isPlaced {
          isPlaced = try Self.isPlaced(event, in: rooms[index], plan)
        }
        guard isPlaced else {
          throw ControlProblem(
            "what it names does not exist in this population; name something that it has"
          )
        }
      } catch {
        problems.append(event.problem(error, in: file))
      }
    }
    guard problems.isEmpty else { throw Self.fail(ScenarioErrors(problems)) }
  }

  private static func fail(_ errors: ScenarioErrors) -> ExitCode {
    Console.error(errors.description)
    GitHub.report(errors)
    return ExitStatus.invalidInput.thrown
  }

  private static func isPlaced<Room: Backend>(
    _ event: ScheduledEvent, in room: Room, _ plan: RegionPlan
  ) throws(ControlProblem) -> Bool {
    try !room.place(event.command, event.parameters, in: plan).isEmpty
  }

  /// A run that needs more memory than there is would be killed half-way; better to say so before.
  func checkMemory(workers: Int) throws {
    let persons = zip(scenario.worlds, rooms).reduce(0) { $0 + $1.1.persons(in: $1.0.population) }
    let alive = min(workers, scenario.mostReplications)
    let needed = persons.multipliedReportingOverflow(by: alive * Self.bytesPerPerson)
    guard needed.overflow || needed.partialValue > Self.availableMemory else { return }
    let gigabytes = needed.overflow ? "far more" : "about \(needed.partialValue >> 30) GB"
    Console.error(
      "\(file): \(Figures.count(persons)) people in \(alive) replication\(alive == 1 ? "" : "s") at once need \(gigabytes) of memory, and \(Self.availableMemory >> 30) GB are free; use a smaller population, or fewer --workers"
    )
    throw ExitStatus.invalidInput.thrown
  }

  /// A person with its share of the twin, measured generously.
  private static let bytesPerPerson = 12_000

  private static var availableMemory: Int {
    let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
      let digits = line.filter(\.isNumber)
      if let kilobytes = Int(digits) { return kilobytes << 10 }
    }
    return Int(clamping: ProcessInfo.processInfo.physicalMemory)
  }

  func virtualRun(
    transcribing: Transcribing = .nobody, stopwatch: Stopwatch? = nil, events: EventStream? = nil
  ) -> VirtualRun {
    VirtualRun(
      scenario, rooms: stages, tokens: Rooms.tokens, stopwatch: stopwatch,
      transcribing: transcribing, events: events)
  }

  func assemble(
    _ results: [ReplicationResult], interrupted: Bool, looks: Looks? = nil, machine: Machine
  ) -> Run {
    RunAssembly(
      scenario, file: file, declarations: rooms.map(\.declaration), replications: results,
      interrupted: interrupted, looks: looks
    ).run(on: machine)
  }

  static var tokens: any TokenCodec { Rooms.tokens }

  static let stopwatch = Stopwatch {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
