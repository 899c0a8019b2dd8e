/// Whether a quantile of response times lies within its bound, or a share within an allowed one, judged by replications.
///
/// "p99 below 250 ms" says that at most 1 % of all requests take longer. Each replication gives its requests and those above the bound;
/// replications are independent, requests are not, and replications differ in size. What is judged is the share of all requests, by
/// the three tests of `RatioTest` that must agree, and the interval inverts these tests: it holds the shares that they would neither
/// pass nor fail. So it always holds the estimate, and a decision never stands beside an interval that lies across the allowed share.
///
/// What the run's end left open counts as late where a pass is asked for, and as in time where a fail is.
///
/// How often it errs and how often it decides is measured in `reports/validation.md`. What no test of the replications seen can
/// exclude is a kind of bad replication that none of them was: `Judgement.missable` says how frequent it might be.
public enum ExceedanceGate {
  public enum Decision: Hashable, Sendable {
    case pass, fail
    case inconclusive(Reason)
  }

  public enum Reason: Hashable, Sendable {
    /// Fewer replications with requests than the stated minimum.
    case tooFew(TooFew)
    /// A few replications hold most of the requests, so that together they weigh as so few of equal size.
    case unequalSizes(have: Double, need: Int)
    /// The data fit a share on either side of the allowed one.
    case undecided
    /// No request was above the bound, in too few effectively independent ones to exclude a share above the allowed.
    case tooFewEffectiveSamples(have: Double, need: Double)
    /// All replications gave the same share, which does not decide by itself.
    case noVariation
  }

  public struct Judgement: Hashable, Sendable {
    public let decision: Decision
    /// Share of all requests that were late, among those of which that is known; `nil` without any.
    public let share: Double?
    /// The shares that would neither pass nor fail; twice the error of each side. `nil` with too few replications.
    public let interval: Interval?
    /// Of a decision: bad replications may be as frequent as this and yet, with a chance of 5 %, none of those seen was one.
    public let missable: Double?
    /// How likely chance alone shows so many late requests, or so few, where the true share is just the allowed one.
    public let chance: Chances
  }

  public struct Chances: Hashable, Sendable {
    public let ofMore: Double
    public let ofLess: Double
  }

  /// Of each side of a decision; the interval has twice the error.
  public static let confidence = 0.975

  /// Judges the late requests of each replication.
  ///
  /// - Parameters:
  ///   - counts: One for each replication, after warm-up; those without requests are left out.
  ///   - allowed: The share that may lie above the bound: 0.01 for a 99th percentile.
  ///   - confidence: Of each one-sided decision; see `confidence(_:looks:)` when the same data may be judged again after more.
  ///   - effectiveSamples: Over all replications together, how many independent requests the observed ones are worth, where known.
  ///   - minimum: Replications below which nothing is decided; at least three.
  ///   - effective: How many of equal size they have to be worth where sizes differ; half of the minimum where left out.
  /// - Complexity: O(replications).
  public static func judge(
    _ counts: [LateCount], allowed: Double, confidence: Double = confidence,
    effectiveSamples: Double? = nil, minimum: Int = 20, effective: Double? = nil
  ) -> Judgement {
    let tests = Tests(counts, confidence, effectiveSamples, minimum, effective)
    return tests.judgement(allowed: allowed)
  }

  /// The decision alone, for those who search among many bounds.
  static func decide(
    _ counts: [LateCount], allowed: Double, confidence: Double, effectiveSamples: Double? = nil,
    minimum: Int
  ) -> Decision {
    Tests(counts, confidence, effectiveSamples, minimum, nil).decision(allowed: allowed)
  }

  /// The confidence for one of several looks at growing data, so that all looks together err no more often than promised.
  ///
  /// - Source: Bonferroni's inequality.
  public static func confidence(_ overall: Double, looks: Int) -> Double {
    precondition(looks >= 1, "data is looked at once at least")
    return 1 - (1 - overall) / Double(looks)
  }

  /// How many independent requests without any above the bound it takes to exclude a share above the allowed one.
  public static func effectiveSamplesNeeded(
    allowed: Double, confidence: Double = confidence
  ) -> Double {
    GSL.log1p(-confidence) / GSL.log1p(-allowed)
  }

  /// How frequent bad replications can be of which so many showed none, with a chance of 5 %: one in seven of twenty.
  public static func missable(replications: Double) -> Double {
    -GSL.expm1(GSL.log(0.05) / replications)
  }

  /// How many replications would probably decide, if the coming ones were like those seen: at so many all tests agree on one side.
  ///
  /// - Returns: The count seen where it decides; the minimum where there are fewer, whose spread tells too little to say more; `nil`
  ///   where a million would not, because the share is too near the allowed one.
  public static func replicationsToDecide(
    _ counts: [LateCount], allowed: Double, confidence: Double = confidence,
    effectiveSamples: Double? = nil, minimum: Int = 20, effective: Double? = nil
  ) -> Int? {
    let tests = Tests(counts, confidence, effectiveSamples, minimum, effective)
    guard let pessimist = tests.pessimist, let optimist = tests.optimist else { return minimum }
    let count = pessimist.count
    switch tests.decision(allowed: allowed) {
    case .pass, .fail: return count
    case .inconclusive(.tooFew):
      return pessimist.ratio == 0 ? tests.countWithoutLate(allowed: allowed) : minimum
    case .inconclusive(.tooFewEffectiveSamples): return tests.countWithoutLate(allowed: allowed)
    case .inconclusive(.noVariation): return max(minimum, count * 2)
    case .inconclusive: break
    }
    guard count > 2, !pessimist.isEqual else { return max(minimum, count * 2) }
    let equal = max(
      minimum, Int((Double(count) * tests.effective / pessimist.effective).rounded(.up)))
    return fewest(from: max(equal, count)) { more in
      let weight = Double(more) / Double(count)
      return pessimist.side(of: allowed, confidence: confidence, weight: weight) == .below
        || optimist.side(of: allowed, confidence: confidence, weight: weight) == .above
    }
  }

  /// The fewest replications for which a condition holds that stays true once it is; `nil` above a million.
  static func fewest(from start: Int, where decides: (Int) -> Bool) -> Int? {
    var high = start
    while !decides(high) {
      high *= 2
      if high > 1_000_000 { return nil }
    }
    var low = max(start, high / 2)
    while low < high {
      let middle = low + (high - low) / 2
      if decides(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }
}

extension ExceedanceGate {
  /// Both readings of what was left open.
  private struct Tests {
    let share: Double?
    let have: Int
    /// Counts what is open as late.
    let pessimist: RatioTest?
    /// Counts what is open as in time.
    let optimist: RatioTest?
    let confidence: Double
    let effectiveSamples: Double?
    let minimum: Int
    /// So many of equal size they have to be worth.
    let effective: Double

    init(
      _ counts: [LateCount], _ confidence: Double, _ effectiveSamples: Double?, _ minimum: Int,
      _ effective: Double?
    ) {
      precondition(minimum >= 3, "skewness needs three replications")
      precondition(
        confidence > 0.5 && confidence < 1, "a decision needs a confidence above one half")
      let filled = counts.filter { $0.requests > 0 }
      have = filled.count
      share =
        LateCount(
          late: filled.reduce(0) { $0 + $1.late }, open: filled.reduce(0) { $0 + $1.open },
          requests: filled.reduce(0) { $0 + $1.requests }
        ).share
      pessimist = RatioTest(
        filled.map { Total(sum: Double($0.late + $0.open), count: $0.requests) }, .share)
      optimist =
        filled.contains { $0.open > 0 }
        ? RatioTest(filled.map { Total(sum: Double($0.late), count: $0.requests) }, .share)
        : pessimist
      (self.confidence, self.effectiveSamples, self.minimum) =
        (confidence, effectiveSamples, minimum)
      self.effective = effective ?? Double(minimum) / 2
    }

    /// Why nothing can be decided whatever the shares are.
    private var obstacle: Reason? {
      guard let pessimist, have >= minimum else {
        return .tooFew(TooFew(have: have, need: minimum))
      }
      guard pessimist.effective >= effective else {
        return .unequalSizes(have: pessimist.effective, need: Int(effective.rounded(.up)))
      }
      return nil
    }

    func decision(allowed: Double) -> Decision {
      precondition(
        allowed > 0 && allowed < 1, "an allowed share lies between 0 and 1, ends excluded")
      if let obstacle { return .inconclusive(obstacle) }
      guard let pessimist, let optimist else { return .inconclusive(.undecided) }
      if isBelow(pessimist, allowed) { return .pass }
      if isAbove(optimist, allowed) { return .fail }
      guard pessimist.isEqual else { return .inconclusive(.undecided) }
      guard pessimist.ratio == 0 else { return .inconclusive(.noVariation) }
      let need = ExceedanceGate.effectiveSamplesNeeded(allowed: allowed, confidence: confidence)
      return .inconclusive(.tooFewEffectiveSamples(have: independent, need: need))
    }

    /// How many replications without any late request exclude a share above the allowed one.
    func countWithoutLate(allowed: Double) -> Int {
      let need = ExceedanceGate.effectiveSamplesNeeded(allowed: allowed, confidence: confidence)
      return max(minimum, Int((Double(have) * need / independent).rounded(.up)))
    }

    func judgement(allowed: Double) -> Judgement {
      let decision = decision(allowed: allowed)
      guard obstacle == nil, let pessimist, let optimist else {
        return Judgement(
          decision: decision, share: share, interval: nil, missable: nil,
          chance: Chances(ofMore: 1, ofLess: 1))
      }
      let interval = Interval(
        low: lowerEnd(optimist, allowed), high: upperEnd(pessimist, allowed),
        confidence: 2 * confidence - 1)
      let isDecided = decision == .pass || decision == .fail
      return Judgement(
        decision: decision, share: share, interval: interval,
        missable: isDecided
          ? ExceedanceGate.missable(replications: pessimist.effective) : nil,
        chance: Chances(
          ofMore: optimist.isEqual
            ? chance(ofEqual: optimist.ratio, above: allowed) : optimist.chanceAbove(allowed),
          ofLess: pessimist.isEqual
            ? chance(ofEqual: 1 - pessimist.ratio, above: 1 - allowed)
            : pessimist.chanceBelow(allowed)))
    }

    /// As many independent requests as these are worth, or one in each replication.
    private var independent: Double { max(effectiveSamples ?? 0, Double(have)) }

    // MARK: - Where shares differ between replications

    private func isBelow(_ test: RatioTest, _ allowed: Double) -> Bool {
      test.isEqual
        ? endsOfEqual(test).high <= allowed
        : test.side(of: allowed, confidence: confidence) == .below
    }

    private func isAbove(_ test: RatioTest, _ allowed: Double) -> Bool {
      test.isEqual
        ? endsOfEqual(test).low >= allowed
        : test.side(of: allowed, confidence: confidence) == .above
    }

    /// The search begins at the allowed share, so that the end lies on that side of it on which the decision does.
    private func lowerEnd(_ test: RatioTest, _ allowed: Double) -> Double {
      guard !test.isEqual else { return endsOfEqual(test).low }
      let isDecided = test.side(of: allowed, confidence: confidence) == .above
      return test.lowerEnd(
        confidence: confidence, least: isDecided ? allowed : 0,
        from: isDecided ? test.ratio : min(allowed, test.ratio))
    }

    private func upperEnd(_ test: RatioTest, _ allowed: Double) -> Double {
      guard !test.isEqual else { return endsOfEqual(test).high }
      let isDecided = test.side(of: allowed, confidence: confidence) == .below
      return test.upperEnd(
        confidence: confidence, most: isDecided ? allowed : 1,
        from: isDecided ? test.ratio : max(allowed, test.ratio))
    }

    // MARK: - Where they do not

    /// Equal shares c in all of R replications: such an outcome has probability at least 1 − confidence only if a single
    /// replication gives c with at least p = (1 − confidence)^(1/R). The true share then lies within c·p … c·p + 1 − p. Where
    /// none was late, or all were, so do the requests.
    private func endsOfEqual(_ test: RatioTest) -> (low: Double, high: Double) {
      let share = test.ratio
      let repeated = GSL.exp(GSL.log1p(-confidence) / Double(test.count))
      let requests = GSL.exp(GSL.log1p(-confidence) / independent)
      return (
        share == 1 ? max(repeated, requests) : share * repeated,
        share == 0 ? min(1 - repeated, 1 - requests) : share * repeated + 1 - repeated
      )
    }

    private func chance(ofEqual share: Double, above allowed: Double) -> Double {
      guard share > allowed else { return 1 }
      let size = share == 1 ? independent : Double(have)
      return GSL.exp(size * GSL.log(allowed / share))
    }
  }
}
