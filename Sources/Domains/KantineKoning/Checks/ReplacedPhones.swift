import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-07: an hour after the first foreground under a new identifier, and after a sync that told the backend, the
/// old enrollments no longer work.
///
/// A phone that found no moment to sync is not judged: the protocol gives the backend no other sign (§8, point 2).
struct ReplacedPhones: History {
  static let scope = Scope<KantineKoning>.cell

  private struct Replacement {
    let shownAt: Instant
    let identifier: HardwareID
    let held: Set<EnrollmentID>
    /// The sync under the new identifier, and the old identifier that it cleared.
    var told: (during: ClosedRange<Instant>, identifier: HardwareID)?
  }

  private let facts: CellFacts
  private var replacements: [PersonID: Replacement] = [:]

  init(_ facts: CellFacts) { self.facts = facts }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    guard let person = moment.person else { return }
    switch note {
    case .firstForeground(let new, _, let held):
      replacements[person] = Replacement(
        shownAt: moment.time, identifier: new, held: Set(held))
    case .identifierChanged, .reinstalled, .resetLocally: replacements[person] = nil
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard let person = moment.person, let replacement = replacements[person],
      let claims = call.claims,
      replacement.held.contains(claims.deviceID),
      let identifier = facts.identifier(of: claims.deviceID)
    else { return }
    if let told = replacement.told {
      judgeUse(call, claims, replacement, told, identifier, &judge)
    } else if case .sync(let list) = call.request, call.isReplied,
      list.items.allSatisfy({ $0.hardwareIdentifier == replacement.identifier })
    {
      replacements[person]?.told = (call.during, identifier)
    }
  }

  private func judgeUse(
    _ call: KKCall, _ claims: DeviceClaims, _ replacement: Replacement,
    _ told: (during: ClosedRange<Instant>, identifier: HardwareID), _ identifier: HardwareID,
    _ judge: inout Judge
  ) {
    guard identifier == told.identifier, call.sent > told.during.upperBound,
      facts.isProtected(claims.tenantSlug, during: told.during) == false
    else { return }
    if call.isRejectedToken {
      judge.held()
    } else if call.isReplied, call.sent > replacement.shownAt + .hours(1) {
      judge.violated(
        "an enrollment of the old identifier in \(claims.tenantSlug) still works "
          + "\(call.sent - replacement.shownAt) after the new one was seen")
    }
  }
}

/// KK-08: phones that keep their identifier lose nothing by a sync that lists all they have.
struct UndisturbedPhones: History {
  static let scope = Scope<KantineKoning>.cell
  private let facts: CellFacts
  private var phones: Set<PersonID> = []
  private var disturbed: Set<PersonID> = []

  init(_ facts: CellFacts) { self.facts = facts }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    guard let person = moment.person else { return }
    switch note {
    case .foreground: phones.insert(person)
    case .identifierChanged, .reinstalled, .resetLocally: disturbed.insert(person)
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard let person = moment.person, phones.contains(person), !disturbed.contains(person),
      case .sync(let list) = call.request, let summary = call.summary,
      let known = facts.caller(of: call)
    else { return }
    let isComplete = known.phone.rights.allSatisfy { right in
      !right.isActive
        || right.codes.isSubset(of: CellFacts.listed(list, as: right, on: known.identifier))
    }
    guard isComplete else { return }
    judge.expect(
      summary.enrollmentsRevoked == 0 && summary.teamsRemoved == 0,
      "a phone that listed all it has lost \(summary.enrollmentsRevoked) enrollments and "
        + "\(summary.teamsRemoved) teams")
  }
}
