import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The values of §7.3 by which a cell works, as the operator set them.
final class DeploymentFacts: Facts {
  typealias Deployment = KantineKoning.Deployment
  static let concerns: Set<Concern> = [.controls]

  private var deployment = InForce<Deployment>()
  /// Each that has been in force so far, the specification's first.
  private(set) var all = [Deployment()]

  init(_ subject: Subject<Nothing<KantineKoning>>) {}

  /// What was in force throughout an interval; `nil` when it changed meanwhile.
  func inForce(during interval: ClosedRange<Instant>) -> Deployment? {
    deployment.values(during: interval)
  }

  func commanded(_ command: KantineKoning.Control, at moment: Moment) {
    switch command {
    case .configure(let adjustment): deployment.adjust(adjustment, at: moment.time)
    case .reset: deployment.reset(at: moment.time)
    default: return
    }
    all.append(deployment.newest)
  }
}

/// What it takes to judge the tokens that an app builds: who is a phone, and what it used before.
final class MemberTokenFacts: Facts {
  static let concerns: Set<Concern> = [.notes, .asks(.register)]

  let deployments: DeploymentFacts
  private(set) var phones: Set<PersonID> = []
  private var used: Set<TokenID> = []

  init(_ subject: Subject<DeploymentFacts>) { deployments = subject.known }

  func isUsed(_ jti: TokenID) -> Bool { used.contains(jti) }

  func noted(_ note: KantineKoning.Note, at moment: Moment) {
    if note.isOfPhone, let person = moment.person { phones.insert(person) }
  }

  func asked(_ call: KKCall, at moment: Moment) {
    if let claims = call.registration?.token.claims { used.insert(claims.jti) }
  }
}
