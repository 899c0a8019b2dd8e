/// Measures real time for whoever may: the engine itself reads no clock.
public struct Stopwatch: Sendable {
  public let nanoseconds: @Sendable () -> UInt64

  public init(nanoseconds: @escaping @Sendable () -> UInt64) { self.nanoseconds = nanoseconds }
}
