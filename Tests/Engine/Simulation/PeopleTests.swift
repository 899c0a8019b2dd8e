import Contracts
import Journeys
import Testing
import Timekeeping

@testable import Simulation

private func letter(_ number: Int) -> Received<Toy> {
  Received(.letter(number: number), at: epoch + .seconds(Int64(number)))
}

@Suite struct `A mailbox` {
  private func number(_ received: Received<Toy>?) -> Int? {
    guard case .letter(let number)? = received?.signal else { return nil }
    return number
  }

  @Test func `gives the earliest that is wanted, once`() {
    var mailbox = Mailbox<Toy>()
    for index in 1...4 { mailbox.put(letter(index)) }
    #expect(number(mailbox.take { $0 == .letter(number: 3) }) == 3)
    #expect(number(mailbox.take { _ in true }) == 1)
    #expect(number(mailbox.take { $0 == .letter(number: 3) }) == nil)
    #expect(number(mailbox.take { _ in true }) == 2 && number(mailbox.take { _ in true }) == 4)
    #expect(mailbox.count == 0)
  }

  @Test func `loses its oldest when it is full`() {
    var mailbox = Mailbox<Toy>()
    for index in 0..<(Mailbox<Toy>.most + 3) { mailbox.put(letter(index)) }
    #expect(mailbox.count == Mailbox<Toy>.most)
    #expect(number(mailbox.take { _ in true }) == 3)
  }
}

@Suite struct `The people of a region` {
  private var actions: PersonActions<Toy> {
    PersonActions(
      mayRunAhead: { _, _ in true }, sleep: { _, _, _ in }, ask: { _, _, _ in },
      wait: { _, _, _, _ in }, note: { _, _ in }, listen: { _, _ in })
  }

  private func people(_ behaviours: [ToyBehaviour], in cells: [Int] = []) -> People<Toy> {
    var people = People<Toy>()
    for (index, behaviour) in behaviours.enumerated() {
      let cell = cells.isEmpty ? 0 : cells[index]
      people.add(
        Person(id: PersonID(index), name: "person-\(index)", cell: cell, seed: 1, actions: actions),
        as: behaviour)
    }
    return people
  }

  private func idle() -> ToyBehaviour {
    ToyBehaviour(begins: nil, { _ throws(JourneyEnded) in nil })
  }

  private func reacting() -> ToyBehaviour {
    ToyBehaviour(
      begins: nil, { _ throws(JourneyEnded) in nil }, reaction: { _, _ throws(JourneyEnded) in })
  }

  @Test func `are alone with one journey, until a signal can reach them`() {
    var people = people([idle(), idle()])
    let (one, other) = (PersonID(0), PersonID(1))
    #expect(!people.isAlone(one))
    people.beginJourney(of: one)
    people.beginJourney(of: other)
    #expect(people.isAlone(one) && people.liveJourneys == 2)
    people.beginJourney(of: one)
    #expect(!people.isAlone(one) && people.isAlone(other))
    people.endJourney(of: one)
    #expect(people.isAlone(one) && people.liveJourneys == 2)
    people.listen(one, at: "home")
    #expect(!people.isAlone(one))
  }

  @Test func `are reached at an address in the order in which they began to listen, each once`() {
    var people = people([idle(), idle(), idle()])
    for index in [2, 0, 2] { people.listen(PersonID(index), at: "home") }
    people.listen(PersonID(1), at: "work")
    #expect(people.listeners(at: "home", in: 0) == [PersonID(2), PersonID(0)])
    #expect(people.listeners(at: "nowhere", in: 0) == [])
  }

  @Test func `are reached by the signals of their own cell only`() {
    var people = people([idle(), idle(), idle()], in: [0, 1, 0])
    for index in 0..<3 { people.listen(PersonID(index), at: "home") }
    #expect(people.listeners(at: "home", in: 0) == [PersonID(0), PersonID(2)])
    #expect(people.listeners(at: "home", in: 1) == [PersonID(1)])
    #expect(people.listeners(at: "home", in: 2) == [])
  }

  @Test func `count their events and their records apart`() {
    var people = people([idle(), idle()])
    #expect((0..<3).map { _ in people.nextEvent(of: PersonID(0)) } == [0, 1, 2])
    #expect(people.nextRecord(of: PersonID(0)) == 0 && people.nextEvent(of: PersonID(1)) == 0)
    #expect(people.events(of: PersonID(0)) == 3)
  }

  @Test
  func `a signal goes to the journey that waits for it, else to the device, else to the mailbox`()
    async
  {
    // A value in a class: the continuation's body may not change what it captures.
    final class Home { var people: People<Toy> = People() }
    let home = Home()
    home.people = people([idle(), reacting()])
    let (one, device) = (PersonID(0), PersonID(1))
    if case .device = home.people.receive(letter(1), by: device) {
    } else {
      Issue.record("the device does not react")
    }
    if case .mailbox = home.people.receive(letter(2), by: one) {
    } else {
      Issue.record("nobody wants it, and it is not in the mailbox")
    }
    let waited = await withUnsafeContinuation { continuation in
      let waiting = Waiting(
        home.people.person(one), until: epoch, for: { $0 == .letter(number: 5) }, continuation)
      #expect(home.people.look(for: waiting) == nil)
      if case .mailbox = home.people.receive(letter(4), by: one) {
      } else {
        Issue.record("it waits for another one")
      }
      guard case .journey(let taker) = home.people.receive(letter(5), by: one) else {
        Issue.record("it waits for this one")
        return waiting.resume(.deadline)
      }
      taker.resume(.received(letter(5)))
    }
    if case .received(let received) = waited { #expect(received.signal == .letter(number: 5)) }
    let found = await withUnsafeContinuation { continuation in
      let waiting = Waiting(home.people.person(one), until: epoch, for: { _ in true }, continuation)
      guard let received = home.people.look(for: waiting) else { return waiting.resume(.deadline) }
      waiting.resume(.received(received))
    }
    if case .received(let received) = found {
      #expect(received.signal == .letter(number: 2))
    } else {
      Issue.record("what was in the mailbox was not found")
    }
  }
}
