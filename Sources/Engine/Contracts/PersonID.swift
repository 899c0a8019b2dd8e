/// A person's place in its region: the order of events and the keys of checks go by it.
package struct PersonID: Hashable, Comparable, Sendable {
  package let index: UInt32
  @inlinable package init(_ index: Int) { self.index = UInt32(index) }
  @inlinable package static func < (a: PersonID, b: PersonID) -> Bool { a.index < b.index }
}
