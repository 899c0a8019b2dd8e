import MimiSupplyContract
import Timekeeping

/// How well the services that the app depends on have answered of late, and what that leaves of the app (§7.4).
struct ServiceHealth: Sendable {
  static let probeEvery = Span.seconds(30)
  static let threshold = 0.8
  /// A service is judged by its last requests, this many.
  static let sample = 10
  /// Fewer say nothing yet.
  static let fewest = 3

  struct Change: Hashable, Sendable {
    let service: AppService
    let isDegraded: Bool
    let succeeded: Int
    let count: Int
  }

  /// The last outcomes of a service, the latest in the lowest bit.
  private struct Outcomes {
    private var bits: UInt16 = 0
    private(set) var count = 0

    var succeeded: Int { bits.nonzeroBitCount }

    mutating func add(_ isGood: Bool) {
      bits = (bits << 1 | (isGood ? 1 : 0)) & (1 << ServiceHealth.sample - 1)
      count = min(count + 1, ServiceHealth.sample)
    }
  }

  private var recent = [Outcomes](repeating: Outcomes(), count: AppService.allCases.count)
  private(set) var degraded: Set<AppService> = []
  private var probedAt: Instant?

  mutating func finish(_ service: AppService, succeeded: Bool) {
    recent[service.place].add(succeeded)
  }

  /// Looks at every service, at most every 30 s.
  ///
  /// - Returns: What changed, in the order of the services.
  mutating func probe(at now: Instant) -> [Change] {
    if let probedAt, now - probedAt < Self.probeEvery { return [] }
    probedAt = now
    var changes: [Change] = []
    for service in AppService.allCases {
      let outcomes = recent[service.place]
      guard outcomes.count >= Self.fewest else { continue }
      let succeeded = outcomes.succeeded
      let isDegraded = Double(succeeded) / Double(outcomes.count) < Self.threshold
      guard isDegraded != degraded.contains(service) else { continue }
      if isDegraded { degraded.insert(service) } else { degraded.remove(service) }
      changes.append(
        Change(
          service: service, isDegraded: isDegraded, succeeded: succeeded, count: outcomes.count))
    }
    return changes
  }

  /// Two or more critical services: severe; one, or three of any kind: moderate; at least one: minor.
  static func level(of degraded: Set<AppService>) -> DegradationLevel {
    let critical = degraded.intersection([.cloudKit, .authentication, .payment]).count
    if critical >= 2 { return .severe }
    if critical == 1 || degraded.count >= 3 { return .moderate }
    return degraded.isEmpty ? .none : .minor
  }
}
