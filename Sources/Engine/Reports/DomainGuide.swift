import Backends
import Contracts
import Observations
import Scenarios

/// What a domain lets a scenario say, a topic on a screen: names with their units, ranges and defaults, and a line to copy.
public struct DomainGuide: Sendable {
  public enum Topic: String, CaseIterable, Sendable {
    case operations, latencies, faults, population, parameters, quirks, events
  }

  /// One name with what belongs to it.
  public struct Item: Hashable, Sendable {
    public let name: String
    /// Its default and range, its parameters; empty where there is nothing to say.
    public let shape: String
    public let meaning: String
    public let source: String
    /// As a scenario writes it.
    public let example: String
  }

  private let declaration: WorldDeclaration
  private let isCellAServer: Bool
  private let latencies: [(name: String, title: String, bound: String)]

  public init<Domain: Backend>(of backend: Domain) {
    declaration = backend.declaration
    isCellAServer = backend.isCellAServer
    latencies = backend.business.map { latency in
      let bound = latency.bound.map { "within \($0)" } ?? ""
      let limit = latency.rule.map { "(\($0.id))" } ?? ""
      return (
        latency.name, latency.title, [bound, limit].filter { !$0.isEmpty }.joined(separator: " ")
      )
    }
  }

  // MARK: - Items

  public func items(_ topic: Topic) -> [Item] {
    let domain = declaration.domain
    switch topic {
    case .operations:
      return declaration.operations.filter { $0.kind == .product }.map { operation in
        Item(
          name: operation.name, shape: "", meaning: operation.title, source: operation.source,
          example: "p95 of \(domain).\(operation.name) < 600ms")
      }
    case .latencies:
      return latencies.map { latency in
        Item(
          name: latency.name, shape: latency.bound, meaning: latency.title, source: "",
          example: "p90 of \(domain).\(latency.name) < 10min")
      }
    case .faults: return (FaultWord.plain + [.delay]).map { fault($0.name, $0.meaning) }
    case .population: return declaration.population.map { setting($0, "population") }
    case .parameters: return declaration.parameters.map { setting($0, "parameters") }
    case .quirks:
      return declaration.quirks.map { quirk in
        let profiles = declaration.profiles.filter { $0.quirks.contains(quirk.id) }.map(\.name)
        return Item(
          name: quirk.id, shape: profiles.isEmpty ? "" : "in " + profiles.joined(separator: ", "),
          meaning: quirk.meaning, source: "", example: "quirks: {\(quirk.id): on}")
      }
    case .events: return declaration.events.map(event)
    }
  }

  /// - Parameter like: Only names and meanings that contain this text, whatever its case.
  public func items(_ topic: Topic, like: String?) -> [Item] {
    guard let wanted = like?.lowercased() else { return items(topic) }
    return items(topic).filter { item in
      item.name.lowercased().contains(wanted) || item.meaning.lowercased().contains(wanted)
    }
  }

  private func fault(_ name: String, _ meaning: String) -> Item {
    let kind = name == FaultWord.delay.name ? "{delay: 500ms}" : name
    return Item(
      name: name, shape: "", meaning: meaning, source: "",
      example:
        "faults: [{from: \"12:00\", to: \"12:10\", on: \(declaration.domain), kind: \(kind), share: 20%}]"
    )
  }

  private func setting(_ setting: Setting, _ section: String) -> Item {
    Item(
      name: setting.name, shape: "\(setting.standard)  [\(setting.shortRange)]",
      meaning: setting.meaning, source: setting.source,
      example: "\(section): {\(setting.name): \(setting.standard)}")
  }

  private func event(_ control: ControlDeclaration) -> Item {
    let required = control.parameters.filter(\.isRequired)
    let with = required.map { "\($0.name): <\($0.type)>" }.joined(separator: ", ")
    let given = required.isEmpty ? "" : ", with: {\(with)}"
    return Item(
      name: control.name,
      shape: control.parameters.map { $0.name + ($0.isRequired ? "" : "?") }
        .joined(separator: " "),
      meaning: control.meaning, source: "",
      example: "events: [{at: \"10:00\", do: \(declaration.domain).\(control.name)\(given)}]")
  }

  // MARK: - Text

  /// Every topic with its number of names, and how to see them.
  public func overview(width: Int = 80) -> String {
    let style = TerminalStyle(width: max(20, width), colour: false)
    var lines = style.wrap("\(declaration.domain): \(declaration.title)") + [""]
    for topic in Topic.allCases {
      let count = items(topic).count
      guard count > 0 else { continue }
      let name = "  \(topic.rawValue)" + String(repeating: " ", count: 12 - topic.rawValue.count)
      lines.append(
        style.cut("\(name)\(style.pad(String(count), to: 4))  \(about(topic))", to: style.width))
    }
    let profiles = declaration.profiles.map(\.name).joined(separator: ", ")
    if !profiles.isEmpty { lines += [""] + style.wrap("Profiles: \(profiles)") }
    if isCellAServer {
      lines += [""]
      lines += style.wrap(
        "Each cell is a server of its own: over HTTP (--target) a population lives in a single one."
      )
    }
    lines += ["", "  rehearse domains \(declaration.domain) operations"]
    lines += ["  rehearse limits --domain \(declaration.domain)"]
    return lines.joined(separator: "\n")
  }

  private func about(_ topic: Topic) -> String {
    switch topic {
    case .operations: "what clients ask of the backend; subjects of objectives"
    case .latencies: "times between two things that matter to people"
    case .faults: "what goes wrong between people and the backend for a while"
    case .population: "how many live there"
    case .parameters: "how people and their network behave"
    case .quirks: "known deviations of the real client"
    case .events: "commands of the operator at certain moments"
    }
  }

  /// A topic's names, one a line, and an example of the first to copy.
  ///
  /// - Parameter like: Only names and meanings that contain this text, whatever its case.
  public func text(_ topic: Topic, like: String? = nil, width: Int = 80) -> String {
    let style = TerminalStyle(width: max(20, width), colour: false)
    let all = items(topic)
    let shown = items(topic, like: like)
    let noun = Texts.english.many(all.count, String(topic.rawValue), topic.rawValue)
    var lines = [style.cut("\(declaration.domain): \(noun), \(about(topic))", to: style.width), ""]
    let names = min(28, shown.map(\.name.count).max() ?? 0)
    let shapes = min(24, shown.map(\.shape.count).max() ?? 0)
    for item in shown {
      let isShapeLast = topic == .events
      let shape = isShapeLast || shapes == 0 ? "" : padded(item.shape, shapes) + "  "
      let rest = item.meaning + (isShapeLast && !item.shape.isEmpty ? "  (\(item.shape))" : "")
      lines.append(style.cut("  \(padded(item.name, names))  \(shape)\(rest)", to: style.width))
    }
    guard let first = shown.first else {
      return lines[0] + "\n\nnone of them contains '\(printable(like ?? ""))'"
    }
    if topic == .events {
      lines += [""]
      lines += style.wrap(
        "Things that a scenario generates are named by their path, such as \(declaration.domain)/1/NAME."
      )
    }
    return (lines + ["", "As a scenario writes it:", "  " + first.example]).joined(separator: "\n")
  }

  /// One name with everything that is known about it; `nil` for a name that the topic does not have.
  public func text(_ topic: Topic, name: String, width: Int = 80) -> String? {
    guard let item = items(topic).first(where: { $0.name == name }) else { return nil }
    let style = TerminalStyle(width: max(20, width), colour: false)
    var lines = ["\(declaration.domain), \(topic.rawValue): \(item.name)"]
    lines += style.wrap(item.meaning, indent: 2)
    if topic == .events, let control = declaration.controls.first(where: { $0.name == name }) {
      for parameter in control.parameters {
        let need = parameter.isRequired ? "" : ", optional"
        lines += style.wrap(
          "\(parameter.name) (\(parameter.type)\(need)): \(parameter.meaning)", indent: 4)
      }
    } else if !item.shape.isEmpty {
      lines += style.wrap(item.shape, indent: 2)
    }
    if !item.source.isEmpty { lines += style.wrap("Source: \(item.source)", indent: 2) }
    return (lines + ["As a scenario writes it:", "  " + item.example]).joined(separator: "\n")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  public func json(_ topic: Topic, like: String? = nil) -> JSON {
    .array(items(topic, like: like).map(\.json))
  }
}

extension DomainGuide.Item {
  public var json: JSON {
    [
      "name": .string(name), "shape": .string(shape), "meaning": .string(meaning),
      "source": .string(source), "example": .string(example),
    ]
  }
}
