import Timekeeping

/// Measures real time for whoever may: the engine itself reads no clock.
public struct Stopwatch: Sendable {
  public let nanoseconds: @Sendable () -> UInt64

  public init(nanoseconds: @escaping @Sendable () -> UInt64) { self.nanoseconds = nanoseconds }

  /// - Parameter began: What it showed; `nil` where nothing is measured.
  func since(_ began: UInt64?) -> Span? {
    began.map { .nanoseconds(Int64(nanoseconds() - $0)) }
  }
}
