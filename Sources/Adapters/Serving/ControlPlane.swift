import Backends
import Contracts
import Replays

/// What lies below `/_rehearsal`: the operator's commands, and descriptions of the domain.
struct ControlPlane<Domain: Backend>: Sendable {
  private typealias Contract = Domain.Contract

  private let twin: ServedTwin<Domain>
  private let faults: Faults

  init(_ twin: ServedTwin<Domain>, faults: Faults) {
    self.twin = twin
    self.faults = faults
  }

  static var controls: [ControlDeclaration] { SteppedTwin<Domain>.controls + Faults.controls }

  /// Answers a request to a path that begins with `/_rehearsal`.
  func answer(_ wire: WireRequest, at path: Substring) -> WireResponse {
    let segments = path.split(separator: "/").map(String.init).dropFirst()
    if segments == ["health"] {
      let condition = twin.condition
      var answer = reading(wire) {
        [
          "status": "ok", "domain": .string(Contract.domain),
          "now": .string(condition.now.description),
          "clock": condition.reading.map { .string($0.precise) } ?? .null,
          "commands": .string(condition.commands.hexadecimal),
        ]
      }
      answer.headers.append(.moment(condition.now))
      return answer
    }
    guard segments.count == 2, segments.first == Contract.domain, let name = segments.last else {
      return .notFound
    }
    switch name {
    case "openapi.json": return reading(wire) { OpenAPI.document(of: Domain.self) }
    case "signals":
      let after = WireTarget(parsing: wire.target).query["after"] ?? "0"
      guard let number = Int(after), number >= 0 else {
        return .problem(
          400, "invalid_request",
          "'after' is the number of a signal, from 0 on, not '\(printable(after))'")
      }
      return reading(wire) { twin.signals(after: number) }
    case "commands": return reading(wire) { .array(Self.controls.map(\.json)) }
    default: return command(name, wire)
    }
  }

  private func reading(_ wire: WireRequest, _ document: () -> JSON) -> WireResponse {
    wire.method == "GET" ? WireResponse(200, body: document()) : .methodNotAllowed(but: "GET, HEAD")
  }

  private func command(_ name: String, _ wire: WireRequest) -> WireResponse {
    guard Self.controls.contains(where: { $0.name == name }) else {
      return .unknownCommand(name, among: Self.controls)
    }
    guard wire.method == "POST" else { return .methodNotAllowed(but: "POST") }
    guard let parameters = wire.body.isEmpty ? [:] : JSON(parsing: wire.body),
      parameters.object != nil
    else { return .problem(400, "invalid_request", "the parameters are no JSON object") }
    do throws(ControlProblem) {
      if let answer = try faults.control(name, parameters, at: { twin.now }) { return answer }
      return try twin.control(name, parameters)
    } catch {
      return .refused(error)
    }
  }
}

extension WireResponse {
  fileprivate static func problem(_ status: Int, _ code: String, _ message: String) -> WireResponse
  {
    WireResponse(status, body: ["error": .string(code), "message": .string(message)])
  }

  fileprivate static func methodNotAllowed(but allowed: String) -> WireResponse {
    WireResponse(
      405, headers: [WireHeader("Allow", allowed)], body: ["error": "method_not_allowed"])
  }
}
