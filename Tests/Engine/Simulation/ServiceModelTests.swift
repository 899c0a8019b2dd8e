import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Statistics
import Testing
import Timekeeping

/// People who come once: a share of them for work of exponential length, the others for news, which takes no time.
private func crowd(
  _ arrivals: Int, gap: Double, work: Double = 1, seed: UInt64, service: Service
) -> WorldTally {
  let backend = ToyBackend(persons: { plan in
    var stream = plan.stream("arrivals")
    var at = plan.starts
    return (0..<arrivals).map { index in
      at += stream.sample(.exponential(mean: Span(seconds: gap)))
      let rows = Int(stream.sample(.exponential(mean: .seconds(1))).seconds * 1e6)
      let isWork = stream.chance(work)
      let begins = at
      return PersonPlan(name: "arrival-\(index)", cell: 0) {
        ToyBehaviour(
          begins: begins,
          { me throws(JourneyEnded) in
            _ = try await me.ask(isWork ? .work(rows: rows == 13 ? 14 : rows) : .news)
            return nil
          })
      }
    }
  })
  let scenario = toyScenario(
    lasts: Span(seconds: gap * Double(arrivals) * 1.5), seed: seed,
    network: Network(latency: .constant(.zero), timeout: .days(300)), service: service,
    barrierInterval: .days(3))
  return live(scenario, in: backend)[0].worlds[0]
}

private func priced(
  servers: Int = 1, capacity: Int? = nil, failures: Service.Failures? = nil,
  priorities: [String: Service.Priority] = [:]
) -> Service {
  Service(
    servers: servers, perRequest: .zero, perRowRead: .microseconds(1), capacity: capacity,
    failures: failures, priorities: priorities)
}

/// The kernel against closed forms. Sample means over 40,000 arrivals have standard errors of some 3 %.
@Suite struct `The service model` {
  @Test(arguments: [(1, 4, 1.2), (2, 5, 0.9), (3, 3, 0.8)])
  func `turns away as many as M/M/c/K does, and serves the others as fast`(
    servers: Int, room: Int, utilisation: Double
  ) throws {
    let rate = utilisation * Double(servers)
    let tally = crowd(
      40_000, gap: 1 / rate, seed: 5, service: priced(servers: servers, capacity: room))
    let theory = Queueing.MMCK(arrivalRate: rate, serviceRate: 1, servers: servers, room: room)
    let lost = Double(tally.operations[0].unknowns["serverError"] ?? 0) / 40_000
    #expect(abs(lost / theory.lossProbability - 1) < 0.05, "\(lost), \(theory.lossProbability)")
    let response = try #require(tally.operations[0].latencies.mean)
    #expect(abs(response / theory.meanResponse - 1) < 0.05, "\(response), \(theory.meanResponse)")
    // They got no usable answer, which is later than every bound.
    #expect(tally.operations[0].unanswered == UInt64(lost * 40_000 + 0.5))
  }

  @Test(arguments: [Service.Priority.first, .last])
  func `lets some wait less than others as Cobham's formula says`(priority: Service.Priority) throws
  {
    let tally = crowd(
      60_000, gap: 0.9, work: 0.6, seed: 6, service: priced(priorities: ["toy.news": priority]))
    let work = Queueing.MG1WithPriorities.Class(arrivalRate: 0.6 / 0.9, meanService: 1)
    let news = Queueing.MG1WithPriorities.Class(arrivalRate: 0.4 / 0.9, meanService: 0)
    let theory = Queueing.MG1WithPriorities(priority == .first ? [news, work] : [work, news])
    let waits = priority == .first ? theory.meanWaits : theory.meanWaits.reversed()
    let ofNews = try #require(tally.operations[3].latencies.mean)
    let ofWork = try #require(tally.operations[0].latencies.mean)
    #expect(abs(ofNews / waits[0] - 1) < 0.1, "\(ofNews), \(waits)")
    #expect(abs(ofWork / (waits[1] + 1) - 1) < 0.1, "\(ofWork), \(waits)")
  }

  @Test func `with failing servers has the mean response of White and Christie`() throws {
    let tally = crowd(
      60_000, gap: 1 / 0.5, seed: 7,
      service: priced(failures: .init(up: .seconds(20), down: .seconds(5))))
    let theory = Queueing.MM1WithFailures(
      arrivalRate: 0.5, serviceRate: 1, failureRate: 1 / 20, repairRate: 1 / 5)
    let response = try #require(tally.operations[0].latencies.mean)
    #expect(abs(response / theory.meanResponse - 1) < 0.1, "\(response), \(theory.meanResponse)")
  }

  /// Two of three servers stand at times; a line with priorities in which all are usual is one that serves who came first.
  @Test func `serves in the same order whether arrival or a free server decides it`() {
    let failures = Service.Failures(up: .seconds(20), down: .seconds(5))
    for (servers, failing) in [(1, nil), (3, nil), (3, failures), (1, failures)] {
      let told = crowd(
        3_000, gap: 1 / (0.6 * Double(servers)), seed: 8,
        service: priced(servers: servers, failures: failing))
      let asked = crowd(
        3_000, gap: 1 / (0.6 * Double(servers)), seed: 8,
        service: priced(servers: servers, failures: failing, priorities: ["toy.work": .usual]))
      #expect(told.operations[0].latencies == asked.operations[0].latencies)
      #expect(told.operations[0].passages == asked.operations[0].passages)
    }
  }

  /// Three ask at once for ten seconds each of one server: the second gives up in the line, the end comes upon the third.
  @Test func `who waits for a server gives up in time, and the end finds everybody`() {
    let backend = ToyBackend(persons: { plan in
      [0, 2, 58].map { begins in
        PersonPlan(name: "at-\(begins)", cell: 0) {
          ToyBehaviour(
            begins: plan.starts + .seconds(Int64(begins)),
            { me throws(JourneyEnded) in
              _ = try await me.ask(all: [Ask(.work(rows: 10_000_000)), Ask(.news), Ask(.bell)])
              return nil
            })
        }
      }
    })
    let scenario = toyScenario(
      lasts: .seconds(60), network: Network(latency: .constant(.zero), timeout: .seconds(5)),
      service: priced(priorities: ["toy.news": .last]), barrierInterval: .minutes(1))
    let tally = live(scenario, in: backend)[0].worlds[0]
    #expect(tally.operations[0].unknowns == ["timedOut": 2, "runEnded": 1])
    #expect(tally.operations[3].unknowns == ["timedOut": 2, "runEnded": 1])
    #expect(tally.requests == 9)
    #expect(tally.operations[3].sample.endless == 2)
  }

  @Test func `who is turned away was never seen by the backend`() {
    let seen = Diary<Int>()
    let backend = ToyBackend(persons: { plan in
      (0..<4).map { index in
        PersonPlan(name: "one-\(index)", cell: 0) {
          ToyBehaviour(
            begins: plan.starts,
            { me throws(JourneyEnded) in
              let outcome = try await me.ask(.work(rows: 1_000_000))
              if outcome.isReplied { seen.write(index) }
              return nil
            })
        }
      }
    })
    let tally = live(
      toyScenario(lasts: .minutes(1), service: priced(capacity: 2), barrierInterval: .minutes(1)),
      in: backend)[0].worlds[0]
    #expect(seen.all == [0, 1] && tally.operations[0].unknowns == ["serverError": 2])
  }

  @Test func `with everything on does not depend on workers`() {
    let service = priced(
      servers: 2, capacity: 6, failures: .init(up: .seconds(30), down: .seconds(9)),
      priorities: ["toy.news": .first])
    let backend = ToyBackend(persons: { plan in
      (0..<40).map { index in
        PersonPlan(name: "one-\(index)", cell: 0) {
          ToyBehaviour(
            begins: plan.starts,
            { me throws(JourneyEnded) in
              for _ in 0..<10 {
                _ = try await me.ask(all: [Ask(.work(rows: 300_000)), Ask(.news)])
                try await me.think(.seconds(20))
              }
              return nil
            })
        }
      }
    })
    let scenario = toyScenario(lasts: .minutes(10), regions: 3, replications: 2, service: service)
    let one = live(scenario, in: backend, workers: 1)
    let four = live(scenario, in: backend, workers: 4)
    #expect(one.map(\.digest) == four.map(\.digest))
    #expect(one[0].worlds[0].operations[0].unknowns["serverError"] ?? 0 > 0)
  }
}
