import Contracts
import Timekeeping

/// What one replication of one world came to: counts and histograms without a type of the domain. Tallies of
/// regions merge, in region order.
package struct WorldTally: Sendable {
  package var domain: String
  package var persons = 0
  package var requests = 0
  package var operations: [OperationTally]
  package var business: [BusinessTally]
  package var limits: [LimitTally]
  package var load: LoadTally
  package var episodesBegun = 0
  package var episodesCompleted = 0
  package var journeysEnded = 0
  package var digest = Digest()

  package init(
    domain: String, operations: [OperationTally], business: [BusinessTally],
    limits: [LimitTally], load: LoadTally
  ) {
    self.domain = domain
    self.operations = operations
    self.business = business
    self.limits = limits
    self.load = load
  }

  package mutating func merge(_ other: WorldTally) {
    precondition(domain == other.domain, "tallies of two domains do not merge")
    persons += other.persons
    requests += other.requests
    for index in operations.indices { operations[index].merge(other.operations[index]) }
    for index in business.indices { business[index].merge(other.business[index]) }
    for index in limits.indices { limits[index].merge(other.limits[index]) }
    load.merge(other.load)
    episodesBegun += other.episodesBegun
    episodesCompleted += other.episodesCompleted
    journeysEnded += other.journeysEnded
    digest.mix(other.digest)
  }
}

package struct OperationTally: Sendable {
  package let name: String
  package let title: String
  package let kind: Operation.Kind
  /// Response times after the warm-up, of requests that were answered.
  package var latencies = LatencyHistogram()
  package var replied = 0
  package var unsent = 0
  package var refusals: [String: Int] = [:]
  package var unknowns: [String: Int] = [:]
  /// What calls of the twin took on this machine; sampled.
  package var inProcess = LatencyHistogram(unit: .nanoseconds(1))

  package init(_ operation: Operation) {
    name = operation.name
    title = operation.title
    kind = operation.kind
  }

  package var refused: Int { refusals.values.reduce(0, +) }
  package var unknown: Int { unknowns.values.reduce(0, +) }
  package var requests: Int { replied + unsent + refused + unknown }

  package mutating func merge(_ other: OperationTally) {
    latencies.merge(other.latencies)
    replied += other.replied
    unsent += other.unsent
    refusals.merge(other.refusals, uniquingKeysWith: +)
    unknowns.merge(other.unknowns, uniquingKeysWith: +)
    inProcess.merge(other.inProcess)
  }
}

package struct BusinessTally: Sendable {
  package let name: String
  package let title: String
  package let bound: Span?
  package let limit: LimitID?
  package var finished = LatencyHistogram()
  /// How long those had lasted that were still open when the run ended.
  package var unfinished = LatencyHistogram()
  package var abandoned = 0
  /// Begun and neither ended nor abandoned yet.
  private var open: [String: Instant] = [:]

  package init(name: String, title: String, bound: Span?, limit: LimitID?) {
    self.name = name
    self.title = title
    self.bound = bound
    self.limit = limit
  }

  package mutating func begin(_ key: String, at instant: Instant) {
    if open[key] == nil { open[key] = instant }
  }

  package mutating func end(_ key: String, at instant: Instant) {
    guard let began = open.removeValue(forKey: key) else { return }
    finished.record(max(.zero, instant - began))
  }

  package mutating func abandon(_ key: String) {
    if open.removeValue(forKey: key) != nil { abandoned += 1 }
  }

  /// Closes the books: what is still open is censored, never dropped.
  package mutating func close(at instant: Instant) {
    // A histogram does not depend on the order in which its samples come.
    for began in open.values { unfinished.record(max(.zero, instant - began)) }
    open = [:]
  }

  package mutating func merge(_ other: BusinessTally) {
    precondition(open.isEmpty && other.open.isEmpty, "only closed books merge")
    finished.merge(other.finished)
    unfinished.merge(other.unfinished)
    abandoned += other.abandoned
  }
}

/// The decisions of one check, with names in place of a region's numbers.
package struct LimitTally: Sendable {
  package struct Evidence: Hashable, Sendable {
    package var what: String
    package var time: Instant
    /// The path of the person, or of the region when nobody saw it.
    package var who: String
  }

  package let id: LimitID
  package private(set) var exercised: Int
  package private(set) var violations: Int
  package private(set) var undecided: Int
  package private(set) var undecidedReason: String?
  package private(set) var evidence: [Evidence]

  package init(_ id: LimitID, _ judge: Judge, naming: (Finding.Place) -> String) {
    self.id = id
    exercised = judge.exercised
    violations = judge.violations
    undecided = judge.undecided
    undecidedReason = judge.undecidedReason
    evidence = judge.evidence.map {
      Evidence(what: $0.what, time: $0.place.time, who: naming($0.place))
    }
  }

  package mutating func merge(_ other: LimitTally) {
    exercised += other.exercised
    violations += other.violations
    undecided += other.undecided
    undecidedReason = undecidedReason ?? other.undecidedReason
    evidence.append(contentsOf: other.evidence.prefix(max(0, Judge.evidenceMax - evidence.count)))
  }
}

/// Requests in equal slices of virtual time, by when they were sent.
package struct LoadTally: Sendable {
  package let starts: Instant
  package let slice: Span
  package private(set) var requests: [Int]
  package private(set) var refused: [Int]
  package private(set) var lost: [Int]

  /// At most 144 slices of a round length.
  package init(starts: Instant, lasts: Span) {
    let lengths: [Span] = [
      .seconds(1), .seconds(5), .seconds(10), .seconds(30), .minutes(1), .minutes(5), .minutes(10),
      .minutes(15), .minutes(30), .hours(1), .hours(3), .hours(6), .hours(12), .days(1), .days(7),
    ]
    slice = lengths.first { $0 * 144 >= lasts } ?? .days(30)
    self.starts = starts
    let count = max(1, Int((lasts.nanoseconds + slice.nanoseconds - 1) / slice.nanoseconds))
    requests = Array(repeating: 0, count: count)
    refused = requests
    lost = requests
  }

  package mutating func count(sent: Instant, refused wasRefused: Bool, lost wasLost: Bool) {
    let index = Int((sent - starts).nanoseconds / slice.nanoseconds)
    guard requests.indices.contains(index) else { return }
    requests[index] += 1
    if wasRefused { refused[index] += 1 }
    if wasLost { lost[index] += 1 }
  }

  package mutating func merge(_ other: LoadTally) {
    precondition(slice == other.slice && starts == other.starts, "slices differ")
    for index in requests.indices where index < other.requests.count {
      requests[index] += other.requests[index]
      refused[index] += other.refused[index]
      lost[index] += other.lost[index]
    }
  }
}
