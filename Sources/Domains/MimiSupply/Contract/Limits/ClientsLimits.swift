import Contracts

extension MimiSupply {
  /// §4.13 Client behaviour demanded by the seed (implemented by simulated clients): MS-119 to MS-130.
  static let clientsLimits: [Limit] = [
    Limit(
      "MS-119",
      """
      Retries follow 7.2 (backoff, jitter, retry-after, attempt limit).
      """,
      source: "Seed (\"Retry mit Backoff\"), RetryManager.swift",
      keeper: .device),
    Limit(
      "MS-120",
      """
      Each error of 7.1 is answered by its documented handling.
      """,
      source: "Seed error tables",
      keeper: .device),
    Limit(
      "MS-121",
      """
      Degradation levels follow 7.4.
      """,
      source: "Seed (\"Graceful Degradation\"), GracefulDegradationService.swift",
      keeper: .device),
    Limit(
      "MS-122",
      """
      Cached partners and products serve reads while offline.
      """,
      source: "Seed (\"Lokales Caching mit CoreData\")",
      keeper: .device),
    Limit(
      "MS-123",
      """
      Circuit breakers follow 7.5.
      """,
      source: "CircuitBreaker.swift",
      keeper: .device),
    Limit(
      "MS-124",
      """
      Network loss switches to offline mode, reconnection starts synchronisation by \
      itself.
      """,
      source: "Seed, OfflineManager.swift",
      keeper: .device),
    Limit(
      "MS-125",
      """
      Writes of several records are batched into one request.
      """,
      source: "Seed \"Performance-Optimierungen\"",
      keeper: .device),
    Limit(
      "MS-126",
      """
      Predictive prefetch: after a partner list, products of the first 3 partners are \
      fetched (count: Assumption).
      """,
      source: "Seed",
      keeper: .device),
    Limit(
      "MS-127",
      """
      Background synchronisation runs at least 60 s after the previous one.
      """,
      source: "Seed; BackgroundTaskManager.swift (60 s)",
      keeper: .device),
    Limit(
      "MS-128",
      """
      Synchronisation priority: high = orders, payments, positions; medium = profiles, \
      product availability; low = analytics, ratings, images.
      """,
      source: "03_…",
      keeper: .device),
    Limit(
      "MS-129",
      """
      Three cache levels: memory, local store, CloudKit.
      """,
      source: "03_…",
      keeper: .device),
    Limit(
      "MS-130",
      """
      Rate budget on the client side as in 7.6, so that a well-behaved client never meets \
      MS-02.
      """,
      source: "RateLimiter.swift",
      keeper: .device),
  ]
}
