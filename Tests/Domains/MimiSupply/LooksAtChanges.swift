import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `What each look at a city shows as changed` {
  @Test(arguments: 1...12)
  func `adds up to all that is there, batches that failed and deletions included (§11)`(
    seed: Int
  ) {
    var town = RandomTown(seed: seed) { settings in
      settings.dispatchMode = [.offer, .auto, .batch, .pool][seed % 4]
    }
    var look = Int64(0)
    var (records, notes) = ([String: JSON](), [String: JSON]())
    var shownAgain = 0
    for turn in 0..<20 {
      if turn > 0 { town.live(steps: 6) }
      if turn % 3 == 1 {
        let (items, place) = town.batch()
        _ = town.twin.performTogether(items, at: place, town.now)
      }
      let shown = town.twin.inspection(since: Int(look), at: town.now)
      #expect(shown["since"]?.wholeNumber == (turn == 0 ? nil : look))
      look = shown["look"]?.wholeNumber ?? -1
      for (type, names) in shown["deleted"]?.object?.members ?? [] {
        for name in names.array ?? [] { records[type + "/" + (name.string ?? "")] = nil }
      }
      let before = (records, notes)
      records.merge(Self.records(of: shown)) { $1 }
      for (place, note) in Self.notes(of: shown) {
        notes[place] = note.isNull ? Optional.none : note
      }
      var copy = town.twin
      let all = copy.inspection(at: town.now)
      #expect(records == Self.records(of: all), "seed \(seed), turn \(turn)")
      #expect(notes == Self.notes(of: all), "seed \(seed), turn \(turn)")
      if turn > 0, Self.records(of: shown).count < Self.records(of: all).count / 2 {
        shownAgain += 1
      }
      #expect(turn == 0 || before.0.count > 0)
    }
    #expect(shownAgain > 5, "seed \(seed): a look shows less than there is")
    let last = town.twin.inspection(since: Int(look), at: town.now)
    #expect(Self.records(of: last).isEmpty && Self.notes(of: last).isEmpty, "nothing has changed")
  }

  /// By type and name.
  private static func records(of shown: JSON) -> [String: JSON] {
    var records: [String: JSON] = [:]
    for (type, documents) in shown["records"]?.object?.members ?? [] {
      for document in documents.array ?? [] {
        records[type + "/" + (document["recordName"]?.string ?? "")] = document
      }
    }
    return records
  }

  private static func notes(of shown: JSON) -> [String: JSON] {
    var notes: [String: JSON] = [:]
    for kind in ["orders", "drivers", "partners"] {
      for (name, note) in shown["market"]?[kind]?.object?.members ?? [] {
        notes[kind + "/" + name] = note
      }
    }
    return notes
  }
}
