import Foundation
import Observations
import Runs
import Timekeeping
import Verdicts

/// Limits, objectives and latencies of the sample.
extension SampleRun {
  static let brokenLimits = [
    LimitResult(
      id: "KK-14", domain: "kantine-koning",
      statement: "At most 5 teams in total per user, over all tenants.",
      source: "§Multi-tenant, §Troubleshooting", exercised: 12_480, undecided: 12, violations: 3,
      verdict: .fail,
      reason: nil,
      evidence: [
        .init(
          what:
            "a sixth team was registered: six (tenant, team) pairs are active for one hardware identifier",
          replication: 3, seed: 4_354_685_564_936_845_356, time: starts + .seconds(20_527),
          who: "kantine-koning/2/phone-0417",
          command: "rehearse trace scenarios/saturday.yaml --seed 1 --replication 4 "
            + "--person kantine-koning/2/phone-0417"),
        .init(
          what:
            "a sixth team was registered: seven (tenant, team) pairs are active for one hardware identifier",
          replication: 11, seed: 15_604_290_607_690_362_560, time: starts + .seconds(31_003),
          who: "kantine-koning/0/phone-1190",
          command: "rehearse trace scenarios/saturday.yaml --seed 1 --replication 12 "
            + "--person kantine-koning/0/phone-1190"),
      ]),
    LimitResult(
      id: "KK-52", domain: "kantine-koning",
      statement: "`updated_at` strictly increases with every mutation.",
      source: "client (merge rule)", exercised: 204_112, violations: 41, verdict: .fail,
      reason: nil,
      evidence: [
        .init(
          what: "two changes of dienst-88 carry 2026-03-21T13:02:11.204Z", replication: 0,
          seed: 11_400_714_819_323_198_485, time: starts + .seconds(28_931),
          who: "kantine-koning/1/club-7",
          command: "rehearse trace scenarios/saturday.yaml --seed 1 --replication 1 "
            + "--person kantine-koning/1/phone-0033")
      ]),
  ]

  static let otherLimits: [LimitResult] = {
    let held: [(String, String, String, Int)] = [
      (
        "KK-03",
        "`device_id` identifies an enrollment, not a phone; it is unique within its tenant.",
        "§Enrollment Complexity", 181_220
      ),
      (
        "KK-16", "Cross-tenant look-ups use hardware identifier + `status = active`.",
        "§Backend Enrollment Storage", 96_034
      ),
      (
        "KK-23",
        "`enrollment_open = false`: O1, O2 and O3 are refused; existing enrollments keep working.",
        "§Backend integratie", 3_870
      ),
      ("KK-31", "An enrollment token works once; the second use is refused.", "client", 14_820),
      (
        "KK-34", "Every call uses the token of the enrollment it is about, never a global one.",
        "§Auth Token Strategy", 2_114_870
      ),
      (
        "KK-39", "An expired token gives 401; the remedy is a new enrollment.",
        "§Common Configuration Mistakes", 12
      ),
      ("KK-45", "Default window: 365 days back.", "§Diensten en vrijwilligers", 1_880_214),
      ("KK-46", "Default window: 60 days ahead.", "§Diensten en vrijwilligers", 1_880_214),
      ("KK-56", "Names are added to future diensten only.", "§Troubleshooting", 402_118),
      ("KK-58", "A name has at most 15 characters.", "§Diensten en vrijwilligers", 402_118),
      ("KK-59", "No name twice on a dienst.", "§Diensten en vrijwilligers", 402_118),
      ("KK-60", "Names are trimmed and must not be empty.", "client", 402_118),
      (
        "KK-91", "A received push makes the phone refresh the list of diensten.",
        "§Push notificaties", 711_045
      ),
    ]
    let untried: [(String, String, String)] = [
      (
        "KK-05", "The identifier changes on a TestFlight ↔ App Store switch.",
        "no phone of this population changes its way of installation"
      ),
      (
        "KK-08", "Phones that only take App Store updates never lose an enrollment through KK-07.",
        "no update falls into the simulated day"
      ),
      (
        "KK-101",
        "A tenant board ranks the teams of one club; a global board ranks teams of all clubs.",
        "nobody opened a leaderboard"
      ),
      ("KK-106", "One point per hour of dienst.", "nobody opened a leaderboard"),
    ]
    let open = LimitResult(
      id: "KK-07", domain: "kantine-koning",
      statement:
        "When the app comes to the foreground with the new identifier, the active enrollments of the old "
        + "one are revoked within 1 hour.",
      source: "§identifierForVendor Behavior", exercised: 12, violations: 0, verdict: .inconclusive,
      reason:
        "12 tries are too few: the slowest allowed revocation would show in only half of such runs",
      evidence: [])
    return [open]
      + held.map {
        LimitResult(
          id: $0.0, domain: "kantine-koning", statement: $0.1, source: $0.2, exercised: $0.3,
          violations: 0, verdict: .pass, reason: nil, evidence: [],
          upperBound: rounded(1 - pow(0.05, 1 / Double($0.3))))
      }
      + untried.map {
        LimitResult(
          id: $0.0, domain: "kantine-koning", statement: $0.1,
          source: "§identifierForVendor Behavior",
          exercised: 0, violations: 0, verdict: .notExercised, reason: $0.2, evidence: [])
      }
  }()

  static let objectives = [
    ObjectiveResult(
      text: "p99 of kantine-koning.sync < 250ms", verdict: .pass, reason: nil, estimate: 0.187,
      interval: Bounds(low: 0.181, high: 0.194), bound: 0.25, unit: .seconds),
    ObjectiveResult(
      text: "p99 of kantine-koning.diensten < 300ms", verdict: .fail,
      reason: "the whole interval lies above the bound", estimate: 0.342,
      interval: Bounds(low: 0.331, high: 0.356), bound: 0.3, unit: .seconds,
      parts: LatencyParts(network: 0.251, waiting: 0.085, service: 0.006, other: 0)),
    ObjectiveResult(
      text: "errors of kantine-koning <= 2%", verdict: .pass, reason: nil, estimate: 0.0119,
      interval: Bounds(low: 0.0114, high: 0.0125), bound: 0.02, unit: .share),
    ObjectiveResult(
      text: "p90 of kantine-koning.identifierRevoked < 1h", verdict: .inconclusive,
      reason: "the interval lies across the bound", estimate: 2_940,
      interval: Bounds(low: 1_830, high: 4_120), bound: 3_600, unit: .seconds),
  ]

  static let latencies: [LatencyResult] = [
    ("allowedTeams", "Allowed teams of an address", 41_220, 0.058),
    ("requestEnrollment", "Request a magic link", 38_114, 0.071),
    ("register", "Register a device", 61_023, 0.084),
    ("sync", "Reconcile enrollments", 301_880, 0.047),
    ("status", "Enrollment status", 288_411, 0.033),
    ("tenants", "Tenant info", 190_220, 0.031),
    ("searchTeams", "Search teams", 70_128, 0.062),
    ("diensten", "Diensten of a tenant", 1_880_214, 0.079),
    ("addVolunteer", "Add a volunteer", 402_118, 0.066),
    ("removeVolunteer", "Remove a volunteer", 36_104, 0.061),
  ].map(latency)

  private static func latency(
    _ operation: String, _ title: String, _ count: Int, _ median: Double
  ) -> LatencyResult {
    // The quantile of a log-logistic distribution, which needs no more than a power.
    func seconds(_ share: Double) -> Double { rounded(median * pow(share / (1 - share), 0.31)) }
    let answered = operation == "register" ? 0.998 : 1
    let quantiles = [0.5, 0.9, 0.95, 0.99, 0.999].map { q -> Quantile in
      guard q < answered else {
        return Quantile(q: q, seconds: nil, interval: nil, longerThan: 59.9)
      }
      let value = seconds(q)
      let funnel = 0.01 + 0.12 * pow(q, 40)
      return Quantile(
        q: q, seconds: value,
        interval: Bounds(low: rounded(value * (1 - funnel)), high: rounded(value * (1 + funnel))))
    }
    let curve = (0...120).map { step -> CurvePoint in
      let share = rounded(1 - pow(10, -Double(step) * 5.2 / 120))
      return CurvePoint(share: share, seconds: seconds(max(0.001, min(share, 0.999_995))))
    }.filter { $0.share < answered }
    return LatencyResult(
      world: "kantine-koning", operation: operation, title: title, basis: .modelled, count: count,
      unanswered: Int((1 - answered) * Double(count)), cutOff: operation == "register" ? 3 : 0,
      quantiles: quantiles,
      answeredQuantiles: quantiles.map {
        $0.seconds == nil ? Quantile(q: $0.q, seconds: seconds($0.q), interval: nil) : $0
      },
      parts: [0.5, 0.95, 0.99].filter { $0 < answered }.map { q in
        let (whole, service) = (seconds(q), 0.0015)
        let network = rounded((whole - service) * (1 - q / 4))
        return QuantileParts(
          q: q,
          parts: LatencyParts(
            network: network, waiting: rounded(whole - service - network), service: service,
            other: 0))
      }, curve: curve,
      hgrm:
        "       Value     Percentile TotalCount 1/(1-Percentile)\n\n       0.058 0.500000000000      20610           2.00\n"
    )
  }

  static let business: [BusinessResult] = [
    business(
      "identifierRevoked", "Orphaned enrollment → revoked", count: 48, unfinished: 5, abandoned: 2,
      median: 1_460, open: 0.11, bound: 3_600, limit: "KK-07", verdict: .inconclusive, late: 11),
    business(
      "pushRefreshed", "Change of a dienst → phones show it", count: 402_118, unfinished: 214,
      abandoned: 9_120, median: 3.4, open: 0.0006, bound: nil, limit: nil, verdict: nil,
      notes: BusinessNotes(weight: .first, abandoned: "changes that a later one replaced")),
    business(
      "leaderboard", "Dienst ended → on the leaderboard", count: 8_214, unfinished: 0, abandoned: 0,
      median: 240, open: 0, bound: 900, limit: "KK-104", verdict: .pass, late: 331,
      notes: BusinessNotes(excuse: "it allows an hour to clubs that close their board")),
  ]

  private static func business(
    _ name: String, _ title: String, count: Int, unfinished: Int, abandoned: Int, median: Double,
    open: Double, bound: Double?, limit: String?, verdict: Verdict?, late: Int? = nil,
    notes: BusinessNotes = BusinessNotes()
  ) -> BusinessResult {
    let survival = (1...60).map { step -> CurvePoint in
      let seconds = rounded(median * pow(10, Double(step - 30) / 22))
      let ratio = pow(seconds / median, 2.4)
      return CurvePoint(share: rounded(max(open, 1 / (1 + ratio))), seconds: seconds)
    }
    let quantiles = [0.5, 0.9, 0.99].map { q -> Quantile in
      let value = rounded(median * pow(q / (1 - q), 1 / 2.4))
      return q < 1 - open
        ? Quantile(
          q: q, seconds: value,
          interval: Bounds(low: rounded(value * 0.94), high: rounded(value * 1.07)))
        : Quantile(q: q, seconds: nil, interval: nil, longerThan: survival.last?.seconds)
    }
    return BusinessResult(
      world: "kantine-koning", name: name, title: title, count: count, unfinished: unfinished,
      abandoned: abandoned, minimumSeconds: rounded(median / 10),
      meanSeconds: unfinished == 0 ? median : nil,
      maximumSeconds: unfinished == 0 ? rounded(median * 10) : nil, quantiles: quantiles,
      survival: survival, boundSeconds: bound,
      limit: limit, verdict: verdict, late: late, notes: notes,
      openSince: unfinished == 0
        ? []
        : [
          OpenSince(seconds: rounded(median * 2), count: unfinished - 2),
          OpenSince(seconds: rounded(median * 9), count: 2),
        ])
  }
}
