import Contracts

/// One pass over a scenario's tree: what was wrong so far, and the small readers that all sections share.
///
/// A reader returns `nil` after it has said what is wrong; its caller goes on with the next key, so that every
/// problem is found at once.
final class Reading {
  let file: String
  /// Of every domain, for keys that belong somewhere else.
  private let declarations: [WorldDeclaration]
  private(set) var problems: [ScenarioProblem] = []
  private(set) var warnings: [ScenarioProblem] = []

  /// The most entries of one list: worlds, events, faults, objectives.
  static let longestList = 1_000

  init(file: String, declarations: [WorldDeclaration] = []) {
    self.file = file
    self.declarations = declarations
  }

  func wrong(_ node: SourceNode, _ what: String, _ remedy: String) {
    problems.append(ScenarioProblem(file: file, at: node.location, what, remedy))
  }

  func warn(_ node: SourceNode, _ what: String, _ remedy: String) {
    warnings.append(ScenarioProblem(file: file, at: node.location, what, remedy))
  }

  /// The usual form: `'lasts' cannot be '5': a time needs a unit; give a time …`.
  func refuse(_ node: SourceNode, _ name: String, _ why: String? = nil, wanted: String) {
    wrong(
      node, "'\(name)' cannot be \(node.inWords)" + (why.map { ": \($0)" } ?? ""), "give \(wanted)")
  }

  /// The form for a name that nobody declared; names the nearest one, else all of a few.
  ///
  /// - Parameter name: The name, where it is only a part of the node's text.
  func unknown(
    _ node: SourceNode, _ what: String, name: String? = nil, among known: [String]
  ) {
    // Of a hostile file's sixty thousand unread keys nobody reads the last ones' suggestions.
    let isWorthIt = problems.count < 10 * ScenarioErrors.most
    let name = isWorthIt ? name ?? node.text ?? "" : ""
    wrong(node, what, Self.suggestion(for: name, among: known))
  }

  static func suggestion(for name: String, among known: [String]) -> String {
    if let near = nearest(name, among: known) { return "did you mean '\(near)'?" }
    guard !known.isEmpty else { return "remove it" }
    let shown = known.prefix(12).joined(separator: ", ")
    return "choose from \(shown)" + (known.count > 12 ? " and \(known.count - 12) more" : "")
  }

  /// Where the other side of a contradiction stands: ` (12:9)`.
  static func behind(_ node: SourceNode?) -> String { node.map { " (\($0.location))" } ?? "" }

  func declaration(of domain: String) -> WorldDeclaration? {
    declarations.first { $0.domain == domain }
  }

  // MARK: - Shapes

  /// The members of a mapping whose keys are all known; the others are reported and left out.
  ///
  /// - Parameters:
  ///   - name: What the mapping is called in messages.
  ///   - keys: Every key that somebody reads.
  func members(
    of node: SourceNode, _ name: String, keys: [String], required: [String] = [], example: String
  ) -> [String: SourceNode]? {
    guard let members = freeMembers(of: node, name, example: example) else { return nil }
    var found: [String: SourceNode] = [:]
    for (key, member) in members {
      if keys.contains(key) {
        found[key] = member.value
      } else {
        let what = "unknown key '\(printable(key))' in \(name)"
        if let home = home(of: key, awayFrom: name) {
          wrong(member.key, what, "move it to \(home)")
        } else {
          unknown(member.key, what, among: keys)
        }
      }
    }
    for key in required where !members.contains(where: { $0.name == key }) {
      wrong(node, "'\(key)' is missing in \(name)", "add it, e.g. \(example)")
    }
    return found
  }

  /// Where a key is known that somebody wrote into another mapping; the same domain's settings first.
  private func home(of key: String, awayFrom name: String) -> String? {
    let here = declarations.filter { name.hasSuffix(" of \($0.domain)") }
    for declaration in here + declarations {
      let sections = [
        ("population", declaration.population.map(\.name)),
        ("parameters", declaration.parameters.map(\.name)),
        ("quirks", declaration.quirks.map(\.id)),
      ]
      for (section, keys) in sections where keys.contains(key) {
        return "'\(section)' of \(declaration.domain)"
      }
    }
    let fixed = [
      ("the outermost level", ScenarioReader.keys), ("a world", Self.worldKeys),
      ("'network'", ["latency", "timeout"]), ("'service'", Self.serviceKeys),
    ]
    return fixed.first { $0.1.contains(key) }?.0
  }

  /// The members of a mapping whose keys are names of the user's or a domain's.
  func freeMembers(
    of node: SourceNode, _ name: String, example: String
  ) -> [(name: String, member: SourceNode.Member)]? {
    guard case .mapping(let members) = node.content else {
      wrong(node, "\(name) cannot be \(node.inWords)", "give a mapping, e.g. \(example)")
      return nil
    }
    var found: [(name: String, member: SourceNode.Member)] = []
    var locations: [String: SourceLocation] = [:]
    for member in members {
      guard let key = member.key.text else {
        wrong(member.key, "a key cannot be \(member.key.inWords)", "give a name, e.g. \(example)")
        continue
      }
      if let first = locations[key] {
        wrong(
          member.key, "'\(printable(key))' is given here and in line \(first.line)",
          "remove one of them")
        continue
      }
      locations[key] = member.key.location
      found.append((key, member))
    }
    return found
  }

  func list(_ node: SourceNode, _ name: String, example: String) -> [SourceNode]? {
    guard case .sequence(let items) = node.content else {
      refuse(node, name, wanted: "a list, e.g. \(example)")
      return nil
    }
    guard items.count <= Self.longestList else {
      wrong(
        node, "'\(name)' has \(items.count) entries", "give at most \(Self.longestList)")
      return nil
    }
    return items
  }

  /// Text of a scalar that is not empty.
  func text(_ node: SourceNode, _ name: String, wanted: String) -> String? {
    guard let text = node.text, !node.isEmpty, !text.isEmpty else {
      refuse(node, name, wanted: wanted)
      return nil
    }
    return text
  }

  func choice(_ node: SourceNode, _ name: String, among choices: [String]) -> String? {
    let wanted = choices.joined(separator: " or ")
    guard let text = text(node, name, wanted: wanted) else { return nil }
    guard choices.contains(text) else {
      unknown(node, "'\(name)' cannot be \(node.inWords)", among: choices)
      return nil
    }
    return text
  }

  /// `on`, `off`, `true`, `false`, `yes`, `no`.
  func flag(_ node: SourceNode, _ name: String) -> Bool? {
    switch node.text?.lowercased() {
    case "on", "true", "yes": return true
    case "off", "false", "no": return false
    default:
      refuse(node, name, wanted: "on or off")
      return nil
    }
  }
}
