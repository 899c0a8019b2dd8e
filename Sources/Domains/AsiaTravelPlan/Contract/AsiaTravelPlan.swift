import Contracts

/// The typed surface of signing in through the identity provider (§7) and of the parallel reads of a booking's detail
/// (OP-03, OP-06, OP-08).
///
/// Two servers speak this contract: the API and the identity provider, each with its own port. A redirect is a reply
/// like any other; following it is the user agent's business, one request after the other.
public enum AsiaTravelPlan: DeclaredContract {
  public static let domain = "asia-travel-plan"
  public static let services = ["api", "identity provider"]
  static let provider = 1

  public enum Request: DeclaredRequest {
    case discovery(DiscoveryRequest)
    case authorize(AuthorizationRequest)
    case logIn(LogIn)
    case token(TokenRequest)
    case keySet(realm: String)
    case endSession(EndSession)
    /// 7.5, confirmation step: the action that the page gave.
    case confirmEndSession(action: String)
    case booking(id: String)
    case activities(booking: String)
    case invoices(booking: String)
    case unread(Unread)
    /// What the environment brought when the API wanted the provider's keys; `nil` when nobody answered (7.4, 7.6).
    case keySetArrived(realm: String, KeySet?)
    /// The provider signs with a new key; the old one stays published or goes at once (7.6).
    case rotateKeys(keepOld: Bool)
    case setUser(UserChange)
    case setClient(ClientRegistration)
    /// An administrator ends a user's sessions (7.6).
    case endSessions(username: String)
    case setRule(RuleSwitch<Rule>)
    case configure(Adjustment<Deployment>)

    var discovery: DiscoveryRequest? { if case .discovery(let it) = self { it } else { nil } }
    var authorize: AuthorizationRequest? { if case .authorize(let it) = self { it } else { nil } }
    var logIn: LogIn? { if case .logIn(let it) = self { it } else { nil } }
    var token: TokenRequest? { if case .token(let it) = self { it } else { nil } }
    var keySet: String? { if case .keySet(let it) = self { it } else { nil } }
    var endSession: EndSession? { if case .endSession(let it) = self { it } else { nil } }
    var confirmation: String? { if case .confirmEndSession(let it) = self { it } else { nil } }
    var booking: String? { if case .booking(let it) = self { it } else { nil } }
    var activities: String? { if case .activities(let it) = self { it } else { nil } }
    var invoices: String? { if case .invoices(let it) = self { it } else { nil } }
    public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  public enum Reply: Hashable, Sendable {
    case discovery(Discovery)
    case loginPage(LoginPage)
    case redirected(Redirect)
    case tokens(TokenSet)
    case keys(KeySet)
    case endSessionPage(action: String)
    /// The session has ended, and nobody said where to go next.
    case signedOut
    case booking(BookingDetail)
    case activities([Activity])
    case invoices([Invoice])
    case done

    var discovery: Discovery? { if case .discovery(let it) = self { it } else { nil } }
    var loginPage: LoginPage? { if case .loginPage(let it) = self { it } else { nil } }
    var redirected: Redirect? { if case .redirected(let it) = self { it } else { nil } }
    var tokens: TokenSet? { if case .tokens(let it) = self { it } else { nil } }
    var keys: KeySet? { if case .keys(let it) = self { it } else { nil } }
    var endSessionPage: String? { if case .endSessionPage(let it) = self { it } else { nil } }
    var booking: BookingDetail? { if case .booking(let it) = self { it } else { nil } }
    var activities: [Activity]? { if case .activities(let it) = self { it } else { nil } }
    var invoices: [Invoice]? { if case .invoices(let it) = self { it } else { nil } }
  }

  public static let done: Reply? = .done

  /// What the backend asks of the world outside; a person receives nothing unasked.
  public enum Signal: Hashable, Sendable {
    /// The API fetches the provider's keys; these are what the provider publishes at this instant. The environment
    /// brings them back after the way there and back, or loses them.
    case keySetFetch(realm: String, KeySet)
  }

  public enum Address: Hashable, Sendable {
    case provider
  }
}

public struct Cookie: Hashable, Sendable {
  /// The provider's browser session.
  public static let session = "KEYCLOAK_IDENTITY"

  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    (self.name, self.value) = (
      name, value
    )
  }
}
