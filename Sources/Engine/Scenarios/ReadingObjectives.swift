import Contracts
import Timekeeping

/// The objectives of a scenario: sentences whose subjects exist and which can all hold at once.
extension Reading {
  func objectives(
    _ node: SourceNode, _ worlds: [WorldDeclaration], _ frame: Timeframe?, _ workload: Workload?
  ) -> [Objective] {
    let items = list(node, "objectives", example: "[\"errors < 0.1%\"]") ?? []
    var found: [(objective: Objective, node: SourceNode)] = []
    for item in items {
      guard let objective = objective(item, worlds, frame, workload) else { continue }
      if let other = found.first(where: { contradict($0.objective, objective) }) {
        wrong(
          item,
          "\(item.inWords) and '\(printable(other.objective.text))' in line "
            + "\(other.objective.line) cannot both hold", "change or remove one of them")
        continue
      }
      found.append((objective, item))
    }
    return found.map(\.objective)
  }

  func objective(
    _ node: SourceNode, _ worlds: [WorldDeclaration], _ frame: Timeframe?, _ workload: Workload?
  ) -> Objective? {
    guard let text = text(node, "objectives", wanted: "sentences, e.g. \(ObjectiveText.examples)")
    else { return nil }
    guard text.utf8.count <= 500 else {
      refuse(node, "objectives", "it is too long", wanted: "at most 500 bytes")
      return nil
    }
    let parsed: ObjectiveText
    do {
      parsed = try ObjectiveText(text)
    } catch {
      wrong(node, "objective \(node.inWords): \(error.why)", "write \(error.wanted)")
      return nil
    }
    var domain: String?
    var subject: String?
    if let name = parsed.subject {
      guard let found = resolve(name, parsed.measure, worlds, node) else { return nil }
      (domain, subject) = found
    }
    var window: Objective.Window?
    switch parsed.part {
    case .moments(let from, let to):
      guard let found = self.window((from, to), node, frame) else { return nil }
      window = found
    case .phase(let name):
      guard let found = self.window(ofPhase: name, node, frame, workload) else { return nil }
      window = found
    case nil: break
    }
    return Objective(
      text: text, measure: parsed.measure, domain: domain, subject: subject, window: window,
      comparison: parsed.comparison, bound: parsed.bound, line: node.location.line)
  }

  /// A part of the run, by its two moments.
  private func window(
    _ words: (from: String, to: String), _ node: SourceNode, _ frame: Timeframe?
  ) -> Objective.Window? {
    func word(_ text: String) -> SourceNode {
      SourceNode(.scalar(text, quoted: true), at: node.location)
    }
    guard let from = moment(word(words.from), "from", in: frame),
      let to = moment(word(words.to), "to", in: frame, from: from, closed: true)
    else { return nil }
    guard from < to else {
      refuse(
        word(words.to), "to", "the part would end before it begins",
        wanted: "a moment after 'from'")
      return nil
    }
    return Objective.Window(from: from, to: to)
  }

  /// A part of the run, by the name of a phase.
  private func window(
    ofPhase name: String, _ node: SourceNode, _ frame: Timeframe?, _ workload: Workload?
  ) -> Objective.Window? {
    guard let workload else {
      wrong(
        node, "objective \(node.inWords): the scenario has no phases that can be read",
        "add phases, or write 'from MOMENT to MOMENT'")
      return nil
    }
    guard let frame else { return nil }
    var from = frame.starts
    for phase in workload.phases {
      let to = from + phase.lasts
      if phase.name == name {
        guard !phase.isWarmUp else {
          wrong(
            node, "objective \(node.inWords): the phase is a warm-up, of which nothing counts",
            "name one that is none")
          return nil
        }
        return Objective.Window(from: from, to: to)
      }
      from = to
    }
    unknown(
      node, "objective \(node.inWords): there is no phase '\(printable(name))'", name: name,
      among: workload.phases.map(\.name))
    return nil
  }

  /// A domain, `<domain>.<operation>`, `<domain>.<business latency>` or a business latency alone.
  private func resolve(
    _ name: String, _ measure: Objective.Measure, _ worlds: [WorldDeclaration], _ node: SourceNode
  ) -> (domain: String, subject: String?)? {
    if worlds.contains(where: { $0.domain == name }) { return (name, nil) }
    let owners = worlds.filter { $0.business.contains(name) }
    if owners.count > 1 {
      wrong(
        node, "several domains have a latency '\(name)'", "write '\(owners[0].domain).\(name)'")
      return nil
    }
    if let owner = owners.first { return business(name, of: owner, measure, node) }
    for world in worlds where name.hasPrefix(world.domain + ".") {
      let rest = String(name.dropFirst(world.domain.count + 1))
      if world.business.contains(rest) { return business(rest, of: world, measure, node) }
      let operations = world.operations.filter { $0.kind == .product }.map(\.name)
      if operations.contains(rest) { return (world.domain, rest) }
      unknown(
        node, "\(world.domain) has no operation and no latency '\(printable(rest))'", name: rest,
        among: operations + world.business)
      return nil
    }
    missing(name, worlds, node)
    return nil
  }

  /// A name that nothing has; an operation named without its domain is the usual slip.
  private func missing(_ name: String, _ worlds: [WorldDeclaration], _ node: SourceNode) {
    let what = "nothing in this scenario is called '\(printable(name))'"
    let bare = worlds.flatMap { world in
      Self.operations(of: world).map { (name: $0, whole: "\(world.domain).\($0)") }
    }
    let whole = worlds.flatMap(Self.subjects)
    if let near = nearest(name, among: whole + bare.map(\.name)), !whole.contains(near),
      let meant = bare.first(where: { $0.name == near })
    {
      wrong(node, what, "did you mean '\(meant.whole)'?")
    } else {
      unknown(node, what, name: name, among: whole)
    }
  }

  private func business(
    _ name: String, of world: WorldDeclaration, _ measure: Objective.Measure, _ node: SourceNode
  ) -> (domain: String, subject: String?)? {
    guard measure != .errors else {
      wrong(
        node, "'\(name)' is a time between two things and has no errors",
        "demand a quantile of it, or errors of an operation")
      return nil
    }
    return (world.domain, name)
  }

  private static func subjects(of world: WorldDeclaration) -> [String] {
    [world.domain] + operations(of: world).map { "\(world.domain).\($0)" } + world.business
  }

  private static func operations(of world: WorldDeclaration) -> [String] {
    world.operations.filter { $0.kind == .product }.map(\.name)
  }
}
