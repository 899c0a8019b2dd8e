import Contracts
import Timekeeping

/// Every value that a scenario takes effect with, and where each comes from.
public struct Explanation: Sendable {
  /// Who decided a value.
  public enum Source: Hashable, Sendable {
    /// The scenario, in that line.
    case scenario(line: Int)
    /// The named profile of the world.
    case profile(String)
    /// A default of the domain, with the document or assumption that it rests on.
    case domain(String)
    /// A default of the program.
    case engine
    /// Replaced on the command line.
    case commandLine
  }

  public struct Row: Hashable, Sendable {
    public let name: String
    public let value: String
    public var source: Source
    public let meaning: String
  }

  public struct Section: Hashable, Sendable {
    public let title: String
    public var rows: [Row]
  }

  public private(set) var sections: [Section]

  /// - Parameters:
  ///   - root: The scenario's tree, for what it says and in which lines.
  ///   - declarations: Those of its worlds, in its order.
  public init(of scenario: Scenario, from root: SourceNode, declarations: [WorldDeclaration]) {
    let given = Given(root)
    sections = [Section(title: "scenario", rows: Self.outermost(scenario, given))]
    for (index, pair) in zip(scenario.worlds, declarations).enumerated() {
      sections += Self.world(pair.0, pair.1, given["worlds"]?[index])
    }
    if let workload = scenario.workload {
      sections.append(
        Section(title: "load", rows: Self.load(workload, given["load"]) + Self.schedule(scenario)))
      sections.append(
        Section(title: "phases", rows: Self.phases(workload, given.source("phases") ?? .engine)))
    }
    sections.append(Section(title: "network", rows: Self.network(scenario, given["network"])))
    sections.append(Section(title: "service", rows: Self.service(scenario, given["service"])))
  }

  /// Leaves out what does not fit, and sections of which nothing is left.
  public mutating func keep(_ fits: (Row) -> Bool) {
    for index in sections.indices { sections[index].rows.removeAll { !fits($0) } }
    sections.removeAll(where: \.rows.isEmpty)
  }

  /// The part of the tree that a value came from; `nil` where the scenario says nothing.
  private struct Given {
    let node: SourceNode

    init(_ node: SourceNode) { self.node = node }

    subscript(key: String) -> Given? {
      guard case .mapping(let members) = node.content else { return nil }
      return members.first { $0.key.text == key }.map { Given($0.value) }
    }

    subscript(index: Int) -> Given? {
      guard case .sequence(let items) = node.content, items.indices.contains(index) else {
        return nil
      }
      return Given(items[index])
    }

    /// The line of a key that is given.
    func source(_ key: String) -> Source? {
      guard case .mapping(let members) = node.content else { return nil }
      return members.first { $0.key.text == key }.map { .scenario(line: $0.key.location.line) }
    }
  }

  // MARK: - Sections

  private static func outermost(_ scenario: Scenario, _ given: Given) -> [Row] {
    let local = scenario.zone.civil(at: scenario.starts).instant(offset: .zero).description
    let values: [String: String] = [
      "rehearsal": "1", "name": scenario.name, "title": scenario.title,
      "starts": "\(local.prefix(16)) \(scenario.zone)", "lasts": "\(scenario.lasts)",
      "seed": "\(scenario.seed)", "replications": "\(scenario.replications)",
      "maximumReplications": "\(scenario.mostReplications)",
      "precision": scenario.precision.map {
        "\(percent($0.halfWidth)) at \(percent($0.confidence))"
      } ?? "none", "stopEarly": scenario.stopEarly ? "on" : "off",
      "timeline": scenario.timeline.isWall ? "wall" : "virtual",
      "exchange": "\(scenario.barrierInterval)",
      "warmup": scenario.isWarmUpAutomatic ? Reading.automatic : "\(scenario.warmup)",
      "events": "\(scenario.events.count)", "faults": "\(scenario.faults.count)",
      "objectives": "\(scenario.objectives.count)", "documented": scenario.documented.rawValue,
      "inconclusive": scenario.inconclusive.rawValue,
    ]
    return ScenarioReader.keys.compactMap { key in
      guard let value = values[key] else { return nil }
      return Row(
        name: key, value: value, source: given.source(key) ?? .engine,
        meaning: ScenarioKey.named(key, in: ScenarioKey.scenario).meaning)
    }
  }

  private static func world(
    _ world: World, _ declaration: WorldDeclaration, _ given: Given?
  ) -> [Section] {
    func key(_ name: String, _ value: String) -> Row {
      Row(
        name: name, value: value, source: given?.source(name) ?? .engine,
        meaning: ScenarioKey.named(name, in: ScenarioKey.world).meaning)
    }
    let rules = world.rulesOff.sorted().map(\.text).joined(separator: ", ")
    let rows = [
      key("domain", world.domain), key("regions", "\(world.regions)"),
      key("profile", world.profile), key("adversaries", percent(world.adversaries)),
      key("haste", "\(world.haste)"),
      key("rulesOff", rules.isEmpty ? "none" : rules),
    ]
    let quirks = declaration.quirks.map { quirk in
      Row(
        name: quirk.id, value: world.quirks.contains(quirk.id) ? "on" : "off",
        source: given?["quirks"]?.source(quirk.id) ?? .profile(world.profile),
        meaning: quirk.meaning)
    }
    let name = world.domain
    return [
      Section(title: name, rows: rows),
      Section(
        title: "\(name): population",
        rows: settings(declaration.population, world.population, given?["population"])),
      Section(
        title: "\(name): parameters",
        rows: settings(declaration.parameters, world.parameters, given?["parameters"])),
      Section(title: "\(name): quirks", rows: quirks),
    ].filter { !$0.rows.isEmpty }
  }

  private static func settings(
    _ declared: [Setting], _ settings: Settings, _ given: Given?
  ) -> [Row] {
    declared.map { setting in
      Row(
        name: setting.name, value: "\(settings[setting.name] ?? setting.standard)",
        source: given?.source(setting.name) ?? .domain(setting.source), meaning: setting.meaning)
    }
  }

  private static func load(_ workload: Workload, _ given: Given?) -> [Row] {
    var values = ["on": workload.domain, "lateness": "\(workload.lateness)"]
    switch workload.kind {
    case .open: values["arrivals"] = workload.spacing.rawValue
    case .closed: values["pause"] = "\(workload.pause)"
    }
    return rows(ScenarioKey.load, values, given)
  }

  /// The first replication's, since each draws its own.
  private static func schedule(_ scenario: Scenario) -> [Row] {
    guard let workload = scenario.workload else { return [] }
    let value: String
    switch workload.kind {
    case .open:
      let all = workload.arrivals(
        from: scenario.starts, seed: scenario.seed(ofReplication: 0))
      let first = all.prefix(8).map { "\($0 - scenario.starts)" }.joined(separator: ", ")
      let total = plain((workload.rate.total * 100).rounded() / 100)
      value = "\(total) arrivals to be expected, the first at \(first)"
    case .closed:
      let most = workload.mostAtOnce
      let first = (0..<min(8, most)).compactMap {
        workload.turns(ofUser: $0, from: scenario.starts).first
      }.map { "\($0.lowerBound - scenario.starts)" }.joined(separator: ", ")
      value = "\(most) places at most, the first from \(first)"
    }
    return [
      Row(
        name: "schedule", value: value, source: .engine,
        meaning: "When people come in replication 0, known before the first request.")
    ]
  }

  private static func phases(_ workload: Workload, _ source: Source) -> [Row] {
    workload.phases.map { phase in
      Row(
        name: phase.name,
        value: "\(phase.lasts) at \(phase.load(workload.kind))"
          + (phase.isWarmUp ? ", warm-up" : ""),
        source: source,
        meaning: "A phase of the load.")
    }
  }

  private static func network(_ scenario: Scenario, _ given: Given?) -> [Row] {
    let values = [
      "latency": scenario.network.latency.inWords,
      "timeout": scenario.network.timeout.map { "\($0)" } ?? "each operation's own",
    ]
    return rows(ScenarioKey.network, values, given)
  }

  private static func service(_ scenario: Scenario, _ given: Given?) -> [Row] {
    let service = scenario.service
    var values = [
      "servers": "\(service.servers)",
      "capacity": service.capacity.map { "\($0)" } ?? "room for all",
      "failures": service.failures.map { "{up: \($0.up), down: \($0.down)}" } ?? "none",
      "priorities": service.prioritiesInWords ?? "none",
    ]
    for price in Reading.prices { values[price.key] = "\(scenario.service[keyPath: price.path])" }
    return rows(ScenarioKey.service, values, given)
  }

  private static func rows(
    _ keys: [ScenarioKey], _ values: [String: String], _ given: Given?
  ) -> [Row] {
    keys.compactMap { key in
      values[key.name].map {
        Row(
          name: key.name, value: $0, source: given?.source(key.name) ?? .engine,
          meaning: key.meaning)
      }
    }
  }

  /// Notes that options replaced outermost values.
  public mutating func replace(_ names: [String]) {
    for location in sections[0].rows.indices where names.contains(sections[0].rows[location].name) {
      sections[0].rows[location].source = .commandLine
    }
  }
}

extension Service {
  /// As a scenario writes them; `nil` where all operations are usual.
  public var prioritiesInWords: String? {
    let words = priorities.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
    return words.isEmpty ? nil : "{" + words.joined(separator: ", ") + "}"
  }
}

extension Distribution {
  /// As a scenario writes it.
  public var inWords: String {
    switch self {
    case .constant(let span): "{constant: \(span)}"
    case .uniform(let from, let to): "{uniform: {from: \(from), to: \(to)}}"
    case .exponential(let mean): "{exponential: {mean: \(mean)}}"
    case .lognormal(let median, let p95): "{lognormal: {median: \(median), p95: \(p95)}}"
    }
  }
}
