import Contracts
import Observations
import Reports
import Runs
import Scenarios
import Testing
import Timekeeping

/// Loads whose twenty parts hold so many calls each.
@Suite struct `The parts of a load` {
  private static let operation = Contracts.Operation("/orders", "GET /orders", source: "test")

  /// All calls take 10 ms, but for the slow ones of each part, which take 500 ms.
  private func run(
    _ calls: [Int], slow: [Int]? = nil, asks: [Bool]? = nil, _ objectives: String...
  ) throws -> Run {
    let parts = calls.enumerated().map { place, calls in
      let slow = slow?[place] ?? 0
      var operation = OperationTally(Self.operation)
      operation.replied = calls
      operation.latencies.record(.milliseconds(10), times: UInt64(calls - slow))
      operation.latencies.record(.milliseconds(500), times: UInt64(slow))
      var world = WorldTally(
        domain: "http", operations: [operation], business: [], limits: [],
        load: LoadTally(starts: Instant(unixSeconds: 0), lasts: .seconds(20)))
      world.requests = calls
      return world
    }
    return LoadAssembly(
      Scenario(
        name: "load", title: "GET http://127.0.0.1/orders", starts: Instant(unixSeconds: 0),
        zone: .utc, lasts: .seconds(1), worlds: [],
        objectives: try objectives.map { try Objective(ofLoad: $0, operations: ["/orders"]) },
        digest: Digest().hexadecimal),
      operations: [Self.operation], parts: parts, asks: asks,
      generator: .sample(pace: "phases"), lasts: .seconds(20)
    ).run(on: .unknown)
  }

  private func some(_ full: Int, of calls: Int = 100) -> [Int] {
    Array(repeating: calls, count: full) + Array(repeating: 0, count: 20 - full)
  }

  @Test func `decide without those in which the plan asks for nothing`() throws {
    let asks = some(16).map { $0 > 0 }
    let run = try run(some(16), asks: asks, "p50 < 1s", "mean < 1s")
    #expect(run.exitCode == 0, "\(run.objectives.map(\.reason))")
    #expect(run.method.contains { $0.contains("without 4 in which the load asks for no call") })
  }

  @Test func `decide although a stall left some of them empty, and say so`() throws {
    let calls = (0..<20).map { $0 % 4 == 1 ? 0 : 50 }
    let slow = calls.enumerated().map { $0.element == 0 ? 0 : 10 + $0.offset % 3 }
    let run = try run(calls, slow: slow, "p95 < 200ms")
    #expect(run.exitCode == 99, "\(run.objectives[0].reason ?? "")")
    #expect(run.method.contains { $0.contains("5 in which no call was due") })
  }

  @Test func `count for rates however empty they are`() throws {
    let run = try run(some(10), "rate >= 90/s")
    #expect(run.objectives[0].estimate == 50 && run.exitCode != 0)
  }

  @Test func `say what would help where fewer than ten have calls`() throws {
    let resting = try run(some(8), asks: some(8).map { $0 > 0 }, "p50 < 1s", "mean < 1s")
    #expect(resting.exitCode == 98)
    for objective in resting.objectives {
      #expect(objective.reason?.contains("leave out the phases that ask for none") == true)
      #expect(objective.moreReplications == nil)
    }
    let rare = try run(some(6, of: 1), "p50 < 1s")
    #expect(rare.objectives[0].reason?.contains("1.7 times as long would decide") == true)
    #expect(rare.timesAsLong.map { ($0 * 6).rounded() } == 10)
    var uneven = some(20, of: 1)
    uneven[3] = 10_000
    let spike = try run(uneven, "p50 < 1s")
    #expect(spike.objectives[0].reason?.contains("load each phase by itself") == true)
    #expect(spike.objectives[0].moreReplications == nil)
  }

  @Test func `name the load that is long enough, and never the same one again`() throws {
    var open = try run(some(20), slow: (0..<20).map { $0 % 5 < 2 ? 5 : 4 }, "p95 < 200ms")
    #expect(open.exitCode == 98)
    let found = open.timesAsLong
    let times = try #require(found)
    #expect(
      times > 1 && times < 10
        && open.objectives[0].reason?.hasSuffix("times as long would decide") == true)
    #expect(!TerminalLoad.text(open, colour: false).contains("\n  rehearse load"))
    open.generator?.longerCommand = "rehearse load http://127.0.0.1/orders --for 7min"
    #expect(
      TerminalLoad.text(open, colour: false).contains(
        "\n  rehearse load http://127.0.0.1/orders --for 7min"))
    let again = try RunReading.run(of: ResultDocument.bytes(for: open), file: "result.json")
    #expect(again.generator == open.generator)
  }

  @Test func `are no replications in what is shown of them`() throws {
    let run = try run(some(20), "p50 < 1s")
    let summary = String(decoding: SummaryDocument.bytes(for: run), as: UTF8.self)
    #expect(!summary.contains("replication"), "\(summary)")
    let page = String(decoding: Page.bytes(for: run), as: UTF8.self)
    #expect(!page.contains("replication"))
    #expect(run.figures.replications.count == 1)
  }
}

extension GeneratorResult {
  static func sample(pace: String, wanted: Double? = 1_000, breaches: [String] = []) -> Self {
    GeneratorResult(
      command: "rehearse load http://127.0.0.1/orders", pace: pace, wantedPerSecond: wanted,
      reachedPerSecond: 998, connections: 64, bytes: 1_234_567,
      lateness: [CurvePoint(share: 0.99, seconds: 0.0001)], latenessLimit: 0.01, facts: [],
      threadShare: 0.2, threadShareLimit: 0.9, missed: 0, service: [], breaches: breaches)
  }
}
