import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Who is behind a request, to whom partners, drivers and orders belong, and what records were like when somebody
/// last saw them: what the rules of access are judged by, in each city.
final class AccessFacts: Facts {
  static let concerns = Set<Concern>.asking(.modify, .lookup, .query, .changes).union([.controls])

  /// What an order says of who may see it.
  struct Parties: Sendable {
    let customer: UserName
    let partner: RecordName
    let created: Instant
    /// From when on it certainly is terminal.
    var ended = Instant.distantFuture
  }

  let accounts: AccountFacts
  /// The user who created a partner, by its name.
  private(set) var owners: [RecordName: UserName] = [:]
  private(set) var userOfDriver: [RecordName: UserName] = [:]
  private(set) var driverOfUser: [UserName: RecordName] = [:]
  private(set) var orders: [RecordName: Parties] = [:]
  /// The orders that a driver certainly had at some time.
  private var ordersOfDriver: [RecordName: [RecordName]] = [:]
  private var driverOfOrder: [RecordName: RecordName] = [:]
  private var versions = RecentVersions()

  init(_ subject: Subject<AccountFacts>) { accounts = subject.known }

  // MARK: Asking

  /// A user who is certainly an admin, or certainly none; `nil` when neither is certain.
  func caller(_ call: SeenCall) -> Caller? {
    guard call.credential?.userToken != nil else { return .anonymous }
    guard let user = accounts.user(of: call), let role = accounts.role(of: call) else {
      return nil
    }
    return .user(user, role)
  }

  enum Caller: Hashable, Sendable {
    case anonymous
    case user(UserName, Role)

    var isAdmin: Bool { if case .user(_, .admin) = self { true } else { false } }
    var name: UserName? { if case .user(let name, _) = self { name } else { nil } }
    var role: Role? { if case .user(_, let role) = self { role } else { nil } }
  }

  /// A record as it was when it had this tag, if somebody saw it so not long ago.
  func version(_ name: RecordName?, tag: String?) -> CloudRecord? {
    guard let name, let tag else { return nil }
    return versions.find(name, tag: tag)
  }

  /// How a user came to see a driver: by an order that may be active, by orders of which all are certainly over, or by
  /// none that is known.
  enum Tie { case active, over, none }

  /// - Parameter since: Only orders that were created before then: for a position its own time.
  func tie(
    of user: UserName, to driver: RecordName, at sent: Instant, since: Instant = .distantFuture
  ) -> Tie {
    var tie = Tie.none
    for name in ordersOfDriver[driver] ?? [] {
      guard let order = orders[name], order.created <= since,
        order.customer == user || owners[order.partner] == user
      else { continue }
      if order.ended >= sent { return .active }
      tie = .over
    }
    return tie
  }

  // MARK: Taking in

  func commanded(_ command: Control, at moment: Moment) {
    switch command {
    case .load(let fixture): for entry in fixture.records { load(entry) }
    case .loadSampleWorld: loadSampleWorld()
    default: break
    }
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    switch call.request {
    case .modify:
      for (item, result) in call.writes {
        guard let record = result?.newest, item.desiredKeys == nil else { continue }
        if record.type == .order {
          learn(ShownOrder(record), at: call.answered)
        } else {
          learn(record)
        }
        if record.type != .driverLocation { versions.keep(record) }
      }
    case .lookup:
      guard call.showsWholeRecords else { return }
      learn(shown: call)
      for record in call.shown where record.type != .driverLocation { versions.keep(record) }
    case .query(let location, let query):
      // Everybody browses; what is learnt from it is learnt elsewhere.
      guard location.database != "public", call.showsWholeRecords,
        query.query.recordType != .driverLocation
      else { return }
      learn(shown: call)
    case .changes:
      guard call.showsWholeRecords else { return }
      learn(shown: call)
    default: break
    }
  }

  private func learn(shown call: SeenCall) {
    for order in call.orders { learn(order, at: call.answered) }
    for record in call.shown { learn(record) }
  }

  private func learn(_ record: CloudRecord) {
    switch record.type {
    case .partner: owners[record.name] = record.created.userRecordName
    case .driver: if let user = record[Driver.user] { tie(driver: record.name, to: user) }
    case .driverOffer where record[DriverOffer.state] == "accepted":
      if let order = record[DriverOffer.order], let driver = record[DriverOffer.driver] {
        tie(order: order, to: driver)
      }
    default: break
    }
  }

  private func learn(_ shown: ShownOrder, at answered: Instant) {
    if orders[shown.name] == nil, let customer = shown.customer, let partner = shown.partner {
      orders[shown.name] = Parties(
        customer: customer, partner: partner,
        created: shown.record.created.timestamp.toMilliseconds)
    }
    if let driver = shown.driver { tie(order: shown.name, to: driver) }
    if shown.status?.isTerminal == true, let order = orders[shown.name], order.ended > answered {
      orders[shown.name]?.ended = answered
    }
  }

  private func tie(order: RecordName, to driver: RecordName) {
    guard driverOfOrder[order] != driver else { return }
    driverOfOrder[order] = driver
    if ordersOfDriver[driver]?.contains(order) != true {
      ordersOfDriver[driver, default: []].append(order)
    }
  }

  private func tie(driver: RecordName, to user: UserName) {
    userOfDriver[driver] = user
    driverOfUser[user] = driver
  }

  private func load(_ entry: Fixture.Entry) {
    switch entry.type {
    case .partner: owners[entry.name] = entry.creator
    case .driver:
      if let user = entry.fields[Driver.user] { tie(driver: entry.name, to: user) }
    case .order:
      guard let customer = entry.fields[Order.customer],
        let partner = entry.fields[Order.partner]
      else { return }
      orders[entry.name] = Parties(customer: customer, partner: partner, created: .distantPast)
      if let driver = entry.fields[Order.driver] {
        tie(order: entry.name, to: driver)
      }
    default: break
    }
  }

  /// §12.
  private func loadSampleWorld() {
    for number in 1...10 {
      owners["partner-\(number)"] = "user-partner-\(number)"
    }
    for number in 1...3 { tie(driver: "driver-\(number)", to: "user-driver-\(number)") }
  }
}

extension ItemResult {
  /// The record as it was stored, or as a conflict shows it.
  fileprivate var newest: CloudRecord? {
    switch self {
    case .saved(let record): record
    case .failed(let failed): failed.conflict?.server
    case .deleted: nil
    }
  }
}

/// The latest versions of the records that were seen last, so many and no more.
struct RecentVersions: Sendable {
  private static let most = 2_048
  private var records: [RecordName: CloudRecord] = [:]
  private var order: [RecordName] = []
  private var next = 0

  func find(_ name: RecordName, tag: String) -> CloudRecord? {
    guard let record = records[name], record.changeTag == tag else { return nil }
    return record
  }

  mutating func keep(_ record: CloudRecord) {
    if records.updateValue(record, forKey: record.name) != nil { return }
    if order.count < Self.most {
      order.append(record.name)
    } else {
      records[order[next]] = nil
      order[next] = record.name
      next = (next + 1) % Self.most
    }
  }
}
