import Statistics
import Timekeeping

/// What a warm-up that the run chooses from its own course (MSER-5) does to intervals and verdicts, and how well batch means cover.
///
/// Response times of one server that is busy 90 % of the time, begun empty, as every replication does, or in its steady state.
public struct SettlingExperiment: Sendable {
  public let repetitions: Int
  public var replications = 20

  public init(repetitions: Int) { self.repetitions = repetitions }

  /// What is left out of each replication.
  public enum Choice: String, CaseIterable, Sendable {
    case nothing, automatic
    case quarter = "first quarter"
  }

  public struct Outcome: Sendable {
    /// Of the repetitions, how many intervals of the mean hold the steady state's.
    public var covered = 0.0
    /// Of the estimated mean, relative to the truth.
    public var bias = 0.0
    /// Of the gate on the 95th percentile at its true value.
    public var pass = 0.0
    public var fail = 0.0
    /// The share of the run that was left out.
    public var left = 0.0
  }

  /// Of one replication by slices: how many responses there were, their sum, and how many were above the true 95th percentile.
  private struct Course {
    var counts: [UInt64]
    var sums: [Double]
    var late: [UInt64]

    func total(from slice: Int) -> Total {
      Total(sum: sums[slice...].reduce(0, +), count: counts[slice...].reduce(0, +))
    }

    func lateCount(from slice: Int) -> LateCount {
      LateCount(late: late[slice...].reduce(0, +), requests: counts[slice...].reduce(0, +))
    }
  }

  private static let slices = 120
  private static let utilisation = 0.9
  private static let queue = Queueing.MM1(arrivalRate: utilisation, serviceRate: 1)

  /// - Parameter lasts: In mean services.
  private static func course(
    lasts: Double, isSettled: Bool, _ stream: inout RandomStream
  ) -> Course {
    var course = Course(
      counts: Array(repeating: 0, count: slices), sums: Array(repeating: 0, count: slices),
      late: Array(repeating: 0, count: slices))
    let bound = queue.responseQuantile(0.95)
    var wait =
      isSettled && stream.chance(utilisation) ? stream.exponential(mean: queue.meanResponse) : 0
    var now = 0.0
    while true {
      let gap = stream.exponential(mean: 1 / utilisation)
      now += gap
      guard now < lasts else { return course }
      wait = max(0, wait - gap)
      wait += stream.exponential(mean: 1)
      let slice = Int(now / lasts * Double(slices))
      course.counts[slice] += 1
      course.sums[slice] += wait
      if wait > bound { course.late[slice] += 1 }
    }
  }

  public func measure(lasts: Double, isSettled: Bool) -> [Choice: Outcome] {
    var stream = RandomStream(
      seed: 7, owner: stableHash("settling \(lasts) \(isSettled)"), purpose: UInt32(replications))
    var outcomes = [Choice: Outcome]()
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      let courses = (0..<replications).map { _ in
        Self.course(lasts: lasts, isSettled: isSettled, &stream)
      }
      for choice in Choice.allCases {
        let cut = Self.cut(choice, courses)
        let totals = courses.map { $0.total(from: cut) }
        var outcome = outcomes[choice] ?? Outcome()
        outcome.left += Double(cut) / Double(Self.slices) * weight
        if case .success(let interval) = Interval.ofReplications(totals),
          interval.contains(Self.queue.meanResponse)
        {
          outcome.covered += weight
        }
        if let mean = Total.all(totals).mean {
          outcome.bias += (mean / Self.queue.meanResponse - 1) * weight
        }
        let judgement = ExceedanceGate.judge(
          courses.map { $0.lateCount(from: cut) }, allowed: 0.05, minimum: replications)
        if judgement.decision == .pass { outcome.pass += weight }
        if judgement.decision == .fail { outcome.fail += weight }
        outcomes[choice] = outcome
      }
    }
    return outcomes
  }

  private static func cut(_ choice: Choice, _ courses: [Course]) -> Int {
    switch choice {
    case .nothing: return 0
    case .quarter: return slices / 4
    case .automatic:
      let means = (0..<slices).map { slice in
        let count = courses.reduce(0) { $0 + $1.counts[slice] }
        return courses.reduce(0) { $0 + $1.sums[slice] } / Double(max(1, count))
      }
      guard case .success(let found) = WarmUp.mser5(means), !found.eatsMoreThanHalf else {
        return 0
      }
      return found.truncated
    }
  }

  public struct Batched: Sendable {
    public var covered = 0.0
    public var warned = 0.0
    /// Of the repetitions without a warning.
    public var coveredUnwarned = 0.0
  }

  /// One long run, begun in its steady state.
  public func batchMeans(lasts: Double) -> Batched {
    var stream = RandomStream(seed: 8, owner: stableHash("batch means \(lasts)"), purpose: 0)
    var outcome = Batched()
    var unwarned = 0.0
    let weight = 1 / Double(repetitions)
    for _ in 0..<repetitions {
      let course = Self.course(lasts: lasts, isSettled: true, &stream)
      let slices = course.counts.indices.map {
        Total(sum: course.sums[$0], count: course.counts[$0])
      }
      guard case .success(let means) = BatchMeans.of([slices]) else { continue }
      let covers = means.interval.contains(Self.queue.meanResponse)
      if covers { outcome.covered += weight }
      if means.isCorrelated {
        outcome.warned += weight
      } else {
        unwarned += weight
        if covers { outcome.coveredUnwarned += weight }
      }
    }
    outcome.coveredUnwarned /= max(unwarned, weight)
    return outcome
  }

  func section() -> String {
    var table = Table(
      "A warm-up that the run chooses",
      "\(replications) replications, \(repetitions) repetitions: response times of M/M/1 at 0.9, begun empty or settled, for so many mean services. How often the 95 % interval of the mean holds that of the steady state, how biased the estimate is, how often the gate on the true 95th percentile passes and fails wrongly (nominally 2.5 % a side), and how much was left out: nothing, what MSER-5 chooses from the same data, a stated first quarter.",
      columns: [
        "begun", "lasts", "left out", "mean covered", "bias", "wrong pass", "wrong fail",
        "share left out",
      ])
    for isSettled in [false, true] {
      for lasts in [1_000.0, 2_000, 4_000, 16_000] {
        let outcomes = measure(lasts: lasts, isSettled: isSettled)
        for choice in Choice.allCases {
          guard let outcome = outcomes[choice] else { continue }
          table.add(
            isSettled ? "settled" : "empty", "\(Int(lasts))", choice.rawValue,
            Table.percent(outcome.covered), Table.percent(outcome.bias),
            Table.percent(outcome.pass), Table.percent(outcome.fail), Table.percent(outcome.left))
        }
      }
    }
    return table.text
  }

  func batchSection() -> String {
    var table = Table(
      "Batch means of one run",
      "One run of M/M/1 at 0.9, begun settled, \(repetitions) repetitions: how often the 95 % interval by twenty batches holds the mean, how often it warns of correlated batches, and how often it holds the mean where it does not warn.",
      columns: ["lasts, in mean services", "covered", "warned", "covered without a warning"])
    for lasts in [1_000.0, 4_000, 16_000, 64_000, 256_000] {
      let outcome = batchMeans(lasts: lasts)
      table.add(
        "\(Int(lasts))", Table.percent(outcome.covered), Table.percent(outcome.warned),
        Table.percent(outcome.coveredUnwarned))
    }
    return table.text
  }
}
