import Timekeeping

/// An in-process implementation of a backend: a deterministic state machine without clock, randomness or I/O.
package protocol Twin<Agreement>: Sendable {
  associatedtype Agreement: Contract
  /// What this cell tells the cells of other regions at an exchange point; `Never` when it tells nothing.
  associatedtype Publication: Sendable = Never

  /// Answers one request at one instant; instants never fall. Whoever calls has advanced the twin past everything
  /// that was due before or at that instant: timers run before requests.
  mutating func handle(
    _ request: Agreement.Request, from caller: Caller<Agreement>, at now: Instant
  ) -> Handled<Agreement>

  /// When the twin next has something to do by itself: reminders, expiring offers, waiting polls.
  var nextDue: Instant? { get }

  /// Does everything that is due up to and including an instant. A timer takes effect at the instant at which it was
  /// due, however late the call comes; its signals leave with the call.
  mutating func advance(to now: Instant) -> Effects<Agreement>

  /// What other regions may know of this cell from now on.
  func publication(at now: Instant) -> Publication?

  /// Takes in what all cells published at the last exchange point, in region order, its own included.
  mutating func read(_ publications: [Publication])
}

extension Twin {
  package var nextDue: Instant? { nil }
  package mutating func advance(to now: Instant) -> Effects<Agreement> { Effects() }
}

extension Twin where Publication == Never {
  package func publication(at now: Instant) -> Never? { nil }
  package mutating func read(_ publications: [Never]) {}
}

/// Who asks. A twin knows no persons: whoever calls is what the credential proves.
package enum Caller<Agreement: Contract>: Hashable, Sendable {
  case client(Agreement.Credential?)
  /// The operator of the twin: control commands.
  case administration
  /// The world outside the backend: push feedback, key sets.
  case environment
  /// Rehearsal itself: inspection.
  case harness
}

/// What a call did.
package struct Handled<Agreement: Contract>: Sendable {
  package enum Answer: Sendable {
    case now(Result<Agreement.Reply, Agreement.Refusal>)
    /// Known later: a `Completion` with this ticket will follow (a long poll, a key set to be fetched first).
    case later(Ticket)
  }

  package var answer: Answer
  package var work: Work
  package var effects: Effects<Agreement>

  package init(_ answer: Answer, work: Work = Work(), effects: Effects<Agreement> = Effects()) {
    self.answer = answer
    self.work = work
    self.effects = effects
  }

  package static func replied(
    _ reply: Agreement.Reply, work: Work = Work(), effects: Effects<Agreement> = Effects()
  ) -> Handled {
    Handled(.now(.success(reply)), work: work, effects: effects)
  }

  package static func refused(_ refusal: Agreement.Refusal, work: Work = Work()) -> Handled {
    Handled(.now(.failure(refusal)), work: work)
  }
}

/// Names an answer that is still to come; no two of a twin's life are equal. It is completed at most once, by a later
/// call than the one that gave it, perhaps after its client has given up; whoever waits drops what comes too late.
package struct Ticket: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// What a call or a timer caused beside its own answer.
package struct Effects<Agreement: Contract>: Sendable {
  package var signals: [Addressed<Agreement>] = []
  package var completions: [Completion<Agreement>] = []

  package init(
    signals: [Addressed<Agreement>] = [], completions: [Completion<Agreement>] = []
  ) {
    self.signals = signals
    self.completions = completions
  }

  package var isEmpty: Bool { signals.isEmpty && completions.isEmpty }
}

/// A signal on its way to an address.
package struct Addressed<Agreement: Contract>: Sendable {
  package let address: Agreement.Address
  package let signal: Agreement.Signal

  package init(to address: Agreement.Address, _ signal: Agreement.Signal) {
    self.address = address
    self.signal = signal
  }
}

/// The answer that a ticket promised.
package struct Completion<Agreement: Contract>: Sendable {
  package let ticket: Ticket
  package let result: Result<Agreement.Reply, Agreement.Refusal>

  package init(_ ticket: Ticket, _ result: Result<Agreement.Reply, Agreement.Refusal>) {
    self.ticket = ticket
    self.result = result
  }
}

/// What a call cost, in units that a service model can price.
package struct Work: Hashable, Sendable {
  package var rowsRead: Int
  package var rowsWritten: Int
  package var messagesSent: Int
  package var signatures: Int

  package init(rowsRead: Int = 0, rowsWritten: Int = 0, messagesSent: Int = 0, signatures: Int = 0) {
    self.rowsRead = rowsRead
    self.rowsWritten = rowsWritten
    self.messagesSent = messagesSent
    self.signatures = signatures
  }

  package static func + (a: Work, b: Work) -> Work {
    Work(
      rowsRead: a.rowsRead + b.rowsRead, rowsWritten: a.rowsWritten + b.rowsWritten,
      messagesSent: a.messagesSent + b.messagesSent, signatures: a.signatures + b.signatures)
  }
}
