import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

typealias MSExchange = Exchange<MimiSupply>
typealias MSRecord = Record<MimiSupply>
typealias MSCheck = Check<MimiSupply>

extension Concern {
  static func asks(_ operation: MimiSupply.MobileOperation) -> Concern {
    .operation(operation.rawValue)
  }
}

extension Set<Concern> {
  static func asking(_ operations: MimiSupply.MobileOperation...) -> Self {
    Set(operations.map { Concern.asks($0) })
  }

  /// Every operation of a client.
  static let anything = Set(
    MimiSupply.MobileOperation.allCases.filter { $0 != .control && $0 != .inspect }
      .map { Concern.asks($0) })

  /// Every operation whose answer can show records.
  static let showing: Self = .asking(.query, .lookup, .modify, .changes, .selectRole, .signIn)
}

extension Check<MimiSupply> {
  /// Judges each operation of each `records/modify` by itself, with its outcome; `nil` where the whole request was
  /// refused, and never when its outcome is unknown.
  static func eachWrite(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (Modification.Item, ItemResult?, SeenExchange, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .asking(.modify)) { exchange, verdict in
      for (item, result) in exchange.writes { judge(item, result, exchange, &verdict) }
    }
  }

  /// Judges each record that an answer shows by itself.
  static func eachShown(
    _ limit: LimitID, of type: String,
    _ judge: @escaping @Sendable (CloudRecord, SeenExchange, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .showing) { exchange, verdict in
      for record in exchange.shown(type) { judge(record, exchange, &verdict) }
    }
  }
}

extension Exchange<MimiSupply> {
  var content: ReplyContent? { outcome.reply?.content }
  var failure: Failure? { outcome.refusal?.failure }

  /// Every operation of a `records/modify` with what became of it; `nil` where the whole request was refused. None
  /// when its outcome is unknown.
  var writes: Writes {
    guard case .modify(_, let modification) = request, !isUnknown else { return Writes() }
    guard case .items(let results)? = content, results.count == modification.items.count else {
      return Writes(items: modification.items)
    }
    return Writes(items: modification.items, results: results)
  }

  /// Every whole record that the answer shows.
  var shown: [CloudRecord] {
    switch content {
    case .found(let records, _): records
    case .items(let items), .feed(let items, _, _): items.compactMap(\.record)
    case .signedIn(let answer): [answer.userProfile]
    case .roleSelected(let profile): [profile]
    default: []
    }
  }
}

/// The operations of a `records/modify` beside their results, as the request and its answer hold them.
struct Writes: RandomAccessCollection, Sendable {
  fileprivate var items: [Modification.Item] = []
  fileprivate var results: [ItemResult]?

  var startIndex: Int { 0 }
  var endIndex: Int { items.count }

  subscript(index: Int) -> (item: Modification.Item, result: ItemResult?) {
    (items[index], results?[index])
  }
}

extension Judge {
  /// Held, unless there was a problem.
  mutating func decide(_ problem: String?) {
    if let problem { violated(problem) } else { held() }
  }
}

extension ItemResult {
  var record: CloudRecord? { if case .saved(let record) = self { record } else { nil } }
  var failure: Failure? { if case .failed(let item) = self { item.failure } else { nil } }
}

extension RecordDraft {
  /// A text that was sent.
  func text(_ field: String) -> String? {
    if case .string(let text)?? = fields[field] { text } else { nil }
  }

  /// A whole number that was sent.
  func int(_ field: String) -> Int64? {
    if case .int64(let number)?? = fields[field] { number } else { nil }
  }
}
