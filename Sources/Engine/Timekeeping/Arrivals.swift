/// A schedule of arrivals whose rate changes over time, as a value that can be listed before anything is sent.
///
/// By inversion: evenly spaced counts, or a unit Poisson process at one word of a stream an arrival, are stretched so that the expected
/// number by each time is what the rate makes of it. So a higher rate moves every arrival forward and changes nothing else, and two rates
/// can be compared on the same stream.
///
/// - Source: E. Çinlar, "Introduction to Stochastic Processes", 1975, section 4.7; R. W. Klein, S. D. Roberts,
///   Simulation 43 (1984), 193–195 (piecewise linear rates).
public struct Arrivals: Sequence, IteratorProtocol, Sendable {
  public let rate: ArrivalRate
  public let starts: Instant
  /// Where chance decides; `nil` for arrivals that are evenly spaced.
  private var stream: RandomStream?
  private var expected = 0.0
  private var corner = 0
  private var hasBegun = false

  /// A Poisson process.
  public init(_ rate: ArrivalRate, from starts: Instant, drawing stream: RandomStream) {
    self.rate = rate
    self.starts = starts
    self.stream = stream
  }

  /// One arrival as soon as a whole one is to be expected after the last, the first at once.
  public init(evenly rate: ArrivalRate, from starts: Instant) {
    self.rate = rate
    self.starts = starts
  }

  /// The next arrival; `nil` when the rate has come to its end.
  public mutating func next() -> Instant? {
    if let step = stream?.exponential(mean: 1) {
      expected += step
    } else {
      expected += hasBegun ? 1 : 0
      hasBegun = true
    }
    return rate.time(ofExpected: expected, from: &corner).map { starts + $0 }
  }
}
