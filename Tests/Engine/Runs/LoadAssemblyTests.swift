import Contracts
import Observations
import Reports
import Runs
import Scenarios
import Testing
import Timekeeping

/// Loads made up from parts, judged as real ones are.
@Suite struct `A load that is judged` {
  private static let operation = Contracts.Operation("/orders", "GET /orders", source: "test")

  /// Twenty parts of so many calls; about so many of each part are slow, and about so many got no answer.
  private func run(
    _ objectives: [String], calls: Int = 1_000, slow: Int = 0, lost: Int = 0,
    breaches: [String] = [], wasStopped: Bool = false
  ) throws -> Run {
    let parts = (0..<20).map { part in
      // Parts that are all alike would decide nothing.
      func about(_ count: Int) -> Int {
        count == 0 ? 0 : count + (part % 3 - 1) * max(1, count / 5)
      }
      let (slow, lost) = (about(slow), min(calls, about(lost)))
      var operation = OperationTally(Self.operation)
      operation.replied = calls - lost
      operation.latencies.record(.milliseconds(10), times: UInt64(calls - slow - lost))
      operation.latencies.record(.milliseconds(500), times: UInt64(slow))
      operation.unanswered = UInt64(lost)
      if lost > 0 { operation.unknowns = ["reset": lost] }
      var world = WorldTally(
        domain: "http", operations: [operation], business: [], limits: [],
        load: LoadTally(starts: Instant(unixSeconds: 0), lasts: .seconds(20)))
      world.requests = calls
      return world
    }
    let scenario = Scenario(
      name: "load", title: "GET http://127.0.0.1/orders", starts: Instant(unixSeconds: 0),
      zone: .utc,
      lasts: .seconds(1), worlds: [],
      objectives: try objectives.map { try Objective(ofLoad: $0, operations: ["/orders"]) },
      digest: Digest().hexadecimal)
    return LoadAssembly(
      scenario, operations: [Self.operation], parts: parts,
      generator: GeneratorResult(
        command: "rehearse load http://127.0.0.1/orders", pace: "1000/s, evenly",
        wantedPerSecond: 1_000, reachedPerSecond: 998, connections: 64, bytes: 60,
        lateness: [CurvePoint(share: 0.99, seconds: 0.0001)], latenessLimit: 0.01,
        facts: [.init(name: "Longest pause", seconds: 0.001, limitSeconds: 0.1)],
        threadShare: 0.2, threadShareLimit: 0.9, missed: 0,
        service: [.init(operation: "/orders", quantiles: [CurvePoint(share: 0.5, seconds: 0.01)])],
        breaches: breaches,
        calls: .init(counted: calls * 20, ofWarmUp: 7, repeated: 3, redirected: 2, abandoned: 1)),
      wasStopped: wasStopped, lasts: .seconds(20)
    ).run(on: .unknown)
  }

  @Test func `passes, fails and stays open as its parts say`() throws {
    #expect(try run(["p99 < 200ms"], slow: 1).exitCode == 0)
    #expect(try run(["p99 < 200ms"], slow: 100).exitCode == 99)
    #expect(try run(["p99 < 200ms"], slow: 10).exitCode == 98)
    #expect(try run(["errors < 1%"], lost: 50).exitCode == 99)
    #expect(try run(["rate >= 900/s"]).exitCode == 0)
    #expect(try run(["p90 of /orders < 200ms", "mean < 1s"], slow: 5).exitCode == 0)
  }

  @Test func `is a measurement where nothing was demanded`() throws {
    let run = try run([])
    #expect(run.exitCode == 0 && run.verdict == .notExercised)
    #expect(run.latencies[0].basis == .overHTTP)
    #expect(TerminalLoad.text(run, colour: false).contains("MEASURED"))
  }

  @Test func `is green with a word about failures of which nothing was demanded`() throws {
    let headline = Story(of: try run(["p50 < 200ms"], lost: 290)).headline
    #expect(headline.contains("28.7% of the calls got no usable answer"), "\(headline)")
    #expect(headline.contains("no objective is about errors"))
    let demanded = try run(["p50 < 200ms", "errors < 50%"], lost: 290)
    #expect(demanded.exitCode == 0 && !Story(of: demanded).headline.contains("no objective"))
    #expect(!Story(of: try run(["p50 < 200ms"])).headline.contains("usable answer"))
    #expect(Story(of: try run(["p50 < 200ms"], calls: 4)).headline.contains("tried: 80 calls"))
  }

  @Test func `names the doubt where the server took no calls for a while`() throws {
    let outage = Outage(refused: 12, ended: 3, from: 3.2, to: 4.1)
    let words =
      "15 connections were reset or refused (12 refused, 3 ended without an answer) between 3.2 s and 4.1 s"
    // Held, failed, open, and nothing demanded.
    for (objectives, slow) in [
      (["p99 < 200ms"], 1), (["p99 < 200ms"], 100), (["p99 < 200ms"], 10), ([], 0),
    ] {
      var run = try run(objectives, slow: slow)
      #expect(!Story(of: run).headline.contains("restarted"))
      run.generator?.outage = outage
      let headline = Story(of: run).headline
      #expect(
        headline.contains("may have been restarted") && headline.contains(words), "\(headline)")
      let terminal = TerminalLoad.text(run, width: 400, colour: false)
      #expect(terminal.contains(words))
    }
    var run = try run([])
    run.generator?.outage = outage
    let read = try RunReading.run(of: ResultDocument.bytes(for: run), file: "result.json")
    #expect(read.generator?.outage == outage)
  }

  @Test func `tells how often users waited because a call had got no answer`() throws {
    var run = try run([])
    #expect(!TerminalLoad.text(run, colour: false).contains("waited 100 ms"))
    run.generator?.pauses = 7
    #expect(TerminalLoad.text(run, colour: false).contains("7 times a user waited 100 ms"))
  }

  @Test func `prints first how many calls, how fast, how many failed, how many bytes`() throws {
    let lines = TerminalLoad.text(try run(["p50 < 200ms"], lost: 100), colour: false)
      .split(separator: "\n").map(String.init)
    let totals = try #require(lines.firstIndex { $0.hasPrefix("20,000 calls, 998 answers/s, ") })
    let times = try #require(lines.firstIndex { $0.hasPrefix("Response time") })
    #expect(totals < times)
    let text = lines.joined(separator: " ")
    #expect(
      text.contains("answered (90") && text.contains("failed (9.") && text.contains("60 B received")
    )
    #expect(text.contains("× reset (9."))
  }

  @Test func `says nothing about the server where the generator was late`() throws {
    let run = try run(["p99 < 200ms"], breaches: ["processor: too slow"])
    #expect(run.exitCode == 96)
    #expect(TerminalLoad.text(run, colour: false).contains("processor: too slow"))
    #expect(try self.run(["p99 < 1ms"], breaches: ["x"]).exitCode == 96)
  }

  @Test func `is interrupted above all`() throws {
    #expect(try run(["p99 < 1ms"], breaches: ["x"], wasStopped: true).exitCode == 130)
  }

  @Test func `fails what was demanded where no call was answered, and else says nothing`() throws {
    #expect(try run(["p99 < 1s"], calls: 10, lost: 20).exitCode == 99)
    #expect(try run([], calls: 10, lost: 20).exitCode == 98)
  }

  @Test func `shows what became of every request`() throws {
    let run = try run([])
    let words =
      "Requests sent: 20,013 = 20,000 counted + 7 of the warm-up + 3 sent again (kept connection had ended) + 2 redirected + 1 abandoned at the end"
    let shown = TerminalLoad.text(run, width: 500, colour: false)
    #expect(shown.contains(words), "\(shown)")
    let page = String(decoding: Page.bytes(for: run), as: UTF8.self)
    #expect(page.contains("20,013 = 20,000 counted + 7 of the warm-up"))
    #expect(try self.run([], calls: 10).generator?.calls.sent == 213)
  }

  @Test func `counts who got no answer as later than every bound`() throws {
    let run = try run(["p99 < 10s"], lost: 100)
    #expect(run.exitCode == 99)
    #expect(run.latencies[0].quantiles.last?.seconds == nil)
  }

  @Test func `speaks of parts, not of replications`() throws {
    let run = try run(["p99 < 200ms"], slow: 10)
    #expect(!(run.objectives[0].reason ?? "").contains("replication"))
    #expect(run.method.contains { $0.contains("20 equal parts of this one run") })
  }

  @Test func `comes back from its file and shows the same page`() throws {
    let run = try run(["p99 < 200ms"], slow: 1, lost: 1)
    let bytes = ResultDocument.bytes(for: run)
    let again = try RunReading.run(of: bytes, file: "result.json")
    #expect(again.generator == run.generator)
    #expect(Page.bytes(for: again) == Page.bytes(for: run))
  }

  @Test(arguments: [
    "p99", "p99 < ", "fast < 1s", "p99 of /nowhere < 1s", "count > 5", "errors < 200%",
    "p99 from 12:00 to 13:00 < 1s", "p99 < \u{1B}[2J",
  ])
  func `is told what makes no objective`(text: String) {
    #expect {
      try Objective(ofLoad: text, operations: ["/orders"])
    } throws: { error in
      "\(error)".contains("wanted") && !"\(error)".contains("\u{1B}")
    }
  }

  @Test(arguments: [20, 40, 79, 200])
  func `is shown while it runs within the terminal's width`(columns: Int) {
    let frame = TerminalLoadProgress(
      title: "GET http://127.0.0.1/\u{1B}[2J" + String(repeating: "x", count: 300),
      rate: .constant(500, lasting: .seconds(30)), lastsSeconds: 30)
    let state = TerminalLoadProgress.State(
      elapsedSeconds: 12, answeredPerSecond: 498.2, inFlight: 12, waiting: 3_000,
      recent: [0.001, 0.002, 1.5, nil], whole: [0.001, 0.002, .infinity, nil], ended: 6_000,
      failures: [("status 503", 40), ("connection reset", 2)], lateSeconds: 0.0001, recentSeconds: 2
    )
    let lines = frame.lines(state, columns: columns, colour: false)
    #expect(lines.count == 8 && lines.allSatisfy { $0.count <= columns })
    #expect(!(lines.joined() + frame.line(state)).contains("\u{1B}"))
    #expect(frame.line(state).contains("no answer"))
  }

  @Test func `shows of a scenario which sessions are wanted and came, and what was broken`() {
    let frame = TerminalLoadProgress(
      title: "A lodge", rate: .constant(40, lasting: .seconds(60)), wants: .sessions,
      lastsSeconds: 60, speed: 10)
    let state = TerminalLoadProgress.State(
      elapsedSeconds: 30, answeredPerSecond: 310, inFlight: 12, waiting: nil, recent: [], whole: [],
      ended: 6_000, failures: [], lateSeconds: 0.002, recentSeconds: 2, arrivedPerSecond: 39.5,
      violations: 3)
    let lines = frame.lines(state, columns: 79, colour: false)
    #expect(
      lines[2] == "wanted 40/s sessions (came 39.5/s)  answered 310/s  in flight 12", "\(lines[2])")
    // In seconds of the clock.
    #expect(lines[1].hasSuffix("3 s left"), "\(lines[1])")
    #expect(lines[7] == "rules broken 3 times  generator late by 2 ms (p99)", "\(lines[7])")
    #expect(frame.line(state).contains("310/s by 40/s sessions (came 39.5/s)"))
    #expect(frame.line(state).contains("rules broken 3 times"))
  }

  @Test func `shows how many users ask, where no rate is wanted`() {
    let frame = TerminalLoadProgress(title: "GET /", rate: nil, lastsSeconds: 30)
    let state = TerminalLoadProgress.State(
      elapsedSeconds: 12, answeredPerSecond: 498, inFlight: 23, waiting: 0, users: 23,
      recent: [], whole: [], ended: 6_000, failures: [], lateSeconds: nil, recentSeconds: 2)
    let lines = frame.lines(state, columns: 80, colour: false)
    #expect(lines[2].hasPrefix("wanted 23 users  answered 498/s  in flight 23"), "\(lines[2])")
    #expect(frame.line(state).contains("498/s by 23 users"))
  }
}
