import Contracts
import Timekeeping

extension Record {
  /// The class of records that this one belongs to.
  public var concern: Concern {
    switch event {
    case .request(let call): .operation(call.operation)
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
    case .request(let call):
      digest.mix(1)
      digest.mix(call.operation)
      digest.mix(UInt64(bitPattern: call.intended.nanoseconds))
      digest.mix(UInt64(bitPattern: call.sent.nanoseconds))
      digest.mix(UInt64(bitPattern: call.answered.nanoseconds))
      call.outcome.mix(into: &digest, of: call.operation)
    case .signal: digest.mix(2)
    case .control(_, let outcome):
      digest.mix(3)
      outcome.mix(into: &digest)
    case .note: digest.mix(4)
    case .inspection(let reply):
      digest.mix(5)
      Contract.fingerprint(of: reply, into: &digest)
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
    /// `UnsentCause.isNotAsked`.
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
    case .unsent(.offline), .unsent(.noRow): .notAsked
    }
  }

  /// - Parameter operation: What it answers; `nil` for a command.
  // Inlined, since as a function of its own it would be given a copy.
  @inline(__always)
  func mix(into digest: inout Digest, of operation: Int? = nil) {
    switch self {
    case .replied(let reply):
      digest.mix(1)
      if let operation {
        Contract.fingerprint(of: reply, to: operation, into: &digest)
      } else {
        Contract.fingerprint(of: reply, into: &digest)
      }
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

extension Call {
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
  public mutating func note<Contract: ServiceContract>(
    _ record: Record<Contract>, warmedUp: Instant
  ) {
    record.mix(into: &digest)
    guard case .request(let call) = record.event else { return }
    requests += 1
    let isWarm = call.intended >= warmedUp
    operations[call.operation].count(call, isWarm: isWarm)
    for index in windows.indices { windows[index].count(call, isWarm: isWarm) }
    load.count(
      sent: call.sent, refused: call.outcome.refusal != nil,
      lost: !call.outcome.isAnswered,
      wait: operations[call.operation].isLongPoll ? nil : call.wait,
      took: call.responseTime)
  }

  /// Counts a latency's beginning or end, in the whole run and in the parts in which it began.
  public mutating func note<Contract: ServiceContract>(
    _ milestone: BusinessLatency<Contract>.Milestone, of latency: Int
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
    flow?.close()
    for window in windows.indices {
      for index in windows[window].business.indices {
        windows[window].business[index].close(at: instant)
      }
    }
  }
}

extension BusinessTally {
  mutating func note<Contract: ServiceContract>(_ milestone: BusinessLatency<Contract>.Milestone) {
    switch milestone {
    case .begins(let key, let at): begin(key, at: at)
    case .ends(let key, let at): end(key, at: at)
    case .abandoned(let key): abandon(key)
    }
  }
}
