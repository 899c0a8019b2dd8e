import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// MS-106: no answer shows a private record to somebody outside its audience (§2.13), and what cannot be seen looks like
/// what is not there.
///
/// What a record says of itself decides most of it. Where it takes more, as whether an order ties a customer to a
/// driver, what speaks for it may become known later than the answer: such cases wait for the end.
struct Isolation: History {
  static let scope = Scope<MimiSupply>.cell

  private let facts: AccessFacts
  private var open = OpenTies()
  /// The words with which a missing record was refused first, by the kind of request.
  private var missing: [String: Failure] = [:]

  init(_ facts: AccessFacts) { self.facts = facts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if case .query(_, let query) = call.request,
      RecordSchema.of(query.query.recordType)?.isPublic == true
    {
      return
    }
    guard let caller = facts.caller(call), !caller.isAdmin else { return }
    let isWhole = call.showsWholeRecords
    switch call.content {
    case .found(let records, _):
      for record in records { self.judge(record, isWhole, caller, call, &judge) }
    case .items(let items), .feed(let items, _, _):
      for item in items { see(item, isWhole, caller, call, &judge) }
    default: return
    }
  }

  private mutating func see(
    _ item: ItemResult, _ isWhole: Bool, _ caller: AccessFacts.Caller, _ call: SeenCall,
    _ judge: inout Judge
  ) {
    switch item {
    case .saved(let record): self.judge(record, isWhole, caller, call, &judge)
    case .failed(let failed):
      if let shown = failed.conflict?.server { self.judge(shown, true, caller, call, &judge) }
      if failed.failure.code == .notFound, failed.failure.native == .unknownItem {
        judgeMissing(failed, call, &judge)
      }
    case .deleted: return
    }
  }

  // MARK: One record

  private mutating func judge(
    _ record: CloudRecord, _ isWhole: Bool, _ caller: AccessFacts.Caller, _ call: SeenCall,
    _ judge: inout Judge
  ) {
    guard RecordSchema.of(record.type)?.isPublic != true else { return }
    guard let user = caller.name else {
      judge.violated("nobody was shown \(record.type) \(record.name)")
      return
    }
    switch audience(of: record, isWhole, user, caller.role, call) {
    case .within: judge.held()
    case .unclear: return
    case .outside(let why):
      judge.violated("\(user) was shown \(record.type) \(record.name), \(why)")
    case .tied(let driver, let since):
      if facts.tie(of: user, to: driver, at: call.sent, since: since) == .active {
        judge.held()
      } else {
        open.add(user, driver, call.sent, since, record, by: record.type)
      }
    }
  }

  private enum Audience {
    case within, unclear
    case outside(String)
    /// If an active order that was there then ties the user to the driver.
    case tied(driver: RecordName, since: Instant)
  }

  private func audience(
    of record: CloudRecord, _ isWhole: Bool, _ user: UserName, _ role: Role?, _ call: SeenCall
  ) -> Audience {
    switch record.type {
    case .userProfile: return record.name == user.profile ? .within : .outside("another's profile")
    case .auditEvent: return .outside("which is the admins'")
    case .order: return isWhole ? audience(ofOrder: record, user, role) : .unclear
    case .driverOffer:
      guard let owner = record[DriverOffer.driver].flatMap({ facts.userOfDriver[$0] }) else {
        return .unclear
      }
      return owner == user ? .within : .outside("an offer of \(owner)")
    case .driver:
      guard let owner = record[Driver.user] else { return .unclear }
      return owner == user ? .within : .tied(driver: record.name, since: .distantFuture)
    case .driverLocation:
      guard let driver = record[DriverLocation.driver], let owner = facts.userOfDriver[driver]
      else {
        return .unclear
      }
      if owner == user { return .within }
      return .tied(driver: driver, since: record[DriverLocation.timestamp] ?? .distantFuture)
    case .deliveryCompletion: return audience(ofCompletion: record, user)
    default: return .unclear
    }
  }

  private func audience(
    ofOrder order: CloudRecord, _ user: UserName, _ role: Role?
  ) -> Audience {
    guard let customer = order[Order.customer], let partner = order[Order.partner],
      let status = order.status
    else { return .unclear }
    if customer == user { return .within }
    guard let owner = facts.owners[partner] else { return .unclear }
    if owner == user {
      let isUnpaid = status == .created || status == .paymentProcessing
      return isUnpaid ? .outside("which is not confirmed yet") : .within
    }
    guard let own = facts.driverOfUser[user] else {
      return role == .driver ? .unclear : .outside("an order of \(customer)")
    }
    if let driver = order[Order.driver] {
      return driver == own ? .within : .outside("which \(driver) has")
    }
    // Offers are open, and the pool shows, only what waits for a driver.
    switch status {
    case .paymentConfirmed, .accepted, .preparing, .readyForPickup: return .within
    default: return .outside("which waits for no driver")
    }
  }

  private func audience(ofCompletion completion: CloudRecord, _ user: UserName) -> Audience {
    guard let driver = completion[DeliveryCompletion.driver],
      let name = completion[DeliveryCompletion.order],
      let order = facts.orders[name], let owner = facts.owners[order.partner]
    else { return .unclear }
    let parties = [facts.userOfDriver[driver], order.customer, owner]
    return parties.contains(user) ? .within : .outside("the proof of another's delivery")
  }

  // MARK: What is not there

  /// A record outside the visible set is refused in the same words as one that never was.
  private mutating func judgeMissing(
    _ failed: ItemFailure, _ call: SeenCall, _ judge: inout Judge
  ) {
    var failure = failed.failure
    failure.retryAfter = nil
    // A text that names the record says nothing more by it.
    failure.reason = failure.reason.split(separator: " ").map { word in
      word.filter { !"'\",.:;()".contains($0) } == failed.recordName?.text ?? ""
        ? "…" : String(word)
    }.joined(separator: " ")
    let kind = call.request.name
    let first = missing[kind] ?? failure
    missing[kind] = first
    judge.expect(
      first == failure && failed.conflict == nil,
      "a missing record is refused in several ways: \(first.reason); \(failure.reason)")
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    open.end(facts, &judge) { $0 == .active }
  }
}

/// Showings that only an order can explain which nobody has seen yet.
struct OpenTies: Sendable {
  private struct Showing: Sendable {
    let user: UserName
    let driver: RecordName
    let sent: Instant
    let since: Instant
    let what: String
  }

  /// Beyond so many the answer will not change.
  private static let most = 10_000
  private var showings: [Showing] = []

  mutating func add(
    _ user: UserName, _ driver: RecordName, _ sent: Instant, _ since: Instant,
    _ record: CloudRecord,
    by type: RecordType
  ) {
    guard showings.count < Self.most else { return }
    showings.append(
      Showing(
        user: user, driver: driver, sent: sent, since: since, what: "\(type) \(record.name)"))
  }

  /// - Parameter isFine: By which ties a showing is within the rule.
  func end(
    _ facts: AccessFacts, _ judge: inout Judge, _ isFine: (AccessFacts.Tie) -> Bool
  ) {
    for showing in showings {
      let tie = facts.tie(
        of: showing.user, to: showing.driver, at: showing.sent, since: showing.since)
      judge.expect(
        isFine(tie),
        "\(showing.user) was shown \(showing.what), "
          + (tie == .over ? "after their orders had ended" : "with no order to do with it"))
    }
  }
}

/// MS-107: who had an order with a driver sees him and his way no longer than that.
struct Farewells: History {
  static let scope = Scope<MimiSupply>.cell

  private let facts: AccessFacts
  private var open = OpenTies()

  init(_ facts: AccessFacts) { self.facts = facts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if case .query(_, let query) = call.request,
      query.query.recordType != .driver, query.query.recordType != .driverLocation
    {
      return
    }
    switch call.request {
    case .query, .lookup, .changes: break
    default: return
    }
    guard let caller = facts.caller(call), let user = caller.name, !caller.isAdmin else {
      return
    }
    for record in call.shown {
      guard record.type == .driver || record.type == .driverLocation else { continue }
      let driver = record.type == .driver ? record.name : record[Order.driver]
      // Partners see available drivers reduced to what names nobody (§3.4).
      if record.type == .driver, record[Driver.user] == nil { continue }
      guard let driver, let owner = facts.userOfDriver[driver] ?? record[Driver.user],
        owner != user
      else { continue }
      if facts.tie(of: user, to: driver, at: call.sent) == .active {
        judge.held()
      } else {
        open.add(user, driver, call.sent, .distantFuture, record, by: record.type)
      }
    }
    judgeAbsence(call, user, &judge)
  }

  /// Who looks for a driver whose orders with him are over, and is told that there is none.
  private func judgeAbsence(_ call: SeenCall, _ user: UserName, _ judge: inout Judge) {
    guard case .lookup(_, let lookup) = call.request, case .items(let items)? = call.content
    else { return }
    for (asked, item) in zip(lookup.items, items) where item.failure?.code == .notFound {
      guard facts.userOfDriver[asked.recordName] != nil,
        facts.tie(of: user, to: asked.recordName, at: call.sent) == .over
      else { continue }
      judge.held()
    }
  }

  mutating func ended(at instant: Instant, _ judge: inout Judge) {
    open.end(facts, &judge) { $0 != .over }
  }
}
