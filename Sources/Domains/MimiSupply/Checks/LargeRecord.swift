import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Records near the limit of MS-04.
struct LargeRecords: History {
  static let scope = Scope<MimiSupply>.cell

  private let settings: PlatformSettings
  /// The last state of each that an answer showed.
  private var last: [RecordName: CloudRecord] = [:]

  /// What the twin may add by itself: counters and moments.
  private static let slack = 512
  /// To a product that has its moments nothing is added, so that the limit is exact.
  private static func slack(of item: Modification.Item) -> Int {
    let isWhole = item.kind == .update || item.record.fields.names.contains(.updatedAt)
    return item.record.type == .product && isWhole ? 0 : slack
  }

  /// How near the limit a record is a large one.
  private static let near = 16 << 10

  init(_ settings: PlatformSettings) { self.settings = settings }

  private func isLarge(_ result: ItemResult?) -> Bool {
    if let record = result?.record {
      return record.sizeInBytes > settings.maxRecordBytes - Self.near
    }
    return result?.failure?.mimiReason == "record_too_large"
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    for (item, result) in call.writes where isLarge(result) {
      guard call.sent >= settings.since else { continue }
      if let saved = result?.record {
        let size = saved.sizeInBytes
        judge.expect(size <= settings.maxRecordBytes, "a record of \(size) bytes was stored")
        if item.desiredKeys == nil { last[saved.name] = saved }
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
    let limit = settings.maxRecordBytes
    let alone = item.record.sizeInBytes
    let slack = Self.slack(of: item)
    if alone > limit {
      judge.held()
    } else if let last = item.record.name.flatMap({ last[$0] }),
      last.changeTag == item.record.changeTag, item.kind == .update
    {
      var whole = last.fields
      whole.apply(item.record.fields)
      let size = whole.sizeInBytes
      judge.expect(size + slack > limit, "a record of \(size) bytes was refused as too large")
    } else if item.kind == .create {
      judge.expect(
        alone + slack > limit, "a new record of \(alone) bytes was refused as too large")
    }
  }
}
