import Contracts

/// The typed surface of signing in through the identity provider (§7) and of the parallel reads of a booking's detail
/// (OP-03, OP-06, OP-08).
///
/// Two servers speak this contract: the API and the identity provider, each with its own port. A redirect is a reply
/// like any other; following it is the user agent's business, one request after the other.
public enum AsiaTravelPlan: WireContract {
  public static let domain = "asia-travel-plan"
  public static let services = ["api", "identity provider"]
  static let provider = 1

  public enum Request: Hashable, Sendable {
    case authorize(AuthorizationRequest)  // 7.2
    case logIn(LogIn)  // 7.2, login step
    case token(TokenRequest)  // 7.3
    case keySet(realm: String)  // 7.1, certs
    case endSession(EndSession)  // 7.5
    /// 7.5, confirmation step: the action that the page gave.
    case confirmEndSession(action: String)
    case booking(id: String)  // OP-03
    case activities(booking: String)  // OP-06
    case invoices(booking: String)  // OP-08
    /// A request that no operation takes, on one of the services.
    case unrouted(method: String, target: String, service: Int)
    /// What the environment brought when the API wanted the provider's keys; `nil` when nobody answered (7.4, 7.6).
    case keySetArrived(realm: String, KeySet?)
    case control(Control)
  }

  public enum Reply: Hashable, Sendable {
    case loginPage(LoginPage)
    case redirected(Redirect)
    case tokens(TokenSet)
    case keys(KeySet)
    case endSessionPage(action: String)
    case booking(BookingDetail)
    case activities([Activity])
    case invoices([Invoice])
    case done
  }

  /// What the backend asks of the world outside; a person receives nothing unasked.
  public enum Signal: Hashable, Sendable {
    /// The API fetches the provider's keys; these are what the provider publishes at this instant. The environment
    /// brings them back after the way there and back, or loses them.
    case keySetFetch(realm: String, KeySet)
  }

  public enum Address: Hashable, Sendable {
    case provider
  }

  public enum Credential: Hashable, Sendable {
    /// `Authorization: Bearer …`.
    case bearer(SignedToken)
    /// Any other `Authorization` header: it counts as no token (ATP-25).
    case otherScheme(String)
    /// The cookies of the user agent; the provider's alone, the API sees none (ATP-04).
    case cookies([Cookie])
  }

  public enum Control: Hashable, Sendable {
    /// The provider signs with a new key; the old one stays published or goes at once (7.6).
    case rotateKeys(keepOld: Bool)
  }
}

public struct Cookie: Hashable, Sendable {
  /// The provider's browser session.
  public static let session = "KEYCLOAK_IDENTITY"

  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
