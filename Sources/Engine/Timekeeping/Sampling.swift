extension RandomStream {
  /// Draws a time from a distribution, by inversion: one word of the stream a draw, none for a constant.
  ///
  /// A larger word never gives a shorter time, so two configurations that share their streams stay comparable.
  ///
  /// - Precondition: `distribution.problem` is `nil`.
  public mutating func sample(_ distribution: Distribution) -> Span {
    if let problem = distribution.problem { preconditionFailure(problem) }
    switch distribution {
    case .constant(let span):
      return span
    case .uniform(let from, let to):
      return from + Span(seconds: (to - from).seconds * unit())
    case .exponential(let mean):
      return Span(seconds: exponential(mean: mean.seconds))
    case .lognormal(let median, let p95):
      let sigma = Elementary.log(p95.seconds / median.seconds) / normalQuantile95
      return Span(seconds: lognormal(median: median.seconds, sigma: sigma))
    }
  }

  /// A standard normal deviate.
  public mutating func normal() -> Double { Elementary.normalQuantile(unit()) }

  /// A normal deviate by its mean and standard deviation.
  public mutating func normal(mean: Double, sigma: Double) -> Double { mean + sigma * normal() }

  /// An exponential deviate; the mean must not be negative.
  public mutating func exponential(mean: Double) -> Double {
    precondition(mean >= 0, "a mean waiting time cannot be negative")
    // The mirrored inversion, −log(1 − u), so that a larger word gives a longer time.
    return -mean * Elementary.log1p(-unit())
  }

  /// A log-normal deviate by its median and the standard deviation of its logarithm.
  public mutating func lognormal(median: Double, sigma: Double) -> Double {
    precondition(
      median > 0 && sigma >= 0, "a log-normal needs a positive median and no negative sigma")
    return median * Elementary.exp(sigma * normal())
  }
}

/// The standard normal deviate of 95 %.
private let normalQuantile95 = 1.6448536269514722

extension Distribution {
  /// Why nothing can be drawn from it, in words fit for the scenario's author; `nil` when all is well.
  public var problem: String? {
    switch self {
    case .constant(let span):
      span < .zero ? "a length of time cannot be negative" : nil
    case .uniform(let from, let to):
      if from < .zero {
        "a length of time cannot be negative"
      } else if to < from {
        "a uniform distribution ends before it begins"
      } else {
        nil
      }
    case .exponential(let mean):
      mean < .zero ? "a mean length of time cannot be negative" : nil
    case .lognormal(let median, let p95):
      if median <= .zero {
        "the median of a log-normal must be positive"
      } else if p95 < median {
        "a 95th percentile cannot be smaller than the median"
      } else {
        nil
      }
    }
  }
}
