import Contracts
import Timekeeping

/// One region's way to a server that speaks its contract.
struct WireLine<Agreement: WireContract> {
  private let transport: any WireTransport
  private let time: WallTime
  private let tokens: any TokenCodec
  /// By their numbers; an ended one has left.
  private var underWay: [Int: Call<Agreement>] = [:]

  init(_ transport: any WireTransport, _ time: WallTime, tokens: any TokenCodec) {
    self.transport = transport
    self.time = time
    self.tokens = tokens
  }

  /// A call leaves; a duplicate's answer is nobody's.
  mutating func carry(
    _ call: Call<Agreement>, onEnd: @escaping (_ number: Int, WireEnding) -> Void
  ) {
    guard let number = call.number else { preconditionFailure("a call in real time has a number") }
    underWay[number] = call
    let wire = Agreement.write(
      call.ask.request, credential: call.ask.credential, tokens: tokens)
    let patience = time.real(max(.milliseconds(1), call.deadline - call.sent))
    transport.send(wire, of: Agreement.domain, timeOut: patience) { onEnd(number, $0) }
    guard call.met.isDuplicated else { return }
    transport.send(wire, of: Agreement.domain, timeOut: patience) { _ in }
  }

  /// What came of a call; `nil` when the run was over before.
  mutating func land(
    _ number: Int, _ ending: WireEnding
  ) -> (call: Call<Agreement>, step: CallStep<Agreement>)? {
    guard let call = underWay.removeValue(forKey: number) else { return nil }
    let at = max(call.sent, time.instant(at: ending.nanoseconds))
    let step: CallStep<Agreement> =
      switch ending.answer {
      case .timedOut: .ends(.unknown(.timedOut), at: max(at, call.deadline))
      case .unreached: .ends(.unsent(.connectionRefused), at: at)
      case .reset: .ends(.unknown(.connectionReset), at: at)
      case .unreadable: .ends(.unknown(.unparsable), at: at)
      case .response(let response): call.ending(outcome(of: call, response), at: at + call.way)
      }
    return (call, step)
  }

  private func outcome(of call: Call<Agreement>, _ response: WireResponse) -> Outcome<Agreement> {
    if let result = Agreement.read(response, to: call.ask.request) {
      return Outcome(result.map { Agreement.recognised($0, by: tokens) })
    }
    return .unknown(response.status >= 500 ? .serverError : .unparsable)
  }

  /// The run is over: what was under way, in the order in which it left.
  mutating func abandon() -> [Call<Agreement>] {
    defer { underWay = [:] }
    return underWay.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Sends a command of the operator.
  func command(
    _ request: Agreement.Request, onEnd: @escaping (Outcome<Agreement>, Instant) -> Void
  ) {
    let wire = Agreement.write(request, credential: nil, tokens: tokens)
    transport.send(wire, of: Agreement.domain, timeOut: ServerControl<Agreement>.patience) {
      [time] ending in
      let at = time.instant(at: ending.nanoseconds)
      guard case .response(let response) = ending.answer,
        let result = Agreement.read(response, to: request)
      else { return onEnd(.unknown(.unparsable), at) }
      onEnd(Outcome(result), at)
    }
  }
}

/// Makes a served twin ready for a run through its control plane, one command after the other.
struct ServerControl<Agreement: WireContract> {
  private let transport: any WireTransport
  private let clock: WallClock
  private let tokens: any TokenCodec

  init(_ transport: any WireTransport, _ clock: WallClock, tokens: any TokenCodec) {
    self.transport = transport
    self.clock = clock
    self.tokens = tokens
  }

  /// Empties the server and switches rules off.
  func reset(rulesOff: [LimitID]) throws(TargetProblem) {
    try demand("reset", [:])
    for rule in rulesOff { try demand("setRule", ["id": .string(rule.text), "binds": false]) }
  }

  /// What the server's clock shows.
  func clockReading() throws(TargetProblem) -> Instant {
    let response = try ask(WireRequest("GET", "/_rehearsal/health"))
    guard response.status == 200, let text = response.body?["now"]?.string,
      let now = Instant(text)
    else { throw withoutControl(response.status) }
    return now
  }

  /// Carries out a command of a fixture.
  func obey(_ request: Agreement.Request) throws(TargetProblem) -> Agreement.Reply {
    let response = try ask(Agreement.write(request, credential: nil, tokens: tokens))
    guard let result = Agreement.read(response, to: request), case .success(let reply) = result
    else {
      throw .unsuitable(
        "the server of \(Agreement.domain) refuses to load the population: it answers \(response.status) to \(Agreement.show(request).description.prefix(200))"
      )
    }
    return reply
  }

  private func demand(_ command: String, _ parameters: JSON) throws(TargetProblem) {
    let response = try ask(
      WireRequest(
        "POST", "/_rehearsal/\(Agreement.domain)/\(command)",
        headers: [WireHeader("Content-Type", "application/json")], body: parameters.bytes))
    guard (200..<300).contains(response.status) else { throw withoutControl(response.status) }
  }

  private func withoutControl(_ status: Int) -> TargetProblem {
    .unsuitable(
      "the server of \(Agreement.domain) answers \(status) where a served twin takes the operator's commands; start it with: rehearse serve --control --domain \(Agreement.domain) --scenario FILE"
    )
  }

  private func ask(_ request: WireRequest) throws(TargetProblem) -> WireResponse {
    var ended: WireEnding?
    transport.send(request, of: Agreement.domain, timeOut: ServerControl<Agreement>.patience) {
      ended = $0
    }
    while ended == nil { transport.rest(until: clock.nanoseconds() + 100_000_000) }
    switch ended!.answer {
    case .response(let response): return response
    case .unreached(let why): throw .unreachable("the server of \(Agreement.domain): \(why)")
    case .timedOut, .reset, .unreadable:
      throw .unreachable("the server of \(Agreement.domain) gives no answer to the operator")
    }
  }
}

extension ServerControl {
  /// How long a command of the operator may take.
  static var patience: Span { .seconds(30) }
}
