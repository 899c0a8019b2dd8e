/// A large value behind one reference: handing it on counts that one alone, and a copy that is changed gets a box of its own.
@propertyWrapper
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  // Written by its only owner alone.
  private final class Box: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  public var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  public static func == (a: Boxed, b: Boxed) -> Bool {
    a.box === b.box || a.box.value == b.box.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
