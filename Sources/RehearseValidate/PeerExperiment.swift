import Backends
import Contracts
import Foundation
import Scenarios
import Simulation
import Statistics
import Timekeeping
import Tokens
import ToyDomain

/// Whether the workshop of `scenarios/toy.yaml` is the one that a program in another language makes of the same rules
/// (`Tests/Peers/workshop.py`): requests, refusals and unknown outcomes of each operation, workshop by workshop.
public struct PeerExperiment: Sendable {
  public let workshops: Int

  public init(workshops: Int) { self.workshops = workshops }

  /// What became of the requests of one operation in one workshop, those under way at the end left out.
  public struct Count: Decodable, Sendable {
    public var replied: Int
    public var refused: Int
    public var unknown: Int
    public var unsent: Int

    public init(replied: Int = 0, refused: Int = 0, unknown: Int = 0, unsent: Int = 0) {
      (self.replied, self.refused) = (replied, refused)
      (self.unknown, self.unsent) = (unknown, unsent)
    }

    var requests: Int { replied + refused + unknown + unsent }
  }

  /// One workshop: its operations by their names.
  public typealias Day = [String: Count]

  private struct Peer: Decodable {
    let simpy: String
    let operations: [Day]
  }

  /// One figure of the two, a workshop.
  public struct Line: Sendable {
    public let operation: String
    public let figure: String
    public let ours: Double
    public let peers: Double
    /// What the difference of two such runs is at most, in all but one of twenty tables.
    public let leeway: Double

    public var agrees: Bool { (ours - peers).magnitude <= leeway }
  }

  // MARK: - Both runs

  /// Each workshop by itself: a replication with one.
  public func ours() -> [Day] {
    let declaration = ToyBackend().declaration
    let world = World(
      domain: declaration.domain, regions: 1,
      population: Settings(declaration.population, overridden: ["workshops": .count(1)]),
      parameters: Settings(declaration.parameters), adversaries: 0.05)
    let latency = Distribution.lognormal(median: .milliseconds(60), p95: .milliseconds(250))
    let scenario = Scenario(
      name: "peers", title: "Workshops", starts: Instant(unixSeconds: 1_774_076_400), zone: .utc,
      lasts: .hours(12), replications: workshops, worlds: [world],
      network: Network(latency: latency), barrierInterval: .hours(1))
    let run = VirtualRun(
      scenario, domains: [AnyDomain(ToyBackend())],
      tokens: TokenSignatures(secret: "nobody looks at a token of a workshop"))
    return run.run(workers: 1).map { replication in
      Dictionary(
        uniqueKeysWithValues: replication.worlds[0].operations.map { tally in
          let count = Count(
            replied: tally.replied, refused: tally.refused,
            unknown: tally.unknown - tally.cutOffInAll, unsent: tally.unsent)
          return (tally.name, count)
        })
    }
  }

  /// `nil` where there is no Python with SimPy.
  private func peers() -> Peer? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      ProcessInfo.processInfo.environment["PYTHON"] ?? "python3", "Tests/Peers/workshop.py",
      "--each", "--workshops", String(workshops),
    ]
    let said = Pipe()
    process.standardOutput = said
    guard (try? process.run()) != nil else { return nil }
    let text = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try? JSONDecoder().decode(Peer.self, from: text)
  }

  // MARK: - Beside one another

  /// By Welch's interval of the difference of two means, at a level that all lines share.
  public static func compare(_ ours: [Day], with peers: [Day]) -> [Line] {
    let operations = ["signIn", "tools", "borrow", "giveBack", "reserve", "loans"]
    let figures: [(name: String, of: (Count) -> Int)] = [
      ("requests", \.requests), ("refused", \.refused), ("unknown", \.unknown),
    ]
    let level = 0.05 / Double(operations.count * figures.count)
    return operations.flatMap { operation in
      figures.compactMap { figure in
        func summary(_ days: [Day]) -> Summary? {
          Summary(days.map { Double($0[operation].map(figure.of) ?? 0) })
        }
        guard let our = summary(ours), let peer = summary(peers),
          let ourError = our.standardError, let peerError = peer.standardError
        else { return nil }
        let (a, b) = (ourError * ourError, peerError * peerError)
        let spread = a * a / Double(our.count - 1) + b * b / Double(peer.count - 1)
        // Where nothing varies, two runs do not differ.
        let t =
          spread == 0
          ? 0 : Quantiles.studentT(1 - level / 2, degrees: (a + b) * (a + b) / spread)
        return Line(
          operation: operation, figure: figure.name, ours: our.mean, peers: peer.mean,
          leeway: t * (a + b).squareRoot())
      }
    }
  }

  func section() -> String {
    guard let peers = peers() else {
      FileHandle.standardError.write(
        Data("the section 'peer' takes python3 with simpy: make peers\n".utf8))
      exit(69)
    }
    let lines = Self.compare(ours(), with: peers.operations)
    var table = Table(
      "The workshop beside another program",
      """
      \(workshops) workshops of `scenarios/toy.yaml`, each with an adversary, here and as a program of SimPy \(peers.simpy) \
      (`Tests/Peers/workshop.py`): means a workshop. The last column is how far two such runs of one and the same \
      workshop differ at most, in nineteen of twenty tables (Welch, Bonferroni). \
      \(lines.count { $0.agrees }) of \(lines.count) figures agree.
      """,
      columns: ["operation", "figure", "Rehearsal", "SimPy", "difference", "at most"])
    for line in lines {
      let sign = line.agrees ? "" : " **apart**"
      table.add(
        line.operation, line.figure, Self.text(line.ours), Self.text(line.peers),
        Self.text(line.ours - line.peers) + sign, Self.text(line.leeway))
    }
    return table.text
  }

  private static func text(_ number: Double) -> String {
    String(format: "%.2f", number).replacing("-", with: "−")
  }
}
