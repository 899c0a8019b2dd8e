extension AgencyBackend {
  /// A small agency for a day and a half, with adversaries: every check is tried in it.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-asia-travel-plan
    title: Every rule of the agency tried in a small world
    starts: 2026-03-02T07:30 Asia/Ho_Chi_Minh
    lasts: 12h
    seed: 7
    replications: 1
    worlds:
      - domain: asia-travel-plan
        population: {agencies: 2, staff: 4, bookings: 60, activities: 2, tours: 8}
        parameters: {requestsPerDay: 60, newStaffEvery: 3h, signsOut: 50%, mischiefEvery: 4min}
        adversaries: 10%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    """
  }
}
