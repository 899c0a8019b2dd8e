/// Numbers for names, in the order in which they were first seen, so that what is known of each lies in an array.
public struct Numbering<Name: Hashable & Sendable>: Sendable {
  /// Whole numbers below this find their number in an array, others by their hash.
  private static var small: Range<Int> { 0..<1_024 }
  private var small: ContiguousArray<Int32> = []
  private var numbers: [Name: Int32] = [:]
  public private(set) var names: ContiguousArray<Name> = []

  public init() {}

  @inline(__always)
  private static func small(_ name: Name) -> Int? {
    guard Name.self == Int.self else { return nil }
    let number = unsafeBitCast(name, to: Int.self)
    return small.contains(number) ? number : nil
  }

  /// `nil` for a name that was not seen.
  @inline(__always)
  public func known(_ name: Name) -> Int? {
    guard let small = Self.small(name) else { return numbers[name].map { Int($0) } }
    return small < self.small.count && self.small[small] >= 0 ? Int(self.small[small]) : nil
  }

  /// That of a name, which is seen from now on.
  @inline(__always)
  public mutating func number(of name: Name) -> Int { known(name) ?? add(name) }

  private mutating func add(_ name: Name) -> Int {
    if let small = Self.small(name) {
      while self.small.count <= small { self.small.append(-1) }
      self.small[small] = Int32(names.count)
    } else {
      numbers[name] = Int32(names.count)
    }
    names.append(name)
    return names.count - 1
  }
}

/// What is kept of each name, in an array by number.
///
///     var tools = Rows<Int, Tool> { Tool() }
///     let number = tools.number(of: 7)
///     tools[number].isLent = true
public struct Rows<Name: Hashable & Sendable, Row: Sendable>: Sendable {
  private var numbering = Numbering<Name>()
  private var rows: ContiguousArray<Row> = []
  private let new: @Sendable () -> Row

  /// - Parameter new: The row of a name that has not been seen before.
  public init(_ new: @escaping @Sendable () -> Row) { self.new = new }

  /// In the order in which they were first seen, as the numbers are.
  public var names: ContiguousArray<Name> { numbering.names }
  public var indices: Range<Int> { rows.indices }

  /// `nil` for a name that was not seen.
  @inline(__always)
  public func known(_ name: Name) -> Int? { numbering.known(name) }

  /// That of a name, which has a row from now on.
  @inline(__always)
  public mutating func number(of name: Name) -> Int {
    let number = numbering.number(of: name)
    if number == rows.count { rows.append(new()) }
    return number
  }

  @inline(__always)
  public subscript(number: Int) -> Row {
    _read { yield rows[number] }
    _modify { yield &rows[number] }
  }
}
