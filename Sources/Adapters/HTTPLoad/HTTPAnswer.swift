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
  /// How often it was sent again on another connection, because the kept one had ended without a byte of an answer.
  public var repeats = 0
  /// What libcurl had to say about a failure; it may quote the server.
  public var explanation: String
}
