import AsiaTravelPlanContract
import Contracts
import Observations
import Timekeeping

typealias AgencyCall = Call<AsiaTravelPlan>
typealias Right = AsiaTravelPlan.Right
typealias Kind = AsiaTravelPlan.APIRefusal

/// In place of a number, where there is none.
let nobody = -1
/// A staff record of which only that it may be there is known.
let somebody = -2

/// Who looks at records, and when.
struct Look {
  let during: ClosedRange<Instant>
  /// `nobody` for the harness.
  let reader: Int
  /// As whom: one person may use several accounts.
  let actor: String?
}

/// A call of the API with what several checks need of it, found once.
struct Asked {
  let call: AgencyCall
  let person: Int
  let moment: Moment
  /// Who its token says that its caller is; `nil` for a call without one.
  let caller: CallerFacts?
  /// The row of the matrix that it belongs to.
  let right: Right?
  let booking: Int
  let isReplied: Bool
  let isAnswered: Bool
  let refusal: Kind?
  let during: ClosedRange<Instant>

  init(_ call: AgencyCall, by person: Int, _ caller: CallerFacts?, booking: Int, _ moment: Moment) {
    (self.call, self.person, self.caller) = (call, person, caller)
    (self.booking, self.moment, during) = (booking, moment, call.sent...call.answered)
    right = call.request.right
    switch call.outcome {
    case .replied: (isReplied, isAnswered, refusal) = (true, true, nil)
    case .refused(.api(let kind, _)): (isReplied, isAnswered, refusal) = (false, true, kind)
    case .refused, .unsent, .unknown: (isReplied, isAnswered, refusal) = (false, false, nil)
    }
  }

  var look: Look { Look(during: during, reader: person, actor: caller?.actor) }
  var reply: AsiaTravelPlan.Reply? { call.outcome.reply }
  var words: String { refusal?.rawValue ?? (isReplied ? "granted" : "not answered") }
}

extension AsiaTravelPlan.Request {
  /// The row of the matrix (4.11) that a request belongs to.
  var right: Right? {
    switch self {
    case .bootstrap: .bootstrap
    case .bookings: .list
    case .booking: .detail
    case .changeStage: .stage
    case .assign: .assign
    case .activities: .activities
    case .addActivity: .addActivity
    case .invoices: .invoices
    case .staff: .directory
    case .addStaff: .addStaff
    case .me: .me
    case .tours, .tour: .tours
    case .addTour, .changeTour: .writeTours
    case .customers, .customer: .customers
    case .addInvoice, .changeInvoice: .writeInvoices
    case .requestTrip: .requestTrip
    default: nil
    }
  }

  /// The booking that a request is about.
  var aboutBooking: String? {
    switch self {
    case .booking(let id), .activities(let id), .invoices(let id): id
    case .changeStage(let it): it.booking
    case .assign(let it): it.booking
    case .addActivity(let it): it.booking
    case .addInvoice(let it), .changeInvoice(let it): it.booking
    default: nil
    }
  }

  /// Whether it is sent below `/api/v1/`, where every path wants a token.
  var needsToken: Bool {
    switch self {
    case .unread(.unrouted(let it)):
      it.service != AsiaTravelPlan.provider && it.method != "OPTIONS"
        && it.target.hasPrefix("/api/v1/")
    case .unread(.malformed(let operation, _)):
      AsiaTravelPlan.table.needsCredential(operation)
    case .bootstrap, .requestTrip: false
    default: right != nil
    }
  }

  /// Whether the API answers it, and not the identity provider.
  var isOfAPI: Bool {
    switch self {
    case .discovery, .authorize, .logIn, .token, .keySet, .endSession, .confirmEndSession: false
    case .unread(.unrouted(let it)): it.service != AsiaTravelPlan.provider
    case .unread(.malformed(let operation, _)):
      AsiaTravelPlan.table.endpoints[operation].route.service != AsiaTravelPlan.provider
    default: true
    }
  }
}

extension Edit<String?> {
  /// The text that it holds, if it is one.
  var named: String? {
    guard case .to(let text?) = self, !text.trimmed.isEmpty else { return nil }
    return text.trimmed
  }
}

extension String? {
  /// Trimmed; what is blank counts as left out.
  var named: String? {
    guard let text = self?.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

extension [String] {
  /// Each trimmed, without blank ones.
  var named: [String] { map(\.trimmed).filter { !$0.isEmpty } }
}
