import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// KK-76: what a phone once removed and the backend did not hear of is gone after the phone's next sync, outside
/// protected clubs; inspection shows it.
struct RepairedOrphans: FormerHistory {
  typealias Agreement = KantineKoning
  private var facts = CellFacts(.number(0))
  /// What each person's phone no longer holds.
  private var lost: [PersonID: Set<String>] = [:]
  /// Lost enrollments that a sync has had the chance to find, since when.
  private var due: [String: Instant] = [:]

  mutating func see(_ record: KKRecord, _ judge: inout Judge) {
    switch record.event {
    case .control(.control(let command), let outcome):
      facts.see(command, outcome, at: record.time)
    case .note(let note): if let person = record.person { take(note, of: person) }
    case .request(let exchange):
      if let person = record.person { take(exchange, of: person) }
      facts.see(exchange)
    case .inspection(.inspection(let inspection)): look(at: inspection, record.time, &judge)
    case .control, .signal, .inspection: break
    }
  }

  private mutating func take(_ note: KantineKoning.Note, of person: PersonID) {
    switch note {
    case .resetLocally(let devices): lost[person, default: []].formUnion(devices)
    case .swipedAway(let swipe) where swipe.level == .club || swipe.leavesNothing:
      lost[person, default: []].formUnion(swipe.deviceIDs)
    case .identifierChanged, .reinstalled: lost[person] = nil  // stranded (§8, point 2)
    default: break
    }
  }

  private mutating func take(_ exchange: KKExchange, of person: PersonID) {
    guard exchange.summary != nil, let orphans = lost[person], let claims = exchange.claims,
      let identifier = facts.identifier(of: claims.deviceID)
    else { return }
    for orphan in orphans.sorted() where facts.identifier(of: orphan) == identifier {
      guard let right = facts.anyPhone(of: orphan)?.rights.first(where: { $0.deviceID == orphan }),
        facts.isProtected(right.tenant, during: exchange.during) == false
      else { continue }
      due[orphan] = min(due[orphan] ?? exchange.answered, exchange.answered)
      lost[person]?.remove(orphan)
    }
  }

  private mutating func look(at inspection: Inspection, _ time: Instant, _ judge: inout Judge) {
    guard !due.isEmpty else { return }
    let active = Set(inspection.enrollments.filter(\.isActive).map(\.deviceID))
    for orphan in due.keys.sorted() where due[orphan]! < time {
      due[orphan] = nil
      judge.expect(
        !active.contains(orphan), "an orphan outlived the sync that should have repaired it")
    }
  }
}

/// KK-65: at every foreground the phone sends its state, or a safeguard says why not.
struct Foregrounds: FormerHistory {
  typealias Agreement = KantineKoning
  private var isOpen = false

  @Sendable static func keys(_ record: KKRecord) -> [CheckKey] {
    switch record.event {
    case .note(.foreground), .note(.syncSkipped), .request:
      return record.person.map { [.person($0)] } ?? []
    default: return []
    }
  }

  mutating func see(_ record: KKRecord, _ judge: inout Judge) {
    switch record.event {
    case .note(.foreground):
      if isOpen { judge.violated("the app came to the foreground and kept its state to itself") }
      isOpen = true
    case .note(.syncSkipped), .request:
      if isOpen { judge.held() }
      isOpen = false
    default: break
    }
  }
}
