extension KilwinningBackend {
  /// Some restless lodges for three weeks, with adversaries, much without network, and much lost: every check of this domain is tried in
  /// them.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-kilwinning
    title: Every rule of the lodge tried in a small world
    starts: 2025-10-06T06:00 Europe/Rome
    lasts: 21d
    seed: 7
    replications: 1
    worlds:
      - domain: kilwinning
        regions: 1
        population:
          lodges: 3
          fratelli: 12
          lodgesCountingAll: 30%
          lodgesWithOtherNames: 50%
          lodgesWithALimit: 60%
          widgets: 50%
        parameters:
          opensEvery: 30h
          mischiefEvery: 1h
          mistaken: 40%
          startsOffline: 20%
          losesNetwork: 10%
          outage: 2h
          logsOut: 10%
          guests: 15%
          promptSucceeds: 80%
          requestLost: 2%
          answerLost: 2%
        adversaries: 8%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    exchange: 7d
    """
  }
}
