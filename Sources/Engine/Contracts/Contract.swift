import Timekeeping

/// The typed surface of a backend: what can be asked, what it answers, what arrives unasked.
///
/// Journeys, checks and twins of a domain share it and nothing else; any server that speaks its wire mapping can
/// take the twin's place.
public protocol ServiceContract: Sendable {
  /// Everything that can be asked: product operations, control commands, inspection.
  associatedtype Request: Hashable, Sendable
  associatedtype Reply: Hashable, Sendable
  /// "No, and nothing happened", as a value.
  associatedtype Refusal: RefusalCode
  /// What arrives unasked: mail, push, subscription.
  associatedtype Signal: Hashable, Sendable
  /// What a caller proves itself with; `nil` in a call means that it sent none.
  associatedtype Credential: Hashable, Sendable
  /// What a simulated device writes down about itself, for rules that bind the device.
  associatedtype Note: Hashable, Sendable
  /// Where signals go: an address that a person listens at (mailbox, push token), never a person.
  associatedtype Address: Hashable, Sendable

  /// Every rule and figure that the documents state.
  associatedtype Rule: Contracts.Rule = NoRule

  /// The domain's name in scenarios, files and results: `canteen`.
  static var domain: String { get }
  /// Every operation, in the order of the specification; `operation(of:)` indexes into it.
  static var operations: [Operation] { get }
  static func operation(of request: Request) -> Int

  /// Mixes what matters of a reply into a digest: no token, no generated key that the wire alone decides.
  static func fingerprint(of reply: Reply, into digest: inout Digest)
  /// The same of the answer to an operation, which may help to find what the reply is.
  static func fingerprint(of reply: Reply, to operation: Int, into digest: inout Digest)
}

extension ServiceContract {
  public static func fingerprint(of reply: Reply, to operation: Int, into digest: inout Digest) {
    fingerprint(of: reply, into: &digest)
  }

  /// Its rules, as whoever knows no domain sees them.
  public static var limits: [Limit] { Rule.limits }
}

/// Why a backend refused.
public protocol RefusalCode: Error, Hashable, Sendable {
  /// The stable code that clients read: `shift_in_past`.
  var code: String { get }
}

/// One thing that can be asked of a backend.
public struct Operation: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Part of the product's own interface.
    case product
    /// A command of the twin's operator.
    case control
    /// A question of the harness.
    case inspection
  }

  /// The name in objectives and reports: `sync`.
  public let name: String
  public let title: String
  public let kind: Kind
  /// Where the documents describe it: `O4`.
  public let source: String
  /// How long a client of this operation waits before it gives up.
  public let timeout: Span
  /// Whether its answer is meant to be long in coming: a time-out for ordinary requests does not apply to it.
  public let isLongPoll: Bool

  public init(
    _ name: String, _ title: String, kind: Kind = .product, source: String,
    timeout: Span = .seconds(60), isLongPoll: Bool = false
  ) {
    self.name = name
    self.title = title
    self.kind = kind
    self.source = source
    self.timeout = timeout
    self.isLongPoll = isLongPoll
  }
}
