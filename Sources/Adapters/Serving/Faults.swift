import Contracts
import Synchronization
import Timekeeping

/// Faults between client and twin that a tester switches on: what a network and an overloaded server do.
final class Faults: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// The request reaches the twin later.
    case latency
    /// The request never reaches the twin, and nobody answers.
    case requestLost
    /// The twin acts, and nobody answers.
    case answerLost
    /// The server answers 503 by itself.
    case serverError
  }

  /// What one request meets.
  struct Met {
    var delay: Span = .zero
    var isRequestLost = false
    var isAnswerLost = false
    var isServerError = false
  }

  private struct Switch {
    let share: Double
    let delay: Span
  }

  private struct State {
    var switches: [Kind: Switch] = [:]
    var stream = RandomStream(seed: 1, owner: stableHash("faults"), purpose: 0)
  }

  private let state = Mutex(State())

  /// Draws what a request meets. The draws follow a fixed stream: the same requests in the same order meet the same.
  func draw() -> Met {
    state.withLock { state in
      var met = Met()
      for kind in Kind.allCases {
        guard let fault = state.switches[kind], state.stream.chance(fault.share) else { continue }
        switch kind {
        case .latency: met.delay = fault.delay
        case .requestLost: met.isRequestLost = true
        case .answerLost: met.isAnswerLost = true
        case .serverError: met.isServerError = true
        }
      }
      return met
    }
  }

  // MARK: - Commands

  static let controls = [
    ControlDeclaration(
      "setFault", "Lets a share of the requests fail between client and twin.",
      [
        .init("kind", "latency, requestLost, answerLost or serverError", "what happens to them"),
        .init("share", "0…1 or 20%", optional: true, "how many; all when left out"),
        .init("delay", "span", optional: true, "how much later they arrive, for latency: 250ms"),
      ]),
    ControlDeclaration("clearFaults", "Ends all faults."),
  ]

  /// Carries out a command; `nil` when it is none of these.
  func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> WireResponse? {
    switch name {
    case "setFault": try set(parameters)
    case "clearFaults": state.withLock { $0.switches = [:] }
    default: return nil
    }
    return WireResponse(200, body: [:])
  }

  private func set(_ parameters: JSON) throws(ControlProblem) {
    for (name, _) in parameters.object?.members ?? []
    where !["kind", "share", "delay"].contains(name) {
      throw ControlProblem("setFault has no '\(name)'; it takes kind, share and delay")
    }
    guard let kind = parameters["kind"]?.string.flatMap(Kind.init(rawValue:)) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlProblem("setFault needs a 'kind': \(kinds)")
    }
    let share = try Self.share(parameters["share"])
    let text = parameters["delay"]?.string
    let delay = text.flatMap { Span($0) }
    if let text, delay == nil {
      throw ControlProblem("setFault: the delay is no span: \(Span.hint(for: text))")
    }
    guard (kind == .latency) == (delay != nil), delay ?? .zero >= .zero, delay ?? .zero <= .hours(1)
    else {
      throw ControlProblem(
        "setFault: latency needs a 'delay' of at most an hour, such as \"250ms\"; the other kinds have none"
      )
    }
    state.withLock { $0.switches[kind] = Switch(share: share, delay: delay ?? .zero) }
  }

  private static func share(_ value: JSON?) throws(ControlProblem) -> Double {
    guard let value else { return 1 }
    var share = value.double
    if let text = value.string {
      share = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    }
    guard let share, (0...1).contains(share) else {
      throw ControlProblem(
        "setFault: 'share' is a number in 0...1, or a percentage such as \"20%\"")
    }
    return share
  }
}
