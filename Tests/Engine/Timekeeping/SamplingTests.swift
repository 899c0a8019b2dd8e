import CGSL
import Testing
import Timekeeping

@Suite struct `Drawing times and numbers` {
  private func stream(_ name: String = "sampler") -> RandomStream {
    RandomStream(seed: 20_260_321, owner: stableHash(name), purpose: 1)
  }

  private func draws(_ body: (inout RandomStream) -> Double) -> [Double] {
    var stream = stream()
    return (0..<50_000).map { _ in body(&stream) }
  }

  @Test func `units are uniform and never touch 0 or 1`() {
    let units = draws { $0.unit() }
    #expect(kolmogorovSmirnov(units) { $0 } < kolmogorovSmirnovCritical)
    #expect(units.allSatisfy { $0 > 0 && $0 < 1 })
    #expect((Double(UInt64.max >> 12) + 0.5) * 0x1p-52 < 1)
  }

  @Test func `normal deviates follow GSL's distribution`() {
    let normal = draws { $0.normal() }
    #expect(kolmogorovSmirnov(normal, gsl_cdf_ugaussian_P) < kolmogorovSmirnovCritical)
    let shifted = draws { $0.normal(mean: 5, sigma: 2) }
    #expect(
      kolmogorovSmirnov(shifted) { gsl_cdf_gaussian_P($0 - 5, 2) } < kolmogorovSmirnovCritical)
  }

  @Test func `exponential times follow GSL's distribution`() {
    let seconds = draws { $0.sample(.exponential(mean: .milliseconds(1_500))).seconds }
    #expect(
      kolmogorovSmirnov(seconds) { gsl_cdf_exponential_P($0, 1.5) } < kolmogorovSmirnovCritical)
  }

  @Test
  func `log-normal times follow GSL's distribution and have the stated median and 95th percentile`()
  {
    let sigma = (250.0 / 60).logarithm / gsl_cdf_ugaussian_Pinv(0.95)
    let times = Distribution.lognormal(median: .milliseconds(60), p95: .milliseconds(250))
    let seconds = draws { $0.sample(times).seconds }
    let distance = kolmogorovSmirnov(seconds) {
      gsl_cdf_lognormal_P($0, (0.060).logarithm, sigma)
    }
    #expect(distance < kolmogorovSmirnovCritical)
    // Standard errors of these two shares: 0.0022 and 0.0010.
    #expect(abs(Double(seconds.count { $0 <= 0.060 }) / 50_000 - 0.5) < 0.007)
    #expect(abs(Double(seconds.count { $0 <= 0.250 }) / 50_000 - 0.95) < 0.003)
  }

  @Test func `uniform times follow GSL's distribution and stay in their range`() {
    let times = Distribution.uniform(from: .seconds(2), to: .seconds(5))
    let seconds = draws { $0.sample(times).seconds }
    #expect(kolmogorovSmirnov(seconds) { gsl_cdf_flat_P($0, 2, 5) } < kolmogorovSmirnovCritical)
    #expect(seconds.allSatisfy { $0 >= 2 && $0 <= 5 })
  }

  @Test func `a constant time costs no word, every other draw exactly one`() {
    var stream = stream()
    #expect(stream.sample(.constant(.minutes(3))) == .minutes(3))
    #expect(stream.drawn == 0)
    let bodies: [(inout RandomStream) -> Void] = [
      { _ = $0.sample(.uniform(from: .zero, to: .seconds(1))) },
      { _ = $0.sample(.exponential(mean: .seconds(1))) },
      { _ = $0.sample(.lognormal(median: .seconds(1), p95: .seconds(3))) },
      { _ = $0.normal() }, { _ = $0.poisson(mean: 0) }, { _ = $0.poisson(mean: 7) },
      { _ = $0.poisson(mean: 5_000) }, { _ = $0.negativeBinomial(mean: 3, dispersion: 0.5) },
      { _ = $0.negativeBinomial(mean: 5_000, dispersion: 40) }, { _ = $0.geometric(success: 1) },
      { _ = $0.geometric(success: 0.1) }, { _ = $0.pick(weights: [1, 2]) }, { _ = $0.chance(0.5) },
    ]
    for (index, body) in bodies.enumerated() {
      body(&stream)
      #expect(stream.drawn == UInt32(index + 1))
    }
  }

  @Test func `the k-th draw depends on the stream's name and k alone`() {
    var whole = stream()
    let times = (0..<100).map { _ in whole.sample(.exponential(mean: .seconds(1))) }
    for k in [0, 1, 2, 37, 99] {
      var late = RandomStream(
        seed: 20_260_321, owner: stableHash("sampler"), purpose: 1, drawn: UInt32(k))
      #expect(late.sample(.exponential(mean: .seconds(1))) == times[k])
    }
    var mixed = stream()
    for k in 0..<99 { _ = k % 2 == 0 ? Double(mixed.poisson(mean: 20)) : mixed.normal() }
    #expect(mixed.sample(.exponential(mean: .seconds(1))) == times[99])
    for other in [
      RandomStream(seed: 1, owner: stableHash("sampler"), purpose: 1), stream("another"),
      RandomStream(seed: 20_260_321, owner: stableHash("sampler"), purpose: 2),
    ] {
      var other = other
      #expect(other.sample(.exponential(mean: .seconds(1))) != times[0])
    }
  }

  @Test func `a larger word never draws less`() {
    var last = [Double](repeating: -.infinity, count: 4)
    var pairs: [(unit: Double, draws: [Double])] = []
    for k in 0..<2_000 {
      let at = RandomStream(seed: 3, owner: 4, purpose: 5, drawn: UInt32(k))
      var (a, b, c, d, e) = (at, at, at, at, at)
      pairs.append(
        (
          a.unit(),
          [
            b.exponential(mean: 1), c.lognormal(median: 1, sigma: 2),
            Double(d.poisson(mean: 400)), Double(e.poisson(mean: 3)),
          ]
        ))
    }
    for (_, draws) in pairs.sorted(by: { $0.unit < $1.unit }) {
      for (index, draw) in draws.enumerated() { #expect(draw >= last[index]) }
      last = draws
    }
  }

  @Test func `a distribution that cannot be drawn from says why`() {
    #expect(Distribution.lognormal(median: .zero, p95: .seconds(1)).problem != nil)
    #expect(Distribution.lognormal(median: .seconds(2), p95: .seconds(1)).problem != nil)
    #expect(Distribution.uniform(from: .seconds(2), to: .seconds(1)).problem != nil)
    #expect(Distribution.uniform(from: .seconds(-2), to: .seconds(1)).problem != nil)
    #expect(Distribution.exponential(mean: .seconds(-1)).problem != nil)
    #expect(Distribution.constant(.seconds(-1)).problem != nil)
    #expect(Distribution.lognormal(median: .seconds(1), p95: .seconds(1)).problem == nil)
    var stream = stream()
    #expect(stream.sample(.lognormal(median: .seconds(1), p95: .seconds(1))) == .seconds(1))
    #expect(stream.sample(.exponential(mean: .zero)) == .zero)
  }
}

extension Double {
  fileprivate var logarithm: Double { gsl_sf_log(self) }
}
