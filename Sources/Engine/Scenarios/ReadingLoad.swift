import Contracts
import Timekeeping

/// How people come, where the scenario says so itself: phases of an open or a closed workload.
extension Reading {
  static let loadKeys = ["on", "arrivals", "pause", "lateness", "capacity", "atLeast"]
  /// The most steps of one phase.
  static let stepRange = 2...100
  static let phaseKeys = ["name", "lasts", "rate", "people", "warmup"]
  /// More than any generator sends.
  static let fastestRate = 1_000_000.0
  static let peopleRange = 0...1_000_000
  static let pauseRange = Span.milliseconds(1)...Span.days(1)
  static let latenessRange = Span.microseconds(10)...Span.minutes(1)
  private static let phaseExample = "{name: steady, lasts: 20s, rate: 50/s}"

  func timeline(_ node: SourceNode) -> Timeline? {
    choice(node, "timeline", among: ["virtual", "wall"]).map {
      $0 == "wall" ? .wall(speed: 1) : .virtual
    }
  }

  /// What `load` and `phases` say together; `nil` where they say nothing, or something wrong.
  func workload(
    load: SourceNode?, phases: SourceNode?, _ worlds: [World], lasts: Span?, warmup: SourceNode?
  ) -> Workload? {
    guard let phases else {
      if let load {
        wrong(load, "'load' has no phases", "add phases: [\(Self.phaseExample)]")
      }
      return nil
    }
    let given = load.flatMap {
      members(of: $0, "'load'", keys: Self.loadKeys, example: "{arrivals: poisson}")
    }
    let domain = domain(given?["on"], worlds, at: load ?? phases)
    let found = self.phases(phases)
    guard let domain, let kind = found.first?.kind, found.count >= (phases.count ?? 0) else {
      return nil
    }
    var workload = Workload(domain: domain, kind: kind, phases: found.map(\.phase))
    if let node = given?["arrivals"],
      let word = choice(node, "arrivals", among: Workload.Spacing.allCases.map(\.rawValue)),
      let spacing = Workload.Spacing(rawValue: word)
    {
      workload.spacing = spacing
      if kind == .closed {
        wrong(
          node, "'arrivals' is for an open workload, and the phases say 'people'", "remove it")
      }
    }
    if let node = given?["pause"],
      let pause = span(node, "pause", in: Self.pauseRange, example: "1s")
    {
      workload.pause = pause
      if kind == .open {
        wrong(node, "'pause' is for a closed workload, and the phases say 'rate'", "remove it")
      }
    }
    if let node = given?["lateness"],
      let lateness = span(node, "lateness", in: Self.latenessRange, example: "10ms")
    {
      workload.lateness = lateness
    }
    check(workload, at: phases, lasts: lasts, warmup: warmup)
    return workload
  }

  /// What `load` says of a capacity that is searched for in the phases.
  func capacity(
    _ load: SourceNode, _ worlds: [WorldDeclaration], _ workload: Workload
  ) -> Workload.Capacity? {
    guard case .mapping(let members) = load.content else { return nil }
    func value(_ key: String) -> SourceNode? { members.first { $0.key.text == key }?.value }
    guard let node = value("capacity") else {
      if let bound = value("atLeast") {
        wrong(bound, "'atLeast' has no 'capacity'", "add what has to hold, e.g. \(Self.sought)")
      }
      return nil
    }
    let least = value("atLeast").flatMap { rate($0, "atLeast") }
    guard let objective = objective(node, worlds, nil, nil) else { return nil }
    let isShare =
      switch objective.measure {
      case .quantile, .share, .errors: true
      case .mean, .rate, .count: false
      }
    guard isShare, objective.comparison.isUpperBound, objective.window == nil else {
      refuse(
        node, "capacity", "a phase is judged by the share of its requests that are late or lost",
        wanted: Self.sought)
      return nil
    }
    let rates = workload.measured(from: .distantPast).map(\.phase)
    guard workload.kind == .open, rates.count > 1,
      zip(rates, rates.dropFirst()).allSatisfy({ $0.from < $1.from })
    else {
      wrong(
        node, "a capacity is searched for in phases of an open workload, each of a higher rate",
        "give e.g. rate: {from: 10/s, to: 100/s, steps: 10}")
      return nil
    }
    return Workload.Capacity(objective, atLeast: least)
  }

  private static let sought = "\"p99 of DOMAIN.OPERATION < 250ms\""

  private func check(
    _ workload: Workload, at node: SourceNode, lasts: Span?, warmup: SourceNode?
  ) {
    if let lasts, workload.lasts > lasts {
      wrong(
        node, "the phases last \(workload.lasts), and the run \(lasts)",
        "shorten them, or give 'lasts: \(workload.lasts)'")
    }
    if workload.warmUp > .zero, let warmup {
      wrong(
        warmup, "'warmup' is given, and a phase says that it is one", "remove one of them")
    }
    if workload.warmUp >= workload.lasts {
      wrong(node, "every phase is a warm-up, so that no latency would count", "add one that is not")
    }
  }

  private func domain(_ node: SourceNode?, _ worlds: [World], at location: SourceNode) -> String? {
    let names = worlds.map(\.domain)
    guard let node else {
      guard names.count > 1 else { return names.first }
      wrong(
        location, "the load is on one world, and the scenario has several",
        "add load: {on: \(names[0])}")
      return nil
    }
    guard let name = text(node, "on", wanted: "a domain of this scenario") else { return nil }
    guard names.contains(name) else {
      unknown(node, "the scenario has no world \(node.inWords)", among: names)
      return nil
    }
    return name
  }

  // MARK: - Phases

  private func phases(_ node: SourceNode) -> [(phase: Workload.Phase, kind: Workload.Kind)] {
    let items = list(node, "phases", example: "[\(Self.phaseExample)]") ?? []
    if items.isEmpty, case .sequence = node.content {
      refuse(
        node, "phases", "nobody would come", wanted: "at least one, e.g. \(Self.phaseExample)")
    }
    var found: [(phase: Workload.Phase, kind: Workload.Kind)] = []
    for item in items {
      for phase in phase(item) {
        if found.contains(where: { $0.phase.name == phase.phase.name }) {
          wrong(
            item, "there are two phases '\(printable(phase.phase.name))'",
            "give one of them another name")
          continue
        }
        if let first = found.first, first.kind != phase.kind {
          wrong(
            item, "one phase says 'rate' and another 'people'",
            "say 'rate' in all (an open workload) or 'people' in all (a closed one)")
          continue
        }
        if phase.phase.isWarmUp, found.contains(where: { !$0.phase.isWarmUp }) {
          wrong(item, "a warm-up comes after what is measured", "put it first")
          continue
        }
        found.append(phase)
      }
    }
    return found
  }

  /// One phase, or the steps of one; none where something is wrong.
  private func phase(_ node: SourceNode) -> [(phase: Workload.Phase, kind: Workload.Kind)] {
    guard
      let members = members(
        of: node, "a phase", keys: Self.phaseKeys, required: ["name", "lasts"],
        example: Self.phaseExample)
    else { return [] }
    let name = members["name"].flatMap {
      text($0, "name", wanted: "a name of up to 64 bytes, e.g. steady")
    }
    if let name, name.utf8.count > 64 || printable(name, limit: 64) != name {
      refuse(members["name"] ?? node, "name", wanted: "a name of up to 64 bytes, e.g. steady")
      return []
    }
    let lasts = members["lasts"].flatMap {
      span($0, "lasts", in: .milliseconds(1)...Self.longestRun, example: "20s")
    }
    let isWarmUp = members["warmup"].flatMap { flag($0, "warmup") } ?? false
    guard let (from, to, kind) = amount(members, node), let name, let lasts else { return [] }
    guard let steps = steps(members["rate"] ?? members["people"]) else {
      return [(Workload.Phase(name, lasts: lasts, from: from, to: to, isWarmUp: isWarmUp), kind)]
    }
    return (0..<steps).map { step in
      var level = from + (to - from) * Double(step) / Double(steps - 1)
      if kind == .closed { level = level.rounded() }
      return (
        Workload.Phase(
          "\(name) \(step + 1)", lasts: lasts / Int64(steps), from: level, isWarmUp: isWarmUp), kind
      )
    }
  }

  /// How many equal steps a phase is cut into, each with a level of its own; `nil` for one that goes evenly.
  private func steps(_ node: SourceNode?) -> Int? {
    guard case .mapping(let members)? = node?.content,
      let given = members.first(where: { $0.key.text == "steps" })?.value
    else { return nil }
    return whole(given, "steps", in: Self.stepRange, example: 10)
  }

  /// What a phase asks for: `rate: 50/s`, `rate: {from: 10/s, to: 50/s}`, `people: 100`, `people: {from: 0, to: 100}`.
  private func amount(
    _ members: [String: SourceNode], _ node: SourceNode
  ) -> (from: Double, to: Double, kind: Workload.Kind)? {
    switch (members["rate"], members["people"]) {
    case (nil, nil):
      wrong(node, "a phase says neither 'rate' nor 'people'", "add one, e.g. rate: 50/s")
      return nil
    case (_?, let people?):
      wrong(people, "a phase says both 'rate' and 'people'", "remove one of them")
      return nil
    case (let rate?, nil):
      return ends(rate, "rate", ("10/s", "50/s"), read: self.rate).map { ($0.0, $0.1, .open) }
    case (nil, let people?):
      return ends(people, "people", ("0", "100")) { node, name in
        self.whole(node, name, in: Self.peopleRange, example: 100).map(Double.init)
      }.map { ($0.0, $0.1, .closed) }
    }
  }

  private func ends(
    _ node: SourceNode, _ name: String, _ examples: (String, String),
    read: (SourceNode, String) -> Double?
  ) -> (Double, Double)? {
    let found: (Double, Double)?
    if case .mapping = node.content {
      let example = "{from: \(examples.0), to: \(examples.1)}"
      let members = members(
        of: node, "'\(name)'", keys: ["from", "to", "steps"], required: ["from", "to"],
        example: example)
      let from = members?["from"].flatMap { read($0, "from") }
      let to = members?["to"].flatMap { read($0, "to") }
      found = from.flatMap { from in to.map { (from, $0) } }
    } else {
      found = read(node, name).map { ($0, $0) }
    }
    if let found, found.0 == 0, found.1 == 0 {
      wrong(node, "a phase of 0 sends nothing", "give more, or remove the phase")
      return nil
    }
    return found
  }

  /// `50/s`, `300/min`, `2000/h`, in arrivals a second.
  private func rate(_ node: SourceNode, _ name: String) -> Double? {
    let wanted = "a rate from 0/s to \(plain(Self.fastestRate))/s with its unit, e.g. 50/s"
    guard let text = text(node, name, wanted: wanted) else { return nil }
    guard let rate = Rate(text) else {
      refuse(node, name, Rate.problem(of: text), wanted: wanted)
      return nil
    }
    guard (0...Self.fastestRate).contains(rate.perSecond) else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return rate.perSecond
  }
}
