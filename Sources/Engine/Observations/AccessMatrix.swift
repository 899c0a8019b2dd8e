import Contracts

/// Who may do what, as the table in which documents state it: a column for each kind of caller, a row for each operation of the contract.
/// What the table is about, and how it was answered, the domain's checks tell (`CellChecks.answered`).
public struct AccessMatrix: Sendable {
  /// How a request was answered that the table is about.
  public struct Entry: Hashable, Sendable {
    /// The place of its caller's kind.
    public let column: Int
    /// By its number in the contract.
    public let operation: Int
    public let isGranted: Bool
    /// Whether that is what the documents say.
    public let isRight: Bool

    public init(column: Int, operation: Int, isGranted: Bool, isRight: Bool) {
      (self.column, self.operation) = (column, operation)
      (self.isGranted, self.isRight) = (isGranted, isRight)
    }
  }

  /// Kinds of callers, as people call them: `staff, own booking`.
  public let columns: [String]

  public init(columns: [String]) { self.columns = columns }
}

/// How requests were answered, by kinds of callers and operations; the warm-up's are among them.
public struct AccessTally: Sendable, Equatable {
  public struct Cell: Sendable, Equatable {
    public var granted = 0
    public var refused = 0
    /// Those of both that the documents answer otherwise.
    public var wrong = 0
  }

  public let columns: [String]
  /// By column, then operation.
  public private(set) var cells: [[Cell]]

  public init(columns: [String], operations: Int) {
    self.columns = columns
    cells = columns.map { _ in Array(repeating: Cell(), count: operations) }
  }

  public mutating func note(_ entry: AccessMatrix.Entry) {
    let (column, operation) = (entry.column, entry.operation)
    precondition(columns.indices.contains(column), "the table of rights has no column \(column)")
    if entry.isGranted {
      cells[column][operation].granted += 1
    } else {
      cells[column][operation].refused += 1
    }
    if !entry.isRight { cells[column][operation].wrong += 1 }
  }

  public mutating func merge(_ other: AccessTally) {
    precondition(columns == other.columns, "tallies of two tables do not merge")
    for column in cells.indices {
      for operation in cells[column].indices {
        cells[column][operation].granted += other.cells[column][operation].granted
        cells[column][operation].refused += other.cells[column][operation].refused
        cells[column][operation].wrong += other.cells[column][operation].wrong
      }
    }
  }
}

extension AccessTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    for column in cells.indices {
      for operation in cells[column].indices {
        try packing.count(&cells[column][operation].granted)
        try packing.count(&cells[column][operation].refused)
        try packing.count(&cells[column][operation].wrong)
      }
    }
  }
}
