extension Elementary {
  /// The sine of an angle in radians, within 0.8 units in the last place for every finite angle; NaN otherwise.
  public static func sin(_ x: Double) -> Double {
    if x.magnitude < 0x1p-27 { return x }
    guard x.magnitude < .infinity else { return .nan }
    let angle = reduced(x)
    let value = angle.quadrant & 1 == 0 ? sineNearZero(angle) : cosineNearZero(angle)
    return angle.quadrant & 2 == 0 ? value : -value
  }

  /// The cosine of an angle in radians, within 0.8 units in the last place for every finite angle; NaN otherwise.
  public static func cos(_ x: Double) -> Double {
    guard x.magnitude < .infinity else { return .nan }
    let angle = reduced(x)
    let value = angle.quadrant & 1 == 0 ? cosineNearZero(angle) : sineNearZero(angle)
    return (angle.quadrant &+ 1) & 2 == 0 ? value : -value
  }

  /// An angle as so many right angles and a rest of at most half a right angle, which is `rest` + `low`.
  private struct Reduced {
    var quadrant: Int64
    var rest: Double
    var low: Double
  }

  private static func reduced(_ x: Double) -> Reduced {
    if x.magnitude <= 0.785 { return Reduced(quadrant: 0, rest: x, low: 0) }
    if x.magnitude <= 1_500_000 { return subtractingRightAngles(x) }
    var angle = multiplyingByInverse(x.magnitude)
    if x < 0 {
      angle.quadrant = -angle.quadrant
      angle.rest = -angle.rest
      angle.low = -angle.low
    }
    return angle
  }

  /// Subtracts k·π/2 with π/2 in four parts: three of 33 bits, exact when multiplied by k below 2²⁰, and a remainder. The
  /// error is below 2⁻¹³⁰, whereas no double up to 1.5e6 comes nearer than 2⁻⁶⁰ to a multiple of π/2.
  ///
  /// - Source: W. J. Cody, W. Waite, "Software Manual for the Elementary Functions", 1980, chapter 8.
  private static func subtractingRightAngles(_ x: Double) -> Reduced {
    let k = nearestInteger(x * 0x1.45f306dc9c883p-1)
    let first = x - k * 0x1.921fb544p+0
    let (second, lostSecond) = exactDifference(first, k * 0x1.0b4611a6p-34)
    let (third, lostThird) = exactDifference(second, k * 0x1.3198a2ep-69)
    let low = (lostSecond + lostThird) - k * 0x1.b839a252049c1p-104
    let rest = third + low
    return Reduced(quadrant: Int64(k), rest: rest, low: (third - rest) + low)
  }

  private static func exactDifference(_ a: Double, _ b: Double) -> (high: Double, low: Double) {
    let difference = a - b
    let bSeen = a - difference
    let aSeen = difference + bSeen
    return (difference, (a - aSeen) - (b - bSeen))
  }

  /// Multiplies by 2/π in whole numbers, of which only the 192 bits matter that reach the last quadrant and below.
  ///
  /// - Source: M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions",
  ///   ACM SIGNUM Newsletter 18 (1983), 19–24.
  private static func multiplyingByInverse(_ x: Double) -> Reduced {
    let exponent = Int(x.bitPattern >> 52) - 1_075
    let mantissa = x.bitPattern & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000
    // Bits of 2/π from weight 2^(1 − exponent) on: those above it add whole turns. One zero word stands in front.
    let start = 64 + exponent - 2
    let window = (word(at: start), word(at: start + 64), word(at: start + 128))

    let low = mantissa.multipliedFullWidth(by: window.2)
    let middle = mantissa.multipliedFullWidth(by: window.1)
    let (word1, carry) = middle.low.addingReportingOverflow(low.high)
    let word0 = mantissa &* window.0 &+ middle.high &+ (carry ? 1 : 0)

    // Two bits of quadrant, then the fraction of a right angle, rounded to the nearer quadrant.
    var quadrant = Int64(word0 >> 62)
    var fraction = UInt128(word0 << 2 | word1 >> 62) << 64 | UInt128(word1 << 2 | low.low >> 62)
    let roundsUp = fraction >> 127 == 1
    if roundsUp {
      quadrant += 1
      fraction = 0 &- fraction
    }
    let (rest, restLow) = timesRightAngle(fraction)
    return roundsUp
      ? Reduced(quadrant: quadrant, rest: -rest, low: -restLow)
      : Reduced(quadrant: quadrant, rest: rest, low: restLow)
  }

  /// A fraction in units of 2⁻¹²⁸ times π/2.
  private static func timesRightAngle(_ fraction: UInt128) -> (high: Double, low: Double) {
    let zeros = fraction.leadingZeroBitCount
    let aligned = fraction << UInt128(zeros)
    let scale = Double(sign: .plus, exponent: -zeros, significand: 1)
    let high = Double(UInt64(aligned >> 75)) * 0x1p-53 * scale
    let low = Double(UInt64(truncatingIfNeeded: aligned >> 11)) * 0x1p-117 * scale
    let (product, lost) = exactProduct(high, 0x1.921fb54442d18p+0)
    let rest = lost + (high * 0x1.1a62633145c07p-54 + low * 0x1.921fb54442d18p+0)
    let sum = product + rest
    return (sum, (product - sum) + rest)
  }

  /// 64 bits of zero-prefixed 2/π, from a bit position on.
  private static func word(at bit: Int) -> UInt64 {
    let (index, shift) = (bit / 64, UInt64(bit % 64))
    let first = Self.inversePi[index] << shift
    return shift == 0 ? first : first | Self.inversePi[index + 1] >> (64 - shift)
  }

  /// 2/π in 64-bit words after a word of zero; enough for the largest double.
  private static let inversePi: [UInt64] = [
    0, 0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0, 0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561, 0xb724_6e3a_424d_d2e0, 0x0649_2eea_09d1_921c, 0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484, 0xe99c_7026_b45f_7e41, 0x3991_d639_8353_39f4, 0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f, 0xef2f_118b_5a0a_6d1f, 0x6d36_7ecf_27cb_09b7, 0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b, 0x3d07_39f7_8a52_92ea, 0x6bfb_5fb1_1f8d_5d08, 0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
  ]

  private static func sineNearZero(_ angle: Reduced) -> Double {
    let r = angle.rest
    let z = r * r
    var series = -1.0 / 121_645_100_408_832_000
    series = series * z + 1.0 / 355_687_428_096_000
    series = series * z - 1.0 / 1_307_674_368_000
    series = series * z + 1.0 / 6_227_020_800
    series = series * z - 1.0 / 39_916_800
    series = series * z + 1.0 / 362_880
    series = series * z - 1.0 / 5_040
    series = series * z + 1.0 / 120
    series = series * z - 1.0 / 6
    return r + (series * z * r + angle.low * (1 - 0.5 * z))
  }

  private static func cosineNearZero(_ angle: Reduced) -> Double {
    let r = angle.rest
    let z = r * r
    var series = -1.0 / 6_402_373_705_728_000
    series = series * z + 1.0 / 20_922_789_888_000
    series = series * z - 1.0 / 87_178_291_200
    series = series * z + 1.0 / 479_001_600
    series = series * z - 1.0 / 3_628_800
    series = series * z + 1.0 / 40_320
    series = series * z - 1.0 / 720
    series = series * z + 1.0 / 24
    let half = 0.5 * z
    let sum = 1 - half
    return sum + (((1 - sum) - half) + (series * z * z - r * angle.low))
  }
}
