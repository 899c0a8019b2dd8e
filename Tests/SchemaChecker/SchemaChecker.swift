import Contracts

/// Holds a JSON value against a JSON Schema, as far as the schemas of this project go: a second reader of them, so that tests do not
/// believe what they test.
public struct SchemaChecker {
  private let root: JSON

  public init(_ schema: JSON) { root = schema }

  /// What does not fit, each with its place; empty when the value is valid.
  public func problems(of value: JSON) -> [String] { check(value, root, at: "$") }

  /// Keywords that this checker knows; a schema with another one would be believed too easily.
  public static let known: Set<String> = [
    "$schema", "$id", "$defs", "$ref", "title", "description", "default", "examples", "type",
    "required", "properties", "additionalProperties", "minProperties", "maxProperties", "items",
    "minItems", "maxItems", "uniqueItems", "enum", "const", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "anyOf", "allOf", "if", "then", "x-source", "x-unit", "x-range",
  ]

  /// Keywords of the schema that this checker does not know.
  public var strangers: Set<String> { Self.keywords(root).subtracting(Self.known) }

  private static func keywords(_ schema: JSON) -> Set<String> {
    guard let object = schema.object else { return [] }
    var found = Set(object.members.map(\.name))
    for (name, value) in object.members {
      switch name {
      case "properties", "$defs":
        for member in value.object?.members ?? [] { found.formUnion(keywords(member.value)) }
      case "items", "if", "then", "additionalProperties": found.formUnion(keywords(value))
      case "anyOf", "allOf": for part in value.array ?? [] { found.formUnion(keywords(part)) }
      default: break
      }
    }
    return found
  }

  // MARK: - Checking

  private func check(_ value: JSON, _ schema: JSON, at place: String) -> [String] {
    guard let object = schema.object else {
      return schema.bool == false ? ["\(place): nothing may stand here"] : []
    }
    var found: [String] = []
    if let name = object["$ref"]?.string {
      found += check(value, definition(name), at: place)
    }
    if let type = object["type"], !types(type).contains(where: { Self.isA($0, value) }) {
      found.append("\(place): \(value) is no \(types(type).joined(separator: " or "))")
    }
    if let constant = object["const"], constant != value {
      found.append("\(place): \(value) is not \(constant)")
    }
    if let choices = object["enum"]?.array, !choices.contains(value) {
      found.append("\(place): \(value) is none of \(choices.count) choices")
    }
    found += numbers(value, object, place) + texts(value, object, place)
    found += members(value, object, place) + items(value, object, place)
    if let any = object["anyOf"]?.array,
      !any.contains(where: { check(value, $0, at: place).isEmpty })
    {
      found.append("\(place): \(value) fits none of the alternatives")
    }
    for part in object["allOf"]?.array ?? [] { found += check(value, part, at: place) }
    if let condition = object["if"], let then = object["then"],
      check(value, condition, at: place).isEmpty
    {
      found += check(value, then, at: place)
    }
    return found
  }

  private func definition(_ name: String) -> JSON {
    root["$defs"]?[String(name.dropFirst("#/$defs/".count))] ?? .bool(false)
  }

  private func types(_ type: JSON) -> [String] { type.strings ?? type.string.map { [$0] } ?? [] }

  private static func isA(_ type: String, _ value: JSON) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("integer", .int), ("number", .int), ("number", .double):
      true
    case ("integer", .double(let number)): number == number.rounded()
    default: false
    }
  }

  private func numbers(_ value: JSON, _ schema: JSONObject, _ place: String) -> [String] {
    guard let number = value.double else { return [] }
    var found: [String] = []
    if let least = schema["minimum"]?.double, number < least {
      found.append("\(place): \(number) is less than \(least)")
    }
    if let most = schema["maximum"]?.double, number > most {
      found.append("\(place): \(number) is more than \(most)")
    }
    return found
  }

  private func texts(_ value: JSON, _ schema: JSONObject, _ place: String) -> [String] {
    guard let text = value.string else { return [] }
    var found: [String] = []
    if let pattern = schema["pattern"]?.string {
      guard let regex = try? Regex(pattern) else { return ["\(place): '\(pattern)' is no pattern"] }
      if text.firstMatch(of: regex) == nil { found.append("\(place): '\(text)' breaks \(pattern)") }
    }
    let length = text.unicodeScalars.count
    if let least = schema["minLength"]?.int, length < least { found.append("\(place): too short") }
    if let most = schema["maxLength"]?.int, length > most { found.append("\(place): too long") }
    return found
  }

  private func members(_ value: JSON, _ schema: JSONObject, _ place: String) -> [String] {
    guard let object = value.object else { return [] }
    var found: [String] = []
    for name in schema["required"]?.strings ?? [] where object[name] == nil {
      found.append("\(place): '\(name)' is missing")
    }
    let known = schema["properties"]?.object ?? JSONObject()
    for (name, member) in object.members {
      if let shape = known[name] {
        found += check(member, shape, at: "\(place).\(name)")
      } else if let others = schema["additionalProperties"] {
        found += check(member, others, at: "\(place).\(name)")
      }
    }
    let count = object.members.count
    if let least = schema["minProperties"]?.int, count < least { found.append("\(place): empty") }
    if let most = schema["maxProperties"]?.int, count > most { found.append("\(place): too full") }
    return found
  }

  private func items(_ value: JSON, _ schema: JSONObject, _ place: String) -> [String] {
    guard let items = value.array else { return [] }
    var found: [String] = []
    if let least = schema["minItems"]?.int, items.count < least { found.append("\(place): short") }
    if let most = schema["maxItems"]?.int, items.count > most { found.append("\(place): long") }
    if schema["uniqueItems"]?.bool == true, Set(items).count < items.count {
      found.append("\(place): something stands there twice")
    }
    if let shape = schema["items"] {
      for (index, item) in items.enumerated() {
        found += check(item, shape, at: "\(place)[\(index)]")
      }
    }
    return found
  }
}
