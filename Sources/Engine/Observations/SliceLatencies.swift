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

  private var counts: ContiguousArray<UInt32>

  public init(slices: Int) {
    counts = ContiguousArray(repeating: 0, count: slices * Self.classes)
  }

  public mutating func record(_ wait: Wait, slice: Int) {
    let place =
      switch wait {
      case .ended(let span): Self.place(of: span)
      case .endless: Self.classes - 1
      }
    counts[slice * Self.classes + place] &+= 1
  }

  public mutating func merge(_ other: SliceLatencies) {
    for index in counts.indices where index < other.counts.count {
      counts[index] &+= other.counts[index]
    }
  }

  /// A class of times and how many were in it.
  public struct Class: Sendable, Equatable {
    /// Its ends in seconds, infinite for those that were not answered.
    public let seconds: Range<Double>
    public let count: Int
  }

  /// The classes of a slice in which anything was, shortest times first.
  public func classes(inSlice slice: Int) -> [Class] {
    (0..<Self.classes).compactMap { place in
      let count = counts[slice * Self.classes + place]
      guard count > 0 else { return nil }
      let low = place == 0 ? 0 : Self.low(of: place)
      let high = place < Self.classes - 2 ? Self.low(of: place + 1) : .infinity
      return Class(
        seconds: place == Self.classes - 1 ? .infinity..<Double.infinity : low..<high,
        count: Int(count))
    }
  }

  /// The middle of the class that holds the sample of rank ceil(q · count), in seconds; `nil` where a slice has too few to tell it,
  /// and where that one was not answered.
  public func quantile(_ q: Double, slice: Int) -> Double? {
    let range = slice * Self.classes..<(slice + 1) * Self.classes
    let count = counts[range].reduce(0) { $0 + Int($1) }
    guard LatencyHistogram.tells(q, of: UInt64(count)) else { return nil }
    let rank = max(1, min(count, Int((q * Double(count)).rounded(.up))))
    var seen = 0
    for place in range.dropLast() {
      seen += Int(counts[place])
      if seen >= rank { return Self.middle(of: place - range.lowerBound) }
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
    try packing.sparse(&counts)
  }
}
