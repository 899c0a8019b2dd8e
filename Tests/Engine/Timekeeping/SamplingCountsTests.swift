import CGSL
import Testing
import Timekeeping

@Suite struct `Drawing counts and choices` {
  private let seed: UInt64 = 42

  private func draws(_ count: Int = 20_000, _ body: (inout RandomStream) -> Int) -> [Int] {
    var stream = RandomStream(seed: seed, owner: stableHash("counts"), purpose: 0)
    return (0..<count).map { _ in body(&stream) }
  }

  @Test(arguments: [0.01, 0.5, 3, 20, 99, 101, 1_000, 10_000])
  func `Poisson counts follow GSL's distribution`(mean: Double) {
    let counts = draws { $0.poisson(mean: mean) }
    let largest = Int(mean + 10 * mean.squareRoot() + 10)
    #expect(
      chiSquarePValue(counts, upTo: largest) { gsl_ran_poisson_pdf(UInt32($0), mean) } > 0.001)
  }

  @Test(arguments: [(0.5, 0.3), (4, 1), (12, 2.5), (60, 400), (300, 30), (5_000, 60)])
  func `negative binomial counts follow GSL's distribution`(mean: Double, dispersion: Double) {
    let counts = draws { $0.negativeBinomial(mean: mean, dispersion: dispersion) }
    let deviation = (mean + mean * mean / dispersion).squareRoot()
    let success = dispersion / (mean + dispersion)
    let p = chiSquarePValue(counts, upTo: Int(mean + 12 * deviation + 10)) {
      gsl_ran_negative_binomial_pdf(UInt32($0), success, dispersion)
    }
    #expect(p > 0.001)
  }

  @Test(arguments: [0.9, 0.5, 0.05])
  func `geometric counts follow GSL's distribution, counting failures`(success: Double) {
    let counts = draws { $0.geometric(success: success) }
    let p = chiSquarePValue(counts, upTo: 400) { gsl_ran_geometric_pdf(UInt32($0 + 1), success) }
    #expect(p > 0.001)
  }

  @Test func `counts at the edges of their parameters stay sensible`() {
    let none = draws(100) { $0.poisson(mean: 0) }
    #expect(none.allSatisfy { $0 == 0 })
    let noCluster = draws(100) { $0.negativeBinomial(mean: 0, dispersion: 1) }
    #expect(noCluster.allSatisfy { $0 == 0 })
    let certain = draws(100) { $0.geometric(success: 1) }
    #expect(certain.allSatisfy { $0 == 0 })
    let hopeless = draws(100) { $0.geometric(success: 1e-300) }
    #expect(hopeless.allSatisfy { $0 == 1 << 62 })
    let rare = draws(100) { $0.poisson(mean: 1e-300) }
    #expect(rare.allSatisfy { $0 == 0 })
  }

  @Test func `a weighted choice takes each value by its share, and a weight of zero never`() {
    let weights = [0, 1, 2, 0, 4, 0.5, 0]
    let chosen = draws { $0.pick(weights: weights) }
    #expect(chiSquarePValue(chosen, upTo: 6) { weights[$0] / 7.5 } > 0.001)
    #expect(!chosen.contains { weights[$0] == 0 })
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    #expect(stream.choose([("never", 0), ("always", 3)]) == "always")
  }

  @Test func `every order of a shuffle is equally likely`() {
    var stream = RandomStream(seed: seed, owner: stableHash("shuffle"), purpose: 0)
    let orders = (0..<24_000).map { _ in
      let order = stream.shuffled([0, 1, 2, 3])
      return order.reduce(0) { $0 * 4 + $1 }
    }
    let numbered = Set(orders).sorted()
    #expect(numbered.count == 24)
    let ranks = orders.map { numbered.firstIndex(of: $0) ?? 99 }
    #expect(chiSquarePValue(ranks, upTo: 23) { _ in 1.0 / 24 } > 0.001)
    #expect(stream.shuffled([Int]()).isEmpty && stream.shuffled([9]) == [9])
  }

  @Test func `a pick from a range reaches every value alike`() {
    let picks = draws { $0.pick(10..<17) - 10 }
    #expect(chiSquarePValue(picks, upTo: 6) { _ in 1.0 / 7 } > 0.001)
  }
}
