import Contracts
import Testing
import Timekeeping
import Tokens

/// Asks a twin over the wire mapping, both ways, and keeps what comes later or unasked.
public struct Line<Copy: Twin> where Copy.Agreement: WireContract {
  public typealias Agreement = Copy.Agreement

  public var twin: Copy
  /// Requests whose answers are still to come.
  public private(set) var waiting: [Ticket: Agreement.Request] = [:]
  /// Answers that came later, in the order of their coming.
  public private(set) var late: [(request: Agreement.Request, outcome: Outcome<Agreement>)] = []
  public private(set) var signals: [Addressed<Agreement>] = []

  public init(_ twin: Copy) { self.twin = twin }

  /// The outcome, or `nil` when it is still to come.
  public mutating func ask(
    _ request: Agreement.Request, with credential: Agreement.Credential? = nil, at now: Instant
  ) -> Outcome<Agreement>? {
    let wire = Agreement.write(request, credential: credential, tokens: codec)
    let (heard, proof) = Agreement.read(wire)
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
    _ request: Agreement.Request, from caller: Caller<Agreement>, at now: Instant
  ) throws {
    let wire = Agreement.write(request, credential: nil, tokens: codec)
    let path = WireTarget(parsing: wire.target).path
    try #require(path.starts(with: ["_rehearsal", Agreement.domain]) && path.count == 3)
    let heard = try Agreement.control(path[2], try #require(JSON(parsing: wire.body)))
    #expect(heard == request)
    take(twin.handle(heard, from: caller, at: now).effects)
  }

  public mutating func advance(to now: Instant) { take(twin.advance(to: now)) }

  private mutating func take(_ effects: Effects<Agreement>) {
    signals += effects.signals
    if Agreement.self is any DeclaredContract.Type {
      for sent in effects.signals {
        let shown = Agreement.show(sent.signal, to: sent.address, tokens: codec)
        #expect(Agreement.heard(shown, by: codec)?.address == sent.address, "\(shown)")
      }
    }
    for completion in effects.completions {
      guard let request = waiting.removeValue(forKey: completion.ticket) else { continue }
      late.append((request, carried(completion.result, to: request)))
    }
  }

  private func carried(
    _ result: Result<Agreement.Reply, Agreement.Refusal>, to request: Agreement.Request
  ) -> Outcome<Agreement> {
    let response = sent(Agreement.write(result, to: request, tokens: codec))
    return Agreement.read(response, to: request).map { Outcome($0) } ?? .unknown(.unparsable)
  }
}

public let codec = HS256(secret: "a secret of the tests, long enough for HS256")

/// A response as the network brings it: a document as its bytes parse.
public func sent(_ response: WireResponse) -> WireResponse {
  var response = response
  if let document = response.body { response.body = JSON(parsing: document.bytes) }
  return response
}

/// A request comes back from the wire as it went, with its credential.
public func expectRoundTrip<Agreement: WireContract>(
  _ contract: Agreement.Type, _ request: Agreement.Request,
  with credential: Agreement.Credential? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let wire = Agreement.write(request, credential: credential, tokens: codec)
  let back = Agreement.read(wire)
  #expect(back.request == request, sourceLocation: sourceLocation)
  #expect(back.credential == credential, sourceLocation: sourceLocation)
}

/// An answer comes back from the wire as it went.
public func expectRoundTrip<Agreement: WireContract>(
  _ contract: Agreement.Type, _ result: Result<Agreement.Reply, Agreement.Refusal>,
  to request: Agreement.Request, sourceLocation: SourceLocation = #_sourceLocation
) {
  let response = sent(Agreement.write(result, to: request, tokens: codec))
  #expect(
    Agreement.read(response, to: request).map { Outcome<Agreement>($0) } == Outcome(result),
    sourceLocation: sourceLocation)
}

/// Every request has an operation, and operations have names of their own.
public func expectOperations<Agreement: WireContract>(
  _ contract: Agreement.Type, _ requests: [Agreement.Request]
) {
  #expect(Set(Agreement.operations.map(\.name)).count == Agreement.operations.count)
  #expect(
    Set(requests.map(Agreement.operation(of:))) == Set(Agreement.operations.indices),
    "some operation has no request here, or some request no operation")
  for request in requests { _ = Agreement.show(request) }
}
