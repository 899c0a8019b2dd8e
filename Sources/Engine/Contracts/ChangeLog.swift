/// Which rows of a twin changed between looks at it, so that a look need not show all that ever was.
///
/// Looks are numbered from 1; what has changed since the first is noted, before it nothing is. There is one entry for a row
/// and a look, and old ones go when the rows have newer ones: it stays as large as the rows that changed.
public struct ChangeLog<Row: Hashable & Sendable>: Sendable {
  /// The number of the last look; 0 before the first.
  public private(set) var look = 0
  private var entries: [(row: Row, after: Int)] = []
  /// After which look each row changed last.
  private var newest: [Row: Int] = [:]
  /// Fewer entries are not worth looking through for old ones.
  private static var few: Int { 64 }

  public init() {}

  /// A row came, changed or went.
  public mutating func note(_ row: Row) {
    guard look > 0, newest.updateValue(look, forKey: row) != look else { return }
    entries.append((row, look))
    if entries.count > 2 * newest.count + Self.few {
      entries.removeAll { newest[$0.row] != $0.after }
    }
  }

  /// Looks once more.
  ///
  /// - Parameter since: The number of an earlier look.
  /// - Returns: The rows that changed since then, in the order of their last changes up to a look each; `nil` where everything has to be
  ///   shown, since no such look is known.
  public mutating func look(since: Int) -> [Row]? {
    defer { look += 1 }
    guard since > 0, since <= look else { return nil }
    let first = entries.partitioningIndex { $0.after >= since }
    return entries[first...].filter { newest[$0.row] == $0.after }.map(\.row)
  }
}

extension Array {
  /// The first index whose element belongs to the second part, where all of the first come before all of the second.
  fileprivate func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
