/// Counts of numbered cells of which few are in use.
///
/// It is made once, in ascending order, and read from then on. Kept are the bytes of a `Packing`: of each cell in use the gap before it
/// and its count, two or three bytes in all. Where every 64th cell begins is kept as well, so that how many lie below a cell is found
/// without reading those before.
struct SparseCounts: Sendable, Equatable {
  private var bytes: [UInt8] = []
  private var marks: [Mark] = []
  /// Cells in use.
  private var used = 0
  private(set) var total: UInt64 = 0
  private var end = 0

  /// The last cell in use; `nil` where none is.
  var last: Int? { used > 0 ? end : nil }

  /// Where a cell begins.
  private struct Mark: Equatable {
    /// In the bytes.
    var offset: UInt32 = 0
    /// The cell before, and the sum of all counts up to it.
    var place: UInt32 = 0
    var sum: UInt64 = 0
  }

  private static let cellsAMark = 64

  init() {}

  /// - Parameter counts: Of the cells from `first` on, with those that are not in use.
  init(_ counts: some Collection<some UnsignedInteger>, from first: Int = 0) {
    for (offset, count) in counts.enumerated() where count > 0 {
      append(first + offset, UInt64(count))
    }
    trim()
  }

  /// - Parameter samples: Each the number of a cell, in any order.
  init(samples: some Sequence<Int32>) {
    var (last, count): (Int32, UInt64) = (0, 0)
    for sample in samples.sorted() {
      if sample != last, count > 0 {
        append(Int(last), count)
        count = 0
      }
      (last, count) = (sample, count + 1)
    }
    if count > 0 { append(Int(last), count) }
    trim()
  }

  /// Of a cell beyond all others.
  private mutating func append(_ place: Int, _ count: UInt64) {
    mark(before: bytes.count)
    Packing.write(UInt64(place - end), to: &bytes)
    Packing.write(count, to: &bytes)
    step(to: place, count)
  }

  private mutating func mark(before offset: Int) {
    guard used > 0, used % Self.cellsAMark == 0 else { return }
    marks.append(Mark(offset: UInt32(offset), place: UInt32(end), sum: total))
  }

  private mutating func step(to place: Int, _ count: UInt64) {
    used += 1
    end = place
    total += count
  }

  /// Gives back the room that growing arrays keep.
  private mutating func trim() {
    bytes = bytes.withUnsafeBufferPointer { Array($0) }
    marks = marks.withUnsafeBufferPointer { Array($0) }
  }

  // MARK: - Read

  /// All counts of cells before one.
  func sum(below place: Int) -> UInt64 {
    let mark = mark { $0.place < place }
    var sum = mark.sum
    walk(from: mark) { cell, count in
      guard cell < place else { return false }
      sum += count
      return true
    }
    return sum
  }

  /// The cell that holds the item of a rank, from 1 on, in ascending order; there are so many.
  func place(ofRank rank: UInt64) -> Int {
    let mark = mark { $0.sum < rank }
    var (sum, found) = (mark.sum, end)
    walk(from: mark) { cell, count in
      sum += count
      found = cell
      return sum < rank
    }
    return found
  }

  /// The cells in use from one on and before another, with their counts.
  func each(_ cells: Range<Int>, _ body: (_ place: Int, _ count: UInt64) -> Void) {
    walk(from: mark { $0.place < cells.lowerBound }) { place, count in
      guard place < cells.upperBound else { return false }
      if place >= cells.lowerBound { body(place, count) }
      return true
    }
  }

  /// All cells in use, with their counts.
  func each(_ body: (_ place: Int, _ count: UInt64) -> Void) {
    walk(from: Mark()) { place, count in
      body(place, count)
      return true
    }
  }

  /// The last mark for which a condition holds that holds for none after the first without it.
  private func mark(where holds: (Mark) -> Bool) -> Mark {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(marks[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? marks[low - 1] : Mark()
  }

  /// Goes on to the next cell for as long as it is told to.
  @inline(__always)
  private func walk(from mark: Mark, _ body: (_ place: Int, _ count: UInt64) -> Bool) {
    var (offset, place) = (Int(mark.offset), Int(mark.place))
    bytes.withUnsafeBufferPointer { bytes in
      while offset < bytes.count {
        place += Int(Packing.number(in: bytes, at: &offset))
        guard body(place, Packing.number(in: bytes, at: &offset)) else { return }
      }
    }
  }
}

/// How many cells are in use, and then they, as they are kept.
extension SparseCounts: Packable {
  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    let length = try packing.length(used)
    guard packing.isReading else { return packing.append(bytes) }
    self = SparseCounts()
    let first = packing.place
    marks.reserveCapacity(length / Self.cellsAMark)
    for index in 0..<length {
      var (gap, count): (UInt64, UInt64) = (0, 0)
      mark(before: packing.place - first)
      try packing.pack(&gap)
      try packing.count(&count)
      guard index == 0 || gap > 0, count > 0, gap <= UInt64(UInt32.max) - UInt64(end),
        count <= Packing.largestCount - total
      else { throw PackingProblem() }
      step(to: end + Int(gap), count)
    }
    bytes = Array(packing.bytes[first..<packing.place])
  }
}
