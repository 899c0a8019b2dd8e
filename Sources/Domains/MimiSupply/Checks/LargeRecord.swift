import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// One record near the limit of MS-04.
struct LargeRecord: History {
  typealias Agreement = MimiSupply

  /// The last state that an answer showed.
  private var last: CloudRecord?

  /// What the twin may add by itself: counters and moments.
  private static let slack = 512

  static func isLarge(_ item: Modification.Item, _ result: ItemResult?) -> Bool {
    if let record = result?.record {
      return record.sizeInBytes > PlatformChecks.maxRecordBytes - (16 << 10)
    }
    return result?.failure?.mimiReason == "record_too_large"
  }

  mutating func see(_ record: MSRecord, _ judge: inout Judge) {
    guard case .request(let exchange) = record.event else { return }
    for (item, result) in exchange.writes where Self.isLarge(item, result) {
      if let saved = result?.record {
        let size = saved.sizeInBytes
        judge.expect(
          size <= PlatformChecks.maxRecordBytes, "a record of \(size) bytes was stored")
        if item.desiredKeys == nil { last = saved }
      } else if let failure = result?.failure {
        judgeRefusal(of: item, failure, &judge)
      }
    }
  }

  private func judgeRefusal(
    of item: Modification.Item, _ failure: Failure, _ judge: inout Judge
  ) {
    guard failure.code == .badRequest, failure.native == .limitExceeded else {
      judge.violated("record_too_large comes with \(failure.code), \(failure.native)")
      return
    }
    let limit = PlatformChecks.maxRecordBytes
    let alone = item.record.sizeInBytes
    if alone > limit {
      judge.held()
    } else if let last, last.changeTag == item.record.changeTag, item.kind == .update {
      var whole = last.fields
      for (field, value) in item.record.fields { whole[field] = value }
      let size = whole.reduce(0) { $0 + $1.key.utf8.count + $1.value.sizeInBytes }
      judge.expect(size + Self.slack > limit, "a record of \(size) bytes was refused as too large")
    } else if item.kind == .create {
      judge.expect(
        alone + Self.slack > limit, "a new record of \(alone) bytes was refused as too large")
    }
  }
}
