import Contracts

/// The members of a JSON object by type; unknown ones are ignored, `null` is absent.
struct WireMembers {
  private let object: JSONObject

  init(_ value: JSON?) throws(Malformed) {
    guard let object = value?.object else { throw Malformed("a JSON object is expected") }
    self.object = object
  }

  init(body: [UInt8]) throws(Malformed) {
    guard let value = JSON(parsing: body) else { throw Malformed("the body is not JSON") }
    try self.init(value)
  }

  /// A member that has a value.
  func value(_ name: String) -> JSON? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  func text(_ name: String) throws(Malformed) -> String {
    guard let text = try optionalText(name) else { throw Malformed("'\(name)' is missing") }
    return text
  }

  func optionalText(_ name: String) throws(Malformed) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw Malformed("'\(name)' is not a string") }
    return text
  }

  func texts(_ name: String) throws(Malformed) -> [String] {
    guard let texts = try optionalTexts(name) else { throw Malformed("'\(name)' is missing") }
    return texts
  }

  func optionalTexts(_ name: String) throws(Malformed) -> [String]? {
    guard let value = value(name) else { return nil }
    guard let texts = value.strings else { throw Malformed("'\(name)' is not a list of strings") }
    return texts
  }

  func array(_ name: String) throws(Malformed) -> [JSON] {
    guard let items = value(name)?.array else { throw Malformed("'\(name)' is not a list") }
    return items
  }

  func flag(_ name: String) throws(Malformed) -> Bool {
    guard let flag = value(name)?.bool else { throw Malformed("'\(name)' is not true or false") }
    return flag
  }

  func number(_ name: String) throws(Malformed) -> Int {
    guard let number = value(name)?.int else { throw Malformed("'\(name)' is no whole number") }
    return number
  }
}
