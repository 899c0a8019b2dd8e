import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-76: what a phone once removed and the backend did not hear of is gone after the phone's next sync, outside
/// protected clubs; inspection shows it.
struct RepairedOrphans: History {
  static let scope = Scope<KantineKoning>.cell
  private let facts: CellFacts
  /// What each person's phone no longer holds.
  private var lost: [PersonID: Set<EnrollmentID>] = [:]
  /// Lost enrollments that a sync has had the chance to find, since when.
  private var due: [EnrollmentID: Instant] = [:]

  init(_ facts: CellFacts) { self.facts = facts }

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    guard let person = moment.person else { return }
    switch note {
    case .resetLocally(let devices): lost[person, default: []].formUnion(devices)
    case .swipedAway(let swipe) where swipe.level == .club || swipe.leavesNothing:
      lost[person, default: []].formUnion(swipe.deviceIDs)
    case .identifierChanged, .reinstalled: lost[person] = nil  // stranded (§8, point 2)
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    guard call.summary != nil, let person = moment.person, let orphans = lost[person],
      let claims = call.claims,
      let identifier = facts.identifier(of: claims.deviceID)
    else { return }
    for orphan in orphans.sorted() where facts.identifier(of: orphan) == identifier {
      guard let right = facts.anyPhone(of: orphan)?.rights.first(where: { $0.deviceID == orphan }),
        facts.isProtected(right.tenant, during: call.during) == false
      else { continue }
      due[orphan] = min(due[orphan] ?? call.answered, call.answered)
      lost[person]?.remove(orphan)
    }
  }

  mutating func inspected(_ inspection: Inspected, at moment: Moment, _ judge: inout Judge) {
    for orphan in due.keys.sorted() where due[orphan]! < moment.time {
      due[orphan] = nil
      judge.expect(
        !inspection.isActive(orphan), "an orphan outlived the sync that should have repaired it")
    }
  }
}

/// KK-65: at every foreground the phone sends its state, or a safeguard says why not.
struct Foregrounds: History {
  static let scope = Scope<KantineKoning>.person
  private var isOpen = false

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .foreground:
      if isOpen { judge.violated("the app came to the foreground and kept its state to itself") }
      isOpen = true
    case .syncSkipped: close(&judge)
    default: break
    }
  }

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    close(&judge)
  }

  private mutating func close(_ judge: inout Judge) {
    if isOpen { judge.held() }
    isOpen = false
  }
}
