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
        population: {customers: 60, partners: 6, drivers: 20, ordersPerDay: 1.5, newcomers: 10%, signInAtCheckout: 20%, commuters: 3}
        parameters: {mischiefEvery: 1min, errandEvery: 2min, ownHours: 50%}
        adversaries: 5%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    exchange: 1h
    events:
      - {at: "15:00", do: mimi-supply.configure, with: {feePolicyEnforcement: true}}
      - {at: "16:00", do: mimi-supply.injectFault, with: {kind: zoneBusy, user: user-commuter-1-customer, until: "2026-03-27T15:12:00Z", retryAfter: 8s}}
      - {at: "16:00", do: mimi-supply.injectFault, with: {kind: serviceOutage, user: user-commuter-2-owner, until: "2026-03-27T15:30:00Z", retryAfter: 2s}}
      - {at: "17:00", do: mimi-supply.injectFault, with: {kind: answerLost, user: user-commuter-2-customer, until: "2026-03-27T16:10:00Z"}}
      - {at: "17:30", do: mimi-supply.injectFault, with: {kind: serviceOutage, user: user-commuter-3-customer, until: "2026-03-27T16:45:00Z", retryAfter: 1s}}
      - {at: "18:00", do: mimi-supply.injectFault, with: {kind: quota, user: user-commuter-1-customer, operation: requestUploads, count: 3}}
      - {at: "18:30", do: mimi-supply.injectFault, with: {kind: internalError, user: user-commuter-1-customer, count: 12}}
      - {at: "19:00", do: mimi-supply.injectFault, with: {kind: networkLoss, user: user-commuter-2-customer, until: "2026-03-27T18:12:00Z"}}
    """
  }
}
