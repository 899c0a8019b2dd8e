import Contracts
import Timekeeping

/// Something that the harness could see.
public struct Record<Contract: ServiceContract>: Sendable {
  /// A reference in each case: whoever looks which it is copies nothing else.
  public enum Event: Sendable {
    case request(Call<Contract>)
    indirect case signal(Contract.Signal)
    /// A command of the twin's operator and what came of it.
    indirect case control(Contract.Request, Outcome<Contract>)
    indirect case note(Contract.Note)
    /// What the harness was shown of the twin's state, at a call point or at the end.
    indirect case inspection(Contract.Reply)
  }

  /// When the harness saw it: for a request, when its outcome was known.
  public let time: Instant
  /// Who saw it; `nil` for control and inspection.
  public let person: PersonID?
  /// Counts a person's records.
  public let sequence: UInt32
  public let cell: Int
  public let event: Event

  public init(time: Instant, person: PersonID?, sequence: UInt32, cell: Int, event: Event) {
    self.time = time
    self.person = person
    self.sequence = sequence
    self.cell = cell
    self.event = event
  }

  /// The same of another call.
  func with(_ call: Call<Contract>) -> Record {
    Record(time: time, person: person, sequence: sequence, cell: cell, event: .request(call))
  }
}

/// What could be seen of the headers that a service sends with every answer.
public enum CommonHeaders: Sendable {
  /// The answer came over no wire, or none came.
  case unseen
  case whole
  /// The first that is missing, by its place among them.
  case lacking(UInt8)
}

/// One request with its outcome. A check may rely on the interval from `sent` to `answered` alone, never on the
/// order in which the server worked: overlapping intervals are concurrent.
///
/// A class, since a record goes through many hands, and a request and its reply are large. It is made when the request is, and whoever
/// carries that writes into it how it ended, before anybody sees it as a record.
public final class Call<Contract: ServiceContract>: @unchecked Sendable {
  private struct Contents {
    var request: Contract.Request
    var credential: Contract.Credential?
    var outcome: Outcome<Contract>
  }

  private let contents: Held
  public let operation: Int
  /// When the request should have been sent; response time counts from here.
  public let intended: Instant
  public private(set) var sent: Instant
  /// When the outcome was known; for an unknown one, when the client gave up. The effect of an unknown request
  /// may come later still.
  public private(set) var answered: Instant
  public let attempt: Int
  /// What the scenario's faults did to it, which is not the backend's doing.
  public var met = FaultsMet()
  public var headers = CommonHeaders.unseen

  public init(
    request: Contract.Request, operation: Int, credential: Contract.Credential?,
    intended: Instant, sent: Instant, answered: Instant, outcome: Outcome<Contract>, attempt: Int
  ) {
    contents = Held(Contents(request: request, credential: credential, outcome: outcome)) {
      // One by one, since the end of the whole would look each of them up.
      withUnsafeMutablePointer(to: &$0.pointee.request) { _ = $0.move() }
      withUnsafeMutablePointer(to: &$0.pointee.credential) { _ = $0.move() }
      withUnsafeMutablePointer(to: &$0.pointee.outcome) { _ = $0.move() }
    }
    self.operation = operation
    self.intended = intended
    self.sent = sent
    self.answered = answered
    self.attempt = attempt
  }

  deinit { contents.end() }

  // They are lent: a copy of any of them goes through the run-time description of its type.

  public var request: Contract.Request {
    _read { yield contents.value(as: Contents.self).pointee.request }
  }
  public var credential: Contract.Credential? {
    _read { yield contents.value(as: Contents.self).pointee.credential }
  }
  public var outcome: Outcome<Contract> {
    _read { yield contents.value(as: Contents.self).pointee.outcome }
  }

  /// For whoever carries it, once.
  public func conclude(_ outcome: consuming Outcome<Contract>, sent: Instant, answered: Instant) {
    contents.value(as: Contents.self).pointee.outcome = outcome
    self.sent = sent
    self.answered = answered
  }

  /// The same call, of which nobody heard how it ended.
  var unheard: Call {
    let call = Call(
      request: request, operation: operation, credential: credential, intended: intended,
      sent: sent, answered: answered, outcome: .unknown(.timedOut), attempt: attempt)
    call.met = met
    return call
  }

  /// From the moment at which the request should have been sent to its answer.
  public var responseTime: Span { answered - intended }
}
