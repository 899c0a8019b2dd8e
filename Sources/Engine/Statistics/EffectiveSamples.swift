/// How many independent observations a correlated series is worth for its mean.
public enum EffectiveSamples {
  /// The length of a series divided by its integrated autocorrelation time; never more than the length.
  ///
  /// Autocovariances are summed in pairs of neighbouring lags for as long as the pairs stay positive: beyond that they are noise.
  ///
  /// - Parameter series: Stationary observations in time order, such as response times after warm-up.
  /// - Returns: Too few below ten observations; the length itself where all are equal or follow at random.
  /// - Complexity: O(n · correlation length).
  /// - Source: C. J. Geyer, "Practical Markov chain Monte Carlo", Statistical Science 7 (1992), 473–483, section 3.3.
  public static func ofSeries(_ series: [Double]) -> Result<Double, TooFew> {
    let n = series.count
    guard n >= 10, let summary = Summary(series) else {
      return .failure(TooFew(have: n, need: 10))
    }
    let deviations = series.map { $0 - summary.mean }
    func covariance(_ lag: Int) -> Double {
      (0..<n - lag).reduce(0) { $0 + deviations[$1] * deviations[$1 + lag] } / Double(n)
    }
    let variance = covariance(0)
    guard variance > 0 else { return .success(Double(n)) }
    var time = -1.0
    for lag in stride(from: 0, to: n - 1, by: 2) {
      let pair = covariance(lag) + covariance(lag + 1)
      guard pair > 0 else { break }
      time += 2 * pair / variance
    }
    return .success(Double(n) / max(1, time))
  }
}
