import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The call at hand with what several checks need of it, found once: one object, which takes each call in turn.
final class Asked {
  fileprivate(set) var call: KKCall
  fileprivate(set) var operation: MobileOperation?
  fileprivate(set) var isAuthenticated = false
  fileprivate(set) var claims: DeviceClaims?
  fileprivate(set) var code: KantineKoning.Refusal.Code?
  fileprivate(set) var isReplied = false
  fileprivate(set) var isUnknown = false
  fileprivate(set) var during: ClosedRange<Instant>
  /// The club and the enrollment that its token names.
  fileprivate(set) var club = nobody
  fileprivate(set) var enrollment = nobody
  /// The dienst that it is about.
  fileprivate(set) var dienst = nobody
  /// The phone behind its token and the place of its right, where all about them is certain.
  fileprivate(set) var caller: (phone: Int, right: Int)?

  init(_ call: KKCall) { (self.call, during) = (call, call.during) }

  var isAnswered: Bool { isReplied || code != nil }
  var registered: RegistrationAnswer? {
    if case .replied(.registered(let answer)) = call.outcome { answer } else { nil }
  }
  var diensten: [Dienst]? {
    if case .replied(.diensten(let list)) = call.outcome { list } else { nil }
  }
  /// The dienst that the answer shows.
  var dienstShown: Dienst? {
    switch call.outcome {
    case .replied(.dienst(let dienst)): dienst
    case .replied(.transfer(let transfer)): transfer.dienst
    default: nil
    }
  }
  var tenants: [TenantInfo]? {
    if case .replied(.tenants(let tenants)) = call.outcome { tenants } else { nil }
  }
}

/// The token that a person's app showed last, as numbers: nearly always it shows the same again.
struct App {
  let enrollmentID: EnrollmentID
  let tenant: Slug
  let enrollment: Int
  let club: Int
}

/// Every operation that carries a device token, by its number.
private let authenticated: [Bool] = {
  var all = Array(repeating: false, count: KantineKoning.operations.count)
  for operation: MobileOperation in [
    .sync, .status, .tenants, .diensten, .addVolunteer, .removeVolunteer, .leaderboard,
    .globalLeaderboard, .availableDiensten, .takeover, .claimDienst, .transferOffer, .removeTeams,
    .removeTenant, .removeAll, .emailPreferences, .apnsToken,
  ] { all[operation.rawValue] = true }
  return all
}()

extension CanteenChecks {
  mutating func recognise(_ call: KKCall, by person: Int) -> Asked {
    let asked = asked ?? Asked(call)
    self.asked = asked
    asked.call = call
    asked.operation = MobileOperation(rawValue: call.operation)
    asked.isAuthenticated = authenticated[call.operation]
    asked.isReplied = call.isReplied
    asked.isUnknown = call.isUnknown
    asked.during = call.during
    asked.dienst = dienst(of: call)
    if case .refused(let refusal) = call.outcome {
      asked.code = refusal.kind
    } else {
      asked.code = nil
    }
    (asked.club, asked.enrollment, asked.caller) = (nobody, nobody, nil)
    guard case .bearer(.issued(let claims))? = call.credential else {
      asked.claims = nil
      return asked
    }
    asked.claims = claims
    (asked.club, asked.enrollment) = numbers(of: claims, by: person)
    asked.caller = caller(asked.enrollment, before: call.sent)
    return asked
  }

  private mutating func numbers(
    of claims: DeviceClaims, by person: Int
  ) -> (club: Int, enrollment: Int) {
    while apps.count <= person { apps.append(nil) }
    if let app = apps[person], app.enrollmentID == claims.deviceID,
      app.tenant == claims.tenantSlug
    {
      return (app.club, app.enrollment)
    }
    let app = App(
      enrollmentID: claims.deviceID, tenant: claims.tenantSlug,
      enrollment: enrollments.number(of: claims.deviceID), club: clubs.number(of: claims.tenantSlug)
    )
    apps[person] = app
    return (app.club, app.enrollment)
  }

  private func caller(
    _ enrollment: Int, before sent: Instant
  ) -> (phone: Int, right: Int)? {
    guard enrollment != nobody, operatorIntervened == nil else { return nil }
    let (phone, right) = (enrollments[enrollment].phone, enrollments[enrollment].right)
    guard phone != nobody, phones[phone].isCertain(before: sent) else { return nil }
    return (phone, right)
  }

  /// A club that the operator has made.
  func known(_ tenant: Slug) -> Int? {
    guard let club = clubs.known(tenant), clubs[club].exists else { return nil }
    return club
  }

  /// The club of a call's token, if the operator has made it.
  func club(of asked: Asked) -> Int? {
    asked.club != nobody && clubs[asked.club].exists ? asked.club : nil
  }
}
