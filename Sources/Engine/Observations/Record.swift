import Contracts
import Timekeeping

/// Something that the harness could see.
public struct Record<Contract: ServiceContract>: Sendable {
  public enum Event: Sendable {
    case request(Call<Contract>)
    indirect case signal(Contract.Signal)
    /// A command of the twin's operator and what came of it.
    indirect case control(Contract.Request, Outcome<Contract>)
    case note(Contract.Note)
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
}

/// One request with its outcome. A check may rely on the interval from `sent` to `answered` alone, never on the
/// order in which the server worked: overlapping intervals are concurrent.
///
/// A class, since a record goes through many hands, and a request and its reply are large.
public final class Call<Contract: ServiceContract>: Sendable {
  private let contents:
    Held<
      (request: Contract.Request, credential: Contract.Credential?, outcome: Outcome<Contract>)
    >
  public let operation: Int
  /// When the request should have been sent; response time counts from here.
  public let intended: Instant
  public let sent: Instant
  /// When the outcome was known; for an unknown one, when the client gave up. The effect of an unknown request
  /// may come later still.
  public let answered: Instant
  public let attempt: Int

  public init(
    request: Contract.Request, operation: Int, credential: Contract.Credential?,
    intended: Instant, sent: Instant, answered: Instant, outcome: Outcome<Contract>, attempt: Int
  ) {
    contents = Held((request, credential, outcome))
    self.operation = operation
    self.intended = intended
    self.sent = sent
    self.answered = answered
    self.attempt = attempt
  }

  deinit { contents.end() }

  public var request: Contract.Request { contents.value.pointee.request }
  public var credential: Contract.Credential? { contents.value.pointee.credential }
  public var outcome: Outcome<Contract> { contents.value.pointee.outcome }

  /// From the moment at which the request should have been sent to its answer.
  public var responseTime: Span { answered - intended }
}
