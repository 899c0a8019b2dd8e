/// Looks for the rate at which what was demanded of a server begins to break: a value that is told what became of each step.
///
/// The rate doubles until it breaks, then the gap is halved (in ratios) until it is small, and both of its ends are tried again. A rate that
/// held once and broke once is neither, and stays within the gap. So the answer is an interval: at its lower end everything held each time,
/// at its upper end something broke each time.
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
  ///   - repeats: How often both ends of the gap are tried.
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

  public var result: Result { move.result }

  private var rates: [Double] { Set(steps.map(\.perSecond)).sorted() }

  private func outcomes(at rate: Double) -> [Outcome] {
    steps.filter { $0.perSecond == rate }.map(\.outcome)
  }

  private func judgement(of rate: Double) -> Judgement {
    let outcomes = outcomes(at: rate)
    switch (outcomes.contains(.held), outcomes.contains(.broke)) {
    case (true, false): return .held
    case (false, true): return .broke
    case (true, true): return .open
    case (false, false): return outcomes.count < repeats ? .unsettled : .open
    }
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
      guard judged.isEmpty || outcomes(at: lowest).contains(.broke) else {
        let broken = judged.first { $0.judgement == .broke }?.rate
        return (nil, broken.map { .neverHeld(lowest: $0) } ?? .cannotTell(at: lowest))
      }
      return (lower >= least ? lower : nil, .neverHeld(lowest: lowest))
    }
    guard let broke else {
      let highest = judged[judged.count - 1].rate
      return (
        unsettled ?? (highest < most ? min(most, highest * 2) : again(held)),
        .notReached(held: held)
      )
    }
    let result = Result.found(held: held, broke: broke)
    if let unsettled { return (unsettled, result) }
    let bounds = [(held, judged[firstBad].rate), (judged[lastGood].rate, broke)]
    for (low, high) in bounds where high / low > 1 + precision {
      return ((low * high).squareRoot(), result)
    }
    return (again(held) ?? again(broke), result)
  }

  private func again(_ rate: Double) -> Double? {
    outcomes(at: rate).count < repeats ? rate : nil
  }
}
