import Contracts
import Timekeeping

/// What an installation of the app writes down about itself: what no request shows (section 7).
public enum AppNote: Hashable, Sendable {
  /// A process of the app began, with an empty memory (MS-129).
  case started(device: DeviceName, keepsBudget: Bool)
  /// The device lost its network or has it again, with so many writes waiting (MS-124).
  case network(isOnline: Bool, waiting: Int)
  /// An error, and what was done about it (MS-120).
  case handled(AppError, ErrorHandling)
  /// A service is degraded, or well again, by its last requests (MS-121).
  case health(AppService, isDegraded: Bool, succeeded: Int, of: Int)
  case level(DegradationLevel)
  case breaker(BreakerName, BreakerState)
  /// A read was answered without the backend (MS-122, MS-129).
  case served(RecordQuery, from: CacheLevel, [Copy])
  /// Records are about to be written together (MS-125).
  case batching(records: Int)
  /// A list of partners was shown; these are its first whose products the app does not have (MS-126).
  case partnersListed(missing: [RecordName])
  /// The background synchronisation began (MS-127).
  case backgroundSync
  case queued(QueuedWrite)
  /// Queued writes are to be sent now, together.
  case draining([Int])
  /// A queued write failed for good, and its user is told (MS-88).
  case gaveUp(Int, String)
  /// Nothing waits any more.
  case drained
  /// A conflict about a record is over (MS-86).
  case conflict(record: RecordName, rounds: Int, ConflictEnd)

  /// Which state of a record was shown.
  public struct Copy: Hashable, Sendable {
    public let name: RecordName
    public let changeTag: String

    public init(_ name: RecordName, _ changeTag: String) {
      self.name = name
      self.changeTag = changeTag
    }

    public init(_ record: CloudRecord) { self.init(record.name, record.changeTag) }
  }

  /// As transcripts show it.
  public var document: JSON {
    switch self {
    case .started(let device, let keepsBudget):
      ["appStarted": ["device": .name(device), "keepsBudget": .bool(keepsBudget)]]
    case .network(let isOnline, let waiting):
      ["network": ["online": .bool(isOnline), "waiting": .number(waiting)]]
    case .handled(let error, let handling):
      ["handled": ["error": .string(error.name), "by": .string(handling.rawValue)]]
    case .health(let service, let isDegraded, let succeeded, let count):
      [
        "health": [
          "service": .string(service.rawValue), "degraded": .bool(isDegraded),
          "succeeded": .number(succeeded), "of": .number(count),
        ]
      ]
    case .level(let level): ["degradation": .string(level.rawValue)]
    case .breaker(let name, let state):
      ["breaker": ["name": .string(name.rawValue), "state": .string(state.rawValue)]]
    case .served(let query, let level, let copies):
      [
        "served": [
          "recordType": .name(query.recordType), "from": .string(level.rawValue),
          "records": .names(copies.map(\.name)),
        ]
      ]
    case .batching(let records): ["batching": .number(records)]
    case .partnersListed(let missing): ["partnersListed": ["missing": .names(missing)]]
    case .backgroundSync: ["backgroundSync": [:]]
    case .queued(let write):
      [
        "queued": [
          "number": .number(write.number), "kind": .string(write.kind.rawValue),
          "records": .names(write.records),
        ]
      ]
    case .draining(let numbers): ["draining": .array(numbers.map { .number($0) })]
    case .gaveUp(let number, let code):
      ["gaveUp": ["number": .number(number), "code": .string(code)]]
    case .drained: ["drained": [:]]
    case .conflict(let record, let rounds, let end):
      [
        "conflict": [
          "record": .name(record), "rounds": .number(rounds), "end": .string(end.rawValue),
        ]
      ]
    }
  }
}
