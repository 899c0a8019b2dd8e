import Contracts
import KantineKoningContract
import Observations
import Timekeeping

typealias KKExchange = Exchange<KantineKoning>
typealias KKRecord = Record<KantineKoning>
typealias KKCheck = Check<KantineKoning>

extension Concern {
  static func asks(_ operation: MobileOperation) -> Concern { .operation(operation.rawValue) }
}

extension Set<Concern> {
  static func asking(_ operations: MobileOperation...) -> Self {
    Set(operations.map { Concern.asks($0) })
  }

  /// Every operation that carries a device token.
  static let authenticated: Self = .asking(
    .sync, .status, .tenants, .diensten, .addVolunteer, .removeVolunteer, .leaderboard,
    .globalLeaderboard, .availableDiensten, .takeover, .claimDienst, .transferOffer, .removeTeams,
    .removeTenant, .removeAll, .emailPreferences, .apnsToken)

  /// Every operation that changes or shows a dienst for those who may change it (KK-55).
  static let managing: Self = .asking(
    .addVolunteer, .removeVolunteer, .availableDiensten, .takeover, .claimDienst, .transferOffer)
}

extension Check<KantineKoning> {
  /// Judges each exchange of some operations by itself.
  static func each(
    _ limit: LimitID, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (KKExchange, inout Judge) -> Void
  ) -> KKCheck {
    Check(
      limit, concerns: operations,
      .reply { record, verdict in
        if case .request(let exchange) = record.event { judge(exchange, &verdict) }
      })
  }

  /// Judges each note of a device by itself.
  static func note(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (KantineKoning.Note, Instant, inout Judge) -> Void
  ) -> KKCheck {
    Check(
      limit, concerns: [.notes],
      .reply { record, verdict in
        if case .note(let note) = record.event { judge(note, record.time, &verdict) }
      })
  }

  /// Judges each exchange of some operations in the light of what is certain about its cell before it.
  static func inCell(
    _ limit: LimitID, also operations: Set<Concern> = [],
    _ judge: @escaping @Sendable (KKExchange, CellFacts, inout Judge) -> Void
  ) -> KKCheck {
    .informed(limit, by: CellFacts.self, concerns: operations.union(CellFacts.changing)) {
      record, facts, verdict in
      if case .request(let exchange) = record.event { judge(exchange, facts, &verdict) }
    }
  }

  /// Judges each exchange of some operations by the values of §7.3 that were in force throughout it.
  static func deployed(
    _ limit: LimitID, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (KKExchange, KantineKoning.Deployment, inout Judge) -> Void
  ) -> KKCheck {
    .informed(limit, by: DeploymentFacts.self, concerns: operations) { record, facts, verdict in
      guard case .request(let exchange) = record.event,
        let deployment = facts.inForce(during: exchange.during)
      else { return }
      judge(exchange, deployment, &verdict)
    }
  }

  /// Judges each exchange about a dienst in the light of what is certain about that dienst.
  static func onDienst(
    _ limit: LimitID, _ operations: Set<Concern> = .asking(.addVolunteer, .removeVolunteer),
    _ judge: @escaping @Sendable (KKExchange, DienstFacts, inout Judge) -> Void
  ) -> KKCheck {
    .informed(limit, by: DienstFacts.self, concerns: operations) { record, facts, verdict in
      if case .request(let exchange) = record.event { judge(exchange, facts, &verdict) }
    }
  }

  /// Judges all records of one person but the lists that it was shown, as an own value does it.
  static func byPhone(
    _ limit: LimitID, _ concerns: Set<Concern>,
    _ start: @escaping @Sendable () -> any FormerHistory<KantineKoning>
  ) -> KKCheck {
    Check(
      limit, concerns: concerns,
      .history(
        keys: { record in
          if case .note(.listShown) = record.event { return [] }
          return record.person.map { [.person($0)] } ?? []
        },
        start: { _ in start() }))
  }

  /// Judges all records of one person, as an own value does it.
  static func byPerson(
    _ limit: LimitID, _ concerns: Set<Concern>,
    _ start: @escaping @Sendable () -> any FormerHistory<KantineKoning>
  ) -> KKCheck {
    Check(
      limit, concerns: concerns,
      .history(
        keys: { record in record.person.map { [.person($0)] } ?? [] }, start: { _ in start() }))
  }
}

extension Exchange<KantineKoning> {
  /// The claims of the token that was sent, when it is one that the backend issued.
  var claims: DeviceClaims? {
    if case .bearer(.issued(let claims))? = credential { claims } else { nil }
  }

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
  var dienstID: String? {
    switch request {
    case .addVolunteer(let change), .removeVolunteer(let change): change.dienstID
    case .takeover(let query): query.dienstID
    case .claimDienst(let claim): claim.dienstID
    case .offerTransfer(let offer): offer.dienstID
    case .answerCallToAction(let call):
      if case .issued(let claims) = call.token { claims.dienstID } else { nil }
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

  var code: KantineKoning.Refusal.Code? { outcome.refusal?.kind }

  var isReplied: Bool { outcome.reply != nil }
  var isUnknown: Bool { if case .unknown = outcome { true } else { false } }
  var isRejectedToken: Bool { outcome.refusal?.status == 401 }

  /// From the moment at which the request left to the moment at which its effect was certain to be over; an unknown
  /// request may still work later.
  var during: ClosedRange<Instant> { sent...(isUnknown ? .distantFuture : max(sent, answered)) }
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
