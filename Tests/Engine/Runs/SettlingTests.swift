import Backends
import Contracts
import Journeys
import Observations
import Reports
import Runs
import Scenarios
import Simulation
import Statistics
import Testing
import Timekeeping

/// One server that is half busy, before which so many wait when the run begins: twice as many seconds are gone before they are.
private struct StartUp {
  var waiting = 100
  var replications = 1
  var lasts = Span.hours(1)
  /// Arrivals a second, by how far the run has come.
  var rate: @Sendable (Double) -> Double = { _ in 0.5 }
  var isAutomatic = false
  var warmup = Span.zero
  var windows: [Objective] = []

  var scenario: Scenario {
    var scenario = toyScenario(
      lasts: lasts, replications: replications, seed: 11,
      network: Network(latency: .constant(.milliseconds(10)), timeout: .minutes(3)),
      service: Service(servers: 1, perRequest: .zero, perRowRead: .microseconds(1)),
      warmup: warmup)
    scenario.isWarmUpAutomatic = isAutomatic
    scenario.objectives = windows
    scenario.digest = "5d0f3c81a94e27b6c0de81f2a7739b14"
    return scenario
  }

  var backend: ToyBackend {
    ToyBackend(
      persons: { [self] plan in
        var stream = plan.stream("arrivals")
        var all = Array(repeating: plan.starts, count: waiting)
        var at = plan.starts
        while true {
          let share = (at - plan.starts).seconds / lasts.seconds
          at += stream.sample(.exponential(mean: Span(seconds: 1 / rate(share))))
          guard at < plan.ends else { break }
          all.append(at)
        }
        return all.enumerated().map { index, begins in
          let rows = Int(stream.sample(.exponential(mean: .seconds(1))).seconds * 1e6)
          return PersonPlan(name: "one-\(index)", cell: 0) {
            ToyBehaviour(
              begins: begins,
              { me throws(JourneyEnded) in
                me.note(.remark("asks"))
                _ = try await me.ask(.work(rows: rows == 13 ? 14 : rows))
                me.note(.remark("knows"))
                return nil
              })
          }
        }
      },
      business: [
        BusinessLatency(
          "asked-known", "Asked and known", concerns: [.notes],
          milestones: { record in
            guard case .note(.remark(let text)) = record.event, let person = record.person else {
              return []
            }
            let key = "\(person.index)"
            return text == "asks" ? [.begins(key, record.time)] : [.ends(key, record.time)]
          })
      ])
  }

  func run(interrupted: Bool = false) -> Run {
    RunAssembly(
      scenario, file: "toy.yaml", declarations: [backend.declaration],
      replications: live(scenario, in: backend), interrupted: interrupted
    ).run(on: .unknown)
  }
}

@Suite struct `Settling` {
  /// A hundred wait, and the server gains half a second a second: it is through after some 200 s. Slices are 30 s long.
  @Test func `what has not settled is advised, and left out where the scenario asks for it`() throws
  {
    let advised = try #require(StartUp(replications: 5).run().settling)
    #expect(!advised.isAutomatic && advised.leftOut == 0 && advised.reason == nil)
    let cut = try #require(advised.advised)
    #expect(cut >= 150 && cut <= 1_500 && cut.truncatingRemainder(dividingBy: 150) == 0, "\(cut)")
    #expect(try #require(advised.bias) > 0.5)

    let chosen = StartUp(replications: 5, isAutomatic: true).run()
    let settling = try #require(chosen.settling)
    #expect(settling.isAutomatic && settling.leftOut == cut && settling.advised == cut)
    #expect(chosen.method.contains { $0.contains("MSER-5") && $0.contains("left out") })
    // M/M/1 at one half: two seconds, and the way.
    let mean = try #require(chosen.replications.compactMap { $0.latencies[0].figures.mean }.first)
    #expect(mean < 5)
    let text = settling.sentences
    #expect(text.count == 2 && text[0].contains("are left out"))
    #expect(advised.sentences[0].contains("‘warmup: auto’"))
  }

  @Test func `what the run leaves out is what a stated warm-up of that length would`() throws {
    let window = Objective(
      text: "p50 of toy.work from 0 to 1 < 1s", measure: .quantile(0.5), domain: "toy",
      subject: "work",
      window: .init(from: epoch + .seconds(100), to: epoch + .minutes(40)), comparison: .less,
      bound: 1, line: 1)
    let automatic = StartUp(waiting: 200, isAutomatic: true, windows: [window])
    let stated = StartUp(waiting: 200, warmup: .seconds(450), windows: [window])
    var left = live(automatic.scenario, in: automatic.backend)[0].worlds[0]
    let whole = left
    left.leaveOut(parts: 3)
    let wanted = live(stated.scenario, in: stated.backend)[0].worlds[0]
    for (a, b) in [
      (left.operations[0], wanted.operations[0]),
      (left.windows[0].operations[0], wanted.windows[0].operations[0]),
    ] {
      #expect(a.sample == b.sample && a.replied == b.replied)
    }
    for took in [0.02, 0.2, 1, 5, 50, 150] {
      let near = [left, wanted].map { $0.operations[0].passages.shares(near: Span(seconds: took)) }
      #expect(near[0] == near[1])
    }
    for (a, b) in [
      (left.business[0], wanted.business[0]),
      (left.windows[0].business[0], wanted.windows[0].business[0]),
    ] {
      #expect(a.finished == b.finished && a.unfinished == b.unfinished && a.ends == b.ends)
    }
    #expect(whole.operations[0].unanswered > left.operations[0].unanswered)
    #expect(whole.digest == wanted.digest)
  }

  @Test func `a load that varies is never cut, and the report says why`() throws {
    let run = StartUp(rate: { 0.2 + 0.6 * $0 }, isAutomatic: true).run()
    let settling = try #require(run.settling)
    #expect(settling.leftOut == 0 && settling.advised == nil && settling.steadyStates.isEmpty)
    #expect(try #require(settling.reason).hasPrefix("the load varies: an eighth of the time has "))
    #expect(run.method.contains { $0.contains("although one was asked for: the load varies") })
    #expect(settling.sentences[0].contains("although one was asked for"))
  }

  @Test func `what cannot be told says why`() throws {
    func reason(_ startUp: StartUp, interrupted: Bool = false) throws -> String {
      let settling = try #require(startUp.run(interrupted: interrupted).settling)
      return try #require(settling.reason)
    }
    #expect(
      try reason(StartUp(lasts: .seconds(40)))
        == "the run has 40 slices of time, and 50 are needed to tell")
    #expect(try reason(StartUp(), interrupted: true) == "the run was interrupted")
    #expect(try reason(StartUp(waiting: 0, rate: { _ in 0.01 })).contains("no request"))
    #expect(
      try reason(StartUp(waiting: 1_200, replications: 5))
        == "response times had not settled by the middle of the run")
  }

  @Test func `few long replications have a steady state, many have intervals of their own`() throws
  {
    let few = try #require(StartUp(replications: 2, lasts: .hours(12)).run().settling)
    let state = try #require(few.steadyStates.first)
    // Two seconds of response and 10 ms of the way.
    #expect(state.interval.low < 2.01 && 2.01 < state.interval.high, "\(state)")
    #expect(state.batches == 20 && state.seconds > 1.7 && state.seconds < 2.3)
    #expect(StartUp(replications: 10).run().settling?.steadyStates == [])
  }

  @Test func `comes back from the result as it was written`() throws {
    for run in [
      StartUp(isAutomatic: true).run(), StartUp(rate: { 0.2 + 0.6 * $0 }, isAutomatic: true).run(),
    ] {
      let again = try RunReading.run(of: ResultDocument.bytes(for: run), file: "result.json")
      #expect(again.settling == run.settling)
    }
  }
}
