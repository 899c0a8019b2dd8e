import Timekeeping

/// What a scenario demands on top of the documented limits.
public struct Objective: Hashable, Sendable {
  public enum Measure: Hashable, Sendable {
    /// A quantile in 0..<1 of an operation's response times or of a business latency.
    case quantile(Double)
    case mean
    /// The share of requests that were not answered, or answered with a server error.
    case errors
    /// The share that took longer than so long, of an operation's requests or of a business latency.
    case share(over: Span)
    /// Requests made, or things finished, in a second of virtual time.
    case rate
    /// The same in one replication.
    case count

    public var unit: Unit {
      switch self {
      case .quantile, .mean: .seconds
      case .errors, .share: .share
      case .rate: .perSecond
      case .count: .count
      }
    }
  }

  /// A part of the run: what was meant to be sent, or began, from the first moment on and before the second.
  public struct Window: Hashable, Sendable {
    public var from: Instant
    public var to: Instant

    public init(from: Instant, to: Instant) {
      self.from = from
      self.to = to
    }
  }

  /// What an objective's figures are counted in.
  public enum Unit: String, Hashable, Sendable { case seconds, share, perSecond, count }

  public enum Comparison: String, Hashable, Sendable {
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    public var isUpperBound: Bool { self == .less || self == .atMost }
  }

  public var text: String
  public var measure: Measure
  /// `nil` means every world.
  public var domain: String?
  /// An operation's or business latency's name; `nil` means all operations.
  public var subject: String?
  /// `nil` means the whole run.
  public var window: Window?
  public var comparison: Comparison
  /// In the unit of the measure.
  public var bound: Double
  public var line: Int

  public init(
    text: String, measure: Measure, domain: String?, subject: String?,
    window: Window? = nil, comparison: Comparison, bound: Double, line: Int
  ) {
    self.text = text
    self.measure = measure
    self.domain = domain
    self.subject = subject
    self.window = window
    self.comparison = comparison
    self.bound = bound
    self.line = line
  }
}
