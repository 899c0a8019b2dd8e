import Backends
import DomainList
import Foundation
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

  @Test func `name the files of each rule as the sources do`() throws {
    #expect(Self.said.count >= 11)
    for (id, files) in Self.said {
      let found = RuleLocations.all[id]
      // A guard may find its rule in a table, such as a matrix of rights: then only the list names it.
      let guards = Set(found?.enforced ?? [])
      #expect(guards.isSubset(of: files.enforced), "\(id): \(guards)")
      #expect(Set(files.tried) == Set(found?.tried ?? []), "\(id)")
      // Checks of other rules may tell of it, too; the list that has it stands beside its own.
      for file in files.judged {
        #expect(try Self.text(of: file).contains(".\(id.lowercased().replacing("-", with: ""))"))
      }
    }
  }

  @Test func `judge each rule in one file, where a guard can be switched off and somebody tries`() {
    for (id, files) in Self.said {
      #expect(files.judged.count <= 1, "\(id)")
      // What is asked for at one endpoint may be held against the request at another.
      #expect(files.enforced.count <= 2, "\(id)")
      if files.judged.isEmpty { continue }
      #expect(!files.enforced.isEmpty, "\(id) is judged, but no guard has a switch for it")
      #expect(!files.tried.isEmpty, "\(id) is judged, but no journey names it")
    }
  }

  private static func text(of file: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
  }
}
