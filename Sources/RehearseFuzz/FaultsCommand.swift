import ArgumentParser
import Backends
import Contracts
import DomainList
import Foundation
import Observations
import ScenarioFiles
import Scenarios
import Simulation
import Synchronization
import Timekeeping
import Verdicts

struct FaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Run each domain under each kind of network fault, and under several at once.",
    discussion: """
      What the network does to requests and answers is not the backend's doing: whatever is lost, late, duplicated or cut off, a backend \
      that keeps its rules must break none of them in the verdict. Each run takes the first hours of a domain's proving scenario, in \
      which all rules are tried, with another seed and other faults: of ten runs eight have one kind of fault each, and two have \
      several. A violation is a failure (exit code 99).

      A failure is shown with its scenario, which `rehearse run -` takes, by
        rehearse-fuzz faults --seed 5 --domain toy --only 7
      """)

  @Option(help: "The seed; another one each time when left out, and printed.")
  var seed: UInt64?

  @Option(help: "How many runs of each domain.")
  var count = 10

  @Option(help: "Only this domain.", completion: .list(Domains.all.map(\.domain)))
  var domain: String?

  @Option(help: "This run alone; its scenario is shown before it is lived.")
  var only: Int?

  // How tests see that a failure is found: a rule that the twins do not keep.
  @Option(help: .hidden) var without: String?

  func validate() throws {
    guard count > 0, (only ?? 0) >= 0 else {
      throw ValidationError("--count is at least 1, --only is not negative")
    }
    if only != nil, seed == nil || domain == nil {
      throw ValidationError("--only needs the --seed and the --domain of its failure")
    }
    guard domain == nil || Domains.all.contains(where: { $0.domain == domain }) else {
      throw ValidationError("--domain is one of \(Domains.names)")
    }
  }

  func run() throws {
    let seed = seed ?? .random(in: 0...999_999)
    print("seed \(seed)")
    var isAccused = false
    for entry in Domains.entries where domain == nil || entry.backend.domain == domain {
      let name = entry.backend.domain
      let runs = try (only.map { $0..<$0 + 1 } ?? 0..<count).map { number in
        try Planned(number, of: seed, in: entry.backend, without: without)
      }
      if only != nil { print(runs[0].text) }
      let found = Mutex([Int: Lived]())
      DispatchQueue.concurrentPerform(iterations: runs.count) { index in
        let lived = runs[index].live(in: entry)
        found.withLock { $0[runs[index].number] = lived }
      }
      let lived = found.withLock { $0 }.sorted { $0.key < $1.key }
        .map(\.value)
      for (run, lived) in zip(runs, lived) where !lived.accused.isEmpty {
        isAccused = true
        print("FAILURE of \(name) in run \(run.number) of seed \(seed): \(run.faults)")
        for limit in lived.accused {
          let times = "\(limit.id.text), \(limit.violations) times"
          print("  \(times): \(limit.evidence.first?.what ?? "")")
        }
        print(
          "repeat it with: rehearse-fuzz faults --seed \(seed) --domain \(name) --only \(run.number)"
        )
      }
      let accused = lived.count { !$0.accused.isEmpty }
      print(
        "\(name): \(runs.count) runs, \(lived.reduce(0) { $0 + $1.requests }) requests, "
          + (accused == 0 ? "no rule broken" : "in \(accused) of them rules are broken"))
    }
    if isAccused { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}

private struct Lived {
  let requests: Int
  let accused: [LimitTally]
}

/// One run, made from its seed and its number alone.
private struct Planned {
  let number: Int
  let faults: String
  let text: String
  private var scenario: Scenario

  init(_ number: Int, of seed: UInt64, in backend: some Backend, without rule: String?) throws {
    let proving = try Self.read(backend.provingScenario)
    var stream = RandomStream(seed: seed, owner: UInt64(number), purpose: 8)
    let faults = Self.faults(number, &stream)
    text = Self.text(
      of: backend.provingScenario, seed: stream.next() >> 1, faults, on: backend.domain,
      lasting: proving.lasts)
    self.number = number
    self.faults = faults.joined(separator: "; ")
    scenario = try Self.read(text)
    scenario.lasts = min(scenario.lasts, scenario.lasts / 4 + .hours(1))
    if let rule { scenario.worlds[0].rulesOff = [LimitID(rule)] }
  }

  func live(in entry: AnyDomain) -> Lived {
    let worlds = VirtualRun(scenario, domains: [entry], tokens: Domains.tokens).run(workers: 1)
      .flatMap(\.worlds)
    return Lived(
      requests: worlds.reduce(0) { $0 + $1.requests },
      accused: worlds.flatMap(\.limits).filter { $0.violations > 0 })
  }

  private static func read(_ text: String) throws -> Scenario {
    try ScenarioFile.read(
      Array(text.utf8), file: "faults", declarations: Domains.declarations
    ).scenario
  }

  /// As a scenario has them, without the domain and the time.
  private static func faults(_ number: Int, _ stream: inout RandomStream) -> [String] {
    let kinds = FaultWord.plain.map(\.name) + [FaultWord.delay.name]
    let place = number % (kinds.count + 2)
    let chosen =
      place < kinds.count
      ? [kinds[place]] : (0..<stream.pick(2..<5)).map { _ in stream.pick(kinds) }
    return chosen.map { kind in
      let share = stream.pick(["0.5%", "2%", "8%", "30%"])
      let delay = stream.pick(["500ms", "5s", "40s", "3min"])
      return "kind: \(kind == FaultWord.delay.name ? "{delay: \(delay)}" : kind), share: \(share)"
    }
  }

  /// The proving scenario with another seed, and with faults beside those that it has.
  private static func text(
    of proving: String, seed: UInt64, _ faults: [String], on domain: String, lasting: Span
  ) -> String {
    let added = faults.map { "  - {from: +0s, to: +\(lasting), on: \(domain), \($0)}" }
    var lines = proving.split(separator: "\n").map { line in
      line.hasPrefix("seed:") ? "seed: \(seed)" : String(line)
    }
    let place = lines.firstIndex { $0.hasPrefix("faults:") }
    if place == nil { lines.append("faults:") }
    lines.insert(contentsOf: added, at: (place ?? lines.count - 1) + 1)
    return lines.joined(separator: "\n") + "\n"
  }
}
