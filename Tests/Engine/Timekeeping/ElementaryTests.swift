import CGSL
import Foundation
import Testing
import Timekeeping

@Suite struct `Elementary functions` {
  @Test(arguments: ReferenceFunction.all)
  func `agree with 1,400-bit arithmetic to one unit in the last place`(function: ReferenceFunction)
  {
    for (x, y) in function.values {
      #expect(unitsApart(function.own(x), y) <= 1, "\(function.name)(\(x))")
    }
  }

  @Test func `the logarithm agrees with GSL to one unit in the last place`() {
    var worst: UInt64 = 0
    for x in arguments(from: -744, to: 709.7).map({ Foundation.exp($0) }) + nearOne() + subnormals()
    {
      worst = max(worst, unitsApart(Elementary.log(x), gsl_sf_log(x)))
    }
    #expect(worst <= 1)
  }

  @Test func `log1p agrees with the C library to one unit in the last place`() {
    var worst: UInt64 = 0
    for x in nearOne().map({ $0 - 1 }) + arguments(from: -0.9999, to: 3)
      + arguments(from: -80, to: 700).map({ Foundation.exp($0) })
    {
      worst = max(worst, unitsApart(Elementary.log1p(x), Foundation.log1p(x)))
    }
    #expect(worst <= 1)
  }

  @Test func `the exponential agrees with GSL to one unit in the last place, subnormals included`()
  {
    var worst: UInt64 = 0
    for x in arguments(from: -708, to: 709.7) + arguments(from: -1, to: 1) {
      worst = max(worst, unitsApart(Elementary.exp(x), gsl_sf_exp(x)))
    }
    for x in arguments(from: -745.2, to: -708) {
      worst = max(worst, unitsApart(Elementary.exp(x), Foundation.exp(x)))
    }
    #expect(worst <= 1)
  }

  @Test(arguments: [1.0, 10, 1e3, 1e6, 1e9, 1e300])
  func `sine and cosine agree with the C library to one unit in the last place`(reach: Double) {
    var worst: UInt64 = 0
    for x in arguments(from: -reach, to: reach) {
      worst = max(worst, unitsApart(Elementary.sin(x), Foundation.sin(x)))
      worst = max(worst, unitsApart(Elementary.cos(x), Foundation.cos(x)))
    }
    #expect(worst <= 1)
  }

  @Test func `sine and cosine keep their last place beside multiples of a right angle`() {
    var worst: UInt64 = 0
    for k in stride(from: -950_000, through: 950_000, by: 97) {
      let angle = Double(k) * (Double.pi / 2)
      for x in [angle.nextDown, angle, angle.nextUp] where x != 0 {
        worst = max(worst, unitsApart(Elementary.sin(x), Foundation.sin(x)))
        worst = max(worst, unitsApart(Elementary.cos(x), Foundation.cos(x)))
      }
    }
    #expect(worst <= 1)
  }

  @Test func `what has no value is NaN, and the edges are exact`() {
    #expect(Elementary.log(0) == -.infinity)
    #expect(Elementary.log(-0.0) == -.infinity)
    #expect(Elementary.log(1) == 0)
    #expect(Elementary.log(.infinity) == .infinity)
    #expect(Elementary.log(-1).isNaN && Elementary.log(.nan).isNaN)
    #expect(Elementary.log(-.infinity).isNaN)
    #expect(Elementary.log1p(-1) == -.infinity && Elementary.log1p(.infinity) == .infinity)
    #expect(Elementary.log1p(-1.5).isNaN && Elementary.log1p(.nan).isNaN)
    #expect(Elementary.exp(0) == 1 && Elementary.exp(-0.0) == 1)
    #expect(Elementary.exp(709.782712893384) < .infinity)
    #expect(Elementary.exp(709.7827128933841) == .infinity)
    #expect(Elementary.exp(.infinity) == .infinity && Elementary.exp(-.infinity) == 0)
    #expect(Elementary.exp(-745.13) > 0 && Elementary.exp(-745.14) == 0)
    #expect(Elementary.exp(.nan).isNaN)
    #expect(Elementary.sin(-0.0).bitPattern == (-0.0).bitPattern)
    for x in [Double.nan, .infinity, -.infinity] {
      #expect(Elementary.sin(x).isNaN && Elementary.cos(x).isNaN)
    }
  }

  @Test func `the normal quantile agrees with GSL to 2e-15`() {
    var worst = 0.0
    var tails = arguments(from: -740, to: -0.7).map { Foundation.exp($0) }
    tails += arguments(from: 0.0001, to: 0.9999)
    for p in tails where p != 0.5 {
      let expected = gsl_cdf_ugaussian_Pinv(p)
      worst = max(worst, abs(Elementary.normalQuantile(p) / expected - 1))
    }
    #expect(worst < 2e-15)
    #expect(Elementary.normalQuantile(0.5) == 0)
    #expect(Elementary.normalQuantile(0) == -.infinity)
    #expect(Elementary.normalQuantile(1) == .infinity)
    #expect(Elementary.normalQuantile(-0.1).isNaN && Elementary.normalQuantile(.nan).isNaN)
  }

  @Test func `results have the bits they had on the machine where this was written`() {
    var hash: UInt64 = 0
    for x in arguments(from: -700, to: 700) {
      for y in [
        Elementary.log(abs(x)), Elementary.exp(x), Elementary.sin(x), Elementary.cos(x),
        Elementary.log1p(abs(x)), Elementary.normalQuantile(x / 1400 + 0.5),
      ] {
        hash = avalanche(hash ^ y.bitPattern)
      }
    }
    #expect(hash == 1_988_347_729_306_173_281)
  }
}

/// How many doubles lie between two; 0 when they are the same.
private func unitsApart(_ a: Double, _ b: Double) -> UInt64 {
  func rank(_ x: Double) -> Int64 {
    let bits = Int64(bitPattern: x.bitPattern)
    return bits < 0 ? Int64.min &- bits : bits
  }
  guard !a.isNaN, !b.isNaN else { return a.isNaN == b.isNaN ? 0 : .max }
  return rank(a).subtractingReportingOverflow(rank(b)).partialValue.magnitude
}

/// Arguments spread evenly but for a random displacement, from a fixed seed.
private func arguments(from low: Double, to high: Double, count: Int = 20_000) -> [Double] {
  var stream = RandomStream(seed: 7, owner: stableHash("arguments"), purpose: 0)
  return (0..<count).map { low + (high - low) * ((Double($0) + stream.unit()) / Double(count)) }
}

private func nearOne() -> [Double] {
  let distances = arguments(from: -36, to: -0.7).map { Foundation.exp($0) }
  return distances.map { 1 + $0 } + distances.map { 1 - $0 }
}

private func subnormals() -> [Double] {
  var stream = RandomStream(seed: 8, owner: stableHash("subnormals"), purpose: 0)
  return (0..<5_000).map { _ in Double(bitPattern: stream.next() >> 12 | 1) }
}
