import Contracts

/// How far people got, role by role: who asked for what, and who got it.
///
/// A role is what the names of its people share: `phone` of `club-3-phone-0417`.
public struct FunnelTally: Sendable, Equatable {
  public struct Row: Sendable, Equatable {
    public fileprivate(set) var role: String
    public fileprivate(set) var persons: Int
    /// One for each operation of the contract, in its order.
    public fileprivate(set) var cells: [Cell]
  }

  public struct Cell: Sendable, Equatable {
    /// People who asked at least once, and those of them who were replied to at least once.
    public var asked = 0
    public var got = 0
    /// Requests, and how those ended that got an answer.
    public var requests = 0
    public var replied = 0
    public var refused = 0

    public init() {}

    fileprivate static func += (a: inout Cell, b: Cell) {
      a.asked += b.asked
      a.got += b.got
      a.requests += b.requests
      a.replied += b.replied
      a.refused += b.refused
    }
  }

  public private(set) var rows: [Row] = []

  public init() {}

  fileprivate init(rows: [Row]) { self.rows = rows }

  /// By role; order does not matter to the counts.
  public mutating func merge(_ other: FunnelTally) {
    for row in other.rows {
      guard let place = rows.firstIndex(where: { $0.role == row.role }) else {
        rows.append(row)
        continue
      }
      rows[place].persons += row.persons
      for index in rows[place].cells.indices { rows[place].cells[index] += row.cells[index] }
    }
  }
}

/// Notes for one region who asked for what; two bits for each person and operation.
public struct FunnelRecorder: Sendable {
  /// Roles beyond these share one row.
  private static let rolesMost = 12
  private static let others = "others"

  private let words: Int
  private var roles: [String] = []
  private var persons: [Int] = []
  private var roleOf: [UInt8] = []
  private var asked: ContiguousArray<UInt64> = []
  private var got: ContiguousArray<UInt64> = []
  private let operations: Int
  /// By role, then operation.
  private var cells: ContiguousArray<FunnelTally.Cell> = []

  /// - Parameters:
  ///   - names: Paths or names of the region's people, in the order of their numbers.
  ///   - share: Which of them are counted.
  public init(names: some Sequence<String>, operations: Int, share: Share = .whole) {
    words = (operations + 63) / 64
    self.operations = operations
    for name in names {
      let role = Self.role(of: name)
      let place = roles.firstIndex(of: role) ?? add(role)
      if share.takes(roleOf.count) { persons[place] += 1 }
      roleOf.append(UInt8(place))
    }
    asked = ContiguousArray(repeating: 0, count: roleOf.count * words)
    got = asked
  }

  private mutating func add(_ role: String) -> Int {
    let isLast = roles.count == Self.rolesMost - 1
    if isLast || roles.count >= Self.rolesMost {
      if let place = roles.firstIndex(of: Self.others) { return place }
    }
    roles.append(isLast ? Self.others : role)
    persons.append(0)
    cells.append(contentsOf: repeatElement(FunnelTally.Cell(), count: operations))
    return roles.count - 1
  }

  /// The last word of a path that is no number: `phone` of `canteen/1/club-3-phone-0017`.
  static func role(of name: String) -> String {
    let last = name.utf8.split(separator: UInt8(ascii: "/")).last ?? name.utf8[...]
    let words = last.split { [45, 46, 95].contains($0) }
    let word = words.last { word in !word.allSatisfy { (48...57).contains($0) } }
    return word.flatMap { String($0) } ?? Self.others
  }

  public mutating func note(
    _ person: PersonID, operation: Int, isReplied: Bool, isRefused: Bool
  ) {
    let index = Int(person.index)
    let word = index * words + operation >> 6
    let bit = UInt64(1) << UInt64(operation & 63)
    asked[word] |= bit
    if isReplied { got[word] |= bit }
    let cell = Int(roleOf[index]) * operations + operation
    cells[cell].requests += 1
    if isReplied { cells[cell].replied += 1 }
    if isRefused { cells[cell].refused += 1 }
  }

  /// Counts the people.
  public func tally() -> FunnelTally {
    var cells = cells
    for (index, role) in roleOf.enumerated() {
      for word in 0..<words {
        let first = Int(role) * operations
        Self.count(asked[index * words + word], word) { cells[first + $0].asked += 1 }
        Self.count(got[index * words + word], word) { cells[first + $0].got += 1 }
      }
    }
    return FunnelTally(
      rows: roles.indices.map {
        FunnelTally.Row(
          role: roles[$0], persons: persons[$0],
          cells: Array(cells[$0 * operations..<($0 + 1) * operations]))
      })
  }

  private static func count(_ mask: UInt64, _ word: Int, _ body: (Int) -> Void) {
    var rest = mask
    while rest != 0 {
      body(word << 6 + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

extension FunnelTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&rows, empty: Row(role: "", persons: 0, cells: []))
  }
}

extension FunnelTally.Row: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&role)
    try packing.count(&persons)
    try packing.pack(&cells, empty: FunnelTally.Cell())
  }
}

extension FunnelTally.Cell: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.count(&asked)
    try packing.count(&got)
    try packing.count(&requests)
    try packing.count(&replied)
    try packing.count(&refused)
  }
}
