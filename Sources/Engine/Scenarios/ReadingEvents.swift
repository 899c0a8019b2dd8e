import Contracts
import Timekeeping

/// What happens in a run beside people: the operator's commands, and faults.
extension Reading {
  typealias Declared = [WorldDeclaration]

  // MARK: - Events

  func events(_ node: SourceNode, _ worlds: Declared, _ frame: Timeframe?) -> [ScheduledEvent] {
    let example =
      "{at: \"10:00\", do: DOMAIN.COMMAND, with: {NAME: value}}"
    return (list(node, "events", example: "[\(example)]") ?? []).compactMap { item in
      guard
        let members = members(
          of: item, "an event", keys: ["at", "do", "with", "note"], required: ["at", "do"],
          example: example)
      else { return nil }
      let at = members["at"].flatMap { moment($0, "at", in: frame) }
      guard let verb = members["do"], let (domain, control) = command(verb, worlds) else {
        return nil
      }
      let parameters = parameters(members["with"], of: control, domain, verb)
      let note = members["note"].flatMap {
        oneLine($0, "note", example: "club-3 closes its enrollment")
      }
      guard let at, let parameters, note != nil || members["note"] == nil else { return nil }
      return ScheduledEvent(
        at: at, domain: domain, command: control.name, parameters: parameters,
        note: note, line: item.location.line, column: item.location.column)
    }
  }

  /// `<domain>.<command>` of a domain that the scenario has a world of.
  private func command(
    _ node: SourceNode, _ worlds: Declared
  ) -> (domain: String, control: ControlDeclaration)? {
    guard let text = text(node, "do", wanted: "<domain>.<command>") else { return nil }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let all = worlds.flatMap { world in world.events.map { "\(world.domain).\($0.name)" } }
    guard parts.count == 2 else {
      unknown(node, "'do' cannot be \(node.inWords)", among: all)
      return nil
    }
    guard parts[1] != ControlDeclaration.clock else {
      wrong(node, "a run moves its clock itself", "remove the event, or make 'lasts' longer")
      return nil
    }
    guard let world = worlds.first(where: { $0.domain == parts[0] }) else {
      unknown(
        node, "the scenario has no world '\(printable(parts[0]))'", name: String(parts[0]),
        among: worlds.map(\.domain))
      return nil
    }
    guard let control = world.events.first(where: { $0.name == parts[1] }) else {
      unknown(
        node, "\(world.domain) has no command '\(printable(parts[1]))'", name: String(parts[1]),
        among: world.events.map(\.name))
      return nil
    }
    return (world.domain, control)
  }

  private func parameters(
    _ node: SourceNode?, of control: ControlDeclaration, _ domain: String, _ verb: SourceNode
  ) -> JSON? {
    let name = "\(domain).\(control.name)"
    let required = control.parameters.filter(\.isRequired).map(\.name)
    let example = "with: {" + required.map { "\($0): …" }.joined(separator: ", ") + "}"
    /// What is given, unless the command would do nothing with it.
    func used(_ object: JSONObject) -> JSON? {
      guard control.needsSome, object.members.isEmpty else { return .object(object) }
      let some = control.parameters.prefix(3).map { "\($0.name): …" }.joined(separator: ", ")
      wrong(
        verb, "\(name) does nothing without parameters", "add one at least, e.g. with: {\(some)}")
      return nil
    }
    guard let node else {
      guard required.isEmpty else {
        wrong(verb, "\(name) needs \(required.joined(separator: ", "))", "add \(example)")
        return nil
      }
      return used(JSONObject())
    }
    let given = names(in: node)
    let missing = control.parameters.filter { parameter in
      parameter.isRequired && !parameter.aliases.contains { given.contains($0) }
    }
    guard
      let members = members(
        of: node, "'with' of \(name)",
        keys: control.parameters.flatMap { [$0.name] + $0.aliases.filter(given.contains) },
        required: missing.map(\.name), example: example)
    else { return nil }
    return used(
      JSONObject(
        control.parameters.compactMap { parameter in
          let name = ([parameter.name] + parameter.aliases).first { members[$0] != nil }
          return name.map { (name: parameter.name, value: json(members[$0]!)) }
        }))
  }

  /// The keys of a mapping as they stand there.
  private func names(in node: SourceNode) -> [String] {
    guard case .mapping(let members) = node.content else { return [] }
    return members.compactMap { member in
      if case .scalar(let text, _) = member.key.content { text } else { nil }
    }
  }

  /// YAML's core meaning of a value: unquoted `true`, `5`, `0.5` and `null` are no text.
  func json(_ node: SourceNode) -> JSON {
    switch node.content {
    case .sequence(let items): return .array(items.map(json))
    case .mapping:
      let members = freeMembers(of: node, "a value", example: "{name: value}") ?? []
      return .object(JSONObject(members.map { (name: $0.name, value: json($0.member.value)) }))
    case .scalar(let text, quoted: true): return .string(text)
    case .scalar(let text, quoted: false):
      if node.isEmpty { return .null }
      if ["true", "True", "TRUE"].contains(text) { return .bool(true) }
      if ["false", "False", "FALSE"].contains(text) { return .bool(false) }
      guard let numeral = Numeral(text), numeral.unit.isEmpty else { return .string(text) }
      if numeral.isWhole, let number = Int64(numeral.digits) { return .int(number) }
      return numeral.value.map { .double($0) } ?? .string(text)
    }
  }

  // MARK: - Faults

  private static let faultExample =
    "{from: \"12:00\", to: \"12:10\", on: DOMAIN, kind: answerLost, share: 20%}"

  func faults(_ node: SourceNode, _ worlds: Declared, _ frame: Timeframe?) -> [Fault] {
    (list(node, "faults", example: "[\(Self.faultExample)]") ?? []).compactMap {
      fault($0, worlds, frame)
    }
  }

  private func fault(_ item: SourceNode, _ worlds: Declared, _ frame: Timeframe?) -> Fault? {
    guard
      let members = members(
        of: item, "a fault", keys: ["from", "to", "on", "kind", "share", "operation", "count"],
        required: ["from", "to", "on", "kind"], example: Self.faultExample)
    else { return nil }
    let from = members["from"].flatMap { moment($0, "from", in: frame) }
    let to = members["to"].flatMap { moment($0, "to", in: frame, from: from, closed: true) }
    let world = members["on"].flatMap { self.world($0, worlds) }
    let kind = members["kind"].flatMap { faultKind($0) }
    let share =
      members["share"].map {
        self.share($0, "share", whyNotZero: "the fault would affect nothing", example: "20%")
      } ?? 1
    let operation = members["operation"].flatMap { node in
      world.flatMap { self.operation(node, of: $0) }
    }
    let count = members["count"].flatMap {
      whole($0, "count", in: 1...Self.mostCounted, example: 5)
    }
    if let from, let to, from >= to, let node = members["to"] {
      refuse(
        node, "to", "the fault would end before it begins",
        wanted: "a moment after 'from'\(Self.behind(members["from"]))")
      return nil
    }
    guard let from, let to, let world, let kind, let share else { return nil }
    // What was given and could not be read has been refused.
    return Fault(
      from: from, to: to, domain: world.domain, kind: kind, share: share, operation: operation,
      count: count)
  }

  /// More requests than a run can make.
  static let mostCounted = 1_000_000_000

  private func operation(_ node: SourceNode, of world: WorldDeclaration) -> String? {
    guard let name = text(node, "operation", wanted: "an operation of \(world.domain)") else {
      return nil
    }
    let names = world.operations.filter { $0.kind == .product }.map(\.name)
    guard names.contains(name) else {
      unknown(node, "\(world.domain) has no operation \(node.inWords)", among: names)
      return nil
    }
    return name
  }

  private func world(_ node: SourceNode, _ worlds: Declared) -> WorldDeclaration? {
    let names = worlds.map(\.domain)
    guard let name = text(node, "on", wanted: "a domain of this scenario") else { return nil }
    guard names.contains(name) else {
      unknown(node, "the scenario has no world \(node.inWords)", among: names)
      return nil
    }
    return worlds.first { $0.domain == name }
  }

  private func faultKind(_ node: SourceNode) -> Fault.Kind? {
    let example = "{delay: 500ms}"
    if case .mapping = node.content {
      let members = members(
        of: node, "'kind'", keys: ["delay"], required: ["delay"], example: example)
      return members?["delay"].flatMap {
        span($0, "delay", in: .nanoseconds(1)...FaultKind.longestDelay, example: "500ms")
      }.map { .delay($0) }
    }
    if node.text == FaultWord.delay.name {
      refuse(node, "kind", "it needs its length", wanted: "it as \(example)")
      return nil
    }
    let kinds = FaultWord.plain
    guard let text = node.text, let found = kinds.first(where: { $0.name == text })?.kind else {
      unknown(node, "'kind' cannot be \(node.inWords)", among: kinds.map(\.name) + [example])
      return nil
    }
    return found
  }
}
