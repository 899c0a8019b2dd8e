import Contracts

/// The typed surface of the agency's API (§3) and of its identity provider (§7), its operator's commands and its inspection.
///
/// Two servers speak this contract: the API and the identity provider, each with its own port. A redirect is a reply
/// like any other; following it is the user agent's business, one request after the other.
public enum AsiaTravelPlan: DeclaredContract {
  public static let domain = "asia-travel-plan"
  public static let services = ["api", "identity provider"]
  public static let provider = 1
  public static let contractVersion = "2026-03-01.1"

  public enum Request: DeclaredRequest {
    indirect case discovery(DiscoveryRequest)
    indirect case authorize(AuthorizationRequest)
    indirect case logIn(LogIn)
    indirect case token(TokenRequest)
    case keySet(realm: String)
    indirect case endSession(EndSession)
    /// 7.5, confirmation step: the action that the page gave.
    case confirmEndSession(action: String)
    case bootstrap
    indirect case bookings(BookingQuery)
    case booking(id: String)
    indirect case changeStage(StageChange)
    indirect case assign(Assignment)
    case activities(booking: String)
    indirect case addActivity(NewActivity)
    case invoices(booking: String)
    case staff(withInactive: Bool)
    indirect case addStaff(NewStaff)
    case me
    case browserMe
    indirect case tours(TourQuery)
    case tour(id: String)
    indirect case addTour(TourDraft)
    indirect case changeTour(TourDraft)
    indirect case customers(CustomerQuery)
    case customer(id: String)
    indirect case addInvoice(InvoiceDraft)
    indirect case changeInvoice(InvoiceDraft)
    indirect case requestTrip(TripRequest)
    case health
    indirect case unread(Unread)
    /// What the environment brought when the API wanted the provider's keys; `nil` when nobody answered (7.4, 7.6).
    indirect case keySetArrived(realm: String, KeySet?)
    /// The provider signs with a new key; the old one stays published or goes at once (7.6).
    case rotateKeys(keepOld: Bool)
    indirect case setUser(UserChange)
    indirect case setClient(ClientRegistration)
    /// An administrator ends a user's sessions (7.6).
    case endSessions(username: String)
    indirect case load(Fixture)
    /// The agency has a staff record, or the record becomes another.
    indirect case setStaff(StaffRecord)
    indirect case setDifference(DifferenceSwitch)
    case inspect(since: Int)
    indirect case setRule(RuleSwitch<Rule>)
    indirect case configure(Adjustment<Deployment>)

    var discovery: DiscoveryRequest? { if case .discovery(let it) = self { it } else { nil } }
    var authorize: AuthorizationRequest? { if case .authorize(let it) = self { it } else { nil } }
    var logIn: LogIn? { if case .logIn(let it) = self { it } else { nil } }
    var token: TokenRequest? { if case .token(let it) = self { it } else { nil } }
    var keySet: String? { if case .keySet(let it) = self { it } else { nil } }
    var endSession: EndSession? { if case .endSession(let it) = self { it } else { nil } }
    var confirmation: String? { if case .confirmEndSession(let it) = self { it } else { nil } }
    public var bookings: BookingQuery? { if case .bookings(let it) = self { it } else { nil } }
    public var booking: String? { if case .booking(let it) = self { it } else { nil } }
    public var changeStage: StageChange? {
      if case .changeStage(let it) = self { it } else { nil }
    }
    public var assign: Assignment? { if case .assign(let it) = self { it } else { nil } }
    public var activities: String? { if case .activities(let it) = self { it } else { nil } }
    public var addActivity: NewActivity? {
      if case .addActivity(let it) = self { it } else { nil }
    }
    public var invoices: String? { if case .invoices(let it) = self { it } else { nil } }
    public var staff: Bool? { if case .staff(let it) = self { it } else { nil } }
    public var addStaff: NewStaff? { if case .addStaff(let it) = self { it } else { nil } }
    var tours: TourQuery? { if case .tours(let it) = self { it } else { nil } }
    var tour: String? { if case .tour(let it) = self { it } else { nil } }
    var addTour: TourDraft? { if case .addTour(let it) = self { it } else { nil } }
    var changeTour: TourDraft? { if case .changeTour(let it) = self { it } else { nil } }
    var customers: CustomerQuery? { if case .customers(let it) = self { it } else { nil } }
    var customer: String? { if case .customer(let it) = self { it } else { nil } }
    public var addInvoice: InvoiceDraft? {
      if case .addInvoice(let it) = self { it } else { nil }
    }
    public var changeInvoice: InvoiceDraft? {
      if case .changeInvoice(let it) = self { it } else { nil }
    }
    public var requestTrip: TripRequest? {
      if case .requestTrip(let it) = self { it } else { nil }
    }
    public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  public enum Reply: Hashable, Sendable {
    indirect case discovery(Discovery)
    indirect case loginPage(LoginPage)
    indirect case redirected(Redirect)
    indirect case tokens(TokenSet)
    indirect case keys(KeySet)
    case endSessionPage(action: String)
    /// The session has ended, and nobody said where to go next.
    case signedOut
    indirect case bootstrap(Bootstrap)
    indirect case bookings(BookingList)
    indirect case booking(BookingDetail)
    /// After a change of stage or assignment.
    indirect case changed(Booking)
    case activities([Activity])
    indirect case activity(Activity)
    case invoices([Invoice])
    case staff([StaffRecord])
    indirect case staffRecord(StaffRecord)
    indirect case identity(Identity)
    indirect case tours(TourList)
    indirect case tour(TourDetail)
    indirect case tourWritten(Tour, isNew: Bool)
    indirect case customers(Paged<Customer>)
    indirect case customer(Customer)
    indirect case invoice(Invoice, isNew: Bool)
    indirect case accepted(TripAccepted, isNew: Bool)
    indirect case health(Health)
    /// 204 to `OPTIONS` (ATP-95).
    case options
    indirect case inspection(Inspection)
    case done

    var discovery: Discovery? { if case .discovery(let it) = self { it } else { nil } }
    public var loginPage: LoginPage? {
      if case .loginPage(let it) = self { it } else { nil }
    }
    public var redirected: Redirect? {
      if case .redirected(let it) = self { it } else { nil }
    }
    public var tokens: TokenSet? { if case .tokens(let it) = self { it } else { nil } }
    var keys: KeySet? { if case .keys(let it) = self { it } else { nil } }
    public var endSessionPage: String? {
      if case .endSessionPage(let it) = self { it } else { nil }
    }
    public var bootstrap: Bootstrap? { if case .bootstrap(let it) = self { it } else { nil } }
    public var bookings: BookingList? { if case .bookings(let it) = self { it } else { nil } }
    public var booking: BookingDetail? { if case .booking(let it) = self { it } else { nil } }
    public var changed: Booking? { if case .changed(let it) = self { it } else { nil } }
    public var activities: [Activity]? { if case .activities(let it) = self { it } else { nil } }
    public var activity: Activity? { if case .activity(let it) = self { it } else { nil } }
    public var invoices: [Invoice]? { if case .invoices(let it) = self { it } else { nil } }
    public var staff: [StaffRecord]? { if case .staff(let it) = self { it } else { nil } }
    public var staffRecord: StaffRecord? {
      if case .staffRecord(let it) = self { it } else { nil }
    }
    public var identity: Identity? { if case .identity(let it) = self { it } else { nil } }
    public var tours: TourList? { if case .tours(let it) = self { it } else { nil } }
    public var tour: TourDetail? { if case .tour(let it) = self { it } else { nil } }
    public var customers: Paged<Customer>? {
      if case .customers(let it) = self { it } else { nil }
    }
    public var customer: Customer? { if case .customer(let it) = self { it } else { nil } }
    var health: Health? { if case .health(let it) = self { it } else { nil } }
    public var inspection: Inspection? { if case .inspection(let it) = self { it } else { nil } }

    /// The tour that was written, where it is new, or where it is not.
    public func tourWritten(isNew wanted: Bool) -> Tour? {
      if case .tourWritten(let it, wanted) = self { it } else { nil }
    }
    public func invoice(isNew wanted: Bool) -> Invoice? {
      if case .invoice(let it, wanted) = self { it } else { nil }
    }
    public func accepted(isNew wanted: Bool) -> TripAccepted? {
      if case .accepted(let it, wanted) = self { it } else { nil }
    }
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
