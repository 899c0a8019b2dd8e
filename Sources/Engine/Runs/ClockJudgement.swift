import Observations
import Timekeeping

/// Whether generators on several machines began when they were meant to: their clocks have to show the same time.
public struct ClockJudgement: Sendable {
  private let known: [(share: Share, offset: Double)]
  private let unknown: [Share]
  private let limit: Span

  /// - Parameters:
  ///   - clocks: How far each generator's clock is from that of its time servers, in seconds; `nil` where its system does not know.
  ///   - limit: How late calls may leave.
  public init(_ clocks: [(share: Share, offset: Double?)], limit: Span) {
    known = clocks.compactMap { clock in clock.offset.map { (clock.share, $0) } }
    unknown = clocks.filter { $0.offset == nil }.map(\.share)
    self.limit = limit
  }

  /// Why the load does not count: the two clocks that are furthest apart, where that is more than calls may be late.
  public var breaches: [String] {
    guard let first = known.min(by: { $0.offset < $1.offset }),
      let last = known.max(by: { $0.offset < $1.offset }),
      last.offset - first.offset > limit.seconds
    else { return [] }
    let apart = Span(seconds: last.offset - first.offset)
    return [
      "clocks: those of generators \(first.share) and \(last.share) differ by \(apart) (limit \(limit))"
    ]
  }

  /// What is known of the clocks, as a sentence.
  public var words: String {
    if unknown.isEmpty { return "All clocks were set by time servers." }
    let names = unknown.map(\.description).joined(separator: ", ")
    return
      "Whether the clocks of generators \(names) were right is unknown: nothing set them, as far as their systems say."
  }
}
