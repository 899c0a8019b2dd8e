import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Something that a phone is to do soon because something happened to it.
enum Promised: Hashable, Sendable {
  case removeTeam(deviceID: String, code: String)
  case removeClub(deviceID: String, tenant: String)
  case removeEverything
  case emptyItself
  /// To hand over the push token with this hash.
  case handOver(UInt64)
  /// To ask for the diensten of an enrollment.
  case ask(deviceID: String)
  /// To begin the refresh after a push.
  case refresh(eventNumber: Int)

  /// Whether a record shows that it was done.
  func isKept(by record: KKRecord) -> Bool {
    switch (self, record.event) {
    case (.removeTeam(let deviceID, let code), .request(let exchange)):
      guard case .removeTeams(let names) = exchange.request, exchange.claims?.deviceID == deviceID
      else { return false }
      // The real client sends the team's id (Q4).
      return names == [code] || (names.count == 1 && names[0].count == 36)
    case (.removeClub(let deviceID, let tenant), .request(let exchange)):
      return exchange.request == .removeTenant(slug: tenant)
        && exchange.claims?.deviceID == deviceID
    case (.removeEverything, .request(let exchange)): return exchange.request == .removeAll
    case (.emptyItself, .note(.resetLocally)): return true
    case (.handOver(let hash), .request(let exchange)):
      return exchange.pushToken.map { stableHash($0.token) == hash } ?? false
    case (.ask(let deviceID), .request(let exchange)):
      guard case .diensten = exchange.request else { return false }
      return exchange.claims?.deviceID == deviceID
    case (.refresh(let number), .note(.refreshingAfterPush(let begun, _))): return number == begun
    default: return false
    }
  }
}

/// Judges whether a phone keeps what it promises: within half an hour, because a request may wait for its time-out
/// and a user may think; what the end of the run cut short is left open.
struct Promises: FormerHistory {
  typealias Agreement = KantineKoning
  private let made: @Sendable (KKRecord) -> [Promised]
  private var pending: [(what: Promised, at: Instant)] = []
  private static let patience = Span.minutes(30)

  /// - Parameter made: What a record promises.
  init(_ made: @escaping @Sendable (KKRecord) -> [Promised]) { self.made = made }

  mutating func see(_ record: KKRecord, _ judge: inout Judge) {
    if !pending.isEmpty { settle(by: record, &judge) }
    for what in made(record) { pending.append((what, record.time)) }
  }

  private mutating func settle(by record: KKRecord, _ judge: inout Judge) {
    if let place = pending.firstIndex(where: { $0.what.isKept(by: record) }) {
      pending.remove(at: place)
      judge.held()
    }
    breakOverdue(at: record.time, &judge)
  }

  private mutating func breakOverdue(at now: Instant, _ judge: inout Judge) {
    for promise in pending where promise.at + Self.patience < now {
      judge.violated("a phone did not do what it had to: \(promise.what)")
    }
    pending.removeAll { $0.at + Self.patience < now }
  }

  mutating func end(at instant: Instant, _ judge: inout Judge) { breakOverdue(at: instant, &judge) }
}
