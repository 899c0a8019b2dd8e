import Statistics
import Testing
import Timekeeping

@Suite struct `Effective samples` {
  /// A first-order autoregression with coefficient φ has the autocorrelation time (1 + φ) / (1 − φ).
  @Test(arguments: [(0.0, 1.0), (0.5, 3), (0.8, 9), (0.95, 39)])
  func `of an autoregression are as theory has them`(coefficient: Double, time: Double) throws {
    var stream = RandomStream(seed: 82, owner: stableHash("autoregression"), purpose: 0)
    var value = 0.0
    let series = (0..<20_000).map { _ in
      value = coefficient * value + stream.normal()
      return value
    }
    let effective = try EffectiveSamples.ofSeries(series).get()
    #expect(relative(effective, 20_000 / time) < 0.2)
    #expect(effective <= 20_000)
  }

  @Test func `are never more than there are, and not told of fewer than ten`() throws {
    let zigzag = (0..<100).map { $0 % 2 == 0 ? 1.0 : -1.0 }
    #expect(try EffectiveSamples.ofSeries(zigzag).get() == 100)
    #expect(try EffectiveSamples.ofSeries([Double](repeating: 3, count: 50)).get() == 50)
    #expect(EffectiveSamples.ofSeries([1, 2]) == .failure(TooFew(have: 2, need: 10)))
  }
}
