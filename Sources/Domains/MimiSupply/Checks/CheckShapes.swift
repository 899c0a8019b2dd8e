import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

typealias MSCall = Call<MimiSupply>
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
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (Modification.Item, ItemResult?, SeenCall, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .asking(.modify)) { call, verdict in
      for (item, result) in call.writes { judge(item, result, call, &verdict) }
    }
  }

  /// Judges each record that an answer shows by itself.
  static func eachShown(
    _ limit: MimiSupply.Rule, of type: RecordType,
    _ judge: @escaping @Sendable (CloudRecord, SeenCall, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .showing) { call, verdict in
      for record in call.shown(type) { judge(record, call, &verdict) }
    }
  }
}

extension Call<MimiSupply> {
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

/// What facts decided about one of several rules; without a problem it held.
struct Decision<Topic: Hashable & Sendable>: Sendable {
  let about: Topic
  let problem: String?
}

extension Check<MimiSupply> {
  /// Judges a rule by what facts decide about it.
  static func decided<Known: Facts<MimiSupply>, Topic>(
    _ limit: MimiSupply.Rule, _ topic: Topic, by known: Known.Type
  ) -> MSCheck where Known.Ripe == Decision<Topic> {
    .ripe(limit, of: known) { decision, _, judge in
      guard decision.about == topic else { return }
      if let problem = decision.problem { judge.violated(problem) } else { judge.held() }
    }
  }
}

extension ItemResult {
  var record: CloudRecord? { if case .saved(let record) = self { record } else { nil } }
  var failure: Failure? { if case .failed(let item) = self { item.failure } else { nil } }
}

extension FieldValue {
  /// A whole number, whatever it stands for.
  var int: Int64? { if case .int64(let number) = self { number } else { nil } }
}
