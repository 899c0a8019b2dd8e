import Contracts

extension MimiSupply.Rule {
  /// §4.13 Client behaviour demanded by the seed (implemented by simulated clients): MS-119 to MS-130.
  static let clients = Theme<Self>([
    .ms119: "Retries follow 7.2 (backoff, jitter, retry-after, attempt limit)."
      .stated(in: "Seed (\"Retry mit Backoff\"), RetryManager.swift", keptBy: .device),
    .ms120: "Each error of 7.1 is answered by its documented handling."
      .stated(in: "Seed error tables", keptBy: .device),
    .ms121: "Degradation levels follow 7.4."
      .stated(
        in: "Seed (\"Graceful Degradation\"), GracefulDegradationService.swift",
        keptBy: .device),
    .ms122: "Cached partners and products serve reads while offline."
      .stated(in: "Seed (\"Lokales Caching mit CoreData\")", keptBy: .device),
    .ms123: "Circuit breakers follow 7.5.".stated(in: "CircuitBreaker.swift", keptBy: .device),
    .ms124: "Network loss switches to offline mode, reconnection starts synchronisation by itself."
      .stated(in: "Seed, OfflineManager.swift", keptBy: .device),
    .ms125: "Writes of several records are batched into one request."
      .stated(in: "Seed \"Performance-Optimierungen\"", keptBy: .device),
    .ms126: """
    Predictive prefetch: after a partner list, products of the first 3 partners are fetched \
    (count: Assumption).
    """.stated(in: "Seed", keptBy: .device),
    .ms127: "Background synchronisation runs at least 60 s after the previous one."
      .stated(in: "Seed; BackgroundTaskManager.swift (60 s)", keptBy: .device),
    .ms128: """
    Synchronisation priority: high = orders, payments, positions; medium = profiles, product \
    availability; low = analytics, ratings, images.
    """.stated(in: "03_…", keptBy: .device),
    .ms129: "Three cache levels: memory, local store, CloudKit."
      .stated(in: "03_…", keptBy: .device),
    .ms130: """
    Rate budget on the client side as in 7.6, so that a well-behaved client never meets MS-02.
    """.stated(in: "RateLimiter.swift", keptBy: .device),
  ])
}
