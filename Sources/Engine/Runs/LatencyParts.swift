import Observations
import Scenarios
import Timekeeping

/// What the response times near a figure are made of, on average, in seconds that add up to it.
public struct LatencyParts: Hashable, Sendable {
  public var network: Double
  /// In the queue before the servers.
  public var waiting: Double
  public var service: Double
  /// Delays that the scenario injects, and answers that the backend held back.
  public var other: Double

  public init(network: Double, waiting: Double, service: Double, other: Double) {
    self.network = network
    self.waiting = waiting
    self.service = service
    self.other = other
  }

  public var seconds: Double { network + waiting + service + other }
}

/// The parts of one quantile of an operation's response times.
public struct QuantileParts: Hashable, Sendable {
  public var q: Double
  public var parts: LatencyParts

  public init(q: Double, parts: LatencyParts) {
    self.q = q
    self.parts = parts
  }
}

extension PassageTally {
  /// The shares near a figure, scaled to it; `nil` where nothing took about so long.
  func parts(of seconds: Double) -> LatencyParts? {
    shares(near: Span(seconds: seconds)).map { shares in
      let network = seconds * shares.network
      let waiting = seconds * shares.waiting
      let service = seconds * shares.service
      // Sums of nanoseconds divided as doubles may miss the whole by a hair.
      let rest = seconds - network - waiting - service
      return LatencyParts(
        network: network, waiting: waiting, service: service,
        other: rest < seconds * 1e-9 ? 0 : rest)
    }
  }
}

extension Objective {
  /// What the estimate of a quantile of response times is made of; `nil` for objectives on anything else.
  func parts(of estimate: Double?, in tallies: [Merged]) -> LatencyParts? {
    guard case .quantile = measure, let estimate, !isOfBusiness(tallies) else { return nil }
    var passages = PassageTally()
    for tally in tallies where domain == nil || domain == tally.declaration.domain {
      let window = window.flatMap { window in
        tally.whole.windows.first { $0.from == window.from && $0.to == window.to }
      }
      for operation in window?.operations ?? tally.whole.operations
      where operation.kind == .product && (subject == nil || subject == operation.name) {
        passages.merge(operation.passages)
      }
    }
    return passages.parts(of: estimate)
  }

  private func isOfBusiness(_ tallies: [Merged]) -> Bool {
    tallies.contains { $0.whole.business.contains { $0.name == subject } }
  }
}
