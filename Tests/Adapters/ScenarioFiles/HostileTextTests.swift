import Contracts
import ScenarioFiles
import Scenarios
import Testing
import Timekeeping

@Suite struct `Hostile scenario files` {
  private static let declaration = WorldDeclaration(
    domain: "canteen", title: "Canteen",
    population: [Setting("clubs", .count(1...500), .count(20), "Clubs", source: "an assumption")],
    parameters: [Setting("lost", .share(0...0.5), .share(0.1), "Lost", source: "an assumption")],
    quirks: [], profiles: [], operations: [Operation("sync", "Sync", source: "1")],
    business: ["late"],
    limits: [], controls: [ControlDeclaration("cleanUp", "Cleans up")])

  /// Reads bytes; the message, if any, has to name the file and stay printable.
  private func survives(_ bytes: [UInt8], _ seed: UInt64) {
    do {
      let (scenario, _) = try ScenarioFile.read(
        bytes, file: "s.yaml", declarations: [Self.declaration])
      #expect(!scenario.worlds.isEmpty, "seed \(seed)")
    } catch {
      #expect(!error.problems.isEmpty, "seed \(seed)")
      for problem in error.problems {
        let text = problem.description
        #expect(text.hasPrefix("s.yaml"), "seed \(seed): \(text)")
        #expect(text.utf8.count < 2_000, "seed \(seed): \(text.utf8.count) bytes")
        #expect(
          text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 },
          "seed \(seed): \(text)")
      }
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `random bytes never trap`(seed: UInt64) {
    var random = RandomStream(seed: seed, owner: 1, purpose: 1)
    for _ in 0..<250 {
      let count = random.pick(0..<200)
      survives((0..<count).map { _ in UInt8(random.pick(0..<256)) }, seed)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `random YAML punctuation never traps`(seed: UInt64) {
    let pieces = [
      "a", "b", " ", "  ", "\n", "\n  ", ":", ": ", "- ", "? ", "[", "]", "{", "}", ",", "&a ",
      "*a ",
      "*a", "&a", "\"", "'", "#", " #", "|\n", ">\n", "!", "!!str ", "<<: ", "---\n", "...\n", "%",
      "é",
      "\u{2028}", "\u{85}", "\u{FEFF}", "\t", "\r", "~", "0x1F", "1e999", "-", "@", "`",
    ]
    var random = RandomStream(seed: seed, owner: 2, purpose: 1)
    for _ in 0..<1_000 {
      let text = (0..<random.pick(1..<40)).map { _ in random.pick(pieces) }.joined()
      survives(Array(text.utf8), seed)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a valid scenario with random damage never traps`(seed: UInt64) {
    let valid = """
      rehearsal: 1
      name: x
      starts: 2026-03-21T06:00 Europe/Amsterdam
      lasts: 18h
      worlds: [{domain: canteen, regions: 2, population: {clubs: 3}, parameters: {lost: 1%}}]
      network: {latency: {uniform: {from: 1ms, to: 2ms}}, timeout: 5s}
      events: [{at: "10:00", do: canteen.cleanUp}]
      faults: [{from: +1h, to: "12:00", on: canteen, kind: {delay: 5ms}, share: 2%}]
      objectives: ["p99 of canteen.sync < 1s", "errors < 1%"]
      """
    let tokens = [
      "-", "+", "99999999999999999999", ".nan", "-.inf", "1e308", "1e-308", "\u{202E}", "\u{301}",
      "%",
      "d", "ns", "9999-12-31T23:59Z", "1970-01-01T00:00Z", "[]", "{}", "~", "\"\"", "0", ".", "<",
      "of",
      "p99.99999999999999999999", "Etc/GMT+12", "24:00", "+3653d",
    ]
    var random = RandomStream(seed: seed, owner: 3, purpose: 1)
    for _ in 0..<300 {
      var characters = Array(valid)
      for _ in 0..<random.pick(1..<5) {
        let at = random.pick(0..<characters.count)
        switch random.pick(0..<3) {
        case 0: characters.remove(at: at)
        case 1: characters.insert(contentsOf: random.pick(tokens), at: at)
        default: characters.swapAt(at, random.pick(0..<characters.count))
        }
      }
      survives(Array(String(characters).utf8), seed)
    }
  }

  @Test func `sixty thousand unread keys are answered briefly`() {
    let text = (0..<60_000).map { "k\($0): 1\n" }.joined()
    do {
      _ = try ScenarioFile.read(
        Array(text.utf8), file: "s.yaml", declarations: [Self.declaration])
      Issue.record("it was accepted")
    } catch {
      #expect(error.problems.count == ScenarioErrors.most)
      #expect(error.omitted == 60_000 + 5 - ScenarioErrors.most)
    }
  }
}
