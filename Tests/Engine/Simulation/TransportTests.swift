import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping

/// A server that answers what was sent to it whenever somebody waits, and counts.
private final class ToyServer: WireClient {
  private let clock: WallClock
  /// How many requests were under way, with each that came.
  private let underWay: Diary<Int>
  private var received = 0
  private var line: [(answer: WireResponse, onEnd: (WireEnding) -> Void)] = []

  init(_ clock: WallClock, _ underWay: Diary<Int> = Diary()) {
    self.clock = clock
    self.underWay = underWay
  }

  func send(
    _ request: WireRequest, of domain: String, as person: PersonID?,
    for purpose: RequestTally.Purpose, timeOut: Span, onEnd: @escaping (WireEnding) -> Void
  ) {
    if request.target != "/" { received += 1 }
    line.append(
      (WireResponse(200, body: request.target == "/look" ? .int(Int64(received)) : nil), onEnd))
    underWay.write(line.count)
  }

  func rest(until nanoseconds: UInt64) {
    if line.isEmpty { clock.rest(nanoseconds) }
    let told = line
    line = []
    for (answer, onEnd) in told { onEnd(WireEnding(.response(answer), at: clock.nanoseconds())) }
  }

  func end() -> WireTraffic { WireTraffic() }
}

private enum Carriage: CaseIterable {
  case modelled, inProcess, overHTTP

  func run(_ scenario: Scenario, in backend: ToyBackend) -> WorldTally {
    guard self != .modelled else { return live(scenario, in: backend)[0].worlds[0] }
    let clock = HandClock().clock
    let connect = { @Sendable () throws(TargetProblem) -> any WireClient in ToyServer(clock) }
    let servers = WireTargets(
      ["toy": .foreign(isPrepared: false)], realTime: { epoch }, connect: connect)
    return WallRun(
      scenario, domains: [AnyDomain(backend)], tokens: NoTokens(), clock: clock,
      targets: self == .overHTTP ? servers : nil, onProblem: { Issue.record("\($0)") }
    ).run(workers: 1)[0].worlds[0]
  }

  /// What a person knows of a request that meets faults, after how long, and how often the backend has acted on it.
  func fate(meeting kinds: [FaultKind], isOnline: Bool = true) -> Fate? {
    let diary = Diary<Fate>()
    let backend = alone { me throws(JourneyEnded) in
      let began = me.now
      me.isOnline = isOnline
      let outcome = try await me.ask(.work(rows: 0))
      let took = me.now - began
      me.isOnline = true
      // Whatever is still under way has arrived by then.
      try await me.think(until: epoch + .minutes(6))
      guard case .replied(.seen(let count)) = try await me.ask(.look) else { return nil }
      diary.write(Fate(outcome: outcome, took: took, acted: count - 1))
      return nil
    }
    let faults = kinds.map {
      Fault(
        from: epoch, to: epoch + .minutes(1), domain: "toy", kind: $0, share: 1, operation: "work")
    }
    _ = run(
      toyScenario(
        lasts: .minutes(8), network: Network(latency: .constant(.zero)),
        service: Service(servers: 1, perRequest: .zero), faults: faults), in: backend)
    return diary.all.first
  }
}

private struct Fate: CustomStringConvertible {
  let outcome: Outcome<Toy>
  let took: Span
  let acted: Int

  /// In real time each look at the clock takes its time.
  func isLike(_ other: Fate) -> Bool {
    outcome == other.outcome && acted == other.acted
      && (other.took..<other.took + .milliseconds(200)).contains(took)
  }

  var description: String { "\(outcome) after \(took), acted on \(acted) times" }
}

extension FaultKind {
  /// What `FaultWord` says of it, for a client who waits a minute.
  fileprivate var fate: Fate {
    switch self {
    case .requestLost: Fate(outcome: .unknown(.timedOut), took: .minutes(1), acted: 0)
    case .answerLost: Fate(outcome: .unknown(.timedOut), took: .minutes(1), acted: 1)
    case .status: Fate(outcome: .unknown(.serverError), took: .zero, acted: 0)
    case .connectionRefused: Fate(outcome: .unsent(.connectionRefused), took: .zero, acted: 0)
    case .connectionReset: Fate(outcome: .unknown(.connectionReset), took: .zero, acted: 1)
    case .truncated: Fate(outcome: .unknown(.unparsable), took: .zero, acted: 1)
    case .duplicate: Fate(outcome: .replied(.done), took: .zero, acted: 2)
    case .delay(let span) where span <= .minutes(1):
      Fate(outcome: .replied(.done), took: span, acted: 1)
    case .delay: Fate(outcome: .unknown(.timedOut), took: .minutes(1), acted: 1)
    }
  }
}

@Suite struct `Transports` {
  private static let kinds =
    FaultWord.plain.map { $0.kind! } + [
      .status(429, retryAfter: .seconds(3)), .delay(.milliseconds(300)), .delay(.seconds(70)),
      .delay(.seconds(150)),
    ]

  @Test(arguments: Carriage.allCases)
  private func `answer what they are asked`(carriage: Carriage) throws {
    let fate = try #require(carriage.fate(meeting: []))
    #expect(fate.isLike(Fate(outcome: .replied(.done), took: .zero, acted: 1)), "\(fate)")
  }

  @Test(arguments: Carriage.allCases, kinds)
  private func `let each fault act as its word says`(carriage: Carriage, kind: FaultKind) throws {
    let fate = try #require(carriage.fate(meeting: [kind]))
    #expect(fate.isLike(kind.fate), "\(fate)")
  }

  @Test(arguments: [false, true])
  func `have one request under way at a time before a server that is asked so`(isAsked: Bool) {
    let diary = Diary<Int>()
    let answers = Diary<Outcome<Toy>>()
    let backend = ToyBackend(persons: { _ in
      (0..<5).map { number in
        PersonPlan(name: "\(number)", cell: 0) {
          ToyBehaviour(begins: epoch) { me throws(JourneyEnded) in
            for outcome in try await me.ask(all: (0..<3).map { _ in Ask(.work(rows: 0)) }) {
              answers.write(outcome)
            }
            return nil
          }
        }
      }
    })
    let clock = HandClock().clock
    let servers = WireTargets(
      ["toy": .foreign(isPrepared: false)], isOneAtATime: isAsked, realTime: { epoch },
      connect: { ToyServer(clock, diary) })
    let duplicated = Fault(
      from: epoch, to: epoch + .minutes(1), domain: "toy", kind: .duplicate, share: 1,
      operation: "work")
    _ = WallRun(
      toyScenario(
        lasts: .minutes(1), network: Network(latency: .constant(.zero)), faults: [duplicated]),
      domains: [AnyDomain(backend)], tokens: NoTokens(), clock: clock, targets: servers,
      onProblem: { Issue.record("\($0)") }
    ).run(workers: 1)
    #expect(answers.all == Array(repeating: .replied(.done), count: 15))
    #expect((diary.all.max() == 1) == isAsked, "\(diary.all)")
  }

  @Test(arguments: Carriage.allCases)
  private func `carry nothing of who is offline`(carriage: Carriage) throws {
    let fate = try #require(carriage.fate(meeting: [.duplicate], isOnline: false))
    #expect(fate.isLike(Fate(outcome: .unsent(.offline), took: .zero, acted: 0)), "\(fate)")
  }

  @Test func `agree on what any faults do together`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var stream = RandomStream(seed: seed, owner: 1, purpose: 0)
    for _ in 0..<12 {
      let count = 1 + Int(stream.unit() * 4)
      let faults = (0..<count).map { _ in Self.kinds[Int(stream.unit() * Double(Self.kinds.count))]
      }
      let modelled = try #require(Carriage.modelled.fate(meeting: faults))
      for carriage in [Carriage.inProcess, .overHTTP] {
        let fate = try #require(carriage.fate(meeting: faults))
        #expect(
          fate.isLike(modelled), "seed \(seed), \(faults), \(carriage): \(fate), not \(modelled)")
      }
    }
  }
}
