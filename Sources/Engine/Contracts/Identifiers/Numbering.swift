/// Numbers for names, in the order in which they were first seen, so that what is known of each lies in an array.
public struct Numbering<Name: Hashable & Sendable>: Sendable {
  private var numbers: [Name: Int32] = [:]
  public private(set) var names: ContiguousArray<Name> = []

  public init() {}

  /// `nil` for a name that was not seen.
  public func known(_ name: Name) -> Int? { numbers[name].map { Int($0) } }

  /// That of a name, which is seen from now on.
  public mutating func number(of name: Name) -> Int {
    if let number = numbers[name] { return Int(number) }
    numbers[name] = Int32(names.count)
    names.append(name)
    return names.count - 1
  }
}

/// The same for whole numbers that are small, as those of tools or places are; large ones are looked up.
public struct SmallNumbering: Sendable {
  private static let small = 0..<1_024
  private var places: ContiguousArray<Int32> = []
  private var others: [Int: Int32] = [:]
  public private(set) var names: ContiguousArray<Int> = []

  public init() {}

  /// `nil` for one that was not seen.
  @inline(__always)
  public func known(_ name: Int) -> Int? {
    guard Self.small.contains(name) else { return others[name].map { Int($0) } }
    guard name < places.count, places[name] >= 0 else { return nil }
    return Int(places[name])
  }

  /// That of a whole number, which is seen from now on.
  public mutating func number(of name: Int) -> Int {
    if let known = known(name) { return known }
    if Self.small.contains(name) {
      while places.count <= name { places.append(-1) }
      places[name] = Int32(names.count)
    } else {
      others[name] = Int32(names.count)
    }
    names.append(name)
    return names.count - 1
  }
}
