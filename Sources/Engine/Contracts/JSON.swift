/// A JSON document as a value; objects keep the order of their members.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

/// The members of a JSON object in order; the last of several with one name counts.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var members: [(name: String, value: JSON)]

  public init(_ members: [(name: String, value: JSON)] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    for (name, value) in members { self[name] = value }
  }

  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }

  fileprivate init(_ elements: [(String, JSON)]) {
    members = []
    members.reserveCapacity(elements.count)
    for (name, value) in elements { self[name] = value }
  }

  public subscript(name: String) -> JSON? {
    get { members.first { $0.name == name }?.value }
    set {
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((name, value))
      case (nil, nil): break
      }
    }
  }

  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.members.count == b.members.count && a.members.allSatisfy { b[$0.name] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    for member in members.sorted(by: { $0.name < $1.name }) {
      hasher.combine(member.name)
      hasher.combine(member.value)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral,
  ExpressibleByFloatLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSON {
  public static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }
  public static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  public static func number(_ value: Int) -> JSON { .int(Int64(value)) }

  public subscript(name: String) -> JSON? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  public subscript(index: Int) -> JSON? {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { nil }
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  public var int: Int? { if case .int(let number) = self { Int(exactly: number) } else { nil } }
  public var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  public var isNull: Bool { self == .null }

  public var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The strings of an array of nothing but strings.
  public var strings: [String]? {
    guard let items = array else { return nil }
    let texts = items.compactMap(\.string)
    return texts.count == items.count ? texts : nil
  }
}

// MARK: - Writing

extension JSON: CustomStringConvertible {
  /// Compact text, members in their order; characters that could end a script or an HTML comment are escaped.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  public var bytes: [UInt8] { Array(description.utf8) }

  public func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .int(let number): text += String(number)
    case .double(let number): text += number.isFinite ? Self.decimal(number) : "null"
    case .string(let string): Self.quote(string, into: &text)
    case .array(let items):
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        item.write(to: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (index, member) in object.members.enumerated() {
        if index > 0 { text += "," }
        Self.quote(member.name, into: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// Indented text for files that people read.
  public func pretty(indent: Int = 0) -> String {
    let pad = String(repeating: "  ", count: indent + 1)
    let end = String(repeating: "  ", count: indent)
    switch self {
    case .array(let items) where items.contains(where: { $0.array != nil || $0.object != nil }):
      return "[\n" + items.map { pad + $0.pretty(indent: indent + 1) }.joined(separator: ",\n")
        + "\n\(end)]"
    case .object(let object) where !object.members.isEmpty:
      let lines = object.members.map { member in
        var name = ""
        Self.quote(member.name, into: &name)
        return pad + name + ": " + member.value.pretty(indent: indent + 1)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
    default: return description
    }
  }

  /// The shortest decimal that reads back as the same double; whole numbers without a fraction.
  private static func decimal(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
    return "\(number)"
  }

  public static func quote(_ string: String, into text: inout String) {
    text += "\""
    defer { text += "\"" }
    guard !string.utf8.allSatisfy(isPlain) else {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{7F}", "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a byte stands for itself, wherever it is: ASCII without what is escaped.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C && byte != 0x3C && byte != 0x3E
      && byte != 0x26
  }
}
