import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-06: a new identifier has no enrollment but those that were registered under it, as tenant info and inspection
/// show them.
struct NothingCarriedOver: History {
  static let scope = Scope<KantineKoning>.cell

  /// What was registered under one new identifier.
  private struct Newcomer {
    var clubs: Set<Slug> = []
    var firstRegistration: Instant?
  }

  private var newcomers: [HardwareID: Newcomer] = [:]
  private var identifierOf: [EnrollmentID: HardwareID] = [:]
  /// An enrollment of a new identifier before any registration was seen; one may have been under way.
  private var suspicions: [(identifier: HardwareID, at: Instant)] = []

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .identifierChanged(let old, let new, _), .reinstalled(let old, let new, _):
      if old != new { newcomers[new] = Newcomer() }
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    take(call)
    judgeListing(call, &judge)
  }

  private mutating func take(_ call: KKCall) {
    guard let registration = call.registration,
      newcomers[registration.hardwareIdentifier] != nil, call.isReplied || call.isUnknown
    else { return }
    let identifier = registration.hardwareIdentifier
    if let answer = call.registered { identifierOf[answer.deviceID] = identifier }
    if let claims = registration.token.claims {
      newcomers[identifier]?.clubs.insert(claims.tenantSlug)
    }
    let earliest = newcomers[identifier]?.firstRegistration ?? call.sent
    newcomers[identifier]?.firstRegistration = min(earliest, call.sent)
  }

  private func judgeListing(_ call: KKCall, _ judge: inout Judge) {
    guard let listed = call.tenants, let claims = call.claims,
      let newcomer = identifierOf[claims.deviceID].flatMap({ newcomers[$0] })
    else { return }
    let foreign = listed.map(\.slug).filter { !newcomer.clubs.contains($0) }
    judge.expect(foreign.isEmpty, "a new identifier was enrolled in \(foreign) from the start")
  }

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    var enrolled: Set<HardwareID> = []
    for row in inspection.changed
    where row.isActive && newcomers[row.hardwareIdentifier] != nil {
      enrolled.insert(row.hardwareIdentifier)
    }
    for identifier in enrolled.sorted() {
      if let first = newcomers[identifier]?.firstRegistration, first <= moment.time {
        judge.held()
      } else {
        suspicions.append((identifier, moment.time))
      }
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    for suspicion in suspicions {
      let first = newcomers[suspicion.identifier]?.firstRegistration
      judge.expect(
        first.map { $0 <= suspicion.at } ?? false,
        "a new identifier was enrolled before it registered for anything")
    }
  }
}
