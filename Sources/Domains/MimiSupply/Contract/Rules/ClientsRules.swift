import Contracts

extension MimiSupply.Rule {
  /// §4.13 Client behaviour demanded by the seed (implemented by simulated clients): MS-119 to MS-130.
  static let clients = Theme<Self>([
    .ms119: Stated(
      "Retries follow 7.2 (backoff, jitter, retry-after, attempt limit).",
      source: "Seed (\"Retry mit Backoff\"), RetryManager.swift", keeper: .device),
    .ms120: Stated(
      "Each error of 7.1 is answered by its documented handling.", source: "Seed error tables",
      keeper: .device),
    .ms121: Stated(
      "Degradation levels follow 7.4.",
      source: "Seed (\"Graceful Degradation\"), GracefulDegradationService.swift", keeper: .device),
    .ms122: Stated(
      "Cached partners and products serve reads while offline.",
      source: "Seed (\"Lokales Caching mit CoreData\")", keeper: .device),
    .ms123: Stated("Circuit breakers follow 7.5.", source: "CircuitBreaker.swift", keeper: .device),
    .ms124: Stated(
      "Network loss switches to offline mode, reconnection starts synchronisation by itself.",
      source: "Seed, OfflineManager.swift", keeper: .device),
    .ms125: Stated(
      "Writes of several records are batched into one request.",
      source: "Seed \"Performance-Optimierungen\"", keeper: .device),
    .ms126: Stated(
      """
      Predictive prefetch: after a partner list, products of the first 3 partners are fetched \
      (count: Assumption).
      """, source: "Seed", keeper: .device),
    .ms127: Stated(
      "Background synchronisation runs at least 60 s after the previous one.",
      source: "Seed; BackgroundTaskManager.swift (60 s)", keeper: .device),
    .ms128: Stated(
      """
      Synchronisation priority: high = orders, payments, positions; medium = profiles, product \
      availability; low = analytics, ratings, images.
      """, source: "03_…", keeper: .device),
    .ms129: Stated(
      "Three cache levels: memory, local store, CloudKit.", source: "03_…", keeper: .device),
    .ms130: Stated(
      "Rate budget on the client side as in 7.6, so that a well-behaved client never meets MS-02.",
      source: "RateLimiter.swift", keeper: .device),
  ])
}
