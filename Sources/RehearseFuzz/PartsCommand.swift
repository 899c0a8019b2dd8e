import ArgumentParser
import Contracts
import DomainList
import Foundation
import Observations
import PartFiles
import Runs
import ScenarioFiles
import Scenarios
import Simulation
import Timekeeping
import Verdicts

struct PartsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parts",
    abstract: "Read files of parts in which bits are flipped, or that are cut.",
    discussion: """
      The part is that of each domain's proving scenario in turn. Every damaged file must be refused, and reading it must take no \
      more memory than ten times its size. In every second one the damage lies under a digest that holds, as somebody might \
      make it who means harm: that has to be refused, or read and added up, without ending the process.
      """)

  @Option(help: "The seed; another one each time when left out, and printed.")
  var seed: UInt64?

  @Option(help: "How many damaged files.")
  var count = 10_000

  func validate() throws {
    guard count > 0 else { throw ValidationError("--count is at least 1") }
  }

  func run() throws {
    let seed = seed ?? .random(in: 0...999_999)
    print("seed \(seed)")
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    let domains = Domains.entries.map { Kept($0) }
    let largest = domains.map(\.file.count).max() ?? 0
    var (refused, read) = (0, 0)
    let before = Self.mostMemory
    for number in stride(from: 0, to: count, by: 2) {
      let kept = domains[number / 2 % domains.count]
      guard (try? PartFile.part(stream.damaged(kept.file))) == nil else {
        print("file \(number) is damaged, and was read")
        throw ExitCode(ExitStatus.failed.rawValue)
      }
      refused += 1
    }
    let grown = Self.mostMemory - before
    for number in stride(from: 1, to: count, by: 2) {
      let kept = domains[number / 2 % domains.count]
      if kept.reads(stream.damaged(kept.part.outcome)) { read += 1 } else { refused += 1 }
    }
    print(
      "\(count) files of up to \(largest / 1_000) kB: \(refused) refused, \(read) read whose digest holds; \(grown / 1_000) kB of memory for those that are damaged"
    )
    guard grown <= 10 * largest else {
      print("that is more than ten times the size of a file")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
  }

  /// The most memory that the process had so far, in bytes.
  private static var mostMemory: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1_024
  }
}

/// One part, and what reads it.
private struct Kept {
  let part: Part
  let file: [UInt8]
  private let empty: ReplicationResult

  init(_ domain: AnyDomain) {
    let scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try ScenarioFile.read(
        Array(domain.backend.provingScenario.utf8), file: "proving scenario",
        declarations: Domains.declarations
      ).scenario
    } catch {
      preconditionFailure(error.description)
    }
    let results = VirtualRun(scenario, domains: [domain], tokens: Domains.tokens)
      .run(replications: [0], workers: 1)
    var part = Part.empty
    part.outcome = results[0].packed
    self.part = part
    file = PartFile.bytes(of: part)
    empty = ReplicationResult(
      index: 0, seed: 0, worlds: [domain.emptyTally(scenario)], lines: [], ended: scenario.starts,
      digest: Digest())
    precondition(reads(part.outcome), "a part that is whole can be read")
  }

  /// Whether these bytes are an outcome; then it can be added up.
  func reads(_ outcome: [UInt8]) -> Bool {
    var result = empty
    do throws(PackingProblem) {
      try result.unpack(outcome)
    } catch {
      return false
    }
    var sum = result.worlds[0]
    sum.merge(result.worlds[0])
    return true
  }
}

extension RandomStream {
  /// Bytes in which bits are flipped, or that are cut.
  fileprivate mutating func damaged(_ whole: [UInt8]) -> [UInt8] {
    var bytes = whole
    if chance(0.3) { bytes.removeLast(1 + pick(0..<bytes.count)) }
    guard bytes.count == whole.count || (!bytes.isEmpty && chance(0.3)) else { return bytes }
    let flips = pick([1, 1, 1, 2, 5, 40])
    // Two flips of one bit are none.
    while bytes.elementsEqual(whole.prefix(bytes.count)) {
      for _ in 0..<flips { bytes[pick(0..<bytes.count)] ^= 1 << UInt8(pick(0..<8)) }
    }
    return bytes
  }
}
