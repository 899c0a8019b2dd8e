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

extension WorldTally {
  /// Counts a record; response times count when the request was meant for the time after the warm-up.
  public mutating func note<Agreement: Contract>(
    _ record: Record<Agreement>, warmedUp: Instant
  ) {
    record.mix(into: &digest)
    guard case .request(let exchange) = record.event else { return }
    requests += 1
    let operation = exchange.operation
    switch exchange.outcome {
    case .replied: operations[operation].replied += 1
    case .refused(let refusal): operations[operation].refusals[refusal.code, default: 0] += 1
    case .unsent: operations[operation].unsent += 1
    case .unknown(let cause): operations[operation].unknowns[cause.rawValue, default: 0] += 1
    }
    if exchange.outcome.isAnswered, exchange.intended >= warmedUp {
      operations[operation].latencies.record(exchange.responseTime)
    }
    load.count(
      sent: exchange.sent, refused: exchange.outcome.refusal != nil,
      lost: !exchange.outcome.isAnswered,
      took: exchange.outcome.isAnswered ? exchange.responseTime : nil)
  }
}
