import Contracts
import Timekeeping

/// Something that the harness could see.
package struct Record<Agreement: Contract>: Sendable {
  package enum Event: Sendable {
    case request(Exchange<Agreement>)
    case signal(Agreement.Signal)
    /// A command of the twin's operator and what came of it.
    case control(Agreement.Request, Outcome<Agreement>)
    case note(Agreement.Note)
    /// What the harness was shown of the twin's state, at an exchange point or at the end.
    case inspection(Agreement.Reply)
  }

  /// When the harness saw it: for a request, when its outcome was known.
  package let time: Instant
  /// Who saw it; `nil` for control and inspection.
  package let person: PersonID?
  /// Counts a person's records.
  package let sequence: UInt32
  package let cell: Int
  package let event: Event

  package init(time: Instant, person: PersonID?, sequence: UInt32, cell: Int, event: Event) {
    self.time = time
    self.person = person
    self.sequence = sequence
    self.cell = cell
    self.event = event
  }
}

/// One request with its outcome. A check may rely on the interval from `sent` to `answered` alone, never on the
/// order in which the server worked: overlapping intervals are concurrent.
package struct Exchange<Agreement: Contract>: Sendable {
  package let request: Agreement.Request
  package let operation: Int
  package let credential: Agreement.Credential?
  /// When the request should have been sent; response time counts from here.
  package let intended: Instant
  package let sent: Instant
  /// When the outcome was known; for an unknown one, when the client gave up. The effect of an unknown request
  /// may come later still.
  package let answered: Instant
  package let outcome: Outcome<Agreement>
  package let attempt: Int

  package init(
    request: Agreement.Request, operation: Int, credential: Agreement.Credential?,
    intended: Instant, sent: Instant, answered: Instant, outcome: Outcome<Agreement>, attempt: Int
  ) {
    self.request = request
    self.operation = operation
    self.credential = credential
    self.intended = intended
    self.sent = sent
    self.answered = answered
    self.outcome = outcome
    self.attempt = attempt
  }

  /// From the moment at which the request should have been sent to its answer.
  package var responseTime: Span { answered - intended }
}
