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
  /// The kind of caller.
  public var column: String
  /// Operations that were tried.
  public var entries: [Entry]

  public init(world: String, column: String, entries: [Entry]) {
    self.world = world
    self.column = column
    self.entries = entries
  }
}

extension Merged {
  /// Columns in the domain's order; operations that were not tried are left out.
  var access: [AccessResult] {
    guard let access = whole.access else { return [] }
    return zip(access.columns, access.cells).map { column, cells in
      AccessResult(
        world: declaration.domain, column: column,
        entries: zip(whole.operations, cells).compactMap { operation, cell in
          guard cell.granted + cell.refused > 0 else { return nil }
          return AccessResult.Entry(
            operation: operation.name, title: operation.title, granted: cell.granted,
            refused: cell.refused, wrong: cell.wrong)
        })
    }
  }
}
