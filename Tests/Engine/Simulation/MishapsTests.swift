import Contracts
import Journeys
import Testing
import Timekeeping

@testable import Simulation

@Suite struct `What calls meet on their way` {
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

  private func call(
    _ request: Toy.Request = .work(rows: 0), of person: Person<Toy>, late: Span = .zero
  ) -> InFlightCall<Toy> {
    InFlightCall(
      request, nil, of: person, operation: Toy.operation(of: request), intended: person.now,
      sent: person.now + late, patience: .seconds(60))
  }

  private func mishaps(
    _ faults: [(FaultKind, FaultSelection)] = [], requestLost: Double = 0, answerLost: Double = 0
  ) -> Mishaps<Toy> {
    Mishaps(
      faults: faults.enumerated().map { (UInt32($0.offset), $0.element.0, $0.element.1) },
      requestLost: requestLost, answerLost: answerLost)
  }

  /// With which outcome a call ends that meets faults on its way of 50 ms, and after how long; `nil` when it reaches the backend.
  private func end(
    of call: InFlightCall<Toy>, meeting kinds: FaultKind...
  ) -> (outcome: Outcome<Toy>, after: Span)? {
    var mishaps = mishaps(kinds.map { ($0, FaultSelection()) })
    switch mishaps.send(call, way: .milliseconds(50), events: 0) {
    case .ends(let outcome, let at): return (outcome, at - epoch)
    case .arrives: return nil
    }
  }

  @Test func `who is offline asks nobody, whatever would have happened`() {
    let person = person()
    person.isOnline = false
    let end = end(of: call(of: person), meeting: .serverError)
    #expect(end?.outcome == .unsent(.offline) && end?.after == .zero)
  }

  @Test
  func `of several faults the last decides, and only what was worked on has an answer to lose`() {
    let answered = end(of: call(of: person()), meeting: .requestLost, .serverError)
    #expect(answered?.outcome == .unknown(.serverError) && answered?.after == .milliseconds(100))
    #expect(end(of: call(of: person()), meeting: .serverError, .answerLost) != nil)
    let lost = call(of: person())
    #expect(end(of: lost, meeting: .answerLost, .truncated) == nil && lost.met.end == .answerLost)
    let slow = end(
      of: call(of: person()), meeting: .delay(.milliseconds(200)), .delay(.milliseconds(100)),
      .serverError)
    #expect(slow?.after == .milliseconds(400))
  }

  @Test func `patience counts from when a call leaves`() {
    let call = call(of: person(), late: .seconds(7))
    #expect(end(of: call, meeting: .requestLost)?.after == .seconds(67))
  }

  @Test func `a fault meets its operation, its time and its number of requests alone`() {
    func isLost(
      _ mishaps: inout Mishaps<Toy>, _ request: Toy.Request, at instant: Instant
    ) -> Bool {
      let person = person()
      person.now = instant
      if case .ends = mishaps.send(call(request, of: person), way: .zero, events: 0) { return true }
      return false
    }
    let selection = FaultSelection(
      operation: "news", from: epoch + .seconds(1), until: epoch + .seconds(3), count: 2)
    var mishaps = mishaps([(.requestLost, selection)])
    #expect(!isLost(&mishaps, .news, at: epoch))
    #expect(isLost(&mishaps, .news, at: epoch + .seconds(1)))
    #expect(!isLost(&mishaps, .work(rows: 1), at: epoch + .seconds(2)))
    var fresh = mishaps
    #expect(!isLost(&fresh, .news, at: epoch + .seconds(3)))
    #expect(isLost(&mishaps, .news, at: epoch + .seconds(2)))
    #expect(!isLost(&mishaps, .news, at: epoch + .seconds(2)))
  }

  @Test func `a share of the requests is met, and which does not depend on other faults`() {
    let person = person()
    func met(_ faults: [(FaultKind, FaultSelection)]) -> [Bool] {
      var mishaps = mishaps(faults)
      return (0..<UInt32(2_000)).map { number in
        if case .ends = mishaps.send(call(of: person), way: .zero, events: number) { return true }
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
    var mishaps = mishaps(requestLost: 0.2, answerLost: 0.1)
    var (requests, answers) = (0, 0)
    for _ in 0..<2_000 {
      let call = call(of: person)
      if case .ends = mishaps.send(call, way: .zero, events: 0) { requests += 1 }
      if call.met.end == .answerLost { answers += 1 }
    }
    #expect(abs(requests - 400) < 90 && abs(answers - 200) < 68)
  }
}
