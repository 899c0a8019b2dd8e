import MimiSupplyContract

/// Names in ascending byte order, in chunks, so that one more costs neither a copy of all nor a tree of objects.
///
/// - Complexity: O(√n) or better to insert and to remove, O(n) to list.
struct SortedNames: Sendable, Sequence {
  /// None of them is empty.
  private var chunks: [[RecordName]] = []
  private(set) var count = 0

  private static let longestChunk = 512

  var isEmpty: Bool { count == 0 }

  /// Adds a name; one that is there already is not added again.
  ///
  /// - Returns: Whether it was added.
  @discardableResult
  mutating func insert(_ name: RecordName) -> Bool {
    guard !chunks.isEmpty else {
      chunks = [[name]]
      count = 1
      return true
    }
    let chunk = place(of: name)
    let index = chunks[chunk].lowerBound(of: name)
    if index < chunks[chunk].count, chunks[chunk][index] == name { return false }
    chunks[chunk].insert(name, at: index)
    count += 1
    guard chunks[chunk].count > Self.longestChunk else { return true }
    let half = chunks[chunk].count / 2
    let upper = Array(chunks[chunk][half...])
    chunks[chunk].removeSubrange(half...)
    chunks.insert(upper, at: chunk + 1)
    return true
  }

  /// - Returns: Whether it was there.
  @discardableResult
  mutating func remove(_ name: RecordName) -> Bool {
    guard !chunks.isEmpty else { return false }
    let chunk = place(of: name)
    let index = chunks[chunk].lowerBound(of: name)
    guard index < chunks[chunk].count, chunks[chunk][index] == name else { return false }
    chunks[chunk].remove(at: index)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    return true
  }

  /// The last chunk that begins at or before a name; the first when none does.
  private func place(of name: RecordName) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle][0] <= name { low = middle + 1 } else { high = middle }
    }
    return Swift.max(0, low - 1)
  }

  func makeIterator() -> FlattenSequence<[[RecordName]]>.Iterator { chunks.joined().makeIterator() }
}

/// Names under keys, of which no empty one stays. What is undone is each name alone, because a list may be long.
struct NameIndex<Key: Hashable & Sendable>: Undoable, Sendable {
  private var lists: [Key: SortedNames] = [:]
  private var log = UndoLog<(key: Key, name: RecordName, wasIn: Bool)>()

  func names(under key: Key) -> [RecordName] { lists[key].map(Array.init) ?? [] }
  func count(under key: Key) -> Int { lists[key]?.count ?? 0 }

  mutating func insert(_ name: RecordName, under key: Key) {
    if lists[key, default: SortedNames()].insert(name) { log.note((key, name, false)) }
  }

  mutating func remove(_ name: RecordName, from key: Key) {
    guard let index = lists.index(forKey: key), lists.values[index].remove(name) else { return }
    log.note((key, name, true))
    if lists.values[index].isEmpty { lists.remove(at: index) }
  }

  mutating func mark(_ marking: Marking) {
    for (key, name, wasIn) in log.mark(marking) {
      if wasIn { insert(name, under: key) } else { remove(name, from: key) }
    }
  }
}

extension [RecordName] {
  fileprivate func lowerBound(of name: RecordName) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
