extension ToyBackend {
  /// One busy workshop for half a day, with an adversary: every check is tried in it.
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
        population: {workshops: 1, members: 20, tools: 25}
        parameters: {visitEvery: 20min, answerLost: 3%, mischiefEvery: 10min}
        adversaries: 10%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    """
  }
}
