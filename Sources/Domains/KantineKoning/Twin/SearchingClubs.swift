import Contracts
import KantineKoningContract

/// O12: the clubs whose name or slug contains a text, those of other cells as they were published last.
extension KantineKoningTwin {
  mutating func searchClubs(
    matching query: String, from caller: Caller<KantineKoning>
  ) -> Answer {
    guard mayReadInPublic(caller) else { return .refused(.unauthorized) }
    let needle = foldedForSearch(trimmed(query))
    guard !needle.isEmpty else { return .success(.clubs([])) }
    var found: [Club] = []
    func look(through clubs: [Club]) {
      found += clubs.filter {
        occurs(needle, in: $0.folded.name) || occurs(needle, in: $0.folded.slug)
      }
    }
    look(through: clubs)
    work.rowsRead += clubs.count
    for cell in neighbours.others(than: clubBySlug) {
      look(through: cell.clubs)
      work.rowsRead += cell.clubs.count
    }
    found.sort { a, b in
      a.folded.name != b.folded.name
        ? a.folded.name.lexicographicallyPrecedes(b.folded.name) : a.slug < b.slug
    }
    return .success(.clubs(found.prefix(configuration.deployment.searchMaxResults).map(\.found)))
  }
}

extension Club {
  fileprivate var found: FoundClub {
    FoundClub(
      slug: slug, name: name, enrollmentOpen: isOpen, enrollmentMessage: message,
      clubLogoURL: logoURL)
  }
}
