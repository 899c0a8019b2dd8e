extension RandomStream {
  /// A Poisson count, by inversion of one word: a larger word never gives a smaller count.
  ///
  /// - Complexity: O(mean) below a mean of 100, O(√mean) steps above: some microseconds at 10⁴.
  public mutating func poisson(mean: Double) -> Int {
    precondition(mean >= 0 && mean < .infinity, "a mean count is a finite number, not below 0")
    guard mean > 0 else { return invert { _ in 0 } }
    if mean < 100 { return invert(first: Elementary.exp(-mean)) { mean / Double($0 + 1) } }
    return invert(mode: Int(mean)) { mean / Double($0 + 1) }
  }

  /// A negative binomial count with the given mean and the variance mean + mean² / dispersion, by inversion of one word.
  ///
  /// It is a Poisson count whose mean varies by a gamma distribution of shape `dispersion`: small values cluster, large
  /// ones come close to Poisson.
  ///
  /// - Complexity: O(mean) steps, or O(standard deviation) where the count is unlikely to be near zero.
  public mutating func negativeBinomial(mean: Double, dispersion: Double) -> Int {
    precondition(mean >= 0 && mean < .infinity, "a mean count is a finite number, not below 0")
    precondition(dispersion > 0 && dispersion < .infinity, "a dispersion is a positive number")
    guard mean > 0 else { return invert { _ in 0 } }
    let share = mean / (mean + dispersion)
    let ratio = { (k: Int) in (Double(k) + dispersion) / Double(k + 1) * share }
    let logFirst = -dispersion * Elementary.log1p(mean / dispersion)
    if logFirst > -100 { return invert(first: Elementary.exp(logFirst), ratio) }
    return invert(mode: Int(mean * (dispersion - 1) / dispersion), ratio)
  }

  /// The number of failures before the first success, by inversion of one word.
  ///
  /// - Parameter success: Probability of a success, in 0..<1 without 0 itself, or 1.
  public mutating func geometric(success: Double) -> Int {
    precondition(success > 0 && success <= 1, "a success must be possible and no more than certain")
    let logFailures = Elementary.log1p(-unit())
    guard success < 1 else { return 0 }
    let count = logFailures / Elementary.log1p(-success)
    return count < 0x1p62 ? Int(count) : 1 << 62
  }

  /// Sums probabilities upwards from that of zero until they exceed a uniform deviate.
  ///
  /// - Parameters:
  ///   - first: The probability of zero; small but far from underflow.
  ///   - ratio: The probability of k + 1 over that of k.
  private mutating func invert(first: Double = 1, _ ratio: (Int) -> Double) -> Int {
    climb(to: unit(), from: 0, probability: first, ratio)
  }

  /// The same for counts whose probability of zero underflows: weights relative to the likeliest count, normalised by
  /// their sum. Weights below 2⁻⁶⁴ of the largest cannot move the result.
  private mutating func invert(mode: Int, _ ratio: (Int) -> Double) -> Int {
    let negligible = 0x1p-64
    var (lowest, lowestWeight, below) = (mode, 1.0, 0.0)
    while lowest > 0, lowestWeight > negligible {
      lowest -= 1
      lowestWeight /= ratio(lowest)
      below += lowestWeight
    }
    var (k, weight, above) = (mode, 1.0, 0.0)
    while weight > negligible {
      weight *= ratio(k)
      above += weight
      k += 1
    }
    let target = unit() * (below + 1 + above)
    return climb(to: target, from: lowest, probability: lowestWeight, ratio)
  }

  private func climb(
    to target: Double, from start: Int, probability: Double, _ ratio: (Int) -> Double
  ) -> Int {
    var (k, probability, sum) = (start, probability, probability)
    while sum <= target {
      let next = ratio(k)
      probability *= next
      // Rounding can keep the sum below the target for ever; where a term no longer counts, the tail has ended.
      if next < 1, sum + probability == sum { return k }
      sum += probability
      k += 1
    }
    return k
  }
}
