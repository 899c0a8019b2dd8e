import Statistics
import Testing
import Timekeeping

@Suite struct `Intervals over replications` {
  private let skewed = [0.8, 1.1, 0.9, 1.3, 0.7, 1, 1.2, 4.5, 0.95, 1.05, 0.85, 2.6]

  /// - Source: SciPy 1.17: `stats.t.ppf` at (Σn)²/Σn² − 1 degrees, the roots of the weakest of the three statistics by
  ///   `scipy.optimize.brentq`; with equal sizes those of Student's and of Hall's interval.
  @Test func `invert the three tests that must agree`() throws {
    let interval = try Interval.ofReplications(skewed).get()
    #expect(relative(interval.low, 0.719774177178538) < 1e-11)
    #expect(relative(interval.high, 3.856681049818588) < 1e-9)
    let sums = [12.0, 30.5, 8.2, 44.1, 19.9, 27.3, 5.5, 61.0, 22.4, 15.8, 33.3, 9.1]
    let counts: [UInt64] = [10, 25, 8, 30, 18, 20, 6, 40, 21, 14, 26, 9]
    let totals = zip(sums, counts).map { Total(sum: $0, count: $1) }
    let unequal = try Interval.ofReplications(totals).get()
    #expect(relative(unequal.low, 1.0680096696462613) < 1e-9)
    #expect(relative(unequal.high, 1.435977065589726) < 1e-9)
    // Σs/Σn, the mean over all requests, not the mean of the replications' means.
    #expect(unequal.contains(1.273568281938326))
    #expect(try #require(Total.all(totals).mean).distance(to: 1.273568281938326).magnitude < 1e-15)
  }

  @Test func `are Student's where nothing is skewed, and reach farther where the spread grows`()
    throws
  {
    let values = (1...20).map { 100 + 0.01 * Double($0) }
    let (found, plain) = (
      try Interval.ofReplications(values).get(), try Interval.ofMean(values).get()
    )
    #expect(abs(found.low - plain.low) < 1e-9)
    // A mean that is larger by a share x has a deviation larger by the same share: reach/(1 − reach/mean).
    let reach = plain.high - 100.105
    #expect(relative(found.high - 100.105, reach / (1 - reach / 100.105)) < 1e-6)
  }

  @Test func `need replications of like size`() throws {
    // One of ten holds nine tenths of the requests: together they weigh as 1.2 of equal size.
    let totals = (0..<10).map { Total(sum: $0 == 0 ? 100 : Double($0), count: $0 == 0 ? 81 : 1) }
    guard case .failure(let few) = Interval.ofReplications(totals) else {
      Issue.record("an interval of what one replication says")
      return
    }
    #expect(few.have == 10 && few.need == 41)
    let none = totals + [Total(sum: 0, count: 0)]
    #expect(Interval.ofReplications(none) == .failure(few))
  }

  @Test func `need ten replications`() {
    #expect(
      Interval.ofReplications(Array(skewed.prefix(9))) == .failure(TooFew(have: 9, need: 10)))
    #expect(Interval.ofReplications([Double]()) == .failure(TooFew(have: 0, need: 10)))
  }

  @Test func `of equal values have no width`() throws {
    let interval = try Interval.ofReplications(Array(repeating: 0.25, count: 12)).get()
    #expect(interval.low == 0.25 && interval.high == 0.25)
  }

  @Test func `tell how many replications would decide`() throws {
    let values = (0..<20).map { 1 + 0.1 * Double($0 % 5 - 2) }
    // Deviation 0.145: 0.02 from the mean takes (1.96 · 0.145 / 0.02)² ≈ 203.
    let totals = values.map { Total(sum: $0, count: 1) }
    let need = try #require(Interval.replicationsToDecide(totals, bound: 1.02))
    #expect((195...215).contains(need))
    #expect(Interval.replicationsToDecide(totals, bound: 1) == nil)
    let precise = try #require(Interval.replicationsToReach(values, relativeHalfWidth: 0.02))
    #expect((195...215).contains(precise))
    #expect(Interval.replicationsToDecide([Total(sum: 1, count: 1)], bound: 2) == nil)
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
      let counts = sample.map { times in
        LateCount(late: UInt64(times.count { $0 > bound }), requests: 200)
      }
      return ExceedanceGate.judge(counts, allowed: 0.1).decision
    }
    #expect(decision(interval.low * 0.999) == .fail)
    #expect(decision(interval.high * 1.001) == .pass)
  }
}

@Suite struct `How many replications decide a share` {
  private let counts = (0..<20).map {
    LateCount(late: UInt64(10 + 2 * ($0 % 5) - 4), requests: 1_000)
  }

  @Test func `those there are, where they do`() {
    #expect(ExceedanceGate.replicationsToDecide(counts, allowed: 0.05) == 20)
  }

  @Test func `more, the nearer the allowed share is`() throws {
    let near = try #require(ExceedanceGate.replicationsToDecide(counts, allowed: 0.0105))
    let nearer = try #require(ExceedanceGate.replicationsToDecide(counts, allowed: 0.0102))
    #expect(near > 20 && nearer > 4 * near)
    #expect(ExceedanceGate.replicationsToDecide(counts, allowed: 0.01) == nil)
  }

  @Test func `as the rule of three has it, where nothing was above`() {
    let none = [LateCount](repeating: LateCount(late: 0, requests: 50), count: 20)
    let need = ExceedanceGate.replicationsToDecide(none, allowed: 0.01, effectiveSamples: 100)
    // ln 0.025 / ln 0.99 = 367.04 requests, of which 20 replications are worth 100.
    #expect(need == 74)
  }

  @Test func `at least the minimum, and as many as unequal sizes ask for`() {
    let few = Array(counts.prefix(3))
    #expect(ExceedanceGate.replicationsToDecide(few, allowed: 0.05) == 20)
    // From three replications nobody can tell that thousands are needed.
    #expect(ExceedanceGate.replicationsToDecide(few, allowed: 0.0081) == 20)
    let unequal = (0..<20).map { place in
      let requests: UInt64 = place == 0 ? 5_000 : 500
      return LateCount(late: requests / 100 + UInt64(place % 3), requests: requests)
    }
    // (14,500)²/(5,000² + 19·500²) = 7.07 of equal size; ten take 29 like these.
    #expect(ExceedanceGate.replicationsToDecide(unequal, allowed: 0.05) == 29)
  }
}
