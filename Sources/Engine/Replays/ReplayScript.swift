import Backends
import Contracts
import Timekeeping

/// Drives a twin through the lines of a replay file and answers a line for each.
public struct ReplayScript<Domain: Backend> {
  private var stepped: SteppedTwin<Domain>
  private var answers: [JSON] = []
  /// The token that a named caller was last given.
  private var tokens: [String: String] = [:]

  public init(_ stepped: SteppedTwin<Domain>) { self.stepped = stepped }

  /// Carries out one line of JSON.
  ///
  /// What a twin or its operator's commands refuse is an answer. Only what is no line is a problem.
  ///
  /// - Returns: `{status, headers, body, signals}`, and `waited` where the clock moved until the answer was there.
  public mutating func perform(line text: String) throws(ReplayProblem) -> JSON {
    try perform(line: Array(text.utf8))
  }

  public mutating func perform(line bytes: [UInt8]) throws(ReplayProblem) -> JSON {
    let line = try read(bytes)
    var signals = try moveClock(to: line)
    let answer: SteppedTwin<Domain>.Answer
    if line["control"] != nil {
      answer = try command(line)
    } else {
      answer = try request(line)
    }
    signals += answer.signals
    let headers = JSONObject(answer.response.headers.map { ($0.name, .string($0.value)) })
    var result: JSONObject = [
      "status": .number(answer.response.status), "headers": .object(headers),
      "body": answer.response.body ?? answer.response.text.map(JSON.string) ?? nil,
      "signals": .array(signals),
    ]
    if answer.waited > .zero { result["waited"] = .string(answer.waited.description) }
    answers.append(.object(result))
    return .object(result)
  }

  // MARK: - Reading

  /// A line that was read, with where its members stand.
  private struct Line {
    let number: Int
    let object: JSON
    let columns: LineColumns

    subscript(name: String) -> JSON? { object[name] }

    func problem(at name: String, inner: String? = nil, _ what: String) -> ReplayProblem {
      ReplayProblem(line: number, column: columns.column(of: name, inner), what)
    }
  }

  private static var known: [String] {
    ["at", "as", "method", "path", "headers", "body", "control"]
  }

  private func read(_ bytes: [UInt8]) throws(ReplayProblem) -> Line {
    let number = answers.count + 1
    guard let raw = JSON(parsing: bytes) else {
      var (column, why) = (1, "")
      do throws(JSONProblem) { _ = try JSON.parse(bytes) } catch {
        (column, why) = (error.column, ": \(error.why)")
      }
      throw ReplayProblem(line: number, column: column, Self.shape + why)
    }
    guard raw.object != nil else { throw ReplayProblem(line: number, Self.shape) }
    let columns = LineColumns(bytes)
    for (index, member) in columns.members.enumerated() {
      func problem(_ what: String) -> ReplayProblem {
        ReplayProblem(line: number, column: member.nameAt, what)
      }
      guard Self.known.contains(member.name) else {
        let hint = nearest(member.name, among: Self.known).map { "did you mean '\($0)'? " } ?? ""
        throw problem(
          "has a key '\(printable(member.name))' that nobody reads; \(hint)known are \(Self.known.joined(separator: ", "))"
        )
      }
      if columns.members[..<index].contains(where: { $0.name == member.name }) {
        throw problem("has '\(member.name)' twice")
      }
    }
    let filled = try ReplayTemplate.fill(raw, from: answers, line: number, columns)
    let line = Line(number: number, object: filled, columns: columns)
    if filled["control"] != nil {
      for name in ["as", "method", "path", "headers", "body"] where filled[name] != nil {
        throw line.problem(
          at: name, "has 'control' and '\(name)': a line is either a command or a request")
      }
    }
    return line
  }

  private static var shape: String {
    "is no JSON object; a line is {\"at\", \"method\", \"path\"} or {\"at\", \"control\"}"
  }

  // MARK: - Acting

  /// `at` is an instant, or `+span` after the line before.
  private mutating func moveClock(to line: Line) throws(ReplayProblem) -> [JSON] {
    guard let at = line["at"] else { return [] }
    guard let text = at.string else {
      throw line.problem(at: "at", "has no readable 'at': \(Self.instants)")
    }
    var target = Instant(text)
    if text.hasPrefix("+") {
      guard let span = Span(text.dropFirst()) else {
        let hint = Span.hint(for: String(text.dropFirst()))
        throw line.problem(at: "at", "has no readable 'at': \(hint)")
      }
      target = stepped.now + span
    }
    guard let target else {
      throw line.problem(at: "at", "has no readable 'at': \(Self.instants)")
    }
    do throws(ControlProblem) {
      return try stepped.advance(to: target)
    } catch {
      throw line.problem(at: "at", "has an 'at' that is not possible: \(error.description)")
    }
  }

  private static var instants: String {
    "write \"2026-03-21T05:00:00Z\", or \"+90s\" for 90 s after the line before"
  }

  private mutating func command(
    _ line: Line
  ) throws(ReplayProblem) -> SteppedTwin<Domain>.Answer {
    guard let members = line["control"]?.object?.members, members.count == 1 else {
      throw line.problem(
        at: "control",
        "needs exactly one command: {\"control\": {\"advance\": {\"by\": \"1h\"}}}")
    }
    let name = members[0].name
    let parameters = members[0].value == .null ? JSON.object(JSONObject()) : members[0].value
    let answer = stepped.obey(name, parameters)
    guard answer.response.status < 400 else { return answer }
    for (name, token) in stepped.sessions(broughtBy: name, parameters) { tokens[name] = token }
    return answer
  }

  private mutating func request(
    _ line: Line
  ) throws(ReplayProblem) -> SteppedTwin<Domain>.Answer {
    guard let method = line["method"]?.string, !method.isEmpty, let path = line["path"]?.string,
      path.hasPrefix("/") || path.hasPrefix("http://")
    else {
      throw line.problem(
        at: line["path"]?.string == nil || line["method"]?.string != nil ? "path" : "method",
        "needs a 'method' and a 'path' that begins with '/', or a 'control'")
    }
    // An address that the twin gave out holds its origin.
    var wire = WireRequest(method.uppercased(), WireTarget.withoutOrigin(path))
    wire.headers = try headers(line)
    switch line["body"] {
    case nil, .null: break
    // A body given as text is sent as it is, so that malformed ones can be tried.
    case .string(let text): wire.body = Array(text.utf8)
    case .some(let body): wire.body = body.bytes
    }
    if !wire.body.isEmpty, wire.header("Content-Type") == nil {
      wire.headers.append(WireHeader("Content-Type", "application/json"))
    }
    let caller = try caller(of: wire, line)
    if let caller, wire.header("Authorization") == nil, let token = token(of: caller) {
      wire.headers.append(WireHeader("Authorization", "Bearer \(token)"))
    }
    let answer = stepped.answer(wire)
    let member = Domain.Contract.sessionMember
    if let caller, let token = answer.response.body?[member]?.string { tokens[caller] = token }
    return answer
  }

  private func headers(_ line: Line) throws(ReplayProblem) -> [WireHeader] {
    guard let given = line["headers"], !given.isNull else { return [] }
    guard let object = given.object else {
      throw line.problem(
        at: "headers", "has 'headers' that are no object: {\"Authorization\": \"Bearer …\"}")
    }
    var headers: [WireHeader] = []
    for (name, value) in object.members {
      guard let text = value.string else {
        throw line.problem(
          at: "headers", inner: name, "has a header '\(printable(name))' that is no text")
      }
      headers.append(WireHeader(name, text))
    }
    return headers
  }

  /// Who asks: somebody with a token, or somebody who asks for one now.
  private func caller(of wire: WireRequest, _ line: Line) throws(ReplayProblem) -> String? {
    guard let given = line["as"] else { return nil }
    guard let caller = given.string, !caller.isEmpty else {
      throw line.problem(at: "as", "has an 'as' that is no text")
    }
    let contract = Domain.Contract.self
    let operation = contract.operations[contract.operation(of: contract.read(wire).request)].name
    guard token(of: caller) == nil, !contract.sessionOperations.contains(operation) else {
      return caller
    }
    let giving = contract.sessionOperations.joined(separator: " or ")
    let names = tokens.keys.sorted()
    let hint =
      nearest(caller, among: names).map { "; did you mean '\($0)'?" }
      ?? (names.isEmpty
        ? "" : "; known are \(names.prefix(5).map { printable($0) }.joined(separator: ", "))")
    throw line.problem(
      at: "as",
      "has an 'as' that names nobody: '\(printable(caller))' is no token, got none from \(giving.isEmpty ? "an answer" : giving), and came with no fixture\(hint)"
    )
  }

  /// `as` is a token itself, or a name to which one was given: the last is presented.
  private func token(of caller: String) -> String? {
    tokens[caller] ?? (Domain.Contract.isToken(caller) ? caller : nil)
  }
}

/// What is wrong with a line of a replay file.
public struct ReplayProblem: Error, Hashable, Sendable {
  /// From 1, empty lines not counted.
  public let line: Int
  /// In bytes, from 1.
  public let column: Int
  public let what: String

  public init(line: Int, column: Int = 1, _ what: String) {
    self.line = line
    self.column = column
    self.what = what
  }
}
