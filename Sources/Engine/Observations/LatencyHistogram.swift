import Timekeeping

/// A histogram of times with a bounded relative error of 1/1024 in HdrHistogram's bucket layout.
///
/// It keeps counts between the smallest and the largest bucket used, merges exactly, and its memory does not grow
/// with the number of samples. Once all is counted it can be made compact: then it keeps the buckets in use only.
///
/// - Source: G. Tene, HdrHistogram; three significant digits.
public struct LatencyHistogram: Sendable, Equatable {
  private static let halfBits = 10
  private static let half = 1 << halfBits

  /// The buckets of the first samples, one by one: a few hundred samples lie in as many buckets out of thousands, most of which would
  /// be written as zeros, moved whenever one lies beyond them, and added when histograms merge.
  private var few: ContiguousArray<Int32> = []
  private static let fewMost = 1_024
  /// Counts of the buckets from `first` on, in whole octaves, once the samples are more.
  private var counts: ContiguousArray<UInt64> = []
  private var first = 0
  /// In place of both, which are empty then.
  private var compacted: SparseCounts?
  public private(set) var count: UInt64 = 0

  /// The resolution: shorter differences are not kept.
  public let unit: Span

  public init(unit: Span = .microseconds(1)) { self.unit = unit }

  public mutating func record(_ span: Span, times: UInt64 = 1) {
    let index = index(of: span)
    count += times
    if areFew, times == 1, few.count < Self.fewMost { return few.append(Int32(index)) }
    spread()
    reach(index)
    counts[index - first] += times
  }

  /// Exact: the histogram of two samples together is the sum of their histograms.
  public mutating func merge(_ other: LatencyHistogram) {
    precondition(unit == other.unit, "histograms of two units do not merge")
    guard other.count > 0 else { return }
    guard count > 0 || other.compacted == nil else {
      self = other
      return
    }
    count += other.count
    if areFew, other.areFew, few.count + other.few.count <= Self.fewMost {
      return few.append(contentsOf: other.few)
    }
    spread()
    other.eachBucket { index, n in
      reach(index)
      counts[index - first] += n
    }
  }

  /// Takes out a part of what it holds, as exactly as `merge` puts it in, and is compact afterwards.
  public mutating func remove(_ part: LatencyHistogram) {
    precondition(unit == part.unit, "histograms of two units do not mix")
    guard part.count > 0 else { return }
    spread()
    part.eachBucket { index, n in counts[index - first] -= n }
    count -= part.count
    compact()
  }

  /// Keeps the buckets in use only, for as long as nothing is counted.
  public mutating func compact() {
    guard compacted == nil, count > 0 else { return }
    (compacted, few, counts, first) = (sparse, [], [], 0)
  }

  /// The buckets in use with their counts.
  private var sparse: SparseCounts {
    if let compacted { return compacted }
    return areFew ? SparseCounts(samples: few) : SparseCounts(counts, from: first)
  }

  /// Whether what it holds are samples one by one, or nothing.
  private var areFew: Bool { counts.isEmpty && compacted == nil }

  /// Buckets in use with their counts; one that holds few samples may come several times, in no order.
  private func eachBucket(_ body: (_ index: Int, _ n: UInt64) -> Void) {
    for index in few { body(Int(index), 1) }
    for (offset, n) in counts.enumerated() where n > 0 { body(first + offset, n) }
    compacted?.each(body)
  }

  /// From now on counts are kept by bucket.
  private mutating func spread() {
    let (few, compacted) = (few, compacted)
    (self.few, self.compacted) = ([], nil)
    for index in few {
      reach(Int(index))
      counts[Int(index) - first] += 1
    }
    compacted?.each { index, n in
      reach(index)
      counts[index - first] += n
    }
  }

  /// The largest value of the bucket that holds the sample of rank ceil(q · count); `nil` when empty.
  public func quantile(_ q: Double) -> Span? {
    guard count > 0 else { return nil }
    return value(ofRank: Self.rank(of: q, among: count))
  }

  /// Whether so many observations say anything about a quantile: with fewer than a hundred the 99th percentile is no more than the
  /// largest of them. The one rule for every file, table and chart.
  public static func tells(_ q: Double, of count: UInt64) -> Bool {
    // A share such as 0.001 is a hair less than it says.
    Double(count) * (1 - q) > 1 - 1e-6
  }

  /// ceil(q · count), at least 1.
  public static func rank(of q: Double, among count: UInt64) -> UInt64 {
    // A share such as 0.07 is a hair more than it says: rounding errors must not cost a rank.
    let share = q * Double(count)
    return max(1, min(count, UInt64((share - share * 4 * .ulpOfOne).rounded(.up))))
  }

  /// The largest value of the bucket that holds the sample of a rank, from 1 on; `nil` beyond the last.
  public func value(ofRank rank: UInt64) -> Span? {
    guard rank <= count else { return nil }
    guard !counts.isEmpty else { return highest(of: sparse.place(ofRank: rank)) }
    var seen: UInt64 = 0
    for (offset, n) in counts.enumerated() {
      seen += n
      if seen >= rank { return highest(of: first + offset) }
    }
    preconditionFailure("the counts of a histogram add up to less than its count")
  }

  /// How many samples are certainly above a bound: those in buckets that lie wholly above it.
  public func count(above bound: Span) -> UInt64 {
    let index = index(of: bound)
    if let compacted { return count - compacted.sum(below: index + 1) }
    var above: UInt64 = 0
    eachBucket { if $0 > index { above += $1 } }
    return above
  }

  /// The mean of the buckets' highest values, in seconds; `nil` when empty.
  public var mean: Double? {
    guard count > 0 else { return nil }
    var sum = 0.0
    for (value, n) in buckets { sum += value.seconds * Double(n) }
    return sum / Double(count)
  }

  /// The deviation of the buckets' highest values around their mean, in seconds, over the whole population; 0 when
  /// empty.
  public var standardDeviation: Double {
    guard let mean else { return 0 }
    var sum = 0.0
    for (value, n) in buckets {
      let distance = value.seconds - mean
      sum += distance * distance * Double(n)
    }
    return (sum / Double(count)).squareRoot()
  }

  public var minimum: Span? { buckets.first?.value }
  public var maximum: Span? { buckets.last?.value }

  /// The buckets in use with their highest values, ascending.
  public var buckets: [(value: Span, count: UInt64)] {
    var buckets: [(value: Span, count: UInt64)] = []
    sparse.each { buckets.append((highest(of: $0), $1)) }
    return buckets
  }

  public static func == (a: LatencyHistogram, b: LatencyHistogram) -> Bool {
    a.count == b.count && a.buckets.elementsEqual(b.buckets) { $0 == $1 }
  }

  private mutating func reach(_ index: Int) {
    if first <= index, index < first + counts.count { return }
    let octave = index & -Self.half
    if counts.isEmpty {
      first = octave
      counts = ContiguousArray(repeating: 0, count: Self.half)
    } else if index < first {
      counts.insert(contentsOf: repeatElement(0, count: first - octave), at: 0)
      first = octave
    } else {
      let more = octave + Self.half - first - counts.count
      counts.append(contentsOf: repeatElement(0, count: more))
    }
  }

  /// Values below 2048 units have a bucket each; above, every octave has 1024.
  private func index(of span: Span) -> Int {
    let units = UInt64(max(0, span.nanoseconds) / unit.nanoseconds)
    let magnitude = 63 - (units | UInt64(2 * Self.half - 1)).leadingZeroBitCount
    let shift = magnitude - Self.halfBits
    return (shift << Self.halfBits) + Int(units >> UInt64(shift))
  }

  private func highest(of index: Int) -> Span {
    let octave = index >> Self.halfBits
    guard octave >= 2 else { return unit * Int64(index) }
    let shift = octave - 1
    let base = index - (shift << Self.halfBits)
    return unit * Int64(((base + 1) << shift) - 1)
  }
}

extension LatencyHistogram: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    var kept = sparse
    try kept.pack(&packing)
    guard packing.isReading else { return }
    self = LatencyHistogram(unit: unit)
    guard let last = kept.last else { return }
    guard last <= index(of: Span(nanoseconds: .max)) else { throw PackingProblem() }
    (compacted, count) = (kept, kept.total)
  }
}
