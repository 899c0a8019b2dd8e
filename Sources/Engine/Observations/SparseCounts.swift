/// Counts of numbered cells of which few are in use: the number of each, and the sum of all counts up to it.
///
/// It is made once, in ascending order, and read from then on. A cell in use takes eight bytes, and how many lie below a cell is found by bisection.
struct SparseCounts: Sendable, Equatable {
  private(set) var places: ContiguousArray<UInt32> = []
  private var sums: ContiguousArray<UInt32> = []
  /// In place of `sums` where all counts together need more bits.
  private var wideSums: ContiguousArray<UInt64> = []

  init() {}

  /// - Parameter counts: Of the cells from `first` on, with those that are not in use.
  init(_ counts: some Collection<some UnsignedInteger>, from first: Int = 0) {
    let used = counts.count { $0 > 0 }
    places.reserveCapacity(used)
    sums.reserveCapacity(used)
    for (offset, count) in counts.enumerated() where count > 0 {
      append(first + offset, UInt64(count))
    }
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
  }

  var total: UInt64 { sum(ofFirst: places.count) }

  /// Of a cell beyond all others.
  mutating func append(_ place: Int, _ count: UInt64) {
    let sum = total + count
    places.append(UInt32(place))
    if wideSums.isEmpty, let narrow = UInt32(exactly: sum) {
      sums.append(narrow)
    } else {
      if wideSums.isEmpty { (wideSums, sums) = (ContiguousArray(sums.map(UInt64.init)), []) }
      wideSums.append(sum)
    }
  }

  private func sum(ofFirst used: Int) -> UInt64 {
    guard used > 0 else { return 0 }
    return wideSums.isEmpty ? UInt64(sums[used - 1]) : wideSums[used - 1]
  }

  /// All counts of cells before one.
  func sum(below place: Int) -> UInt64 { sum(ofFirst: used(below: place)) }

  /// The cell that holds the item of a rank, from 1 on, in ascending order; there are so many.
  func place(ofRank rank: UInt64) -> Int {
    Int(places[Self.first(in: 0..<places.count) { sum(ofFirst: $0 + 1) >= rank }])
  }

  /// The cells in use from one on and before another, with their counts.
  func each(_ cells: Range<Int>, _ body: (_ place: Int, _ count: UInt64) -> Void) {
    let range = used(below: cells.lowerBound)..<used(below: cells.upperBound)
    var before = sum(ofFirst: range.lowerBound)
    for index in range {
      let sum = sum(ofFirst: index + 1)
      body(Int(places[index]), sum - before)
      before = sum
    }
  }

  /// All cells in use, with their counts.
  func each(_ body: (_ place: Int, _ count: UInt64) -> Void) {
    each(0..<Int(places.last.map { $0 + 1 } ?? 0), body)
  }

  private func used(below place: Int) -> Int {
    Self.first(in: 0..<places.count) { places[$0] >= place }
  }

  /// The first of ascending numbers for which a condition holds from then on.
  private static func first(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Of each cell in use the gap before it, and its count.
extension SparseCounts: Packable {
  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    let length = try packing.length(places.count)
    guard packing.isReading else {
      var last = 0
      for index in 0..<length {
        var gap = UInt64(places[index]) - UInt64(last)
        var count = sum(ofFirst: index + 1) - sum(ofFirst: index)
        try packing.pack(&gap)
        try packing.pack(&count)
        last = Int(places[index])
      }
      return
    }
    self = SparseCounts()
    places.reserveCapacity(length)
    sums.reserveCapacity(length)
    for index in 0..<length {
      var (gap, count): (UInt64, UInt64) = (0, 0)
      try packing.pack(&gap)
      try packing.count(&count)
      let last = UInt64(places.last ?? 0)
      guard index == 0 || gap > 0, count > 0, gap <= UInt64(UInt32.max) - last,
        count <= Packing.largestCount - total
      else { throw PackingProblem() }
      append(Int(last + gap), count)
    }
  }
}
