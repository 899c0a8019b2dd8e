import Contracts
import Timekeeping

/// The parameters of a control command, or of an entity inside one, by the names that they are declared with.
struct ControlParameters {
  /// Where they stand, for messages: `load: diensten[2]`.
  let place: String
  private let object: JSONObject

  /// - Throws: when a name is none of `known` or of their aliases, with the nearest that is.
  init(_ value: JSON, known: [String], at place: String) throws(ControlProblem) {
    guard let object = value.object else {
      throw ControlProblem("\(place): an object of parameters is expected")
    }
    let names = known + known.flatMap { KantineKoning.aliases[$0] ?? [] }
    for member in object.members where !names.contains(member.name) {
      let hint = nearest(to: member.name, among: names).map { "; did you mean '\($0)'?" }
      let all = known.isEmpty ? "; it takes none" : "; it takes \(known.joined(separator: ", "))"
      throw ControlProblem("\(place): no parameter '\(member.name)'\(hint ?? all)")
    }
    self.object = object
    self.place = place
  }

  func problem(_ name: String, _ what: String) -> ControlProblem {
    ControlProblem("\(place): '\(name)' \(what)")
  }

  /// A parameter under its name or an alias; `null` is absent.
  func value(_ name: String) -> JSON? {
    for candidate in [name] + (KantineKoning.aliases[name] ?? []) {
      if let value = object[candidate], !value.isNull { return value }
    }
    return nil
  }

  func text(_ name: String) throws(ControlProblem) -> String {
    guard let text = try optionalText(name) else { throw problem(name, "is missing") }
    return text
  }

  func optionalText(_ name: String) throws(ControlProblem) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw problem(name, "is not a string") }
    return text
  }

  func flag(_ name: String, standard: Bool? = nil) throws(ControlProblem) -> Bool {
    guard let value = value(name) else {
      guard let standard else { throw problem(name, "is missing") }
      return standard
    }
    guard let flag = value.bool else { throw problem(name, "is not true or false") }
    return flag
  }

  func optionalNumber(_ name: String) throws(ControlProblem) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.int else { throw problem(name, "is no whole number") }
    return number
  }

  func texts(_ name: String, standard: [String]? = nil) throws(ControlProblem) -> [String] {
    guard let value = value(name) else {
      guard let standard else { throw problem(name, "is missing") }
      return standard
    }
    guard let texts = value.strings else { throw problem(name, "is not a list of strings") }
    return texts
  }

  func instant(_ name: String) throws(ControlProblem) -> Instant {
    guard let instant = try optionalInstant(name) else { throw problem(name, "is missing") }
    return instant
  }

  func optionalInstant(_ name: String) throws(ControlProblem) -> Instant? {
    guard let text = try optionalText(name) else { return nil }
    guard let instant = Instant(text) else {
      throw problem(name, "is no instant: '\(text)'; write 2026-03-21T09:00:00Z")
    }
    return instant
  }

  /// The items of a list, each with its place; an absent list is empty.
  func items(_ name: String) throws(ControlProblem) -> [(value: JSON, place: String)] {
    guard let value = value(name) else { return [] }
    guard let items = value.array else { throw problem(name, "is not a list") }
    return items.enumerated().map { ($1, "\(place): \(name)[\($0)]") }
  }
}

/// The candidate that is spelled most like a word, or that it begins; `nil` when none is near.
func nearest(to word: String, among candidates: [String]) -> String? {
  let near = candidates.map { name in
    let shared = zip(word.lowercased(), name.lowercased()).prefix { $0 == $1 }.count
    return (
      name: name, distance: shared == word.count ? 1 : editDistance(word, name), shared: shared
    )
  }.min { ($0.distance, -$0.shared) < ($1.distance, -$1.shared) }
  guard let near, near.distance <= max(2, word.count / 2) else { return nil }
  return near.name
}

/// How many characters must be inserted, deleted or replaced; case and underscores do not count.
/// - Source: V. I. Levenshtein, Soviet Physics Doklady 10 (1966), 707–710.
private func editDistance(_ a: String, _ b: String) -> Int {
  let left = Array(a.lowercased().filter { $0 != "_" })
  let right = Array(b.lowercased().filter { $0 != "_" })
  var row = Array(0...right.count)
  for (i, character) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let replaced = diagonal + (character == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}
