import Foundation
import Testing

/// A domain whose limits are all to be found.
struct LimitedDomain: CustomStringConvertible, Sendable {
  let name: String
  let prefix: String
  let sources: LimitSources

  init(_ name: String, prefix: String) {
    self.name = name
    self.prefix = prefix
    sources = LimitSources(domain: name, prefix: prefix)
  }

  var description: String { name }

  /// Those with checks, whose limits say how their ids begin.
  static let all = SourceFile.folders(in: "Sources/Domains").filter { domain in
    SourceFile.folders(in: "Sources/Domains/\(domain)").contains("Checks")
  }.map { domain in
    let contract = SourceFile.all(below: "Sources/Domains/\(domain)/Contract").map(\.text)
    let prefix = contract.joined().firstMatch(of: #/"([A-Z]{2,3})-[0-9]+"/#)?.1
    return LimitedDomain(domain, prefix: String(prefix ?? ""))
  }

  func names(_ ids: [Int: [String]]) -> [String] {
    ids.sorted { $0.key < $1.key }.map {
      "\(prefix)-\($0.key): \($0.value.joined(separator: ", "))"
    }
  }
}

/// Every rule can be found in a minute: one guard, one check, and people who run into it.
@Suite struct `The limits of each domain` {
  @Test(arguments: LimitedDomain.all)
  func `are each guarded in one file of the twin or of the journeys`(domain: LimitedDomain) {
    #expect(domain.names(domain.sources.enforced.filter { $0.value.count > 1 }) == [])
    #expect(!domain.sources.enforced.isEmpty)
  }

  @Test(arguments: LimitedDomain.all)
  func `are each judged in one file, where a guard can be switched off and somebody tries`(
    domain: LimitedDomain
  ) {
    let sources = domain.sources
    #expect(domain.names(sources.judged.filter { $0.value.count > 1 }) == [])
    #expect(!sources.judged.isEmpty)
    let unguarded = sources.judged.filter { sources.enforced[$0.key] == nil }
    #expect(domain.names(unguarded) == [], "judged, but no guard has a switch for them")
    let untried = sources.judged.filter { sources.tried[$0.key] == nil }
    #expect(domain.names(untried) == [], "judged, but no journey names them")
  }

  @Test(arguments: LimitedDomain.all)
  func `are each named by a test`(domain: LimitedDomain) {
    let tested = SourceFile.all(below: "Tests/Domains/\(domain.name)").reduce(into: Set<Int>()) {
      $0.formUnion(LimitSources.named($1.text, domain.prefix))
    }
    let ids = Set(domain.sources.enforced.keys).union(domain.sources.judged.keys)
    #expect(ids.subtracting(tested).sorted() == [])
  }

  /// Set `REHEARSAL_GOLDEN=write` to write the tables anew; then read the difference.
  @Test(arguments: LimitedDomain.all)
  func `are listed where they are`(domain: LimitedDomain) throws {
    let file = SourceFile.root.appendingPathComponent(
      "Sources/Domains/\(domain.name)/Contract/LimitPlaces.swift")
    let table = domain.sources.table
    if ProcessInfo.processInfo.environment["REHEARSAL_GOLDEN"] == "write" {
      try Data(table.utf8).write(to: file)
    }
    let written = try String(contentsOf: file, encoding: .utf8)
    let stale = zip(written.split(separator: "\n"), table.split(separator: "\n"))
      .first { $0 != $1 }
    #expect(stale?.0 == stale?.1, "LimitPlaces.swift is stale: REHEARSAL_GOLDEN=write writes it")
    #expect(written == table)
  }

  @Test func `are found in words, in code and in ranges`() {
    let text = "// KK-45 to KK-47, KK-9; binds(.kk58) and KK-100"
    #expect(LimitSources.named(text, "KK") == [9, 45, 46, 47, 58, 100])
  }
}
