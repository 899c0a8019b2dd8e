import Statistics
import Testing
import Timekeeping

@Suite struct `Intervals over replications` {
  private let skewed = [0.8, 1.1, 0.9, 1.3, 0.7, 1, 1.2, 4.5, 0.95, 1.05, 0.85, 2.6]

  /// - Source: SciPy 1.17: the t interval's lower end, and the root of Hall's statistic by `scipy.optimize.brentq`.
  @Test func `are the hull of Student's and the skewness-adjusted interval`() throws {
    let interval = try Interval.ofReplications(skewed).get()
    #expect(relative(interval.low, 0.719774177178538) < 1e-12)
    #expect(relative(interval.high, 3.8566810498185875) < 1e-9)
    let mirrored = try Interval.ofReplications(skewed.map { -$0 }).get()
    #expect(mirrored.low == -interval.high && mirrored.high == -interval.low)
  }

  @Test func `are Student's where nothing is skewed`() throws {
    let values = (1...20).map(Double.init)
    let (hull, plain) = (
      try Interval.ofReplications(values).get(), try Interval.ofMean(values).get()
    )
    #expect(abs(hull.low - plain.low) < 1e-9 && abs(hull.high - plain.high) < 1e-9)
  }

  @Test func `need ten replications`() {
    #expect(
      Interval.ofReplications(Array(skewed.prefix(9))) == .failure(TooFew(have: 9, need: 10)))
    #expect(Interval.ofReplications([]) == .failure(TooFew(have: 0, need: 10)))
  }

  @Test func `of equal values have no width`() throws {
    let interval = try Interval.ofReplications(Array(repeating: 0.25, count: 12)).get()
    #expect(interval.low == 0.25 && interval.high == 0.25)
  }

  @Test func `tell how many replications would decide`() throws {
    let values = (0..<20).map { 1 + 0.1 * Double($0 % 5 - 2) }
    // Deviation 0.145: 0.02 from the mean takes (1.96 · 0.145 / 0.02)² ≈ 203.
    let need = try #require(Interval.replicationsToDecide(values, bound: 1.02))
    #expect((195...215).contains(need))
    #expect(Interval.replicationsToDecide(values, bound: 1) == nil)
    let precise = try #require(Interval.replicationsToReach(values, relativeHalfWidth: 0.02))
    #expect((195...215).contains(precise))
    #expect(Interval.replicationsToDecide([1], bound: 2) == nil)
  }

  @Test func `of a quantile hold the truth and need requests beyond it`() throws {
    var stream = RandomStream(seed: 7, owner: stableHash("quantiles"), purpose: 0)
    func replications(_ requests: Int) -> [[Double]] {
      (0..<20).map { _ in (0..<requests).map { _ in stream.exponential(mean: 1) } }
    }
    var held = 0
    for _ in 0..<100 {
      let interval = try ReplicatedQuantile.interval(
        ofQuantile: 0.95, replications: replications(100)
      ).get()
      // ln 20
      if interval.contains(2.995732273553991) { held += 1 }
    }
    #expect((90...100).contains(held), "\(held) of 100")
    #expect(throws: TooFew.self) {
      try ReplicatedQuantile.interval(ofQuantile: 0.999, replications: replications(20)).get()
    }
    #expect(throws: TooFew.self) {
      try ReplicatedQuantile.interval(ofQuantile: 0.5, replications: [[1, 2, 3]]).get()
    }
  }

  @Test func `of a quantile agree with the gate on either side of a bound`() throws {
    var stream = RandomStream(seed: 8, owner: stableHash("agreement"), purpose: 0)
    let sample = (0..<20).map { _ in (0..<200).map { _ in stream.lognormal(median: 1, sigma: 1) } }
    let interval = try ReplicatedQuantile.interval(ofQuantile: 0.9, replications: sample).get()
    func decision(_ bound: Double) -> ExceedanceGate.Decision {
      let shares = sample.map { times in Double(times.count { $0 > bound }) / 200 }
      return ExceedanceGate.judge(shares: shares, allowed: 0.1, confidence: 0.975).decision
    }
    #expect(decision(interval.low * 0.999) == .fail)
    #expect(decision(interval.high * 1.001) == .pass)
  }
}

@Suite struct `How many replications decide a share` {
  private let shares = (0..<20).map { 0.01 + 0.002 * Double($0 % 5 - 2) }

  @Test func `those there are, where they do`() {
    #expect(ExceedanceGate.replicationsToDecide(shares: shares, allowed: 0.05) == 20)
  }

  @Test func `more, the nearer the allowed share is`() throws {
    let near = try #require(ExceedanceGate.replicationsToDecide(shares: shares, allowed: 0.0105))
    let nearer = try #require(ExceedanceGate.replicationsToDecide(shares: shares, allowed: 0.0102))
    #expect(near > 20 && nearer > 4 * near)
    #expect(ExceedanceGate.replicationsToDecide(shares: shares, allowed: 0.01) == nil)
  }

  @Test func `as the rule of three has it, where nothing was above`() {
    let none = [Double](repeating: 0, count: 20)
    let need = ExceedanceGate.replicationsToDecide(
      shares: none, allowed: 0.01, effectiveSamples: 100)
    #expect(need == 60)
  }

  @Test func `at least the minimum`() {
    let few = Array(shares.prefix(3))
    #expect(ExceedanceGate.replicationsToDecide(shares: few, allowed: 0.05) == 20)
  }
}
