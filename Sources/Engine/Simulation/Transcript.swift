import Contracts
import Observations
import Timekeeping

/// The records of one region as lines of `--events`, in the order in which they were seen.
struct Transcript<Agreement: WireContract> {
  private let region: String
  private let replication: Int
  private let stream: EventStream?
  private let person: String?
  private var spool = LineSpool()

  /// `nil` when nobody in this region is transcribed.
  init?(region: String, _ recording: Recording) {
    switch recording.whose {
    case .nobody: return nil
    case .everybody: person = nil
    case .person(let name):
      guard name.hasPrefix(region + "/") else { return nil }
      person = name
    }
    self.region = region
    replication = recording.replication
    stream = recording.stream
  }

  /// Hands out the lines so far.
  mutating func take() -> LineSpool {
    defer { spool = LineSpool() }
    return spool
  }

  mutating func add(_ record: Record<Agreement>, who: String) {
    if let person, person != who { return }
    if let stream, !stream.isOpen { return }
    var line = JSONObject([
      ("replication", .number(replication)), ("world", .string(Agreement.domain)),
      ("region", .string(region)), ("person", .string(who)),
      ("sequence", .int(Int64(record.sequence))),
    ])
    switch record.event {
    case .request(let exchange):
      line["kind"] = "request"
      line["operation"] = .string(Agreement.operations[exchange.operation].name)
      line["intended"] = .string(exchange.intended.precise)
      line["sent"] = .string(exchange.sent.precise)
      line["answered"] = .string(exchange.answered.precise)
      describe(exchange.outcome, in: &line)
      line["attempt"] = .number(exchange.attempt)
      line["request"] = Agreement.show(exchange.request)
    case .signal(let signal):
      line["kind"] = "signal"
      line["answered"] = .string(record.time.precise)
      line["action"] = Agreement.show(signal)
    case .control(let request, let outcome):
      line["kind"] = "control"
      line["sent"] = .string(record.time.precise)
      describe(outcome, in: &line)
      line["request"] = Agreement.show(request)
    case .note(let note):
      line["kind"] = "note"
      line["sent"] = .string(record.time.precise)
      line["action"] = Agreement.show(note)
    case .inspection(let reply):
      line["kind"] = "inspection"
      line["sent"] = .string(record.time.precise)
      line["reply"] = Agreement.show(reply)
    }
    spool.append((JSON.object(line).description + "\n").utf8, in: stream)
  }

  private func describe(_ outcome: Outcome<Agreement>, in line: inout JSONObject) {
    line["outcome"] = .string(outcome.className)
    switch outcome {
    case .replied(let reply): line["reply"] = Agreement.show(reply)
    case .refused(let refusal): line["code"] = .string(refusal.code)
    case .unsent(let cause): line["code"] = .string(cause.rawValue)
    case .unknown(let cause): line["code"] = .string(cause.rawValue)
    }
  }
}
