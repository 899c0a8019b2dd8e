import Contracts
import Timekeeping

/// Brings each record of a region to the checks that want to see it, and to the facts that they go by.
public struct CheckRouter<Contract: ServiceContract> {
  public let limits: [LimitID]
  /// What the checks share; others may go by the same facts.
  public let library = Library<Contract>()

  public init(_ checks: [Check<Contract>]) {
    limits = checks.map(\.rule.id)
    library.seats = checks.map { _ in Seat() }
    for (index, check) in checks.enumerated() { check.join(library, index) }
  }

  public var judges: [Judge] { library.seats.map(\.judge) }

  /// Of all checks together.
  public var violations: Int { library.seats.reduce(0) { $0 + $1.judge.violations } }

  public mutating func see(_ record: Record<Contract>) { library.see(record) }

  /// Ends all histories, check by check and in the order in which they began.
  public mutating func end(at instant: Instant) { library.end(at: instant) }
}
