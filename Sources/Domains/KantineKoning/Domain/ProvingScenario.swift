extension KantineKoningBackend {
  /// A small world with many adversaries, restless testers and people who remove and reset a lot, half of it without
  /// the backend (Q3): every check of this domain is tried in it.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-kantine-koning
    title: Every rule of Kantine Koning tried in a small world
    starts: 2026-03-21T06:00 Europe/Amsterdam
    lasts: 18h
    seed: 7
    replications: 1
    worlds:
      - domain: kantine-koning
        regions: 1
        population:
          clubs: 8
          neighbourhood: 4
          teamsPerClub: 9
          testerShare: 30%
          twoClubs: 40%
          clubsClosedForEnrollment: 50%
          clubsEndingSeason: 50%
          clubsOptedOut: 40%
          clubsWithCrew: 50%
          shiftsStruckOff: 80%
          onboardingShare: 20%
          dienstenChangedPerDay: 30
          testAlerts: 50%
        parameters:
          mischiefEvery: 10min
          testerSwitchesPerWeek: 3
          teamWithoutCode: 2%
          swipeDelete: 6%
          reset: 4%
          mailPreferences: 20%
        quirks: {Q3: on}
        adversaries: 5%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    service: {servers: 8, perRowRead: 4us}
    exchange: 15min
    """
  }
}
