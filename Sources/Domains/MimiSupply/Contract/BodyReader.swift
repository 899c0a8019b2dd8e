import Contracts

/// Reads the members of a body and remembers whether one of them was wrong.
struct BodyReader {
  let body: JSON
  private(set) var isWrong = false

  init(_ body: JSON) { self.body = body }

  /// A member that is there and not null.
  private func member(_ name: String) -> JSON? {
    guard let value = body[name], !value.isNull else { return nil }
    return value
  }

  private mutating func optional<Value>(_ name: String, _ read: (JSON) -> Value?) -> Value? {
    guard let given = member(name) else { return nil }
    let value = read(given)
    if value == nil { isWrong = true }
    return value
  }

  private mutating func required<Value>(
    _ name: String, or placeholder: Value, _ read: (JSON) -> Value?
  ) -> Value {
    guard let value = optional(name, read) else {
      isWrong = true
      return placeholder
    }
    return value
  }

  mutating func text(_ name: String) -> String { required(name, or: "") { $0.string } }
  mutating func optionalText(_ name: String) -> String? { optional(name) { $0.string } }
  mutating func optionalTexts(_ name: String) -> [String]? { optional(name) { $0.strings } }
  mutating func optionalNumber(_ name: String) -> Int? { optional(name) { $0.int } }
  mutating func optionalFlag(_ name: String) -> Bool? { optional(name) { $0.bool } }
  mutating func flag(_ name: String) -> Bool { optionalFlag(name) ?? false }
  mutating func zone() -> Zone? { optional("zoneID", Zone.init) }

  mutating func list<Value>(_ name: String, _ read: (JSON) -> Value?) -> [Value] {
    required(name, or: []) { $0.list(read) }
  }

  mutating func optionalList<Value>(_ name: String, _ read: (JSON) -> Value?) -> [Value] {
    optional(name) { $0.list(read) } ?? []
  }

  mutating func value<Value>(_ name: String, or placeholder: Value, _ read: (JSON) -> Value?)
    -> Value
  { required(name, or: placeholder, read) }
}
