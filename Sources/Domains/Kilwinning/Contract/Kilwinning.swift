import Contracts
import Timekeeping

/// The typed surface of the operations by which a device logs in and synchronises its offline queue: O3, O4, O7
/// and O10 of the specification.
///
/// The *person* of a request is the fratello that the session proves; the *device* is whoever sends it. A fratello's
/// two devices have two sessions (KW-006), two network addresses and two queues; the keys of idempotency are the
/// fratello's (KW-072).
public enum Kilwinning: WireContract {
  public static let domain = "kilwinning"

  public enum Request: Hashable, Sendable {
    case logIn(nome: String)  // O3
    case me  // O4
    case presenze(PresenzeQuery)  // O7
    case confirm(Confirmation)  // O10
    /// A request of a known operation that cannot be read (§3.3, steps 1, 2, 7 and 9).
    case malformed(MobileOperation, Fault)
    /// A request that no operation takes.
    case unrouted(method: String, target: String, allowed: [String])
  }

  public enum Reply: Hashable, Sendable {
    case loggedIn(Login)  // O3
    case fratello(Fratello)  // O4
    case presenze([Presenza])  // O7
    case confirmed(Acknowledgement)  // O10
  }

  /// Nothing arrives unasked: there is no push, widget and dashboard poll.
  public typealias Signal = Never
  public typealias Address = Never

  /// What a request carries beside its content; the session decides, the address is for request limits alone.
  public struct Credential: Hashable, Sendable {
    /// The network address, in process the device's name (KW-163).
    public var peer: String?
    /// The `Authorization` header: it alone decides where both are sent (KW-011).
    public var authorization: Authorization?
    /// The cookie `kilwinning_session`.
    public var cookie: String?

    public init(peer: String? = nil, authorization: Authorization? = nil, cookie: String? = nil) {
      self.peer = peer
      self.authorization = authorization
      self.cookie = cookie
    }
  }

  public enum Authorization: Hashable, Sendable {
    case bearer(String)
    /// A header that is no `Bearer` and one token (KW-010), as it was sent.
    case malformed(String)
  }
}
