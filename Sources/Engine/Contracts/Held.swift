/// A value in memory of its own, for classes of generic types that come and go with every request.
///
/// Such a class ends its members' lives in code that looks up at run time what they are, each time anew: some 800 instructions a call and
/// its answer. Here that is known where the value is made, and kept as one closure.
///
/// Whoever holds one calls `end` in its deinitialiser, once.
public struct Held<Value>: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<Value>
  private let ending: @Sendable (UnsafeMutableRawPointer) -> Void

  public init(_ value: consuming Value) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: value)
    ending = {
      // `deinitialize` would ask what a value is, again.
      _ = $0.assumingMemoryBound(to: Value.self).move()
      $0.deallocate()
    }
  }

  /// Its members are read through it, and nothing else of it is copied.
  public var value: UnsafePointer<Value> { UnsafePointer(memory) }

  public func end() { ending(memory) }
}
