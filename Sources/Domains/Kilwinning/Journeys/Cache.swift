import Contracts
import KilwinningContract
import Timekeeping

/// What a device keeps of its loads, each with the time of its load (KW-122).
struct Cache {
  struct Entry<Value> {
    let value: Value
    let fetchedAt: Instant
  }

  /// By anno and state, as they were asked for.
  private(set) var tornate: [TornateQuery: Entry<SharedList<Tornata>>] = [:]
  /// His own, by anno.
  var presenze: [Anno: Entry<[Presenza]>] = [:]
  private(set) var statistiche: [Anno: Entry<Statistiche>] = [:]

  static let lifetimeOfStatistics = Span.seconds(300)
  static let lifetimeOfTornate = Span.seconds(600)

  /// Takes in what a request was answered; answers of others than the owner are not kept.
  mutating func keep(
    _ request: Kilwinning.Request, _ outcome: Outcome<Kilwinning>, at now: Instant
  ) {
    guard case .replied(let reply) = outcome else { return }
    switch (request, reply) {
    case (.tornate(let query), .tornate(let list)):
      tornate[query] = Entry(value: list, fetchedAt: now)
    case (.presenze(let query), .presenze(let list)):
      presenze[query.anno] = Entry(value: list, fetchedAt: now)
    case (.statistiche(let query), .statistiche(let it)):
      statistiche[query.anno] = Entry(value: it, fetchedAt: now)
    default: break
    }
  }

  /// Whether a request may be left out.
  func isFresh(_ request: Kilwinning.Request, at now: Instant) -> Bool {
    switch request {
    case .tornate(let query):
      tornate[query].map { now - $0.fetchedAt < Self.lifetimeOfTornate } ?? false
    case .statistiche(let query):
      statistiche[query.anno].map { now - $0.fetchedAt < Self.lifetimeOfStatistics } ?? false
    default: false
    }
  }

  /// After a write of this device nothing is fresh.
  mutating func age() {
    statistiche = statistiche.mapValues { Entry(value: $0.value, fetchedAt: .distantPast) }
    tornate = tornate.mapValues { Entry(value: $0.value, fetchedAt: .distantPast) }
  }
}
