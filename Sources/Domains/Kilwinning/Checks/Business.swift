import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// The latencies between two things of the lodge.
public enum KilwinningBusiness {
  public static let all: [BusinessLatency<Kilwinning>] = [synchronised, counted]

  /// A toggle without network → the backend has it (KW-123 to KW-126).
  private static let synchronised = BusinessLatency<Kilwinning>(
    "synchronised", "Confirmed without network → synchronised",
    notes: BusinessNotes(
      weight: .first,
      abandoned: "toggles that were replaced, thrown away by a logout or in conflict"),
    concerns: [.notes], watch: { QueueWatch() })

  /// A presence was answered → the first riepilogo that has to count it (KW-067, KW-095).
  private static let counted = BusinessLatency<Kilwinning>(
    "counted", "Presence confirmed → seen in the riepilogo",
    notes: BusinessNotes(abandoned: "presences that were taken back or whose tornata went"),
    concerns: .requests, watching: { RiepilogoWatch(lodge: $0.lender(of: LodgeFacts.self)) })
}

/// The entries of each device's queue.
private struct QueueWatch: MilestoneWatch {
  private var open: [Int: [(opID: String, owner: Fratello.ID)]] = [:]

  mutating func see(_ record: Record<Kilwinning>) -> [BusinessLatency<Kilwinning>.Milestone] {
    guard case .note(let note) = record.event, let person = record.person?.index else { return [] }
    let device = Int(person)
    switch note {
    case .queued(let opID, let owner, _, _, let replaced):
      open[device, default: []].append((opID, owner))
      return [replaced.map { .abandoned($0) }, .begins(opID, record.time)].compactMap { $0 }
    case .settled(let opID, _, let conflict):
      open[device]?.removeAll { $0.opID == opID }
      return [conflict == nil ? .ends(opID, record.time) : .abandoned(opID)]
    case .discarded(let owner, _):
      let gone = (open[device] ?? []).filter { $0.owner == owner }
      open[device]?.removeAll { $0.owner == owner }
      return gone.map { .abandoned($0.opID) }
    default: return []
    }
  }
}

/// Presences that no riepilogo has counted yet, by cell.
private struct RiepilogoWatch: MilestoneWatch {
  private struct Presence {
    let key: String
    let brother: Fratello.ID
    let tornata: Tornata.ID
    let at: Instant
  }

  let lodge: (_ cell: Int) -> LodgeFacts
  private var open: [Int: [Presence]] = [:]

  init(lodge: @escaping (_ cell: Int) -> LodgeFacts) { self.lodge = lodge }

  mutating func see(_ record: Record<Kilwinning>) -> [BusinessLatency<Kilwinning>.Milestone] {
    guard case .request(let call) = record.event, call.isReplied else { return [] }
    switch call.request {
    case .confirm(let asked):
      let session = lodge(record.cell).sessions.session(of: call.credential)
      guard let brother = asked.fratelloID ?? session?.owner else { return [] }
      let key = "\(record.cell)/\(brother)/\(asked.tornataID)"
      let isOpen = open[record.cell]?.contains { $0.key == key } ?? false
      if isOpen == asked.presente { return [] }
      guard asked.presente else {
        open[record.cell]?.removeAll { $0.key == key }
        return [.abandoned(key)]
      }
      open[record.cell, default: []].append(
        Presence(key: key, brother: brother, tornata: asked.tornataID, at: call.answered))
      return [.begins(key, call.answered)]
    case .riepilogo(let anno): return count(anno, call, record.cell)
    default: return []
    }
  }

  private mutating func count(
    _ anno: Anno, _ call: KWCall, _ cell: Int
  ) -> [BusinessLatency<Kilwinning>.Milestone] {
    guard let waiting = open[cell], !waiting.isEmpty else { return [] }
    let facts = lodge(cell)
    let selection = anno.selection
    var found: [BusinessLatency<Kilwinning>.Milestone] = []
    open[cell] = waiting.filter { presence in
      guard presence.at <= call.sent,
        let tornata = facts.tornata(presence.tornata, during: call.during)
      else { return true }
      guard let tornata, let zone = facts.zone(during: call.during) else {
        found.append(.abandoned(presence.key))
        return false
      }
      let held = Held(tornata: tornata, year: zone.civil(at: tornata.data).date.year)
      guard facts.isIn(held, selection),
        facts.isHeld(held, .svolte, during: call.during) == true
      else { return true }
      found.append(.ends(presence.key, call.answered))
      return false
    }
    return found
  }
}
