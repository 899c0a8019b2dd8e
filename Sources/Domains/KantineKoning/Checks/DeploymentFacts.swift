import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// The values of §7.3 by which a cell works, as the operator set them.
struct DeploymentFacts: FormerFacts {
  typealias Deployment = KantineKoning.Deployment
  static let concerns: Set<Concern> = [.controls]

  static func keys(_ record: KKRecord) -> [CheckKey] { [.number(record.cell)] }

  private var timeline = Timeline<Deployment>()
  private var newest = Deployment()
  /// Each that has been in force so far, the specification's first.
  private(set) var all = [Deployment()]

  init(_ key: CheckKey) { timeline.set(newest, at: .distantPast) }

  /// What was in force throughout an interval; `nil` when it changed meanwhile.
  func inForce(during interval: ClosedRange<Instant>) -> Deployment? {
    timeline.value(during: interval)
  }

  mutating func see(_ record: KKRecord) {
    guard case .control(.control(let command), let outcome) = record.event else { return }
    if case .refused = outcome { return }
    see(command, at: record.time)
  }

  mutating func see(_ command: KantineKoning.Control, at instant: Instant) {
    switch command {
    case .configure(let values): newest.take(values)
    case .reset: newest = Deployment()
    default: return
    }
    timeline.set(newest, at: instant)
    all.append(newest)
  }
}

/// What it takes to judge the tokens that an app builds: who is a phone, and what it used before.
struct MemberTokenFacts: FormerFacts {
  static let concerns: Set<Concern> = [.notes, .controls, .asks(.register)]

  static func keys(_ record: KKRecord) -> [CheckKey] { [.number(record.cell)] }

  private(set) var deployments = DeploymentFacts(.number(0))
  private(set) var phones: Set<PersonID> = []
  private var used: Set<String> = []

  init(_ key: CheckKey) {}

  func isUsed(_ jti: String) -> Bool { used.contains(jti) }

  mutating func see(_ record: KKRecord) {
    switch record.event {
    case .note(let note):
      if note.isOfPhone, let person = record.person { phones.insert(person) }
    case .request(let exchange):
      if let claims = exchange.registration?.token.claims { used.insert(claims.jti) }
    case .control: deployments.see(record)
    case .signal, .inspection: break
    }
  }
}
