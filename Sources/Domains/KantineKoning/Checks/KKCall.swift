import Contracts
import KantineKoningContract
import Observations
import Timekeeping

extension KantineKoning: Observed {
  public typealias Asked = KKCall
  public typealias Command = Control
  public typealias Shown = Inspected

  public static func command(in request: Request) -> Control? {
    if case .control(let command) = request { command } else { nil }
  }

  public static func shown(
    in reply: Reply, at moment: Moment, after last: Inspected?
  ) -> Inspected? {
    guard case .inspection(let inspection) = reply else { return nil }
    let shown = last ?? Inspected()
    shown.take(inspection, at: moment.time)
    return shown
  }
}

/// A call as the checks look at it: what nearly all of them ask of it is read once.
public final class KKCall: CallView, Asking {
  let call: Call<KantineKoning>
  let person: PersonID?
  let claims: DeviceClaims?
  let code: KantineKoning.Refusal.Code?
  let isReplied: Bool
  let isUnknown: Bool
  let during: ClosedRange<Instant>

  private init(_ call: Call<KantineKoning>, by person: PersonID?) {
    self.call = call
    self.person = person
    claims = call.claims
    code = call.code
    isReplied = call.isReplied
    isUnknown = call.isUnknown
    during = call.during
  }

  public static func of(_ call: Call<KantineKoning>, at moment: Moment) -> KKCall {
    KKCall(call, by: moment.person)
  }

  var request: KantineKoning.Request { call.request }
  var operation: Int { call.operation }
  var credential: KantineKoning.Credential? { call.credential }
  var outcome: Outcome<KantineKoning> { call.outcome }
  var sent: Instant { call.sent }
  /// By the client's own clock: what the client keeps is judged by it.
  var intended: Instant { call.intended }
  var answered: Instant { call.answered }
}

/// A call, as it was recorded or as the checks look at it.
protocol Asking {
  var request: KantineKoning.Request { get }
  var outcome: Outcome<KantineKoning> { get }
  var sent: Instant { get }
  var answered: Instant { get }
  /// The claims of the token that was sent, when it is one that the backend issued.
  var claims: DeviceClaims? { get }
  /// Why the backend refused.
  var code: KantineKoning.Refusal.Code? { get }
}

extension Call: Asking where Contract == KantineKoning {
  var claims: DeviceClaims? {
    if case .bearer(.issued(let claims))? = credential { claims } else { nil }
  }

  var code: KantineKoning.Refusal.Code? { outcome.refusal?.kind }
}

extension Asking {
  var registration: Registration? {
    if case .register(let registration) = request { registration } else { nil }
  }

  var change: VolunteerChange? {
    switch request {
    case .addVolunteer(let change), .removeVolunteer(let change): change
    default: nil
    }
  }

  var registered: RegistrationAnswer? {
    if case .replied(.registered(let answer)) = outcome { answer } else { nil }
  }

  var diensten: [Dienst]? {
    if case .replied(.diensten(let list)) = outcome { list } else { nil }
  }

  /// The dienst that an answer shows.
  var dienst: Dienst? {
    switch outcome {
    case .replied(.dienst(let dienst)): dienst
    case .replied(.transfer(let transfer)): transfer.dienst
    default: nil
    }
  }

  /// The dienst that a request is about.
  var dienstID: DienstID? {
    switch request {
    case .addVolunteer(let change), .removeVolunteer(let change): change.dienstID
    case .takeover(let query): query.dienstID
    case .claimDienst(let claim): claim.dienstID
    case .offerTransfer(let offer): offer.dienstID
    case .answerCallToAction(let action):
      if case .issued(let claims) = action.token { claims.dienstID } else { nil }
    default: nil
    }
  }

  var tenants: [TenantInfo]? {
    if case .replied(.tenants(let tenants)) = outcome { tenants } else { nil }
  }

  var summary: CleanupSummary? {
    if case .replied(.synced(let summary)) = outcome { summary } else { nil }
  }

  var status: EnrollmentStatus? {
    if case .replied(.status(let status)) = outcome { status } else { nil }
  }

  /// The push token that a request hands over; empty for none.
  var pushToken: (token: String, buildEnvironment: String?)? {
    switch request {
    case .register(let registration): (registration.apnsDeviceToken, registration.buildEnvironment)
    case .updateApnsToken(let update): (update.token, update.buildEnvironment)
    default: nil
    }
  }

  var isRejectedToken: Bool { outcome.refusal?.status == 401 }
  var isUnsent: Bool { if case .unsent = outcome { true } else { false } }
}

extension EnrollmentToken {
  var claims: EnrollmentClaims? {
    switch self {
    case .link(let claims), .member(let claims): claims
    case .text: nil
    }
  }

  var isLink: Bool { if case .link = self { true } else { false } }
  var isMember: Bool { if case .member = self { true } else { false } }
}
