import Contracts
import Observations

/// How one kind of caller was answered, operation by operation, over all replications, against the table in which a domain's documents
/// state who may do what.
public struct AccessResult: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var operation: String
    public var title: String
    public var granted: Int
    public var refused: Int
    /// Those of both that the documents answer otherwise.
    public var wrong: Int

    public init(operation: String, title: String, granted: Int, refused: Int, wrong: Int) {
      self.operation = operation
      self.title = title
      self.granted = granted
      self.refused = refused
      self.wrong = wrong
    }
  }

  public var world: String
  /// The kind of caller, or why the table does not judge these answers.
  public var column: String
  public var isOutside: Bool
  /// Operations that were tried.
  public var entries: [Entry]

  public init(world: String, column: String, isOutside: Bool = false, entries: [Entry]) {
    self.world = world
    self.column = column
    self.isOutside = isOutside
    self.entries = entries
  }
}

extension Merged {
  /// Columns in the domain's order, then those of what its table does not judge; operations that were not tried are left out.
  var access: [AccessResult] {
    guard let access = whole.access else { return [] }
    let columns =
      access.columns.map { ($0, false) } + AccessMatrix.Outside.allCases.map { ($0.title, true) }
    return zip(columns, access.cells).compactMap { column, cells in
      let entries = zip(whole.operations, cells).compactMap { operation, cell in
        cell.granted + cell.refused > 0
          ? AccessResult.Entry(
            operation: operation.name, title: operation.title, granted: cell.granted,
            refused: cell.refused, wrong: cell.wrong) : nil
      }
      let (name, isOutside) = column
      guard !isOutside || !entries.isEmpty else { return nil }
      return AccessResult(
        world: declaration.domain, column: name, isOutside: isOutside, entries: entries)
    }
  }
}

extension AccessMatrix.Outside {
  public var title: String {
    switch self {
    case .uncertain: "caller or owner not certain"
    case .otherReason: "refused for another reason"
    }
  }
}
