import Timekeeping

/// When a server that had answered took no calls for a while: it may have been restarted, and have lost what it knew.
///
/// Calls are noted in the order in which they ended, with the time since the beginning. A stretch of failed connections between two answers is an outage where one of them
/// was refused, or where so many in a row ended without an answer that single faults do not explain it.
public struct OutageTally: Hashable, Sendable {
  /// How the connection of a call fared.
  public enum Connection: Hashable, Sendable {
    case answered
    /// None came about: refused, or no way to the host.
    case refused
    /// It ended before the answer was whole.
    case ended
  }

  fileprivate struct Stretch: Hashable, Sendable {
    var from: Span
    var to: Span
    var refused = 0
    var ended = 0

    var isOutage: Bool { refused > 0 || ended >= OutageTally.fewestEnded }
  }

  /// With three connections in ten failing by chance, one call in two hundred thousand begins so many in a row.
  static let fewestEnded = 10

  private var hasAnswered = false
  private var found: [Stretch] = []
  private var current: Stretch?

  public init() {}

  public mutating func note(_ connection: Connection, at now: Span) {
    guard connection != .answered else {
      hasAnswered = true
      close()
      return
    }
    guard hasAnswered else { return }
    var stretch = current ?? Stretch(from: now, to: now)
    stretch.to = max(stretch.to, now)
    if connection == .refused { stretch.refused += 1 } else { stretch.ended += 1 }
    current = stretch
  }

  /// Adds what another watched at the same time.
  public mutating func merge(_ other: OutageTally) {
    close()
    found += other.outages
    hasAnswered = hasAnswered || other.hasAnswered
  }

  private mutating func close() {
    if let current, current.isOutage {
      // One that never ends breaks off and begins again for hours: what counts is when, and how many.
      if let last = found.indices.last, found.count >= Self.keptMost {
        found[last].to = current.to
        found[last].refused += current.refused
        found[last].ended += current.ended
      } else {
        found.append(current)
      }
    }
    current = nil
  }

  private static let keptMost = 1_000
  private var outages: [Stretch] { found + (current?.isOutage == true ? [current!] : []) }

  /// Connections that were refused, and those that ended without an answer, in all outages.
  public var refused: Int { outages.reduce(0) { $0 + $1.refused } }
  public var ended: Int { outages.reduce(0) { $0 + $1.ended } }
  /// From the first failure of the first outage to the last of the last; `nil` without any.
  public var from: Span? { outages.map(\.from).min() }
  public var to: Span? { outages.map(\.to).max() }
}

extension OutageTally: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&hasAnswered)
    try packing.pack(&found, empty: Stretch(from: .zero, to: .zero))
    try packing.pack(&current, empty: Stretch(from: .zero, to: .zero))
    guard found.count <= Self.keptMost else { throw PackingProblem() }
  }
}

extension OutageTally.Stretch: Packable {
  mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try packing.pack(&from)
    try packing.pack(&to)
    try packing.count(&refused)
    try packing.count(&ended)
  }
}
