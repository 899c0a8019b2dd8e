/// A distribution of times that a scenario or a domain can name; `sample(from:)` draws by inversion.
public enum Distribution: Hashable, Sendable {
  case constant(Span)
  case uniform(from: Span, to: Span)
  case exponential(mean: Span)
  /// Log-normal by its median and its 95th percentile.
  case lognormal(median: Span, p95: Span)
}
