extension RandomStream {
  /// Draws a time from a distribution.
  package mutating func sample(_ distribution: Distribution) -> Span {
    switch distribution {
    case .constant(let span): span
    case .uniform(let from, let to): from + Span(seconds: (to - from).seconds * unit())
    case .exponential(let mean): mean
    case .lognormal(let median, _): median
    }
  }
}
