import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Writes that wait and writes that go together: MS-88, MS-89, MS-125, MS-128.
enum ClientQueueChecks {
  static let all: [MSCheck] = [
    .byApp(.ms88, .asking(.modify, .lookup)) { EffectWatch() },
    .byApp(.ms89, []) { QueuedOrderWatch() },
    .byApp(.ms125, .asking(.modify)) { BatchWatch() },
    .byApp(.ms128, []) { PriorityWatch() },
  ]
}

/// MS-88: when nothing waits any more, every queued write has worked, or its user was told that it never will; and no
/// creation worked twice.
private struct EffectWatch: AppWatch {
  private struct Waiting {
    let write: QueuedWrite
    let since: Instant
    /// Records of which an answer showed that the write is in them.
    var seen: Set<RecordName> = []
    var creations: [RecordName: Int] = [:]
  }

  private var waiting: [Waiting] = []

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .queued(let write): waiting.append(Waiting(write: write, since: time))
    case .gaveUp(let number, _):
      guard let index = waiting.firstIndex(where: { $0.write.number == number }) else { return }
      waiting.remove(at: index)
      judge.held()
    // A conflict that the server won is an effect too: the merge rules decided.
    case .conflict(let record, _, let end) where end == .serverWon || end == .merged:
      for index in waiting.indices { waiting[index].seen.insert(record) }
    case .drained:
      for one in waiting {
        let missing = one.write.records.filter { !one.seen.contains($0) }
        judge.expect(
          missing.isEmpty && one.creations.allSatisfy { $0.value <= 1 },
          "queued \(one.write.kind.rawValue) of \(one.write.records) "
            + (missing.isEmpty ? "worked twice" : "had no effect on \(missing)"))
      }
      waiting = []
    default: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    guard !waiting.isEmpty else { return }
    for record in call.shown {
      for index in waiting.indices where waiting[index].write.records.contains(record.name) {
        if waiting[index].write.isIn(record) { waiting[index].seen.insert(record.name) }
      }
    }
    for (item, result) in call.writes {
      guard let name = item.record.name, let result else { continue }
      for index in waiting.indices where waiting[index].write.records.contains(name) {
        let isCreation = item.kind == .create
        guard waiting[index].write.creates(name) == isCreation else { continue }
        switch result {
        case .saved:
          waiting[index].seen.insert(name)
          if isCreation { waiting[index].creations[name, default: 0] += 1 }
        // The name is taken by what was sent before and never heard of.
        case .failed(let failed) where failed.failure.code == .exists && isCreation:
          waiting[index].seen.insert(name)
        case .failed, .deleted: break
        }
      }
    }
  }
}

extension QueuedWrite {
  /// Whether it makes this record, rather than changing it.
  fileprivate func creates(_ name: RecordName) -> Bool {
    items.contains { $0.kind == .create && $0.record.name == name }
  }

  /// Whether a state of one of its records shows its effect: it is there, or has what was to be written.
  fileprivate func isIn(_ record: CloudRecord) -> Bool {
    items.contains { item in
      item.record.name == record.name
        && (item.kind == .create
          || item.record.fields.all.allSatisfy { record.fields[text: $0.name] == $0.value })
    }
  }
}

/// MS-89: writes of one record leave in the order in which they were queued.
private struct QueuedOrderWatch: AppWatch {
  private var records: [Int: [RecordName]] = [:]
  private var last: [RecordName: Int] = [:]

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .queued(let write): records[write.number] = write.records
    case .draining(let numbers):
      for number in numbers {
        for record in records[number] ?? [] {
          if let before = last[record] {
            judge.expect(
              before <= number, "write \(number) of \(record) left after the later \(before)")
          }
          last[record] = max(number, last[record] ?? number)
        }
      }
    case .drained:
      records = [:]
      last = [:]
    default: break
    }
  }
}

/// MS-125: what is to be written together leaves in one request.
private struct BatchWatch: AppWatch {
  private var announced: [Instant: Int] = [:]

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    if case .batching(let records) = note { announced[time] = records }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    guard let records = announced.removeValue(forKey: call.intended) else { return }
    let sent = call.sentItems.count
    judge.expect(sent == records, "\(records) records were to be written, \(sent) were sent")
  }
}

/// MS-128: nothing of a lower priority leaves while something of a higher one waits.
private struct PriorityWatch: AppWatch {
  private var waiting: [QueuedWrite] = []

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    switch note {
    case .queued(let write): waiting.append(write)
    case .gaveUp(let number, _): waiting.removeAll { $0.number == number }
    case .drained: waiting = []
    case .draining(let numbers):
      let sent = waiting.filter { numbers.contains($0.number) }
      waiting.removeAll { numbers.contains($0.number) }
      guard let lowest = sent.map(\.kind.priority).min() else { return }
      // What is about one of the same records has to wait its turn (MS-89).
      let records = Set(sent.flatMap(\.records))
      let before = waiting.filter {
        $0.kind.priority > lowest && records.isDisjoint(with: $0.records)
      }
      judge.expect(
        before.isEmpty,
        "\(sent.map(\.kind.rawValue)) left while \(before.map(\.kind.rawValue)) waited")
    default: break
    }
  }
}
