import Contracts
import Timekeeping

/// Carries requests to servers and brings their answers; one thread at a time uses it.
public protocol WireTransport: AnyObject {
  /// Sends a request without waiting.
  ///
  /// - Parameters:
  ///   - domain: Whose server it goes to.
  ///   - timeOut: How long its client waits, in real time.
  ///   - onEnd: Told once what came of it, from within `rest`.
  func send(
    _ request: WireRequest, of domain: String, timeOut: Span,
    onEnd: @escaping (WireEnding) -> Void)

  /// Waits until the monotonic clock shows so many nanoseconds, or something came, and tells what did.
  func rest(until nanoseconds: UInt64)
}

/// How a request over a wire ended.
public struct WireEnding: Sendable {
  public enum Answer: Sendable {
    case response(WireResponse)
    /// Nobody was reached, so that it certainly did not happen.
    case unreached(String)
    case timedOut
    case reset
    /// An answer came, and nobody can read it.
    case unreadable
  }

  public let answer: Answer
  /// When it was over, on the monotonic clock in nanoseconds.
  public let nanoseconds: UInt64

  public init(_ answer: Answer, at nanoseconds: UInt64) {
    self.answer = answer
    self.nanoseconds = nanoseconds
  }
}

/// Why a server cannot be a scenario's target.
public enum TargetProblem: Error, Hashable, Sendable {
  /// Nobody answers there.
  case unreachable(String)
  /// It answers, and cannot be made ready.
  case unsuitable(String)

  public var words: String {
    switch self {
    case .unreachable(let words), .unsuitable(let words): words
    }
  }
}

/// The servers of a run: which domains they are of, and how to reach them.
public struct WireTargets: Sendable {
  public let domains: Set<String>
  /// Makes a transport; each worker gets one of its own.
  let connect: @Sendable () throws(TargetProblem) -> any WireTransport

  public init(
    _ domains: Set<String>,
    connect: @escaping @Sendable () throws(TargetProblem) -> any WireTransport
  ) {
    self.domains = domains
    self.connect = connect
  }
}
