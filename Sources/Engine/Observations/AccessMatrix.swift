import Contracts

/// Who may do what, as the table in which documents state it: a column for each kind of caller, a row for each operation of the contract.
/// What the table is about, and how it was answered, the domain's checks tell (`CellChecks.answered`).
public struct AccessMatrix: Sendable {
  /// Why an answer is not judged by the table.
  public enum Outside: Int, CaseIterable, Sendable {
    /// Who asked, or for what, was changing meanwhile: a token may have ended, a thing may have been another's.
    case uncertain
    /// It was refused, and not for who asked.
    case otherReason
  }

  /// How a request was answered that the table is about.
  public struct Entry: Hashable, Sendable {
    /// The place of its caller's kind, or of the reason why it has none.
    public let column: Int
    public let isOutside: Bool
    /// By its number in the contract.
    public let operation: Int
    public let isGranted: Bool
    /// Whether that is what the documents say.
    public let isRight: Bool

    public init(column: Int, operation: Int, isGranted: Bool, isRight: Bool) {
      (self.column, isOutside, self.operation) = (column, false, operation)
      (self.isGranted, self.isRight) = (isGranted, isRight)
    }

    public init(_ reason: Outside, operation: Int, isGranted: Bool) {
      (column, isOutside, self.operation) = (reason.rawValue, true, operation)
      (self.isGranted, isRight) = (isGranted, true)
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
  /// By column, those of `AccessMatrix.Outside` behind the table's own, then by operation.
  public private(set) var cells: [[Cell]]

  public init(columns: [String], operations: Int) {
    self.columns = columns
    cells = Array(
      repeating: Array(repeating: Cell(), count: operations),
      count: columns.count + AccessMatrix.Outside.allCases.count)
  }

  public mutating func note(_ entry: AccessMatrix.Entry) {
    precondition(
      entry.isOutside || columns.indices.contains(entry.column),
      "the table of rights has no column \(entry.column)")
    let column = entry.isOutside ? columns.count + entry.column : entry.column
    let operation = entry.operation
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
