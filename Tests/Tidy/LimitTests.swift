import Foundation
import Testing

/// Every rule can be found in a minute: one guard, one check, and people who run into it.
@Suite struct `The limits of Kantine Koning` {
  private static let sources = LimitSources(domain: "KantineKoning", prefix: "KK")

  private static func names(_ ids: [Int: [String]]) -> [String] {
    ids.sorted { $0.key < $1.key }.map { "KK-\($0.key): \($0.value.joined(separator: ", "))" }
  }

  @Test func `are each guarded in one file of the twin or of the journeys`() {
    #expect(Self.names(Self.sources.enforced.filter { $0.value.count > 1 }) == [])
    #expect(Self.sources.enforced.count > 80)
  }

  @Test func `are each judged in one file, where a guard can be switched off and somebody tries`() {
    #expect(Self.names(Self.sources.judged.filter { $0.value.count > 1 }) == [])
    #expect(Self.sources.judged.count > 80)
    let unguarded = Self.sources.judged.filter { Self.sources.enforced[$0.key] == nil }
    #expect(Self.names(unguarded) == [], "judged, but no guard has a switch for them")
    let untried = Self.sources.judged.filter { Self.sources.tried[$0.key] == nil }
    #expect(Self.names(untried) == [], "judged, but no journey names them")
  }

  @Test func `are each named by a test`() {
    let tested = SourceFile.all(below: "Tests/Domains/KantineKoning").reduce(into: Set<Int>()) {
      $0.formUnion(LimitSources.named($1.text, "KK"))
    }
    let ids = Set(Self.sources.enforced.keys).union(Self.sources.judged.keys)
    #expect(ids.subtracting(tested).sorted() == [])
  }

  /// Set `REHEARSAL_GOLDEN=write` to write the table anew; then read the difference.
  @Test func `are listed where they are`() throws {
    let file = SourceFile.root.appendingPathComponent(
      "Sources/Domains/KantineKoning/Contract/LimitPlaces.swift")
    let table = Self.sources.table
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
