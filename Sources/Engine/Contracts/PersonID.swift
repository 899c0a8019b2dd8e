/// A person's place in its region: the order of events and the keys of checks go by it.
public struct PersonID: Hashable, Comparable, Sendable {
  public let index: UInt32
  @inlinable public init(_ index: Int) { self.index = UInt32(index) }
  @inlinable public static func < (a: PersonID, b: PersonID) -> Bool { a.index < b.index }
}
