import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What became of one operation of a batch, as far as the client knows.
enum Fate: Sendable {
  case done(CloudRecord)
  case deleted
  case refused(Failure)
  /// It may have happened, at any time since.
  case unknown

  var record: CloudRecord? { if case .done(let record) = self { record } else { nil } }
  var failure: Failure? { if case .refused(let failure) = self { failure } else { nil } }
  var isPossible: Bool { if case .refused = self { false } else { true } }
}

/// Somebody tried to create an order (§3.4).
struct Placing: Sendable {
  let name: RecordName
  let draft: RecordDraft
  /// `nil` when the items are no list of lines.
  let lines: [OrderLine]?
  let during: ClosedRange<Instant>
  let fate: Fate
  /// The order had been created before the request left.
  let isReplay: Bool

  func has(_ field: FieldName) -> Bool { draft.fields.written[field] != nil }
}

/// Somebody tried to change an order.
struct Step: Sendable {
  let order: RecordName
  let kind: Modification.Kind
  let draft: RecordDraft
  let during: ClosedRange<Instant>
  let fate: Fate
  /// The user of the session and his role; `nil` when nobody knows them.
  let user: UserName?
  let role: Role?

  /// The status that the write names, in the specification's words.
  var target: OrderStatus? {
    named.flatMap { OrderStatus.of(OrderStatus.aliases[$0] ?? $0) }
  }

  /// The status as it was written.
  var named: String? { draft[Order.status] }

  /// Whether it names no field but some.
  func names(only fields: FieldNames) -> Bool { draft.fields.names.isSubset(of: fields) }
}

/// An answer that shows a product whose stock is finite.
struct ProductLook: Sendable {
  let product: RecordName
  let stock: Int64?
  let isAvailable: Bool
  let during: ClosedRange<Instant>
}

/// An answer with a partner's figures.
struct FiguresLook: Sendable {
  let partner: RecordName
  let figures: PartnerStats
  let during: ClosedRange<Instant>
}

/// Somebody tried to complete a delivery, or to rate one.
struct CompletionWrite: Sendable {
  let name: RecordName
  let order: RecordName
  let isCreation: Bool
  let draft: RecordDraft
  let during: ClosedRange<Instant>
  let fate: Fate
  let user: UserName?
}

/// Something that was tried, or shown, and is judged when every request that may have met it is known.
enum Attempt: Sendable {
  case placing(Placing)
  case step(Step)
  case look(ProductLook)
  case figures(FiguresLook)
  case completion(CompletionWrite)
}
