import Timekeeping

/// The parameters of a command of the harness itself, such as `advance` and `setFault`, by the names that they are declared with.
public struct ControlParameters: Sendable {
  /// Where they stand, for messages: `setFault`.
  public let location: String
  private let object: JSONObject

  /// - Throws: when a name is none of `known`, with the nearest that is.
  public init(_ value: JSON, known: [String], at location: String) throws(ControlProblem) {
    guard let object = value.object else {
      throw ControlProblem("\(location): an object of parameters is expected")
    }
    for member in object.members where !known.contains(member.name) {
      let hint = nearest(member.name, among: known).map { "; did you mean '\($0)'?" }
      let all = known.isEmpty ? "; it takes none" : "; it takes \(known.joined(separator: ", "))"
      throw ControlProblem("\(location): no parameter '\(printable(member.name))'\(hint ?? all)")
    }
    self.object = object
    self.location = location
  }

  public func problem(_ name: String, _ what: String) -> ControlProblem {
    ControlProblem("\(location): '\(name)' \(what)")
  }

  /// `null` is absent.
  public func value(_ name: String) -> JSON? {
    object[name].flatMap { $0.isNull ? nil : $0 }
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

  public func optionalNumber(_ name: String) throws(ControlProblem) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.int else { throw problem(name, "is no whole number") }
    return number
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
}
