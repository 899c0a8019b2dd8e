/// Looks for the rate at which what was demanded of a server begins to break: a value that is told what became of each step.
///
/// The rate doubles until it breaks, then the gap is halved (in ratios) until it is small, and both of its ends are tried again, until each
/// has held, or broken, as often as is asked for. A rate that held once and broke once is neither, as is one that cannot be told too often;
/// it stays within the gap. So the answer is an interval: at its lower end everything held so often and never broke, at its upper end
/// something broke so often and it never held.
public struct CapacitySearch: Sendable {
  /// What a step at one rate said.
  public enum Outcome: Hashable, Sendable { case held, broke, undecided }

  public struct Step: Hashable, Sendable {
    public let perSecond: Double
    public let outcome: Outcome
  }

  /// What all steps say together.
  public enum Result: Hashable, Sendable {
    case found(held: Double, broke: Double)
    /// The steps ran out before the ends of the interval had been tried often enough, or it was small enough.
    case unfinished(held: Double, broke: Double)
    /// It held as far as was tried.
    case notReached(held: Double)
    /// It broke as low as could be told.
    case neverHeld(lowest: Double)
    /// It was not told at all; a lower rate has fewer calls and tells less.
    case cannotTell(at: Double)
  }

  private enum Judgement { case held, broke, open, unsettled }

  /// In the order in which they were tried.
  public private(set) var steps: [Step] = []
  private let start: Double
  private let least: Double
  private let most: Double
  private let precision: Double
  private let repeats: Int

  /// How many steps a search takes at most, whatever the server does.
  public static let stepsMost = 60

  /// - Parameters:
  ///   - start: The first rate, calls a second.
  ///   - most: No higher rate is tried.
  ///   - precision: The gap is small enough when its ends differ by no more than this share.
  ///   - repeats: How often the lower end of the gap has to hold, and the upper one to break. Twice as many tries are enough to see
  ///     that a rate cannot be told often enough.
  public init(from start: Double, most: Double, precision: Double = 0.05, repeats: Int = 3) {
    precondition(start > 0 && start <= most, "a search begins at a rate that may be tried")
    precondition(precision > 0 && repeats >= 1, "a search that could not end")
    self.start = start
    self.most = most
    self.precision = precision
    self.repeats = repeats
    least = start / 64
  }

  public mutating func note(_ outcome: Outcome, at perSecond: Double) {
    steps.append(Step(perSecond: perSecond, outcome: outcome))
  }

  /// The rate to try next; `nil` when the search has come to its end.
  public var next: Double? { steps.count < Self.stepsMost ? move.next : nil }

  public var result: Result {
    let move = move
    if case .found(let held, let broke) = move.result, move.next != nil {
      return .unfinished(held: held, broke: broke)
    }
    return move.result
  }

  /// What became of all tries at one rate.
  public func count(_ outcome: Outcome, at rate: Double) -> Int {
    steps.count { $0.perSecond == rate && $0.outcome == outcome }
  }

  private var rates: [Double] { Set(steps.map(\.perSecond)).sorted() }

  private func judgement(of rate: Double) -> Judgement {
    let (held, broke) = (count(.held, at: rate), count(.broke, at: rate))
    let undecided = count(.undecided, at: rate)
    if held > 0, broke > 0 { return .open }
    guard held + broke > 0 else { return undecided < repeats ? .unsettled : .open }
    // Neither end of the gap may be a rate that cannot be told again and again.
    if held + broke < repeats, held + broke + undecided >= 2 * repeats { return .open }
    return held > 0 ? .held : .broke
  }

  private var move: (next: Double?, result: Result) {
    let judged = rates.map { (rate: $0, judgement: judgement(of: $0)) }
    // Above the first that did not hold nothing counts as held, and below the last that did not break nothing as broken.
    let firstBad = judged.firstIndex { $0.judgement != .held } ?? judged.count
    let lastGood = judged.lastIndex { $0.judgement != .broke } ?? -1
    let held = firstBad > 0 ? judged[firstBad - 1].rate : nil
    let broke = lastGood + 1 < judged.count ? judged[lastGood + 1].rate : nil
    let unsettled = judged.first { $0.judgement == .unsettled }?.rate
    guard let held else {
      let lowest = judged.first?.rate ?? start
      let lower = judged.isEmpty ? start : lowest / 2
      if let unsettled { return (unsettled, .cannotTell(at: unsettled)) }
      guard judged.isEmpty || count(.broke, at: lowest) > 0 else {
        let broken = judged.first { $0.judgement == .broke }?.rate
        return (nil, broken.map { .neverHeld(lowest: $0) } ?? .cannotTell(at: lowest))
      }
      return (lower >= least ? lower : nil, .neverHeld(lowest: lowest))
    }
    guard let broke else {
      let highest = judged[judged.count - 1].rate
      return (
        unsettled ?? (highest < most ? min(most, highest * 2) : again(held, .held)),
        .notReached(held: held)
      )
    }
    let result = Result.found(held: held, broke: broke)
    if let unsettled { return (unsettled, result) }
    let bounds = [(held, judged[firstBad].rate), (judged[lastGood].rate, broke)]
    for (low, high) in bounds where high / low > 1 + precision {
      return ((low * high).squareRoot(), result)
    }
    return (again(held, .held) ?? again(broke, .broke), result)
  }

  private func again(_ rate: Double, _ outcome: Outcome) -> Double? {
    count(outcome, at: rate) < repeats ? rate : nil
  }
}
