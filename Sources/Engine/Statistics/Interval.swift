/// A range that covers the true value in a stated share of all repetitions.
public struct Interval: Hashable, Sendable {
  public let low: Double
  public let high: Double
  /// The share of repetitions that the procedure promises to cover, such as 0.95.
  public let confidence: Double

  public init(low: Double, high: Double, confidence: Double) {
    precondition(low <= high, "an interval ends before it begins")
    self.low = low
    self.high = high
    self.confidence = confidence
  }

  public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

/// There are too few observations for a number; `need` of them might do.
public struct TooFew: Error, Hashable, Sendable {
  public let have: Int
  public let need: Int

  public init(have: Int, need: Int) {
    self.have = have
    self.need = need
  }
}

extension Interval {
  /// The interval of the true mean that Student's t distribution gives.
  ///
  /// It assumes independent values that are nearly normal, as means over replications are. For skewed values it covers less than
  /// promised: about 90 % instead of 95 % for ten exponential ones. Equal values give an interval without width.
  ///
  /// - Parameters:
  ///   - values: One value per replication; fewer than two are too few.
  ///   - confidence: The share to cover, two-sided.
  /// - Source: Student, "The probable error of a mean", Biometrika 6 (1908), 1–25.
  public static func ofMean(_ values: [Double], confidence: Double = 0.95) -> Result<
    Interval, TooFew
  > {
    checkConfidence(confidence)
    guard let summary = Summary(values), let error = summary.standardError else {
      return .failure(TooFew(have: values.count, need: 2))
    }
    let t = Quantiles.studentT((1 + confidence) / 2, degrees: Double(values.count - 1))
    let reach = error == 0 ? 0 : t * error
    return .success(
      Interval(low: summary.mean - reach, high: summary.mean + reach, confidence: confidence))
  }

  static func checkConfidence(_ confidence: Double) {
    precondition(
      confidence > 0 && confidence < 1, "a confidence lies between 0 and 1, ends excluded")
  }
}
