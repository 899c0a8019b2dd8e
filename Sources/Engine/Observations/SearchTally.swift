import Contracts
import Timekeeping

/// What a twin's searches came to.
public struct SearchTally: Sendable {
  /// Calls and timers in which attempts ran.
  public private(set) var calls = 0
  public private(set) var searches = Searches()
  /// What these calls took on this machine, all of it, without any waiting.
  public private(set) var inProcess = LatencyHistogram(unit: .nanoseconds(1))

  public init() {}

  /// - Parameter took: The call's real time; `nil` where nobody measures.
  public mutating func count(_ made: Searches, took: Span?) {
    guard made.attempts > 0 else { return }
    calls += 1
    searches = searches + made
    if let took { inProcess.record(took) }
  }

  public mutating func merge(_ other: SearchTally) {
    calls += other.calls
    searches = searches + other.searches
    inProcess.merge(other.inProcess)
  }
}

extension SearchTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&calls)
    try packing.count(&searches.attempts)
    try packing.count(&searches.examined)
    try inProcess.pack(&packing)
  }
}
