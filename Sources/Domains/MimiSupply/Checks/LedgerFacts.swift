import Contracts
import MimiSupplyContract
import Observations

/// What must be known to read an inspection's figures (§11): how drivers and partners began, and whose vehicle or place
/// was changed since.
struct LedgerFacts: FormerFacts {
  typealias Agreement = MimiSupply
  static let concerns = Set<Concern>.asking(.modify).union([.controls])

  /// Deliveries with which a Driver record began.
  private(set) var deliveries: [String: Int64] = [:]
  /// Sum and count of the ratings with which a driver or a partner began.
  private(set) var ratings: [String: (sum: Int64, count: Int64)] = [:]
  /// Drivers and partners whose vehicle or place was written.
  private(set) var changed: Set<String> = []

  init(_ key: CheckKey) {}

  static func keys(_ record: MSRecord) -> [CheckKey] { [.number(record.cell)] }

  mutating func see(_ record: MSRecord) {
    switch record.event {
    case .control(.control(.load(let fixture)), let outcome) where outcome.isReplied:
      for entry in fixture.records { begin(entry.name, entry.type, entry.fields) }
    case .request(let exchange):
      guard case .modify(_, let modification) = exchange.request else { return }
      for (item, result) in exchange.writes where result?.record != nil { see(item) }
      if exchange.isUnknown { for item in modification.items { see(item) } }
    default: break
    }
  }

  private mutating func see(_ item: Modification.Item) {
    guard let name = item.record.name else { return }
    if item.kind == .create {
      begin(name, item.record.type ?? "", [:])
    } else if ["latitude", "longitude", "vehicleType"].contains(where: {
      item.record.fields.keys.contains($0)
    }) {
      changed.insert(name)
    }
  }

  /// A record that a request creates begins with nothing (§2.14).
  private mutating func begin(_ name: String, _ type: String, _ fields: [String: FieldValue]) {
    func int(_ field: String) -> Int64 {
      if case .int64(let number)? = fields[field] { number } else { 0 }
    }
    switch type {
    case "Driver":
      deliveries[name] = deliveries[name] ?? int("completedDeliveries")
      ratings[name] = ratings[name] ?? (0, 0)
    case "Partner":
      var rating = 0.0
      if case .double(let stars)? = fields["rating"] { rating = stars }
      let count = int("reviewCount")
      ratings[name] = ratings[name] ?? (Int64(nearest: rating * Double(count)), count)
    default: break
    }
  }
}

extension Check<MimiSupply> {
  /// Judges what inspection shows in the light of how everything began.
  static func ledger(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (MarketLedger, LedgerFacts, inout Judge) -> Void
  ) -> MSCheck {
    .informed(limit, by: LedgerFacts.self, concerns: [.inspections]) { record, facts, verdict in
      guard case .inspection(let reply) = record.event, let ledger = MarketLedger(reply) else {
        return
      }
      judge(ledger, facts, &verdict)
    }
  }
}
