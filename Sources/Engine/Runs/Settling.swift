import Observations
import Scenarios
import Statistics
import Timekeeping

/// How a run settled: how much of its beginning looks unlike the rest, how much of it was left out, and what its steady state is like.
public struct Settling: Hashable, Sendable {
  /// Whether the scenario leaves the choice to the run (`warmup: auto`).
  public var isAutomatic: Bool
  /// Of each replication, in seconds: what no response time and no business latency of the run is about.
  public var leftOut: Double
  /// How much MSER-5 would leave out, in seconds; `nil` where that cannot be told.
  public var advised: Double?
  /// Why it cannot.
  public var reason: String?
  /// How much larger the mean response time is with what would be left out: −0.1 is 10 % smaller.
  public var bias: Double?
  /// Of runs with too few replications for an interval, whose load is steady.
  public var steadyStates: [SteadyState]

  public init(
    isAutomatic: Bool, leftOut: Double, advised: Double?, reason: String? = nil,
    bias: Double? = nil, steadyStates: [SteadyState] = []
  ) {
    self.isAutomatic = isAutomatic
    self.leftOut = leftOut
    self.advised = advised
    self.reason = reason
    self.bias = bias
    self.steadyStates = steadyStates
  }
}

/// The mean response time of a world once it has settled, from the course of a few long replications (`BatchMeans`).
public struct SteadyState: Hashable, Sendable {
  public var world: String
  /// Over requests answered or given up.
  public var seconds: Double
  public var interval: Bounds
  public var batches: Int
  /// From one batch to the next.
  public var correlation: Double
  /// Too much of it: the interval is too short.
  public var isCorrelated: Bool

  public init(
    world: String, seconds: Double, interval: Bounds, batches: Int, correlation: Double,
    isCorrelated: Bool
  ) {
    self.world = world
    self.seconds = seconds
    self.interval = interval
    self.batches = batches
    self.correlation = correlation
    self.isCorrelated = isCorrelated
  }
}

/// Chooses what a run leaves out, and tells how it settled, from the load and the response times of its slices.
///
/// All replications together, in one look, before anything is judged. The beginning is told by the mean response time of each slice; where the
/// load itself varies after it, where it is half of the run or more, and where something is missing, nothing is chosen. Worlds
/// settle each for itself, and the slowest counts.
struct SettlingAnalysis {
  private let scenario: Scenario
  /// Of each world its load in each replication.
  private let loads: [(domain: String, replications: [LoadTally])]
  private let slice: Span
  /// Whole ones.
  private let slices: Int
  /// In slices; `nil` with a reason.
  private let beginning: Result<Int, Untold>

  struct Untold: Error, Equatable { let reason: String }

  init(_ scenario: Scenario, _ replications: [ReplicationResult], interrupted: Bool) {
    self.scenario = scenario
    loads = scenario.worlds.enumerated().map { index, world in
      (world.domain, replications.map { $0.worlds[index].load })
    }
    slice = loads.first?.replications.first?.slice ?? scenario.lasts
    slices = Int(scenario.lasts.nanoseconds / slice.nanoseconds)
    beginning = Self.beginning(loads, slices: slices, interrupted: interrupted)
  }

  /// Parts of the beginning that are left out because the run says so.
  var partsToLeaveOut: Int {
    guard scenario.isWarmUpAutomatic, case .success(let cut) = beginning else { return 0 }
    return cut / Beginning.slicesAPart
  }

  var settling: Settling {
    let leftOut =
      scenario.isWarmUpAutomatic
      ? slice * Int64(partsToLeaveOut * Beginning.slicesAPart) : scenario.warmup
    var settling = Settling(
      isAutomatic: scenario.isWarmUpAutomatic, leftOut: leftOut.seconds, advised: nil)
    switch beginning {
    case .failure(let untold): settling.reason = untold.reason
    case .success(let cut):
      settling.advised = (slice * Int64(cut)).seconds
      settling.bias = bias(of: cut)
      let from = max(cut, Int((leftOut.nanoseconds + slice.nanoseconds - 1) / slice.nanoseconds))
      settling.steadyStates = steadyStates(from: from)
    }
    return settling
  }

  // MARK: - The beginning

  private static func beginning(
    _ loads: [(domain: String, replications: [LoadTally])], slices: Int, interrupted: Bool
  ) -> Result<Int, Untold> {
    if interrupted { return .failure(Untold(reason: "the run was interrupted")) }
    guard slices >= WarmUp.fewest else {
      return .failure(
        Untold(
          reason: "the run has \(slices) slices of time, and \(WarmUp.fewest) are needed to tell"))
    }
    var longest = 0
    for (domain, replications) in loads {
      let name = loads.count > 1 ? " of \(domain)" : ""
      let totals = together(replications, slices: slices)
      let means = totals.compactMap(\.mean)
      guard means.count == slices else {
        return .failure(
          Untold(
            reason:
              "in \(slices - means.count) of \(slices) slices of time no request\(name) was made that has a response time"
          ))
      }
      guard case .success(let warmUp) = WarmUp.mser5(means) else { continue }
      // What is not settled by the middle may never be; whether the load is to blame, its second half tells.
      let cut = warmUp.eatsMoreThanHalf ? slices / 2 : warmUp.truncated
      let rest = (cut..<slices).map { slice in
        Double(replications.reduce(0) { $0 + $1.requests[slice] })
      }
      let unsteadiness = WarmUp.unsteadiness(rest)
      guard unsteadiness <= WarmUp.steady else {
        return .failure(
          Untold(
            reason:
              "the load\(name) varies: an eighth of the time has \(ObjectiveJudgement.percent(unsteadiness)) more or less of it than the rest, so that no beginning stands out"
          ))
      }
      guard !warmUp.eatsMoreThanHalf else {
        return .failure(
          Untold(reason: "response times\(name) had not settled by the middle of the run"))
      }
      longest = max(longest, warmUp.truncated)
    }
    return .success(longest)
  }

  /// Each slice over all replications.
  private static func together(_ replications: [LoadTally], slices: Int) -> [Total] {
    (0..<slices).map { slice in
      Total(
        sum: replications.reduce(0) { $0 + $1.waited[slice] },
        count: UInt64(replications.reduce(0) { $0 + $1.waits[slice] }))
    }
  }

  private func bias(of cut: Int) -> Double? {
    let worlds = loads.map { Self.together($0.replications, slices: slices) }
    let all = worlds.flatMap(\.self)
    let rest = worlds.flatMap { $0.dropFirst(cut) }
    guard cut > 0, let whole = Total.all(all).mean, let settled = Total.all(rest).mean, settled > 0
    else { return nil }
    return whole / settled - 1
  }

  // MARK: - The steady state

  private func steadyStates(from first: Int) -> [SteadyState] {
    guard let count = loads.first?.replications.count, count < Interval.fewestReplications else {
      return []
    }
    return loads.compactMap { domain, replications in
      let runs = replications.map { load in
        (first..<max(first, slices)).map {
          Total(sum: load.waited[$0], count: UInt64(load.waits[$0]))
        }
      }
      guard case .success(let means) = BatchMeans.of(runs) else { return nil }
      return SteadyState(
        world: domain, seconds: means.mean,
        interval: Bounds(low: max(0, means.interval.low), high: means.interval.high),
        batches: means.batches, correlation: means.correlation, isCorrelated: means.isCorrelated)
    }
  }
}
