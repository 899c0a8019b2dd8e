import Contracts
import Foundation
import Runs
import Scenarios
import Timekeeping
import Verdicts

/// A run made up by hand, with something of everything that a report can show. Its figures come from closed forms
/// rounded to six digits, so that golden files are the same on every machine.
enum SampleRun {
  static let starts = CivilZone.amsterdam.instant(
    CivilTime(date: CivilDate(year: 2026, month: 3, day: 21), timeOfDay: .hours(6)))

  static let failing = Run(
    scenario: scenario, seed: 1, digest: digest(of: replications), verdict: .fail,
    exitCode: 99, method: method, interrupted: false, persons: 248_120, requests: 3_481_960,
    virtualSeconds: 64_800, replications: replications, limits: brokenLimits + otherLimits,
    objectives: objectives, latencies: latencies, business: business, refusals: refusals,
    unknowns: unknowns,
    journeys: JourneyCounts(begun: 1_204_331, completed: 1_198_870, ended: 5_461), load: [load],
    machine: machine,
    looks: Looks(made: [20], planned: 2, ended: .cannotPass), funnel: funnel, unsents: unsents,
    flows: [flow])

  /// The passing run, slower than its baseline in one operation.
  static let slower: Run = {
    var run = passing
    let baseline = MadeUp.run(digest: "before", own: 0.002)
    let now = MadeUp.run(
      digest: "after", factors: ["sync": 1.12], own: 0.002,
      limits: [.init(id: "L-1", verdict: .notExercised)])
    run.comparison = RunComparison(of: now, with: baseline)
    run.exitCode = 97
    return run
  }()

  /// The same run without what broke.
  static let passing: Run = {
    var run = failing
    run.verdict = .pass
    run.exitCode = 0
    run.limits = otherLimits.filter { $0.verdict != .inconclusive }
    run.objectives = objectives.filter { $0.verdict == .pass }
    return run
  }()

  /// As large as the main scenario: three backends, four hundred rules, seven objectives, and a flow with every reason.
  static let city: Run = {
    var run = failing
    let names = ["kantine-koning", "mimi-supply", "kilwinning"]
    run.scenario.title = "Match Saturday at forty clubs, a city that eats, and two lodges"
    run.scenario.worlds = names.map { name in
      var world = failing.scenario.worlds[0]
      world.domain = name
      return world
    }
    run.load = names.map { name in
      var series = failing.load[0]
      series.world = name
      return series
    }
    let decided = otherLimits.filter { $0.verdict != .inconclusive }
    run.limits += (0..<400).map { place in
      var limit = decided[place % decided.count]
      limit.domain = names[place % 3]
      limit.theme = "Theme \(place / 3 % 9)"
      limit.id = "R-\(place)"
      return limit
    }
    run.objectives += failing.objectives.prefix(3).map { objective in
      var objective = objective
      objective.text = objective.text.replacing("kantine-koning.", with: "kilwinning.")
      return objective
    }
    let reasons: [FlowResult.Loss] = [
      .init(reason: "cancelled by the shop", cause: .population, count: 6_650),
      .init(reason: "not accepted in time", cause: .population, count: 6_320),
      .init(reason: "cancelled by the customer", cause: .population, count: 710),
      .init(reason: "not paid in time", cause: .population, count: 650),
      .init(reason: "payment refused", cause: .model, count: 250),
      .init(reason: "no driver found", cause: .backend, count: 500),
    ]
    func flow(_ world: String, _ things: String, of all: Int, _ steps: [(String, Int)])
      -> FlowResult
    {
      var left = all
      return FlowResult(
        world: world, things: things,
        steps: steps.map { title, count in
          let losses = Array(reasons.suffix(count))
          let step = FlowResult.Step(
            title: title, reached: left, losses: losses, open: count == 0 ? left : 120)
          left -= losses.reduce(step.open) { $0 + $1.count }
          return step
        })
    }
    run.flows += [
      flow(
        names[1], "orders", of: 46_090,
        [("created", 6), ("accepted", 4), ("with a driver", 2), ("delivered", 0)]),
      flow(
        names[2], "presences set without network", of: 4_780,
        [("confirmed", 3), ("synchronised", 0)]),
    ]
    return run
  }()

  /// A run that was over before it began.
  static let empty: Run = {
    var run = failing
    run.verdict = .notExercised
    run.persons = 0
    run.requests = 0
    run.method = []
    run.replications = []
    run.digest = digest(of: [])
    run.limits = []
    run.objectives = []
    run.latencies = []
    run.business = []
    run.refusals = []
    run.unknowns = []
    run.unsents = []
    run.load = []
    run.funnel = []
    run.flows = []
    run.journeys = JourneyCounts(begun: 0, completed: 0, ended: 0)
    run.machine.inProcess = []
    run.scenario.worlds = []
    run.scenario.events = []
    run.scenario.faults = []
    return run
  }()

  /// The failing run with one text wherever a text from outside can stand.
  static func naming(_ text: String) -> Run {
    var run = failing
    run.digest = text
    run.method = [text]
    run.scenario.name = text
    run.scenario.title = text
    run.scenario.digest = text
    run.scenario.file = text
    run.scenario.worlds[0].domain = text
    run.scenario.worlds[0].differing = [.init(name: text, value: text, standard: text)]
    run.scenario.events = [
      ScheduledEvent(
        at: starts, domain: text, command: text, parameters: [text: .string(text)], line: 1),
      ScheduledEvent(
        at: starts, domain: text, command: text, parameters: [:], note: text, line: 2),
    ]
    run.load[0].world = text
    run.flows[0].world = text
    run.flows[0].things = text
    for step in run.flows[0].steps.indices {
      run.flows[0].steps[step].title = text
      for loss in run.flows[0].steps[step].losses.indices {
        run.flows[0].steps[step].losses[loss].reason = text
      }
    }
    for index in run.limits.indices {
      run.limits[index].id = text
      run.limits[index].domain = text
      run.limits[index].theme = text
      run.limits[index].statement = text
      run.limits[index].source = text
      run.limits[index].reason = text
      run.limits[index].evidence = [
        .init(what: text, replication: 0, seed: 1, time: starts, who: text, command: text)
      ]
    }
    for index in run.objectives.indices {
      run.objectives[index].text = text
      run.objectives[index].reason = text
    }
    for index in run.latencies.indices {
      run.latencies[index].world = text
      run.latencies[index].operation = text
      run.latencies[index].title = text
    }
    for index in run.business.indices {
      run.business[index].world = text
      run.business[index].name = text
      run.business[index].title = text
      run.business[index].limit = text
    }
    run.refusals = [Tally(world: text, operation: text, code: text, count: 1)]
    run.unknowns = run.refusals
    run.unsents = run.refusals
    for place in run.funnel.indices {
      run.funnel[place].world = text
      run.funnel[place].role = text + (place == 0 ? "" : "2")
      for step in run.funnel[place].steps.indices {
        run.funnel[place].steps[step].operation = text
        run.funnel[place].steps[step].title = text
      }
    }
    run.replications[0].digest = text
    run.machine.cpu = text
    run.machine.version = text
    run.machine.commit = text
    run.machine.inProcess[0].world = text
    run.machine.inProcess[0].operation = text
    return run
  }

  /// The same with digests as files hold them.
  static func readable(_ run: Run) -> Run {
    var run = run
    run.scenario.digest = scenario.digest
    run.replications = Array(replications.prefix(run.replications.count))
    run.digest = digest(of: run.replications)
    return run
  }

  static func digest(of replications: [Replication]) -> String {
    Digest(folding: replications.compactMap { Digest(hexadecimal: $0.digest) }).hexadecimal
  }

  static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

extension SampleRun {
  private static let domain = "kantine-koning"

  private static let scenario = ScenarioSummary(
    name: "saturday", title: "Match Saturday at forty clubs",
    digest: "a81c02f4be9957d3106f2c7704d81e6a", file: "scenarios/saturday.yaml", starts: starts,
    zone: .amsterdam, lasts: .hours(18),
    worlds: [
      World(
        domain: domain, regions: 4, population: Settings([]), parameters: Settings([]),
        adversaries: 0.005,
        differing: [
          .init(name: "population.clubs", value: "40", standard: "4"),
          .init(name: "parameters.requestLost", value: "1%", standard: "0%"),
          .init(name: "adversaries", value: "0.5%", standard: "0%"),
        ])
    ],
    events: [
      ScheduledEvent(
        at: starts + .hours(4), domain: domain, command: "setEnrollmentOpen",
        parameters: ["club": "kantine-koning/1/club-3", "open": false], line: 18),
      ScheduledEvent(
        at: starts + .hours(9), domain: domain, command: "setEnrollmentOpen",
        parameters: ["club": "kantine-koning/1/club-3", "open": true], line: 19),
    ],
    faults: [
      Fault(
        from: starts + .hours(6), to: starts + .hours(6) + .minutes(20), domain: domain,
        kind: .answerLost, share: 0.2),
      Fault(
        from: starts + .hours(12), to: starts + .hours(12) + .minutes(40), domain: domain,
        kind: .delay(.milliseconds(400)), share: 1),
    ])

  private static let method = [
    "Every figure is estimated in each of 20 replications with seeds of their own and then across them; requests of "
      + "one replication are never taken for independent.",
    "An objective on a quantile is judged by the share of requests above its bound, with a skewness-adjusted t test "
      + "(Johnson 1978) at 95%.",
    "The first 0 s of each replication are left out as warm-up.",
    "Service model: 8 servers in each region, first come, first served; 0.4 ms a request, 4 µs a row read, 120 µs a "
      + "row written, 0.3 ms a message, 0.7 ms a signature.",
  ]

  private static let replications = (0..<20).map { index in
    let seed = UInt64(truncatingIfNeeded: index + 1) &* 0x9E37_79B9_7F4A_7C15
    var digest = Digest()
    digest.mix(seed)
    return Replication(
      index: index, seed: seed, digest: digest.hexadecimal,
      requests: 174_098 + (index * 7_919) % 611 - 305, persons: 12_406)
  }

  private static let machine = Machine(
    wallSeconds: 41.7, workers: 8, cpu: "AMD EPYC 7B13", version: "0.1.0", commit: "3f9d2c1",
    inProcess: [
      InProcessLatency(
        world: domain, operation: "sync", count: 31_204,
        quantiles: [(0.5, 0.0000041), (0.99, 0.0000187), (0.999, 0.000064)]),
      InProcessLatency(
        world: domain, operation: "diensten", count: 88_410,
        quantiles: [(0.5, 0.0000098), (0.99, 0.0000412), (0.999, 0.000131)]),
    ])

  private static let load: LoadSeries = {
    let slices = 216
    func wave(_ hour: Double, _ centre: Double, _ width: Double, _ height: Double) -> Double {
      height * Foundation.exp(-((hour - centre) * (hour - centre)) / (2 * width * width))
    }
    var series = LoadSeries(
      world: domain, slice: .minutes(5), requests: [], refused: [], lost: [])
    for slice in 0..<slices {
      let hour = 6 + Double(slice) / 12
      let ripple = 1 + 0.06 * Double((slice * 37) % 11 - 5) / 5
      let all =
        ripple
        * (1_500 + wave(hour, 9, 1.1, 22_000) + wave(hour, 13.2, 1.9, 31_000)
          + wave(hour, 18.5, 1.6, 12_000))
      let bad = hour >= 12 && hour < 12 + 1 / 3.0
      series.requests.append(Int(all))
      series.refused.append(Int(all * 0.024))
      series.lost.append(Int(all * (bad ? 0.21 : 0.011)))
      // Nobody was answered for a moment in the second fault.
      let isSilent = slice == 146
      series.p50.append(isSilent ? nil : rounded(0.058 + all / 2_000_000))
      series.p95.append(isSilent ? nil : rounded(0.19 + all / 400_000))
      series.p99.append(isSilent ? nil : rounded(0.29 + all / 200_000))
      for (values, intervals) in [
        (series.p50, \LoadSeries.p50Intervals), (series.p95, \LoadSeries.p95Intervals),
      ] {
        series[keyPath: intervals].append(
          values[slice].map { Bounds(low: rounded($0 * 0.93), high: rounded($0 * 1.09)) })
      }
    }
    return series
  }()

  private static let flow = FlowResult(
    world: domain, things: "enrollments",
    steps: [
      FlowResult.Step(
        title: "begun", reached: 66_120,
        losses: [
          FlowResult.Loss(reason: "refused by the club’s rules", cause: .backend, count: 3_204),
          FlowResult.Loss(reason: "without an answer", cause: .model, count: 512),
          FlowResult.Loss(reason: "given up", cause: .population, count: 1_140),
        ], open: 241),
      FlowResult.Step(
        title: "verified", reached: 61_023,
        losses: [
          FlowResult.Loss(reason: "refused by the club’s rules", cause: .backend, count: 2_909)
        ], open: 0),
      FlowResult.Step(title: "registered", reached: 58_114, losses: [], open: 58_114),
    ])

  private static let funnel = [
    FunnelResult(
      world: domain, role: "phone", persons: 246_880,
      steps: [
        step("sync", "Reconcile enrollments", 239_118, 238_977, 301_122, 300_004, 1_118),
        step("diensten", "Diensten of a tenant", 231_004, 230_990, 1_879_000, 1_840_112, 2_955),
        step("register", "Register a device", 61_023, 58_114, 61_023, 41_902, 18_938),
        step("addVolunteer", "Add a volunteer", 40_117, 40_101, 401_020, 369_114, 31_715),
      ]),
    FunnelResult(
      world: domain, role: "adversary", persons: 1_240,
      steps: [
        step("sync", "Reconcile enrollments", 1_240, 11, 758, 11, 747),
        step("addVolunteer", "Add a volunteer", 1_101, 0, 1_098, 0, 1_098),
      ]),
  ]

  private static func step(
    _ operation: String, _ title: String, _ asked: Int, _ got: Int, _ requests: Int,
    _ replied: Int, _ refused: Int
  ) -> FunnelResult.Step {
    FunnelResult.Step(
      operation: operation, title: title, asked: asked, got: got, requests: requests,
      replied: replied, refused: refused)
  }

  private static let refusals: [Tally] = [
    ("register", "invalid_or_expired_token", 14_820), ("addVolunteer", "volunteer_exists", 22_411),
    ("addVolunteer", "dienst_in_past", 9_304), ("register", "enrollment_limit_exceeded", 4_118),
    ("requestEnrollment", "enrollment_closed", 3_870), ("diensten", "tenant_mismatch", 2_955),
    ("sync", "token_revoked", 2_204), ("addVolunteer", "name_too_long", 1_877),
  ].map { Tally(world: domain, operation: $0.0, code: $0.1, count: $0.2) }

  private static let unknowns: [Tally] = [
    ("diensten", "timeout", 30_127), ("addVolunteer", "timeout", 6_511), ("sync", "timeout", 4_402),
    ("register", "reset", 318),
  ].map { Tally(world: domain, operation: $0.0, code: $0.1, count: $0.2) }

  private static let unsents: [Tally] = [
    ("diensten", "offline", 2_210), ("register", "connectionRefused", 102),
  ].map { Tally(world: domain, operation: $0.0, code: $0.1, count: $0.2) }
}
