import Observations
import Timekeeping

/// How a call ended, and when.
public struct HTTPAnswer: Sendable {
  /// When it was given to a connection, or to the making of one.
  public var sent: Instant
  public var ended: Instant
  /// `nil` of a whole answer, whatever its status.
  public var failure: HTTPFailure?
  /// 0 where no answer came.
  public var status: Int
  /// All bytes of the body, those that were not kept among them.
  public var bytes: Int
  /// The first bytes of the body, as many as are kept.
  public var body: [UInt8]
  /// The lines of the answer's header, where they are kept; names in lower case.
  public var headers: [(name: String, value: String)] = []
  /// What was written to connections for it.
  public var requests = Requests()
  /// What libcurl had to say about a failure; it may quote the server.
  public var explanation: String

  /// The requests that one call is written as: more than one where it is sent again or follows a redirect, none where no connection
  /// came about.
  public struct Requests: Sendable, Equatable {
    public var first = 0
    /// Sent again on another connection, because the kept one had ended without a byte of an answer.
    public var repeated = 0
    public var redirected = 0

    public init() {}
  }
}

extension HTTPAnswer {
  /// What it says of the server's connections; `nil` where it says nothing: that a server is slow, or speaks nonsense.
  public var connection: OutageTally.Connection? {
    switch failure {
    case nil: .answered
    case .refused?, .unreachable?: .refused
    case .reset?, .truncated?: .ended
    case .connectTimeOut?, .noLocalPort?, .tls?, .responseTimeOut?, .unparsable?,
      .unexpectedStatus?:
      nil
    }
  }
}
