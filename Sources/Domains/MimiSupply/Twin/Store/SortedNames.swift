/// Names in ascending byte order, in chunks, so that one more costs neither a copy of all nor a tree of objects.
///
/// - Complexity: O(√n) or better to insert and to remove, O(n) to list.
struct SortedNames: Sendable, Sequence {
  /// None of them is empty.
  private var chunks: [[String]] = []
  private(set) var count = 0

  private static let longestChunk = 512

  var isEmpty: Bool { count == 0 }

  /// Adds a name; one that is there already is not added again.
  mutating func insert(_ name: String) {
    guard !chunks.isEmpty else {
      chunks = [[name]]
      count = 1
      return
    }
    let chunk = place(of: name)
    let index = chunks[chunk].lowerBound(of: name)
    if index < chunks[chunk].count, chunks[chunk][index] == name { return }
    chunks[chunk].insert(name, at: index)
    count += 1
    guard chunks[chunk].count > Self.longestChunk else { return }
    let half = chunks[chunk].count / 2
    let upper = Array(chunks[chunk][half...])
    chunks[chunk].removeSubrange(half...)
    chunks.insert(upper, at: chunk + 1)
  }

  mutating func remove(_ name: String) {
    guard !chunks.isEmpty else { return }
    let chunk = place(of: name)
    let index = chunks[chunk].lowerBound(of: name)
    guard index < chunks[chunk].count, chunks[chunk][index] == name else { return }
    chunks[chunk].remove(at: index)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// The last chunk that begins at or before a name; the first when none does.
  private func place(of name: String) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle][0] <= name { low = middle + 1 } else { high = middle }
    }
    return Swift.max(0, low - 1)
  }

  func makeIterator() -> FlattenSequence<[[String]]>.Iterator { chunks.joined().makeIterator() }
}

extension [String] {
  fileprivate func lowerBound(of name: String) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
