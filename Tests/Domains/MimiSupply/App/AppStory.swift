import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

/// For one rule of the app: records on which its check holds, and records on which it fails.
struct AppCase: Sendable, CustomTestStringConvertible {
  let limit: MimiSupply.Rule
  let holds: @Sendable (inout AppStory) -> Void
  let fails: @Sendable (inout AppStory) -> Void

  init(
    _ limit: MimiSupply.Rule, holds: @escaping @Sendable (inout AppStory) -> Void,
    fails: @escaping @Sendable (inout AppStory) -> Void
  ) {
    self.limit = limit
    self.holds = holds
    self.fails = fails
  }

  var testDescription: String { limit.id.text }
}

/// One phone with the app: what it notes and asks, by hand.
struct AppStory {
  static let start = Instant("2026-03-21T11:00:00Z")!
  var now = Self.start
  private(set) var records: [Record<MimiSupply>] = []

  init() { note(.started(device: "phone", keepsBudget: true)) }

  mutating func note(_ note: AppNote, then pause: Span = .zero) {
    add(.note(.app(note)), at: now)
    now += pause
  }

  /// Asks, and goes on when the answer is there.
  mutating func ask(
    _ request: MimiSupply.Request, _ outcome: Outcome<MimiSupply>, attempt: Int = 1,
    on device: DeviceName = "phone", lasting: Span = .milliseconds(100), waits: Bool = true
  ) {
    let credential = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: "session", deviceID: device)
    add(
      .request(
        Call(
          request: request, operation: MimiSupply.operation(of: request), credential: credential,
          intended: now, sent: now, answered: now + lasting, outcome: outcome, attempt: attempt)),
      at: now + lasting)
    if waits { now += lasting }
  }

  private mutating func add(_ event: Record<MimiSupply>.Event, at time: Instant) {
    records.append(
      Record(
        time: time, person: PersonID(1), sequence: UInt32(records.count), cell: 0, event: event))
  }

  func judged(by limit: MimiSupply.Rule) -> Judge {
    var router = CheckRouter([MimiSupplyChecks.all.first { $0.rule == limit }!])
    for record in records { router.see(record) }
    router.end(at: now)
    return router.judges[0]
  }

  // MARK: Short words

  static let read = MimiSupply.Request.lookup(
    Location(database: "private"), Lookup([.init("order")]))

  static func replied(_ content: ReplyContent) -> Outcome<MimiSupply> {
    .replied(MimiSupply.Reply(content, csn: 0))
  }

  static func refused(
    _ code: Failure.Code, _ native: Failure.Native, after: Span? = nil
  ) -> Outcome<MimiSupply> {
    .refused(
      MimiSupply.Refusal(Failure(code, native, retryAfter: after), uuid: "u", csn: 0))
  }

  static let busy = refused(.tryAgainLater, .zoneBusy, after: .seconds(5))
  static let fine = replied(.items([]))

  static func record(
    _ name: RecordName, _ type: RecordType, _ tag: String = "1", _ fields: Fields = [:]
  ) -> CloudRecord {
    let stamp = Stamp(start, by: "user", on: nil)
    return CloudRecord(
      name: name, type: type, changeTag: tag, zone: Zone(), fields: fields, created: stamp,
      modified: stamp)
  }

  static func write(_ items: [Modification.Item]) -> MimiSupply.Request {
    .modify(Location(database: "private"), Modification(items))
  }

  static func update(
    _ name: RecordName, tag: String? = nil, _ fields: FieldChanges
  ) -> Modification.Item {
    .init(.update, RecordDraft(name: name, changeTag: tag, fields: fields))
  }

  static func create(_ name: RecordName) -> Modification.Item {
    .init(.create, RecordDraft(name: name, type: "Order"))
  }

  static func conflict(
    _ item: Modification.Item, _ server: CloudRecord
  ) -> Outcome<MimiSupply> {
    replied(
      .items([
        .failed(
          ItemFailure(
            item.record.name, Failure(.conflict, .serverRecordChanged),
            conflict: .init(server: server, client: item.record, ancestor: nil)))
      ]))
  }

  static let partners = RecordQuery("Partner")

  static func products(of partner: RecordName) -> RecordQuery {
    RecordQuery("Product", [Filter(.partnerId, .equals, .name(partner))])
  }

  mutating func find(_ query: RecordQuery, _ found: [CloudRecord]) {
    ask(
      .query(Location(database: "public"), Query(query)),
      Self.replied(.found(found, continuationMarker: nil)))
  }

  mutating func queue(
    _ number: Int, _ kind: QueuedKind, _ items: [Modification.Item]
  ) { note(.queued(QueuedWrite(number, kind, database: "private", items))) }
}
