import Contracts
import Observations
import Scenarios
import Timekeeping

/// One region's way to a server that speaks its contract.
struct WireLine<Contract: WireContract> {
  private let transport: any WireTransport
  private let time: WallTime
  private let tokens: any TokenCodec
  /// What is due before belongs to the warm-up.
  private let warmedUp: Instant
  /// By their numbers; an ended one has left.
  private var underWay: [Int: InFlightCall<Contract>] = [:]
  /// Whether answers follow the contract.
  private(set) var contract = Judge()

  init(
    _ transport: any WireTransport, _ time: WallTime, _ tokens: any TokenCodec,
    _ scenario: Scenario
  ) {
    warmedUp = scenario.starts + scenario.warmup
    self.transport = transport
    self.time = time
    self.tokens = tokens
  }

  /// A call leaves; a duplicate's answer is nobody's.
  mutating func carry(
    _ call: InFlightCall<Contract>, onEnd: @escaping (_ number: Int, WireEnding) -> Void
  ) {
    guard let number = call.number else { preconditionFailure("a call in real time has a number") }
    underWay[number] = call
    let wire = Contract.write(
      call.request, credential: call.credential, tokens: tokens)
    let patience = time.real(max(.milliseconds(1), call.deadline - call.sent))
    let person = call.person.id
    transport.send(
      wire, of: Contract.domain, as: person,
      for: call.intended < warmedUp ? .ofWarmUp : .counted, timeOut: patience
    ) { onEnd(number, $0) }
    guard call.met.isDuplicated else { return }
    transport.send(
      wire, of: Contract.domain, as: person, for: .ofHarness, timeOut: patience
    ) { _ in }
  }

  /// What came of a call; `nil` when the run was over before.
  mutating func land(
    _ number: Int, _ ending: WireEnding
  ) -> (call: InFlightCall<Contract>, step: CallStep<Contract>)? {
    guard let call = underWay.removeValue(forKey: number) else { return nil }
    let at = max(call.sent, time.instant(at: ending.nanoseconds))
    let step: CallStep<Contract> =
      switch ending.answer {
      case .lost(.timedOut): .ends(.unknown(.timedOut), at: max(at, call.deadline))
      case .lost(let cause): .ends(.unknown(cause), at: at)
      case .unreached(let cause, _): .ends(.unsent(cause), at: at)
      case .response(let response): call.ending(outcome(of: call, response), at: at + call.way)
      }
    return (call, step)
  }

  /// With which a server says that it knows no such request, and not that it failed (RFC 9110 §15.6.2 and §15.6.6).
  private static var refusals: Set<Int> { [501, 505] }

  private mutating func outcome(
    of call: InFlightCall<Contract>, _ response: WireResponse
  ) -> Outcome<Contract> {
    if let result = Contract.read(response, to: call.request) {
      contract.held()
      return Outcome(result.map { Contract.recognised($0, by: tokens) })
    }
    guard response.status < 500 || Self.refusals.contains(response.status) else {
      return .unknown(.serverError)
    }
    let objection = Contract.objection(to: response, of: call.request)
    contract.violated(
      "\(Contract.operations[call.operation].name) \(objection.words)",
      at: Moment(
        time: max(call.sent, time.now), person: call.person.id, cell: call.person.cell))
    return .unknown(objection.isDeclared ? .contractViolation : .unexpectedStatus)
  }

  /// The run is over: what was under way, in the order in which it left.
  mutating func abandon() -> [InFlightCall<Contract>] {
    defer { underWay = [:] }
    return underWay.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Sends a command of the operator, or a question of the harness.
  ///
  /// - Parameter onEnd: Told what came of it, and when: by the server's own clock where it says so, since others ask it meanwhile.
  func command(
    _ request: Contract.Request, onEnd: @escaping (Outcome<Contract>, Instant) -> Void
  ) {
    let wire = Contract.write(request, credential: nil, tokens: tokens)
    let sent = time.now
    transport.send(
      wire, of: Contract.domain, as: nil, for: .ofHarness,
      timeOut: ServerControl<Contract>.patience
    ) { [time] ending in
      let at = max(sent, time.instant(at: ending.nanoseconds))
      guard case .response(let response) = ending.answer,
        let result = Contract.read(response, to: request)
      else { return onEnd(.unknown(.unparsable), at) }
      onEnd(Outcome(result), min(at, max(sent, response.moment ?? at)))
    }
  }

  /// Asks what the server has sent of its own accord since the signal of a number.
  ///
  /// - Parameter onEnd: Told what it says; `nil` when it says nothing.
  func listen(after number: Int, onEnd: @escaping ([SentSignal]?) -> Void) {
    let wire = WireRequest("GET", SentSignal.target(of: Contract.domain, after: number))
    transport.send(
      wire, of: Contract.domain, as: nil, for: .ofHarness,
      timeOut: ServerControl<Contract>.patience
    ) {
      guard case .response(let response) = $0.answer, response.status == 200 else {
        return onEnd(nil)
      }
      onEnd(response.body.flatMap(SentSignal.list))
    }
  }

  func heard(_ sent: SentSignal) -> Addressed<Contract>? {
    Contract.heard(sent.document, by: tokens)
  }
}

/// A signal as a served twin's control plane lists it.
struct SentSignal {
  let number: Int
  let at: Instant
  let document: JSON

  static func target(of domain: String, after number: Int) -> String {
    "/_rehearsal/\(domain)/signals?after=\(number)"
  }

  /// - Returns: `nil` for a document that is no such list.
  static func list(_ document: JSON) -> [SentSignal]? {
    guard let entries = document.array else { return nil }
    var list: [SentSignal] = []
    for entry in entries {
      guard let number = entry["number"]?.int, let signal = entry["signal"],
        let at = entry["at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      list.append(SentSignal(number: number, at: at, document: signal))
    }
    return list
  }
}

extension WireResponse {
  /// When a control plane made it, by the server's clock.
  var moment: Instant? { header(WireHeader.momentName).flatMap { Instant($0) } }
}
