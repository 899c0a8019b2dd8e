import Contracts
import MimiSupplyContract
import Timekeeping

/// What a client saves after a conflict (§7.3, MS-86): the local wishes that survive the server's copy.
struct Merging: Sendable {
  enum Strategy: Hashable, Sendable {
    case merge, serverWins, byTime, userDecides
  }

  /// Conflicts about one save; then it is reported.
  static let rounds = 3
  /// Copies closer than this do not conflict.
  static let tolerance = Span.seconds(1)

  let rules: Rules<MimiSupply.Rule>

  /// Which way a conflict about a record goes.
  static func strategy(for server: CloudRecord, _ local: RecordDraft) -> Strategy {
    switch server.type {
    case .order, .userProfile, .driverLocation: .merge
    case .product where local.fields[.stockQuantity] != nil: .serverWins
    case .partner: .userDecides
    default: .byTime
    }
  }

  /// The fields to save on top of the server's copy; empty where it wins.
  ///
  /// - Parameters:
  ///   - now: When the local copy was changed: it is the later one unless the server's is younger.
  ///   - keepsOwn: What the user decides, where the conflict is critical.
  func fields(
    of local: RecordDraft, against server: CloudRecord, at now: Instant, keepsOwn: Bool
  ) -> FieldChanges {
    guard rules.binds(.ms86) else { return local.fields }
    switch Self.strategy(for: server, local) {
    case .serverWins: return [:]
    case .userDecides: return keepsOwn ? local.fields : [:]
    case .byTime: return isLater(now, than: server) ? local.fields : [:]
    case .merge: break
    }
    switch server.type {
    case .order: return order(local, server)
    case .userProfile: return profile(local, server)
    default: return position(local, server)
    }
  }

  private func isLater(_ now: Instant, than server: CloudRecord) -> Bool {
    now - server.modified.timestamp >= .zero - Self.tolerance
  }

  /// The server's copy; local instructions that are not empty and a higher tip win, the status that is later on its way
  /// too (`requirements.md` 6.5), and the claim of an order that has no driver.
  private func order(_ local: RecordDraft, _ server: CloudRecord) -> FieldChanges {
    var kept: FieldChanges = [:]
    if let text = local[Order.deliveryInstructions], !text.isEmpty,
      text != server[Order.deliveryInstructions]
    {
      kept[.deliveryInstructions] = .string(text)
    }
    let tip = server[Order.tipCents] ?? 0
    if let wanted = local[Order.tipCents], wanted > tip,
      let total = server[Order.totalCents], let sum = Fees.adding(total, wanted, -tip)
    {
      kept[.tipCents] = .int64(wanted)
      kept[.totalCents] = .int64(sum)
    }
    if let status = local[Order.status], let now = server.status,
      isStillWanted(status, after: now)
    {
      kept[.status] = .string(status)
    }
    if let driver = local[Order.driver], server[Order.driver] == nil {
      kept[.driverId] = .name(driver)
    }
    return kept
  }

  /// Delivered wins over cancelled whatever the times (MS-87); what has ended or gone further stays so.
  private func isStillWanted(_ status: String, after server: OrderStatus) -> Bool {
    guard let wanted = OrderStatus.of(OrderStatus.aliases[status] ?? status) else {
      return false
    }
    if wanted == .cancelled, server == .delivered { return !rules.binds(.ms87) }
    if server.isTerminal { return false }
    return wanted.isTerminal || wanted.place > server.place
  }

  private func profile(_ local: RecordDraft, _ server: CloudRecord) -> FieldChanges {
    var kept: FieldChanges = [:]
    for field in [UserProfile.phoneNumber, UserProfile.email] {
      if let text = local[field], !text.isEmpty, text != server[field] {
        kept[field.name] = .string(text)
      }
    }
    if let active = local[UserProfile.lastActiveAt],
      let known = server[UserProfile.lastActiveAt], active > known
    {
      kept[.lastActiveAt] = .timestamp(active)
    }
    return kept
  }

  /// The copy with the later timestamp, all position fields together.
  private func position(_ local: RecordDraft, _ server: CloudRecord) -> FieldChanges {
    guard let taken = local[DriverLocation.timestamp],
      let known = server[DriverLocation.timestamp], taken > known
    else { return [:] }
    return local.fields
  }
}

extension RecordDraft {
  /// Whether a stored record has every value that this draft asks for.
  func isStored(in record: CloudRecord, but ignored: FieldNames = [.createdAt, .updatedAt])
    -> Bool
  {
    fields.all.allSatisfy { name, value in
      ignored.contains(text: name) || record.fields[text: name] == value
    }
  }
}
