/// Numbers of rows in the order of a key, those of equal keys in the order of their numbers: in pieces, so that one that comes or goes moves
/// few others.
struct SortedNumbers: Sendable {
  struct Entry: Comparable, Sendable {
    let key: Int64
    let number: Int

    static func < (a: Entry, b: Entry) -> Bool {
      a.key != b.key ? a.key < b.key : a.number < b.number
    }
  }

  private static let most = 512
  /// None is empty.
  private var pieces: [[Entry]] = []
  private(set) var count = 0

  init() {}

  /// Many at once.
  mutating func insert(_ entries: [Entry]) {
    guard entries.count > count / 16 else {
      for entry in entries { insert(entry) }
      return
    }
    let sorted = (pieces.flatMap { $0 } + entries).sorted()
    count = sorted.count
    pieces = stride(from: 0, to: count, by: Self.most / 2).map {
      Array(sorted[$0..<min($0 + Self.most / 2, count)])
    }
  }

  /// - Complexity: O(√n), about.
  mutating func insert(_ entry: Entry) {
    count += 1
    guard !pieces.isEmpty else { return pieces.append([entry]) }
    let piece = max(0, firstPiece { $0 > entry } - 1)
    let place = pieces[piece].partitioned { $0 > entry }
    pieces[piece].insert(entry, at: place)
    guard pieces[piece].count > Self.most else { return }
    let half = Array(pieces[piece][(Self.most / 2)...])
    pieces[piece].removeSubrange((Self.most / 2)...)
    pieces.insert(half, at: piece + 1)
  }

  mutating func remove(_ entry: Entry) {
    let piece = firstPiece { $0 > entry } - 1
    guard piece >= 0 else { return }
    let place = pieces[piece].partitioned { $0 >= entry }
    guard place < pieces[piece].count, pieces[piece][place] == entry else { return }
    count -= 1
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }

  /// The first piece whose first entry is beyond something.
  private func firstPiece(where isBeyond: (Entry) -> Bool) -> Int {
    pieces.partitioned { isBeyond($0[0]) }
  }

  /// So many, from a place on.
  func page(from offset: Int, count most: Int) -> [Int] {
    var (skipped, page) = (0, [Int]())
    page.reserveCapacity(min(most, count))
    for piece in pieces {
      if skipped + piece.count <= offset {
        skipped += piece.count
        continue
      }
      for entry in piece[max(0, offset - skipped)...] {
        if page.count == most { return page }
        page.append(entry.number)
      }
      skipped += piece.count
    }
    return page
  }

  func visit(_ body: (Int) -> Void) {
    for piece in pieces { for entry in piece { body(entry.number) } }
  }
}

extension Array {
  /// The first place whose element is of the second kind, where those of the first come before.
  func partitioned(_ isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
