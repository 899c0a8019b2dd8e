import Contracts
import Scenarios
import Yams

/// Translates YAML into the neutral tree; the one place that knows the parser.
///
/// Of YAML it takes mappings, lists and scalars. Anchors, aliases, merge keys and tags with a meaning of their own are
/// refused: each makes a file say something else than what it shows.
struct YAMLTree {
  let file: String
  private(set) var variables: Variables

  mutating func compose() throws(ScenarioErrors) -> SourceNode {
    let tree = try parsed(variables.text)
    guard case .mapping = tree.content else {
      throw ScenarioErrors(
        file: file, at: tree.location, "a scenario cannot be \(tree.inWords)",
        "give a mapping that begins with 'rehearsal: 1'")
    }
    return tree
  }

  private mutating func parsed(_ text: String) throws(ScenarioErrors) -> SourceNode {
    let parser: Parser
    let root: Node?
    do {
      // The default encoding would ask the environment.
      parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      root = try parser.singleRoot()
    } catch let error as YamlError {
      throw explained(error, text)
    } catch {
      throw ScenarioErrors(
        file: file, "it cannot be read as YAML: \(printable("\(error)"))", "correct it")
    }
    // Nodes hold their anchors weakly, the parser holds them strongly: without it every node looks free of them.
    defer { withExtendedLifetime(parser) {} }
    guard let root else {
      throw ScenarioErrors(
        file: file, "it is empty",
        "begin with 'rehearsal: 1'; scenarios/saturday.yaml is an example")
    }
    var problems: [ScenarioProblem] = []
    let tree = try translate(root, depth: 1, &problems)
    guard problems.isEmpty else { throw ScenarioErrors(problems) }
    return tree
  }

  // MARK: - Nodes

  private static let coreTags = Set(
    [Tag.Name.implicit, .nonSpecific, .str, .int, .float, .bool, .null, .seq, .map].map(\.rawValue))

  private mutating func translate(
    _ node: Node, depth: Int, _ problems: inout [ScenarioProblem]
  ) throws(ScenarioErrors) -> SourceNode {
    let location = Self.location(of: node)
    guard depth <= ScenarioFile.deepest else { throw Self.tooDeep(file: file, at: location) }
    if let anchor = node.anchor {
      let name = printable(anchor.rawValue)
      problems.append(
        ScenarioProblem(
          file: file, at: location, "anchors and aliases are not supported ('&\(name)')",
          "write the value where it belongs"))
    }
    let tag = node.tag.description
    if !Self.coreTags.contains(tag) {
      problems.append(
        ScenarioProblem(
          file: file, at: location, "the tag '\(printable(tag))' is not supported", "remove it"))
    }
    switch node {
    case .scalar(let scalar):
      var text = scalar.string
      do throws(ScenarioErrors) {
        text = try variables.filled(scalar.string, at: location)
      } catch {
        problems += error.problems
      }
      return SourceNode(.scalar(text, quoted: scalar.style != .plain), at: location)
    case .sequence(let sequence):
      var items: [SourceNode] = []
      for item in sequence {
        try items.append(translate(item, depth: depth + 1, &problems))
      }
      return SourceNode(.sequence(items), at: location)
    case .mapping(let mapping):
      var members: [SourceNode.Member] = []
      for (key, value) in mapping {
        if case .scalar(let scalar) = key, scalar.string == "<<", scalar.style == .plain {
          problems.append(
            ScenarioProblem(
              file: file, at: Self.location(of: key), "merge keys are not supported",
              "write the members themselves"))
        }
        if case .scalar(let scalar) = key {
          problems += variables.problems(inKey: scalar.string, at: Self.location(of: key))
        }
        members.append(
          SourceNode.Member(
            key: try translate(key, depth: depth + 1, &problems),
            value: try translate(value, depth: depth + 1, &problems)))
      }
      return SourceNode(.mapping(members), at: location)
    case .alias(let alias):
      throw Self.alias(alias.anchor.rawValue, file: file, at: location)
    }
  }

  private static func location(of node: Node) -> SourceLocation {
    SourceLocation(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  // MARK: - Messages

  static func tooDeep(file: String, at location: SourceLocation) -> ScenarioErrors {
    ScenarioErrors(
      file: file, at: location,
      "more than \(ScenarioFile.deepest) lists and mappings inside one another",
      "a scenario needs six levels")
  }

  static func alias(_ name: String, file: String, at location: SourceLocation) -> ScenarioErrors {
    ScenarioErrors(
      file: file, at: location, "anchors and aliases are not supported ('*\(printable(name))')",
      "write the value where it belongs")
  }

  /// The parser's words with their location.
  private func explained(_ error: YamlError, _ text: String) -> ScenarioErrors {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      return explained(problem, context, SourceLocation(line: mark.line, column: mark.column))
    case .reader(let problem, let offset, _, _):
      let before = text.prefix(offset ?? 0)
      let line = before.unicodeScalars.count { $0 == "\n" } + 1
      let column = before.reversed().prefix { !$0.isNewline }.count + 1
      return ScenarioErrors(
        file: file, at: SourceLocation(line: line, column: column),
        "this is not valid YAML: \(printable(problem))",
        "remove the character")
    case .duplicatedKeysInMapping(let names, let context):
      let shown = names.prefix(5).map { "'\(printable($0))'" }.joined(separator: ", ")
      return ScenarioErrors(
        file: file, at: SourceLocation(line: context.mark.line, column: context.mark.column),
        "\(shown) \(names.count == 1 ? "is" : "are") given more than once in one mapping, first here",
        "keep one of them")
    default:
      return ScenarioErrors(
        file: file, "it cannot be read as YAML: \(printable(error.description))", "correct it")
    }
  }

  private func explained(
    _ problem: String, _ context: YamlError.Context?, _ location: SourceLocation
  ) -> ScenarioErrors {
    if problem.hasPrefix("Maximum nesting level") { return Self.tooDeep(file: file, at: location) }
    if problem == "but found another document" {
      return ScenarioErrors(
        file: file, at: location, "a second document begins", "give each scenario a file of its own"
      )
    }
    if problem == "found undefined alias" {
      return ScenarioErrors(
        file: file, at: location, "anchors and aliases are not supported",
        "write the value where it belongs, or put text that begins with * in quotes")
    }
    let beginning =
      context.map { " \(printable($0.text)) that begins in line \($0.mark.line)" } ?? ""
    return ScenarioErrors(
      file: file, at: location, "this is not valid YAML: \(printable(problem))\(beginning)",
      "correct this line or the one before it")
  }
}
