import Timekeeping

/// What can go wrong with a request between its client and the backend.
///
/// Scenarios, served twins and a domain's own commands say it in these words, and whoever carries requests lets it act.
public enum FaultKind: Hashable, Sendable {
  /// The request never arrives; the client times out.
  case requestLost
  /// The backend acts, its answer never arrives; the client times out.
  case answerLost
  /// The backend's front answers with this status without acting; of a server error the client cannot know that.
  case status(Int, retryAfter: Span?)
  /// Nobody listens: the request certainly does not happen.
  case connectionRefused
  /// The backend acts, and the connection breaks before its answer.
  case connectionReset
  /// The backend acts, and of its answer only a part arrives.
  case truncated
  /// The request arrives twice, and the client hears the first answer.
  case duplicate
  /// The way takes this much longer, there and back together.
  case delay(Span)

  /// What an overloaded or broken front answers: 503 without acting.
  public static let serverError = FaultKind.status(503, retryAfter: nil)

  /// The longest delay that makes sense: longer than every client's patience.
  public static let longestDelay = Span.days(1)
}

/// A kind of fault as files and commands name it.
public struct FaultWord: Hashable, Sendable {
  public let name: String
  public let meaning: String
  /// The kind, where its name says all of it.
  public let kind: FaultKind?

  /// Every kind, in the order in which help shows them.
  public static let all = plain + [status, delay]

  /// The kinds that are said by their names alone.
  public static let plain = [
    FaultWord("requestLost", "the request never arrives; the client waits in vain", .requestLost),
    FaultWord("answerLost", "the backend acts, and its answer never arrives", .answerLost),
    FaultWord(
      "serverError", "the server answers with an error, and the backend has not acted", .serverError
    ),
    FaultWord(
      "connectionRefused", "nobody listens; the client knows at once that nothing happened",
      .connectionRefused),
    FaultWord(
      "connectionReset", "the backend acts, and the connection breaks before its answer",
      .connectionReset),
    FaultWord("truncated", "the backend acts, and only a part of its answer arrives", .truncated),
    FaultWord(
      "duplicate", "the request arrives twice, and the client hears the first answer", .duplicate),
  ]
  /// For whoever sees the status itself: clients of a served twin.
  public static let status = FaultWord(
    "status", "the server answers with a status of its own, and the backend has not acted")
  public static let delay = FaultWord("delay", "answers arrive later by the time that it names")

  private init(_ name: String, _ meaning: String, _ kind: FaultKind? = nil) {
    self.name = name
    self.meaning = meaning
    self.kind = kind
  }
}

extension FaultKind {
  /// As files and commands name it.
  public var name: String {
    if case .delay = self { return FaultWord.delay.name }
    return FaultWord.plain.first { $0.kind == self }?.name ?? FaultWord.status.name
  }
}

/// Which requests a fault meets. What is left out selects nothing: all requests, at any time.
public struct FaultSelection: Hashable, Sendable {
  /// The share of the requests that fit otherwise, in 0...1.
  public var share: Double
  /// The name of an operation; `nil`: every one.
  public var operation: String?
  public var from: Instant?
  /// Until before when.
  public var until: Instant?
  /// After how many requests it is over.
  public var count: Int?

  public init(
    share: Double = 1, operation: String? = nil, from: Instant? = nil, until: Instant? = nil,
    count: Int? = nil
  ) {
    self.share = share
    self.operation = operation
    self.from = from
    self.until = until
    self.count = count
  }

  /// Whether a request fits that is made at an instant, after so many that met the fault; chance decides after that, by the share.
  public func fits(
    operation name: @autoclosure () -> String, at now: Instant, met: Int
  ) -> Bool {
    if let from, now < from { return false }
    if let until, now >= until { return false }
    if let count, met >= count { return false }
    if let operation { return operation == name() }
    return true
  }
}

/// What all faults that meet one request do to it together.
public struct FaultsMet: Hashable, Sendable {
  /// How the request ends; `nil`: as the backend answers it.
  public private(set) var end: FaultKind?
  public private(set) var delay = Span.zero
  public private(set) var isDuplicated = false

  public init() {}

  /// Of several ends the one that comes last counts; but what never was worked on has no answer that could be lost.
  public mutating func add(_ kind: FaultKind) {
    switch kind {
    case .delay(let span): delay += span
    case .duplicate: isDuplicated = true
    case .answerLost, .connectionReset, .truncated: end = end ?? kind
    case .requestLost, .status, .connectionRefused: end = kind
    }
  }
}
