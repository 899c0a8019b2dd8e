import Observations
import Statistics
import Timekeeping

/// A quantile in each slice of a run, over all requests of all replications, with the interval that those replications leave.
struct SliceQuantiles {
  /// In seconds, to about a tenth; `nil` where too few requests tell it, and beyond what was answered.
  let seconds: [Double?]
  /// Of the classes of times that the replications' counts above them do not exclude; `nil` where replications are too few, and
  /// where there is no quantile.
  let intervals: [Bounds?]

  init(_ q: Double, whole: LoadTally, of replications: [LoadTally]) {
    let slices = whole.requests.indices
    let found = slices.map { whole.latencies.quantile(q, slice: $0) }
    seconds = found
    intervals = slices.map { slice in
      guard found[slice] != nil else { return nil }
      return Self.interval(
        q, whole: whole.latencies.classes(inSlice: slice),
        of: replications.filter { slice < $0.requests.count }.map {
          $0.latencies.classes(inSlice: slice)
        })
    }
  }

  private typealias Class = SliceLatencies.Class

  private static func interval(_ q: Double, whole: [Class], of each: [[Class]]) -> Bounds? {
    let values = whole.filter { $0.seconds.lowerBound.isFinite }.map(\.seconds)
    let count = whole.reduce(0) { $0 + $1.count }
    let rank = max(1, Int((q * Double(count)).rounded(.up)))
    var seen = 0
    let estimate = whole.firstIndex { each in
      seen += each.count
      return seen >= rank
    }
    guard let estimate, estimate < values.count else { return nil }
    let filled = each.filter { !$0.isEmpty }.map { late($0, values) }
    let range = ReplicatedQuantile.candidates(
      ofQuantile: q, count: values.count, estimate: estimate,
      isOpenAbove: values.count < whole.count
    ) { place in
      filled.map { LateCount(late: UInt64($0.late[place]), requests: UInt64($0.count)) }
    }
    guard case .success(let places) = range, places.lowerBound < values.count else { return nil }
    return Bounds(
      low: values[places.lowerBound].lowerBound,
      high: places.upperBound < values.count ? values[places.upperBound].upperBound : .infinity)
  }

  /// How many of a replication lie above each of some ascending classes, and how many there are.
  private static func late(
    _ classes: [Class], _ values: [Range<Double>]
  ) -> (late: [Int], count: Int) {
    let count = classes.reduce(0) { $0 + $1.count }
    var (rest, next) = (count, 0)
    let late = values.map { value in
      while next < classes.count, classes[next].seconds.lowerBound <= value.lowerBound {
        rest -= classes[next].count
        next += 1
      }
      return rest
    }
    return (late, count)
  }
}
