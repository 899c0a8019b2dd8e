import Timekeeping

/// The parameters of a control command, or of an entity inside one, by the names that they are declared with.
public struct ControlParameters: Sendable {
  /// Where they stand, for messages: `load: orders[2]`.
  public let place: String
  private let object: JSONObject
  private let aliases: [String: [String]]

  /// - Parameter aliases: Further spellings of a name.
  /// - Throws: when a name is none of `known` or of their aliases, with the nearest that is.
  public init(
    _ value: JSON, known: [String], aliases: [String: [String]] = [:], at place: String
  ) throws(ControlProblem) {
    guard let object = value.object else {
      throw ControlProblem("\(place): an object of parameters is expected")
    }
    let names = known + known.flatMap { aliases[$0] ?? [] }
    for member in object.members where !names.contains(member.name) {
      let hint = nearest(member.name, among: names).map { "; did you mean '\($0)'?" }
      let all = known.isEmpty ? "; it takes none" : "; it takes \(known.joined(separator: ", "))"
      throw ControlProblem("\(place): no parameter '\(printable(member.name))'\(hint ?? all)")
    }
    self.object = object
    self.aliases = aliases
    self.place = place
  }

  public func problem(_ name: String, _ what: String) -> ControlProblem {
    ControlProblem("\(place): '\(name)' \(what)")
  }

  /// A parameter as it was given, `null` included.
  public func given(_ name: String) -> JSON? { object[name] }

  /// A parameter under its name or an alias; `null` is absent.
  public func value(_ name: String) -> JSON? {
    for candidate in [name] + (aliases[name] ?? []) {
      if let value = object[candidate], !value.isNull { return value }
    }
    return nil
  }

  public func text(_ name: String) throws(ControlProblem) -> String {
    guard let text = try optionalText(name) else { throw problem(name, "is missing") }
    return text
  }

  public func optionalText(_ name: String) throws(ControlProblem) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw problem(name, "is not a string") }
    return text
  }

  public func flag(_ name: String, standard: Bool? = nil) throws(ControlProblem) -> Bool {
    guard let value = value(name) else {
      guard let standard else { throw problem(name, "is missing") }
      return standard
    }
    guard let flag = value.bool else { throw problem(name, "is not true or false") }
    return flag
  }

  public func optionalNumber(_ name: String) throws(ControlProblem) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.int else { throw problem(name, "is no whole number") }
    return number
  }

  public func texts(_ name: String, standard: [String]? = nil) throws(ControlProblem) -> [String] {
    guard let value = value(name) else {
      guard let standard else { throw problem(name, "is missing") }
      return standard
    }
    guard let texts = value.strings else { throw problem(name, "is not a list of strings") }
    return texts
  }

  public func instant(_ name: String) throws(ControlProblem) -> Instant {
    guard let instant = try optionalInstant(name) else { throw problem(name, "is missing") }
    return instant
  }

  public func optionalInstant(_ name: String) throws(ControlProblem) -> Instant? {
    guard let text = try optionalText(name) else { return nil }
    guard let instant = Instant(text) else {
      throw problem(name, "is no instant: '\(printable(text))'; write 2026-03-21T09:00:00Z")
    }
    return instant
  }

  public func choice(_ name: String, among choices: [String]) throws(ControlProblem) -> String {
    let text = try text(name)
    guard choices.contains(text) else {
      let hint = nearest(text, among: choices).map { "; did you mean '\($0)'?" } ?? ""
      throw problem(
        name,
        "cannot be '\(printable(text))'; it is one of \(choices.joined(separator: ", "))\(hint)")
    }
    return text
  }

  /// A span that is not negative, such as `"30s"`.
  public func optionalSpan(_ name: String) throws(ControlProblem) -> Span? {
    guard let text = try optionalText(name) else { return nil }
    guard let span = Span(text), span >= .zero else {
      throw problem(name, "is no span: \(Span.hint(for: text))")
    }
    return span
  }

  /// The items of a list, each with its place; an absent list is empty.
  public func items(_ name: String) throws(ControlProblem) -> [(value: JSON, place: String)] {
    guard let value = value(name) else { return [] }
    guard let items = value.array else { throw problem(name, "is not a list") }
    return items.enumerated().map { ($1, "\(place): \(name)[\($0)]") }
  }
}
