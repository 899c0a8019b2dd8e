import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Synchronization
import Testing
import Timekeeping

@testable import Simulation

/// A clock that goes on by itself only while somebody reads it or waits for it.
final class HandClock: Sendable {
  private let shown = Mutex<UInt64>(5_000_000_000)
  private let step: UInt64

  /// - Parameter step: How many nanoseconds each reading costs.
  init(step: UInt64 = 100) { self.step = step }

  func go(_ span: Span) { shown.withLock { $0 += UInt64(span.nanoseconds) } }

  var clock: WallClock {
    WallClock(
      nanoseconds: { [self] in
        shown.withLock {
          $0 += step
          return $0
        }
      }, rest: { [self] until in shown.withLock { $0 = max($0, until) } })
  }
}

@Suite struct `A run in real time` {
  private func live(
    _ scenario: Scenario, in backend: ToyBackend, on hand: HandClock = HandClock(),
    workers: Int = 1, speed: Double = 1, transcribing: Transcribing = .nobody,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> [ReplicationResult] {
    WallRun(
      scenario, domains: [AnyDomain(backend)], tokens: NoTokens(), clock: hand.clock, speed: speed,
      transcribing: transcribing
    ).run(workers: workers, isStopped: isStopped)
  }

  @Test func `lives each moment when the clock shows it, and answers take what they take`() {
    let diary = Diary<Instant>()
    let backend = alone { me throws(JourneyEnded) in
      _ = try await me.ask(.work(rows: 1))
      diary.write(me.now)
      try await me.think(.minutes(10))
      diary.write(me.now)
      _ = try await me.ask(.work(rows: 1))
      return nil
    }
    let tally = live(toyScenario(), in: backend)[0].worlds[0]
    #expect(tally.requests == 2 && tally.operations[0].replied == 2)
    #expect(diary.all[1] - diary.all[0] == .minutes(10))
    let punctuality = tally.operations[0].punctuality
    #expect(punctuality?.lateness.count == 2 && punctuality?.service.count == 2)
    #expect(tally.operations[0].latencies.maximum! < .milliseconds(1))
  }

  /// The first of two people is driven for two seconds, in which the second should have asked.
  @Test func `counts a response from when the request was meant to leave`() {
    let hand = HandClock()
    let backend = ToyBackend(persons: { _ in
      [
        PersonPlan(name: "slow", cell: 0) {
          ToyBehaviour(begins: epoch + .seconds(1)) { _ throws(JourneyEnded) in
            hand.go(.seconds(2))
            return nil
          }
        },
        PersonPlan(name: "second", cell: 0) {
          ToyBehaviour(begins: epoch + .seconds(2)) { me throws(JourneyEnded) in
            _ = try await me.ask(.work(rows: 1))
            return nil
          }
        },
      ]
    })
    let operation = live(toyScenario(), in: backend, on: hand)[0].worlds[0].operations[0]
    #expect(abs(operation.latencies.maximum!.seconds - 1) < 0.01)
    #expect(abs(operation.punctuality!.lateness.maximum!.seconds - 1) < 0.01)
    #expect(operation.punctuality!.service.maximum! < .milliseconds(1))
  }

  @Test func `goes as fast as it is told`() {
    let hand = HandClock(step: 1)
    let before = hand.clock.nanoseconds()
    let result = live(toyScenario(lasts: .hours(1)), in: alone { _ in nil }, on: hand, speed: 60)
    #expect(result[0].ended == epoch + .hours(1))
    #expect(abs(Int(hand.clock.nanoseconds() - before) - 60_000_000_000) < 1_000)
  }

  @Test func `ends early with what there is when it is stopped`() {
    let hand = HandClock()
    let stop = Atomic<Bool>(false)
    let backend = alone { me throws(JourneyEnded) in
      for _ in 0..<100 {
        _ = try await me.ask(.work(rows: 1))
        try await me.think(.seconds(10))
        if me.now > epoch + .seconds(95) { stop.store(true, ordering: .relaxed) }
      }
      return nil
    }
    let results = live(
      toyScenario(replications: 3), in: backend, on: hand,
      isStopped: { stop.load(ordering: .relaxed) })
    #expect(results.count == 1 && results[0].worlds[0].requests == 11)
    #expect(results[0].ended < epoch + .seconds(101))
  }

  @Test func `meets the scenario's faults`() {
    let backend = alone { me throws(JourneyEnded) in
      let outcome = try await me.ask(.work(rows: 1))
      #expect(outcome == .unknown(.timedOut) && me.now >= epoch + .seconds(60))
      return nil
    }
    let fault = Fault(
      from: epoch, to: epoch + .minutes(1), domain: "toy", kind: .answerLost, share: 1)
    let operation = live(toyScenario(faults: [fault]), in: backend)[0].worlds[0].operations[0]
    #expect(operation.unanswered == 1)
  }

  @Test func `brings letters as virtual time does`() {
    let backend = ToyBackend(persons: { plan in
      (0..<20).map { index in
        PersonPlan(name: "person-\(index)", cell: 0) {
          ToyBehaviour(begins: plan.starts + .seconds(Int64(index))) { me throws(JourneyEnded) in
            me.listen(at: "box-\(index)")
            _ = try await me.ask(.letter(to: "box-\((index + 1) % 20)"))
            let letter = try await me.wait(until: me.now + .minutes(2))
            if letter == nil { _ = try await me.ask(.work(rows: 13)) }
            return me.now + .minutes(1)
          }
        }
      }
    })
    let scenario = toyScenario(lasts: .minutes(20), regions: 5, replications: 2)
    let real = live(scenario, in: backend).map { $0.worlds[0] }
    let virtual = inVirtualTime(scenario, in: backend).map { $0.worlds[0] }
    for (a, b) in zip(real, virtual) {
      #expect(abs(a.requests - b.requests) < 20 && a.requests > 1_000)
    }
  }
}

@Suite struct `A load` {
  private func visitors(_ count: Int, _ session: Span, habit: Span? = nil) -> ToyBackend {
    ToyBackend(persons: { plan in
      (0..<count).map { index in
        PersonPlan(name: "visitor-\(index)", cell: 0) {
          ToyBehaviour(begins: plan.starts + .seconds(5)) { me throws(JourneyEnded) in
            _ = try await me.ask(.work(rows: 1))
            try await me.think(session)
            return habit.map { me.now + $0 }
          }
        }
      } + [
        PersonPlan(name: "keeper", cell: 0, keepsHours: true) {
          ToyBehaviour(begins: plan.starts + .seconds(7)) { me throws(JourneyEnded) in
            _ = try await me.ask(.letter(to: "nobody"))
            return me.now + .minutes(1)
          }
        }
      ]
    })
  }

  private func scenario(
    _ kind: Workload.Kind, _ phases: [Workload.Phase], regions: Int = 1
  ) -> Scenario {
    var scenario = toyScenario(lasts: .minutes(2), regions: regions)
    scenario.workload = Workload(
      domain: "toy", kind: kind, phases: phases, spacing: .even, pause: .seconds(1))
    return scenario
  }

  @Test(arguments: [1, 3])
  func `begins so many sessions as its rate says, on both timelines`(regions: Int) {
    let scenario = scenario(
      .open,
      [
        .init("steady", lasts: .seconds(30), from: 2),
        .init("climb", lasts: .seconds(30), from: 2, to: 6),
        .init("spike", lasts: .seconds(2), from: 20),
      ], regions: regions)
    let backend = visitors(60, .seconds(3), habit: .seconds(1))
    let results =
      inVirtualTime(scenario, in: backend)
      + WallRun(
        scenario, domains: [AnyDomain(backend)], tokens: NoTokens(), clock: HandClock().clock
      )
      .run(workers: 1)
    for tally in results.map({ $0.worlds[0] }) {
      #expect(tally.arrivals.due == 60 + 120 + 40 && tally.arrivals.missed == 0)
      #expect(tally.operations[0].requests == 220)
      #expect(
        tally.operations[Toy.operation(of: .letter(to: ""))].requests == 2 * regions,
        "who keeps hours comes as ever")
    }
  }

  @Test func `counts arrivals for whom nobody is free as missed`() {
    let scenario = scenario(.open, [.init("steady", lasts: .seconds(60), from: 1)])
    let tally = inVirtualTime(scenario, in: visitors(5, .seconds(9)))[0].worlds[0]
    #expect(tally.arrivals.due == 60)
    // Five come in the first five seconds, each is free again nine seconds and a round trip later.
    #expect(tally.arrivals.missed == 60 - tally.operations[0].requests)
    #expect(tally.operations[0].requests == 30)
  }

  @Test func `keeps so many people there as a closed one says`() {
    let scenario = scenario(
      .closed,
      [
        .init("climb", lasts: .seconds(10), from: 0, to: 10),
        .init("hold", lasts: .seconds(50), from: 10),
      ])
    let tally = inVirtualTime(scenario, in: visitors(40, .milliseconds(8_900)))[0].worlds[0]
    // Sessions of 9 s with a pause of 1 s: the n-th person begins at n - 0.5 s and comes every ten seconds until a minute has passed.
    #expect(tally.operations[0].requests == 10 * 6)
    #expect(tally.arrivals.due == 0)
  }
}

/// A scenario in virtual time.
private func inVirtualTime(_ scenario: Scenario, in backend: ToyBackend) -> [ReplicationResult] {
  live(scenario, in: backend)
}

@Suite struct `The watermark` {
  private func seen(_ seconds: Int64, _ person: Int, _ sequence: UInt32 = 0) -> Watermark<Toy>.Seen
  {
    .init(
      record: Record(
        time: epoch + .seconds(seconds), person: PersonID(person), sequence: sequence, cell: 0,
        event: .note(.remark("\(seconds)"))), who: "\(person)")
  }

  @Test func `gives out in order what no open call can be beside`() {
    var watermark = Watermark<Toy>()
    let first = watermark.opened(at: epoch + .seconds(1))
    let second = watermark.opened(at: epoch + .seconds(4))
    watermark.keep(seen(5, 2))
    watermark.keep(seen(3, 1, 1))
    watermark.keep(seen(3, 1, 0))
    watermark.keep(seen(3, 0, 7))
    #expect(watermark.next(before: epoch + .minutes(1)) == nil, "the call of 1 s is open")
    watermark.closed(first)
    let out = (0..<3).map { _ in watermark.next(before: epoch + .minutes(1))?.record }
    #expect(out.map { $0?.person?.index } == [0, 1, 1])
    #expect(out.map { $0?.sequence } == [7, 0, 1])
    #expect(watermark.next(before: epoch + .minutes(1)) == nil, "the call of 4 s is open")
    watermark.closed(second)
    #expect(watermark.next(before: epoch + .seconds(5)) == nil, "its instant has not passed")
    #expect(watermark.next(before: epoch + .seconds(6))?.record.person == PersonID(2))
  }

  @Test func `keeps its count over thousands of calls`() {
    var watermark = Watermark<Toy>()
    let old = watermark.opened(at: epoch)
    for second in 1...2_000 {
      watermark.closed(watermark.opened(at: epoch + .seconds(Int64(second))))
    }
    watermark.keep(seen(1, 0))
    #expect(watermark.next(before: .distantFuture) == nil)
    watermark.closed(old)
    #expect(watermark.next(before: .distantFuture) != nil)
    watermark.closed(watermark.opened(at: epoch + .hours(1)))
  }
}
