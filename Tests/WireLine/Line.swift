import Contracts
import Testing
import Timekeeping
import Tokens

/// Asks a twin over the wire mapping, both ways, and keeps what comes later or unasked.
public struct Line<Model: Twin> where Model.Contract: WireContract {
  public typealias Contract = Model.Contract

  public var twin: Model
  /// Requests whose answers are still to come.
  public private(set) var waiting: [Ticket: Contract.Request] = [:]
  /// Answers that came later, in the order of their coming.
  public private(set) var late: [(request: Contract.Request, outcome: Outcome<Contract>)] = []
  public private(set) var signals: [Addressed<Contract>] = []

  /// Whether signals are read again from what is shown of them.
  private let hearsSignals: Bool

  /// - Parameter hearsSignals: No, where all signals go to an environment that no server shows.
  public init(_ twin: Model, hearsSignals: Bool = true) {
    self.twin = twin
    self.hearsSignals = hearsSignals
  }

  /// The outcome, or `nil` when it is still to come.
  public mutating func ask(
    _ request: Contract.Request, with credential: Contract.Credential? = nil, at now: Instant
  ) -> Outcome<Contract>? {
    let wire = Contract.write(request, credential: credential, tokens: codec)
    let (heard, proof) = Contract.read(wire)
    let handled = twin.handle(heard, from: .client(proof), at: now)
    defer { take(handled.effects) }
    switch handled.answer {
    case .now(let result): return carried(result, to: request)
    case .later(let ticket):
      waiting[ticket] = request
      return nil
    }
  }

  /// A request that has no route: of the environment or an operator.
  public mutating func tell(
    _ request: Contract.Request, from caller: Caller<Contract>, at now: Instant
  ) throws {
    let wire = Contract.write(request, credential: nil, tokens: codec)
    let path = WireTarget(parsing: wire.target).path
    try #require(path.starts(with: ["_rehearsal", Contract.domain]) && path.count == 3)
    let heard = try Contract.control(path[2], try #require(JSON(parsing: wire.body)))
    #expect(heard == request)
    take(twin.handle(heard, from: caller, at: now).effects)
  }

  public mutating func advance(to now: Instant) { take(twin.advance(to: now)) }

  private mutating func take(_ effects: Effects<Contract>) {
    signals += effects.signals
    if hearsSignals, Contract.self is any DeclaredContract.Type {
      for sent in effects.signals {
        let shown = Contract.show(sent.signal, to: sent.address, tokens: codec)
        #expect(Contract.heard(shown, by: codec)?.address == sent.address, "\(shown)")
      }
    }
    for completion in effects.completions {
      guard let request = waiting.removeValue(forKey: completion.ticket) else { continue }
      late.append((request, carried(completion.result, to: request)))
    }
  }

  private func carried(
    _ result: Result<Contract.Reply, Contract.Refusal>, to request: Contract.Request
  ) -> Outcome<Contract> {
    let response = sent(Contract.write(result, to: request, tokens: codec))
    return Contract.read(response, to: request).map { Outcome($0) } ?? .unknown(.unparsable)
  }
}

public let codec = TokenSignatures(secret: "a secret of the tests, long enough for HS256")

/// A response as the network brings it: a document as its bytes parse.
public func sent(_ response: WireResponse) -> WireResponse {
  var response = response
  if let document = response.body { response.body = JSON(parsing: document.bytes) }
  return response
}

/// A request comes back from the wire as it went, with its credential.
public func expectRoundTrip<Contract: WireContract>(
  _ contract: Contract.Type, _ request: Contract.Request,
  with credential: Contract.Credential? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let wire = Contract.write(request, credential: credential, tokens: codec)
  let back = Contract.read(wire)
  #expect(back.request == request, sourceLocation: sourceLocation)
  #expect(back.credential == credential, sourceLocation: sourceLocation)
}

/// An answer comes back from the wire as it went.
public func expectRoundTrip<Contract: WireContract>(
  _ contract: Contract.Type, _ result: Result<Contract.Reply, Contract.Refusal>,
  to request: Contract.Request, sourceLocation: SourceLocation = #_sourceLocation
) {
  let response = sent(Contract.write(result, to: request, tokens: codec))
  #expect(
    Contract.read(response, to: request).map { Outcome<Contract>($0) } == Outcome(result),
    sourceLocation: sourceLocation)
}

/// Every request has an operation, and operations have names of their own.
public func expectOperations<Contract: WireContract>(
  _ contract: Contract.Type, _ requests: [Contract.Request]
) {
  #expect(Set(Contract.operations.map(\.name)).count == Contract.operations.count)
  #expect(
    Set(requests.map(Contract.operation(of:))) == Set(Contract.operations.indices),
    "some operation has no request here, or some request no operation")
  for request in requests { _ = Contract.show(request) }
}
