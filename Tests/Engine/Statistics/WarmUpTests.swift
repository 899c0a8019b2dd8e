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

  @Test func `replications are averaged place by place, up to the shortest`() {
    #expect(WarmUp.meanOverReplications([[1, 2, 3], [3, 4]]) == [2, 3])
    #expect(WarmUp.meanOverReplications([]) == [])
  }
}
