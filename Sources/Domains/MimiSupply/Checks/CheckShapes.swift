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
  /// Judges each exchange of some operations by itself.
  static func each(
    _ limit: LimitID, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (MSExchange, inout Judge) -> Void
  ) -> MSCheck {
    Check(
      limit, concerns: operations,
      .reply { record, verdict in
        if case .request(let exchange) = record.event { judge(exchange, &verdict) }
      })
  }

  /// Judges each operation of each `records/modify` by itself, with its outcome; `nil` where the whole request was
  /// refused, and never when its outcome is unknown.
  static func eachWrite(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (Modification.Item, ItemResult?, MSExchange, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .asking(.modify)) { exchange, verdict in
      exchange.forEachWrite { item, result in judge(item, result, exchange, &verdict) }
    }
  }

  /// Judges each record that an answer shows by itself.
  static func eachShown(
    _ limit: LimitID, of type: String,
    _ judge: @escaping @Sendable (CloudRecord, MSExchange, inout Judge) -> Void
  ) -> MSCheck {
    each(limit, .showing) { exchange, verdict in
      for record in exchange.shown where record.type == type { judge(record, exchange, &verdict) }
    }
  }

  /// Judges each note of a client by itself.
  static func note(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (MimiSupply.Note, Instant, inout Judge) -> Void
  ) -> MSCheck {
    Check(
      limit, concerns: [.notes],
      .reply { record, verdict in
        if case .note(let note) = record.event { judge(note, record.time, &verdict) }
      })
  }

  /// Judges all records of one person, as an own value does it.
  static func byPerson(
    _ limit: LimitID, _ concerns: Set<Concern>,
    _ start: @escaping @Sendable () -> any FormerHistory<MimiSupply>
  ) -> MSCheck {
    Check(
      limit, concerns: concerns,
      .history(
        keys: { record in record.person.map { [.person($0)] } ?? [] }, start: { _ in start() }))
  }

  /// Judges all records of one city, as an own value does it.
  static func inCity(
    _ limit: LimitID, _ concerns: Set<Concern>,
    _ start: @escaping @Sendable () -> any FormerHistory<MimiSupply>
  ) -> MSCheck {
    Check(
      limit, concerns: concerns,
      .history(keys: { [.number($0.cell)] }, start: { _ in start() }))
  }
}

extension Exchange<MimiSupply> {
  var content: ReplyContent? { outcome.reply?.content }
  var failure: Failure? { outcome.refusal?.failure }
  var isUnknown: Bool { if case .unknown = outcome { true } else { false } }

  /// From the moment at which the request left to the moment at which its effect was certain to be over; an unknown
  /// request may still work later.
  var during: ClosedRange<Instant> { sent...(isUnknown ? .distantFuture : max(sent, answered)) }

  /// Every operation of a `records/modify` with what became of it; `nil` where the whole request was refused. None
  /// when its outcome is unknown.
  func forEachWrite(_ body: (Modification.Item, ItemResult?) -> Void) {
    guard case .modify(_, let modification) = request, !isUnknown else { return }
    var results: [ItemResult]?
    if case .items(let items)? = content, items.count == modification.items.count {
      results = items
    }
    for (index, item) in modification.items.enumerated() { body(item, results?[index]) }
  }

  /// The same as a list.
  var writes: [(item: Modification.Item, result: ItemResult?)] {
    var writes: [(item: Modification.Item, result: ItemResult?)] = []
    forEachWrite { writes.append(($0, $1)) }
    return writes
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
