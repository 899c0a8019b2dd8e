import Timekeeping

/// What became of the requests of a run over HTTP, and of the calls that none was sent for.
public struct RequestTally: Hashable, Sendable {
  /// What a request is for.
  public enum Purpose: Hashable, Sendable {
    /// A call due after the warm-up, or due in it.
    case counted, ofWarmUp
    /// What the harness asks on its own behalf: population, tokens, signals, duplicates that a fault makes.
    case ofHarness
  }

  /// Calls that were sent and ended, with an answer or without: due after the warm-up, and due in it.
  public var counted: Int
  public var ofWarmUp: Int
  public var ofHarness: Int
  /// Requests that were sent again over a new connection, because the kept one had ended when they came to it.
  public var repeated: Int
  /// Requests that redirects led to.
  public var redirected: Int
  /// Calls that were sent, and whose end nobody waited for any more.
  public var abandoned: Int
  /// Calls that were due and never sent: they got no connection.
  public var unsent: Int

  /// Requests that were given to connections: what a server sees where each comes to it.
  public var sent: Int { counted + ofWarmUp + ofHarness + repeated + redirected + abandoned }

  public init(
    counted: Int = 0, ofWarmUp: Int = 0, ofHarness: Int = 0, repeated: Int = 0,
    redirected: Int = 0, abandoned: Int = 0, unsent: Int = 0
  ) {
    self.counted = counted
    self.ofWarmUp = ofWarmUp
    self.ofHarness = ofHarness
    self.repeated = repeated
    self.redirected = redirected
    self.abandoned = abandoned
    self.unsent = unsent
  }

  /// Counts a call of which a request was sent, and that ended.
  public mutating func count(_ purpose: Purpose) {
    switch purpose {
    case .counted: counted += 1
    case .ofWarmUp: ofWarmUp += 1
    case .ofHarness: ofHarness += 1
    }
  }

  public static func + (a: RequestTally, b: RequestTally) -> RequestTally {
    RequestTally(
      counted: a.counted + b.counted, ofWarmUp: a.ofWarmUp + b.ofWarmUp,
      ofHarness: a.ofHarness + b.ofHarness, repeated: a.repeated + b.repeated,
      redirected: a.redirected + b.redirected, abandoned: a.abandoned + b.abandoned,
      unsent: a.unsent + b.unsent)
  }
}

/// What a replication against servers exchanged with them.
public struct WireTraffic: Hashable, Sendable {
  public var requests = RequestTally()
  public var outages = OutageTally()
  /// How far the clock of a served twin was from the run's at the end: one that was reset or started again shows another time. `nil` where
  /// no server says.
  public var clockOff: Span?

  public init() {}

  public mutating func merge(_ other: WireTraffic) {
    requests = requests + other.requests
    outages.merge(other.outages)
    clockOff = [clockOff, other.clockOff].compactMap(\.self).max()
  }
}

extension RequestTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&counted)
    try packing.count(&ofWarmUp)
    try packing.count(&ofHarness)
    try packing.count(&repeated)
    try packing.count(&redirected)
    try packing.count(&abandoned)
    try packing.count(&unsent)
  }
}

extension WireTraffic: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try requests.pack(&packing)
    try outages.pack(&packing)
    try packing.pack(&clockOff, empty: .zero)
  }
}
