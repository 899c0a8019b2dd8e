import Backends
import Contracts
import Simulation

/// The people of one replication by their names, as they are planned.
struct Persons {
  let names: [String]

  init(of work: ScenarioRun, replication: Int) {
    let seed = work.scenario.seed(ofReplication: replication)
    names = zip(work.scenario.worlds, work.backends).flatMap { world, backend in
      VirtualRun.plans(of: world, in: work.scenario, seed: seed, tokens: ScenarioRun.tokens)
        .flatMap { Self.names(in: $0, of: backend) }
    }
  }

  /// What the backends hold when a run begins, as the commands that load it: a line each, as `rehearse replay` reads them.
  static func population(of work: ScenarioRun, replication: Int) -> [String] {
    let seed = work.scenario.seed(ofReplication: replication)
    return zip(work.scenario.worlds, work.backends).flatMap { world, backend in
      VirtualRun.plans(of: world, in: work.scenario, seed: seed, tokens: ScenarioRun.tokens)
        .flatMap { commands(in: $0, of: backend) }
    }
  }

  /// Whom a server of the first world has to know, as comma-separated values; `nil` where its domain does not say.
  static func roster(of work: ScenarioRun, replication: Int) -> String? {
    let scenario = work.scenario
    let seed = scenario.seed(ofReplication: replication)
    let plans = VirtualRun.plans(
      of: scenario.worlds[0], in: scenario, seed: seed, tokens: ScenarioRun.tokens)
    let tables = plans.map { work.backends[0].roster(of: $0) }
    guard !tables[0].columns.isEmpty else { return nil }
    return Roster(tables[0].columns, tables.flatMap(\.rows)).csv
  }

  private static func commands<Domain: Backend>(
    in plan: RegionPlan, of backend: Domain
  ) -> [String] {
    backend.populate(plan).controls.filter { $0.at <= plan.starts }.map { control in
      let wire = Domain.Contract.write(
        control.request, credential: nil, tokens: ScenarioRun.tokens)
      let name = wire.target.split(separator: "/").last.map(String.init) ?? ""
      var (command, line) = (JSONObject(), JSONObject())
      command[name] = JSON(parsing: wire.body) ?? .object(JSONObject())
      line["control"] = .object(command)
      return JSON.object(line).description
    }
  }

  private static func names(in plan: RegionPlan, of backend: some Backend) -> [String] {
    backend.populate(plan).persons.map { "\(plan.path)/\($0.name)" }
  }

  /// Those that contain a text, whatever its case.
  func like(_ text: String) -> [String] {
    let wanted = text.lowercased()
    return names.filter { $0.lowercased().contains(wanted) }
  }

  /// The name that somebody probably meant: a near one, else one that ends alike.
  func nearest(to name: String) -> String? {
    let region = name.split(separator: "/").dropLast().joined(separator: "/") + "/"
    let neighbours = names.filter { $0.hasPrefix(region) }
    let last = name.split(separator: "/").last.map(String.init) ?? name
    return Contracts.nearest(name, among: neighbours.isEmpty ? names : neighbours)
      ?? names.first { $0.hasSuffix(last) }
  }
}
