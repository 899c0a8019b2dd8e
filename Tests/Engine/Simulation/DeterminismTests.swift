import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Synchronization
import Testing
import Timekeeping

/// People who think, ask, write letters, wait and hear the news of other regions.
private let busy = ToyBackend(persons: { plan in
  (0..<40).map { index in
    PersonPlan(name: "person-\(index)", cell: 0) {
      ToyBehaviour(
        begins: plan.starts + .seconds(Int64(index)),
        { me throws(JourneyEnded) in
          me.listen(at: "box-\(index)")
          let rows = me.draw(.domain(0)) { $0.pick(0..<20) }
          try await me.think(.exponential(mean: .seconds(40)))
          _ = try await me.ask(all: [
            Ask(.work(rows: rows)), Ask(.letter(to: "box-\((index + 1) % 40)")), Ask(.news),
          ])
          _ = try await me.wait(until: me.now + .seconds(45))
          return me.now + .seconds(30)
        })
    }
  }
})

@Suite struct `A virtual run` {
  private func digests(workers: Int, seed: UInt64 = 7, replications: Int = 3) -> [String] {
    live(
      toyScenario(lasts: .hours(2), regions: 5, replications: replications, seed: seed),
      in: busy, workers: workers
    ).map(\.digest.hexadecimal)
  }

  @Test func `has the same digests on one, two and seven workers`() {
    let alone = digests(workers: 1)
    #expect(digests(workers: 2) == alone)
    #expect(digests(workers: 7) == alone)
    #expect(Set(alone).count == 3, "replications differ from each other")
  }

  @Test func `has other digests with another seed`() {
    #expect(Set(digests(workers: 1, seed: 7)).isDisjoint(with: digests(workers: 1, seed: 8)))
  }

  @Test func `keeps its first replications when more are added`() {
    #expect(Array(digests(workers: 2, replications: 5).prefix(3)) == digests(workers: 2))
  }

  /// The rule is broken by whoever draws 13 rows: now and then.
  @Test func `that stops early ends with the first replication that breaks a rule, on any workers`()
  {
    var unruly = busy
    unruly.checks = [
      .each(.to01, [.operation(0)]) { call, judge in
        guard case .work(let rows) = call.request else { return }
        judge.expect(rows != 13 || call.sent < epoch + .seconds(75), "13 rows")
      }
    ]
    let scenario = toyScenario(lasts: .seconds(76), regions: 2, replications: 40)
    func stopped(_ workers: Int) -> [ReplicationResult] {
      VirtualRun(scenario, domains: [AnyDomain(unruly)], tokens: NoTokens())
        .run(workers: workers, stopsEarly: true)
    }
    func violates(_ result: ReplicationResult) -> Bool {
      result.worlds[0].limits.contains { $0.violations > 0 }
    }
    let whole = live(scenario, in: unruly, workers: 2)
    let first = whole.firstIndex(where: violates) ?? whole.count
    #expect(first < 39, "the seed breaks the rule nowhere")
    for workers in [1, 2, 7] {
      let found = stopped(workers)
      #expect(found.map(\.index) == Array(0...first))
      #expect(found.map(\.digest) == whole.prefix(first + 1).map(\.digest))
    }
  }

  @Test func `that lasts until a rule is violated ends at the next barrier`() {
    func ended(brokenFrom late: Span, _ limit: LimitID?) -> [Instant] {
      var unruly = busy
      unruly.checks = [
        .each(.to01, [.operation(0)]) { call, judge in
          judge.expect(call.sent < epoch + late, "too late")
        }
      ]
      return VirtualRun(
        toyScenario(
          lasts: .seconds(300), regions: 2, replications: 2, barrierInterval: .seconds(10)),
        domains: [AnyDomain(unruly)], tokens: NoTokens(), lastsUntilViolated: limit
      ).run(workers: 2).map(\.ended)
    }
    let whole = [epoch + .seconds(300), epoch + .seconds(300)]
    #expect(ended(brokenFrom: .seconds(30), nil) == whole)
    #expect(ended(brokenFrom: .seconds(30), LimitID("TO-02")) == whole)
    for late in [Span.seconds(30), .seconds(75)] {
      for end in ended(brokenFrom: late, Toy.Rule.to01.id) {
        #expect(end >= epoch + late && end <= epoch + late + .seconds(20), "\(late)")
      }
    }
  }

  @Test func `keeps its records as lines, the same on any workers`() {
    func lines(_ workers: Int) -> [String] {
      live(
        toyScenario(regions: 3, replications: 2), in: busy, workers: workers,
        transcribing: .everybody
      ).flatMap(\.lines)
    }
    let alone = lines(1)
    #expect(alone.count > 1_000)
    #expect(lines(4) == alone)
  }

  @Test func `lets regions know of each other only from the last barrier`() {
    let diary = Diary<[Int]>()
    let backend = ToyBackend(persons: { plan in
      guard plan.region == 1 else {
        return [
          PersonPlan(name: "worker", cell: 0) {
            ToyBehaviour(
              begins: epoch,
              { me throws(JourneyEnded) in
                for _ in 0..<3 { _ = try await me.ask(.work(rows: 0)) }
                return nil
              })
          }
        ]
      }
      return [
        PersonPlan(name: "reader", cell: 0) {
          ToyBehaviour(
            begins: epoch + .minutes(1),
            { me throws(JourneyEnded) in
              if case .replied(.news(let news)) = try await me.ask(.news) { diary.write(news) }
              try await me.think(until: epoch + .minutes(16))
              if case .replied(.news(let news)) = try await me.ask(.news) { diary.write(news) }
              return nil
            })
        }
      ]
    })
    _ = live(toyScenario(regions: 2), in: backend)
    #expect(diary.all == [[], [1, 3]])
  }

  @Test func `ends at the next barrier when it is stopped, and counts what it has`() {
    let run = VirtualRun(
      toyScenario(lasts: .hours(10), regions: 2, replications: 4), domains: [AnyDomain(busy)],
      tokens: NoTokens())
    let asked = Atomic<Int>(0)
    let results = run.run(
      workers: 1, isStopped: { asked.add(1, ordering: .relaxed).newValue > 3 })
    #expect(results.count == 1)
    #expect(results[0].ended == epoch + .minutes(45))
    #expect(results[0].worlds[0].requests > 100)
  }
}
