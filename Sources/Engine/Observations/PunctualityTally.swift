import Contracts
import Timekeeping

/// How punctual whoever made the requests of an operation was in real time, after the warm-up.
public struct PunctualityTally: Sendable {
  /// From when a request was meant to leave to when it left.
  public private(set) var lateness = LatencyHistogram(unit: latenessUnit)
  /// From when a request left to its answer, of those that were answered.
  public private(set) var service = LatencyHistogram()

  /// Fine enough for punctual ones.
  public static let latenessUnit = Span.nanoseconds(100)

  public init() {}

  mutating func count<Contract: ServiceContract>(_ call: Call<Contract>) {
    lateness.record(max(.zero, call.sent - call.intended))
    if call.outcome.isAnswered { service.record(call.answered - call.sent) }
  }

  mutating func merge(_ other: PunctualityTally) {
    lateness.merge(other.lateness)
    service.merge(other.service)
  }
}

/// Sessions that a scenario's load asked for.
public struct ArrivalTally: Hashable, Sendable {
  public var due = 0
  /// For which nobody was free.
  public var missed = 0

  public init() {}

  mutating func merge(_ other: ArrivalTally) {
    due += other.due
    missed += other.missed
  }
}

extension PunctualityTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try lateness.pack(&packing)
    try service.pack(&packing)
  }
}

extension ArrivalTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&due)
    try packing.count(&missed)
  }
}
