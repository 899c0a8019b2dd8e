import Contracts
import KilwinningContract
import Timekeeping

/// What a device keeps of its loads, each with the time of its load (KW-122), whichever way its anno was spelt (KW-075).
struct Cache {
  struct Entry<Value> {
    let value: Value
    var fetchedAt: Instant
    /// How many writes of this device it knows of.
    let writes: Int
  }

  private(set) var tornate: [TornateSelection: Entry<SharedList<Tornata>>] = [:]
  /// His own.
  private var presenze: [Anno.Selection: Entry<[Presenza]>] = [:]
  private(set) var statistiche: [Anno.Selection: Entry<Statistiche>] = [:]
  /// His own writes that succeeded: lists that were loaded before them do not show them.
  private var writes: [Presenza] = []

  static let lifetimeOfStatistics = Span.seconds(300)
  static let lifetimeOfTornate = Span.seconds(600)

  /// Takes in what a request was answered; answers of others than the owner are not kept.
  mutating func keep(
    _ request: Kilwinning.Request, _ outcome: Outcome<Kilwinning>, at now: Instant
  ) {
    guard case .replied(let reply) = outcome else { return }
    func entry<Value>(_ value: Value) -> Entry<Value> {
      Entry(value: value, fetchedAt: now, writes: writes.count)
    }
    switch (request, reply) {
    case (.tornate(let query), .tornate(let list)): tornate[query.selection] = entry(list)
    case (.presenze(let query), .presenze(let list)):
      presenze[query.anno.selection] = entry(list)
    case (.statistiche(let query), .statistiche(let it)):
      statistiche[query.anno.selection] = entry(it)
    default: break
    }
  }

  /// His own records of an anno, with what he has written since they were loaded.
  func presenze(of anno: Anno.Selection) -> [Presenza]? {
    presenze[anno].map { $0.value + writes[$0.writes...] }
  }

  /// Whether a request may be left out.
  func isFresh(_ request: Kilwinning.Request, at now: Instant) -> Bool {
    switch request {
    case .tornate(let query):
      tornate[query.selection].map { now - $0.fetchedAt < Self.lifetimeOfTornate } ?? false
    case .statistiche(let query):
      statistiche[query.anno.selection].map { now - $0.fetchedAt < Self.lifetimeOfStatistics }
        ?? false
    default: false
    }
  }

  /// After a write of this device nothing is fresh.
  /// - Parameter own: What he wrote for himself.
  mutating func age(own: Presenza? = nil) {
    if let own { writes.append(own) }
    for key in statistiche.keys { statistiche[key]?.fetchedAt = .distantPast }
    for key in tornate.keys { tornate[key]?.fetchedAt = .distantPast }
  }
}
