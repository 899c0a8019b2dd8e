import Timekeeping

/// Where the modelled time of one answered request went. What is left of its response time are delays that the scenario
/// injects, and answers that the backend held back.
public struct Passage: Sendable {
  /// There and back, as the scenario's network draws it.
  public var network: Span
  /// In the queue before the servers.
  public var waiting: Span = .zero
  /// With a server.
  public var service: Span = .zero

  public init(network: Span) { self.network = network }
}

/// Where the time of requests went, by how long they took: so that those near a quantile can be asked what made them as
/// slow as they were.
///
/// Sums in classes of response times, eight an octave, between the fastest and the slowest class in use. They merge
/// exactly, and are no part of a digest: they follow from what is.
public struct PassageTally: Sendable, Equatable {
  private static let halfBits = 3
  private static let half = 1 << halfBits
  private static let unit = Span.microseconds(1)

  /// In nanoseconds; sums that somebody else wrote may be beyond what a run can reach, and are no reason to stop.
  private struct Sums: Sendable, Equatable {
    var whole: Int64 = 0
    var network: Int64 = 0
    var waiting: Int64 = 0
    var service: Int64 = 0

    static func += (a: inout Sums, b: Sums) {
      a.whole &+= b.whole
      a.network &+= b.network
      a.waiting &+= b.waiting
      a.service &+= b.service
    }

    static func -= (a: inout Sums, b: Sums) {
      a.whole &-= b.whole
      a.network &-= b.network
      a.waiting &-= b.waiting
      a.service &-= b.service
    }
  }

  /// Shares of a response time; what they leave is neither of the three.
  public struct Shares: Sendable, Equatable {
    public let network: Double
    public let waiting: Double
    public let service: Double

    public init(network: Double, waiting: Double, service: Double) {
      self.network = network
      self.waiting = waiting
      self.service = service
    }
  }

  /// Sums of the classes from `first` on.
  private var sums: ContiguousArray<Sums> = []
  private var first = 0

  public init() {}

  public mutating func record(_ passage: Passage, took: Span) {
    let index = Self.index(of: took)
    reach(index)
    sums[index - first] += Sums(
      whole: took.nanoseconds, network: passage.network.nanoseconds,
      waiting: passage.waiting.nanoseconds, service: passage.service.nanoseconds)
  }

  public mutating func merge(_ other: PassageTally) {
    guard !other.sums.isEmpty else { return }
    reach(other.first)
    reach(other.first + other.sums.count - 1)
    for (offset, sum) in other.sums.enumerated() { sums[other.first - first + offset] += sum }
  }

  /// Moves all of it into another tally.
  mutating func give(to other: inout PassageTally) {
    other.merge(self)
    self = PassageTally()
  }

  /// Takes out a part of what it holds.
  public mutating func remove(_ part: PassageTally) {
    for (offset, sum) in part.sums.enumerated() where sum.whole > 0 {
      sums[part.first - first + offset] -= sum
    }
  }

  /// The mean over the requests that took about so long, to an eighth or better; `nil` where there are none.
  public func shares(near took: Span) -> Shares? {
    let place = Self.index(of: took) - first
    guard sums.indices.contains(place), sums[place].whole > 0 else { return nil }
    let (sum, whole) = (sums[place], Double(sums[place].whole))
    return Shares(
      network: Double(sum.network) / whole, waiting: Double(sum.waiting) / whole,
      service: Double(sum.service) / whole)
  }

  private mutating func reach(_ index: Int) {
    if sums.isEmpty {
      first = index
      sums = [Sums()]
    } else if index < first {
      sums.insert(contentsOf: repeatElement(Sums(), count: first - index), at: 0)
      first = index
    } else if index >= first + sums.count {
      sums.append(contentsOf: repeatElement(Sums(), count: index - first - sums.count + 1))
    }
  }

  /// Times below sixteen units have a class each; above, every octave has eight. Each bucket of a `LatencyHistogram` lies
  /// within one class.
  private static func index(of span: Span) -> Int {
    let units = UInt64(max(0, span.nanoseconds) / unit.nanoseconds)
    let magnitude = 63 - (units | UInt64(2 * half - 1)).leadingZeroBitCount
    let shift = magnitude - halfBits
    return (shift << halfBits) + Int(units >> UInt64(shift))
  }
}

extension WorldTally {
  /// Notes where the time of an answered request went that was meant for the time after the warm-up, and that `note` of its
  /// record has counted.
  public mutating func note(
    _ passage: Passage, operation: Int, intended: Instant, took: Span, warmedUp: Instant
  ) {
    guard intended >= warmedUp else { return }
    operations[operation].note(passage, intended: intended, took: took)
    for index in windows.indices where windows[index].contains(intended) {
      windows[index].note(passage, operation: operation, intended: intended, took: took)
    }
  }
}

extension PassageTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    var place = first
    try packing.count(&place)
    let length = try packing.length(sums.count)
    if packing.isReading {
      guard place + length <= Self.index(of: Span(nanoseconds: .max)) + 1 else {
        throw PackingProblem()
      }
      first = place
      sums = ContiguousArray(repeating: Sums(), count: length)
    }
    for index in sums.indices {
      try packing.pack(&sums[index].whole)
      try packing.pack(&sums[index].network)
      try packing.pack(&sums[index].waiting)
      try packing.pack(&sums[index].service)
    }
  }
}
