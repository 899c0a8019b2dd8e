import Contracts

/// Objectives about a mean that cannot be told: a request without an answer has no time that a mean could be over.
extension Reading {
  func checkMeans(_ scenario: Scenario, _ worlds: [WorldDeclaration], at node: SourceNode) {
    var items: [SourceNode] = []
    if case .sequence(let found) = node.content { items = found }
    let latencies = worlds.flatMap(\.business)
    for objective in scenario.objectives where objective.measure == .mean {
      guard objective.subject.map(latencies.contains) != true,
        let loss = scenario.loss(meeting: objective)
      else { continue }
      warn(
        items.first { $0.location.line == objective.line } ?? node,
        "objective '\(printable(objective.text))' will stay inconclusive as soon as a request gets no answer, and \(loss)",
        "demand a quantile, e.g. p50 or p95, or let nothing be lost")
    }
  }
}

extension Scenario {
  /// Why requests that an objective is about may stay without an answer, if anything takes them.
  fileprivate func loss(meeting objective: Objective) -> String? {
    for world in worlds where objective.domain == nil || objective.domain == world.domain {
      for name in ["requestLost", "answerLost"] {
        if let share = world.parameters.shareIfDeclared(name), share > 0 {
          return "'\(name)' of \(world.domain) is \(percent(share))"
        }
      }
      let (from, to) = (objective.window?.from ?? starts, objective.window?.to ?? ends)
      let fault = faults.first { fault in
        fault.domain == world.domain && fault.kind.takesAnswers && fault.from < to
          && from < fault.to
          && (fault.operation == nil || [nil, fault.operation].contains(objective.subject))
      }
      if let fault { return "a fault of \(world.domain) is \(fault.kind.name)" }
    }
    return service.capacity == nil ? nil : "'capacity' of 'service' turns some away"
  }
}

extension FaultKind {
  /// Whether its client gets no usable answer.
  fileprivate var takesAnswers: Bool {
    switch self {
    case .requestLost, .answerLost, .connectionRefused, .connectionReset, .truncated: true
    case .status(let status, _): status >= 500
    case .duplicate, .delay: false
    }
  }
}
