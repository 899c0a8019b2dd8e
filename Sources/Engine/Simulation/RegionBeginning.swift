import Backends
import Contracts
import Observations
import Scenarios

/// With what a region begins, from its backend, its plan and the scenario.
extension Region {
  /// Who lives in it. A server is one cell, whoever lives there.
  static func population(
    of backend: Domain, _ plan: RegionPlan, before server: WireServer?
  ) -> PopulationPlan<Contract> {
    let population = backend.populate(plan).sound(in: plan)
    return server == nil ? population : population.inOneCell
  }

  /// What lies between its people and their backend.
  static func transport(
    to backend: Domain, _ plan: RegionPlan, cells: Int, _ scenario: Scenario,
    _ stopwatch: Stopwatch?, _ time: WallTime?, _ server: WireServer?
  ) -> Transport<Domain> {
    if let time, let server {
      return ServerTransport(backend, plan, scenario, time, server).erased
    }
    let twins = Twins(backend, plan, cells: cells, stopwatch: stopwatch)
    return time == nil
      ? ModelledTransport(twins, scenario).erased : InProcessTransport(twins: twins).erased
  }

  /// The checks of a backend that see what they go by, and why others do not.
  static func checks(
    of backend: Domain, before server: WireServer?
  ) -> (seen: Domain.Checks, unseen: [LimitID: String]) {
    guard let server, !server.isTwin || server.share != .whole else {
      return (backend.checkRuntime { _ in true }, [:])
    }
    var hidden: Set<Concern> = server.isTwin ? [] : [.signals, .inspections]
    if !server.isLoaded { hidden.insert(.controls) }
    var unseen: [LimitID: String] = [:]
    let seen = backend.checkRuntime { judged in
      if server.share != .whole, !judged.judgesByPerson {
        unseen[judged.rule.id] =
          "its check goes by what all people do, and they live in \(server.share.parts) generators"
        return false
      }
      if !server.isTimely {
        unseen[judged.rule.id] =
          "the run's clock is not the server's: give as 'starts' the moment at which it is run"
        return false
      }
      let isSeen = judged.dependencies.isDisjoint(with: hidden)
      if !isSeen {
        unseen[judged.rule.id] =
          "its check goes by mail, pushes, the operator's commands or the backend's state, which this server does not show"
      }
      return isSeen
    }
    return (seen, unseen)
  }

  /// Everything that the operator does in this region: the population plan's fixtures and dates, then the scenario's
  /// events; at one instant in that order. A server is loaded before the run begins, and one generator is its operator.
  static func calendar(
    _ own: [CellCommand<Contract>], _ scenario: Scenario, _ backend: Domain, _ plan: RegionPlan,
    before server: WireServer?
  ) -> (before: [CellCommand<Contract>], during: [CellCommand<Contract>]) {
    var controls = own
    for event in scenario.events where event.domain == Contract.domain {
      do throws(ControlProblem) {
        controls += try backend.assign(event.command, event.parameters, in: plan).map {
          CellCommand(cell: $0.cell, at: event.at, $0.request)
        }
      } catch {
        programFault("line \(event.line) was checked before the run: \(error)")
      }
    }
    let calendar = controls.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
    guard let server else { return ([], calendar) }
    let loads = calendar.prefix { $0.at <= plan.starts }
    return (Array(loads), server.isOperator ? Array(calendar[loads.count...]) : [])
  }

  /// This region's part of the scenario's load, where there is one for this world.
  static func load(
    _ persons: [PersonPlan<Contract>], _ scenario: Scenario, _ plan: RegionPlan, _ share: Share
  ) -> RegionLoad? {
    guard let workload = scenario.workload, workload.domain == Contract.domain else { return nil }
    return RegionLoad(
      workload,
      isVisitor: persons.enumerated().map { !$0.element.keepsHours && share.takes($0.offset) },
      region: plan.region - 1 + plan.regions * (share.number - 1),
      of: plan.regions * share.parts, starts: plan.starts, seed: plan.seed,
      drawing: plan.stream("load", 4))
  }
}

// MARK: - Before the run

extension Region {
  /// What this region's part of the population is loaded with.
  var loads: [Contract.Request] { preparations.map(\.request) }

  /// Loads this region's part of the population.
  func prepare(
    _ obey: (Contract.Request) throws(TargetProblem) -> Outcome<Contract>
  ) throws(TargetProblem) {
    for control in takePreparations() {
      let outcome = try obey(control.request)
      observe(.control(control.request, outcome), at: plan.starts, cell: control.cell)
    }
  }

  /// Another generator has loaded it.
  func skipPreparations() { _ = takePreparations() }

  private func takePreparations() -> [CellCommand<Contract>] {
    defer { preparations = [] }
    return preparations
  }

  /// Nobody loads the server: the twin in process obeys what loads a population, or refuses it.
  ///
  /// - Parameter isLoaded: Whether the server holds the population already; checks see that.
  func takeAsPrepared(isLoaded: Bool) {
    for control in takePreparations() {
      let outcome = transport.obey(control.request)
      guard isLoaded else { continue }
      observe(.control(control.request, outcome), at: plan.starts, cell: control.cell)
    }
  }
}
