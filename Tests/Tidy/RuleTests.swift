import Provenance
import Testing

/// A domain whose rules are all to be found.
struct RuledDomain: CustomStringConvertible, Sendable {
  let name: String
  /// How its ids begin: `KK`.
  let prefix: String
  let places: [String: RuleLocations]

  init(_ name: String) {
    self.name = name
    let rules = SourceFile.all(below: "Sources/Domains/\(name)/Contract").map(\.text).joined()
    let prefix = rules.firstMatch(of: #/enum Rule: String.*\n *case ([a-z]+)[0-9]/#)?.1.uppercased()
    self.prefix = prefix ?? ""
    places = RuleLocations.all.filter { $0.key.hasPrefix((prefix ?? "") + "-") }
  }

  var description: String { name }

  /// Those with checks.
  static let all = SourceFile.folders(in: "Sources/Domains").filter { domain in
    SourceFile.folders(in: "Sources/Domains/\(domain)").contains("Checks")
  }.map { RuledDomain($0) }

  /// Whose guards, journeys and checks list their rules themselves: of these `Tests/DomainList` asks the same.
  var listsItsRules: Bool {
    SourceFile.all(below: "Sources/Domains/\(name)").contains {
      $0.text.contains("RulesOfFile<") && $0.path.contains("/Twin/")
    }
  }

  static let scanned = all.filter { !$0.listsItsRules }

  func rules(where condition: (RuleLocations) -> Bool) -> [String] {
    places.filter { condition($0.value) }.keys.sorted()
  }

  /// The rules that a text names, in words, in a range or in code: KK-46, KK-45 to KK-47 or `.kk46`.
  func named(in text: String) -> Set<Int> {
    var numbers: Set<Int> = []
    for match in text.matches(of: #/([A-Z]+)-([0-9]+)(?: to ([A-Z]+)-([0-9]+))?/#) {
      guard match.1 == prefix, let first = Int(match.2) else { continue }
      let last = match.3 == match.1 ? match.4.flatMap { Int($0) } ?? first : first
      numbers.formUnion(first...max(first, last))
    }
    for match in text.matches(of: #/\.([a-z]+)([0-9]+)/#) where match.1 == prefix.lowercased() {
      if let number = Int(match.2) { numbers.insert(number) }
    }
    return numbers
  }
}

/// Every rule can be found in a minute: one guard, one check, and people who run into it.
@Suite struct `The rules of each domain` {
  @Test(arguments: RuledDomain.scanned)
  func `are each guarded in one file of the twin or of the journeys`(domain: RuledDomain) {
    #expect(domain.rules { $0.enforced.count > 1 } == [])
    #expect(!domain.rules { !$0.enforced.isEmpty }.isEmpty)
  }

  @Test(arguments: RuledDomain.scanned)
  func `are each judged in one file, where a guard can be switched off and somebody tries`(
    domain: RuledDomain
  ) {
    #expect(domain.rules { $0.judged.count > 1 } == [])
    #expect(!domain.rules { !$0.judged.isEmpty }.isEmpty)
    let unguarded = domain.rules { !$0.judged.isEmpty && $0.enforced.isEmpty }
    #expect(unguarded == [], "judged, but no guard has a switch for them")
    let untried = domain.rules { !$0.judged.isEmpty && $0.tried.isEmpty }
    #expect(untried == [], "judged, but no journey names them")
  }

  @Test(arguments: RuledDomain.all)
  func `are each named by a test`(domain: RuledDomain) {
    let tested = SourceFile.all(below: "Tests/Domains/\(domain.name)").reduce(into: Set<Int>()) {
      $0.formUnion(domain.named(in: $1.text))
    }
    let ids = domain.rules { !$0.enforced.isEmpty || !$0.judged.isEmpty }
    #expect(ids.filter { !tested.contains(Int($0.drop { !$0.isNumber }) ?? 0) } == [])
  }

  @Test func `are found in words, in code and in ranges`() {
    let domain = RuledDomain("KantineKoning")
    let text = "// KK-45 to KK-47, KK-9; binds(.kk58) and KK-100"
    #expect(domain.named(in: text) == [9, 45, 46, 47, 58, 100])
  }

  @Test func `are looked up in the sources as these are now`() throws {
    let rule = try #require(RuleLocations.all["KK-58"])
    for file in rule.enforced + rule.judged {
      #expect(SourceFile.all(below: "Sources/Domains").contains { $0.path == file }, "\(file)")
    }
    #expect(rule.enforced.count == 1 && rule.judged.count == 1 && !rule.tried.isEmpty)
  }
}
