import Observations
import Timekeeping

/// The share of things still open after a time, with those that never ended counted as long as they were seen.
///
/// - Source: E. L. Kaplan, P. Meier, JASA 53 (1958), 457–481.
enum Survival {
  /// - Returns: No points where nothing began.
  static func curve(finished: LatencyHistogram, unfinished: LatencyHistogram) -> [CurvePoint] {
    var events = finished.buckets.map { (at: $0.value, ended: $0.count, censored: UInt64(0)) }
    events += unfinished.buckets.map { ($0.value, UInt64(0), $0.count) }
    // At one instant, ends come before censorings: who was censored then was still at risk.
    if events.isEmpty { return [] }
    events.sort { ($0.at, $0.censored) < ($1.at, $1.censored) }
    var atRisk = Double(finished.count + unfinished.count)
    var share = 1.0
    var points = [CurvePoint(share: 1, seconds: 0)]
    for event in events {
      if event.ended > 0 {
        share *= 1 - Double(event.ended) / atRisk
        points.append(CurvePoint(share: share, seconds: event.at.seconds))
      }
      atRisk -= Double(event.ended + event.censored)
    }
    if let last = events.last, last.at.seconds > points.last!.seconds {
      points.append(CurvePoint(share: share, seconds: last.at.seconds))
    }
    return thinned(points)
  }

  /// Where things were when nobody saw them any more, in at most thirty groups.
  static func openSince(_ unfinished: LatencyHistogram) -> [OpenSince] {
    let buckets = unfinished.buckets.map {
      OpenSince(seconds: $0.value.seconds, count: Int($0.count))
    }
    let size = (buckets.count + 29) / 30
    return stride(from: 0, to: buckets.count, by: max(1, size)).map { start in
      let group = buckets[start..<min(start + size, buckets.count)]
      return OpenSince(
        seconds: group[group.startIndex + group.count / 2].seconds,
        count: group.reduce(0) { $0 + $1.count })
    }
  }

  /// At most about 400 points: more cannot be seen.
  private static func thinned(_ points: [CurvePoint]) -> [CurvePoint] {
    guard points.count > 400 else { return points }
    let step = (points.count + 399) / 400
    return points.enumerated().filter { $0.offset % step == 0 || $0.offset == points.count - 1 }
      .map(\.element)
  }
}
