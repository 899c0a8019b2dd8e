import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import Replays
import ScenarioFiles
import Scenarios
import Simulation
import Timekeeping
import Verdicts

/// The population of a scenario, loaded into the one cell that a server has for a domain.
struct Population {
  private let scenario: Scenario
  private let file: String

  /// Reads a scenario; problems are printed and end the command with 65.
  init(file: String) throws {
    self.file = file
    do throws(ScenarioErrors) {
      let loaded = try ScenarioFile.load(file, declarations: Domains.declarations)
      scenario = loaded.scenario
      for warning in loaded.warnings { Serve.complain("warning: \(warning)") }
    } catch {
      Serve.complain(error.description)
      throw ExitCode(ExitStatus.invalidInput.rawValue)
    }
  }

  var domains: [String] { scenario.worlds.map(\.domain) }

  /// A session and where its clock begins: at the scenario's start; without a scenario now, or, for a clock that only
  /// its user moves, where `replay` begins.
  static func stepped<Domain: Backend>(
    of backend: Domain, in population: Population?, clock: Serve.ClockKind
  ) throws -> (SteppedTwin<Domain>, starts: Instant) {
    guard let population else {
      let starts =
        clock == .manual ? Domains.epoch : Instant(unixMilliseconds: Self.wallMilliseconds)
      return (SteppedTwin(backend, setup: Domains.setup(), starts: starts), starts)
    }
    return (try population.stepped(of: backend), population.scenario.starts)
  }

  private static var wallMilliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  private func stepped<Domain: Backend>(of backend: Domain) throws -> SteppedTwin<Domain> {
    let domain = Domain.Contract.domain
    guard let world = scenario.worlds.first(where: { $0.domain == domain }) else {
      Serve.complain(
        "\(file): has no world of \(domain); it has \(domains.joined(separator: ", "))")
      throw ExitCode(ExitStatus.invalidInput.rawValue)
    }
    let plans = VirtualRun.plans(
      of: world, in: scenario, seed: scenario.seed(ofReplication: 0), tokens: Domains.tokens)
    var stepped = SteppedTwin(
      backend, setup: Domains.setup(rulesOff: world.rulesOff), starts: scenario.starts)
    var commands = plans.flatMap { backend.populate($0).controls }.map { ($0.at, $0.request) }
    for event in scenario.events where event.domain == domain {
      commands += try assigned(event, in: backend, plans)
    }
    stepped.schedule(commands.map { (at: $0.0, request: $0.1) })
    do throws(ControlProblem) {
      _ = try stepped.advance(to: scenario.starts)
    } catch {
      preconditionFailure("a session did not reach its own start: \(error)")
    }
    return stepped
  }

  private func assigned<Domain: Backend>(
    _ event: ScheduledEvent, in backend: Domain, _ plans: [RegionPlan]
  ) throws -> [(Instant, Domain.Contract.Request)] {
    do throws(ControlProblem) {
      var requests: [(Instant, Domain.Contract.Request)] = []
      for plan in plans {
        requests += try backend.assign(event.command, event.parameters, in: plan)
          .map { (event.at, $0.request) }
      }
      return requests
    } catch {
      Serve.complain(event.problem(error, in: file).description)
      throw ExitCode(ExitStatus.invalidInput.rawValue)
    }
  }
}
