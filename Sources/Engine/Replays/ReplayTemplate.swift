import Contracts

/// `{{3.body.api_token}}`: a value of an earlier line's answer, in any text of a line. `{{{{` stands for the text `{{` itself.
struct ReplayTemplate {
  private let answers: [JSON]
  private let line: Int
  private let columns: LineColumns

  static func fill(
    _ value: JSON, from answers: [JSON], line: Int, _ columns: LineColumns
  ) throws(ReplayProblem) -> JSON {
    try ReplayTemplate(answers: answers, line: line, columns: columns).fill(value)
  }

  private func fill(_ value: JSON) throws(ReplayProblem) -> JSON {
    switch value {
    case .string(let text): return try fill(text)
    case .array(let items):
      var filled: [JSON] = []
      for item in items { filled.append(try fill(item)) }
      return .array(filled)
    case .object(let object):
      var filled = JSONObject()
      for (name, member) in object.members { filled[name] = try fill(member) }
      return .object(filled)
    case .null, .bool, .int, .double: return value
    }
  }

  private func fill(_ text: String) throws(ReplayProblem) -> JSON {
    let (opening, closing) = ("{{".unicodeScalars, "}}".unicodeScalars)
    var rest = text.unicodeScalars[...]
    var filled = String.UnicodeScalarView()
    while let open = rest.firstRange(of: opening) {
      filled += rest[..<open.lowerBound]
      rest = rest[open.upperBound...]
      if rest.starts(with: opening) {
        filled += opening
        rest = rest.dropFirst(2)
        continue
      }
      guard let close = rest.firstRange(of: closing) else {
        throw problem(
          at: "{{", "has a '{{' without its '}}'; the text itself is written '{{{{'")
      }
      let value = try look(up: Substring(rest[..<close.lowerBound]))
      // A text that is nothing but one reference takes the value as it is, whatever its type.
      if open.lowerBound == text.startIndex, close.upperBound == text.endIndex { return value }
      filled += (value.string ?? value.description).unicodeScalars
      rest = rest[close.upperBound...]
    }
    return .string(String(filled + rest))
  }

  private func look(up path: Substring) throws(ReplayProblem) -> JSON {
    let shown = "'{{\(printable(path))}}'"
    let place = "{{\(path)}}"
    let steps = path.split(separator: ".", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard let first = steps.first, let number = Int(first) else {
      throw problem(
        at: place,
        "refers to \(shown), which begins with no line's number: {{3.body.api_token}}; the text '{{' itself is written '{{{{'"
      )
    }
    guard answers.indices.contains(number - 1) else {
      let answered = answers.isEmpty ? "none has" : "only lines 1 to \(answers.count) have"
      throw problem(at: place, "refers to \(shown), but \(answered) been answered")
    }
    var value = answers[number - 1]
    for step in steps.dropFirst() {
      guard let next = Int(step).flatMap({ value[$0] }) ?? value[String(step)] else {
        throw problem(
          at: place,
          "refers to \(shown), but line \(number) answered no '\(printable(step))': \(printable(value.description, limit: 200))"
        )
      }
      value = next
    }
    return value
  }

  private func problem(at text: String, _ what: String) -> ReplayProblem {
    ReplayProblem(line: line, column: columns.column(ofText: text), what)
  }
}
