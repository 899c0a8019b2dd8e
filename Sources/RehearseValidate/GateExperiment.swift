import Statistics
import Timekeeping

/// How often the gate for "p95 below a bound" decides, and wrongly, as the true share above the bound goes from far below the allowed to
/// far above it.
public struct GateExperiment: Sendable {
  public let repetitions: Int
  public var replications = 20

  public init(repetitions: Int) { self.repetitions = repetitions }

  public struct Rates: Sendable {
    /// The true share above the bound over the allowed one.
    public let factor: Double
    public var pass = 0.0
    public var fail = 0.0
  }

  public static let factors = [0.2, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3]
  private static let allowed = 0.05

  public func measure(_ traffic: Traffic) -> [Rates] {
    var stream = RandomStream(
      seed: 2, owner: stableHash("gate \(traffic.name)"), purpose: UInt32(replications))
    let bounds = Self.factors.map { traffic.bound(Self.allowed * $0) }
    var rates = Self.factors.map { Rates(factor: $0) }
    for _ in 0..<repetitions {
      var late = Array(repeating: [LateCount](), count: bounds.count)
      for _ in 0..<replications {
        let times = traffic.replication(&stream)
        for (place, bound) in bounds.enumerated() {
          late[place].append(Self.count(times, above: bound))
        }
      }
      for place in bounds.indices {
        let judgement = ExceedanceGate.judge(
          late[place], allowed: Self.allowed, minimum: min(20, replications))
        if judgement.decision == .pass { rates[place].pass += 1 / Double(repetitions) }
        if judgement.decision == .fail { rates[place].fail += 1 / Double(repetitions) }
      }
    }
    return rates
  }

  /// The same where an open question doubles the replications, up to eight times as many in four looks that share the error.
  public func measureDoubling(_ traffic: Traffic) -> [(rates: Rates, replications: Double)] {
    var stream = RandomStream(
      seed: 5, owner: stableHash("doubling \(traffic.name)"), purpose: UInt32(replications))
    let looks = [1, 2, 4, 8].map { $0 * replications }
    let confidence = (1 + ExceedanceGate.confidence(0.95, looks: looks.count)) / 2
    return Self.factors.map { factor in
      let bound = traffic.bound(Self.allowed * factor)
      var rates = Rates(factor: factor)
      var made = 0
      for _ in 0..<repetitions {
        var late: [LateCount] = []
        for look in looks {
          while late.count < look {
            late.append(Self.count(traffic.replication(&stream), above: bound))
          }
          let decision = ExceedanceGate.judge(
            late, allowed: Self.allowed, confidence: confidence, minimum: min(20, replications)
          ).decision
          if decision == .pass { rates.pass += 1 / Double(repetitions) }
          if decision == .fail { rates.fail += 1 / Double(repetitions) }
          if decision == .pass || decision == .fail { break }
        }
        made += late.count
      }
      return (rates, Double(made) / Double(repetitions))
    }
  }

  private static func count(_ times: [Double], above bound: Double) -> LateCount {
    LateCount(late: UInt64(times.count { $0 > bound }), requests: UInt64(times.count))
  }

  func doublingSection() -> String {
    var table = Table(
      "The gate with doubling",
      "The same with up to four looks, at \(replications), \(2 * replications), \(4 * replications) and \(8 * replications) replications, \(repetitions) repetitions: pass / fail, and the mean number of replications that it took.",
      columns: ["true share over allowed"] + Self.factors.map { "\($0)" })
    for traffic in [Traffic.exponential, .logNormal, .bimodal] {
      let found = measureDoubling(traffic)
      table.add(
        cells: [traffic.name]
          + found.map {
            "\(Table.percent($0.rates.pass)) / \(Table.percent($0.rates.fail)), \(Int($0.replications.rounded()))"
          })
    }
    return table.text
  }

  func section() -> String {
    var table = Table(
      "The gate \"p95 < bound\"",
      "\(replications) replications, \(repetitions) repetitions: pass / fail, the rest is inconclusive. In the first line 1 means that exactly the allowed 5 % of requests are above the bound: every decision there is a wrong one, nominally 2.5 % a side. Left of it a fail is wrong, right of it a pass.",
      columns: ["true share over allowed"] + Self.factors.map { "\($0)" })
    for traffic in [Traffic.exponential, .logNormal, .bimodal, .queue] {
      let rates = measure(traffic)
      table.add(
        cells: [traffic.name]
          + rates.map { "\(Table.percent($0.pass)) / \(Table.percent($0.fail))" })
    }
    return table.text
  }
}
