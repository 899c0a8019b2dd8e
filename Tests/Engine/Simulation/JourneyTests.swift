import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping

@Suite struct `A journey on the virtual timeline` {
  @Test func `thinking moves the person's clock by exactly the time thought`() {
    let diary = Diary<Instant>()
    let backend = alone { me throws(JourneyEnded) in
      try await me.think(.minutes(5))
      diary.write(me.now)
      try await me.think(.minutes(20))
      diary.write(me.now)
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == [epoch + .minutes(5), epoch + .minutes(25)])
  }

  @Test func `people in haste think for a fraction of the time, and wait for answers as ever`() {
    let diary = Diary<Instant>()
    let backend = alone { me throws(JourneyEnded) in
      try await me.think(.minutes(5))
      try await me.think(.constant(.minutes(5)))
      diary.write(me.now)
      try await me.think(until: epoch + .minutes(2))
      _ = try await me.ask(.work(rows: 2_000))
      diary.write(me.now)
      return nil
    }
    var scenario = toyScenario()
    scenario.worlds[0].haste = 10
    _ = live(scenario, in: backend)
    #expect(diary.all == [epoch + .minutes(1), epoch + .minutes(2) + .milliseconds(102)])
  }

  @Test func `an answer comes after the way there, the service and the way back`() {
    let diary = Diary<Instant>()
    let backend = alone { me throws(JourneyEnded) in
      let outcome = try await me.ask(.work(rows: 2_000))
      #expect(outcome.reply == .done)
      diary.write(me.now)
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == [epoch + .milliseconds(102)])
  }

  @Test func `several requests at once wait for the slowest and keep their order`() {
    let diary = Diary<[Outcome<Toy>]>()
    let backend = alone { me throws(JourneyEnded) in
      diary.write(
        try await me.ask(all: [
          Ask(.work(rows: 9_000)), Ask(.work(rows: 13)), Ask(.news),
        ]))
      #expect(me.now == epoch + .milliseconds(109))
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(
      diary.all == [[.replied(.done), .refused(Toy.Refusal(code: "unlucky")), .replied(.news([]))]])
  }

  @Test func `a signal reaches the mailbox after its transit and is taken once`() {
    let diary = Diary<Instant?>()
    let backend = alone { me throws(JourneyEnded) in
      me.listen(at: "home")
      _ = try await me.ask(.letter(to: "home"))
      let first = try await me.wait(until: me.now + .minutes(1))
      diary.write(first?.at)
      let second = try await me.wait(until: me.now + .minutes(1))
      diary.write(second?.at)
      #expect(me.now == first!.at + .minutes(1))
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == [epoch + .milliseconds(50) + .seconds(30), nil])
  }

  @Test func `a signal that arrived while the person was thinking is found at once`() {
    let diary = Diary<(Instant, Instant)>()
    let backend = alone { me throws(JourneyEnded) in
      me.listen(at: "home")
      _ = try await me.ask(.letter(to: "home"))
      try await me.think(.minutes(10))
      let began = me.now
      let received = try await me.wait(until: me.now + .minutes(1))
      diary.write((received!.at, me.now))
      #expect(me.now == began)
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all[0].0 == epoch + .milliseconds(50) + .seconds(30))
  }

  @Test func `a ticket is answered when the twin completes it`() {
    let diary = Diary<Outcome<Toy>>()
    let backend = alone { me throws(JourneyEnded) in
      diary.write(try await me.ask(.bell))
      #expect(me.now == epoch + .seconds(10) + .milliseconds(100))
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == [.replied(.rang(epoch + .seconds(10) + .milliseconds(50)))])
  }

  @Test func `a ticket is answered that completes while the harness looks at a barrier`() {
    let diary = Diary<Outcome<Toy>>()
    let backend = alone { me throws(JourneyEnded) in
      diary.write(try await me.ask(.bell))
      return nil
    }
    let due = Span.seconds(10) + .milliseconds(50)
    _ = live(toyScenario(barrierInterval: due), in: backend)
    #expect(diary.all == [.replied(.rang(epoch + due))])
  }

  @Test func `a ticket that outlasts the client's patience ends unknown`() {
    let diary = Diary<Outcome<Toy>>()
    let network = Network(latency: .constant(.zero), timeout: .seconds(4))
    let backend = alone { me throws(JourneyEnded) in
      diary.write(try await me.ask(.bell))
      #expect(me.now == epoch + .seconds(4))
      return nil
    }
    _ = live(toyScenario(network: network), in: backend)
    #expect(diary.all == [.unknown(.timedOut)])
  }

  @Test func `the device reacts to a signal while its user thinks, and then nobody runs ahead`() {
    let diary = Diary<String>()
    let backend = ToyBackend(persons: { _ in
      [
        PersonPlan(name: "one", cell: 0) {
          ToyBehaviour(
            begins: epoch,
            { me throws(JourneyEnded) in
              me.listen(at: "home")
              _ = try await me.ask(.letter(to: "home"))
              try await me.think(.minutes(20))
              diary.write("user \(me.now - epoch)")
              return nil
            },
            reaction: { received, me throws(JourneyEnded) in
              _ = try await me.ask(.work(rows: 0))
              diary.write("device \(received.at - epoch)")
            })
        }
      ]
    })
    let result = live(toyScenario(), in: backend)
    #expect(diary.all.count == 2)
    #expect(result[0].worlds[0].requests == 2)
  }

  @Test func `what two people do at one instant happens in the order of their numbers`() {
    let diary = Diary<String>()
    let backend = ToyBackend(persons: { _ in
      (0..<3).map { number in
        PersonPlan(name: "\(number)", cell: 0) {
          ToyBehaviour(
            begins: epoch + .seconds(3 - Int64(number)),
            { me throws(JourneyEnded) in
              me.listen(at: "home")
              for minute in 1...3 {
                try await me.think(until: epoch + .minutes(Int64(minute)))
                diary.write("\(number) at \(minute)")
                _ = try await me.ask(.work(rows: 0))
                diary.write("\(number) told at \(minute)")
              }
              return nil
            })
        }
      }
    })
    _ = live(toyScenario(), in: backend)
    let expected = (1...3).flatMap { minute in
      ["at", "told at"].flatMap { what in (0..<3).map { "\($0) \(what) \(minute)" } }
    }
    #expect(diary.all == expected)
  }

  @Test func `no journey goes on in time while another is ready at the present instant`() {
    let diary = Diary<String>()
    let backend = ToyBackend(persons: { _ in
      (0..<2).map { number in
        PersonPlan(name: "\(number)", cell: 0) {
          ToyBehaviour(
            begins: epoch,
            { me throws(JourneyEnded) in
              _ = try await me.ask(.bell)
              me.listen(at: "home")
              if number == 0 { try await me.think(.seconds(5)) }
              _ = try await me.ask(.work(rows: 0))
              diary.write("\(number) at \((me.now - epoch).seconds)")
              return nil
            })
        }
      }
    })
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == ["1 at 10.2", "0 at 15.2"])
  }

  @Test func `a signal that arrives when a person has thought is there when it looks`() {
    let diary = Diary<Instant?>()
    let backend = alone { me throws(JourneyEnded) in
      me.listen(at: "home")
      _ = try await me.ask(.letter(to: "home"))
      let arrives = epoch + .milliseconds(50) + .seconds(30)
      try await me.think(until: arrives - .nanoseconds(1))
      diary.write(try await me.wait(until: me.now)?.at)
      try await me.think(until: arrives)
      diary.write(try await me.wait(until: me.now)?.at)
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == [nil, epoch + .milliseconds(50) + .seconds(30)])
  }

  @Test func `no pause, request or session of a person goes on before the barrier is held`() {
    let diary = Diary<String>()
    var backend = alone { me throws(JourneyEnded) in
      me.listen(at: "home")
      diary.write("session")
      if me.now > epoch { return nil }
      try await me.think(until: epoch + .minutes(20))
      diary.write("thought")
      try await me.think(until: epoch + .minutes(30) - .milliseconds(50))
      _ = try await me.ask(.work(rows: 0))
      diary.write("told")
      return epoch + .minutes(50)
    }
    backend.checks = [.census(.to01) { _, _ in diary.write("barrier") }]
    _ = live(toyScenario(), in: backend)
    #expect(
      diary.all == [
        "session", "barrier", "thought", "barrier", "told", "barrier", "session", "barrier",
      ])
  }

  @Test func `a journey that goes on after its end is ended again, and time does not run back`() {
    let ends = Diary<Int>()
    let backend = alone { me throws(JourneyEnded) in
      me.listen(at: "home")
      for attempt in 1...2 {
        do {
          try await me.think(attempt == 1 ? .hours(3) : .seconds(1))
          Issue.record("the journey went on after its end")
        } catch { ends.write(attempt) }
      }
      _ = try await me.ask(.work(rows: 0))
      Issue.record("the journey was told after its end")
      return nil
    }
    _ = live(toyScenario(), in: backend)
    #expect(ends.all == [1, 2])
  }

  @Test func `the next session begins when the last one said`() {
    let diary = Diary<Instant>()
    let backend = alone { me throws(JourneyEnded) in
      diary.write(me.now)
      return me.now + .minutes(25)
    }
    _ = live(toyScenario(), in: backend)
    #expect(diary.all == [epoch, epoch + .minutes(25), epoch + .minutes(50)])
  }

  @Test func `whoever still lives at the end is ended, whatever it waits for`() {
    let backend = ToyBackend(persons: { _ in
      (0..<4).map { kind in
        PersonPlan(name: "person-\(kind)", cell: 0) {
          ToyBehaviour(
            begins: epoch + .minutes(59),
            { me throws(JourneyEnded) in
              switch kind {
              case 0: try await me.think(.hours(3))
              case 1: _ = try await me.wait(until: epoch + .hours(9))
              case 2: _ = try await me.ask(.work(rows: 400_000_000))
              default:
                while true { _ = try await me.ask(all: [Ask(.bell), Ask(.work(rows: 1))]) }
              }
              Issue.record("the journey went on after its end")
              return nil
            })
        }
      }
    })
    let result = live(toyScenario(), in: backend)
    let tally = result[0].worlds[0]
    #expect(tally.sessionsBegun == 4 && tally.sessionsCompleted == 0)
  }

  @Test func `a request that is under way at the end is a record with an unknown outcome`() {
    let backend = alone(begins: epoch + .hours(1) - .milliseconds(10)) { me throws(JourneyEnded) in
      _ = try await me.ask(.work(rows: 1))
      return nil
    }
    let result = live(toyScenario(), in: backend)
    #expect(result[0].worlds[0].operations[0].unknowns == ["runEnded": 1])
    let work = result[0].worlds[0].operations[0]
    #expect(work.latencies.count == 0 && work.unanswered == 0)
    #expect(work.cutOff.count(above: .milliseconds(9)) == 1 && work.sample.count == 1)
    #expect(work.cutOff.count(above: .milliseconds(11)) == 0)
  }
}

@Suite struct `Faults between people and a backend` {
  private func outcome(_ kind: Fault.Kind) -> (Outcome<Toy>, Span, Int) {
    let diary = Diary<(Outcome<Toy>, Span)>()
    let backend = alone { me throws(JourneyEnded) in
      diary.write((try await me.ask(.work(rows: 0)), me.now - epoch))
      return nil
    }
    let fault = Fault(from: epoch, to: epoch + .hours(1), domain: "toy", kind: kind, share: 1)
    let seen = Diary<Int>()
    var watched = backend
    watched.checks = [
      .census(.to01) { reply, _ in if case .seen(let count) = reply { seen.write(count) } }
    ]
    _ = live(toyScenario(faults: [fault]), in: watched)
    return (diary.all[0].0, diary.all[0].1, seen.all.last!)
  }

  @Test func `a lost request is unknown after the time-out and never reached the twin`() {
    let (outcome, after, handled) = outcome(.requestLost)
    #expect(outcome == .unknown(.timedOut))
    #expect(after == .seconds(60))
    #expect(handled == 4)  // the inspections themselves
  }

  @Test func `a lost answer is unknown after the time-out although the twin acted`() {
    let (outcome, after, handled) = outcome(.answerLost)
    #expect(outcome == .unknown(.timedOut))
    #expect(after == .seconds(60))
    #expect(handled == 5)
  }

  @Test func `a refused connection is certainly unsent`() {
    let (outcome, _, handled) = outcome(.connectionRefused)
    #expect(outcome == .unsent(.connectionRefused))
    #expect(handled == 4)
  }

  @Test func `a server error leaves the outcome unknown`() {
    #expect(outcome(.serverError).0 == .unknown(.serverError))
  }

  @Test func `a request that arrives twice is acted on twice and answered once`() {
    let (outcome, after, handled) = outcome(.duplicate)
    #expect(outcome == .replied(.done) && after == .milliseconds(100))
    #expect(handled == 6)
  }

  @Test func `a fault that counts is shared among the regions`() {
    let backend = ToyBackend(persons: { plan in
      (0..<4).map { index in
        PersonPlan(name: "person-\(index)", cell: 0) {
          ToyBehaviour(
            begins: plan.starts,
            { me throws(JourneyEnded) in
              _ = try await me.ask(.work(rows: 0))
              return nil
            })
        }
      }
    })
    let fault = Fault(
      from: epoch, to: epoch + .hours(1), domain: "toy", kind: .truncated, share: 1, count: 5)
    let result = live(toyScenario(regions: 3, faults: [fault]), in: backend)
    #expect(result[0].worlds[0].operations[0].unknowns == ["unparsable": 5])
    #expect(result[0].worlds[0].operations[0].replied == 7)
  }

  @Test func `a delay lengthens the way`() {
    let (outcome, after, _) = outcome(.delay(.milliseconds(300)))
    #expect(outcome == .replied(.done))
    #expect(after == .milliseconds(400))
  }
}
