import Statistics
import Testing
import Timekeeping

@Suite struct `Warm-up` {
  private func series(_ count: Int, _ mean: (Int) -> Double) -> [Double] {
    var stream = RandomStream(seed: 80, owner: stableHash("warm-up"), purpose: 0)
    return (0..<count).map { mean($0) + stream.normal() }
  }

  @Test func `a series that starts high is cut about where it settles`() throws {
    let falling = series(1_000) { 20 * Elementary.exp(-Double($0) / 30) }
    let warmUp = try WarmUp.mser5(falling).get()
    #expect(warmUp.truncated % 5 == 0 && warmUp.total == 1_000)
    // 20 e^(−t/30) falls below half a standard deviation at t = 111.
    #expect(warmUp.truncated >= 60 && warmUp.truncated <= 200)
    #expect(!warmUp.eatsMoreThanHalf)
  }

  @Test func `the cut is where the definition has its minimum`() throws {
    let values = series(205) { 5 / Double($0 + 1) }
    let batches = (0..<41).map { values[$0 * 5..<$0 * 5 + 5].reduce(0, +) / 5 }
    let scores = (0..<36).map { leave in
      let kept = batches[leave...]
      let mean = kept.reduce(0, +) / Double(kept.count)
      return kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(kept.count * kept.count)
    }
    let best = try #require(scores.indices.min { scores[$0] < scores[$1] })
    #expect(try WarmUp.mser5(values).get().truncated == best * 5)
  }

  @Test func `a settled series loses little, a constant one nothing`() throws {
    #expect(try WarmUp.mser5(series(1_000) { _ in 1e6 }).get().truncated < 250)
    #expect(try WarmUp.mser5([Double](repeating: 0.1, count: 50)).get().truncated == 0)
  }

  @Test func `a series that settles late or never warns`() throws {
    #expect(try WarmUp.mser5(series(1_000) { $0 < 700 ? 50 : 0 }).get().eatsMoreThanHalf)
    #expect(try WarmUp.mser5((0..<1_000).map { Double($0 * $0) * 1e-3 }).get().truncated >= 0)
  }

  @Test func `fewer than fifty observations are too few`() {
    #expect(WarmUp.mser5([1, 2, 3]) == .failure(TooFew(have: 3, need: 50)))
  }

  /// The number present in M/M/1 that begins with twenty: exactly, at so many moments, with the noise of a mean over replications.
  @Test func `the start-up of a queue is cut where its bias has gone`() throws {
    let queue = Queueing.TransientMM1(arrivalRate: 0.5, serviceRate: 1, present: 20)
    let exact = stride(from: 0.0, to: 240, by: 2).map { queue.meanPresent(at: $0) }
    let steady = Queueing.MM1(arrivalRate: 0.5, serviceRate: 1).meanPresent
    var stream = RandomStream(seed: 81, owner: stableHash("start-up"), purpose: 0)
    let noisy = exact.map { $0 + 0.3 * stream.normal() }
    let warmUp = try WarmUp.mser5(noisy).get()
    #expect(!warmUp.eatsMoreThanHalf)
    let before = exact.reduce(0, +) / Double(exact.count) / steady - 1
    let kept = exact[warmUp.truncated...]
    let after = kept.reduce(0, +) / Double(kept.count) / steady - 1
    #expect(before > 1 && after.magnitude < 0.1, "\(warmUp): \(before), then \(after)")
    // It is empty of the first twenty after some forty services, which are twenty moments.
    #expect(warmUp.truncated >= 15)
  }

  @Test func `a load is steady where no eighth of it stands out`() {
    #expect(WarmUp.unsteadiness(Array(repeating: 7, count: 83)) < 1e-12)
    #expect(WarmUp.unsteadiness([1, 1, 1, 1, 1, 1, 1, 9]) == 3.5)
    #expect(WarmUp.unsteadiness(Array(repeating: 0, count: 8)) == .infinity)
    let day = (0..<144).map { 100 + 50 * Elementary.sin(Double($0) / 144 * 6.28) }
    #expect(WarmUp.unsteadiness(day) > WarmUp.steady)
  }
}
