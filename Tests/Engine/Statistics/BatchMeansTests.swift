import Statistics
import Testing
import Timekeeping

@Suite struct `Batch means` {
  /// Slices of ten requests each, whose means follow each other with a correlation.
  private func slices(_ count: Int, correlation: Double, seed: UInt64 = 90) -> [Total] {
    var stream = RandomStream(seed: seed, owner: stableHash("batches"), purpose: 0)
    var value = stream.normal()
    let fresh = (1 - correlation * correlation).squareRoot()
    return (0..<count).map { _ in
      value = correlation * value + fresh * stream.normal()
      return Total(sum: 10 * (5 + value), count: 10)
    }
  }

  @Test func `cover the mean of independent slices about as often as promised`() throws {
    var (covered, warned) = (0, 0)
    for seed in 0..<200 {
      let means = try BatchMeans.of([slices(120, correlation: 0, seed: UInt64(seed))]).get()
      #expect(means.batches == 20)
      if means.interval.contains(5) { covered += 1 }
      if means.isCorrelated { warned += 1 }
    }
    #expect(covered >= 180 && warned <= 20, "\(covered) covered, \(warned) warned")
  }

  @Test func `warn where neighbours are alike`() throws {
    let means = try BatchMeans.of([slices(120, correlation: 0.98)]).get()
    #expect(means.isCorrelated && means.correlation > 0.4)
  }

  @Test func `of several runs count neighbours of one run alone`() throws {
    // Each run by itself has no spread; from one run to the next there is much.
    let runs = (0..<5).map { run in
      Array(repeating: Total(sum: Double(10 + run), count: 1), count: 8)
    }
    let means = try BatchMeans.of(runs).get()
    #expect(means.batches == 20 && means.mean == 12)
    // Deviations of ±2 and ±1, four times each: three products of each run over four squares.
    #expect(abs(means.correlation - 0.75) < 1e-12 && means.isCorrelated)
  }

  @Test func `of too few slices there are none`() {
    #expect(BatchMeans.of([slices(19, correlation: 0)]) == .failure(TooFew(have: 9, need: 10)))
    #expect(BatchMeans.of([]) == .failure(TooFew(have: 0, need: 10)))
  }
}
