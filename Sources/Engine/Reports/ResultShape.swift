import Contracts

/// Holds a result against the published schema before anybody reads a figure of it, so that what `rehearse schema result` promises
/// is what `compare` and `report` rely on.
///
/// It knows the keywords that `ResultSchema` uses; a keyword that it does not know is a mistake of ours and stops the program.
struct ResultShape {
  private final class Shape {
    var types: [String] = []
    var constant: JSON?
    var choices: [JSON]?
    var pattern: Regex<AnyRegexOutput>?
    var example: String?
    var minimum: Double?
    var maximum: Double?
    var alternatives: [Shape] = []
    var required: [String] = []
    var members: [String: Shape] = [:]
    var items: Shape?
    var least: Int?
    var most: Int?
  }

  private let root: Shape

  init() {
    let schema = ResultSchema.json
    var named: [String: Shape] = [:]
    let definitions = schema["$defs"]?.object?.members ?? []
    for (name, _) in definitions { named["#/$defs/" + name] = Shape() }
    for (name, shape) in definitions {
      Self.fill(named["#/$defs/" + name]!, from: shape, named)
    }
    root = Shape()
    Self.fill(root, from: schema, named)
  }

  /// - Throws: The first value that does not fit, in the file's order, with its location and what would be right.
  func check(_ node: ReadingNode) throws(ReadingProblem) { try check(node, root) }

  // MARK: - Compiling

  private static func shape(_ schema: JSON, _ named: [String: Shape]) -> Shape {
    if let name = schema["$ref"]?.string {
      guard let shape = named[name] else { preconditionFailure("nothing defines \(name)") }
      return shape
    }
    let shape = Shape()
    fill(shape, from: schema, named)
    return shape
  }

  private static func fill(_ shape: Shape, from schema: JSON, _ named: [String: Shape]) {
    for (keyword, value) in schema.object?.members ?? [] {
      switch keyword {
      case "$schema", "$id", "$defs", "title", "description", "default": break
      case "type": shape.types = value.strings ?? value.string.map { [$0] } ?? []
      case "const": shape.constant = value
      case "enum": shape.choices = value.array
      case "examples": shape.example = value[0]?.string
      case "pattern":
        guard let text = value.string, let pattern = try? Regex(text) else {
          preconditionFailure("\(value) is not a pattern")
        }
        shape.pattern = pattern
      case "minimum": shape.minimum = value.double
      case "maximum": shape.maximum = value.double
      case "minItems": shape.least = value.int
      case "maxItems": shape.most = value.int
      case "required": shape.required = value.strings ?? []
      case "anyOf": shape.alternatives = (value.array ?? []).map { Self.shape($0, named) }
      case "items": shape.items = Self.shape(value, named)
      case "properties":
        for (name, member) in value.object?.members ?? [] {
          shape.members[name] = Self.shape(member, named)
        }
      default: preconditionFailure("nothing checks the keyword \(keyword)")
      }
    }
  }

  // MARK: - Checking

  private func check(_ node: ReadingNode, _ shape: Shape) throws(ReadingProblem) {
    guard isScalarFit(node.value, shape), isAlternativeFit(node.value, shape) else {
      throw node.expected(Self.words(for: shape))
    }
    if let object = node.value.object {
      for (name, _) in object.members {
        guard let member = shape.members[name], let found = node.member(name) else { continue }
        try check(found, member)
      }
      for name in shape.required { _ = try node.required(name) }
    }
    if let array = node.value.array {
      if let least = shape.least, array.count < least {
        throw node.expected(Self.words(for: shape))
      }
      if let most = shape.most, array.count > most { throw node.expected(Self.words(for: shape)) }
      if let items = shape.items { for item in try node.items() { try check(item, items) } }
    }
  }

  /// Of several alternatives one has to fit as a whole; which place inside the others is wrong says nothing.
  private func isAlternativeFit(_ value: JSON, _ shape: Shape) -> Bool {
    guard !shape.alternatives.isEmpty else { return true }
    let node = ReadingNode(value: value, file: "", location: "")
    return shape.alternatives.contains { alternative in
      do throws(ReadingProblem) {
        try check(node, alternative)
        return true
      } catch { return false }
    }
  }

  private func isScalarFit(_ value: JSON, _ shape: Shape) -> Bool {
    if !shape.types.isEmpty, !shape.types.contains(where: { Self.isA($0, value) }) { return false }
    if let constant = shape.constant, constant != value { return false }
    if let choices = shape.choices, !choices.contains(value) { return false }
    if let number = value.double {
      guard number.isFinite, number >= shape.minimum ?? -.infinity,
        number <= shape.maximum ?? .infinity
      else { return false }
    }
    if let pattern = shape.pattern, let text = value.string {
      return text.wholeMatch(of: pattern) != nil
    }
    return true
  }

  private static func isA(_ type: String, _ value: JSON) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("integer", .int), ("number", .int), ("number", .double):
      true
    default: false
    }
  }

  // MARK: - Words

  private static func words(for shape: Shape) -> String {
    if let constant = shape.constant { return "\(constant)" }
    if let choices = shape.choices {
      return "one of " + choices.map { $0.string ?? "\($0)" }.joined(separator: ", ")
    }
    if !shape.alternatives.isEmpty {
      return shape.alternatives.map(words).joined(separator: ", or ")
    }
    let isNullable = shape.types.contains("null")
    let words = shape.types.filter { $0 != "null" }.map { word($0, shape) }
    return (words + (isNullable ? ["null"] : [])).joined(separator: " or ")
  }

  private static func word(_ type: String, _ shape: Shape) -> String {
    switch type {
    case "integer", "number":
      let noun = type == "integer" ? "a whole number" : "a number"
      switch (shape.minimum, shape.maximum) {
      case (let low?, let high?):
        return "\(noun) from \(Figures.number(low)) to \(Figures.number(high))"
      case (let low?, nil): return "\(noun), at least \(Figures.number(low))"
      default: return noun
      }
    case "string": return shape.example.map { "text such as '\($0)'" } ?? "text"
    case "array": return shape.least.map { "a list of \($0)" } ?? "a list"
    case "boolean": return "true or false"
    case "null": return "null"
    default: return "an object"
    }
  }
}
