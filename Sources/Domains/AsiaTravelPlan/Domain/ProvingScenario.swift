extension AsiaTravelPlanBackend {
  /// A small agency for a day and the morning after, with adversaries: every check is tried in it.
  public var provingScenario: String {
    """
    rehearsal: 1
    name: prove-asia-travel-plan
    title: Every rule of the agency tried in a small world
    starts: 2026-03-02T07:30 Asia/Ho_Chi_Minh
    lasts: 26h
    seed: 7
    replications: 1
    worlds:
      - domain: asia-travel-plan
        population: {agencies: 2, staff: 4, bookings: 60, activities: 2, tours: 8}
        parameters: {requestsPerDay: 60, newStaffEvery: 3h, signsOut: 50%, oldApps: 15%, mischiefEvery: 4min}
        adversaries: 10%
    network: {latency: {lognormal: {median: 60ms, p95: 250ms}}}
    exchange: 1h
    events:
      - {at: "11:00", do: asia-travel-plan.configure, with: {forcesUpdate: true}}
      - {at: "11:45", do: asia-travel-plan.configure, with: {forcesUpdate: false, latestVersion: "0.9.0"}}
      - {at: "14:00", do: asia-travel-plan.configure, with: {latestVersion: null}}
      - {at: "15:00", do: asia-travel-plan.rotateKeys, with: {keepOld: false}}
    faults:
      - {from: "13:15", to: "14:00", on: asia-travel-plan, operation: bootstrap, kind: requestLost}
    """
  }
}
