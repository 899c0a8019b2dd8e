import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges what queries show (§3.2, MS-10): what meets them, all of it, in the order that was asked for.
enum QueryChecks {
  @Sendable static func judge(
    _ call: SeenCall, _ facts: MarketFacts, _ judge: inout Judge
  ) {
    // Whom partners see as available drivers, they see roughly.
    guard case .query(_, let asked) = call.request,
      case .found(let records, let more)? = call.content, asked.desiredKeys == nil,
      !asked.query.isSupply
    else { return }
    if let (a, b) = asked.query.disorder(among: records) {
      return judge.violated("a query of \(asked.query.recordType) shows \(a.name) before \(b.name)")
    }
    if let (record, filter) = asked.query.stranger(among: records) {
      return judge.violated(
        "a query of \(asked.query.recordType) shows \(record.name), which is not "
          + "\(filter.comparator) in \(filter.fieldName)")
    }
    if more == nil, asked.continuationMarker == nil, asked.query.recordType == .partner,
      let missing = missing(among: records, asked, call, facts)
    {
      return judge.violated("a query of partners does not show \(missing)")
    }
    if more == nil, asked.continuationMarker == nil,
      let missing = asked.query.product(missingAmong: records, call, facts)
    {
      return judge.violated("a query of products does not show \(missing)")
    }
    if records.count > 1 { judge.held() }
  }

  /// A partner that is active within the region of a query, and is not shown.
  private static func missing(
    among records: [CloudRecord], _ asked: Query, _ call: SeenCall, _ facts: MarketFacts
  ) -> RecordName? {
    guard let near = asked.query.filters.first(where: { $0.fieldName == "location" }),
      let place = near.value?.place, let distance = near.distance,
      asked.query.filters.allSatisfy({ $0 == near || $0.asksForActive })
    else { return nil }
    let shown = Set(records.map(\.name))
    let degrees = distance / 111_000 + 0.01
    return facts.partners.filter { name, partner in
      guard let latest = partner.terms.latest, !shown.contains(name),
        (latest.point.latitude - place.latitude).magnitude < degrees
      else { return false }
      return partner.terms.holds(during: call.during) {
        $0.exists && $0.isActive && Double(Geography.metres($0.point, place)) <= distance
      } == true
    }.keys.min()
  }
}

extension RecordQuery {
  /// A partner's product of an unlimited stock that certainly meets the query. Whoever browses by what everybody browses by is
  /// left alone.
  fileprivate func product(
    missingAmong records: [CloudRecord], _ call: SeenCall, _ facts: MarketFacts
  ) -> RecordName? {
    guard recordType == .product, filters.contains(where: \.isOfPrice),
      filters.allSatisfy({ $0.isOfPrice || $0.fieldName == FieldName.partnerId.text })
    else { return nil }
    let shown = Set(records.map(\.name))
    let stamp = Stamp(call.sent, by: .system, on: nil)
    return facts.products.filter { name, product in
      guard !shown.contains(name), !product.wasFinite, let partner = product.terms.latest?.partner,
        // It goes with its partner.
        facts.partners[partner]?.terms.holds(during: call.during, \.exists) == true
      else { return false }
      return product.fields.holds(during: call.during) { fields in
        isMet(
          by: CloudRecord(
            name: name, type: .product, changeTag: "", zone: Zone(), fields: fields,
            created: stamp, modified: stamp)) == true
      } == true
    }.keys.min()
  }
}

extension Filter {
  /// Whether it asks for prices or pieces.
  fileprivate var isOfPrice: Bool {
    fieldName == FieldName.priceCents.text || fieldName == FieldName.stockQuantity.text
  }

  fileprivate var asksForActive: Bool {
    fieldName == FieldName.isActive.text && comparator == "EQUALS" && value == .int64(1)
  }
}

/// Whoever asks for his orders is shown all of them (§3.4 fetchUserOrders).
struct OwnOrders: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private let accounts: AccountFacts
  /// Orders by the customer who placed them, with when they certainly were there.
  private var orders: [UserName: [(name: RecordName, at: Instant, zone: Zone?)]] = [:]

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .modify(_, let modification):
      for (item, result) in call.writes where item.kind == .create {
        guard let order = result?.record, order.type == .order,
          let customer = order[Order.customer]
        else { continue }
        orders[customer, default: []].append((order.name, call.answered, modification.zone))
      }
    case .query(let place, let asked):
      guard asked.query.recordType == .order, asked.query.filters.count == 1, asked.zone == nil,
        place.database == "private", asked.continuationMarker == nil,
        case .found(let records, nil)? = call.content, let user = accounts.user(of: call),
        asked.query.filters[0].fieldName == FieldName.customerId.text,
        asked.query.filters[0].comparator == "EQUALS", asked.query.filters[0].value == .name(user)
      else { return }
      let shown = Set(records.map(\.name))
      let missing = orders[user]?.first {
        $0.at < call.sent && !shown.contains($0.name) && ($0.zone == nil || asked.zoneWide)
      }
      judge.expect(missing == nil, "\(user) is not shown the order \(missing?.name ?? "")")
    default: break
    }
  }
}
