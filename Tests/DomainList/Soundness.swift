import Backends
import DomainList
import Provenance
import Testing

@Suite struct `The domains' declarations` {
  @Test func `contradict nothing`() {
    #expect(Domains.flaws() == [])
  }

  /// The files of the rules of backends that say themselves where these live.
  private static let said = Domains.all.flatMap { backend in
    backend.declaration.limits.compactMap { limit in
      backend.files(of: limit.id).map { (id: limit.id.text, files: $0) }
    }
  }

  @Test func `name the files of each rule as the sources do`() {
    #expect(Self.said.count >= 11)
    for (id, files) in Self.said {
      let found = RuleLocations.all[id]
      // A guard may find its rule in a table, such as a matrix of rights: then only the list names it.
      let guards = Set(found?.enforced ?? [])
      #expect(guards.isSubset(of: files.enforced), "\(id): \(guards)")
      #expect(files.tried == found?.tried, "\(id)")
      #expect(files.judged == found?.judged, "\(id)")
    }
  }
}
