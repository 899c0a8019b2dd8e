import Contracts
import Timekeeping

/// The values of a deployment in force, as the operator set them; checks judge by these and never by the specification's.
public struct InForce<Values: Deployment>: Sendable {
  private var changes = Register(Values())
  /// Whether anything was ever set.
  private var isAdjusted = false
  public private(set) var newest = Values()

  public init() {}

  public mutating func adjust(_ adjustment: Adjustment<Values>, at instant: Instant) {
    adjustment.apply(to: &newest)
    follow(at: instant)
  }

  /// Back to the specification's.
  public mutating func reset(at instant: Instant) {
    newest = Values()
    follow(at: instant)
  }

  private mutating func follow(at instant: Instant) {
    isAdjusted = true
    changes.follow(newest, at: instant)
  }

  /// A value that was in force throughout an interval; `nil` when it changed meanwhile. What else changed does not matter.
  public func value<Value: Equatable>(
    _ path: KeyPath<Values, Value>, during interval: ClosedRange<Instant>
  ) -> Value? {
    value(during: interval) { $0[keyPath: path] }
  }

  /// The same, read without a look at what the path is.
  public func value<Value: Equatable>(
    during interval: ClosedRange<Instant>, _ read: (Values) -> Value
  ) -> Value? {
    guard isAdjusted else { return read(newest) }
    let values = changes.values(during: interval).map(read)
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// All values throughout an interval; `nil` when one of them changed meanwhile.
  public func values(during interval: ClosedRange<Instant>) -> Values? {
    isAdjusted ? changes.value(during: interval) : newest
  }

  /// Each that may have been in force at some instant of an interval.
  public func all(during interval: ClosedRange<Instant>) -> [Values] {
    changes.values(during: interval)
  }
}
