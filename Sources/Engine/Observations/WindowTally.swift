import Contracts
import Timekeeping

/// What a part of a run came to, for objectives that demand something of it alone: requests that were meant to be sent,
/// and latencies that began, from one moment on and before another.
public struct WindowTally: Sendable {
  public let from: Instant
  public let to: Instant
  public private(set) var operations: [OperationTally]
  public var business: [BusinessTally]

  public init(
    from: Instant, to: Instant, operations: [OperationTally], business: [BusinessTally]
  ) {
    self.from = from
    self.to = to
    self.operations = operations
    self.business = business
  }

  public func contains(_ instant: Instant) -> Bool { from <= instant && instant < to }

  mutating func count<Contract: ServiceContract>(
    _ call: Call<Contract>, isWarm: Bool
  ) {
    guard contains(call.intended) else { return }
    operations[call.operation].count(call, isWarm: isWarm)
  }

  mutating func note(_ passage: Passage, operation: Int, intended: Instant, took: Span) {
    operations[operation].note(passage, intended: intended, took: took)
  }

  mutating func divide(_ beginning: Beginning) {
    for index in operations.indices { operations[index].divide(beginning) }
    for index in business.indices { business[index].divide(beginning) }
  }

  mutating func leaveOut(parts: Int) {
    for index in operations.indices { operations[index].leaveOut(parts: parts) }
    for index in business.indices { business[index].leaveOut(parts: parts) }
  }

  mutating func merge(_ other: WindowTally) {
    precondition(from == other.from && to == other.to, "tallies of two windows do not merge")
    for index in operations.indices { operations[index].merge(other.operations[index]) }
    for index in business.indices { business[index].merge(other.business[index]) }
  }

  mutating func compact() {
    for index in operations.indices { operations[index].compact() }
    for index in business.indices { business[index].compact() }
  }

  mutating func give(to other: inout WindowTally) {
    for index in operations.indices { operations[index].give(to: &other.operations[index]) }
  }
}

extension WindowTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.each(&operations)
    try packing.each(&business)
  }
}
