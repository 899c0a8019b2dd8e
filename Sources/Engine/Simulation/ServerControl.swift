import Backends
import Contracts
import Timekeeping

/// Makes a served twin ready for a run through its control plane, one command after the other.
struct ServerControl<Contract: WireContract> {
  private let client: any WireClient
  private let clock: WallClock
  private let tokens: any TokenCodec

  init(_ client: any WireClient, _ clock: WallClock, tokens: any TokenCodec) {
    self.client = client
    self.clock = clock
    self.tokens = tokens
  }

  /// Asks a server that has no control plane anything, to see whether it is there.
  func greet() throws(TargetProblem) {
    _ = try ask(WireRequest("GET", "/"), as: PersonID(0))
  }

  /// Empties the server, which sets its clock back; it goes on from there in a while.
  func reset(startsIn pause: Span = .zero) throws(TargetProblem) {
    try checkDomain()
    let milliseconds = pause.nanoseconds / 1_000_000
    try demand("reset", milliseconds > 0 ? ["startsIn": .string("\(milliseconds)ms")] : [:])
  }

  func switchOff(_ rules: [LimitID]) throws(TargetProblem) {
    for rule in rules { try demand("setRule", Self.switchingOff(rule)) }
  }

  private static func switchingOff(_ rule: LimitID) -> JSON {
    ["id": .string(rule.text), "binds": false]
  }

  /// What a server says of its commands that was made ready with these.
  func digest(switchingOff rules: [LimitID], _ requests: [Contract.Request]) -> String {
    var digest = Digest()
    for rule in rules { digest.mix(command: "setRule", Self.switchingOff(rule)) }
    for request in requests {
      let wire = Contract.write(request, credential: nil, tokens: tokens)
      let name = wire.target.split(separator: "/").last.map(String.init) ?? ""
      digest.mix(command: name, JSON(parsing: wire.body) ?? [:])
    }
    return digest.hexadecimal
  }

  /// Whether the server was made ready with such commands, and its clock stands still until all begin.
  func isReady(_ commands: String) throws(TargetProblem) -> Bool {
    let (response, _) = try ask(Self.health)
    guard let body = response.body, let moment = response.moment,
      let reading = body["clock"]?.string.flatMap({ Instant($0) })
    else { throw withoutControl(response.status) }
    return body["commands"]?.string == commands && reading < moment
  }

  func checkDomain() throws(TargetProblem) {
    let (response, _) = try ask(Self.health)
    guard response.status == 200, let domain = response.body?["domain"]?.string else {
      throw withoutControl(response.status)
    }
    guard domain == Contract.domain else {
      throw .unsuitable(
        "the server is a twin of \(printable(domain)), and the run needs one of \(Contract.domain)"
      )
    }
  }

  private static var health: WireRequest { WireRequest("GET", "/_rehearsal/health") }

  /// What the server's clock shows, and when.
  ///
  /// The quickest of many answers tells best: that it was read half-way then is wrong by less than any other request takes one way, so
  /// that a moment that the server names lies between a request's leaving and its answer.
  func clockReading() throws(TargetProblem) -> (instant: Instant, nanoseconds: UInt64) {
    var best: (instant: Instant, nanoseconds: UInt64, took: UInt64)?
    for _ in 0..<Self.readings {
      let sent = clock.nanoseconds()
      let (response, answered) = try ask(Self.health)
      guard response.status == 200,
        let now = response.body?["clock"]?.string.flatMap({ Instant($0) }) ?? response.moment
      else {
        throw withoutControl(response.status)
      }
      let took = answered - sent
      if took < best?.took ?? .max { best = (now, sent + took / 2, took) }
    }
    return (best!.instant, best!.nanoseconds)
  }

  private static var readings: Int { 24 }

  /// The number of the last signal that the server has sent so far.
  func lastSignal() throws(TargetProblem) -> Int {
    let (response, _) = try ask(
      WireRequest("GET", SentSignal.target(of: Contract.domain, after: 0)))
    guard response.status == 200, let list = response.body.flatMap(SentSignal.list) else {
      throw withoutControl(response.status)
    }
    return list.last?.number ?? 0
  }

  /// Carries out a command of a fixture; one that the backend's own rules refuse is refused as it would be in process.
  func obey(_ request: Contract.Request) throws(TargetProblem) -> Outcome<Contract> {
    let (response, _) = try ask(Contract.write(request, credential: nil, tokens: tokens))
    guard let result = Contract.read(response, to: request) else {
      throw .unsuitable(
        "the server of \(Contract.domain) refuses to load the population: it answers \(response.status)\(Self.said(response)) to \(Contract.show(request).description.prefix(200))"
      )
    }
    return Outcome(result)
  }

  /// What a server said beside its status, which names what it objects to.
  private static func said(_ response: WireResponse) -> String {
    guard let body = response.body else { return "" }
    return " (\(printable(body.description, limit: 400)))"
  }

  private func demand(_ command: String, _ parameters: JSON) throws(TargetProblem) {
    let (response, _) = try ask(
      WireRequest(
        "POST", "/_rehearsal/\(Contract.domain)/\(command)",
        headers: [WireHeader("Content-Type", "application/json")], body: parameters.bytes))
    guard (200..<300).contains(response.status) else { throw withoutControl(response.status) }
  }

  private func withoutControl(_ status: Int) -> TargetProblem {
    .unsuitable(
      "the server of \(Contract.domain) answers \(status) where a served twin takes the operator's commands; start it with: rehearse serve --control --domain \(Contract.domain) --scenario FILE"
    )
  }

  private func ask(
    _ request: WireRequest, as person: PersonID? = nil
  ) throws(TargetProblem) -> (WireResponse, answered: UInt64) {
    var ended: WireEnding?
    client.send(
      request, of: Contract.domain, as: person, for: .ofHarness,
      timeOut: ServerControl<Contract>.patience
    ) {
      ended = $0
    }
    while ended == nil { client.rest(until: clock.nanoseconds() + 100_000_000) }
    switch ended!.answer {
    case .response(let response): return (response, ended!.nanoseconds)
    case .unreached(_, let why): throw .unreachable("the server of \(Contract.domain): \(why)")
    case .lost:
      throw .unreachable("the server of \(Contract.domain) gives no answer to the operator")
    }
  }
}

extension ServerControl {
  /// How long a command of the operator may take.
  static var patience: Span { .seconds(30) }
}
