import Timekeeping

/// An in-process implementation of a backend: a deterministic state machine without clock, randomness or I/O.
public protocol Twin<Contract>: Sendable {
  associatedtype Contract: ServiceContract
  /// What this cell tells the cells of other regions at a barrier; `Never` when it tells nothing.
  associatedtype Publication: Sendable = Never

  /// Answers one request at one instant; instants never fall. Whoever calls has advanced the twin past everything
  /// that was due before or at that instant: timers run before requests.
  mutating func handle(
    _ request: Contract.Request, from caller: Caller<Contract>, at now: Instant
  ) -> Handled<Contract>

  /// When the twin next has something to do by itself: reminders, expiring offers, waiting polls.
  var nextDue: Instant? { get }

  /// Does everything that is due up to and including an instant. A timer takes effect at the instant at which it was
  /// due, however late the call comes; its signals leave with the call.
  mutating func advance(to now: Instant) -> Effects<Contract>

  /// Nobody waits for a ticket's answer any more: its client has given up or is gone.
  mutating func abandon(_ ticket: Ticket)

  /// Who a credential proves its caller to be, by the names that the domain declares (`WorldDeclaration.callers`); `nil` where it proves
  /// nothing. For servers that are told so in plain headers.
  func facts(of credential: Contract.Credential, at now: Instant) -> [String: String]?

  /// What other regions may know of this cell from now on.
  func publication(at now: Instant) -> Publication?

  /// Takes in what all cells published at the last barrier, in region order, its own included.
  mutating func read(_ publications: [Publication])
}

extension Twin {
  public func facts(of credential: Contract.Credential, at now: Instant) -> [String: String]? {
    nil
  }
  public var nextDue: Instant? { nil }
  public mutating func advance(to now: Instant) -> Effects<Contract> { Effects() }
  public mutating func abandon(_ ticket: Ticket) {}
}

extension Twin where Publication == Never {
  public func publication(at now: Instant) -> Never? { nil }
  public mutating func read(_ publications: [Never]) {}
}

/// Who asks. A twin knows no persons: whoever calls is what the credential proves.
public enum Caller<Contract: ServiceContract>: Hashable, Sendable {
  case client(Contract.Credential?)
  /// The operator of the twin: control commands.
  case administration
  /// The world outside the backend: push feedback, key sets.
  case environment
  /// Rehearsal itself: inspection.
  case harness
}

/// What a call did.
public struct Handled<Contract: ServiceContract>: Sendable {
  public enum Answer: Sendable {
    case now(Result<Contract.Reply, Contract.Refusal>)
    /// Known later: a `Completion` with this ticket will follow (a long poll, a key set to be fetched first).
    case later(Ticket)
  }

  public var answer: Answer
  public var work: Work
  public var effects: Effects<Contract>

  public init(_ answer: Answer, work: Work = Work(), effects: Effects<Contract> = Effects()) {
    self.answer = answer
    self.work = work
    self.effects = effects
  }

  public static func replied(
    _ reply: Contract.Reply, work: Work = Work(), effects: Effects<Contract> = Effects()
  ) -> Handled {
    Handled(.now(.success(reply)), work: work, effects: effects)
  }

  public static func refused(_ refusal: Contract.Refusal, work: Work = Work()) -> Handled {
    Handled(.now(.failure(refusal)), work: work)
  }
}

/// Names an answer that is still to come; no two of a twin's life are equal. It is completed at most once, by a later
/// call than the one that gave it, perhaps after its client has given up; whoever waits drops what comes too late.
public struct Ticket: Hashable, Sendable {
  public let number: UInt64
  public init(_ number: UInt64) { self.number = number }
}

/// What a call or a timer caused beside its own answer.
public struct Effects<Contract: ServiceContract>: Sendable {
  public var signals: [Addressed<Contract>] = []
  public var completions: [Completion<Contract>] = []
  public var searches = Searches()

  public init(
    signals: [Addressed<Contract>] = [], completions: [Completion<Contract>] = []
  ) {
    self.signals = signals
    self.completions = completions
  }

  public var isEmpty: Bool { signals.isEmpty && completions.isEmpty && searches.attempts == 0 }
}

/// What a call or a timer searched through to find a counterpart for something that waits, as a driver for an order.
public struct Searches: Hashable, Sendable {
  public var attempts: Int
  /// Candidates that were looked at.
  public var examined: Int

  public init(attempts: Int = 0, examined: Int = 0) {
    self.attempts = attempts
    self.examined = examined
  }

  public static func + (a: Searches, b: Searches) -> Searches {
    Searches(attempts: a.attempts + b.attempts, examined: a.examined + b.examined)
  }

  public static func - (a: Searches, b: Searches) -> Searches {
    Searches(attempts: a.attempts - b.attempts, examined: a.examined - b.examined)
  }
}

/// A signal on its way to an address.
public struct Addressed<Contract: ServiceContract>: Sendable {
  public let address: Contract.Address
  public let signal: Contract.Signal

  public init(to address: Contract.Address, _ signal: Contract.Signal) {
    self.address = address
    self.signal = signal
  }
}

/// The answer that a ticket promised.
public struct Completion<Contract: ServiceContract>: Sendable {
  public let ticket: Ticket
  public let result: Result<Contract.Reply, Contract.Refusal>

  public init(_ ticket: Ticket, _ result: Result<Contract.Reply, Contract.Refusal>) {
    self.ticket = ticket
    self.result = result
  }
}

/// What a call cost, in units that a service model can price.
public struct Work: Hashable, Sendable {
  public var rowsRead: Int
  public var rowsWritten: Int
  public var messagesSent: Int
  public var signatures: Int

  public init(rowsRead: Int = 0, rowsWritten: Int = 0, messagesSent: Int = 0, signatures: Int = 0) {
    self.rowsRead = rowsRead
    self.rowsWritten = rowsWritten
    self.messagesSent = messagesSent
    self.signatures = signatures
  }

  public static func + (a: Work, b: Work) -> Work {
    Work(
      rowsRead: a.rowsRead + b.rowsRead, rowsWritten: a.rowsWritten + b.rowsWritten,
      messagesSent: a.messagesSent + b.messagesSent, signatures: a.signatures + b.signatures)
  }
}
