import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// What inspections have shown of a lodge up to the last one, and what that one brought.
public final class Inspected {
  /// Sessions that are new or changed, once every login that may have begun them is known.
  private(set) var sessions: [Inspection.Session] = []
  /// Presenze that the last look showed and that have their number, or their place, not for themselves.
  private(set) var doubles: [Presenza] = []
  /// Tornate that are gone, or never were, and have presenze nevertheless.
  private(set) var orphaned: [Tornata.ID] = []
  private var recent: [Inspection.Session] = []
  private var tornate: Set<Tornata.ID> = []
  private var numbers: [Presenza.Place: Presenza.ID] = [:]
  private var places: [Presenza.ID: Presenza.Place] = [:]
  private var attended: [Tornata.ID: Set<Fratello.ID>] = [:]

  func take(_ inspection: Inspection, at instant: Instant) {
    if inspection.extent.isWhole { (tornate, numbers, places, attended) = ([], [:], [:], [:]) }
    for place in inspection.gone.presenze { leave(place) }
    tornate.subtract(inspection.gone.tornate)
    tornate.formUnion(inspection.tornate.lazy.map(\.id))
    takePresenze(of: inspection)
    let touched = Set(inspection.presenze.map(\.tornataID)).union(inspection.gone.tornate)
    orphaned = touched.filter { !tornate.contains($0) && attended[$0] != nil }.sorted()
    recent += inspection.sessions
    sessions = recent.filter { $0.createdAt < instant - LodgeFacts.patience }
    recent.removeAll { $0.createdAt < instant - LodgeFacts.patience }
  }

  private func takePresenze(of inspection: Inspection) {
    for presenza in inspection.presenze { leave(presenza.place) }
    doubles = []
    for presenza in inspection.presenze {
      let place = presenza.place
      if numbers[place] != nil || presenza.id.map({ places[$0] != nil }) ?? true {
        doubles.append(presenza)
      }
      numbers[place] = presenza.id
      if let id = presenza.id { places[id] = place }
      attended[place.tornataID, default: []].insert(place.fratelloID)
    }
  }

  private func leave(_ place: Presenza.Place) {
    guard let number = numbers.removeValue(forKey: place) else { return }
    if places[number] == place { places[number] = nil }
    attended[place.tornataID]?.remove(place.fratelloID)
    if attended[place.tornataID]?.isEmpty == true { attended[place.tornataID] = nil }
  }
}
