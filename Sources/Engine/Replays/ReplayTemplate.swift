import Contracts

/// `{{3.body.api_token}}`: a value of an earlier line's answer, in any text of a line.
enum ReplayTemplate {
  static func fill(_ value: JSON, from answers: [JSON], line: Int) throws(ReplayProblem) -> JSON {
    switch value {
    case .string(let text): return try fill(text, from: answers, line: line)
    case .array(let items):
      var filled: [JSON] = []
      for item in items { filled.append(try fill(item, from: answers, line: line)) }
      return .array(filled)
    case .object(let object):
      var filled = JSONObject()
      for (name, member) in object.members {
        filled[name] = try fill(member, from: answers, line: line)
      }
      return .object(filled)
    case .null, .bool, .int, .double: return value
    }
  }

  private static func fill(
    _ text: String, from answers: [JSON], line: Int
  ) throws(ReplayProblem) -> JSON {
    var rest = Substring(text)
    var filled = ""
    while let open = rest.firstRange(of: "{{") {
      guard let close = rest[open.upperBound...].firstRange(of: "}}") else { break }
      let path = rest[open.upperBound..<close.lowerBound]
      let value = try look(up: path, in: answers, line: line)
      // A text that is nothing but one reference takes the value as it is, whatever its type.
      if filled.isEmpty, open.lowerBound == text.startIndex, close.upperBound == text.endIndex {
        return value
      }
      filled += rest[..<open.lowerBound]
      filled += value.string ?? value.description
      rest = rest[close.upperBound...]
    }
    return .string(filled + rest)
  }

  private static func look(
    up path: Substring, in answers: [JSON], line: Int
  ) throws(ReplayProblem) -> JSON {
    let steps = path.split(separator: ".").map { $0.filter { $0 != " " } }
    guard let first = steps.first, let number = Int(first), answers.indices.contains(number - 1)
    else {
      throw ReplayProblem(
        line: line,
        "refers to '{{\(path)}}', but only lines 1 to \(answers.count) have been answered")
    }
    var value = answers[number - 1]
    for step in steps.dropFirst() {
      guard let next = Int(step).flatMap({ value[$0] }) ?? value[String(step)] else {
        throw ReplayProblem(
          line: line, "refers to '{{\(path)}}', but line \(number) answered no '\(step)': \(value)")
      }
      value = next
    }
    return value
  }
}
