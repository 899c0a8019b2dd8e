/// What a client knows of a request that it made.
public enum Outcome<Contract: ServiceContract>: Hashable, Sendable {
  /// It happened. A batch carries its per-item results in the reply.
  case replied(Contract.Reply)
  /// The backend said no: it did not happen.
  case refused(Contract.Refusal)
  /// It certainly did not happen, because it never left.
  case unsent(UnsentCause)
  /// It may have happened.
  case unknown(UnknownCause)

  public init(_ result: Result<Contract.Reply, Contract.Refusal>) {
    switch result {
    case .success(let reply): self = .replied(reply)
    case .failure(let refusal): self = .refused(refusal)
    }
  }

  public var reply: Contract.Reply? {
    if case .replied(let reply) = self { reply } else { nil }
  }

  public var refusal: Contract.Refusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }

  public var isReplied: Bool { if case .replied = self { true } else { false } }

  /// Whether the backend answered at all, with yes or with no.
  public var isAnswered: Bool {
    switch self {
    case .replied, .refused: true
    case .unsent, .unknown: false
    }
  }

  /// `replied`, `refused`, `unsent`, `unknown`: the class as files name it.
  public var className: String {
    switch self {
    case .replied: "replied"
    case .refused: "refused"
    case .unsent: "unsent"
    case .unknown: "unknown"
    }
  }
}

public enum UnsentCause: String, Hashable, Sendable {
  case offline, connectionRefused
  /// Before a server of one's own: no row of the feeder says who the caller is there.
  case noRow
  /// Over a wire: there was no way to the host, no connection in time, or no trusted encryption.
  case unreachable, connectTimeOut, tls

  /// Whether no server is to blame: it was not asked.
  public var isNotAsked: Bool { self == .offline || self == .noRow }
}

public enum UnknownCause: String, Hashable, Sendable {
  case timedOut, connectionReset, serverError, unparsable
  /// Over a wire: the answer ended before it was whole.
  case truncated
  /// Over a wire: an answer of a status that the operation declares, which does not follow what it declares.
  case contractViolation
  /// Over a wire: an answer of a status that the operation does not declare.
  case unexpectedStatus
  /// The run ended while the request was under way.
  case runEnded
}
