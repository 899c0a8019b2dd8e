import Contracts
import Timekeeping

extension Record {
  /// The class of records that this one belongs to.
  public var concern: Concern {
    switch event {
    case .request(let exchange): .operation(exchange.operation)
    case .signal: .signals
    case .control: .controls
    case .note: .notes
    case .inspection: .inspections
    }
  }

  /// Everything about the record that a digest promises to cover.
  func mix(into digest: inout Digest) {
    digest.mix(UInt64(bitPattern: time.nanoseconds))
    digest.mix(UInt64(person?.index ?? .max) << 32 | UInt64(sequence))
    switch event {
    case .request(let exchange):
      digest.mix(1)
      digest.mix(exchange.operation)
      digest.mix(UInt64(bitPattern: exchange.intended.nanoseconds))
      digest.mix(UInt64(bitPattern: exchange.sent.nanoseconds))
      digest.mix(UInt64(bitPattern: exchange.answered.nanoseconds))
      exchange.outcome.mix(into: &digest)
    case .signal: digest.mix(2)
    case .control(_, let outcome):
      digest.mix(3)
      outcome.mix(into: &digest)
    case .note: digest.mix(4)
    case .inspection(let reply):
      digest.mix(5)
      Agreement.fingerprint(of: reply, into: &digest)
    }
  }
}

extension Outcome {
  /// What an outcome means for a response time.
  enum Ending {
    case answered
    /// Later than every bound, however early that was known: who fails fast is not fast.
    case unanswered
    /// Nobody knows how long it would have taken.
    case cutOff
    /// The device had no network, so that no backend can be blamed.
    case notAsked
  }

  var ending: Ending {
    switch self {
    case .replied, .refused: .answered
    case .unknown(.runEnded): .cutOff
    case .unknown(.timedOut), .unknown(.connectionReset), .unknown(.serverError),
      .unknown(.unparsable), .unknown(.truncated), .unknown(.contractViolation),
      .unknown(.unexpectedStatus), .unsent(.connectionRefused), .unsent(.unreachable),
      .unsent(.connectTimeOut), .unsent(.tls):
      .unanswered
    case .unsent(.offline): .notAsked
    }
  }

  func mix(into digest: inout Digest) {
    switch self {
    case .replied(let reply):
      digest.mix(1)
      Agreement.fingerprint(of: reply, into: &digest)
    case .refused(let refusal):
      digest.mix(2)
      digest.mix(refusal.code)
    case .unsent(let cause):
      digest.mix(3)
      digest.mix(cause.rawValue)
    case .unknown(let cause):
      digest.mix(4)
      digest.mix(cause.rawValue)
    }
  }
}

extension Exchange {
  fileprivate var wait: SliceLatencies.Wait? {
    switch outcome.ending {
    case .answered: .ended(responseTime)
    case .unanswered, .cutOff: .endless
    case .notAsked: nil
    }
  }
}

extension WorldTally {
  /// Counts a record; response times count when the request was meant for the time after the warm-up.
  public mutating func note<Agreement: Contract>(
    _ record: Record<Agreement>, warmedUp: Instant
  ) {
    record.mix(into: &digest)
    guard case .request(let exchange) = record.event else { return }
    requests += 1
    let isWarm = exchange.intended >= warmedUp
    operations[exchange.operation].count(exchange, isWarm: isWarm)
    for index in windows.indices { windows[index].count(exchange, isWarm: isWarm) }
    load.count(
      sent: exchange.sent, refused: exchange.outcome.refusal != nil,
      lost: !exchange.outcome.isAnswered,
      wait: operations[exchange.operation].isLongPoll ? nil : exchange.wait,
      took: exchange.responseTime)
  }

  /// Counts a latency's beginning or end, in the whole run and in the parts in which it began.
  public mutating func note<Agreement: Contract>(
    _ milestone: BusinessLatency<Agreement>.Milestone, of latency: Int
  ) {
    business[latency].note(milestone)
    for index in windows.indices {
      if case .begins(_, let at) = milestone, !windows[index].contains(at) { continue }
      windows[index].business[latency].note(milestone)
    }
  }

  /// Closes the books of all latencies.
  public mutating func close(at instant: Instant) {
    for index in business.indices { business[index].close(at: instant) }
    for window in windows.indices {
      for index in windows[window].business.indices {
        windows[window].business[index].close(at: instant)
      }
    }
  }
}

extension BusinessTally {
  mutating func note<Agreement: Contract>(_ milestone: BusinessLatency<Agreement>.Milestone) {
    switch milestone {
    case .begins(let key, let at): begin(key, at: at)
    case .ends(let key, let at): end(key, at: at)
    case .abandoned(let key): abandon(key)
    }
  }
}
