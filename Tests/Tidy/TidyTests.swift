import Foundation
import Provenance
import Testing

@Suite struct `The sources` {
  static let sources = SourceFile.all(below: "Sources")
  static let tests = SourceFile.all(below: "Tests")

  @Test func `are found`() {
    #expect(Self.sources.count > 50)
    #expect(Self.tests.count > 10)
  }

  @Test(arguments: [
    ("Yams", "Sources/Adapters/ScenarioFiles/"), ("CCrypto", "Sources/Adapters/Tokens/"),
    ("Mustache", "Sources/Engine/Reports/"), ("ArgumentParser", "Sources/Rehearse"),
    ("Hummingbird", "Sources/Adapters/Serving/"), ("HummingbirdCore", "Sources/Adapters/Serving/"),
    ("HTTPTypes", "Sources/Adapters/Serving/"), ("NIOCore", "Sources/Adapters/Serving/"),
    ("NIOHTTP1", "Sources/Adapters/Serving/"),
    ("CGSL", "Sources/Engine/Statistics/"), ("CCurl", "Sources/Adapters/HTTPLoad/"),
    ("GRDB", "Sources/Adapters/Storage/"), ("CZlib", "Sources/Adapters/PartFiles/"),
  ])
  func `import each foreign package in one target alone`(package: String, home: String) {
    let pattern = #/^\s*(package |public |internal |private )?import (struct |enum |func )?/#
    let guests = Self.sources.filter { file in
      !file.path.hasPrefix(home)
        && file.code.contains { line in
          line.prefixMatch(of: pattern).map { line[$0.range.upperBound...] }
            .map { $0.prefix { $0.isLetter } == package } ?? false
        }
    }
    #expect(guests.map(\.path) == [])
  }

  /// What a virtual run can reach: the engine but for its coordinator, and every domain.
  static let virtual = sources.filter { file in
    let engine = ["Timekeeping", "Contracts", "Journeys", "Observations", "Backends", "Simulation"]
    return file.path.hasPrefix("Sources/Domains/")
      || engine.contains { file.path.hasPrefix("Sources/Engine/\($0)/") }
  }

  @Test func `read no clock and no system randomness where a virtual run can reach`() {
    let banned = [
      "Date()", ".now()", "ContinuousClock", "SuspendingClock", "clock_gettime", "SystemRandom",
      ".random(", "UUID()", "arc4random", "DispatchTime", "shuffled()", "randomElement()",
    ]
    let found = Self.virtual.flatMap { file in
      file.places { line in banned.contains { line.contains($0) } }
    }
    #expect(found == [])
  }

  @Test func `start tasks only where the engine begins a journey`() {
    let pattern =
      #/\bTask\s*(\{|\(|\.)|^\s*(public |final |private )*actor \w|@MainActor|withTaskGroup/#
    let found = Self.virtual.flatMap { file in file.places { $0.contains(pattern) } }
    #expect(found.allSatisfy { $0.hasPrefix("Sources/Engine/Simulation/RegionSessions.swift:") })
    #expect(found.count == 2)
  }

  @Test func `swallow no error in journeys, twins and checks`() {
    let pattern = #/\btry\?|\bcatch\b|\btry!/#
    let parts = ["/Twin/", "/Journeys/", "/Checks/"]
    let found = Self.sources.filter { file in
      file.path.hasPrefix("Sources/Domains/") && parts.contains { file.path.contains($0) }
    }.flatMap { file in file.places { $0.contains(pattern) } }
    #expect(found == [])
  }

  @Test func `use no function of the C library where a result can reach a digest`() {
    let pattern = #/(^|[^.\w])(log|log2|log10|exp|pow|sin|cos|tan|atan|atan2|tgamma|lgamma)\(/#
    // The project's own functions of these names live in files of their own.
    let found = Self.virtual.filter { !$0.path.contains("/Timekeeping/Elementary") }.flatMap {
      file in
      file.places { $0.contains(pattern) && !$0.contains("func ") }
    }
    #expect(found == [])
  }

  @Test func `name no domain in the engine`() {
    let names = #/(?i)kantine|koning|asiatravel|kilwinning|mimisupply|dienst|tornata|cloudkit/#
    let found = Self.sources.filter { $0.path.hasPrefix("Sources/Engine/") }.flatMap { file in
      file.lines.enumerated().filter { $0.element.contains(names) }
        .map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(found == [])
  }

  @Test func `name no domain in another domain's folder`() {
    let domains = SourceFile.folders(in: "Sources/Domains")
    for domain in domains {
      let others = domains.filter { $0 != domain }
      let found = Self.sources.filter { $0.path.hasPrefix("Sources/Domains/\(domain)/") }
        .flatMap { file in file.places { line in others.contains { line.contains($0) } } }
      #expect(found == [])
    }
  }

  @Test func `hold no leftovers`() {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
    let pattern = #/\b[A-Z]{3,5}\b/#
    let found = (Self.sources + Self.tests).flatMap { file in
      file.lines.enumerated().filter { line in
        line.element.matches(of: pattern).contains { marks.contains(String($0.output)) }
      }.map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(found == [])
  }

  @Test func `declare nothing for others that nobody names`() {
    let declaration =
      #/public (?:[a-z]+(?:\(set\))? )*(?:func|var|let|struct|enum|class|protocol|typealias) `?(?<name>\w+)/#
    func isPartOfWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    var named: [String: Int] = [:]
    var declared: [String: Int] = [:]
    for line in (Self.sources + Self.tests).flatMap(\.lines) {
      let line = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
      for word in line.utf8.split(whereSeparator: { !isPartOfWord($0) }) {
        named[String(word)!, default: 0] += 1
      }
      guard line.contains("public ") else { continue }
      for match in line.matches(of: declaration) {
        declared[String(match.name), default: 0] += 1
      }
    }
    // The standard library asks for it by this name.
    let unused = declared.filter { named[$0.key] == $0.value && $0.key != "_rawHashValue" }
    #expect(unused.keys.sorted() == [])
  }

  @Test func `keep to files that are one idea long`() {
    let long = Self.sources.filter { $0.lines.count > 700 }
    #expect(long.map(\.path) == [])
  }

  @Test func `keep a module's imports within the graph of the manifest`() throws {
    let journeysAndChecks = Self.sources.filter {
      $0.path.hasPrefix("Sources/Domains/")
        && ($0.path.contains("/Journeys/") || $0.path.contains("/Checks/"))
    }
    let found = journeysAndChecks.flatMap { file in
      file.places {
        $0.hasPrefix("import ") && ($0.hasSuffix("Twin") || $0.hasSuffix("Simulation"))
      }
    }
    #expect(found == [], "journeys and checks never see a twin or a timeline")
  }

  @Test(arguments: ["README.md", "Sources/Rehearse/Rehearsal.docc/GatingInCI.md"])
  func `name packages of the version that is built`(page: String) throws {
    let text = try String(
      contentsOf: SourceFile.root.appendingPathComponent(page), encoding: .utf8)
    let named = text.matches(of: #/(?:rehearse[-_]|download/v)(\d+\.\d+\.\d+)/#).map(\.1)
    #expect(!named.isEmpty && named.allSatisfy { $0 == Provenance.version }, "\(page): \(named)")
  }
}
