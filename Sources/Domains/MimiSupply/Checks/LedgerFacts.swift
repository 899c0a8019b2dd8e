import Contracts
import MimiSupplyContract
import Observations

/// What must be known to read an inspection's figures (§11): how drivers and partners began, and whose vehicle or place
/// was changed since.
final class LedgerFacts: Facts {
  static let concerns = Set<Concern>.asking(.modify).union([.controls])

  /// Deliveries with which a Driver record began.
  private(set) var deliveries: [RecordName: Int64] = [:]
  /// Sum and count of the ratings with which a driver or a partner began.
  private(set) var ratings: [RecordName: (sum: Int64, count: Int64)] = [:]
  /// Partners whose place was written.
  private(set) var moved: Set<RecordName> = []
  /// By driver.
  private(set) var vehicles: [RecordName: Register<String>] = [:]
  private static let decisive: FieldNames = [.latitude, .longitude]

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  func commanded(_ command: Control, at moment: Moment) {
    guard case .load(let fixture) = command else { return }
    for entry in fixture.records {
      begin(entry.name, entry.type, entry.fields)
      if let vehicle = entry.fields[Driver.vehicleType] {
        vehicles[entry.name, default: Register()].set(vehicle, during: moment.time...moment.time)
      }
    }
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    guard case .modify(_, let modification) = call.request else { return }
    for (item, result) in call.writes where result?.record != nil { see(item, call) }
    if call.isUnknown { for item in modification.items { see(item, call) } }
  }

  private func see(_ item: Modification.Item, _ call: SeenCall) {
    guard let name = item.record.name else { return }
    if let vehicle = item.record[Driver.vehicleType] {
      vehicles[name, default: Register()].set(
        vehicle, during: call.during, isCertain: !call.isUnknown)
    }
    if item.kind == .create {
      begin(name, item.record.type ?? "", [:])
    } else if !item.record.fields.names.isDisjoint(with: Self.decisive) {
      moved.insert(name)
    }
  }

  /// A record that a request creates begins with nothing (§2.14).
  private func begin(_ name: RecordName, _ type: RecordType, _ fields: Fields) {
    switch type {
    case .driver:
      deliveries[name] = deliveries[name] ?? fields[Driver.completedDeliveries] ?? 0
      ratings[name] = ratings[name] ?? (0, 0)
    case .partner:
      let rating = fields[Partner.rating] ?? 0
      let count = fields[Partner.reviewCount] ?? 0
      ratings[name] = ratings[name] ?? (Int64(nearest: rating * Double(count)), count)
    default: break
    }
  }
}

extension Check<MimiSupply> {
  /// Judges what inspection shows in the light of how everything began.
  static func ledger(
    _ limit: MimiSupply.Rule,
    _ judge: @escaping @Sendable (Inspected, LedgerFacts, inout Judge) -> Void
  ) -> MSCheck {
    .census(limit, by: LedgerFacts.self) { shown, _, facts, verdict in
      judge(shown, facts, &verdict)
    }
  }
}
