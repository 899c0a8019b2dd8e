import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

extension MimiSupply: Observed {
  public typealias Asked = SeenCall
  public typealias Command = Control
  public typealias Shown = Inspected

  public static func command(in request: Request) -> Control? {
    if case .control(let command) = request { command } else { nil }
  }

  public static func shown(
    in reply: Reply, at moment: Moment, after last: Inspected?
  ) -> Inspected? {
    guard case .shown(let document) = reply.content else { return nil }
    let shown = last ?? Inspected()
    shown.take(document, at: moment.time)
    return shown
  }
}

/// One request with its outcome as all checks look at it: what it wrote and what it showed, read once.
public final class SeenCall: CallView {
  /// Whose the request's token is.
  struct Bearer {
    let user: UserName
    let device: DeviceName?
    let session: AccountFacts.Session
  }

  let call: MSCall
  let writes: Writes
  /// Every record that the answer shows.
  let shown: [CloudRecord]
  /// Those of them that are orders.
  let orders: [ShownOrder]
  /// Those of them that are drivers and show all of one.
  let drivers: [CloudRecord]
  /// What is wrong with the fields of each record that was saved or looked up, by its place among the results.
  private(set) lazy var readings = readFields()
  /// Records that a lookup shows whole.
  private(set) lazy var lookedUp = readLookedUp()
  /// Whether every record of the answer has all its fields.
  private(set) lazy var showsWholeRecords =
    switch request {
    case .query(_, let asked): asked.desiredKeys == nil
    case .lookup(_, let asked):
      asked.desiredKeys == nil && asked.items.allSatisfy { $0.desiredKeys == nil }
    case .changes(_, let asked): asked.desiredKeys == nil
    case .modify(_, let asked): asked.items.allSatisfy { $0.desiredKeys == nil }
    default: false
    }
  /// `nil` while `AccountFacts` were not asked, or do not know.
  var bearer: Bearer?
  /// `nil` while `AppOnDevice` was not asked.
  var isOfApp: Bool?

  public static func of(_ call: Call<MimiSupply>, at moment: Moment) -> SeenCall {
    SeenCall(call)
  }

  init(_ call: MSCall) {
    self.call = call
    writes = call.writes
    shown = call.shown
    var orders: [ShownOrder] = []
    var drivers: [CloudRecord] = []
    for record in shown {
      switch record.type {
      case .order: orders.append(ShownOrder(record))
      case .driver: if record.isWhole { drivers.append(record) }
      default: break
      }
    }
    self.orders = orders
    self.drivers = drivers
  }

  private func readFields() -> [SchemaReading?] {
    results.map { $0.record.map(SchemaReading.init) }
  }

  private func readLookedUp() -> [SchemaReading] {
    guard case .lookup(_, let lookup) = request, lookup.desiredKeys == nil,
      readings.count == lookup.items.count
    else { return [] }
    return zip(lookup.items, readings).compactMap { $0.desiredKeys == nil ? $1 : nil }
  }

  /// What came of each operation of a `records/modify`, or of each name that was looked up.
  var results: [ItemResult] { if case .items(let items)? = content { items } else { [] } }

  var request: MimiSupply.Request { call.request }
  var credential: MimiSupply.Credential? { call.credential }
  var sent: Instant { call.sent }
  /// By the client's own clock: what the client keeps is judged by it.
  var intended: Instant { call.intended }
  var answered: Instant { call.answered }
  var outcome: Outcome<MimiSupply> { call.outcome }
  var attempt: Int { call.attempt }
  var content: ReplyContent? { call.content }
  var failure: Failure? { call.failure }
  var isUnknown: Bool { call.isUnknown }
  var during: ClosedRange<Instant> { call.during }

  /// The records of one type that the answer shows.
  func shown(_ type: RecordType) -> some Sequence<CloudRecord> {
    shown.lazy.filter { $0.type == type }
  }
}

/// An order in an answer, with what most rules ask of it.
struct ShownOrder: Sendable {
  let record: CloudRecord
  /// The status in the backend's words.
  let stored: String?
  let status: OrderStatus?
  let customer: UserName?
  let partner: RecordName?
  let driver: RecordName?
  /// The answer shows who ordered what of whom and how far it is, and not what `desiredKeys` or a supply query left of
  /// it.
  let isWhole: Bool
  /// It shows what was ordered, and how far it is.
  let hasItems: Bool

  var name: RecordName { record.name }

  init(_ record: CloudRecord) {
    self.record = record
    stored = record[Order.status]
    status = stored.flatMap(OrderStatus.of)
    customer = record[Order.customer]
    partner = record[Order.partner]
    driver = record[Order.driver]
    isWhole = stored != nil && customer != nil && partner != nil
    hasItems =
      record.fields[.items] != nil && (stored != nil || record.fields[.status] != nil)
  }
}
