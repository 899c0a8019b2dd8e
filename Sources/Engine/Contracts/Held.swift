/// A value in memory of its own, for classes of generic types that come and go with every request.
///
/// Such a class ends its members' lives in code that looks up at run time what they are, each time anew: some 800 instructions a call.
/// Here that is known where the value is made, and kept as one function. It has no type parameter, or its holder would look that up.
///
/// The value is a structure: of a tuple the compiler copies all members to read one.
///
/// Whoever holds one calls `end` in its deinitialiser, once.
public struct Held: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let ending: @Sendable (UnsafeMutableRawPointer) -> Void

  /// - Parameter end: Ends the lives of the value's members, all of them.
  public init<Value>(
    _ value: consuming Value, end: @escaping @Sendable (UnsafeMutablePointer<Value>) -> Void
  ) {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    self.memory = UnsafeMutableRawPointer(memory)
    ending = {
      end($0.assumingMemoryBound(to: Value.self))
      $0.deallocate()
    }
  }

  /// - Parameter type: That of the value that it was made of.
  public func value<Value>(as type: Value.Type) -> UnsafeMutablePointer<Value> {
    memory.assumingMemoryBound(to: type)
  }

  public func end() { ending(memory) }
}
