import Timekeeping

/// The beginning of a run in equal parts, each counted by itself as well, so that it can be told afterwards how much of it is left out.
public struct Beginning: Hashable, Sendable {
  /// Slices of the load that are left out or kept together.
  public static let slicesAPart = 5

  public let starts: Instant
  /// Of one part.
  public let width: Span
  public let parts: Int

  public init(starts: Instant, width: Span, parts: Int) {
    precondition(width > .zero && parts >= 0, "parts of a run take time")
    self.starts = starts
    self.width = width
    self.parts = parts
  }

  /// The part that an instant lies in; `nil` after the last of them.
  func part(of instant: Instant) -> Int? {
    let part = Int(max(0, (instant - starts).nanoseconds) / width.nanoseconds)
    return part < parts ? part : nil
  }
}

/// Counts of each part of a run's beginning: what `Counts` counts of the whole run is in both.
struct Heads<Counts: Countable>: Sendable {
  private let beginning: Beginning
  private var each: [Counts]

  init(_ beginning: Beginning) {
    self.beginning = beginning
    each = Array(repeating: Counts(), count: beginning.parts)
  }

  mutating func count(_ instant: Instant, _ change: (inout Counts) -> Void) {
    if let part = beginning.part(of: instant) { change(&each[part]) }
  }

  mutating func merge(_ other: Heads) {
    precondition(beginning == other.beginning, "beginnings of two kinds do not merge")
    for index in each.indices { each[index].merge(other.each[index]) }
  }

  mutating func compact() {
    for index in each.indices { each[index].compact() }
  }

  /// The first parts together.
  func first(_ parts: Int) -> Counts {
    each.prefix(parts).reduce(into: Counts()) { $0.merge($1) }
  }
}

protocol Countable: Sendable {
  init()
  mutating func merge(_ other: Self)
  mutating func compact()
}

/// Response times of one operation.
struct ResponseCounts: Countable {
  var latencies = LatencyHistogram()
  var passages = PassageTally()
  var unanswered: UInt64 = 0
  var cutOff = LatencyHistogram()

  mutating func merge(_ other: ResponseCounts) {
    latencies.merge(other.latencies)
    passages.merge(other.passages)
    unanswered += other.unanswered
    cutOff.merge(other.cutOff)
  }

  mutating func compact() {
    latencies.compact()
    cutOff.compact()
  }
}

/// Times between two things of the domain.
struct BusinessCounts: Countable {
  var finished = LatencyHistogram()
  var unfinished = LatencyHistogram()
  var abandoned = 0

  mutating func merge(_ other: BusinessCounts) {
    finished.merge(other.finished)
    unfinished.merge(other.unfinished)
    abandoned += other.abandoned
  }

  mutating func compact() {
    finished.compact()
    unfinished.compact()
  }
}

extension Heads<ResponseCounts> {
  mutating func give(to other: inout Heads) {
    for index in each.indices { each[index].passages.give(to: &other.each[index].passages) }
  }
}

extension WorldTally {
  /// Counts the parts of the run's first half by themselves as well. To be called before anything is counted; the memory is that of at most as many more histograms as there are parts, however many requests there are.
  public mutating func divideBeginning() {
    let parts = load.requests.count / Beginning.slicesAPart / 2
    let beginning = Beginning(
      starts: load.starts, width: load.slice * Int64(Beginning.slicesAPart), parts: parts)
    for index in operations.indices { operations[index].divide(beginning) }
    for index in business.indices { business[index].divide(beginning) }
    for index in windows.indices { windows[index].divide(beginning) }
  }

  /// Takes the first parts of the beginning out of all response times and business latencies, as if a warm-up of that length had been
  /// stated.
  public mutating func leaveOut(parts: Int) {
    guard parts > 0 else { return }
    for index in operations.indices { operations[index].leaveOut(parts: parts) }
    for index in business.indices { business[index].leaveOut(parts: parts) }
    for index in windows.indices { windows[index].leaveOut(parts: parts) }
  }
}

extension Heads: Packable where Counts: Packable {
  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.each(&each)
  }
}

extension ResponseCounts: Packable {
  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try latencies.pack(&packing)
    try passages.pack(&packing)
    try packing.count(&unanswered)
    try cutOff.pack(&packing)
  }
}

extension BusinessCounts: Packable {
  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try finished.pack(&packing)
    try unfinished.pack(&packing)
    try packing.count(&abandoned)
  }
}
