import Timekeeping

/// Whether two objectives of one subject can never hold together: what is bounded below lies at or above what is
/// bounded above, where a higher quantile is at least as long as a lower one, and a share over a short time at least as large as
/// one over a long time.
func contradict(_ a: Objective, _ b: Objective) -> Bool {
  guard a.domain == b.domain, a.subject == b.subject, a.window == b.window,
    a.comparison.isUpperBound != b.comparison.isUpperBound
  else { return false }
  let (upper, lower) = a.comparison.isUpperBound ? (a, b) : (b, a)
  let bounds = (lower: lower.bound, upper: upper.bound)
  let isStrict = lower.comparison == .greater || upper.comparison == .less
  func crosses() -> Bool {
    bounds.lower == bounds.upper ? isStrict : bounds.lower > bounds.upper
  }
  switch (lower.measure, upper.measure) {
  case (.quantile(let low), .quantile(let high)): return low <= high && crosses()
  case (.share(let long), .share(let short)): return short <= long && crosses()
  case (.quantile(let q), .share(let over)):
    // At least 1 − q of all take longer than the one bound, and less than so many may take longer than the other.
    return over.seconds <= bounds.lower && bounds.upper < 1 - q
  case (.share(let over), .quantile(let q)):
    return bounds.upper <= over.seconds && 1 - q < bounds.lower
  case (.mean, .mean), (.errors, .errors), (.rate, .rate), (.count, .count): return crosses()
  default: return false
  }
}
