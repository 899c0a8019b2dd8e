extension ToyBackend {
  /// Two busy workshops in one region for half a day, with adversaries: every check is tried in them.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-toy
    title: Every rule of the workshop tried in a small world
    starts: 2026-03-21T08:00 Europe/Berlin
    lasts: 12h
    seed: 7
    replications: 1
    worlds:
      - domain: toy
        population: {workshops: 2, members: 20, tools: 25}
        parameters: {visitEvery: 20min, answerLost: 3%, mischiefEvery: 10min}
        adversaries: 10%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    """
  }
}
