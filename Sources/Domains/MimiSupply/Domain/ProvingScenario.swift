extension MimiSupplyBackend {
  /// A small city with many adversaries: every check of this domain is tried in it.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-mimi-supply
    title: Every rule of MimiSupply tried in a small city
    starts: 2026-03-27T17:00 Europe/Berlin
    lasts: 3h
    seed: 7
    replications: 1
    worlds:
      - domain: mimi-supply
        regions: 1
        population: {customers: 60, partners: 6, drivers: 20, ordersPerDay: 2, newcomers: 10%, signInAtCheckout: 20%, commuters: 3}
        parameters: {mischiefEvery: 40s, errandEvery: 1min, ownHours: 50%}
        adversaries: 5%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    exchange: 30min
    events:
      - {at: "17:00", do: mimi-supply.configure, with: {feePolicyEnforcement: true}}
      - {at: "17:30", do: mimi-supply.injectFault, with: {kind: zoneBusy, user: user-commuter-1-customer, until: "2026-03-27T16:42:00Z", retryAfter: 8s}}
      - {at: "17:30", do: mimi-supply.injectFault, with: {kind: serviceOutage, user: user-commuter-2-owner, until: "2026-03-27T17:00:00Z", retryAfter: 2s}}
      - {at: "18:00", do: mimi-supply.injectFault, with: {kind: answerLost, user: user-commuter-2-customer, until: "2026-03-27T17:10:00Z"}}
      - {at: "18:15", do: mimi-supply.injectFault, with: {kind: serviceOutage, user: user-commuter-3-customer, until: "2026-03-27T17:30:00Z", retryAfter: 1s}}
      - {at: "18:30", do: mimi-supply.injectFault, with: {kind: quota, user: user-commuter-1-customer, operation: requestUploads, count: 3}}
      - {at: "18:45", do: mimi-supply.injectFault, with: {kind: internalError, user: user-commuter-1-customer, count: 12}}
      - {at: "19:10", do: mimi-supply.injectFault, with: {kind: networkLoss, user: user-commuter-2-customer, until: "2026-03-27T18:22:00Z"}}
    """
  }
}
