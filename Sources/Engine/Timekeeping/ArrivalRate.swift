/// How many arrive in a second, as it changes over time: linear between corners, so that it can be constant, climb, jump and fall.
///
/// Two corners at one time are a jump. After the last corner nobody arrives.
public struct ArrivalRate: Hashable, Sendable, CustomStringConvertible {
  public struct Corner: Hashable, Sendable {
    /// Since the beginning.
    public let at: Span
    public let perSecond: Double

    public init(at: Span, perSecond: Double) {
      self.at = at
      self.perSecond = perSecond
    }
  }

  public let corners: [Corner]
  /// Arrivals to be expected up to each corner.
  private let expected: [Double]

  /// - Precondition: `problem(of:)` has nothing against the corners.
  public init(_ corners: [Corner]) {
    if let problem = Self.problem(of: corners) { preconditionFailure(problem) }
    self.corners = corners
    var (sum, sums) = (0.0, [0.0])
    for (a, b) in zip(corners, corners.dropFirst()) {
      sum += (a.perSecond + b.perSecond) / 2 * (b.at - a.at).seconds
      sums.append(sum)
    }
    expected = sums
  }

  public static func constant(_ perSecond: Double, lasting span: Span) -> ArrivalRate {
    ArrivalRate([Corner(at: .zero, perSecond: perSecond), Corner(at: span, perSecond: perSecond)])
  }

  public static func ramp(
    from first: Double, to last: Double, lasting span: Span
  ) -> ArrivalRate {
    ArrivalRate([Corner(at: .zero, perSecond: first), Corner(at: span, perSecond: last)])
  }

  /// One rate after the other, each for as long.
  public static func steps(_ perSecond: [Double], each span: Span) -> ArrivalRate {
    ArrivalRate(
      perSecond.enumerated().flatMap { place, rate in
        [
          Corner(at: span * Int64(place), perSecond: rate),
          Corner(at: span * Int64(place + 1), perSecond: rate),
        ]
      })
  }

  /// Why there are no such arrivals, in words fit for the scenario's author; `nil` when all is well.
  public static func problem(of corners: [Corner]) -> String? {
    if corners.count < 2 { return "a rate of arrivals needs a beginning and an end" }
    if corners[0].at != .zero { return "a rate of arrivals begins at 0s" }
    if zip(corners, corners.dropFirst()).contains(where: { $0.at > $1.at }) {
      return "the corners of a rate of arrivals come in the order of time"
    }
    if corners.contains(where: { !($0.perSecond >= 0 && $0.perSecond < .infinity) }) {
      return "a rate of arrivals is a finite number, not below 0"
    }
    return nil
  }

  /// How long arrivals may come.
  public var lasts: Span { corners[corners.count - 1].at }

  /// Arrivals to be expected in all.
  public var total: Double { expected[expected.count - 1] }

  /// Arrivals to be expected from the beginning to a time.
  public func expected(by time: Span) -> Double {
    guard time > .zero else { return 0 }
    guard let next = corners.firstIndex(where: { $0.at > time }) else { return total }
    let (a, b) = (corners[next - 1], corners[next])
    let gone = (time - a.at).seconds
    let climb = (b.perSecond - a.perSecond) * gone / (b.at - a.at).seconds
    return expected[next - 1] + (a.perSecond + climb / 2) * gone
  }

  /// The time by which just so many are to be expected; `nil` beyond all of them.
  ///
  /// - Complexity: O(number of corners), and O(1) more for later ones that begin their search at `corner`.
  func time(ofExpected count: Double, from corner: inout Int) -> Span? {
    guard count < total else { return nil }
    while expected[corner + 1] <= count { corner += 1 }
    let (a, b) = (corners[corner], corners[corner + 1])
    let (need, lasts) = (count - expected[corner], (b.at - a.at).seconds)
    // The root of slope/2·x² + rate·x = need, in the form that loses no digits where the slope is small.
    let slope = (b.perSecond - a.perSecond) / lasts
    let root = max(0, a.perSecond * a.perSecond + 2 * slope * need).squareRoot()
    let below = a.perSecond + root
    let gone = below > 0 ? 2 * need / below : 0
    return min(b.at, a.at + Span(seconds: min(max(0, gone), lasts)))
  }

  /// `0s: 0/s, 10min: 50/s, 1h: 50/s`.
  public var description: String {
    corners.map { corner in
      let isWhole = corner.perSecond == corner.perSecond.rounded() && corner.perSecond < 1e15
      return "\(corner.at): " + (isWhole ? "\(Int64(corner.perSecond))" : "\(corner.perSecond)")
        + "/s"
    }.joined(separator: ", ")
  }
}
