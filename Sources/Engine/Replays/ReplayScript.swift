import Backends
import Contracts
import Timekeeping

/// Drives a twin through the lines of a replay file and answers a line for each.
public struct ReplayScript<Room: Backend> {
  private var session: TwinSession<Room>
  private var answers: [JSON] = []
  /// The token that a named caller was last given.
  private var tokens: [String: String] = [:]

  public init(_ session: TwinSession<Room>) { self.session = session }

  /// Carries out one line of JSON.
  ///
  /// - Returns: `{status, headers, body, signals}`.
  public mutating func perform(line text: String) throws(ReplayProblem) -> JSON {
    let number = answers.count + 1
    guard let raw = JSON(parsing: text), raw.object != nil else {
      throw ReplayProblem(
        line: number,
        "is no JSON object; a line is {\"at\", \"method\", \"path\"} or {\"at\", \"control\"}")
    }
    let line = try ReplayTemplate.fill(raw, from: answers, line: number)
    try refuseUnknownKeys(of: line, number)
    var signals = try moveClock(to: line["at"], number)
    let answer: TwinSession<Room>.Answer
    if let control = line["control"] {
      answer = try command(control, number)
    } else {
      answer = try request(line, number)
    }
    signals += answer.signals
    let headers = JSONObject(answer.response.headers.map { ($0.name, .string($0.value)) })
    let result: JSON = [
      "status": .number(answer.response.status), "headers": .object(headers),
      "body": answer.response.body ?? nil, "signals": .array(signals),
    ]
    answers.append(result)
    return result
  }

  private func refuseUnknownKeys(of line: JSON, _ number: Int) throws(ReplayProblem) {
    let known = ["at", "as", "method", "path", "headers", "body", "control"]
    for (name, _) in line.object!.members where !known.contains(name) {
      throw ReplayProblem(
        line: number,
        "has a key '\(name)' that nobody reads; known are \(known.joined(separator: ", "))")
    }
  }

  /// `at` is an instant, or `+span` after the line before.
  private mutating func moveClock(to at: JSON?, _ number: Int) throws(ReplayProblem) -> [JSON] {
    guard let at else { return [] }
    var target: Instant?
    if let text = at.string {
      target = text.hasPrefix("+") ? Span(text.dropFirst()).map { session.now + $0 } : Instant(text)
    }
    guard let target else {
      throw ReplayProblem(
        line: number,
        "has no readable 'at': write \"2026-03-21T05:00:00Z\", or \"+90s\" for 90 s after the line before"
      )
    }
    do throws(ControlProblem) {
      return try session.advance(to: target)
    } catch {
      throw ReplayProblem(line: number, error.description)
    }
  }

  private mutating func command(
    _ control: JSON, _ number: Int
  ) throws(ReplayProblem) -> TwinSession<Room>.Answer {
    guard let members = control.object?.members, members.count == 1 else {
      throw ReplayProblem(
        line: number, "needs exactly one command: {\"control\": {\"advance\": {\"by\": \"1h\"}}}")
    }
    let parameters = members[0].value == .null ? JSON.object(JSONObject()) : members[0].value
    noteTokens(in: parameters)
    do throws(ControlProblem) {
      return try session.control(members[0].name, parameters)
    } catch {
      throw ReplayProblem(line: number, "\(members[0].name): \(error.description)")
    }
  }

  private mutating func request(
    _ line: JSON, _ number: Int
  ) throws(ReplayProblem) -> TwinSession<Room>.Answer {
    guard let method = line["method"]?.string, let path = line["path"]?.string,
      path.hasPrefix("/") || path.hasPrefix("http://")
    else {
      throw ReplayProblem(
        line: number, "needs a 'method' and a 'path' that begins with '/', or a 'control'")
    }
    // An address that the twin gave out holds its origin.
    var wire = WireRequest(method.uppercased(), WireTarget.withoutOrigin(path))
    for (name, value) in line["headers"]?.object?.members ?? [] {
      guard let text = value.string else {
        throw ReplayProblem(line: number, "has a header '\(name)' that is no text")
      }
      wire.headers.append(WireHeader(name, text))
    }
    switch line["body"] {
    case nil, .null: break
    // A body given as text is sent as it is, so that malformed ones can be tried.
    case .string(let text): wire.body = Array(text.utf8)
    case .some(let body): wire.body = body.bytes
    }
    if !wire.body.isEmpty, wire.header("Content-Type") == nil {
      wire.headers.append(WireHeader("Content-Type", "application/json"))
    }
    let caller = line["as"]?.string
    if let caller, wire.header("Authorization") == nil, let token = token(of: caller) {
      wire.headers.append(WireHeader("Authorization", "Bearer \(token)"))
    }
    let answer = session.answer(wire)
    let member = Room.Agreement.sessionMember
    if let caller, let token = answer.response.body?[member]?.string { tokens[caller] = token }
    return answer
  }

  /// Sessions that a command brings, as a fixture does: their tokens may be presented from now on, whatever they look like.
  private mutating func noteTokens(in value: JSON) {
    switch value {
    case .array(let values): for value in values { noteTokens(in: value) }
    case .object(let object):
      if let token = object[Room.Agreement.sessionMember]?.string { tokens[token] = token }
      for (_, value) in object.members { noteTokens(in: value) }
    default: break
    }
  }

  /// `as` is a token itself, or a name to which one was given: the last is presented.
  private func token(of caller: String) -> String? {
    tokens[caller] ?? (Room.Agreement.isToken(caller) ? caller : nil)
  }
}

/// What is wrong with a line of a replay file.
public struct ReplayProblem: Error, Hashable, Sendable {
  public let line: Int
  public let what: String

  public init(line: Int, _ what: String) {
    self.line = line
    self.what = what
  }
}
