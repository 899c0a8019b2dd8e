import Timekeeping

/// Response times in each of many equal slices of a run, coarse enough to be kept for all of them: four classes an octave, from
/// 64 µs to about five hours, so that a quantile is right to about a tenth.
public struct SliceLatencies: Sendable, Equatable {
  private static let firstOctave = 6
  private static let octaves = 28
  /// The last class is of those that were not answered, later than all others.
  private static let classes = octaves * 4 + 1

  /// What a request adds.
  public enum Wait: Sendable {
    case ended(Span)
    case endless
  }

  private let slices: Int
  /// Of every class of every slice.
  private var counts: ContiguousArray<UInt32>
  /// In place of `counts`, which is empty then.
  private var compacted: SparseCounts?

  public init(slices: Int) {
    self.slices = slices
    counts = ContiguousArray(repeating: 0, count: slices * Self.classes)
  }

  public mutating func record(_ wait: Wait, slice: Int) {
    let place =
      switch wait {
      case .ended(let span): Self.place(of: span)
      case .endless: Self.classes - 1
      }
    expand()
    counts[slice * Self.classes + place] &+= 1
  }

  public mutating func merge(_ other: SliceLatencies) {
    expand()
    other.each(0..<min(slices, other.slices)) {
      counts[$0] &+= UInt32(truncatingIfNeeded: $1)
    }
  }

  /// Keeps the classes in use only, for as long as nothing is counted.
  public mutating func compact() {
    guard compacted == nil else { return }
    compacted = SparseCounts(counts)
    counts = []
  }

  private mutating func expand() {
    guard let kept = compacted.take() else { return }
    counts = ContiguousArray(repeating: 0, count: slices * Self.classes)
    kept.each(0..<counts.count) { counts[$0] = UInt32(truncatingIfNeeded: $1) }
  }

  /// The classes in use of some slices, slice by slice.
  private func each(_ slices: Range<Int>, _ body: (_ place: Int, _ count: UInt64) -> Void) {
    let places = slices.lowerBound * Self.classes..<slices.upperBound * Self.classes
    if let compacted { return compacted.each(places, body) }
    for place in places where counts[place] > 0 { body(place, UInt64(counts[place])) }
  }

  public static func == (a: SliceLatencies, b: SliceLatencies) -> Bool {
    (a.compacted ?? SparseCounts(a.counts)) == (b.compacted ?? SparseCounts(b.counts))
      && a.slices == b.slices
  }

  /// A class of times and how many were in it.
  public struct Class: Sendable, Equatable {
    /// Its ends in seconds, infinite for those that were not answered.
    public let seconds: Range<Double>
    public let count: Int
  }

  /// The classes of a slice in which anything was, shortest times first.
  public func classes(inSlice slice: Int) -> [Class] {
    var found: [Class] = []
    each(slice..<slice + 1) { index, count in
      let place = index - slice * Self.classes
      let low = place == 0 ? 0 : Self.low(of: place)
      let high = place < Self.classes - 2 ? Self.low(of: place + 1) : .infinity
      found.append(
        Class(
          seconds: place == Self.classes - 1 ? .infinity..<Double.infinity : low..<high,
          count: Int(count)))
    }
    return found
  }

  /// The middle of the class that holds the sample of rank ceil(q · count), in seconds; `nil` where a slice has too few to tell it,
  /// and where that one was not answered.
  public func quantile(_ q: Double, slice: Int) -> Double? {
    var used: [(place: Int, count: Int)] = []
    each(slice..<slice + 1) { used.append(($0 - slice * Self.classes, Int($1))) }
    let count = used.reduce(0) { $0 + $1.count }
    guard LatencyHistogram.tells(q, of: UInt64(count)) else { return nil }
    let rank = max(1, min(count, Int((q * Double(count)).rounded(.up))))
    var seen = 0
    for (place, count) in used where place < Self.classes - 1 {
      seen += count
      if seen >= rank { return Self.middle(of: place) }
    }
    return nil
  }

  private static func place(of span: Span) -> Int {
    let units = UInt64(max(0, span.nanoseconds) / 1_000)
    let magnitude = 63 - (units | 1).leadingZeroBitCount
    guard magnitude >= firstOctave else { return 0 }
    let quarter = Int(units >> UInt64(magnitude - 2)) & 3
    return min(classes - 2, (magnitude - firstOctave) * 4 + quarter)
  }

  private static func low(of place: Int) -> Double {
    Double(UInt64(4 + place % 4) << UInt64(firstOctave + place / 4 - 2)) / 1e6
  }

  private static func middle(of place: Int) -> Double {
    let low = Self.low(of: place)
    let width = Double(UInt64(1) << UInt64(firstOctave + place / 4 - 2)) / 1e6
    return low + width / 2
  }
}

extension SliceLatencies: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    var kept = compacted ?? SparseCounts(counts)
    try kept.pack(&packing)
    guard packing.isReading else { return }
    guard kept.last ?? 0 < slices * Self.classes else { throw PackingProblem() }
    (compacted, counts) = (kept, [])
  }
}
