import Contracts
import Journeys
import Scenarios
import Testing
import Timekeeping

@testable import Simulation

@Suite struct `The modelled network` {
  private var actions: PersonActions<Toy> {
    PersonActions(
      mayRunAhead: { _, _ in true }, sleep: { _, _, _ in }, ask: { _, _, _ in },
      wait: { _, _, _, _ in }, note: { _, _ in }, listen: { _, _ in })
  }

  private func person(_ name: String = "one") -> Person<Toy> {
    let person = Person(id: PersonID(0), name: name, cell: 0, seed: 1, actions: actions)
    person.now = epoch
    return person
  }

  private func call(_ request: Toy.Request = .work(rows: 0), of person: Person<Toy>)
    -> InFlightCall<Toy>
  {
    InFlightCall(
      request, nil, of: person, operation: Toy.operation(of: request), intended: person.now,
      deadline: person.now + .seconds(60))
  }

  private func network(
    _ faults: [(FaultKind, FaultSelection)] = [], requestLost: Double = 0, answerLost: Double = 0
  ) -> ModelledNetwork<Toy> {
    ModelledNetwork(
      Network(latency: .constant(.milliseconds(100))),
      Service(servers: 1, perRequest: .milliseconds(10)), from: epoch,
      server: { RandomStream(seed: 1, owner: UInt64($0), purpose: 0) },
      mishaps: Mishaps(
        faults: faults.enumerated().map { (UInt32($0.offset), $0.element.0, $0.element.1) },
        requestLost: requestLost, answerLost: answerLost))
  }

  private func failing(_ kinds: FaultKind...) -> ModelledNetwork<Toy> {
    network(kinds.map { ($0, FaultSelection()) })
  }

  /// What becomes of a request that the backend answers at once, and when; whether the backend has acted.
  private func fate(
    _ network: ModelledNetwork<Toy>, of call: InFlightCall<Toy>
  ) -> (outcome: Outcome<Toy>, after: Span, acted: Bool) {
    var network = network
    switch network.send(call, events: 0) {
    case .ends(let outcome, let at): return (outcome, at - epoch, false)
    case .arrives(let instant):
      guard
        case .ends(let outcome, let at)? = network.serve(
          call, Work(), .success(.done), arriving: instant)
      else {
        Issue.record("an answer arrives at the backend")
        return (.unsent(.offline), .zero, true)
      }
      return (outcome, at - epoch, true)
    }
  }

  @Test(
    arguments: [
      (nil, .replied(.done), 110, true), (.requestLost, .unknown(.timedOut), 60_000, false),
      (.answerLost, .unknown(.timedOut), 60_000, true),
      (.serverError, .unknown(.serverError), 100, false),
      (.connectionRefused, .unsent(.connectionRefused), 50, false),
      (.connectionReset, .unknown(.connectionReset), 110, true),
      (.truncated, .unknown(.unparsable), 110, true), (.duplicate, .replied(.done), 110, true),
      (.delay(.milliseconds(300)), .replied(.done), 410, true),
      (.delay(.seconds(70)), .unknown(.timedOut), 60_000, true),
    ] as [(FaultKind?, Outcome<Toy>, Int64, Bool)])
  func `each fault ends a request as it says`(
    kind: FaultKind?, outcome: Outcome<Toy>, after: Int64, acted: Bool
  ) {
    let faults = kind.map { [($0, FaultSelection())] } ?? []
    let call = call(of: person())
    let fate = fate(network(faults), of: call)
    #expect(fate.outcome == outcome && fate.after == .milliseconds(after) && fate.acted == acted)
    #expect(call.met.isDuplicated == (kind == .duplicate))
  }

  @Test func `who is offline asks nobody, whatever would have happened`() {
    let person = person()
    person.isOnline = false
    let fate = fate(failing(.serverError), of: call(of: person))
    #expect(fate.outcome == .unsent(.offline) && fate.after == .zero)
  }

  @Test
  func `of several faults the last decides, and only what was worked on has an answer to lose`() {
    #expect(
      fate(failing(.requestLost, .serverError), of: call(of: person())).after == .milliseconds(100))
    #expect(fate(failing(.serverError, .answerLost), of: call(of: person())).acted == false)
    #expect(
      fate(failing(.answerLost, .truncated), of: call(of: person())).outcome == .unknown(.timedOut))
    let slow = failing(.delay(.milliseconds(200)), .delay(.milliseconds(100)), .serverError)
    #expect(fate(slow, of: call(of: person())).after == .milliseconds(400))
  }

  @Test func `a fault meets its operation, its time and its number of requests alone`() {
    func isLost(
      _ network: inout ModelledNetwork<Toy>, _ request: Toy.Request, at instant: Instant
    ) -> Bool {
      let person = person()
      person.now = instant
      if case .ends = network.send(call(request, of: person), events: 0) { return true }
      return false
    }
    let selection = FaultSelection(
      operation: "news", from: epoch + .seconds(1), until: epoch + .seconds(3), count: 2)
    var network = network([(.requestLost, selection)])
    #expect(!isLost(&network, .news, at: epoch))
    #expect(isLost(&network, .news, at: epoch + .seconds(1)))
    #expect(!isLost(&network, .work(rows: 1), at: epoch + .seconds(2)))
    var fresh = network
    #expect(!isLost(&fresh, .news, at: epoch + .seconds(3)))
    #expect(isLost(&network, .news, at: epoch + .seconds(2)))
    #expect(!isLost(&network, .news, at: epoch + .seconds(2)))
  }

  @Test func `a share of the requests is met, and which does not depend on other faults`() {
    let person = person()
    func met(_ faults: [(FaultKind, FaultSelection)]) -> [Bool] {
      var network = network(faults)
      return (0..<UInt32(2_000)).map { number in
        if case .ends = network.send(call(of: person), events: number) { return true }
        return false
      }
    }
    let alone = met([(.requestLost, FaultSelection(share: 0.3))])
    // 2,000 at 30 %: a deviation of 102 is five standard errors.
    #expect(abs(alone.count { $0 } - 600) < 102)
    #expect(
      met([(.requestLost, FaultSelection(share: 0.3)), (.duplicate, FaultSelection())]) == alone)
  }

  @Test func `the network loses its own share of requests and of answers`() {
    let person = person()
    var network = network(requestLost: 0.2, answerLost: 0.1)
    var (requests, answers) = (0, 0)
    for _ in 0..<2_000 {
      let call = call(of: person)
      if case .ends = network.send(call, events: 0) { requests += 1 }
      if call.met.end == .answerLost { answers += 1 }
    }
    #expect(abs(requests - 400) < 90 && abs(answers - 200) < 68)
  }

  @Test func `the servers' queue is on the far side, and the passage says where the time went`() {
    var network = network()
    let (first, second) = (call(of: person()), call(of: person("two")))
    for call in [first, second] { _ = network.send(call, events: 0) }
    let arrival = epoch + .milliseconds(50)
    _ = network.serve(first, Work(), nil, arriving: arrival)
    guard
      case .ends(_, let at)? = network.serve(second, Work(), .success(.done), arriving: arrival)
    else {
      Issue.record("the answer does not end the call")
      return
    }
    #expect(at == epoch + .milliseconds(120))
    #expect(second.passage.network == .milliseconds(100))
    #expect(second.passage.waiting == .milliseconds(10))
    #expect(second.passage.service == .milliseconds(10))
    // What the backend itself holds back is no service.
    guard
      case .ends(_, let late) = network.answer(first, .success(.done), leaving: epoch + .seconds(2))
    else { return }
    #expect(late == epoch + .milliseconds(2_050) && first.passage.service == .zero)
  }
}
