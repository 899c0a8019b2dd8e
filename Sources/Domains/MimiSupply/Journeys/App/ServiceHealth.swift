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

  private var recent: [AppService: [Bool]] = [:]
  private(set) var degraded: Set<AppService> = []
  private var probedAt: Instant?

  mutating func finish(_ service: AppService, succeeded: Bool) {
    var outcomes = recent[service] ?? []
    outcomes.append(succeeded)
    if outcomes.count > Self.sample { outcomes.removeFirst() }
    recent[service] = outcomes
  }

  /// Looks at every service, at most every 30 s.
  ///
  /// - Returns: What changed, in the order of the services.
  mutating func probe(at now: Instant) -> [Change] {
    if let probedAt, now - probedAt < Self.probeEvery { return [] }
    probedAt = now
    var changes: [Change] = []
    for service in AppService.allCases {
      guard let outcomes = recent[service], outcomes.count >= Self.fewest else { continue }
      let succeeded = outcomes.count { $0 }
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
