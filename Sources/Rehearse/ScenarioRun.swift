import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import HTTPLoad
import MachineShare
import Observations
import Reports
import Runs
import ScenarioFiles
import Scenarios
import Simulation
import Timekeeping
import Verdicts

/// Loads a scenario and runs it: what `run`, `trace` and `prove` share.
struct ScenarioRun {
  var scenario: Scenario
  let file: String
  /// Servers that answer in place of twins.
  var servers = TargetServers() { didSet { overHTTP = servers.domains } }
  /// Domains whose backend is a server.
  var overHTTP: Set<String> = []
  /// Of a run against servers that several generators live at once.
  var division: WireTargets.Division?
  /// Why a server could not be the run's target.
  let targetProblem = TargetProblemNote()
  /// The text that it was read from; empty of one that a command makes.
  private(set) var source = ScenarioFile.Source(bytes: [], variables: [:])
  /// The replications that the file has at most, whatever the command line says.
  private let planned: Int
  /// What the command line says beside file, seed and replications, for commands that repeat the run.
  var options = ""

  init(scenario: Scenario, file: String) {
    self.scenario = scenario
    self.file = file
    planned = scenario.mostReplications
  }

  /// Reads and validates a file; problems are printed and end the command with 65.
  init(file: String) throws {
    do throws(ScenarioErrors) {
      try self.init(file: file, source: ScenarioFile.source(of: file), isQuiet: false)
    } catch {
      throw Self.fail(error)
    }
  }

  /// Reads and validates what a file held.
  init(file: String, source: ScenarioFile.Source, isQuiet: Bool) throws(ScenarioErrors) {
    let loaded = try ScenarioFile.read(
      source.bytes, file: file, declarations: Domains.declarations, environment: source.variables)
    Domains.mustBeSound(loaded.scenario.worlds.map(\.domain))
    self.init(scenario: loaded.scenario, file: file)
    self.source = source
    guard !isQuiet else { return }
    for warning in loaded.warnings { Console.error("warning: \(warning)") }
  }

  /// Takes over what the command line says about replications. A number given there is meant exactly, so that the command of a report
  /// repeats its run.
  mutating func decide(replications: Int?, maximum: Int?, stopEarly: Bool?) {
    if let replications {
      scenario.replications = replications
      scenario.maximumReplications = replications
    }
    if let maximum { scenario.maximumReplications = maximum }
    if let stopEarly { scenario.stopEarly = stopEarly }
  }

  var domains: [AnyDomain] {
    scenario.worlds.map { world in
      guard let domain = Domains.entry(of: world.domain) else {
        preconditionFailure("the scenario was validated against the domains")
      }
      return domain
    }
  }

  /// Tallies of its worlds in which nothing is counted yet.
  var emptyTallies: [WorldTally] { domains.map { $0.emptyTally(scenario) } }

  var backends: [any Backend] { domains.map(\.backend) }

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
        tokens: Domains.tokens)
      do throws(ControlProblem) {
        var isAssigned = false
        for plan in plans where !isAssigned {
          isAssigned = try Self.isAssigned(event, in: backends[index], plan)
        }
        guard isAssigned else {
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

  /// Every place of a closed workload must be somebody's, and an open one needs somebody who comes; else the command ends with 65.
  func checkLoad() throws {
    guard let workload = scenario.workload,
      let index = scenario.worlds.firstIndex(where: { $0.domain == workload.domain })
    else { return }
    let plans = VirtualRun.plans(
      of: scenario.worlds[index], in: scenario, seed: scenario.seed(ofReplication: 0),
      tokens: Domains.tokens)
    let share = division?.share ?? .whole
    for plan in plans {
      let found = Self.visitors(in: backends[index], plan, share)
      let needed = workload.visitorsNeeded(
        inRegion: plan.region - 1 + plan.regions * (share.number - 1),
        of: plan.regions * share.parts)
      guard found < needed else { continue }
      let part = share == .whole ? "" : ", part \(share),"
      Console.error(
        "\(file): the phases need \(Figures.count(needed, "person")) in \(plan.path)\(part), and \(Figures.count(found)) of its population can come; use a larger population"
      )
      throw ExitStatus.invalidInput.thrown
    }
  }

  private static func visitors<Domain: Backend>(
    in backend: Domain, _ plan: RegionPlan, _ share: Share
  ) -> Int {
    backend.populate(plan).persons.enumerated().count {
      !$0.element.keepsHours && share.takes($0.offset)
    }
  }

  private static func isAssigned<Domain: Backend>(
    _ event: ScheduledEvent, in backend: Domain, _ plan: RegionPlan
  ) throws(ControlProblem) -> Bool {
    try !backend.assign(event.command, event.parameters, in: plan).isEmpty
  }

  /// A run that needs more memory than there is would be killed half-way; better to say so before.
  func checkMemory(workers: Int) throws {
    let persons = zip(scenario.worlds, backends).reduce(0) {
      $0 + $1.1.persons(in: $1.0.population)
    }
    let alive = min(workers, scenario.mostReplications)
    let needed = persons.multipliedReportingOverflow(by: alive * Self.bytesPerPerson)
    let free = MachineShare.current.memory
    guard needed.overflow || needed.partialValue > free else { return }
    let memory =
      needed.overflow ? "far more" : "about \(Figures.count(needed.partialValue >> 20)) MB"
    Console.error(
      "\(file): \(Figures.count(persons)) people in \(alive) replication\(alive == 1 ? "" : "s") at once need \(memory) of memory, and \(Figures.count(free >> 20)) MB are free; use a smaller population, or fewer --workers"
    )
    throw ExitStatus.invalidInput.thrown
  }

  /// A person with its share of the twin, measured generously.
  private static let bytesPerPerson = 12_000

  func virtualRun(
    transcribing: Transcribing = .nobody, stopwatch: Stopwatch? = nil, events: EventStream? = nil,
    lastsUntilViolated: LimitID? = nil
  ) -> VirtualRun {
    VirtualRun(
      scenario, domains: domains, tokens: Domains.tokens, stopwatch: stopwatch,
      lastsUntilViolated: lastsUntilViolated, transcribing: transcribing, events: events)
  }

  /// The scenario on its own timeline.
  func timelineRun(
    transcribing: Transcribing, stopwatch: Stopwatch?, events: EventStream?
  ) -> any TimelineRun {
    switch scenario.timeline {
    case .virtual:
      virtualRun(transcribing: transcribing, stopwatch: stopwatch, events: events)
    case .wall(let speed):
      WallRun(
        scenario, domains: domains, tokens: Domains.tokens, clock: .monotonic, speed: speed,
        transcribing: transcribing, events: events, targets: targets,
        onProblem: { [targetProblem] in targetProblem.write($0) })
    }
  }

  private var targets: WireTargets? {
    guard !servers.domains.isEmpty else { return nil }
    return WireTargets(
      servers.kinds, division: division, isOneAtATime: scenario.isOneAtATime,
      realTime: Self.realTime
    ) {
      [servers] () throws(TargetProblem) in
      do throws(HTTPProblem) {
        return try TargetTransport(servers)
      } catch {
        if case .unusableFile = error { throw .unsuitable("\(error)") }
        throw .unreachable("\(error)")
      }
    }
  }

  static let realTime: @Sendable () -> Instant = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// A server holds what lives in one of them; else the command ends with 65.
  func checkCells() throws {
    for (world, backend) in zip(scenario.worlds, backends)
    where servers.domains.contains(world.domain) {
      let plans = VirtualRun.plans(
        of: world, in: scenario, seed: scenario.seed(ofReplication: 0), tokens: Domains.tokens)
      let cells = Self.cells(in: backend, plans[0])
      guard backend.isCellAServer, cells > 1 else { continue }
      Console.error(
        "\(file): the population of \(world.domain) lives in \(cells) places, each with a server of its own; use one that lives in a single place"
      )
      throw ExitStatus.invalidInput.thrown
    }
  }

  private static func cells<Domain: Backend>(in backend: Domain, _ plan: RegionPlan) -> Int {
    backend.populate(plan).cells
  }

  /// Reads who people are to servers that were not started for the run; problems are printed and end the command with 65.
  mutating func dress() throws {
    let environment = ProcessInfo.processInfo.environment
    for server in scenario.servers {
      do throws(ScenarioErrors) {
        let (rows, ids) = try tables(of: server)
        for name in server.variables where environment[name] == nil {
          throw ScenarioErrors(
            file: file, at: server.location, "the environment variable '\(name)' is not set",
            "set it")
        }
        servers.wardrobes[server.domain] = Wardrobe(
          server, rows: rows?.rows ?? [],
          ids: Dictionary(
            (ids?.rows ?? []).map { ($0["name"] ?? "", $0["id"] ?? "") },
            uniquingKeysWith: { first, _ in first }))
      } catch {
        throw Self.fail(error)
      }
    }
  }

  /// The files beside the scenario must say who people are; problems are printed and end the command with 65.
  func checkTables() throws {
    for server in scenario.servers {
      do throws(ScenarioErrors) { _ = try tables(of: server) } catch { throw Self.fail(error) }
    }
  }

  private func tables(
    of server: ForeignServer
  ) throws(ScenarioErrors) -> (rows: Feeder?, ids: Feeder?) {
    let rows = try server.feeder.map { (name) throws(ScenarioErrors) in
      try Feeder(beside(name), columns: server.columns, key: server.rowOf)
    }
    if let rows, server.rowOf == nil { try checkRows(rows, for: server) }
    let ids = try server.ids.map { (name) throws(ScenarioErrors) in
      try Feeder(beside(name), columns: ["name", "id"], key: "name")
    }
    return (rows, ids)
  }

  private func beside(_ name: String) -> String {
    guard !name.hasPrefix("/"), file != ScenarioFile.standardInput else { return name }
    return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Everybody has a row of their own.
  private func checkRows(_ feeder: Feeder, for server: ForeignServer) throws(ScenarioErrors) {
    guard let index = scenario.worlds.firstIndex(where: { $0.domain == server.domain }) else {
      return
    }
    let plans = VirtualRun.plans(
      of: scenario.worlds[index], in: scenario, seed: scenario.seed(ofReplication: 0),
      tokens: Domains.tokens)
    let needed = Self.people(in: backends[index], plans[0])
    guard feeder.rows.count < needed else { return }
    throw ScenarioErrors(
      file: feeder.file,
      "it has \(feeder.rows.count) \(feeder.rows.count == 1 ? "row" : "rows"), and \(needed) people of \(server.domain) need one each",
      "add rows, or use a smaller population")
  }

  private static func people<Domain: Backend>(in backend: Domain, _ plan: RegionPlan) -> Int {
    backend.populate(plan).persons.count
  }

  func assemble(
    _ results: [ReplicationResult], interrupted: Bool, looks: Looks? = nil, machine: Machine,
    lack: Lack? = nil, together: Together? = nil
  ) -> Run {
    RunAssembly(
      scenario, file: file, declarations: backends.map(\.declaration), replications: results,
      interrupted: interrupted, looks: looks, overHTTP: overHTTP, planned: planned,
      options: options, lack: lack, together: together
    ).run(on: machine)
  }

  static var tokens: any TokenCodec { Domains.tokens }

  static let stopwatch = Stopwatch {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
