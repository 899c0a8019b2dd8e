import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges §4.12: audit, privacy, consents.
enum PrivacyChecks {
  static let all: [MSCheck] = [
    .decided(.ms111, .logging, by: AuditFacts.self),
    .history(.ms112, .asking(.modify, .query, .lookup), by: AccountFacts.self, AuditLogSeen.init)
      + .decided(.ms112, .causes, by: AuditFacts.self),
    .decided(.ms113, .refusals, by: AuditFacts.self),
    .history(.ms115, .asking(.modify, .exportAccount), by: AccountFacts.self, Exports.init),
    .history(
      .ms116, Set<Concern>.showing.union([.asks(.deleteAccount), .asks(.currentUser)]),
      by: AccountFacts.self, DeletedAccounts.init) + PushChecks.due(.ms116, .leaving),
    lockedAccounts,
    .history(
      .ms118, Set<Concern>.asking(.modify, .modifySubscriptions).union([.controls, .signals]),
      by: AccountFacts.self, Consents.init),
  ]

  // MARK: MS-117

  static let lockedAccounts = MSCheck.each(
    .ms117, .anything, by: AccountFacts.self
  ) { call, accounts, judge in
    guard accounts.knowsLocks else { return }
    switch call.request {
    // These need no session, or fail before it is looked at.
    case .poll, .upload, .download, .unread, .signIn: return
    default: break
    }
    guard let user = accounts.user(of: call),
      let isLocked = accounts.isLocked(user, during: call.during)
    else { return }
    if isLocked {
      if call.outcome.isReplied { judge.violated("the locked account of \(user) was served") }
      if let failure = call.failure {
        judge.expect(
          failure.code == .authenticationFailed,
          "the locked account of \(user) is refused with \(failure.code)")
      }
    } else {
      judge.expect(
        call.failure?.mimiReason != "account_locked",
        "the account of \(user) is locked at a score of at most 0.8")
    }
  }
}

/// MS-115.
private struct Exports: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private let accounts: AccountFacts
  /// Orders by their customer, with the moment at which they were certainly there.
  private var orders: [UserName: [(name: RecordName, at: Instant)]] = [:]

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    switch call.request {
    case .modify:
      for (item, result) in call.writes where item.kind == .create {
        guard let order = result?.record, order.type == .order,
          let customer = order[Order.customer]
        else { continue }
        orders[customer, default: []].append((order.name, call.answered))
      }
    case .exportAccount:
      guard case .exported(let document)? = call.content,
        let user = accounts.user(of: call)
      else { return }
      let problem = problem(of: document, user, call)
      judge.expect(problem == nil, problem ?? "")
    default: break
    }
  }

  private func problem(of document: JSON, _ user: UserName, _ call: SeenCall) -> String? {
    guard document["profile"]?["recordName"]?.name() == user else {
      return "the export of \(user) lacks the profile"
    }
    guard let shown = document["orders"]?.array, let addresses = document["addresses"]?.array,
      let methods = document["paymentMethods"]?.array, document["preferences"]?.object != nil
    else { return "the export of \(user) lacks a part" }
    for order in shown {
      let fields = order["fields"]
      if let text = fields?["deliveryAddress"]?["value"]?.string, let address = JSON(parsing: text),
        !addresses.contains(where: { $0.isSame(as: address) })
      {
        return "the export of \(user) lacks an address of an order that it shows"
      }
      if let method = fields?["paymentMethod"]?["value"], !methods.contains(method) {
        return "the export of \(user) lacks the payment method \(method)"
      }
      let customer: UserName? = fields?["customerId"]?["value"]?.name()
      if customer != user {
        return "the export of \(user) shows an order of \(customer ?? "nobody")"
      }
    }
    let names = Set(shown.compactMap { item -> RecordName? in item["recordName"]?.name() })
    let missing = (orders[user] ?? []).first { $0.at < call.sent && !names.contains($0.name) }
    return missing.map { "the export of \(user) lacks the order \($0.name)" }
  }
}

/// MS-116.
private struct DeletedAccounts: History {
  static let scope = Scope<MimiSupply>.cell

  private let accounts: AccountFacts
  /// When each was certainly gone.
  private var deleted: [UserName: Instant] = [:]
  /// The sessions in which they left, and since when.
  private var ended: [String: Instant] = [:]
  /// Which driver picked up an order that is not over.
  private var carriers: [RecordName: UserName] = [:]
  /// Whose each driver's record is.
  private var drivers: [RecordName: UserName] = [:]
  /// What orders cost, whose they were, and where they went.
  private var orders: [RecordName: (customer: UserName, cents: [Int64], address: JSON?)] = [:]
  private static let amounts = [
    Order.subtotalCents, Order.deliveryFeeCents, Order.platformFeeCents, Order.taxCents,
  ]

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if let token = call.credential?.userToken, let gone = ended[token], gone < call.sent,
      case .currentUser = call.request, call.outcome.isAnswered
    {
      judge.expect(!call.outcome.isReplied, "a session outlived the account that left in it")
    }
    if case .deleteAccount = call.request, call.outcome.isAnswered,
      let user = accounts.user(of: call)
    {
      judgeLeaving(user, call, &judge)
    }
    for driver in call.drivers where drivers[driver.name] == nil {
      drivers[driver.name] = driver[Driver.user]
    }
    if !deleted.isEmpty {
      for record in call.shown { judgeShown(record, call, &judge) }
    }
    if case .modify = call.request {
      remember(call)
      carry(call)
    }
  }

  /// A driver with an order that is picked up stays until it ends.
  private mutating func judgeLeaving(
    _ user: UserName, _ call: SeenCall, _ judge: inout Judge
  ) {
    if carriers.values.contains(user) {
      judge.expect(!call.outcome.isReplied, "\(user) left with an order that is picked up")
    }
    guard call.outcome.isReplied else { return }
    deleted[user] = call.answered
    if let token = call.credential?.userToken { ended[token] = call.answered }
  }

  private mutating func carry(_ call: SeenCall) {
    // What had no answer may have ended any of them.
    if call.isUnknown { carriers = [:] }
    for (item, result) in call.writes {
      guard let order = result?.record, order.type == .order, let status = order.status else {
        continue
      }
      if status == .pickedUp, item.record.fields[.status] == .some(.string(status.rawValue)),
        accounts.role(of: call) == .driver
      {
        carriers[order.name] = accounts.user(of: call)
      } else if status.isTerminal {
        carriers[order.name] = nil
      }
    }
  }

  private mutating func remember(_ call: SeenCall) {
    for (item, result) in call.writes where item.kind == .create {
      guard let order = result?.record, order.type == .order, item.desiredKeys == nil,
        let customer = order[Order.customer]
      else { continue }
      orders[order.name] = (
        customer, Self.amounts.map { order[$0] ?? 0 },
        order[Order.deliveryAddress].flatMap { JSON(parsing: $0) }
      )
    }
  }

  private func judgeShown(
    _ record: CloudRecord, _ call: SeenCall, _ judge: inout Judge
  ) {
    if record.type != .partner, record.type != .product {
      for stamp in [record.created, record.modified] {
        guard let gone = deleted[stamp.userRecordName], gone < call.sent else { continue }
        judge.violated("\(record.name) shows \(stamp.userRecordName) still, who is gone")
      }
    }
    if let gone = left(with: record), gone < call.sent {
      judge.violated("\(record.name) is there still, and whose it was is gone")
    }
    if let order = record[DeliveryCompletion.order], let known = orders[order],
      record.type == .deliveryCompletion, let gone = deleted[known.customer], gone < call.sent
    {
      judge.expect(
        record.fields[.customerFeedback] == nil,
        "\(record.name) shows the feedback of a customer who is gone")
    }
    guard record.type == .order, let known = orders[record.name],
      let gone = deleted[known.customer], gone < call.sent
    else { return }
    guard record[Order.customer] != known.customer else {
      judge.violated("the order \(record.name) shows its customer, who is gone")
      return
    }
    let cents = Self.amounts.map { record[$0] ?? 0 }
    judge.expect(
      cents == known.cents || record.fields.count < 10,
      "the amounts of \(record.name) changed when its customer left")
    let isOver = record.status?.isTerminal == true
    if isOver, record.fields[.deliveryInstructions] != nil {
      judge.violated("\(record.name) shows the instructions of a customer who is gone")
    }
    if isOver, record[Order.items]?.contains("specialInstructions") == true {
      judge.violated("\(record.name) shows what a customer who is gone wished of a dish")
    }
    if let text = record[Order.deliveryAddress], let before = known.address {
      let due = isOver ? Self.anonymised(before) : before
      judge.expect(
        JSON(parsing: text)?.isSame(as: due) == true,
        "\(record.name) of a customer who is gone shows another address than it is to")
    }
  }

  /// When it certainly was gone, for a profile, a driver's record or a position.
  private func left(with record: CloudRecord) -> Instant? {
    switch record.type {
    case .userProfile: deleted[UserName(record.name.text)]
    case .driver: drivers[record.name].flatMap { deleted[$0] }
    case .driverLocation:
      record[DriverLocation.driver].flatMap { drivers[$0] }.flatMap { deleted[$0] }
    default: nil
    }
  }

  /// What is left of an address: where it is, roughly.
  private static func anonymised(_ address: JSON) -> JSON {
    var kept = JSONObject()
    for member in ["postalCode", "city", "state", "country"] { kept[member] = address[member] }
    for member in ["latitude", "longitude"] {
      kept[member] = address[member]?.double.map { .double($0.rounded(decimals: 2)) }
    }
    return .object(kept)
  }
}

extension JSON {
  /// Whether two documents have the same members, in whichever order.
  fileprivate func isSame(as other: JSON) -> Bool {
    guard let own = object, let others = other.object, own.members.count == others.members.count
    else { return self == other }
    return own.members.allSatisfy { name, value in
      others[name] == value || (value.double != nil && others[name]?.double == value.double)
    }
  }
}

/// MS-118.
private struct Consents: History {
  static let scope = Scope<MimiSupply>.cell
  static let standpoint = Standpoint.after

  private let accounts: AccountFacts
  private var begins: Instant?
  /// By kind: since when each user does not consent.
  private var withdrawn: [String: [UserName: Instant]] = [:]
  /// Whoever is granted again is not judged.
  private var mixed: Set<UserName> = []
  /// By subscription: the user without consent to notifications who made it.
  private var subscriptions: [String: UserName] = [:]

  init(_ accounts: AccountFacts) { self.accounts = accounts }

  mutating func commanded(_ command: Control, at moment: Moment, _ judge: inout Judge) {
    begins = begins ?? moment.time
    guard case .setConsent(let user, let kind, let isGranted) = command else { return }
    if isGranted {
      mixed.insert(user)
    } else {
      withdrawn[kind, default: [:]][user] = moment.time
    }
  }

  mutating func signalled(
    _ signal: MimiSupply.Signal, at moment: Moment, _ judge: inout Judge
  ) {
    begins = begins ?? moment.time
    guard case .notification(let push) = signal, let name = push.subscription,
      let user = subscriptions[name]
    else { return }
    judge.violated("\(user) was sent a push without consent to notifications")
  }

  /// Since before anybody lived, and ever since.
  private func lacks(_ kind: String, _ user: UserName) -> Bool {
    guard !mixed.contains(user), let since = withdrawn[kind]?[user], let begins else {
      return false
    }
    return since <= begins + .seconds(1)
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    begins = begins ?? moment.time
    switch call.request {
    case .modify: judgeWrites(call, &judge)
    case .modifySubscriptions(_, let operations):
      guard !withdrawn.isEmpty, call.outcome.isReplied,
        let user = accounts.user(of: call), lacks("notifications", user)
      else { return }
      for operation in operations {
        guard case .subscription(let subscription) = operation.subject, let id = subscription.id
        else { continue }
        subscriptions[id] = user
      }
    default: break
    }
  }

  private func judgeWrites(_ call: SeenCall, _ judge: inout Judge) {
    for (item, result) in call.writes {
      guard case .int64(1)?? = item.record.fields[.isOnline], let result else { continue }
      switch result {
      case .saved(let driver):
        guard let user = driver[Driver.user], lacks("location", user) else { continue }
        judge.violated("\(user) went online without consent to location")
      case .failed(let failed) where failed.failure.mimiReason == "consent_missing":
        guard let user = accounts.user(of: call), !mixed.contains(user) else { continue }
        judge.expect(
          withdrawn["location"]?[user] != nil, "\(user) consents to location and is refused")
      default: break
      }
    }
  }
}
