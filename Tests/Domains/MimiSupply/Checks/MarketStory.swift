import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

/// For one rule: records on which its check holds, and records on which it fails.
struct MarketCase: Sendable, CustomTestStringConvertible {
  let limit: MimiSupply.Rule
  let holds: @Sendable (inout MarketStory) -> Void
  let fails: @Sendable (inout MarketStory) -> Void

  init(
    _ limit: MimiSupply.Rule, holds: @escaping @Sendable (inout MarketStory) -> Void,
    fails: @escaping @Sendable (inout MarketStory) -> Void
  ) {
    self.limit = limit
    self.holds = holds
    self.fails = fails
  }

  var testDescription: String { limit.id.text }
}

/// Records by hand: users `alice` and `bob` (customers), `olga` (partner), `dirk` (driver) and `ada` (admin), each with the
/// session `session-NAME` on `device-NAME`; then whatever a test lets happen.
struct MarketStory {
  static let start = Instant("2026-03-21T11:00:00Z")!
  static let people: [(name: String, role: Role)] = [
    ("alice", .customer), ("bob", .customer), ("olga", .partner), ("dirk", .driver),
    ("ada", .admin),
  ]
  static let fixture = Fixture(
    users: people.map {
      Fixture.User(UserName($0.name), appleUserID: "a-\($0.name)", role: "\($0.role)")
    },
    sessions: people.map {
      Fixture.Session("session-\($0.name)", user: UserName($0.name), deviceID: "device-\($0.name)")
    })

  var records: [Record<MimiSupply>] = []
  var now = Self.start

  /// - Parameter world: Records that are loaded beside the people.
  init(_ world: [Fixture.Entry] = []) {
    var fixture = Self.fixture
    fixture.records = world
    control(.load(fixture))
    now += .minutes(1)
  }

  static func credential(_ name: String?, device: DeviceName? = nil) -> MimiSupply.Credential {
    MimiSupply.Credential(
      apiToken: "mimi-app", userToken: name.map { "session-\($0)" }, deviceID: device)
  }

  // MARK: What can happen

  /// Somebody asks; `lasting` until the answer, then a pause from the moment of asking.
  mutating func ask(
    _ request: MimiSupply.Request, as name: String? = "alice", device: DeviceName? = nil,
    credential: MimiSupply.Credential? = nil, _ outcome: Outcome<MimiSupply>,
    lasting: Span = .milliseconds(100), then pause: Span = .seconds(5),
    meeting fault: FaultKind? = nil
  ) {
    let answered = now + lasting
    let call = Call<MimiSupply>(
      request: request, operation: MimiSupply.operation(of: request),
      credential: credential ?? Self.credential(name, device: device), intended: now,
      sent: now, answered: answered, outcome: outcome, attempt: 1)
    if let fault { call.met.add(fault) }
    record(
      .request(call), at: answered,
      by: Self.people.firstIndex { $0.name == name } ?? Self.people.count)
    now += pause
  }

  /// Somebody writes records, and each operation ends like this.
  mutating func write(
    _ items: [Modification.Item], as name: String? = "alice", in database: String = "private",
    zone: Zone? = nil, atomic: Bool? = nil, _ results: [ItemResult],
    lasting: Span = .milliseconds(100), then pause: Span = .seconds(5),
    meeting fault: FaultKind? = nil
  ) {
    ask(
      .modify(Location(database: database), Modification(items, zone: zone, atomic: atomic)),
      as: name, Self.replied(.items(results)), lasting: lasting, then: pause, meeting: fault)
  }

  /// Somebody reads records by name and is shown these.
  mutating func look(
    _ names: [RecordName], as name: String? = "alice", in database: String = "private",
    _ results: [ItemResult], lasting: Span = .milliseconds(100), then pause: Span = .seconds(5)
  ) {
    ask(
      .lookup(Location(database: database), Lookup(names.map { .init($0) })), as: name,
      Self.replied(.items(results)), lasting: lasting, then: pause)
  }

  mutating func note(_ note: MimiSupply.Note, as name: String = "alice") {
    record(.note(note), at: now, by: Self.people.firstIndex { $0.name == name } ?? 0)
    now += .seconds(1)
  }

  mutating func control(
    _ command: Control, _ outcome: Outcome<MimiSupply> = Self.replied(.done)
  ) {
    record(.control(.control(command), outcome), at: now, by: nil)
    now += .seconds(5)
  }

  mutating func inspect(_ shown: JSON) {
    record(.inspection(MimiSupply.Reply(.shown(shown), csn: 0)), at: now, by: nil)
    now += .seconds(1)
  }

  mutating func receive(_ push: PushNotification, as name: String = "alice") {
    record(
      .signal(.notification(push)), at: now,
      by: Self.people.firstIndex { $0.name == name } ?? 0)
    now += .seconds(1)
  }

  private mutating func record(
    _ event: Record<MimiSupply>.Event, at time: Instant, by person: Int?
  ) {
    records.append(
      Record(
        time: time, person: person.map { PersonID($0) }, sequence: UInt32(records.count),
        cell: 0, event: event))
  }

  // MARK: Judging, as the engine routes records

  func judged(by limit: MimiSupply.Rule) -> Judge {
    var router = CheckRouter([MimiSupplyChecks.all.first { $0.rule == limit }!])
    for record in records.sorted(by: { $0.time < $1.time }) { router.see(record) }
    router.end(at: now)
    return router.judges[0]
  }
}

// MARK: - Short words for what tests let happen

extension MarketStory {
  static func replied(_ content: ReplyContent) -> Outcome<MimiSupply> {
    .replied(MimiSupply.Reply(content, csn: 0))
  }

  static func refused(_ failure: Failure) -> Outcome<MimiSupply> {
    .refused(MimiSupply.Refusal(failure, uuid: "u", csn: 0))
  }

  /// One operation that failed.
  static func failed(
    _ name: RecordName?, _ code: Failure.Code, _ native: Failure.Native, _ reason: String? = nil,
    error: String? = nil, conflict: ItemFailure.Conflict? = nil
  ) -> ItemResult {
    .failed(
      ItemFailure(
        name, Failure(code, native, mimiError: error, mimiReason: reason), conflict: conflict))
  }

  /// A record as it is stored.
  static func stored(
    _ name: RecordName, _ type: RecordType, _ fields: Fields = [:], tag: String = "1",
    by user: UserName = "alice", at moment: Instant = start
  ) -> CloudRecord {
    let stamp = Stamp(moment, by: user, on: "device-\(user)")
    return CloudRecord(
      name: name, type: type, changeTag: tag, zone: Zone(owner: user), fields: fields,
      created: stamp, modified: stamp)
  }
}
