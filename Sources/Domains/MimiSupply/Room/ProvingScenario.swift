extension MimiSupplyBackend {
  /// A small city with many adversaries: every check of this room is tried in it.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-mimi-supply
    title: Every rule of MimiSupply tried in a small city
    starts: 2026-03-27T15:00 Europe/Berlin
    lasts: 6h
    seed: 7
    replications: 1
    worlds:
      - domain: mimi-supply
        regions: 1
        population: {customers: 60, partners: 6, drivers: 20, ordersPerDay: 1.5, newcomers: 10%, signInAtCheckout: 20%}
        parameters: {mischiefEvery: 1min, ownHours: 50%}
        adversaries: 5%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    exchange: 1h
    """
  }
}
