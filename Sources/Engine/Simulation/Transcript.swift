import Contracts
import Observations
import Timekeeping

/// The records of one region as lines of `--events`, in the order in which they were seen.
struct Transcript<Contract: WireContract> {
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

  mutating func add(_ record: Record<Contract>, who: String) {
    if let person, person != who { return }
    if let stream, !stream.isOpen { return }
    var line = JSONObject([
      ("replication", .number(replication)), ("world", .string(Contract.domain)),
      ("region", .string(region)), ("person", .string(who)),
      ("sequence", .int(Int64(record.sequence))),
    ])
    switch record.event {
    case .request(let call):
      line["kind"] = "request"
      line["operation"] = .string(Contract.operations[call.operation].name)
      line["intended"] = .string(call.intended.precise)
      line["sent"] = .string(call.sent.precise)
      line["answered"] = .string(call.answered.precise)
      describe(call.outcome, in: &line)
      line["attempt"] = .number(call.attempt)
      line["request"] = Contract.show(call.request)
    case .signal(let signal):
      line["kind"] = "signal"
      line["answered"] = .string(record.time.precise)
      line["action"] = Contract.show(signal)
    case .control(let request, let outcome):
      line["kind"] = "control"
      line["sent"] = .string(record.time.precise)
      describe(outcome, in: &line)
      line["request"] = Contract.show(request)
    case .note(let note):
      line["kind"] = "note"
      line["sent"] = .string(record.time.precise)
      line["action"] = Contract.show(note)
    case .inspection(let reply):
      line["kind"] = "inspection"
      line["sent"] = .string(record.time.precise)
      line["reply"] = Contract.show(reply)
    }
    spool.append((JSON.object(line).description + "\n").utf8, in: stream)
  }

  private func describe(_ outcome: Outcome<Contract>, in line: inout JSONObject) {
    line["outcome"] = .string(outcome.className)
    switch outcome {
    case .replied(let reply): line["reply"] = Contract.show(reply)
    case .refused(let refusal): line["code"] = .string(refusal.code)
    case .unsent(let cause): line["code"] = .string(cause.rawValue)
    case .unknown(let cause): line["code"] = .string(cause.rawValue)
    }
  }
}
